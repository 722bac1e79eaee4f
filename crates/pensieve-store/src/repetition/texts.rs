//! Texts of many documents, unpacked and worked on by several threads, in order.

use super::LedgerWork;
use crate::store::{StoreError, TextUnpacker};
use pensieve_text::text::repetition::WordList;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Packed bytes of texts that are worked on at the same time, at most; one text may have more. Unpacked, and with their words,
/// they are some fifteen times as many.
const BYTES_AHEAD: usize = 4 << 20;

impl LedgerWork<'_> {
    /// Passes the text of each document to `work`, which any thread does, and the results in order to `each`; false if the user has
    /// stopped it.
    pub(super) fn map_texts<R: Send>(
        &self,
        ranks: &[u32],
        work: impl Fn(&str) -> R + Sync,
        mut each: impl FnMut(u32, R) -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        let damaged = |rank: u32| self.table.damaged(self.documents[rank as usize].file_id);
        thread::scope(|scope| {
            let (give, tasks) = sync_channel::<(usize, Vec<Vec<u8>>)>(self.threads);
            let (answer, answers) = channel();
            let tasks = std::sync::Arc::new(Mutex::new(tasks));
            for number in 0..self.threads.min(ranks.len()) {
                let (tasks, answer, work) = (std::sync::Arc::clone(&tasks), answer.clone(), &work);
                let own = move || {
                    let Ok(mut unpacker) = TextUnpacker::new() else { return };
                    loop {
                        let taken = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok((number, frames)) = taken else { return };
                        let result = unpacker.unpack_all(&frames).map(|text| work(&text));
                        if answer.send((number, result)).is_err() {
                            return;
                        }
                    }
                };
                let named = thread::Builder::new().name(format!("repetition-{number}"));
                named.spawn_scoped(scope, own).map_err(|source| self.table.io(source))?;
            }
            drop((answer, tasks));
            let (mut given, mut passed, mut ahead) = (0, 0, 0);
            let mut sizes = BTreeMap::new();
            let mut early = BTreeMap::new();
            while passed < ranks.len() {
                if self.observer.interrupted() {
                    return Ok(false);
                }
                if given < ranks.len() && (ahead < BYTES_AHEAD || given == passed) {
                    let frames = self.table.packed_text(self.documents[ranks[given] as usize].file_id)?;
                    let size = frames.iter().map(Vec::len).sum::<usize>();
                    if give.send((given, frames)).is_err() {
                        return Err(damaged(ranks[given]));
                    }
                    ahead += size;
                    sizes.insert(given, size);
                    given += 1;
                    early.extend(answers.try_iter());
                } else if let Ok((number, result)) = answers.recv() {
                    early.insert(number, result);
                } else {
                    return Err(damaged(ranks[passed]));
                }
                while let Some(result) = early.remove(&passed) {
                    ahead -= sizes.remove(&passed).unwrap_or(0);
                    each(ranks[passed], result.ok_or_else(|| damaged(ranks[passed]))?)?;
                    passed += 1;
                }
            }
            Ok(true)
        })
    }

    /// What `make` makes of the words of a document, from the cache or from its text.
    pub(super) fn cached<T>(
        &self,
        cache: &mut TextCache<T>,
        rank: u32,
        make: impl FnOnce(WordList) -> (T, usize),
    ) -> Result<Rc<T>, StoreError> {
        if let Some(known) = cache.get(rank) {
            return Ok(known);
        }
        let text = self.table.text(self.documents[rank as usize].file_id, &mut cache.unpacker)?;
        let (made, bytes) = make(WordList::of(&text));
        Ok(cache.insert(rank, Rc::new(made), bytes))
    }
}

/// Values made of texts, within a number of bytes: the first that was not used since its last turn makes place for others.
pub(super) struct TextCache<T> {
    entries: FxHashMap<u32, CacheEntry<T>>,
    turns: VecDeque<u32>,
    bytes: usize,
    limit: usize,
    unpacker: TextUnpacker,
}

struct CacheEntry<T> {
    value: Rc<T>,
    bytes: usize,
    is_used: bool,
}

impl<T> TextCache<T> {
    pub fn new(limit: usize, unpacker: TextUnpacker) -> TextCache<T> {
        TextCache { entries: FxHashMap::default(), turns: VecDeque::new(), bytes: 0, limit, unpacker }
    }

    fn get(&mut self, rank: u32) -> Option<Rc<T>> {
        let entry = self.entries.get_mut(&rank)?;
        entry.is_used = true;
        Some(Rc::clone(&entry.value))
    }

    pub fn insert(&mut self, rank: u32, value: Rc<T>, bytes: usize) -> Rc<T> {
        while self.bytes + bytes > self.limit {
            let Some(oldest) = self.turns.pop_front() else { break };
            match self.entries.get_mut(&oldest) {
                Some(entry) if entry.is_used => {
                    entry.is_used = false;
                    self.turns.push_back(oldest);
                }
                _ => self.bytes -= self.entries.remove(&oldest).map_or(0, |entry| entry.bytes),
            }
        }
        let entry = CacheEntry { value: Rc::clone(&value), bytes, is_used: false };
        match self.entries.insert(rank, entry) {
            Some(before) => self.bytes -= before.bytes,
            None => self.turns.push_back(rank),
        }
        self.bytes += bytes;
        value
    }
}
