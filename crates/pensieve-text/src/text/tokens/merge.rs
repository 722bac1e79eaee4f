//! Byte-pair merging: counts the tokens of a piece that is not itself a token.
//!
//! The rule is that of the reference: repeatedly join the adjacent pair whose joined bytes have the lowest rank, the
//! leftmost one if ranks are equal. For short pieces, a scan for the minimum is fastest. Longer pieces use a heap,
//! window by window, so that time is linear in the piece and memory does not grow with it (a file may be one piece
//! of 20 MiB).
//!
//! Why windows are exact. Let a sequence of tokens be *stable* when merging each two neighbours alone gives just
//! these two. The result of merging is stable, every part of it is the result for that part alone (merges in a
//! part do not depend on the rest, because no merge ever crossed its borders), and a stable sequence is the
//! result for its bytes: the first merge across a border would have been made in that pair alone as well. So two
//! results for overlapping windows that share one token at the same place may be spliced there: the first up to and
//! with that token, the second after it; every pair of the splice is a pair of one of the two.

use super::vocabulary::{NO_RANK, Vocabulary};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Up to this many bytes, the scan for the minimum is faster than the heap.
const SCANNED: usize = 64;
/// Bytes of the first window tried for a long piece.
const WINDOW: usize = 4096;

/// Counts tokens of pieces, with reusable buffers.
#[derive(Default)]
pub(super) struct Merger {
    parts: Vec<Part>,
    heap: Vec<Reverse<u64>>,
    links: Vec<Link>,
}

#[derive(Clone, Copy)]
struct Part {
    start: u32,
    /// Rank of this part joined with the next.
    rank: u32,
}

#[derive(Clone, Copy)]
struct Link {
    previous: u32,
    next: u32,
    rank: u32,
}

impl Merger {
    /// The number of tokens of a piece that is not empty. The piece as a whole is not looked up.
    pub(super) fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        if piece.len() <= SCANNED {
            return self.count_scanning(vocabulary, piece);
        }
        let mut window = WINDOW;
        loop {
            if let Some(count) = self.count_windows(vocabulary, piece, window) {
                return count;
            }
            window = window.saturating_mul(8);
        }
    }

    fn count_scanning(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        let length = piece.len();
        let parts = &mut self.parts;
        parts.clear();
        for start in 0..length {
            let rank = if start + 2 <= length { vocabulary.rank(&piece[start..start + 2]) } else { NO_RANK };
            parts.push(Part { start: start as u32, rank });
        }
        loop {
            let mut best = Part { start: 0, rank: NO_RANK };
            for (i, part) in parts.iter().enumerate() {
                if part.rank < best.rank {
                    best = Part { start: i as u32, rank: part.rank };
                }
            }
            if best.rank == NO_RANK {
                return parts.len();
            }
            let i = best.start as usize;
            parts.remove(i + 1);
            parts[i].rank = joined_rank(vocabulary, piece, parts, i);
            if i > 0 {
                parts[i - 1].rank = joined_rank(vocabulary, piece, parts, i - 1);
            }
        }
    }

    /// Counts window by window; `None` if two neighbouring windows share no token where they overlap.
    fn count_windows(&mut self, vocabulary: &Vocabulary, piece: &[u8], window: usize) -> Option<usize> {
        let mut count = 0;
        let mut until = window.min(piece.len());
        let mut ends = self.ends(vocabulary, piece, 0, until);
        while until < piece.len() {
            // The next window begins with a token of this one, a quarter of a window before its end.
            let again = ends.partition_point(|&end| end + window / 4 <= until).max(1) - 1;
            let start = ends[again];
            until = (start + window).min(piece.len());
            let next = self.ends(vocabulary, piece, start, until);
            let (kept, dropped) = shared_token(&ends[again..], &next)?;
            count += again + kept;
            ends = next;
            ends.drain(..dropped);
        }
        Some(count + ends.len())
    }

    /// The ends of the tokens of `piece[start..until]`, merged alone.
    fn ends(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: usize, until: usize) -> Vec<usize> {
        let bytes = &piece[start..until];
        self.link(vocabulary, bytes);
        let mut heap = BinaryHeap::from(std::mem::take(&mut self.heap));
        let links = &mut self.links;
        while let Some(Reverse(candidate)) = heap.pop() {
            let (rank, at) = ((candidate >> 32) as u32, candidate as u32 as usize);
            if links[at].rank != rank {
                continue;
            }
            let eaten = links[at].next as usize;
            let after = links[eaten].next as usize;
            links[eaten].rank = NO_RANK;
            links[at].next = after as u32;
            if after < bytes.len() {
                links[after].previous = at as u32;
            }
            let after_end = if after < bytes.len() { links[after].next as usize } else { usize::MAX };
            offer(vocabulary, bytes, &mut heap, &mut links[at], at, after_end);
            if at > 0 {
                let previous = links[at].previous as usize;
                offer(vocabulary, bytes, &mut heap, &mut links[previous], previous, after);
            }
        }
        self.heap = heap.into_vec();
        let mut ends = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            at = self.links[at].next as usize;
            ends.push(start + at);
        }
        ends
    }

    /// Fills `links` with one part per byte, and `heap` with the pairs that can be joined.
    fn link(&mut self, vocabulary: &Vocabulary, bytes: &[u8]) {
        self.links.clear();
        self.heap.clear();
        for at in 0..bytes.len() {
            let rank = if at + 2 <= bytes.len() { vocabulary.rank(&bytes[at..at + 2]) } else { NO_RANK };
            self.links.push(Link { previous: at.wrapping_sub(1) as u32, next: at as u32 + 1, rank });
            if rank != NO_RANK {
                self.heap.push(Reverse(u64::from(rank) << 32 | at as u64));
            }
        }
    }
}

/// Adds the pair that begins at `at` and ends at `end` to the candidates, if its bytes are a token.
fn offer(
    vocabulary: &Vocabulary,
    bytes: &[u8],
    heap: &mut BinaryHeap<Reverse<u64>>,
    link: &mut Link,
    at: usize,
    end: usize,
) {
    link.rank = bytes.get(at..end).map_or(NO_RANK, |joined| vocabulary.rank(joined));
    if link.rank != NO_RANK {
        heap.push(Reverse(u64::from(link.rank) << 32 | at as u64));
    }
}

/// The rank of part `i` joined with the part after it.
#[inline(always)]
fn joined_rank(vocabulary: &Vocabulary, piece: &[u8], parts: &[Part], i: usize) -> u32 {
    if i + 1 >= parts.len() {
        return NO_RANK;
    }
    let end = parts.get(i + 2).map_or(piece.len(), |part| part.start as usize);
    vocabulary.rank(&piece[parts[i].start as usize..end])
}

/// The first token that two results have at the same place, as the number of ends up to and with it in each.
/// `earlier` begins with the end at which `later` starts.
fn shared_token(earlier: &[usize], later: &[usize]) -> Option<(usize, usize)> {
    let (mut i, mut j) = (1, 0);
    let mut same_start = true;
    while i < earlier.len() && j < later.len() {
        match earlier[i].cmp(&later[j]) {
            std::cmp::Ordering::Equal if same_start => return Some((i + 1, j + 1)),
            std::cmp::Ordering::Equal => {
                same_start = true;
                (i, j) = (i + 1, j + 1);
            }
            std::cmp::Ordering::Less => {
                same_start = false;
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                same_start = false;
                j += 1;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Dice, nasty_text};
    use super::super::vocabulary::{CL100K, R50K};
    use super::*;

    #[test]
    fn scan_heap_and_windows_agree() {
        let mut dice = Dice(5);
        let mut merger = Merger::default();
        let mut check = |piece: &[u8]| {
            for vocabulary in [&*CL100K, &*R50K] {
                let whole = merger.ends(vocabulary, piece, 0, piece.len()).len();
                assert_eq!(merger.count_scanning(vocabulary, piece), whole, "{piece:?}");
                assert_eq!(merger.count_windows(vocabulary, piece, 600).unwrap_or(whole), whole, "{piece:?}");
                assert_eq!(merger.count(vocabulary, piece), whole, "{piece:?}");
            }
        };
        for round in 0..150 {
            check(nasty_text(&mut dice, 1 + round * 2).as_bytes());
        }
        check("ab".repeat(1500).as_bytes());
        check(" ".repeat(3001).as_bytes());
        check(b"x");
    }

    #[test]
    fn windows_are_spliced_at_a_shared_token_only() {
        let check =
            |earlier: &[usize], later: &[usize], expected| assert_eq!(shared_token(earlier, later), expected);
        check(&[10, 12, 15], &[12, 15], Some((2, 1)));
        check(&[10, 13, 15, 18], &[12, 15, 18], Some((4, 3)));
        check(&[10, 13, 15], &[12, 15, 17], None);
        check(&[10, 13, 16], &[12, 14, 17], None);
    }
}
