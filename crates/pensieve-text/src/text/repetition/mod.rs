//! Repetition that equal hashes of files and chunks do not show: runs of words that two texts share, and texts that are nearly
//! equal.
//!
//! A text is a [`WordList`]. What is kept of it is a [`Sketch`]: a few keys, one of which any shared run has in both texts
//! (winnowing), and a signature whose agreement estimates the similarity of whole texts (MinHash). Texts that share a key are
//! compared by [`FirstPlaces`], which finds for each run the first text that has it; texts whose signatures agree by their
//! [`Shingles`].
//!
//! Sources: S. Schleimer, D. S. Wilkerson, A. Aiken, "Winnowing: local algorithms for document fingerprinting" (2003);
//! A. Z. Broder, "On the resemblance and containment of documents" (1997); A. Shrivastava, P. Li, "Densifying one permutation
//! hashing" (2014).

mod edge_lines;
mod first_places;
mod shingles;
mod sketch;
mod words;

pub use edge_lines::{EDGE_LINES, EdgeLines, LineKey};
pub use first_places::{FirstPlaces, FoundRuns, KeySet, KeyUse, MatchedRuns, Repeat};
pub use shingles::{SHINGLE_WORDS, Shingles};
pub use sketch::{SIGNATURE_BINS, Signature, Sketch, SketchKey};
pub use words::WordList;

/// The shortest runs that are looked for, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLength {
    /// Words of the shortest run.
    pub words: usize,
}

impl RunLength {
    /// The fewest words that a run may be asked to have: below, phrases of the language are runs.
    pub const MIN_WORDS: usize = 15;

    /// Words of the groups of which winnowing chooses some as keys. Short groups make fewer keys, but more of them are phrases that
    /// any text has: of a quarter of the sources of 84 packages, 3 % of the keys of 16 words occur in another file, and 8 % of
    /// those of 5 words.
    fn gram(self) -> usize {
        (self.words / 3).min(16)
    }

    /// Groups in a row of which one is a key: as many as the shortest run has.
    fn window(self) -> usize {
        self.words - self.gram() + 1
    }
}

/// Mixes the bits of a number, so that each of them depends on all.
fn mix(value: u64) -> u64 {
    // Folded multiplication, as in wyhash; the constant is one of its own.
    let wide = u128::from(value ^ 0x2d35_8dcc_aa6c_78a5) * u128::from(0x8bb8_4b93_962e_acc9_u64);
    (wide as u64) ^ (wide >> 64) as u64
}

/// Hashes of all groups of so many words in a row.
fn grams(words: &[u64], count: usize) -> impl Iterator<Item = u64> + '_ {
    // A polynomial over the words, from one group to the next: the first word leaves, one comes.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let leading = BASE.wrapping_pow(count as u32 - 1);
    let is_enough = words.len() >= count;
    let first = words.iter().take(if is_enough { count - 1 } else { 0 });
    let mut sum = first.fold(0_u64, |sum, word| sum.wrapping_mul(BASE).wrapping_add(*word));
    let last = if is_enough { &words[count - 1..] } else { &[] };
    last.iter().zip(words).map(move |(new, old)| {
        let gram = sum.wrapping_mul(BASE).wrapping_add(*new);
        sum = gram.wrapping_sub(old.wrapping_mul(leading));
        mix(gram)
    })
}

#[cfg(test)]
mod tests;
