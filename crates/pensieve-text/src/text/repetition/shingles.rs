//! Texts as sets of words in a row.

use super::grams;
use super::words::WordList;

/// Words of one shingle.
pub const SHINGLE_WORDS: usize = 5;

/// Shingles that are compared before it is asked whether to go on.
const BLOCK: usize = 64;

/// The set of shingles of a text; that of a text with fewer words is empty.
#[derive(Debug, Clone, Default)]
pub struct Shingles(Vec<u64>);

impl Shingles {
    /// The shingles of a text.
    pub fn of(words: &WordList) -> Shingles {
        let mut hashes: Vec<u64> = grams(words.hashes(), SHINGLE_WORDS).collect();
        hashes.sort_unstable();
        hashes.dedup();
        Shingles(hashes)
    }

    /// The Jaccard similarity (shared shingles of all that one of the two has) and the containment (shared ones of those of the
    /// smaller set), where the former is `least` or more.
    ///
    /// Cost: of pairs that are much less alike some hundred shingles are compared.
    pub fn compare(&self, other: &Shingles, least: f64) -> Option<(f64, f64)> {
        let (smaller, larger) = (self.0.len().min(other.0.len()), self.0.len().max(other.0.len()));
        if smaller == 0 || (smaller as f64) < least * larger as f64 {
            return None;
        }
        let shared = self.shared(other, &|shared, all| {
            // The first shingles are a sample. One with so few shared ones, six standard deviations below, occurs once in a billion.
            let (shared, all) = (shared as f64, all as f64);
            shared + 6.0 * (least * (1.0 - least) * all).sqrt() < least * all
        })?;
        let jaccard = shared as f64 / (smaller + larger - shared) as f64;
        (jaccard >= least).then_some((jaccard, shared as f64 / smaller as f64))
    }

    /// The share of these shingles that another text has; 0 where there are none.
    pub fn share_in(&self, other: &Shingles) -> f64 {
        let shared = self.shared(other, &|_, _| false).unwrap_or(0);
        if self.0.is_empty() { 0.0 } else { shared as f64 / self.0.len() as f64 }
    }

    /// The number of shared shingles; `None` once `is_hopeless` says so of the number of those so far, and of all that were seen.
    fn shared(&self, other: &Shingles, is_hopeless: &dyn Fn(usize, usize) -> bool) -> Option<usize> {
        let (left, right) = (self.0.as_slice(), other.0.as_slice());
        let (mut at, mut other_at, mut shared) = (0, 0, 0);
        while at < left.len() && other_at < right.len() {
            // Of two sorted lists the next is as likely in one as in the other: numbers are faster than branches.
            for _ in 0..BLOCK.min(left.len() - at).min(right.len() - other_at) {
                let (one, two) = (left[at], right[other_at]);
                shared += usize::from(one == two);
                at += usize::from(one <= two);
                other_at += usize::from(two <= one);
            }
            if is_hopeless(shared, at + other_at - shared) {
                return None;
            }
        }
        Some(shared)
    }

    /// The memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        8 * self.0.capacity()
    }
}
