//! Passages that an earlier document has.

use super::texts::TextCache;
use super::{LedgerWork, MEMORY_BYTES, Ranks, Targets};
use crate::store::{RepeatRow, StoreError, TextUnpacker};
use pensieve_text::text::repetition::{
    FirstPlaces, FoundRuns, KeySet, KeyUse, MatchedRuns, Repeat, SketchKey, WordList,
};
use std::rc::Rc;

/// Memory of one set of keys.
const SET_BYTES: usize = MEMORY_BYTES / 4;

/// Memory of the words of earlier documents.
pub(super) const WORDS_BYTES: usize = MEMORY_BYTES / 6;

/// The keys whose runs are looked up: those that are touched, and those that changed documents share.
struct WantedKeys<'c> {
    touched: &'c KeySet,
    shared: KeySet,
}

impl WantedKeys<'_> {
    fn contains(&self, key: SketchKey) -> bool {
        self.shared.contains(key) || self.touched.contains(key)
    }
}

impl LedgerWork<'_> {
    /// Compares the passages of these documents with those of all earlier ones; false if the user has stopped it.
    ///
    /// Cost: the texts that share keys are read once, or where their places need more memory several times and once more.
    pub(super) fn compare_targets(&self, targets: &Targets, ranks: &Ranks) -> Result<bool, StoreError> {
        let (wanted, participants) = self.wanted_keys(targets, ranks)?;
        let unpacker = TextUnpacker::new().map_err(|source| self.table.io(source))?;
        let mut cache = TextCache::new(WORDS_BYTES, unpacker);
        let keys = wanted.shared.len() + wanted.touched.len();
        let passes = (keys * FirstPlaces::BYTES_FOR_KEY).div_ceil(self.places_bytes).max(1) as u32;
        for pass in 0..passes {
            let mut places = FirstPlaces::new(self.run);
            let use_of = |key: SketchKey| match wanted.contains(key) {
                // The last bits choose the place in the set of keys.
                true if (key.0 >> 16) % passes == pass => KeyUse::LookUp,
                false if pass == 0 => KeyUse::Keep,
                _ => KeyUse::Skip,
            };
            let is_done = self.map_texts(&participants, WordList::of, |rank, words| {
                let is_target = targets.is_target[rank as usize];
                let known = match is_target && pass == 0 && !targets.is_changed[rank as usize] {
                    true => self.known_runs(rank, ranks)?,
                    false => FoundRuns::default(),
                };
                let found = places.add(rank, &words, &known, &use_of);
                let words = Rc::new(words);
                if passes == 1 {
                    cache.insert(rank, Rc::clone(&words), words.memory());
                }
                match (is_target, passes) {
                    (true, 1) => self.write_found(rank, &found, &words, targets, &wanted, &mut cache),
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
        let compared: Vec<u32> =
            participants.into_iter().filter(|rank| targets.is_target[*rank as usize]).collect();
        self.map_texts(&compared, WordList::of, |rank, words| {
            let (found, words) = (self.table.take_found(rank)?, Rc::new(words));
            cache.insert(rank, Rc::clone(&words), words.memory());
            self.write_found(rank, &found, &words, targets, &wanted, &mut cache)
        })
    }

    /// The runs of a document that were found in others.
    fn known_runs(&self, rank: u32, ranks: &Ranks) -> Result<FoundRuns, StoreError> {
        let stored = self.table.matched(self.documents[rank as usize].file_id)?.into_iter();
        let known = |(of_file_id, runs)| Some(MatchedRuns { of: *ranks.get(&of_file_id)?, ..runs });
        Ok(FoundRuns::of(stored.filter_map(known)))
    }

    /// Writes the repeats of a document, and what it has before others.
    fn write_found(
        &self,
        rank: u32,
        found: &FoundRuns,
        words: &WordList,
        targets: &Targets,
        wanted: &WantedKeys<'_>,
        cache: &mut TextCache<WordList>,
    ) -> Result<(), StoreError> {
        let file_id = self.documents[rank as usize].file_id;
        let id_of = |rank: u32| self.documents[rank as usize].file_id;
        let is_changed = |rank: u32| targets.is_changed[rank as usize];
        let before = if is_changed(rank) { Vec::new() } else { self.table.repeats(file_id)? };
        // A repeat that it had and that begins as before in the same text ends as before.
        let settled = |start: u32, of: u32| {
            let byte = words.bytes(start as usize..start as usize + 1).start;
            let at = before.binary_search_by_key(&byte, |row| row.start).ok()?;
            Some(&before[at]).filter(|row| !is_changed(of) && row.of_file_id == id_of(of))
        };
        let mut failed = None;
        let repeats = found.extend(self.run, &mut |runs| {
            if let Some(row) = settled(runs.start, runs.of) {
                return Some(words.until(row.end).saturating_sub(runs.start as usize));
            }
            let earlier = self.words(cache, runs.of).map_err(|error| failed = Some(error)).ok()?;
            Some(runs.length(words, &earlier))
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let rows = repeats.iter().map(|repeat| match settled(repeat.start as u32, repeat.of) {
            Some(row) => Ok(*row),
            None => self.row_of(repeat, words, cache),
        });
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if is_changed(rank) || rows != before {
            self.table.write_repeats(file_id, &rows)?;
        }
        let mut novel = found.novel.clone();
        novel.sort_unstable();
        let mut keys = self.table.sketch(file_id)?.keys;
        for (key, is_novel) in keys.iter_mut().filter(|(key, _)| wanted.contains(*key)) {
            *is_novel = novel.binary_search(key).is_ok();
        }
        let matched = found.matched().iter().map(|runs| (id_of(runs.of), *runs));
        self.table.write_found(file_id, &keys, matched)
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

    /// The keys that are looked up, and the documents that have them, in order. Of the keys of changed documents it is those that
    /// another changed document has too, or another one before others. The entries of changed documents that share none are
    /// emptied.
    fn wanted_keys<'c>(
        &self,
        targets: &'c Targets,
        ranks: &Ranks,
    ) -> Result<(WantedKeys<'c>, Vec<u32>), StoreError> {
        let is_changed =
            |file_id: i64| ranks.get(&file_id).is_some_and(|rank| targets.is_changed[*rank as usize]);
        let mut count = 0;
        self.table.each_sketch(&mut |file_id, keys, _| {
            count += if is_changed(file_id) { keys.count() } else { 0 }
        })?;
        let mut seen = KeySet::for_keys(count, SET_BYTES);
        let mut shared = KeySet::for_keys(count, SET_BYTES);
        if count > 0 {
            self.table.each_sketch(&mut |file_id, keys, _| {
                if is_changed(file_id) {
                    for (key, _) in keys.filter(|(key, _)| !seen.insert(*key)) {
                        shared.insert(key);
                    }
                }
            })?;
            self.table.each_sketch(&mut |file_id, keys, _| {
                if ranks.contains_key(&file_id) && !is_changed(file_id) {
                    for (key, _) in keys.filter(|(key, is_novel)| *is_novel && seen.contains(*key)) {
                        shared.insert(key);
                    }
                }
            })?;
        }
        drop(seen);
        let wanted = WantedKeys { touched: &targets.touched, shared };
        let (mut participants, mut alone) = (Vec::new(), Vec::new());
        self.table.each_sketch(&mut |file_id, keys, _| {
            let Some(rank) = ranks.get(&file_id) else { return };
            let is_target = targets.is_target[*rank as usize];
            let has_wanted =
                keys.filter(|(_, is_novel)| is_target || *is_novel).any(|(key, _)| wanted.contains(key));
            match has_wanted {
                true => participants.push(*rank),
                false if is_changed(file_id) => alone.push(file_id),
                false => {}
            }
        })?;
        participants.sort_unstable();
        alone.into_iter().try_for_each(|file_id| self.table.write_repeats(file_id, &[]))?;
        Ok((wanted, participants))
    }
}
