//! The result of a strategy: places to cut, spans to protect, headings.

use super::boundary::{Boundary, BoundaryRank, CutConstraints, hash_around};
use crate::model::Span;
use crate::text::tokens::TokenIndex;

/// A span that stays whole if it fits into a chunk: the rows of a table, a fenced block, code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProtectedSpan {
    pub span: Span,
    /// Text to repeat before a chunk that starts inside the span, such as the header of a table.
    pub context: Option<String>,
}

/// The boundaries, protected spans and headings of one segment, each ordered by position.
#[derive(Debug, Default)]
pub(super) struct SegmentOutline {
    /// The places where the structure allows a cut.
    pub boundaries: Vec<Boundary>,
    pub protected: Vec<ProtectedSpan>,
    /// The heading paths, each from its byte on.
    pub paths: Vec<(usize, Option<String>)>,
    pub overlap: OverlapStart,
}

/// Where the text that a chunk repeats may start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum OverlapStart {
    /// At any boundary.
    #[default]
    Boundary,
    /// Only at a boundary that no overlap may cross: what is repeated of code is the beginning of a definition.
    Fresh,
}

impl SegmentOutline {
    /// The protected span that contains `at`.
    pub(super) fn protected_at(&self, at: usize) -> Option<&ProtectedSpan> {
        let after = self.protected.partition_point(|protected| protected.span.start <= at);
        self.protected[..after].last().filter(|protected| at < protected.span.end)
    }

    /// The headings above a chunk; if there are none, the first ones inside of it.
    pub(super) fn path_of(&self, chunk: Span) -> Option<&str> {
        let above = self.paths.partition_point(|(from, _)| *from <= chunk.start).saturating_sub(1);
        let inside = self.paths[above..].iter().take_while(|(from, _)| *from < chunk.end);
        inside.filter_map(|(_, path)| path.as_deref()).next()
    }
}

/// Collects boundaries from left to right.
pub(super) struct BoundaryCollector<'a> {
    constraints: CutConstraints<'a>,
    index: &'a TokenIndex,
    boundaries: Vec<Boundary>,
    one_of: u32,
    /// Number of token pieces before the last boundary, from which the search for the next one starts.
    passed_pieces: usize,
}

impl<'a> BoundaryCollector<'a> {
    pub(super) fn new(constraints: CutConstraints<'a>, index: &'a TokenIndex) -> BoundaryCollector<'a> {
        BoundaryCollector::one_of(1, constraints, index)
    }

    /// Keeps one of `one_of` boundaries, by their hashes.
    pub(super) fn one_of(
        one_of: u32,
        constraints: CutConstraints<'a>,
        index: &'a TokenIndex,
    ) -> BoundaryCollector<'a> {
        BoundaryCollector { constraints, index, boundaries: Vec::new(), one_of, passed_pieces: 0 }
    }

    pub(super) fn text(&self) -> &'a str {
        self.constraints.text()
    }

    /// Adds a place beside white space or ASCII punctuation, unless a cut there would split a grapheme or an expansion.
    pub(super) fn mark(&mut self, at: usize, rank: BoundaryRank, is_fresh: bool) {
        if self.constraints.allows(at) {
            self.push(at, rank, is_fresh);
        }
    }

    /// Adds a place that is known to be outside of graphemes.
    pub(super) fn mark_grapheme(&mut self, at: usize, rank: BoundaryRank) {
        if self.constraints.splits_no_unit(at) {
            self.push(at, rank, false);
        }
    }

    /// Adds a place whatever it splits.
    pub(super) fn push(&mut self, at: usize, rank: BoundaryRank, is_fresh: bool) {
        let hash = hash_around(self.text().as_bytes(), at);
        if !hash.is_multiple_of(self.one_of) {
            return;
        }
        let tokens = self.index.tokens_before_from(at, &mut self.passed_pieces);
        self.boundaries.push(Boundary { at, tokens, rank, is_fresh, hash });
    }

    /// The boundaries, in order.
    pub(super) fn finish(self) -> Vec<Boundary> {
        debug_assert!(
            self.boundaries.windows(2).all(|pair| pair[0].at < pair[1].at),
            "boundaries come from left to right"
        );
        self.boundaries
    }
}
