//! Texts as sets of words in a row.

use super::grams;
use super::words::WordList;

/// Words of one shingle.
pub const SHINGLE_WORDS: usize = 5;

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
    /// smaller set); 0 where one is empty.
    pub fn compare(&self, other: &Shingles) -> (f64, f64) {
        let shared = self.shared(other);
        let smaller = self.0.len().min(other.0.len());
        if smaller == 0 {
            return (0.0, 0.0);
        }
        let all = self.0.len() + other.0.len() - shared;
        (shared as f64 / all as f64, shared as f64 / smaller as f64)
    }

    /// The share of these shingles that another text has; 0 where there are none.
    pub fn share_in(&self, other: &Shingles) -> f64 {
        if self.0.is_empty() { 0.0 } else { self.shared(other) as f64 / self.0.len() as f64 }
    }

    fn shared(&self, other: &Shingles) -> usize {
        let (mut shared, mut rest) = (0, other.0.as_slice());
        for hash in &self.0 {
            let skipped = rest.iter().take_while(|candidate| *candidate < hash).count();
            rest = &rest[skipped..];
            shared += usize::from(rest.first() == Some(hash));
        }
        shared
    }

    /// The memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        8 * self.0.capacity()
    }
}
