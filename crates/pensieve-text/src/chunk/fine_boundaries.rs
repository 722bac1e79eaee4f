//! Finer and finer places to cut, for spans that are still too long between sentences and lines.

use super::boundary::{Boundary, BoundaryRank, CutConstraints, IndentPolicy};
use super::outline::{BoundaryCollector, SegmentOutline};
use crate::model::Span;
use crate::text::tokens::TokenIndex;
use unicode_segmentation::UnicodeSegmentation;

/// How fine the boundaries of a level are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Granularity {
    /// The boundaries of the strategy's outline.
    Structure,
    /// After commas, semicolons, brackets.
    Clauses,
    /// Between words, and after punctuation inside long runs.
    Words,
    /// Between some graphemes: one of sixteen, so that a long run without spaces stays cheap.
    SomeGraphemes,
    /// Between graphemes.
    Graphemes,
    /// Between scalar values.
    Scalars,
}

impl Granularity {
    pub(super) fn finer(self) -> Option<Granularity> {
        Some(match self {
            Granularity::Structure => Granularity::Clauses,
            Granularity::Clauses => Granularity::Words,
            Granularity::Words => Granularity::SomeGraphemes,
            Granularity::SomeGraphemes => Granularity::Graphemes,
            Granularity::Graphemes => Granularity::Scalars,
            Granularity::Scalars => return None,
        })
    }

    /// The best rank that this granularity adds.
    pub(super) fn best_rank(self, is_protected: bool) -> BoundaryRank {
        match self {
            Granularity::Structure => BoundaryRank::Section1,
            Granularity::Clauses if is_protected => BoundaryRank::ProtectedClause,
            Granularity::Clauses => BoundaryRank::Clause,
            Granularity::Words if is_protected => BoundaryRank::ProtectedWord,
            Granularity::Words => BoundaryRank::Word,
            Granularity::SomeGraphemes | Granularity::Graphemes => BoundaryRank::Grapheme,
            Granularity::Scalars => BoundaryRank::Scalar,
        }
    }
}

/// A segment with everything that the packer needs.
pub(super) struct SegmentView<'a> {
    /// Its text, and the places where it must not be cut.
    pub constraints: CutConstraints<'a>,
    /// Its tokens.
    pub index: &'a TokenIndex,
    /// The outline that the strategy found.
    pub outline: &'a SegmentOutline,
    /// Whether chunks keep the indentation at their start.
    pub indent: IndentPolicy,
}

impl SegmentView<'_> {
    /// The boundaries of a granularity strictly inside `span`, together with the coarser ones already known there.
    pub(super) fn boundaries(
        &self,
        span: Span,
        granularity: Granularity,
        coarse: &[Boundary],
    ) -> Vec<Boundary> {
        // Chosen by hash, the same places in any span.
        let one_of = if granularity == Granularity::SomeGraphemes { 16 } else { 1 };
        let mut collector = BoundaryCollector::one_of(one_of, self.constraints, self.index);
        match granularity {
            Granularity::Structure => {}
            Granularity::Clauses => self.mark_words(&mut collector, span, false),
            Granularity::Words => self.mark_words(&mut collector, span, true),
            Granularity::SomeGraphemes | Granularity::Graphemes => self.mark_graphemes(&mut collector, span),
            Granularity::Scalars => {
                let inside = self.constraints.text()[span.range()].char_indices().skip(1);
                inside.for_each(|(by, _)| collector.push(span.start + by, BoundaryRank::Scalar, false));
            }
        }
        merged(coarse, collector.finish())
    }

    /// Adds the starts of clauses, or of all words.
    fn mark_words(&self, collector: &mut BoundaryCollector<'_>, span: Span, all: bool) {
        let text = self.constraints.text();
        let mut before = None;
        let mut is_spaced = false;
        for (by, c) in text[span.range()].char_indices() {
            if c.is_whitespace() {
                is_spaced = true;
                continue;
            }
            let at = span.start + by;
            if let Some(last) = before.filter(|&last| is_spaced || is_punctuation(last)) {
                let is_protected = self.outline.protected_at(at).is_some();
                match word_rank(last, c, is_spaced, is_protected) {
                    Some(rank)
                        if all || !matches!(rank, BoundaryRank::Word | BoundaryRank::ProtectedWord) =>
                    {
                        collector.mark(at, rank, false)
                    }
                    _ => {}
                }
            }
            (before, is_spaced) = (Some(c), false);
        }
    }

    /// Adds grapheme boundaries. A run of ASCII has one before each byte; the rest is segmented forward
    /// from the last known boundary, because looking backward from each place is quadratic in a long cluster.
    fn mark_graphemes(&self, collector: &mut BoundaryCollector<'_>, span: Span) {
        let text = &self.constraints.text()[..span.end];
        let bytes = text.as_bytes();
        let mut at = span.start;
        while at < span.end {
            let is_pair =
                bytes[at].is_ascii() && at + 1 < span.end && bytes[at + 1].is_ascii() && bytes[at] != b'\r';
            at = if is_pair { at + 1 } else { at + text[at..].graphemes(true).next().map_or(1, str::len) };
            if at < span.end {
                collector.mark_grapheme(at, BoundaryRank::Grapheme);
            }
        }
    }
}

/// True for characters that can end a clause, or a part of a long run without spaces.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || ends_wide_clause(c) || is_picture(c)
}

/// True for emoji and the characters that join them: a word may follow without a space.
fn is_picture(c: char) -> bool {
    // With the joiner and the selector of emoji.
    matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// True for the punctuation of scripts that write without spaces.
fn ends_wide_clause(c: char) -> bool {
    matches!(c, '、' | '，' | '；' | '：' | '。' | '」' | '』')
}

/// The rank of the place between two characters that are not white space.
fn word_rank(last: char, next: char, is_spaced: bool, is_protected: bool) -> Option<BoundaryRank> {
    let ends_clause = matches!(last, ',' | ';' | ':' | ')' | ']' | '}' | '—' | '–' | '>');
    let is_tight =
        // JSON on one line has no spaces after commas. Closing signs stay together.
        is_protected && matches!(last, ',' | ';' | '}' | ']' | '>') && !matches!(next, ',' | ';' | '}' | ']');
    match (is_protected, is_spaced) {
        (true, true) if ends_clause => Some(BoundaryRank::ProtectedClause),
        (true, false) if is_tight => Some(BoundaryRank::ProtectedClause),
        (true, true) => Some(BoundaryRank::ProtectedWord),
        (false, true) if ends_clause => Some(BoundaryRank::Clause),
        (false, _) if ends_wide_clause(last) => Some(BoundaryRank::Clause),
        (false, true) => Some(BoundaryRank::Word),
        // Addresses and paths are cut after a sign, but not inside of `://`.
        (_, false) if last.is_ascii_punctuation() && !next.is_ascii_punctuation() => {
            Some(BoundaryRank::ProtectedWord)
        }
        (_, false) if is_picture(last) && next.is_ascii_alphanumeric() => Some(BoundaryRank::ProtectedWord),
        _ => None,
    }
}

/// Both lists in order; if both contain a place, the coarser boundary counts.
fn merged(coarse: &[Boundary], fine: Vec<Boundary>) -> Vec<Boundary> {
    if coarse.is_empty() {
        return fine;
    }
    let mut all = Vec::with_capacity(coarse.len() + fine.len());
    let mut rest = coarse.iter().copied().peekable();
    for mark in fine {
        while let Some(coarser) = rest.next_if(|coarser| coarser.at < mark.at) {
            all.push(coarser);
        }
        if rest.peek().is_none_or(|coarser| coarser.at != mark.at) {
            all.push(mark);
        }
    }
    all.extend(rest);
    all
}

/// The first start of a clause inside `span`; if there is none and `any_word` is set, that of a word.
pub(super) fn first_start(text: &str, span: Span, any_word: bool) -> Option<usize> {
    let mut word = None;
    let mut before = None;
    let mut is_spaced = false;
    for (by, c) in text[span.range()].char_indices() {
        if c.is_whitespace() {
            is_spaced = true;
            continue;
        }
        if is_spaced && matches!(before, Some(',' | ';' | ':' | '—' | '–')) {
            return Some(span.start + by);
        }
        if is_spaced && before.is_some() {
            word = word.or(Some(span.start + by));
        }
        (before, is_spaced) = (Some(c), false);
    }
    word.filter(|_| any_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SpanMap;
    use crate::text::tokens::Tokenizer;

    fn check(text: &str, granularity: Granularity, expected: &[&str]) {
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let outline = SegmentOutline::default();
        let constraints = CutConstraints::new(text, &map);
        let view = SegmentView { constraints, index: &index, outline: &outline, indent: IndentPolicy::Keep };
        let boundaries = view.boundaries(Span::new(0, text.len()), granularity, &[]);
        let mut cuts: Vec<usize> = boundaries.iter().map(|boundary| boundary.at).collect();
        cuts.insert(0, 0);
        cuts.push(text.len());
        let parts: Vec<&str> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn clauses_words_graphemes_scalars() {
        check(
            "so, it (and that) ended 1,000",
            Granularity::Clauses,
            &["so, ", "it (and that) ", "ended 1,000"],
        );
        check("a b\u{301}c d-e", Granularity::Words, &["a ", "b\u{301}c ", "d-", "e"]);
        check("ab\u{301}🇫🇷🇩🇪\r\nx", Granularity::Graphemes, &["a", "b\u{301}", "🇫🇷", "🇩🇪", "\r\n", "x"]);
        check("b\u{301}", Granularity::Scalars, &["b", "\u{301}"]);
        check("中文，好", Granularity::Clauses, &["中文，", "好"]);
    }

    #[test]
    fn signs_that_end_a_clause() {
        for c in
            [',', ';', ':', '.', '!', ')', '—', '、', '，', '。', '」', '\u{1f600}', '\u{2764}', '\u{200d}']
        {
            assert_eq!(is_punctuation(c), c != '—', "{c}");
        }
        for c in ['a', 'é', '1', ' ', '漢', 'ß'] {
            assert!(!is_punctuation(c), "{c}");
        }
    }
}
