//! What a strategy sees in a text: places to cut, parts to keep whole, headings.

use super::boundary::{Boundary, Edges, Rank, hash_around};
use crate::model::Span;
use crate::text::tokens::TokenIndex;

/// A stretch that is kept whole where it fits: a table's rows, a fenced block, code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Held {
    /// Where it stands.
    pub span: Span,
    /// What belongs in front of a chunk that starts inside: the header of a table.
    pub context: Option<String>,
}

/// The places, parts and headings of one segment, each ordered by position.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// Where the structure allows a cut.
    pub marks: Vec<Boundary>,
    /// What wants to stay whole.
    pub held: Vec<Held>,
    /// From each place on, the headings above.
    pub paths: Vec<(usize, Option<String>)>,
}

impl Outline {
    /// The stretch to keep whole that holds `at`.
    pub(super) fn held_at(&self, at: usize) -> Option<&Held> {
        let after = self.held.partition_point(|held| held.span.start <= at);
        self.held[..after].last().filter(|held| at < held.span.end)
    }

    /// The headings above `at`.
    pub(super) fn path_at(&self, at: usize) -> Option<&str> {
        let after = self.paths.partition_point(|(from, _)| *from <= at);
        self.paths[..after].last()?.1.as_deref()
    }
}

/// Collects boundaries from left to right.
pub(super) struct Marker<'a> {
    edges: Edges<'a>,
    index: &'a TokenIndex,
    marks: Vec<Boundary>,
    one_of: u32,
    /// Pieces of the index before the last mark: the next one is looked for from there.
    passed: usize,
}

impl<'a> Marker<'a> {
    /// A marker without marks.
    pub(super) fn new(edges: Edges<'a>, index: &'a TokenIndex) -> Marker<'a> {
        Marker::one_of(1, edges, index)
    }

    /// A marker that keeps one of so many marks, by their hashes.
    pub(super) fn one_of(one_of: u32, edges: Edges<'a>, index: &'a TokenIndex) -> Marker<'a> {
        Marker { edges, index, marks: Vec::new(), one_of, passed: 0 }
    }

    /// The text.
    pub(super) fn text(&self) -> &'a str {
        self.edges.text()
    }

    /// Marks a place beside white space or ASCII punctuation, unless a cut there would split a grapheme or a unit.
    pub(super) fn mark(&mut self, at: usize, rank: Rank, is_fresh: bool) {
        if self.edges.allows(at) {
            self.push(at, rank, is_fresh);
        }
    }

    /// Marks a place that is known to be no inside of a grapheme.
    pub(super) fn mark_grapheme(&mut self, at: usize, rank: Rank) {
        if self.edges.splits_no_unit(at) {
            self.push(at, rank, false);
        }
    }

    /// Marks a place whatever it splits.
    pub(super) fn push(&mut self, at: usize, rank: Rank, is_fresh: bool) {
        let hash = hash_around(self.text().as_bytes(), at);
        if !hash.is_multiple_of(self.one_of) {
            return;
        }
        let tokens = self.index.tokens_before_from(at, &mut self.passed);
        self.marks.push(Boundary { at, tokens, rank, is_fresh, hash });
    }

    /// The marks, ordered.
    pub(super) fn finish(self) -> Vec<Boundary> {
        debug_assert!(
            self.marks.windows(2).all(|pair| pair[0].at < pair[1].at),
            "marks come from left to right"
        );
        self.marks
    }
}
