//! Finer and finer places to cut, for stretches that sentences and lines leave too long.

use super::boundary::{Boundary, Edges, Indent, Rank};
use super::outline::{Marker, Outline};
use crate::model::Span;
use crate::text::tokens::TokenIndex;
use unicode_segmentation::UnicodeSegmentation;

/// How fine the places of a level are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grain {
    /// What a strategy's outline has.
    Structure,
    /// Behind commas, semicolons, brackets.
    Clauses,
    /// Between words, and behind punctuation inside long runs.
    Words,
    /// Between some graphemes: one of sixteen, so that a long run without spaces stays cheap.
    SomeGraphemes,
    /// Between graphemes.
    Graphemes,
    /// Between scalar values.
    Scalars,
}

impl Grain {
    /// The next finer grain.
    pub(super) fn finer(self) -> Option<Grain> {
        Some(match self {
            Grain::Structure => Grain::Clauses,
            Grain::Clauses => Grain::Words,
            Grain::Words => Grain::SomeGraphemes,
            Grain::SomeGraphemes => Grain::Graphemes,
            Grain::Graphemes => Grain::Scalars,
            Grain::Scalars => return None,
        })
    }

    /// The best rank that this grain adds.
    pub(super) fn best(self, is_held: bool) -> Rank {
        match self {
            Grain::Structure => Rank::Section1,
            Grain::Clauses if is_held => Rank::HeldClause,
            Grain::Clauses => Rank::Clause,
            Grain::Words if is_held => Rank::HeldWord,
            Grain::Words => Rank::Word,
            Grain::SomeGraphemes | Grain::Graphemes => Rank::Grapheme,
            Grain::Scalars => Rank::Scalar,
        }
    }
}

/// Where finer places are looked for.
pub(super) struct Field<'a> {
    /// The text and what must not be cut in it.
    pub edges: Edges<'a>,
    /// Its tokens.
    pub index: &'a TokenIndex,
    /// What the strategy sees in it.
    pub outline: &'a Outline,
    /// What becomes of indentation at a chunk's start.
    pub indent: Indent,
}

impl Field<'_> {
    /// The places of a grain strictly inside `span`, joined with the coarser ones that are known there.
    pub(super) fn places(&self, span: Span, grain: Grain, coarse: &[Boundary]) -> Vec<Boundary> {
        let one_of = if grain == Grain::SomeGraphemes { 16 } else { 1 };
        let mut marker = Marker::one_of(one_of, self.edges, self.index);
        match grain {
            Grain::Structure => {}
            Grain::Clauses => self.mark_words(&mut marker, span, false),
            Grain::Words => self.mark_words(&mut marker, span, true),
            Grain::SomeGraphemes | Grain::Graphemes => self.mark_graphemes(&mut marker, span),
            Grain::Scalars => {
                let inside = self.edges.text()[span.range()].char_indices().skip(1);
                inside.for_each(|(by, _)| marker.push(span.start + by, Rank::Scalar, false));
            }
        }
        merged(coarse, marker.finish())
    }

    /// Marks the starts of clauses, or of all words.
    fn mark_words(&self, marker: &mut Marker<'_>, span: Span, all: bool) {
        let text = self.edges.text();
        let mut before = None;
        let mut is_spaced = false;
        for (by, c) in text[span.range()].char_indices() {
            if c.is_whitespace() {
                is_spaced = true;
                continue;
            }
            let at = span.start + by;
            if let Some(last) = before.filter(|&last| is_spaced || is_mark(last)) {
                let is_held = self.outline.held_at(at).is_some();
                match word_rank(last, c, is_spaced, is_held) {
                    Some(rank) if all || !matches!(rank, Rank::Word | Rank::HeldWord) => {
                        marker.mark(at, rank, false)
                    }
                    _ => {}
                }
            }
            (before, is_spaced) = (Some(c), false);
        }
    }

    /// Marks grapheme boundaries. A run of ASCII has one before each byte; the rest is segmented from the last known
    /// boundary on, always forward, because looking backward from each place is quadratic in a long cluster.
    fn mark_graphemes(&self, marker: &mut Marker<'_>, span: Span) {
        let text = &self.edges.text()[..span.end];
        let bytes = text.as_bytes();
        let mut at = span.start;
        while at < span.end {
            let is_pair =
                bytes[at].is_ascii() && at + 1 < span.end && bytes[at + 1].is_ascii() && bytes[at] != b'\r';
            at = if is_pair { at + 1 } else { at + text[at..].graphemes(true).next().map_or(1, str::len) };
            if at < span.end {
                marker.mark_grapheme(at, Rank::Grapheme);
            }
        }
    }
}

/// True for what can end a clause, or a part of a long run without spaces.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() || ends_wide_clause(c) || is_picture(c)
}

/// True for emoji and what joins them: a word may follow without a space.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{200d}' | '\u{fe0f}' | '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}')
}

/// True for marks of scripts that write without spaces.
fn ends_wide_clause(c: char) -> bool {
    matches!(c, '、' | '，' | '；' | '：' | '。' | '」' | '』')
}

/// The rank of a place between two characters that are no white space.
fn word_rank(last: char, next: char, is_spaced: bool, is_held: bool) -> Option<Rank> {
    let ends_clause = matches!(last, ',' | ';' | ':' | ')' | ']' | '}' | '—' | '–' | '>');
    let is_tight =
        is_held && matches!(last, ',' | ';' | '}' | ']' | '>') && !matches!(next, ',' | ';' | '}' | ']');
    match (is_held, is_spaced) {
        (true, true) if ends_clause => Some(Rank::HeldClause),
        (true, false) if is_tight => Some(Rank::HeldClause),
        (true, true) => Some(Rank::HeldWord),
        (false, true) if ends_clause => Some(Rank::Clause),
        (false, _) if ends_wide_clause(last) => Some(Rank::Clause),
        (false, true) => Some(Rank::Word),
        (_, false) if last.is_ascii_punctuation() && !next.is_ascii_punctuation() => Some(Rank::HeldWord),
        (_, false) if is_picture(last) && next.is_ascii_alphanumeric() => Some(Rank::HeldWord),
        _ => None,
    }
}

/// Both lists in order; where both have a place, the coarser one counts.
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

/// The first place inside `span` at which a clause starts, or with `any_word` else a word.
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

    fn check(text: &str, grain: Grain, expected: &[&str]) {
        let map = SpanMap::default();
        let index = Tokenizer::named("cl100k_base").unwrap().counter().index(text);
        let outline = Outline::default();
        let edges = Edges::new(text, &map);
        let field = Field { edges, index: &index, outline: &outline, indent: Indent::Keep };
        let places = field.places(Span::new(0, text.len()), grain, &[]);
        let mut cuts: Vec<usize> = places.iter().map(|place| place.at).collect();
        cuts.insert(0, 0);
        cuts.push(text.len());
        let parts: Vec<&str> = cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect();
        assert_eq!(parts, expected);
    }

    #[test]
    fn clauses_words_graphemes_scalars() {
        check("so, it (and that) ended 1,000", Grain::Clauses, &["so, ", "it (and that) ", "ended 1,000"]);
        check("a b\u{301}c d-e", Grain::Words, &["a ", "b\u{301}c ", "d-", "e"]);
        check("ab\u{301}🇫🇷🇩🇪\r\nx", Grain::Graphemes, &["a", "b\u{301}", "🇫🇷", "🇩🇪", "\r\n", "x"]);
        check("b\u{301}", Grain::Scalars, &["b", "\u{301}"]);
        check("中文，好", Grain::Clauses, &["中文，", "好"]);
    }
}
