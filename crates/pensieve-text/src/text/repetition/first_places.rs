//! For each run of words the first text that has it.

use super::sketch::{SketchKey, each_run};
use super::words::WordList;
use super::{RunLength, grams};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of keys that may also say yes to others: one bit for all keys with the same last bits.
#[derive(Debug, Clone)]
pub struct KeySet {
    bits: Vec<u64>,
    mask: u32,
}

/// Bits for each key that is expected: one of thirty answers about keys that are not in the set is wrong.
const BITS_FOR_KEY: usize = 32;

/// Bits of a set at most: every key has one of its own.
const MAX_SET_BITS: usize = 1 << 31;

impl KeySet {
    /// An empty set for so many keys, in at most `memory` bytes.
    pub fn for_keys(count: usize, memory: usize) -> KeySet {
        let wanted = (count * BITS_FOR_KEY).next_power_of_two().clamp(1 << 10, MAX_SET_BITS);
        let affordable = (memory * 8 + 1).next_power_of_two() / 2;
        let bits = wanted.min(affordable.max(1 << 10));
        KeySet { bits: vec![0; bits / 64], mask: (bits - 1) as u32 }
    }

    /// Adds a key; false if it, or one that cannot be told from it, was there.
    pub fn insert(&mut self, key: SketchKey) -> bool {
        let at = key.0 & self.mask;
        let (word, bit) = (&mut self.bits[(at / 64) as usize], 1 << (at % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// How many keys can be told apart.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// True if no key was added.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    /// True for every key that was added.
    pub fn contains(&self, key: SketchKey) -> bool {
        let at = key.0 & self.mask;
        self.bits[(at / 64) as usize] & (1 << (at % 64)) != 0
    }
}

/// A run of words that an earlier text has, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Its first word in this text.
    pub start: usize,
    /// The word after its last.
    pub end: usize,
    /// The number of the earlier text.
    pub of: u32,
    /// Its first word there.
    pub of_start: usize,
}

/// What was found about the runs of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundRuns {
    /// Where shortest runs begin that an earlier text has: first word, how many begin one after the other, the text, and the
    /// word there.
    matched: Vec<(u32, u32, u32, u32)>,
    /// Keys of runs that no earlier text has, in no order; a key may be there twice.
    pub novel: Vec<SketchKey>,
}

/// The first places of all runs of the texts so far, as far as their keys are wanted.
#[derive(Debug)]
pub struct FirstPlaces {
    run: RunLength,
    /// Text and first word by the hash of the run.
    places: FxHashMap<u64, (u32, u32)>,
}

impl FirstPlaces {
    /// An allowance for the places of one key, in bytes: a run begins at each of some eighteen words, half as many again for keys
    /// with other words around them in other texts, and a table that has just grown is half empty.
    pub const BYTES_FOR_KEY: usize = 18 * 3 / 2 * 40;

    /// No places yet.
    pub fn new(run: RunLength) -> FirstPlaces {
        FirstPlaces { run, places: FxHashMap::default() }
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True before the first text.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Looks up the runs of a text whose keys are wanted, and adds those that are new. Texts come in the order of their numbers.
    pub fn add(&mut self, number: u32, words: &WordList, is_wanted: &dyn Fn(SketchKey) -> bool) -> FoundRuns {
        let mut found = FoundRuns::default();
        let mut runs = grams(words.hashes(), self.run.words);
        let mut known: Option<(SketchKey, bool)> = None;
        each_run(words.hashes(), self.run, &mut |start, key| {
            let hash = runs.next().expect("there are as many hashes as runs");
            let wanted = match known {
                Some((last, wanted)) if last == key => wanted,
                _ => is_wanted(key),
            };
            known = Some((key, wanted));
            if !wanted {
                return;
            }
            match *self.places.entry(hash).or_insert((number, start as u32)) {
                (of, _) if of == number => {
                    if found.novel.last() != Some(&key) {
                        found.novel.push(key);
                    }
                }
                (of, of_start) => found.match_run(start as u32, of, of_start),
            }
        });
        found
    }
}

impl FoundRuns {
    /// What was found with other keys, in addition.
    pub fn join(&mut self, other: FoundRuns) {
        self.matched.extend(other.matched);
        self.matched.sort_unstable();
        self.novel.extend(other.novel);
    }

    /// A form to be stored until all keys were looked up.
    pub fn to_bytes(&self) -> Vec<u8> {
        let matched = self.matched.iter().flat_map(|(start, count, of, word)| [*start, *count, *of, *word]);
        let numbers =
            [self.matched.len() as u32].into_iter().chain(matched).chain(self.novel.iter().map(|key| key.0));
        numbers.flat_map(u32::to_le_bytes).collect()
    }

    /// What [`FoundRuns::to_bytes`] stored.
    pub fn of_bytes(bytes: &[u8]) -> FoundRuns {
        let mut numbers = bytes
            .chunks_exact(4)
            .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("chunks have four bytes")));
        let mut next = || numbers.next().unwrap_or_default();
        let count = next();
        let matched = (0..count).map(|_| (next(), next(), next(), next())).collect();
        FoundRuns { matched, novel: numbers.map(SketchKey).collect() }
    }

    fn match_run(&mut self, start: u32, of: u32, of_start: u32) {
        match self.matched.last_mut() {
            Some((first, count, text, word))
                if *first + *count == start && *text == of && *word + *count == of_start =>
            {
                *count += 1;
            }
            _ => self.matched.push((start, 1, of, of_start)),
        }
    }

    /// The runs at full length, from the first word on: each begins with the first shortest run that the one before does not
    /// have. `text` gives the words of an earlier text; `None` ends the search.
    pub fn extend(
        &self,
        run: RunLength,
        words: &WordList,
        text: &mut dyn FnMut(u32) -> Option<Rc<WordList>>,
    ) -> Vec<Repeat> {
        let mut repeats: Vec<Repeat> = Vec::new();
        for &(first, count, of, word) in &self.matched {
            let (first, count, word) = (first as usize, count as usize, word as usize);
            // The shortest runs of a repeat are those that begin up to `words` words before its end.
            let begun = repeats.last().map_or(0, |last| (last.end + 1).saturating_sub(run.words));
            let skipped = begun.saturating_sub(first);
            if skipped >= count {
                continue;
            }
            let Some(earlier) = text(of) else { break };
            let (start, of_start) = (first + skipped, word + skipped);
            let pairs = words.hashes()[start..].iter().zip(&earlier.hashes()[of_start.min(earlier.len())..]);
            let length = pairs.take_while(|(here, there)| here == there).count();
            // Two runs with one hash are not equal for that.
            if length >= run.words {
                repeats.push(Repeat { start, end: start + length, of, of_start });
            }
        }
        repeats
    }
}
