//! Chooses the place of a cut, so that chunks are local.
//!
//! Packing a text from its top, as splitters commonly do, moves every boundary when a sentence is inserted at the top.
//! Here a span that is too long is cut at its *best* place, and the two parts likewise, until all of them fit. The best
//! place of a long span does not depend on where the span starts, so an edit changes the chunks that contain it and
//! hardly ever another one. This needs two things: the choice looks at ranks and at hashes of the words around a place,
//! never at counts from the start; and the distance to an end matters only if one part could not be cut into
//! well-filled chunks.

use super::boundary::Boundary;

/// A chunk filled to this many thousandths is as good as a full one. A lower value makes chunks smaller; a higher value
/// makes the choice depend on lengths more than on words, and locality is lost.
const FULL_ENOUGH_PERMILLE: usize = 720;
/// A chunk filled to less than this is a crumb; each thousandth that it lacks costs [`CRUMB_COST`].
const CRUMB_PERMILLE: usize = 200;
/// The cost of a missing thousandth below [`CRUMB_PERMILLE`]; above it the cost is 1.
const CRUMB_COST: usize = 8;
/// A part of at least this many thousandths of a chunk can always be cut into well-filled chunks.
const DIVISIBLE_PERMILLE: usize = 1_300;
/// A span of more chunks than this is cut by rank and hash alone.
const LONG_SPAN_CHUNKS: usize = 4;

/// The boundaries of one span of text at one granularity, with an index that finds the best one of a range quickly.
pub(super) struct BoundarySet {
    boundaries: Vec<Boundary>,
    /// A tournament tree over the boundaries: `heap[1]` is the winner, the upper half contains the leaves.
    heap: Vec<u32>,
}

/// A boundary with its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoredBoundary {
    pub boundary: Boundary,
    /// The score of its rank minus what its two parts lack, in thousandths of a chunk.
    pub score: i32,
}

/// A span that is too long for a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct UncutSpan {
    /// Its first byte and the byte after its last.
    pub bytes: (usize, usize),
    /// Tokens before both ends.
    pub tokens: (usize, usize),
    /// Tokens of a full chunk.
    pub full: usize,
}

impl UncutSpan {
    /// Its length in tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.1.saturating_sub(self.tokens.0)
    }

    /// True if its length and ends do not matter for the choice.
    fn is_long(&self) -> bool {
        self.len() > LONG_SPAN_CHUNKS * self.full
    }
}

impl BoundarySet {
    /// A set of ordered boundaries.
    pub(super) fn new(boundaries: Vec<Boundary>) -> BoundarySet {
        BoundarySet { boundaries, heap: Vec::new() }
    }

    /// The boundaries strictly inside a span of bytes.
    pub(super) fn inside(&self, bytes: (usize, usize)) -> &[Boundary] {
        let (first, last) = self.range(bytes);
        &self.boundaries[first..last]
    }

    /// The best place to cut a span; `None` if it has no boundary inside.
    ///
    /// Cost: a logarithmic look-up for a long span, a pass over the boundaries of a short one.
    pub(super) fn best(&mut self, span: &UncutSpan) -> Option<ScoredBoundary> {
        let (first, last) = self.range(span.bytes);
        if span.is_long() {
            let margin = DIVISIBLE_PERMILLE * span.full / 1000;
            let inside = &self.boundaries[first..last];
            let from = first + inside.partition_point(|m| m.tokens < span.tokens.0 + margin);
            let to = first + inside.partition_point(|m| m.tokens + margin <= span.tokens.1);
            if from < to {
                let winner = self.winner(from, to);
                let boundary = self.boundaries[winner];
                return Some(ScoredBoundary { boundary, score: boundary.rank.score() });
            }
        }
        let scored = self.boundaries[first..last].iter().map(|boundary| (score(boundary, span), boundary));
        let (score, boundary) = scored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        // Back to thousandths, without the hash.
        Some(ScoredBoundary { boundary: *boundary, score: score / 128 })
    }

    fn range(&self, bytes: (usize, usize)) -> (usize, usize) {
        let first = self.boundaries.partition_point(|boundary| boundary.at <= bytes.0);
        let last = self.boundaries.partition_point(|boundary| boundary.at < bytes.1);
        (first, last.max(first))
    }

    /// The first of the best boundaries of `from..to`, by rank, then by hash.
    fn winner(&mut self, from: usize, to: usize) -> usize {
        if self.heap.is_empty() {
            self.heap = tournament(&self.boundaries);
        }
        let leaves = self.heap.len() / 2;
        let (mut low, mut high) = (from + leaves, to + leaves);
        let mut best = from;
        while low < high {
            if low % 2 == 1 {
                best = better(&self.boundaries, best, self.heap[low] as usize);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                best = better(&self.boundaries, best, self.heap[high] as usize);
            }
            (low, high) = (low / 2, high / 2);
        }
        best
    }
}

fn tournament(boundaries: &[Boundary]) -> Vec<u32> {
    let leaves = boundaries.len().max(1);
    let mut heap = vec![0; 2 * leaves];
    for leaf in 0..boundaries.len() {
        heap[leaves + leaf] = leaf as u32;
    }
    for node in (1..leaves).rev() {
        heap[node] = better(boundaries, heap[2 * node] as usize, heap[2 * node + 1] as usize) as u32;
    }
    heap
}

/// The better of two boundaries; of equals the earlier one.
fn better(boundaries: &[Boundary], one: usize, two: usize) -> usize {
    // Of equals the earlier one, so that the winner does not depend on the shape of the tree.
    let key = |i: usize| (boundaries[i].rank, boundaries[i].hash, std::cmp::Reverse(i));
    if key(two) > key(one) { two } else { one }
}

/// The score of a boundary times 128, plus bits of its hash to distinguish equal scores.
fn score(boundary: &Boundary, span: &UncutSpan) -> i32 {
    let before = boundary.tokens.saturating_sub(span.tokens.0);
    let after = span.tokens.1.saturating_sub(boundary.tokens);
    let lack = lack(before, span.full) + lack(after, span.full);
    // Fourteen bits in steps of 1/128: up to 128 thousandths, so that the words around a place count more
    // than small differences of length.
    (boundary.rank.score() - lack as i32) * 128 + (boundary.hash >> 18) as i32
}

/// What the chunks of a part of `tokens` tokens lack in total, in thousandths of a chunk.
fn lack(tokens: usize, full: usize) -> usize {
    // Comparisons first: this runs for every boundary of a span, and most answers need no division.
    let chunks = 1 + usize::from(tokens > full);
    // Two chunks or more can always be filled well.
    if tokens > 2 * full || tokens * 1000 >= FULL_ENOUGH_PERMILLE * chunks * full {
        return 0;
    }
    let fill = tokens * 1000 / (chunks * full);
    chunks
        // The first of the eight is in the first term.
        * (FULL_ENOUGH_PERMILLE.saturating_sub(fill) + (CRUMB_COST - 1) * CRUMB_PERMILLE.saturating_sub(fill))
}

#[cfg(test)]
mod tests {
    use super::super::boundary::BoundaryRank;
    use super::*;

    fn mark(at: usize, rank: BoundaryRank, hash: u32) -> Boundary {
        Boundary { at, tokens: at, rank, is_fresh: false, hash }
    }

    fn best(boundaries: &[Boundary], length: usize) -> Option<usize> {
        let span = UncutSpan { bytes: (0, length), tokens: (0, length), full: 100 };
        BoundarySet::new(boundaries.to_vec()).best(&span).map(|choice| choice.boundary.at)
    }

    #[test]
    fn rank_decides_first_then_the_hash() {
        let boundaries = [
            mark(70, BoundaryRank::Sentence, 9),
            mark(80, BoundaryRank::Block, 1),
            mark(90, BoundaryRank::Block, 1 << 31),
        ];
        assert_eq!(best(&boundaries, 160), Some(90));
        assert_eq!(best(&boundaries[..2], 160), Some(80));
        assert_eq!(best(&boundaries[..0], 160), None);
    }

    #[test]
    fn a_crumb_costs_more_than_a_paragraph_border_scores() {
        let boundaries = [mark(5, BoundaryRank::Block, 9), mark(70, BoundaryRank::Sentence, 1)];
        assert_eq!(best(&boundaries, 140), Some(70));
    }

    #[test]
    fn the_cut_of_a_long_span_does_not_depend_on_its_start() {
        let boundaries: Vec<Boundary> = (1..2000)
            .map(|i| mark(i * 7, BoundaryRank::Sentence, (i as u32).wrapping_mul(2_654_435_769)))
            .collect();
        let mut places = BoundarySet::new(boundaries);
        let mut cut = |from: usize| {
            let span = UncutSpan { bytes: (from, 14_000), tokens: (from, 14_000), full: 100 };
            places.best(&span).map(|choice| choice.boundary.at)
        };
        assert!((0..2_000).all(|from| cut(from) == cut(0)) || cut(0) < Some(2_200));
    }

    #[test]
    fn the_winner_of_each_range_is_the_first_of_the_best() {
        let boundaries: Vec<Boundary> =
            (0..37).map(|i| mark(i, BoundaryRank::Line, (i as u32 * 7) % 11)).collect();
        let mut places = BoundarySet::new(boundaries.clone());
        for from in 0..37 {
            for to in from + 1..=37 {
                let top = boundaries[from..to].iter().map(|m| m.hash).max().unwrap();
                let first = from + boundaries[from..to].iter().position(|m| m.hash == top).unwrap();
                assert_eq!(places.winner(from, to), first);
            }
        }
    }

    #[test]
    fn a_part_lacks_what_its_chunks_have_below_the_least_good_filling() {
        let rows = [
            (0, 2_120),
            (10, 1_320),
            (19, 600),
            (20, 520),
            (71, 10),
            (72, 0),
            (100, 0),
            (101, 430),
            (143, 10),
            (144, 0),
            (200, 0),
            (201, 0),
            (1_000, 0),
        ];
        for (tokens, expected) in rows {
            assert_eq!(lack(tokens, 100), expected, "{tokens}");
        }
    }

    #[test]
    fn only_boundaries_strictly_inside_a_span_count() {
        let boundaries = [10, 20, 30].map(|at| mark(at, BoundaryRank::Line, 0)).to_vec();
        let places = BoundarySet::new(boundaries);
        let rows: [((usize, usize), &[usize]); 5] = [
            ((10, 30), &[20]),
            ((9, 31), &[10, 20, 30]),
            ((9, 30), &[10, 20]),
            ((10, 31), &[20, 30]),
            ((20, 21), &[]),
        ];
        for (bytes, expected) in rows {
            let inside: Vec<usize> = places.inside(bytes).iter().map(|boundary| boundary.at).collect();
            assert_eq!(inside, expected, "{bytes:?}");
        }
    }

    #[test]
    fn both_parts_of_a_span_of_more_than_four_chunks_can_be_cut_into_well_filled_ones() {
        let block = BoundaryRank::Block;
        let sentence = BoundaryRank::Sentence;
        let rows = [
            (400, 129, 135, 129),
            (401, 129, 135, 135),
            (401, 130, 135, 130),
            (401, 271, 265, 271),
            (401, 272, 265, 265),
        ];
        for (length, of_block, of_sentence, expected) in rows {
            for start in [0, 1_000] {
                let mut boundaries =
                    vec![mark(start + of_block, block, 0), mark(start + of_sentence, sentence, 0)];
                boundaries.sort_by_key(|boundary| boundary.at);
                let ends = (start, start + length);
                let span = UncutSpan { bytes: ends, tokens: ends, full: 100 };
                assert_eq!(span.len(), length);
                let choice = BoundarySet::new(boundaries).best(&span).unwrap();
                assert_eq!(choice.boundary.at, start + expected, "{length}, {of_block}, from {start}");
            }
        }
    }

    #[test]
    fn a_score_is_that_of_the_rank_without_what_both_parts_lack() {
        let score_of = |at, length| {
            let span = UncutSpan { bytes: (0, length), tokens: (0, length), full: 100 };
            let mut places = BoundarySet::new(vec![mark(at, BoundaryRank::Sentence, 0)]);
            places.best(&span).unwrap().score
        };
        let whole = BoundaryRank::Sentence.score();
        let rows =
            [(80, 160, 0), (71, 151, 10), (72, 143, 10), (70, 140, 40), (200, 401, 0), (10, 600, 1_320)];
        for (at, length, lack) in rows {
            assert_eq!(score_of(at, length), whole - lack, "{at} of {length}");
        }
    }
}
