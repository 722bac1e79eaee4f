//! Inline emphasis and code, as far as Markdown can express them.
//!
//! Whether emphasis directly beside other words is read as emphasis depends on the rules of CommonMark 0.31, section
//! 6.2. So the characters at both ends decide whether stars, underscores, or only the words are written. Elements of
//! one kind that touch are one: `<b>a</b><b>b</b>` is `**ab**`.

use super::page::{NEAR_NODES, ParsedPage};
use crate::markdown::flanking::{EmphasisSides, Side};
use crate::markdown::{CodeTicks, InlineMark, StreamWriter};
use crate::web::html::parse::tag::HtmlTag;
use std::ops::Range;

/// How many nodes at the ends of an element are examined; if they have no words, letters are assumed.
const END_NODES: usize = 200;

/// How many adjacent elements are examined together.
const MAX_TOUCHING: usize = 4;

/// The signs of emphasis, best first.
const SIGNS: [char; 2] = ['*', '_'];

/// The characters at both ends of an element, and white space inside them.
struct ElementEnds {
    first: Side,
    last: Side,
    begins_blank: bool,
    ends_blank: bool,
}

/// Begins the mark that an element puts around its words.
pub(super) fn enter_mark(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, mark: InlineMark) {
    // Its mark is open already.
    if continues(page, node) {
        return;
    }
    let finder = SignFinder { page, outer_sign: writer.outer_sign() };
    let before = Side::of(writer.last_char());
    // Two runs of one sign would be read as one.
    let touching = SIGNS.into_iter().find(|&sign| writer.ends_with_sign(sign));
    let sign = |signs: &[char], touching| finder.find(node, signs, before, touching, 0);
    let mark = match mark {
        InlineMark::Strong(_) => sign(&SIGNS, touching).map(InlineMark::Strong),
        InlineMark::Emphasis(_) => sign(&SIGNS, touching).map(InlineMark::Emphasis),
        // Only one sign strikes out.
        InlineMark::Strike => sign(&['~'], None).map(|_| InlineMark::Strike),
        InlineMark::Code(_) => Some(InlineMark::Code(code_ticks(page, node))),
        InlineMark::Link(address) => Some(InlineMark::Link(address)),
    };
    writer.open_mark(mark);
}

/// Ends the mark, unless the next element continues it.
pub(super) fn leave_mark(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize) {
    if next_of_kind(page, node).is_none() {
        writer.close_mark();
    }
}

/// The backticks around code.
pub(super) fn code_ticks(page: ParsedPage<'_>, node: usize) -> CodeTicks {
    let words = (node..whole_end(page, node)).filter_map(|at| page.words(at));
    CodeTicks::around(&words.collect::<String>())
}

/// The element of the same kind that begins where this one ends.
fn next_of_kind(page: ParsedPage<'_>, node: usize) -> Option<usize> {
    let tree = page.tree();
    let next = tree.end(node);
    let kind = |node: usize| page.tag(node).and_then(kind);
    let is_typed =
        |node: usize| ["epub:type", "role"].iter().any(|name| page.attribute(node, name).is_some());
    let is_near = next < tree.len() && tree.parent(next) == tree.parent(node);
    let is_same = is_near && kind(node).is_some() && kind(node) == kind(next);
    (is_same && !is_typed(next) && !page.is_dropped(next)).then_some(next)
}

/// True if this element continues the one before.
fn continues(page: ParsedPage<'_>, node: usize) -> bool {
    let tree = page.tree();
    let parent = tree.parent(node);
    let above = |&at: &usize| Some(tree.parent(at));
    let before = std::iter::successors(node.checked_sub(1), above).take_while(|&at| at > parent).last();
    before.is_some_and(|before| !page.is_dropped(before) && next_of_kind(page, before) == Some(node))
}

/// The end of the last of the elements that are joined with this one.
fn whole_end(page: ParsedPage<'_>, node: usize) -> usize {
    let last = std::iter::successors(Some(node), |&node| next_of_kind(page, node)).last();
    page.end(last.unwrap_or(node))
}

/// Finds the sign with which Markdown can express the emphasis of an element.
struct SignFinder<'a> {
    page: ParsedPage<'a>,
    /// The sign of the emphasis around.
    outer_sign: Option<char>,
}

impl SignFinder<'_> {
    /// The sign among `signs` for an element after `before`, and after the emphasis of the sign `touching`.
    fn find(
        &self,
        node: usize,
        signs: &[char],
        before: Side,
        touching: Option<char>,
        depth: usize,
    ) -> Option<char> {
        let nodes = node..whole_end(self.page, node);
        let ends = self.ends(nodes.clone())?;
        // Blanks inside are written outside of the mark, where they count.
        let before = if ends.begins_blank { Side::Blank } else { before };
        let touching = touching.filter(|_| !ends.begins_blank);
        // Another sign for a full stop would be noise.
        if touching.is_some() && self.is_punctuation(nodes.clone()) {
            return None;
        }
        signs.iter().copied().filter(|&sign| Some(sign) != touching).find(|&sign| {
            let after =
                if ends.ends_blank { Side::Blank } else { self.side_after(nodes.clone(), sign, depth) };
            let sides = EmphasisSides { before, first: ends.first, last: ends.last, after };
            // An underscore in its words would end it.
            let is_apart = sign != '_' || self.has_no_underscore(nodes.clone());
            sides.allow(sign) && is_apart && !(sides.is_unclear() && self.outer_sign == Some(sign))
        })
    }

    /// True for a full stop or the like, on which emphasis has no meaning.
    fn is_punctuation(&self, mut nodes: Range<usize>) -> bool {
        let is_mark = |c: char| c.is_whitespace() || ".,;:!?)]”’»…".contains(c);
        let is_said = |at| self.page.words(at).is_none_or(|words| words.chars().all(is_mark));
        nodes.len() <= END_NODES && nodes.all(is_said)
    }

    fn has_no_underscore(&self, mut nodes: Range<usize>) -> bool {
        nodes.len() <= END_NODES
            && !nodes.any(|at| self.page.words(at).is_some_and(|words| words.contains('_')))
    }

    /// The ends of what is written for an element; `None` if nothing is written.
    fn ends(&self, nodes: Range<usize>) -> Option<ElementEnds> {
        let (node, end) = (nodes.start, nodes.end);
        let mut begins_blank = false;
        let mut first = None;
        let mut begins_with_note = false;
        let mut at = node + 1;
        while at < end && first.is_none() && at - node < END_NODES {
            match self.is_unwritten(at) {
                true => {
                    begins_with_note |= self.is_note_sign(at);
                    at = self.page.end(at);
                }
                false => {
                    first = self.side(at, node, false, &mut begins_blank);
                    at += 1;
                }
            }
        }
        if first.is_none() && at >= end {
            return None;
        }
        let mut ends_blank = false;
        let last =
            (node + 1..end).rev().take(END_NODES).find_map(|at| match self.is_inside_unwritten(at, node) {
                true => self.is_note_sign(at).then_some(Side::Sign),
                false => self.side(at, node, true, &mut ends_blank),
            });
        let first = if begins_with_note { Some(Side::Sign) } else { first };
        // The side that allows least.
        let [first, last] = [first, last].map(|side| side.unwrap_or(Side::Letter));
        Some(ElementEnds { first, last, begins_blank, ends_blank })
    }

    /// True for a reference to a note that is written as a sign: `[^1]`.
    fn is_note_sign(&self, at: usize) -> bool {
        let references = self.page.book().map(|book| &book.page.references);
        references.is_some_and(|references| matches!(references.get(&at), Some(Some(_))))
    }

    /// True for an element without words in its line: one that is never text, a drawing, whose words are a block of their
    /// own, or a reference to a note.
    fn is_unwritten(&self, at: usize) -> bool {
        let Some(tag) = self.page.tag(at) else { return false };
        self.page.is_dropped(at) || tag.is_never_text() || self.page.is_reference(at)
    }

    fn is_inside_unwritten(&self, at: usize, node: usize) -> bool {
        let mut around = self.page.tree().ancestors(at).take_while(|&above| above != node);
        self.is_unwritten(at) || around.any(|above| self.is_unwritten(above))
    }

    /// The first (or last) character that a node writes, as emphasis around `outer` sees it.
    fn side(&self, at: usize, outer: usize, from_end: bool, is_blank: &mut bool) -> Option<Side> {
        let text = match (self.page.words(at), self.page.tag(at)) {
            (Some(words), _) => words,
            (None, Some(HtmlTag::Img)) => self.page.attribute(at, "alt").unwrap_or_default().trim(),
            (None, Some(HtmlTag::Br)) => " ",
            (None, tag) => {
                let is_formula = tag == Some(HtmlTag::Math) && self.page.book().is_some();
                return is_formula.then_some(Side::Letter);
            }
        };
        let c = match from_end {
            false => first_shown(text.chars(), is_blank),
            true => first_shown(text.chars().rev(), is_blank),
        }?;
        let is_marked = |above: usize| {
            use HtmlTag::{A, Code, Kbd, Q, Samp, Tt};
            matches!(self.page.tag(above), Some(Code | Tt | Kbd | Samp | Q | A))
        };
        let is_in_mark = self.page.tree().ancestors(at).take_while(|&above| above > outer).any(is_marked);
        Some(if is_in_mark { Side::Sign } else { Side::of(Some(c)) })
    }

    /// What is written directly after an element whose emphasis ends with `sign`.
    fn side_after(&self, nodes: Range<usize>, sign: char, depth: usize) -> Side {
        let page = self.page;
        let is_block = |&above: &usize| {
            use HtmlTag::{Dd, Dt, Li, Td, Th};
            page.tag(above).is_some_and(|tag| tag.is_block() || matches!(tag, Td | Th | Li | Dt | Dd))
        };
        let block = page.tree().ancestors(nodes.start).find(is_block);
        let block_end = block.map_or(page.tree().len(), |block| page.end(block));
        let mut at = nodes.end;
        while at < block_end.min(nodes.end + NEAR_NODES) {
            if self.is_note_sign(at) {
                return Side::Sign;
            }
            if self.is_unwritten(at) {
                at = page.end(at);
                continue;
            }
            match page.tag(at) {
                Some(tag) if tag.is_block() => return Side::Blank,
                Some(tag) if kind(tag) == Some("code") => return Side::Sign,
                Some(tag) if kind(tag).is_some() => {
                    // Each asks the next, so a row of many would cost its square.
                    let is_written = depth < MAX_TOUCHING
                        && self.find(at, &SIGNS, Side::Sign, Some(sign), depth + 1).is_some();
                    if is_written {
                        let is_blank = self.ends(at..page.end(at)).is_some_and(|ends| ends.begins_blank);
                        return if is_blank { Side::Blank } else { Side::Sign };
                    }
                }
                _ => {}
            }
            let mut is_blank = false;
            let side = self.side(at, nodes.end.saturating_sub(1), false, &mut is_blank);
            if is_blank {
                return Side::Blank;
            }
            if let Some(side) = side {
                return side;
            }
            at += 1;
        }
        if at >= block_end { Side::Blank } else { Side::Letter }
    }
}

/// The kind of an element; adjacent elements of one kind are joined.
fn kind(tag: HtmlTag) -> Option<&'static str> {
    match tag {
        HtmlTag::B | HtmlTag::Strong => Some("strong"),
        HtmlTag::I | HtmlTag::Em => Some("emphasis"),
        HtmlTag::S | HtmlTag::Strike | HtmlTag::Del => Some("strike"),
        HtmlTag::Code | HtmlTag::Tt | HtmlTag::Kbd | HtmlTag::Samp => Some("code"),
        _ => None,
    }
}

/// The first visible character; sets `is_blank` if white space precedes it.
fn first_shown(chars: impl Iterator<Item = char>, is_blank: &mut bool) -> Option<char> {
    for c in chars {
        match c {
            // Not seen, and not written.
            '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {}
            c if c.is_whitespace() => *is_blank = true,
            c => return Some(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::HtmlOptions;
    use crate::web::html::annotations::{BookContext, PageAnnotations};
    use crate::web::html::chapter::read_annotated;
    use crate::web::html::chapter::tests::{check, decoded};
    use crate::web::html::parse::dialect::PageDialect;
    use crate::web::html::parse::parse_as;
    use std::collections::HashMap;

    #[test]
    fn elements_of_one_kind_are_joined() {
        check("<p><b>a</b><strong>b</strong> <b>c</b><b role='x'>d</b>", "**ab** **c**__d__");
        check(
            "<p><s>e</s><del>f</del> <tt>a</tt><samp>b</samp> <b>a</b>c<b>d</b>",
            "~~ef~~ `ab` **a**c**d**",
        );
        check("<p><b>a</b><script>(</script>b <b>a<script>)</script></b>b", "**a**b **a**b");
    }

    #[test]
    fn what_touches_decides_the_signs() {
        check("<p><i>a_b</i>: x<i>c</i>y <b>/</b><i>a_b</i>", "*a_b*: x*c*y __/__*a_b*");
        check("<p><b>a.</b><kbd>b</kbd> <b>a.</b><div>b</div>", "**a.**`b` **a.**\n\nb");
        check("<p><b>a.</b><i> b</i> <b>a.</b><i>b</i>", "**a.** *b* **a.**_b_");
        check("<p><b>a.</b><span>b</span><p><b>a.</b><p>b", "a.b\n\n**a.**\n\nb");
        check("<dl><dt>x<dd><b>a.</b><dd>b</dl>", "- **x**\n  - **a.**\n  - b");
        check("<p>x <b>a<svg><text>(b)</text></svg></b>c", "x **a**\n\n**(b)**\n\nc");
    }

    #[test]
    fn nodes_without_words_are_passed_up_to_a_limit() {
        for (near, expected) in [(END_NODES - 2, "a(b c"), (END_NODES - 1, "a**(b** c")] {
            check(&format!("<p>a<b>{}(b</b> c", "<wbr>".repeat(near)), expected);
        }
        for (near, expected) in [(NEAR_NODES - 1, "**a.**(b"), (NEAR_NODES, "a.(b")] {
            check(&format!("<p><b>a.</b>{}(b", "<wbr>".repeat(near)), expected);
        }
    }

    /// With the link of the page as a reference to the note of this number.
    fn check_reference(page: &str, number: Option<usize>, expected: &str) {
        let link = parse_as(page, PageDialect::of_chapter(page)).find(0, HtmlTag::A).unwrap();
        let references = HashMap::from([(link, number)]);
        let annotations = PageAnnotations { references, ..PageAnnotations::default() };
        let no = |_: &str| false;
        let book = BookContext { page: &annotations, has_entry_into: &no, is_target: &no };
        let options = HtmlOptions { markdown: true, main_content: false };
        let text = read_annotated(decoded(page), &options, &[], Some(&book)).text.text;
        assert_eq!(text.trim_end(), expected, "of {page}");
    }

    #[test]
    fn references_to_notes_are_signs() {
        check_reference("<p>x <b>word<a>1</a></b>y", Some(1), "x word[^1]y");
        check_reference("<p>x <b>word<a>1</a></b>y", None, "x **word**y");
        check_reference("<p>x <b>word<a>1</a></b> y", Some(1), "x **word[^1]** y");
        check_reference("<p>x<b><a>1</a>word</b>", Some(1), "x[^1]word");
        check_reference("<p>x<b><a>1</a>word</b>", None, "x**word**");
        check_reference("<p>x <b>word.</b><a>1</a>y", Some(1), "x **word.**[^1]y");
        check_reference("<p>x <b>word.</b><a>1</a>y", None, "x word.y");
        check_reference("<p>x <b><a>1</a></b> y", Some(1), "x [^1] y");
    }

    #[test]
    fn marks_are_written_where_they_are_read_as_marks() {
        for (page, expected) in [
            ("<p><b>a</b><p><b>b</b>", "**a**\n\n**b**"),
            ("<p><b>a</b><i>b</i>", "**a**_b_"),
            ("<p><b>a</b> <b>b</b>", "**a** **b**"),
            ("<p><b>a</b><b role=x>b</b>", "**a**__b__"),
            ("<p><b>a</b><b hidden>b</b><b>c</b>", "**a**__c__"),
            ("<p><b>a<i>b</i></b><b>c</b>", "**a*b*c**"),
            ("<p><b>a</b><span><b>b</b></span>", "**a**__b__"),
            ("<p>x<b>a</b>.", "x**a**."),
            ("<p>x<b>.</b>y", "x.y"),
            ("<p>x <b>a</b><i>.</i>b", "x **a**.b"),
            ("<p>x <b>a</b><i> .</i>", "x **a** *.*"),
            ("<p><b>(a)</b><i>(b)</i>", "**(a)**_(b)_"),
            ("<p><i>a_b</i><b>c_d</b>", "*a_b*c_d"),
            ("<p><b>a</b><i>c_d</i>e", "**a**c_de"),
            ("<p><i>x<b>(a)</b>(b)</i>", "*x(a)(b)*"),
            ("<p><i>x <b>(a)</b> y</i>", "*x **(a)** y*"),
            ("<p>a<b> (b) </b>c", "a **(b)** c"),
            ("<p>a<b><br>(b)</b> c", "a\n**(b)** c"),
            ("<p>a <b>(b)<br></b>c", "a **(b)**\nc"),
            ("<p>a <b><img alt='(b)'></b>c", "a c"),
            ("<p>a<b><q>b</q></b>c", "a“b”c"),
            ("<p>a <b><code>b</code></b>c", "a `b`c"),
            ("<p>a <b><a href=/x>b</a></b> c", "a **[b](/x)** c"),
            ("<p>a <b>b.</b><wbr>c", "a b.c"),
            ("<p>a <b>b.</b><code>c</code>", "a **b.**`c`"),
            ("<p>a <b>b.</b><br>c", "a **b.**\nc"),
            ("<p>a <b>b.</b><script>x</script>c", "a b.c"),
            ("<p>a <b>b.</b><span hidden>(</span>c", "a b.c"),
            ("<p>a <b>b.</b><i>c.</i>d", "a b.c.d"),
            ("<p>a <b>b.</b><i> c.</i> d", "a **b.** *c.* d"),
            ("<table><tr><td><b>b.</b><td>c<tr><td>d<td>e</table>", "| **b.** | c |\n| - | - |\n| d | e |"),
            ("<p>a<s>b.</s>c <del>d</del>", "ab.c ~~d~~"),
            ("<p>a<b>\u{ad}b</b>c <b>\u{200b}(</b>d", "a**\u{ad}b**c \u{200b}(d"),
            ("<p><i>a</i><i>b</i><i>c</i> d", "*abc* d"),
            ("<p><code>a`</code><code>b</code>", "``a`b``"),
            ("<p><b></b><b>a</b>", "**a**"),
            ("<p>x<b><svg><text>(a)</text></svg>b</b>c", "x**b**c"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn blocks_and_formulas_follow_emphasis() {
        crate::web::html::tests::check("<div><b>a.</b><p>b</p></div>", "**a.**\n\nb");
        let page = "<p>a <b>b.</b><math alttext='x'></math> c</p>";
        crate::web::html::tests::check(page, "a **b.**$x$ c");
        crate::web::html::chapter::tests::check_book(page, "a b.$x$ c");
    }
}
