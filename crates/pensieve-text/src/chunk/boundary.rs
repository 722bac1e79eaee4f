//! Places where a text may be cut: how good each is, and which are no places at all.
//!
//! Everything here looks at the text a few dozen bytes around a place and at nothing else. That is what makes chunks
//! local: a boundary is worth the same wherever in a document it stands.

use crate::model::{Span, SpanMap};
use unicode_segmentation::UnicodeSegmentation;

/// What a cut interrupts, from the worst to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Inside a grapheme cluster that fits in no chunk.
    Scalar,
    /// Inside a word.
    Grapheme,
    /// Between words of something that wants to stay whole, or behind punctuation inside a word.
    HeldWord,
    /// Behind a comma or bracket of something that wants to stay whole.
    HeldClause,
    /// Between lines or rows of something that wants to stay whole.
    Held,
    /// At a blank line of something that wants to stay whole.
    HeldBlank,
    /// Between words.
    Word,
    /// Behind a comma, semicolon or colon.
    Clause,
    /// At a line end that is meant, without the end of a sentence.
    Line,
    /// Between sentences.
    Sentence,
    /// Between sentences, at a line end that is meant.
    SentenceLine,
    /// Before a nested list item.
    DeepItem,
    /// Before a list item.
    Item,
    /// Between paragraphs, rows, blocks.
    Block,
    /// Before a heading of level 6, or what looks like a heading in plain text.
    Section6,
    /// Before a heading of level 5.
    Section5,
    /// Before a heading of level 4.
    Section4,
    /// Before a heading of level 3.
    Section3,
    /// Before a heading of level 2.
    Section2,
    /// Before a heading of level 1.
    Section1,
}

impl Rank {
    /// The worth of the rank in thousandths of a chunk: a cut may leave chunks that much worse filled for it.
    ///
    /// Sentences stand so far above clauses that a sentence is only cut where a chunk below a fifth would be left;
    /// `Held` stands so far below everything that a table or fence which fits is kept whole whatever is left.
    pub(super) fn worth(self) -> i32 {
        match self {
            Rank::Scalar => -20_000,
            Rank::Grapheme => -2_500,
            Rank::HeldWord => -1_400,
            Rank::HeldClause => -1_200,
            Rank::Held => -700,
            Rank::HeldBlank => -500,
            Rank::Word => -450,
            Rank::Clause => -250,
            Rank::Line => 150,
            Rank::Sentence => 300,
            Rank::SentenceLine | Rank::DeepItem => 350,
            Rank::Item => 450,
            Rank::Block => 600,
            Rank::Section6 => 750,
            Rank::Section5 => 800,
            Rank::Section4 => 850,
            Rank::Section3 => 900,
            Rank::Section2 => 950,
            Rank::Section1 => 1_000,
        }
    }

    /// The rank of a heading of a level from 1 to 6.
    pub(super) fn section(level: usize) -> Rank {
        match level {
            0 | 1 => Rank::Section1,
            2 => Rank::Section2,
            3 => Rank::Section3,
            4 => Rank::Section4,
            5 => Rank::Section5,
            _ => Rank::Section6,
        }
    }
}

/// A place before which a chunk may end and at which one may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Boundary {
    /// The first byte of what follows.
    pub at: usize,
    /// Tokens before it, as the index says.
    pub tokens: usize,
    /// What a cut here interrupts.
    pub rank: Rank,
    /// True when nothing from before belongs in front of what follows: no overlap reaches across.
    pub is_fresh: bool,
    /// Hash of the text around: decides between equals.
    pub hash: u32,
}

/// Bytes before a boundary that its hash looks at.
const BEFORE: usize = 32;
/// Bytes behind a boundary that its hash looks at.
const BEHIND: usize = 48;

/// A hash of the bytes around `at`.
pub(super) fn hash_around(bytes: &[u8], at: usize) -> u32 {
    let around = &bytes[at.saturating_sub(BEFORE)..(at + BEHIND).min(bytes.len())];
    let mut hash = 0u64;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    };
    let (words, rest) = around.as_chunks::<8>();
    for word in words {
        mix(u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    mix(at.min(BEFORE) as u64);
    (hash >> 32) as u32
}

/// Knows where a text must not be cut.
#[derive(Clone, Copy)]
pub(super) struct Edges<'a> {
    text: &'a str,
    map: &'a SpanMap,
    is_plain: bool,
}

impl<'a> Edges<'a> {
    /// The edges of a text with its map.
    pub(super) fn new(text: &'a str, map: &'a SpanMap) -> Edges<'a> {
        let is_plain = map.runs().iter().all(|run| run.out_unit <= 1);
        Edges { text, map, is_plain }
    }

    /// The text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// True when no source character's expansion is cut at `at`.
    pub(super) fn splits_no_unit(&self, at: usize) -> bool {
        self.is_plain || self.map.is_boundary(at)
    }

    /// True when a cut beside white space or ASCII punctuation, at `at`, cuts neither a grapheme nor a unit.
    pub(super) fn allows(&self, at: usize) -> bool {
        self.text.is_char_boundary(at) && !joins(self.text, at) && self.splits_no_unit(at)
    }

    /// The span without white space at its ends; `None` when nothing is left. With `keep_indent` the indentation of
    /// a first line is kept, if the span holds the line's start.
    pub(super) fn trimmed(&self, span: Span, keep_indent: Indent) -> Option<Span> {
        let inside = &self.text[span.range()];
        let body = inside.trim_start();
        if body.is_empty() {
            return None;
        }
        let mut start = span.end - body.len();
        let mut end = span.start + inside.trim_end().len();
        let line = self.text[span.start..start].rfind('\n').map(|by| span.start + by + 1);
        let at_line_start = span.start == 0 || self.text.as_bytes()[span.start - 1] == b'\n';
        if let Some(line) = line.or(at_line_start.then_some(span.start)) {
            start = if keep_indent.keeps(&self.text[line..start]) { line } else { start };
        }
        while start > span.start && !self.allows(start) {
            start = char_before(self.text, start);
        }
        while end < span.end && !self.allows(end) {
            end = char_behind(self.text, end);
        }
        Some(Span::new(start, end))
    }
}

/// What happens to white space before the first word of a chunk that starts with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Indent {
    /// It is content.
    Keep,
    /// It is content if it is more than one space: in running text a single one is no more than a stray.
    KeepWide,
}

impl Indent {
    fn keeps(self, indent: &str) -> bool {
        self == Indent::Keep || indent.len() > 1 || indent == "\t"
    }
}

/// True when the characters on both sides of `at` are one grapheme by the rules that look at pairs only; exact where
/// one of them is white space or ASCII.
fn joins(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if at == 0 || at >= bytes.len() {
        return false;
    }
    if bytes[at - 1].is_ascii() && bytes[at].is_ascii() {
        return bytes[at - 1] == b'\r' && bytes[at] == b'\n';
    }
    let (from, to) = (char_before(text, at), char_behind(text, at));
    if bytes[at - 1].is_ascii() && text[at..to].chars().all(never_extends) {
        return false;
    }
    text[from..to].graphemes(true).count() == 1
}

/// The start of the character that ends at or holds the byte before `at`.
fn char_before(text: &str, at: usize) -> usize {
    (0..at).rev().find(|&start| text.is_char_boundary(start)).unwrap_or(0)
}

/// The end of the character that starts at `at` or holds it.
fn char_behind(text: &str, at: usize) -> usize {
    (at + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len())
}

/// True for characters of common scripts that never attach to the one before.
fn never_extends(c: char) -> bool {
    matches!(c, '\u{b0}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{590}' | '\u{2010}'..='\u{2027}')
        || matches!(c, '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3098}' | '\u{30a0}'..='\u{31ff}')
        || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MapBuilder;

    #[test]
    fn better_ranks_are_worth_more_within_running_text() {
        let ranks =
            [Rank::Word, Rank::Clause, Rank::Line, Rank::Sentence, Rank::Item, Rank::Block, Rank::section(6)];
        assert!(ranks.windows(2).all(|pair| pair[0] < pair[1] && pair[0].worth() < pair[1].worth()));
    }

    #[test]
    fn trimming_keeps_indentation_and_graphemes() {
        let map = SpanMap::default();
        let check = |text: &str, indent, expected: Option<&str>| {
            let edges = Edges::new(text, &map);
            let span = edges.trimmed(Span::new(0, text.len()), indent);
            assert_eq!(span.map(|s| &text[s.range()]), expected, "{text:?}");
        };
        check("\n\n    let a;\n\n", Indent::Keep, Some("    let a;"));
        check(" a ", Indent::KeepWide, Some("a"));
        check("\n  a", Indent::KeepWide, Some("  a"));
        check(" \n\t ", Indent::Keep, None);
        check("\n \u{301}a \u{301}", Indent::KeepWide, Some(" \u{301}a \u{301}"));
    }

    #[test]
    fn a_unit_is_not_cut_by_trimming() {
        let mut map = MapBuilder::new(0);
        map.copy(1);
        map.unit(3, 2);
        let map = map.finish();
        let edges = Edges::new("a \u{308}", &map);
        assert!(edges.allows(1) && !edges.allows(2));
        assert_eq!(edges.trimmed(Span::new(1, 4), Indent::KeepWide), Some(Span::new(1, 4)));
    }

    #[test]
    fn a_hash_sees_its_surroundings_and_no_more() {
        let one = [b"x".repeat(100), b"abc def".to_vec(), b"y".repeat(100)].concat();
        let two = [b"x".repeat(90), b"abc def".to_vec(), b"y".repeat(200)].concat();
        assert_eq!(hash_around(&one, 104), hash_around(&two, 94));
        assert_ne!(hash_around(&one, 104), hash_around(&one, 105));
    }
}
