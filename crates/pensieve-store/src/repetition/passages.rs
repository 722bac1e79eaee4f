//! Passages that an earlier document has.

use super::texts::TextCache;
use super::{LedgerWork, MEMORY_BYTES, Ranks};
use crate::store::{RepeatRow, StoreError, TextUnpacker};
use pensieve_text::text::repetition::{FirstPlaces, FoundRuns, KeySet, Repeat, SketchKey, WordList};
use std::rc::Rc;

/// Memory of one set of keys.
const SET_BYTES: usize = MEMORY_BYTES / 6;

/// Memory of the words of earlier documents.
pub(super) const WORDS_BYTES: usize = MEMORY_BYTES / 6;

impl LedgerWork<'_> {
    /// Compares the passages of these documents with those of all earlier ones; false if the user has stopped it.
    ///
    /// Cost: the texts that share keys are read once, or where their places need more memory several times and once more.
    pub(super) fn compare_targets(&self, is_target: &[bool], ranks: &Ranks) -> Result<bool, StoreError> {
        let (shared, participants) = self.shared_keys(is_target, ranks)?;
        let unpacker = TextUnpacker::new().map_err(|source| self.table.io(source))?;
        let mut cache = TextCache::new(WORDS_BYTES, unpacker);
        let passes = (shared.len() * FirstPlaces::BYTES_FOR_KEY).div_ceil(self.places_bytes).max(1) as u32;
        for pass in 0..passes {
            let mut places = FirstPlaces::new(self.run);
            // The last bits choose the place in the set of keys.
            let is_wanted = |key: SketchKey| shared.contains(key) && (key.0 >> 16) % passes == pass;
            let is_done = self.map_texts(&participants, WordList::of, |rank, words| {
                let found = places.add(rank, &words, &is_wanted);
                match (is_target[rank as usize], passes) {
                    (true, 1) => self.write_found(rank, found, words, &shared, &mut cache),
                    (true, _) => self.table.keep_found(rank, &found),
                    (false, _) => Ok(()),
                }
            })?;
            if !is_done {
                return Ok(false);
            }
        }
        if passes == 1 {
            return Ok(true);
        }
        let targets: Vec<u32> = participants.into_iter().filter(|rank| is_target[*rank as usize]).collect();
        self.map_texts(&targets, WordList::of, |rank, words| {
            let found = self.table.take_found(rank)?;
            self.write_found(rank, found, words, &shared, &mut cache)
        })
    }

    /// Writes the repeats of a document, and what it has before others.
    fn write_found(
        &self,
        rank: u32,
        found: FoundRuns,
        words: WordList,
        shared: &KeySet,
        cache: &mut TextCache<WordList>,
    ) -> Result<(), StoreError> {
        let (words, mut failed) = (Rc::new(words), None);
        cache.insert(rank, Rc::clone(&words), words.memory());
        let repeats = found.extend(self.run, &words, &mut |of| {
            self.words(cache, of).map_err(|error| failed = Some(error)).ok()
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let rows = repeats.iter().map(|repeat| self.row_of(repeat, &words, cache));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let file_id = self.documents[rank as usize].file_id;
        self.table.write_repeats(file_id, &rows)?;
        let mut novel = found.novel;
        novel.sort_unstable();
        let mut keys = self.table.sketch(file_id)?.keys;
        for (key, is_novel) in &mut keys {
            *is_novel = !shared.contains(*key) || novel.binary_search(key).is_ok();
        }
        self.table.write_keys(file_id, &keys)
    }

    pub(super) fn words(
        &self,
        cache: &mut TextCache<WordList>,
        rank: u32,
    ) -> Result<Rc<WordList>, StoreError> {
        self.cached(cache, rank, |words| {
            let bytes = words.memory();
            (words, bytes)
        })
    }

    pub(super) fn row_of(
        &self,
        repeat: &Repeat,
        words: &WordList,
        cache: &mut TextCache<WordList>,
    ) -> Result<RepeatRow, StoreError> {
        let earlier = self.words(cache, repeat.of)?;
        let here = words.bytes(repeat.start..repeat.end);
        let there = earlier.bytes(repeat.of_start..repeat.of_start + repeat.end - repeat.start);
        Ok(RepeatRow {
            start: here.start,
            end: here.end,
            of_file_id: self.documents[repeat.of as usize].file_id,
            of_start: there.start,
            of_end: there.end,
        })
    }

    /// The keys that a target shares with another target, or with a document that has one of their runs before others; and the
    /// documents with such keys, in order. The entries of targets that share none are emptied.
    fn shared_keys(&self, is_target: &[bool], ranks: &Ranks) -> Result<(KeySet, Vec<u32>), StoreError> {
        let is_target = |file_id: i64| ranks.get(&file_id).is_some_and(|rank| is_target[*rank as usize]);
        let mut count = 0;
        self.table.each_sketch(&mut |file_id, keys, _| {
            count += if is_target(file_id) { keys.count() } else { 0 }
        })?;
        let mut seen = KeySet::for_keys(count, SET_BYTES);
        let mut shared = KeySet::for_keys(count, SET_BYTES);
        self.table.each_sketch(&mut |file_id, keys, _| {
            if is_target(file_id) {
                for (key, _) in keys.filter(|(key, _)| !seen.insert(*key)) {
                    shared.insert(key);
                }
            }
        })?;
        self.table.each_sketch(&mut |file_id, keys, _| {
            if ranks.contains_key(&file_id) && !is_target(file_id) {
                for (key, _) in keys.filter(|(key, is_novel)| *is_novel && seen.contains(*key)) {
                    shared.insert(key);
                }
            }
        })?;
        let (mut participants, mut alone) = (Vec::new(), Vec::new());
        self.table.each_sketch(&mut |file_id, keys, _| {
            let Some(rank) = ranks.get(&file_id) else { return };
            let is_target = is_target(file_id);
            let mut all_novel = true;
            let has_shared = keys
                .inspect(|(_, is_novel)| all_novel &= is_novel)
                .filter(|(_, is_novel)| is_target || *is_novel)
                .any(|(key, _)| shared.contains(key));
            match has_shared {
                true => participants.push(*rank),
                false if is_target => alone.push((file_id, all_novel)),
                false => {}
            }
        })?;
        participants.sort_unstable();
        for (file_id, all_novel) in alone {
            self.table.write_repeats(file_id, &[])?;
            if !all_novel {
                let keys = self.table.sketch(file_id)?.keys;
                self.table
                    .write_keys(file_id, &keys.iter().map(|(key, _)| (*key, true)).collect::<Vec<_>>())?;
            }
        }
        Ok((shared, participants))
    }
}
