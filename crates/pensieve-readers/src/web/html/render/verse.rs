//! Verse and drama: lines of a poem, its line numbers, and speeches of a play.
//!
//! Poems are recognised by the names that books give their parts: a class such as `stanza` or `linegroup`, or a type
//! of the Structural Semantics Vocabulary (`epub:type`, ANSI/NISO Z39.98). Inside, a line is a division or a
//! paragraph without blocks, or each of the spans of a stanza. Plays in the form of tables (Z39.98 `drama`) are read
//! as speeches.

use super::page::ParsedPage;
use super::unmarked_verse::UnmarkedVerse;
use crate::markdown::StreamWriter;
use crate::web::html::parse::tag::HtmlTag;

/// Classes of elements with lines of verse.
const GROUPS: &[&str] = &[
    "poem",
    "poetry",
    "verse",
    "stanza",
    "strophe",
    "couplet",
    "linegroup",
    "line-group",
    "lineblock",
    "line-block",
    "lg",
];

/// Types of elements with lines of verse.
const TYPES: &[&str] = &["z3998:poem", "z3998:verse", "z3998:stanza", "z3998:song", "z3998:hymn"];

/// Classes of line numbers.
const NUMBERS: &[&str] =
    &["lnum", "linenum", "lineno", "linenumber", "line-number", "line-num", "line-no", "ln"];

/// How many ancestors of a table are searched for its type.
const MAX_ANCESTORS: usize = 8;

/// The poem that is open.
#[derive(Debug, Default)]
pub(super) struct OpenPoem {
    /// The elements with lines, outermost first.
    groups: Vec<usize>,
    /// The stanza that is made of spans.
    stanza: Option<usize>,
    unmarked: UnmarkedVerse,
}

impl OpenPoem {
    /// Records that a block is entered; true if it is a line of verse.
    pub fn enter(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
        if !may_hold_lines(tag) {
            return false;
        }
        // Names are surer than looks.
        if !self.is_open() && matches!(tag, HtmlTag::P | HtmlTag::Div) {
            self.unmarked.enter(page, node);
        }
        if self.is_line(page, node, tag) {
            return true;
        }
        if is_group(page, node) {
            self.groups.push(node);
        }
        if self.is_open() && is_made_of_spans(page, node) {
            self.stanza = Some(node);
        }
        false
    }

    /// Records that a block is left; true if it was a line of verse.
    pub fn leave(&mut self, page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
        self.stanza.take_if(|stanza| *stanza == node);
        let was_group = self.groups.pop_if(|group| *group == node).is_some();
        !was_group && may_hold_lines(tag) && self.is_line(page, node, tag)
    }

    fn is_open(&self) -> bool {
        !self.groups.is_empty()
    }

    /// True for a division or paragraph inside a poem that has no blocks and is not itself a stanza.
    fn is_line(&self, page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> bool {
        if self.unmarked.is_line(node) {
            return true;
        }
        let parent = page.tree().parent(node);
        let has_break = |mut nodes: std::ops::Range<usize>| nodes.any(|at| page.tag(at) == Some(HtmlTag::Br));
        self.is_open()
            && !page.holds_blocks(node)
            && !has_break(page.tree().below(node))
            && match tag {
                HtmlTag::Div => !is_made_of_spans(page, node),
                // Paragraphs of a poem are stanzas if one of them has line breaks.
                HtmlTag::P => {
                    self.groups.last() == Some(&parent)
                        && !has_break(page.tree().below(parent))
                        && !is_made_of_spans(page, node)
                }
                _ => false,
            }
    }

    /// Handles a span in a poem: a line begins, a line number is separated from the words. True if nothing more is
    /// written for it.
    pub fn enter_span(&self, page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize) -> bool {
        if !self.is_open() {
            return false;
        }
        if self.stanza == Some(page.tree().parent(node)) {
            writer.line_break();
        }
        if !has_class(page, node, NUMBERS) {
            return false;
        }
        let number = page.words_below(node);
        let number = number.trim();
        if number.is_empty() || !number.chars().all(|c| c.is_ascii_digit()) {
            return false;
        }
        match page.book() {
            Some(_) => writer.put_words(&format!("<!-- line {number} -->")),
            // Without a book there are no marks, but the number stays a word of its own.
            None => writer.put_space(),
        }
        page.book().is_some()
    }
}

/// True for a table that is a play.
pub(super) fn is_play(page: ParsedPage<'_>, table: usize) -> bool {
    std::iter::once(table)
        .chain(page.tree().ancestors(table).take(MAX_ANCESTORS))
        .any(|node| has_type(page, node, &["z3998:drama"]))
}

/// True for a cell that names the speaker.
pub(super) fn is_speaker(page: ParsedPage<'_>, cell: usize) -> bool {
    has_type(page, cell, &["z3998:persona"])
}

fn is_group(page: ParsedPage<'_>, node: usize) -> bool {
    has_class(page, node, GROUPS) || has_type(page, node, TYPES)
}

/// True for a stanza in which each line is a span.
fn is_made_of_spans(page: ParsedPage<'_>, node: usize) -> bool {
    let mut spans = 0;
    for child in page.tree().children(node) {
        match page.tag(child) {
            Some(HtmlTag::Span) => spans += 1,
            None if !page.has_words(child) => {}
            _ => return false,
        }
    }
    spans > 1
}

fn has_class(page: ParsedPage<'_>, node: usize, names: &[&str]) -> bool {
    page.attribute(node, "class").is_some_and(|classes| has_word(classes, names))
}

fn has_type(page: ParsedPage<'_>, node: usize, names: &[&str]) -> bool {
    page.attribute(node, "epub:type").is_some_and(|types| has_word(types, names))
}

fn may_hold_lines(tag: HtmlTag) -> bool {
    use HtmlTag::{Article, Blockquote, Div, P, Section, Td};
    matches!(tag, Div | P | Section | Blockquote | Article | Td)
}

fn has_word(words: &str, names: &[&str]) -> bool {
    words.split_ascii_whitespace().any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use crate::web::html::chapter::tests::check;

    #[test]
    fn divisions_of_a_stanza_are_its_lines() {
        check(
            "<p>Before</p><div class='linegroup'><div>one</div> <div><em>two</em> words</div></div>\
            <div class='stanza x'><div class='verse indent0'>three</div><div>four</div></div><div>a</div><div>b</div>",
            "Before\n\none\n*two* words\n\nthree\nfour\n\na\n\nb",
        );
        check(
            "<div class='lg'><div>one</div><blockquote><div><div>two</div><div>three</div></div></blockquote><div>four</div></div>",
            "one\n\n> two\n> three\n\nfour",
        );
    }

    #[test]
    fn paragraphs_of_a_poem_are_lines_or_stanzas() {
        check("<div class='poem'><p>one</p><p>two</p></div>", "one\ntwo");
        check("<div class='poem'><p>one<br/>two</p><p>three</p></div>", "one\ntwo\n\nthree");
        check("<p class='stanza'><span>one</span> <span>two</span></p><p>x</p>", "one\ntwo\n\nx");
        check(
            "<div class='poem'><p><span>1</span><span>2</span></p><p><span>3</span><span>4</span></p></div>",
            "1\n2\n\n3\n4",
        );
        check("<p><span>no</span> <span>verse</span></p>", "no verse");
        // Words beside the spans: these are parts of a line.
        check("<p class='stanza'><span>one</span> and <span>two</span></p><p>x</p>", "one and two\n\nx");
    }

    #[test]
    fn words_of_a_poem_beside_spans_are_one_line() {
        check("<section class='poem'>a <span>b</span></section>", "a b");
    }

    #[test]
    fn numbers_of_lines_stand_apart() {
        check(
            "<div class='poem'><div>a line<span class='linenum'>10</span></div><div>b<span class='linenum'>no</span></div></div>",
            "a line 10\nbno",
        );
    }

    #[test]
    fn plays_are_speeches() {
        check(
            "<table epub:type='z3998:drama'><tr><td/><td><i>Enter <b>Lane</b>.</i></td></tr>\
            <tr><td epub:type='z3998:persona'>Jack</td><td>How are you?</td></tr>\
            <tr><td epub:type='z3998:persona'>Lane</td><td><p>Well.</p><p>Sir.</p></td></tr></table>",
            "*Enter **Lane**.*\n\n**Jack** How are you?\n\n**Lane**\n\nWell.\n\nSir.",
        );
    }

    #[test]
    fn names_of_all_kinds_make_a_poem() {
        for (page, expected) in [
            ("<section class='POEM'><div>a</div><div>b</div></section><div>c</div>", "a\nb\n\nc"),
            ("<section epub:type='z3998:verse'><p>a</p><p>b</p></section><p>c</p>", "a\nb\n\nc"),
            ("<ul class='poem'><li><div>a</div><div>b</div></li></ul>", "- a\n\n  b"),
            ("<table><tr><td class='poem'><div>a</div><div>b</div></td></tr></table>", "a\nb"),
            ("<div class='poem'><div>a<br/>b</div><div>c</div></div>", "a\nb\n\nc"),
            ("<div class='poem'><div><div>a</div>b</div><div>c</div></div>", "a\nb\n\nc"),
            ("<div class='poem'><section><p>a</p><p>b</p></section></div>", "a\n\nb"),
            (
                "<div class='poem'><div class='stanza'><p>a</p><p>b</p></div><div class='stanza'><p>c</p><p>d</p></div></div>",
                "a\nb\n\nc\nd",
            ),
            ("<div class='poem'><h2>a</h2><p>b</p><p>c</p></div>", "## a\n\nb\nc"),
            ("<div class='poem'><div><span>a</span><span>b</span></div><div>c</div></div>", "a\nb\n\nc"),
            ("<div class='poem'><div><span>a</span></div><div>c</div></div>", "a\nc"),
            ("<div class='poem'><p><span>a</span> <span>b</span></p><p>c</p></div>", "a\nb\n\nc"),
        ] {
            crate::web::html::chapter::tests::check(page, expected);
        }
    }

    #[test]
    fn numbers_and_speakers_count_in_poems_and_plays_only() {
        for (page, expected) in [
            (
                "<div class='stanza'><div>a <span class='ln'>5</span></div><div>b <span class='ln'> </span>c</div><div>d<span class='ln'>5a</span></div><div>e<span class='no'>7</span></div></div>",
                "a 5\nb c\nd5a\ne7",
            ),
            ("<p>a<span class='ln'>5</span></p>", "a5"),
            (
                "<div epub:type='z3998:drama'><table><tr><td epub:type='z3998:persona'>A</td><td>b</td></tr></table></div>",
                "**A** b",
            ),
            (
                "<table epub:type='z3998:verse'><tr><td epub:type='z3998:persona'>A</td><td>b</td></tr></table>",
                "|  |  |\n| - | - |\n| A | b |",
            ),
            (
                "<div epub:type='z3998:drama'><div><div><div><div><div><div><div><table><tr><td epub:type='z3998:persona'>A</td><td>b</td></tr></table></div></div></div></div></div></div></div></div>",
                "**A** b",
            ),
            (
                "<div epub:type='z3998:drama'><div><div><div><div><div><div><div><div><table><tr><td epub:type='z3998:persona'>A</td><td>b</td></tr></table></div></div></div></div></div></div></div></div></div>",
                "|  |  |\n| - | - |\n| A | b |",
            ),
        ] {
            crate::web::html::chapter::tests::check(page, expected);
        }
    }
}
