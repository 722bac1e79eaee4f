//! What is kept of a text, to find those that share words with it.

use super::shingles::SHINGLE_WORDS;
use super::words::WordList;
use super::{RunLength, grams, mix};

/// A key of a sketch: 31 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SketchKey(pub u32);

impl SketchKey {
    /// The key of a group of words. The smallest of many hashes are small numbers, so they are mixed again.
    fn of(gram: u64) -> SketchKey {
        SketchKey((mix(gram) >> 33) as u32)
    }
}

/// Parts of a signature.
pub const SIGNATURE_BINS: usize = 16;

/// Two texts agree in about that share of the parts which is their Jaccard similarity.
pub type Signature = [u16; SIGNATURE_BINS];

/// Keys and signature of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sketch {
    /// In ascending order, each once. Two texts that share a run of words share one of its keys.
    pub keys: Vec<SketchKey>,
    /// `None` for a text with fewer words than a shingle has.
    pub signature: Option<Signature>,
}

impl Sketch {
    /// The sketch of a text, about one key for each eighteen words.
    pub fn of(words: &WordList, run: RunLength) -> Sketch {
        let mut keys: Vec<SketchKey> = Vec::new();
        each_run(words.hashes(), run, &mut |_, key| {
            if keys.last() != Some(&key) {
                keys.push(key);
            }
        });
        keys.sort_unstable();
        keys.dedup();
        Sketch { keys, signature: signature(words.hashes()) }
    }
}

/// Passes each shortest run to `each`: its first word, and the key that winnowing chooses for it, which is that of the smallest
/// of its groups.
pub(super) fn each_run(words: &[u64], run: RunLength, each: &mut impl FnMut(usize, SketchKey)) {
    let window = run.window();
    let hashes: Vec<u64> = grams(words, run.gram()).collect();
    if hashes.len() < window {
        return;
    }
    let mut least = last_minimum(&hashes, 0, window - 1);
    let mut key = SketchKey::of(hashes[least]);
    for end in window - 1..hashes.len() {
        let start = end + 1 - window;
        let is_new = if hashes[end] <= hashes[least] {
            // Of equal groups the last, wherever the window began: a run has the same key in any text.
            least = end;
            true
        } else if least < start {
            least = last_minimum(&hashes, start, end);
            true
        } else {
            false
        };
        if is_new {
            key = SketchKey::of(hashes[least]);
        }
        each(start, key);
    }
}

fn last_minimum(hashes: &[u64], start: usize, end: usize) -> usize {
    let mut least = start;
    for at in start..=end {
        if hashes[at] <= hashes[least] {
            least = at;
        }
    }
    least
}

/// MinHash by one permutation: a shingle belongs to one part, and the least of a part stands for it.
fn signature(words: &[u64]) -> Option<Signature> {
    let mut least = [u64::MAX; SIGNATURE_BINS];
    for hash in grams(words, SHINGLE_WORDS) {
        let bin = &mut least[(hash >> 60) as usize];
        *bin = (*bin).min(hash);
    }
    if words.len() < SHINGLE_WORDS {
        return None;
    }
    // Short texts leave parts empty, which take over others: the same ones in any text.
    let filled = |bin: usize| least[bin] != u64::MAX;
    Some(std::array::from_fn(|bin| {
        let mut from = bin;
        let mut turn = bin as u64;
        while !filled(from) {
            turn = mix(turn + 1);
            from = (turn >> 60) as usize;
        }
        (mix(least[from]) >> 48) as u16
    }))
}
