//! Places where a text may be cut, how good each one is, and where a text must not be cut.
//!
//! Everything here looks only at a few dozen bytes of text around a place. That makes chunks local: a boundary has the
//! same score at any position in a document.

use crate::model::{Span, SpanMap};
use unicode_segmentation::UnicodeSegmentation;

/// What a cut interrupts, from the worst place to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BoundaryRank {
    /// Inside a grapheme cluster that fits in no chunk.
    Scalar,
    /// Inside a word.
    Grapheme,
    /// Between words of a protected span, or after punctuation inside a word.
    ProtectedWord,
    /// After a comma or bracket of a protected span.
    ProtectedClause,
    /// Between lines or rows of a protected span.
    Protected,
    /// At a blank line of a protected span.
    ProtectedBlank,
    /// Between words.
    Word,
    /// After a comma, semicolon or colon.
    Clause,
    /// At a line that ends on purpose, but not at the end of a sentence.
    Line,
    /// Between sentences.
    Sentence,
    /// Between sentences, at a line that ends on purpose.
    SentenceLine,
    /// Before a nested list item.
    DeepItem,
    /// Before a list item.
    Item,
    /// Between paragraphs, rows, blocks.
    Block,
    /// Before a heading of level 6, or a line of plain text that looks like a heading.
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

impl BoundaryRank {
    /// The score of the rank in thousandths of a chunk: a cut here is worth chunks that are this much emptier.
    ///
    /// Sentences score so far above clauses that a sentence is only cut if the chunk would otherwise be less than a
    /// fifth full; `Protected` scores so far below everything else that a table or fence that fits is never cut.
    pub(super) fn score(self) -> i32 {
        match self {
            BoundaryRank::Scalar => -20_000,
            BoundaryRank::Grapheme => -2_500,
            BoundaryRank::ProtectedWord => -1_400,
            BoundaryRank::ProtectedClause => -1_200,
            BoundaryRank::Protected => -700,
            BoundaryRank::ProtectedBlank => -500,
            BoundaryRank::Word => -450,
            BoundaryRank::Clause => -250,
            BoundaryRank::Line => 150,
            BoundaryRank::Sentence => 300,
            BoundaryRank::SentenceLine | BoundaryRank::DeepItem => 350,
            BoundaryRank::Item => 450,
            BoundaryRank::Block => 600,
            BoundaryRank::Section6 => 750,
            BoundaryRank::Section5 => 800,
            BoundaryRank::Section4 => 850,
            BoundaryRank::Section3 => 900,
            BoundaryRank::Section2 => 950,
            BoundaryRank::Section1 => 1_000,
        }
    }

    /// The rank of a heading of a level from 1 to 6.
    pub(super) fn section(level: usize) -> BoundaryRank {
        match level {
            0 | 1 => BoundaryRank::Section1,
            2 => BoundaryRank::Section2,
            3 => BoundaryRank::Section3,
            4 => BoundaryRank::Section4,
            5 => BoundaryRank::Section5,
            _ => BoundaryRank::Section6,
        }
    }
}

/// A place at which one chunk may end and the next may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Boundary {
    /// The first byte after the cut.
    pub at: usize,
    /// Tokens before it, according to the index.
    pub tokens: usize,
    pub rank: BoundaryRank,
    /// True if no overlap may reach back across this place.
    pub is_fresh: bool,
    /// Hash of the text around it, which decides between equals.
    pub hash: u32,
}

/// Bytes before a boundary that enter its hash.
const HASHED_BYTES_BEFORE: usize = 32;
/// Bytes after a boundary that enter its hash.
const HASHED_BYTES_AFTER: usize = 48;

/// A hash of the bytes around `at`.
pub(super) fn hash_around(bytes: &[u8], at: usize) -> u32 {
    let around = &bytes[at.saturating_sub(HASHED_BYTES_BEFORE)..(at + HASHED_BYTES_AFTER).min(bytes.len())];
    let mut hash = 0u64;
    let mut mix = |word: u64| {
        // Fibonacci hashing: 2^64 divided by the golden ratio.
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
    // Near the beginning of a text there are fewer bytes before the place.
    mix(at.min(HASHED_BYTES_BEFORE) as u64);
    (hash >> 32) as u32
}

/// Where a text must not be cut: inside graphemes, and inside the expansion of one source character.
#[derive(Clone, Copy)]
pub(super) struct CutConstraints<'a> {
    text: &'a str,
    map: &'a SpanMap,
    is_plain: bool,
}

impl<'a> CutConstraints<'a> {
    pub(super) fn new(text: &'a str, map: &'a SpanMap) -> CutConstraints<'a> {
        // Units of one byte cannot be split.
        let is_plain = map.runs().iter().all(|run| run.out_unit <= 1);
        CutConstraints { text, map, is_plain }
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// True if a cut at `at` splits no expansion of a source character.
    pub(super) fn splits_no_unit(&self, at: usize) -> bool {
        self.is_plain || self.map.is_boundary(at)
    }

    /// True if a cut at `at`, beside white space or ASCII punctuation, splits neither a grapheme nor an expansion.
    pub(super) fn allows(&self, at: usize) -> bool {
        self.text.is_char_boundary(at) && !joins(self.text, at) && self.splits_no_unit(at)
    }

    /// The span without white space at its ends; `None` if nothing remains. `keep_indent` decides about the
    /// indentation of the first line, if the span contains the start of that line.
    pub(super) fn trimmed(&self, span: Span, keep_indent: IndentPolicy) -> Option<Span> {
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
            end = char_after(self.text, end);
        }
        Some(Span::new(start, end))
    }
}

/// Whether a chunk that starts at a line start keeps the white space before its first word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndentPolicy {
    /// Always.
    Keep,
    /// If it is more than one space: a single space in running text is a stray.
    KeepWide,
}

impl IndentPolicy {
    fn keeps(self, indent: &str) -> bool {
        self == IndentPolicy::Keep || indent.len() > 1 || indent == "\t"
    }
}

/// True if the characters on both sides of `at` are one grapheme by the rules about pairs; exact if one of them is
/// white space or ASCII.
fn joins(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    if at == 0 || at >= bytes.len() {
        return false;
    }
    if bytes[at - 1].is_ascii() && bytes[at].is_ascii() {
        // CR LF is the only grapheme of two ASCII characters (UAX 29, GB3).
        return bytes[at - 1] == b'\r' && bytes[at] == b'\n';
    }
    let (from, to) = (char_before(text, at), char_after(text, at));
    if bytes[at - 1].is_ascii() && text[at..to].chars().all(never_extends) {
        return false;
    }
    text[from..to].graphemes(true).count() == 1
}

/// The start of the character that contains the byte before `at`.
fn char_before(text: &str, at: usize) -> usize {
    (0..at).rev().find(|&start| text.is_char_boundary(start)).unwrap_or(0)
}

/// The end of the character that starts at or contains `at`.
fn char_after(text: &str, at: usize) -> usize {
    (at + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len())
}

/// True for characters of common scripts that never combine with the character before.
fn never_extends(c: char) -> bool {
    // Spares the search for graphemes in most texts; combining marks and joiners are left out of the ranges.
    matches!(c, '\u{b0}'..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{590}' | '\u{2010}'..='\u{2027}')
        || matches!(c, '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3098}' | '\u{30a0}'..='\u{31ff}')
        || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MapBuilder;

    #[test]
    fn better_ranks_score_more_within_running_text() {
        let ranks = [
            BoundaryRank::Word,
            BoundaryRank::Clause,
            BoundaryRank::Line,
            BoundaryRank::Sentence,
            BoundaryRank::Item,
            BoundaryRank::Block,
            BoundaryRank::section(6),
        ];
        assert!(ranks.windows(2).all(|pair| pair[0] < pair[1] && pair[0].score() < pair[1].score()));
    }

    #[test]
    fn trimming_keeps_indentation_and_graphemes() {
        let map = SpanMap::default();
        let check = |text: &str, indent, expected: Option<&str>| {
            let constraints = CutConstraints::new(text, &map);
            let span = constraints.trimmed(Span::new(0, text.len()), indent);
            assert_eq!(span.map(|s| &text[s.range()]), expected, "{text:?}");
        };
        check("\n\n    let a;\n\n", IndentPolicy::Keep, Some("    let a;"));
        check(" a ", IndentPolicy::KeepWide, Some("a"));
        check("\n  a", IndentPolicy::KeepWide, Some("  a"));
        check(" \n\t ", IndentPolicy::Keep, None);
        check("\n \u{301}a \u{301}", IndentPolicy::KeepWide, Some(" \u{301}a \u{301}"));
    }

    #[test]
    fn trimming_does_not_split_an_expansion() {
        let mut map = MapBuilder::new(0);
        map.copy(1);
        map.unit(3, 2);
        let map = map.finish();
        let constraints = CutConstraints::new("a \u{308}", &map);
        assert!(constraints.allows(1) && !constraints.allows(2));
        assert_eq!(constraints.trimmed(Span::new(1, 4), IndentPolicy::KeepWide), Some(Span::new(1, 4)));
    }

    #[test]
    fn a_hash_sees_its_surroundings_and_no_more() {
        let one = [b"x".repeat(100), b"abc def".to_vec(), b"y".repeat(100)].concat();
        let two = [b"x".repeat(90), b"abc def".to_vec(), b"y".repeat(200)].concat();
        assert_eq!(hash_around(&one, 104), hash_around(&two, 94));
        assert_ne!(hash_around(&one, 104), hash_around(&one, 105));
    }

    #[test]
    fn deeper_headings_rank_lower() {
        let ranks: Vec<i32> = (1..=6).map(|level| BoundaryRank::section(level).score()).collect();
        assert!(ranks.is_sorted_by(|higher, lower| higher > lower), "{ranks:?}");
        assert_eq!(BoundaryRank::section(0), BoundaryRank::section(1));
        assert_eq!(BoundaryRank::section(9), BoundaryRank::section(6));
    }
}
