//! For each run of words the first text that has it.

use super::sketch::{SketchKey, each_run};
use super::words::WordList;
use super::{RunLength, grams};
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of keys. One that has little memory also says yes to others: it has one bit for all keys with the same last bits.
#[derive(Debug, Clone)]
pub enum KeySet {
    /// The keys.
    Exact(FxHashSet<SketchKey>),
    /// Bits by the last bits of a key; how many they are is a power of two.
    Bits(Vec<u64>),
}

/// Bytes for each key of an exact set: a table that grows is there twice, and half empty. It is worth them: where one of thirty
/// answers is wrong, hardly a text of a hundred keys is left out.
const EXACT_BYTES: usize = 16;

impl KeySet {
    /// An empty set for so many keys, in at most `memory` bytes.
    pub fn for_keys(count: usize, memory: usize) -> KeySet {
        if count * EXACT_BYTES <= memory {
            return KeySet::Exact(FxHashSet::default());
        }
        // Keys have 31 bits.
        let bits = ((memory * 8 + 1).next_power_of_two() / 2).clamp(1 << 10, 1 << 31);
        KeySet::Bits(vec![0; bits / 64])
    }

    /// An empty set that tells apart the same keys.
    pub fn emptied(&self) -> KeySet {
        match self {
            KeySet::Exact(_) => KeySet::Exact(FxHashSet::default()),
            KeySet::Bits(bits) => KeySet::Bits(vec![0; bits.len()]),
        }
    }

    /// Adds a key; false if it, or one that cannot be told from it, was there.
    pub fn insert(&mut self, key: SketchKey) -> bool {
        match self {
            KeySet::Exact(keys) => keys.insert(key),
            KeySet::Bits(bits) => {
                let (word, bit) = KeySet::place(key, bits);
                let is_new = bits[word] & bit == 0;
                bits[word] |= bit;
                is_new
            }
        }
    }

    /// How many keys can be told apart.
    pub fn len(&self) -> usize {
        match self {
            KeySet::Exact(keys) => keys.len(),
            KeySet::Bits(bits) => bits.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    /// True if no key was added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True for every key that was added.
    pub fn contains(&self, key: SketchKey) -> bool {
        match self {
            KeySet::Exact(keys) => keys.contains(&key),
            KeySet::Bits(bits) => {
                let (word, bit) = KeySet::place(key, bits);
                bits[word] & bit != 0
            }
        }
    }

    /// Which word, and the bit there.
    fn place(key: SketchKey, bits: &[u64]) -> (usize, u64) {
        (key.0 as usize / 64 % bits.len(), 1 << (key.0 % 64))
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

/// Shortest runs, one beginning at each word, that an earlier text has in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchedRuns {
    /// The first word of the first one.
    pub start: u32,
    /// How many there are.
    pub count: u32,
    /// The number of the earlier text.
    pub of: u32,
    /// The first word of the first one there.
    pub of_start: u32,
}

/// What was found about the runs of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundRuns {
    /// In order, and as few as can be.
    matched: Vec<MatchedRuns>,
    /// Keys of runs that no earlier text has, in no order; a key may be there twice.
    pub novel: Vec<SketchKey>,
}

/// What becomes of the runs with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyUse {
    /// They are looked up among the places, and added to them.
    LookUp,
    /// What is known of them still holds.
    Keep,
    /// They are left out.
    Skip,
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

    /// Looks up the runs of a text, and adds those that are new. Texts come in the order of their numbers. `known` is what was found
    /// before, with other keys.
    pub fn add(
        &mut self,
        number: u32,
        words: &WordList,
        known: &FoundRuns,
        use_of: &dyn Fn(SketchKey) -> KeyUse,
    ) -> FoundRuns {
        let mut found = FoundRuns::default();
        let mut runs = grams(words.hashes(), self.run.words);
        let mut known = known.matched.iter().peekable();
        let mut last: Option<(SketchKey, KeyUse)> = None;
        each_run(words.hashes(), self.run, &mut |start, key| {
            let hash = runs.next().expect("there are as many hashes as runs");
            let start = start as u32;
            let key_use = match last {
                Some((last, key_use)) if last == key => key_use,
                _ => use_of(key),
            };
            last = Some((key, key_use));
            match key_use {
                KeyUse::LookUp => match *self.places.entry(hash).or_insert((number, start)) {
                    (of, _) if of == number => {
                        if found.novel.last() != Some(&key) {
                            found.novel.push(key);
                        }
                    }
                    (of, of_start) => found.push(MatchedRuns { start, count: 1, of, of_start }),
                },
                KeyUse::Keep => {
                    while known.next_if(|runs| runs.start + runs.count <= start).is_some() {}
                    if let Some(runs) = known.peek().filter(|runs| runs.start <= start) {
                        let of_start = runs.of_start + start - runs.start;
                        found.push(MatchedRuns { start, count: 1, of: runs.of, of_start });
                    }
                }
                KeyUse::Skip => {}
            }
        });
        found
    }
}

impl FoundRuns {
    /// These runs, which are in order.
    pub fn of(matched: impl IntoIterator<Item = MatchedRuns>) -> FoundRuns {
        let mut found = FoundRuns::default();
        matched.into_iter().for_each(|runs| found.push(runs));
        found
    }

    /// The runs that an earlier text has, in order.
    pub fn matched(&self) -> &[MatchedRuns] {
        &self.matched
    }

    /// What was found with other keys, in addition.
    pub fn join(&mut self, other: FoundRuns) {
        let mut matched = std::mem::take(&mut self.matched);
        matched.extend(other.matched);
        matched.sort_unstable();
        matched.into_iter().for_each(|runs| self.push(runs));
        self.novel.extend(other.novel);
    }

    fn push(&mut self, runs: MatchedRuns) {
        match self.matched.last_mut() {
            Some(last)
                if last.start + last.count == runs.start
                    && last.of == runs.of
                    && last.of_start + last.count == runs.of_start =>
            {
                last.count += runs.count;
            }
            _ => self.matched.push(runs),
        }
    }

    /// The runs at full length, from the first word on: each begins with the first shortest run that the one before does not
    /// have. `length` gives the number of words that two texts share from a run on; `None` ends the search.
    pub fn extend(
        &self,
        run: RunLength,
        length: &mut dyn FnMut(MatchedRuns) -> Option<usize>,
    ) -> Vec<Repeat> {
        let mut repeats: Vec<Repeat> = Vec::new();
        for runs in &self.matched {
            // The shortest runs of a repeat are those that begin up to `words` words before its end.
            let begun = repeats.last().map_or(0, |last| (last.end + 1).saturating_sub(run.words));
            let skipped = (begun as u32).saturating_sub(runs.start);
            if skipped >= runs.count {
                continue;
            }
            let (start, of_start) = (runs.start + skipped, runs.of_start + skipped);
            let runs = MatchedRuns { start, count: runs.count - skipped, of: runs.of, of_start };
            let Some(length) = length(runs) else { break };
            let (start, of_start) = (start as usize, of_start as usize);
            // Two runs with one hash are not equal for that.
            if length >= run.words {
                repeats.push(Repeat { start, end: start + length, of: runs.of, of_start });
            }
        }
        repeats
    }
}

impl MatchedRuns {
    /// The number of words that two texts share from here on.
    pub fn length(&self, words: &WordList, earlier: &WordList) -> usize {
        let from = |words: &WordList, start: u32| (start as usize).min(words.len());
        let here = &words.hashes()[from(words, self.start)..];
        let there = &earlier.hashes()[from(earlier, self.of_start)..];
        here.iter().zip(there).take_while(|(here, there)| here == there).count()
    }
}
