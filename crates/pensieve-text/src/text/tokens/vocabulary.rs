//! The tokens of an encoding and their ranks.
//!
//! A vocabulary is a file of `data/`, compiled in: every token in the order of its rank, each as one byte of length and
//! its bytes. The place of a token in that file orders tokens just as their ranks do, so the place serves as the rank
//! and nothing is copied; start-up builds one hash table (8 bytes a slot; 2 MiB for cl100k, 4 for o200k, some
//! milliseconds). The files are those that the reference implementation loads (openai/tiktoken; its licence is in
//! `data/NOTICE`); a test compares them token by token, and `cargo test -p pensieve-text --lib write_the_tables --
//! --ignored` writes them anew from the crate `tiktoken-rs`.

use std::sync::LazyLock;

/// The rank of bytes that are not a token; greater than every rank.
pub(super) const NO_RANK: u32 = u32::MAX;

/// The tokens of cl100k_base.
pub(super) static CL100K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::new(include_bytes!("data/cl100k_base.ranks"), 100_256));
/// The tokens of o200k_base and o200k_harmony, which differ in special tokens only.
pub(super) static O200K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::new(include_bytes!("data/o200k_base.ranks"), 199_998));
/// The tokens of p50k_base and p50k_edit: those of r50k and then 24 runs of spaces.
pub(super) static P50K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::new(include_bytes!("data/p50k_base.ranks"), 50_280));
/// The tokens of r50k_base and gpt2.
pub(super) static R50K: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::new(include_bytes!("data/p50k_base.ranks"), 50_256));

/// Looks up tokens by their bytes.
pub(super) struct Vocabulary {
    tokens: &'static [u8],
    /// Open addressing, linear probing: the upper half of the hash, then the rank plus one; 0 is free.
    slots: Vec<u64>,
    /// The ranks of pairs of bytes, with which all merging begins: 256 KiB that need no hash.
    pairs: Vec<u32>,
    longest: usize,
}

impl Vocabulary {
    /// The first `count` tokens of a file of ranks.
    fn new(tokens: &'static [u8], count: usize) -> Vocabulary {
        let slots = vec![0; (count * 2).next_power_of_two()];
        let mut vocabulary = Vocabulary { tokens, slots, pairs: vec![NO_RANK; 1 << 16], longest: 0 };
        let mut at = 0;
        for _ in 0..count {
            let token = vocabulary.token(at);
            vocabulary.longest = vocabulary.longest.max(token.len());
            vocabulary.insert(token, at as u32);
            at += 1 + token.len();
        }
        vocabulary
    }

    fn insert(&mut self, token: &[u8], rank: u32) {
        if let [first, second] = *token {
            self.pairs[usize::from(u16::from_be_bytes([first, second]))] = rank;
        }
        let hash = hash(token);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = (hash & TAG) | u64::from(rank + 1);
    }

    /// The token at `at` of the file.
    #[inline(always)]
    fn token(&self, at: usize) -> &'static [u8] {
        let length = self.tokens[at] as usize;
        &self.tokens[at + 1..at + 1 + length]
    }

    /// A number that orders tokens as their ranks do; [`NO_RANK`] for bytes that are no token.
    #[inline]
    pub(super) fn rank(&self, bytes: &[u8]) -> u32 {
        if let [first, second] = *bytes {
            return self.pairs[usize::from(u16::from_be_bytes([first, second]))];
        }
        if bytes.len() > self.longest {
            return NO_RANK;
        }
        let hash = hash(bytes);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return NO_RANK;
            }
            let rank = (entry as u32).wrapping_sub(1);
            if (entry ^ hash) & TAG == 0 && self.token(rank as usize) == bytes {
                return rank;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// True when the bytes are one token.
    pub(super) fn contains(&self, bytes: &[u8]) -> bool {
        self.rank(bytes) != NO_RANK
    }
}

const TAG: u64 = 0xffff_ffff_0000_0000;

/// A hash of short byte strings: both halves are well mixed.
#[inline(always)]
fn hash(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let mut state = length as u64;
    let mut rest = bytes;
    while let Some((head, tail)) = rest.split_first_chunk::<8>() {
        state = fold(state ^ u64::from_le_bytes(*head));
        rest = tail;
    }
    if rest.is_empty() {
        return state;
    }
    // The last bytes are read together with some before them, which is cheaper than a copy of unknown length.
    let word = match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(last), _, _) => u64::from_le_bytes(*last),
        (None, Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => u64::from(bytes[0]) | u64::from(bytes[length / 2]) << 8 | u64::from(bytes[length - 1]) << 16,
    };
    fold(state ^ word)
}

#[inline(always)]
fn fold(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xa076_1d64_78bd_642f;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_a_token_and_order_is_that_of_the_file() {
        for vocabulary in [&*CL100K, &*O200K, &*P50K, &*R50K] {
            for byte in 0..=255u8 {
                assert!(vocabulary.contains(&[byte]), "byte {byte:#x}");
            }
            assert!(vocabulary.rank(b" the") < vocabulary.rank(b" tokens"));
            assert!(!vocabulary.contains(b"xqzzzq"));
            assert!(!vocabulary.contains(&[b'x'; 1000]));
        }
    }

    #[test]
    fn r50k_lacks_the_runs_of_spaces_of_p50k() {
        assert!(P50K.contains(&[b' '; 25]));
        assert!(!R50K.contains(&[b' '; 25]));
    }
}
