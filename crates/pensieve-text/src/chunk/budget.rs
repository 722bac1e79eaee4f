//! Which of many places is cut: the choice that makes chunks local.
//!
//! Packing a text from its top, as splitters commonly do, moves every boundary when a sentence is put in at the top.
//! Here a stretch that is too long is cut at its *best* place, and the two parts likewise, until all fit. The best
//! place of a long stretch does not depend on where the stretch starts, so an edit changes the chunks that hold it and
//! hardly ever another. Two things must hold for that: the choice looks at ranks and at hashes of the words around,
//! never at counts from the start; and nearness to an end matters only where a part would be left that cannot be cut
//! into well filled chunks.

use super::boundary::Boundary;

/// Parts filled to this many thousandths are as good as full ones. Lower, and chunks shrink; higher, and the choice
/// depends on lengths more than on words: locality is lost.
const FILLED: usize = 720;
/// Below this fill a chunk is a crumb, and each thousandth costs [`CRUMB`] more.
const LEAST: usize = 200;
/// What a thousandth of fill below [`LEAST`] costs, against 1 above.
const CRUMB: usize = 8;
/// A part of so many chunks (in thousandths) can be cut into filled ones wherever it ends.
const DIVISIBLE: usize = 1_300;
/// A stretch of more chunks than this is cut by rank and hash alone.
const LONG: usize = 4;

/// The places of one stretch of text at one grain, with what it takes to find the best of a range fast.
pub(super) struct Places {
    marks: Vec<Boundary>,
    /// A tournament over the marks: `heap[1]` is the winner, the leaves stand in the upper half.
    heap: Vec<u32>,
}

/// A place with its score.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// The place.
    pub mark: Boundary,
    /// Its worth less what the parts lack, in thousandths of a chunk.
    pub score: i32,
}

/// A stretch to cut: bytes and tokens of both ends, and what a chunk holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// First and last byte, and tokens before them.
    pub bytes: (usize, usize),
    /// Tokens before both ends.
    pub tokens: (usize, usize),
    /// Tokens of a full chunk.
    pub full: usize,
}

impl Stretch {
    /// Its length in tokens.
    pub(super) fn len(&self) -> usize {
        self.tokens.1.saturating_sub(self.tokens.0)
    }

    /// True when length and ends no longer matter for the choice.
    fn is_long(&self) -> bool {
        self.len() > LONG * self.full
    }
}

impl Places {
    /// Places from ordered marks.
    pub(super) fn new(marks: Vec<Boundary>) -> Places {
        Places { marks, heap: Vec::new() }
    }

    /// The marks strictly inside a stretch of bytes.
    pub(super) fn inside(&self, bytes: (usize, usize)) -> &[Boundary] {
        let (first, last) = self.range(bytes);
        &self.marks[first..last]
    }

    /// The best place to cut a stretch; `None` when it has no place inside.
    ///
    /// Cost: a logarithmic look-up for a long stretch, one look at each mark of a short one.
    pub(super) fn best(&mut self, stretch: &Stretch) -> Option<Choice> {
        let (first, last) = self.range(stretch.bytes);
        if stretch.is_long() {
            let margin = DIVISIBLE * stretch.full / 1000;
            let inside = &self.marks[first..last];
            let from = first + inside.partition_point(|m| m.tokens < stretch.tokens.0 + margin);
            let to = first + inside.partition_point(|m| m.tokens + margin <= stretch.tokens.1);
            if from < to {
                let winner = self.winner(from, to);
                let mark = self.marks[winner];
                return Some(Choice { mark, score: mark.rank.worth() });
            }
        }
        let scored = self.marks[first..last].iter().map(|mark| (score(mark, stretch), mark));
        let (score, mark) = scored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        Some(Choice { mark: *mark, score: score / 128 })
    }

    fn range(&self, bytes: (usize, usize)) -> (usize, usize) {
        let first = self.marks.partition_point(|mark| mark.at <= bytes.0);
        let last = self.marks.partition_point(|mark| mark.at < bytes.1);
        (first, last.max(first))
    }

    /// The first of the best marks of `from..to`, by rank, then by hash.
    fn winner(&mut self, from: usize, to: usize) -> usize {
        if self.heap.is_empty() {
            self.heap = tournament(&self.marks);
        }
        let leaves = self.heap.len() / 2;
        let (mut low, mut high) = (from + leaves, to + leaves);
        let mut best = from;
        while low < high {
            if low % 2 == 1 {
                best = better(&self.marks, best, self.heap[low] as usize);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                best = better(&self.marks, best, self.heap[high] as usize);
            }
            (low, high) = (low / 2, high / 2);
        }
        best
    }
}

fn tournament(marks: &[Boundary]) -> Vec<u32> {
    let leaves = marks.len().max(1);
    let mut heap = vec![0; 2 * leaves];
    for leaf in 0..marks.len() {
        heap[leaves + leaf] = leaf as u32;
    }
    for node in (1..leaves).rev() {
        heap[node] = better(marks, heap[2 * node] as usize, heap[2 * node + 1] as usize) as u32;
    }
    heap
}

/// The better of two marks; of equals the earlier one.
fn better(marks: &[Boundary], one: usize, two: usize) -> usize {
    let key = |i: usize| (marks[i].rank, marks[i].hash, std::cmp::Reverse(i));
    if key(two) > key(one) { two } else { one }
}

/// The score of a mark, times 128, with a hash below to tell equals apart.
fn score(mark: &Boundary, stretch: &Stretch) -> i32 {
    let before = mark.tokens.saturating_sub(stretch.tokens.0);
    let behind = stretch.tokens.1.saturating_sub(mark.tokens);
    let lack = lack(before, stretch.full) + lack(behind, stretch.full);
    (mark.rank.worth() - lack as i32) * 128 + (mark.hash >> 18) as i32
}

/// What the chunks that a part of so many tokens must be cut into lack, together, in thousandths of a chunk.
fn lack(tokens: usize, full: usize) -> usize {
    // Comparisons first: this is asked for every mark of a stretch, and most answers need no division.
    let chunks = 1 + usize::from(tokens > full);
    if tokens > 2 * full || tokens * 1000 >= FILLED * chunks * full {
        return 0;
    }
    let fill = tokens * 1000 / (chunks * full);
    chunks * (FILLED.saturating_sub(fill) + (CRUMB - 1) * LEAST.saturating_sub(fill))
}

#[cfg(test)]
mod tests {
    use super::super::boundary::Rank;
    use super::*;

    fn mark(at: usize, rank: Rank, hash: u32) -> Boundary {
        Boundary { at, tokens: at, rank, is_fresh: false, hash }
    }

    fn best(marks: &[Boundary], length: usize) -> Option<usize> {
        let stretch = Stretch { bytes: (0, length), tokens: (0, length), full: 100 };
        Places::new(marks.to_vec()).best(&stretch).map(|choice| choice.mark.at)
    }

    #[test]
    fn rank_decides_first_then_the_hash() {
        let marks = [mark(70, Rank::Sentence, 9), mark(80, Rank::Block, 1), mark(90, Rank::Block, 1 << 31)];
        assert_eq!(best(&marks, 160), Some(90));
        assert_eq!(best(&marks[..2], 160), Some(80));
        assert_eq!(best(&marks[..0], 160), None);
    }

    #[test]
    fn crumbs_cost_more_than_a_paragraph_is_worth() {
        let marks = [mark(5, Rank::Block, 9), mark(70, Rank::Sentence, 1)];
        assert_eq!(best(&marks, 140), Some(70));
    }

    #[test]
    fn a_long_stretch_is_cut_where_its_words_say_wherever_it_starts() {
        let marks: Vec<Boundary> =
            (1..2000).map(|i| mark(i * 7, Rank::Sentence, (i as u32).wrapping_mul(2_654_435_769))).collect();
        let mut places = Places::new(marks);
        let mut cut = |from: usize| {
            let stretch = Stretch { bytes: (from, 14_000), tokens: (from, 14_000), full: 100 };
            places.best(&stretch).map(|choice| choice.mark.at)
        };
        assert!((0..2_000).all(|from| cut(from) == cut(0)) || cut(0) < Some(2_200));
    }

    #[test]
    fn the_winner_of_each_range_is_the_first_of_the_best() {
        let marks: Vec<Boundary> = (0..37).map(|i| mark(i, Rank::Line, (i as u32 * 7) % 11)).collect();
        let mut places = Places::new(marks.clone());
        for from in 0..37 {
            for to in from + 1..=37 {
                let top = marks[from..to].iter().map(|m| m.hash).max().unwrap();
                let first = from + marks[from..to].iter().position(|m| m.hash == top).unwrap();
                assert_eq!(places.winner(from, to), first);
            }
        }
    }
}
