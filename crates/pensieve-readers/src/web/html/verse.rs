//! Verse and drama: lines of a poem, its line numbers, and speeches of a play.
//!
//! Poems are told by what books call their parts: a class such as `stanza` or `linegroup`, or a type of the Structural
//! Semantics Vocabulary (`epub:type`, ANSI/NISO Z39.98). Inside, a line is a division or a paragraph that holds no block, or each
//! of the spans that a stanza is made of. Plays that are set as tables (Z39.98 `drama`) are read as speeches.

use super::render::Renderer;
use super::tag::Tag;
use crate::markdown::{BlockBreak, InlineMark};

/// Classes of what holds lines of verse.
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

/// Types of the same.
const TYPES: &[&str] = &["z3998:poem", "z3998:verse", "z3998:stanza", "z3998:song", "z3998:hymn"];

/// Classes of the numbers that stand beside lines.
const NUMBERS: &[&str] =
    &["lnum", "linenum", "lineno", "linenumber", "line-number", "line-num", "line-no", "ln"];

/// Elements above a table among which its kind is looked for.
const NEAR: usize = 8;

/// The poem that is open.
#[derive(Debug, Default)]
pub(super) struct Verse {
    /// What holds lines, outermost first.
    groups: Vec<usize>,
    /// The stanza that is made of spans.
    spans: Option<usize>,
}

impl Renderer<'_> {
    /// Notes that a block is entered; true where it is a line of verse.
    pub(super) fn enter_verse(&mut self, node: usize, tag: Tag) -> bool {
        if !may_hold_lines(tag) {
            return false;
        }
        if self.is_line(node, tag) {
            return true;
        }
        if self.is_group(node) {
            self.verse.groups.push(node);
        }
        if self.is_in_verse() && self.is_made_of_spans(node) {
            self.verse.spans = Some(node);
        }
        false
    }

    /// Notes that a block is left; true where it was a line of verse.
    pub(super) fn leave_verse(&mut self, node: usize, tag: Tag) -> bool {
        self.verse.spans.take_if(|stanza| *stanza == node);
        let was_group = self.verse.groups.pop_if(|group| *group == node).is_some();
        !was_group && may_hold_lines(tag) && self.is_line(node, tag)
    }

    /// True inside a poem.
    fn is_in_verse(&self) -> bool {
        !self.verse.groups.is_empty()
    }

    fn is_group(&self, node: usize) -> bool {
        self.has_class(node, GROUPS)
            || self.tree.attribute(node, "epub:type").is_some_and(|kind| has_word(kind, TYPES))
    }

    /// A division or paragraph inside of a poem that holds no block and is not itself a stanza.
    fn is_line(&self, node: usize, tag: Tag) -> bool {
        let parent = self.tree.parent(node);
        self.is_in_verse()
            && self.tree.below(node).all(|below| match self.tree.tag(below) {
                Some(tag) => tag != Tag::Br && !tag.is_block(),
                None => true,
            })
            && match tag {
                Tag::Div => !self.is_made_of_spans(node),
                // Paragraphs of a poem are its stanzas where one of them is broken into lines.
                Tag::P => {
                    self.verse.groups.last() == Some(&parent)
                        && !self.tree.below(parent).any(|below| self.tree.tag(below) == Some(Tag::Br))
                        && !self.is_made_of_spans(node)
                }
                _ => false,
            }
    }

    /// True for a stanza in which each line is a span.
    fn is_made_of_spans(&self, node: usize) -> bool {
        let mut spans = 0;
        for child in self.tree.children(node) {
            match (self.tree.tag(child), self.tree.piece(child)) {
                (Some(Tag::Span), _) => spans += 1,
                (None, Some(piece)) if piece.resolve(self.source).trim().is_empty() => {}
                _ => return false,
            }
        }
        spans > 1
    }

    /// What a span in a poem is: a line of its own begins, a number of a line is kept apart. True where it is not read.
    pub(super) fn enter_verse_span(&mut self, node: usize) -> bool {
        if !self.is_in_verse() {
            return false;
        }
        if self.verse.spans == Some(self.tree.parent(node)) {
            self.writer.line_break();
        }
        let is_number = || {
            let text = self.tree.text_below(node, self.source);
            !text.trim().is_empty() && text.trim().chars().all(|c| c.is_ascii_digit())
        };
        if !self.has_class(node, NUMBERS) || !is_number() {
            return false;
        }
        match self.book {
            Some(_) => {
                let number = self.tree.text_below(node, self.source);
                self.writer.put_words(&format!("<!-- line {} -->", number.trim()));
                true
            }
            None => {
                self.writer.put_space();
                false
            }
        }
    }

    fn has_class(&self, node: usize, names: &[&str]) -> bool {
        self.tree.attribute(node, "class").is_some_and(|classes| has_word(classes, names))
    }

    /// True for a table that sets a play.
    pub(super) fn is_play(&self, table: usize) -> bool {
        std::iter::once(table).chain(self.tree.ancestors(table).take(NEAR)).any(|node| {
            self.tree.attribute(node, "epub:type").is_some_and(|kind| has_word(kind, &["z3998:drama"]))
        })
    }

    /// A row of a play as a speech: who speaks, and what is said.
    pub(super) fn speech(&mut self, cells: impl Iterator<Item = usize>) {
        self.writer.end_block(BlockBreak::Paragraph);
        for cell in cells {
            let kind = self.tree.attribute(cell, "epub:type").unwrap_or_default();
            let is_speaker = has_word(kind, &["z3998:persona"]);
            if is_speaker {
                self.writer.open_mark(Some(InlineMark::Strong('*')));
            }
            self.walk(cell, false);
            if is_speaker {
                self.writer.close_mark();
                self.writer.put_space();
            }
        }
        self.writer.end_block(BlockBreak::Paragraph);
    }
}

fn may_hold_lines(tag: Tag) -> bool {
    matches!(tag, Tag::Div | Tag::P | Tag::Section | Tag::Blockquote | Tag::Article | Tag::Td)
}

fn has_word(words: &str, names: &[&str]) -> bool {
    words.split_ascii_whitespace().any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

#[cfg(test)]
mod tests {
    use super::super::chapter::tests::check;

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
}
