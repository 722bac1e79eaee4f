//! The ledger of repetition: which passages of a document an earlier one has, and which documents are nearly equal.
//!
//! Texts and chunks stay as they are; the ledger lies beside them. [`update`] brings it up to date after any changes. What is
//! stored about a document depends on its text, on the texts that share a key or a band with it, and on the order of documents
//! alone. So after any history the ledger is that of one run over the final documents: a change is followed to all documents
//! that share such a key with the old or the new text. Of these only the runs with such keys are looked up again, and only the
//! pairs with a changed document are compared.

mod boilerplate;
mod near;
mod passages;
mod quotes;
mod texts;

pub use near::families;

use crate::store::{LedgerDocument, RepetitionTable, Store, StoreError, StoredSketch};
use pensieve_text::model::Observer;
use pensieve_text::text::repetition::{EdgeLines, KeySet, RunLength, Signature, Sketch, SketchKey, WordList};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How repetition is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct RepetitionSettings {
    /// Make the ledger in a database that has none.
    pub enabled: bool,
    /// Words of the shortest run.
    pub words: usize,
    /// Documents of one kind that have a line which is boilerplate.
    pub boilerplate: u32,
}

impl RepetitionSettings {
    fn describe(self) -> String {
        // The edition of the algorithm: a change of it makes the ledger anew.
        format!("3 words={} boilerplate={}", self.words, self.boilerplate)
    }

    /// The settings of the ledger that a database has.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn of(store: &Store) -> Result<Option<RepetitionSettings>, StoreError> {
        let described = store.repetition().settings()?;
        let number = |name: &str| {
            let mut words = described.as_deref()?.split(' ');
            words.find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
        };
        // The first edition had no boilerplate.
        let boilerplate = number("boilerplate").unwrap_or(10) as u32;
        Ok(number("words").map(|words| RepetitionSettings { enabled: true, words, boilerplate }))
    }
}

/// What an update has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct RepetitionUpdate {
    /// Documents with a text.
    pub documents: u64,
    /// Those that were new or had changed, or were gone.
    pub changed: u64,
    /// Documents whose texts are too long to be compared.
    pub omitted: u64,
}

/// Memory of the sets and tables of an update, in bytes: what a run has besides them while it reads is given back by then.
const MEMORY_BYTES: usize = 192 << 20;

/// Lines of changed documents by rank, as many as memory allows.
type HeldEdges = rustc_hash::FxHashMap<u32, EdgeLines>;

/// Memory of these lines.
const EDGES_BYTES: usize = MEMORY_BYTES / 4;

/// Brings the ledger up to date where the settings ask for one or the database has one; `None` where there is nothing to do, or
/// where the user has stopped it. An update is one transaction: a stopped one leaves the ledger as it was.
///
/// # Errors
/// The database cannot be read or written.
///
/// Cost: a first update reads each text once, and those that share words with others twice. Later ones read the sketches of
/// all documents (4 % of their texts), and the texts that share words with what has changed.
pub fn update(
    store: &Store,
    settings: RepetitionSettings,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Option<RepetitionUpdate>, StoreError> {
    let table = store.repetition();
    let described = settings.describe();
    let known = table.settings()?;
    let is_same = known.as_deref() == Some(described.as_str());
    if known.is_none() && !settings.enabled || is_same && table.is_current()? {
        return Ok(None);
    }
    let transaction = table.begin()?;
    if known.is_some() && !is_same {
        table.clear()?;
    }
    let run = RunLength { words: settings.words };
    let places_bytes = MEMORY_BYTES;
    let work = LedgerWork {
        table,
        run,
        boilerplate: settings.boilerplate,
        threads,
        places_bytes,
        observer,
        documents: store.repetition().documents()?,
    };
    let Some(changed) = work.update()? else { return Ok(None) };
    let done =
        RepetitionUpdate { documents: work.documents.len() as u64, changed, omitted: work.table.omitted()? };
    work.table.commit(transaction, &described)?;
    Ok(Some(done))
}

/// An update of the ledger.
struct LedgerWork<'s> {
    table: RepetitionTable<'s>,
    run: RunLength,
    /// Documents of one kind that have a line which is boilerplate.
    boilerplate: u32,
    threads: usize,
    /// Memory for first places.
    places_bytes: usize,
    observer: &'s dyn Observer,
    /// In their order; a document's rank is its place here.
    documents: Vec<LedgerDocument>,
}

/// What is different from the last update.
struct LedgerChanges {
    /// By rank: true for documents that are new or have changed.
    is_changed: Vec<bool>,
    /// The sketches, before, of documents that have changed or are gone.
    former: Vec<StoredSketch>,
}

/// Documents whose passages are compared.
struct Targets {
    /// By rank: true for documents that have a key which is touched, or have changed.
    is_target: Vec<bool>,
    /// By rank: true for those of which all runs are looked up; nothing is known of them.
    is_changed: Vec<bool>,
    /// Keys of runs that may have another first place than before.
    touched: KeySet,
}

impl LedgerWork<'_> {
    /// Returns the number of changes; `None` if the user has stopped it.
    fn update(&self) -> Result<Option<u64>, StoreError> {
        let changes = self.take_changes()?;
        let new = changes.is_changed.iter().filter(|changed| **changed).count();
        let count = new.max(changes.former.len()) as u64;
        let Some(edges) = self.write_sketches(&changes)? else { return Ok(None) };
        // The lines go from memory before passages need it.
        let has_lines = self.compare_lines(&changes, &edges)?;
        drop(edges);
        let is_done = has_lines
            && self.compare_passages(&changes)?
            && self.compare_documents(&changes)?
            && self.compare_quotes(&changes)?;
        Ok(is_done.then_some(count))
    }

    /// Finds the changes, and removes what is stored for documents that are gone.
    fn take_changes(&self) -> Result<LedgerChanges, StoreError> {
        let mut known = self.table.known_states()?;
        let mut former = Vec::new();
        let mut is_changed = Vec::with_capacity(self.documents.len());
        for document in &self.documents {
            let before = known.remove(&document.file_id);
            is_changed.push(before != Some(document.state));
            if before.is_some_and(|state| state != document.state) {
                former.push(self.table.sketch(document.file_id)?);
            }
        }
        for file_id in known.into_keys() {
            former.push(self.table.sketch(file_id)?);
            self.table.remove(file_id)?;
        }
        Ok(LedgerChanges { is_changed, former })
    }

    /// Writes the sketches of changed documents, and returns their lines; `None` if the user has stopped it.
    fn write_sketches(&self, changes: &LedgerChanges) -> Result<Option<HeldEdges>, StoreError> {
        let ranks = ranks_of(&changes.is_changed);
        let run = self.run;
        let sketch = move |text: &str| {
            let words = WordList::of(text);
            (Sketch::of(&words, run), EdgeLines::of(text, &words))
        };
        let (mut edges, mut bytes) = (HeldEdges::default(), 0);
        let is_done = self.map_texts(&ranks, sketch, |rank, (sketch, lines)| {
            let document = &self.documents[rank as usize];
            self.table.write_sketch(document, &sketch, &lines.keys(document.kind))?;
            bytes += lines.memory();
            if bytes <= EDGES_BYTES {
                edges.insert(rank, lines);
            }
            Ok(())
        })?;
        Ok(is_done.then_some(edges))
    }

    /// Compares the passages of changed documents and of those that share a key with what they have or had before others; false
    /// if the user has stopped it.
    ///
    /// A document that shares only keys whose runs an earlier document has anyway finds them there, before and after.
    fn compare_passages(&self, changes: &LedgerChanges) -> Result<bool, StoreError> {
        let ranks = self.ranks()?;
        let lost = novel_keys(&changes.former, &|_| true);
        let mut targets = self.sharing(&lost, changes, &ranks)?;
        targets
            .is_target
            .iter_mut()
            .zip(&changes.is_changed)
            .for_each(|(target, changed)| *target |= changed);
        targets.is_changed.clone_from(&changes.is_changed);
        if !self.compare_targets(&targets, &ranks)? {
            return Ok(false);
        }
        // What is new before others is known only now.
        let changed = ranks_of(&changes.is_changed);
        if changed.len() == self.documents.len() {
            return Ok(true);
        }
        let sketch = |rank: &u32| self.table.sketch(self.documents[*rank as usize].file_id);
        let sketches = changed.iter().map(sketch).collect::<Result<Vec<_>, _>>()?;
        let gained = novel_keys(&sketches, &|key| !lost.contains(key));
        self.compare_targets(&self.sharing(&gained, changes, &ranks)?, &ranks)
    }

    /// The unchanged documents with one of the keys, and which keys these are.
    fn sharing(&self, keys: &KeySet, changes: &LedgerChanges, ranks: &Ranks) -> Result<Targets, StoreError> {
        let mut is_target = vec![false; self.documents.len()];
        let mut touched = keys.emptied();
        if !keys.is_empty() {
            self.table.each_sketch(&mut |file_id, own, _| {
                let Some(rank) = ranks.get(&file_id).map(|rank| *rank as usize) else { return };
                if !changes.is_changed[rank] {
                    for (key, _) in own.filter(|(key, _)| keys.contains(*key)) {
                        is_target[rank] = true;
                        touched.insert(key);
                    }
                }
            })?;
        }
        Ok(Targets { is_target, is_changed: vec![false; self.documents.len()], touched })
    }

    /// The rank of each document.
    fn ranks(&self) -> Result<Ranks, StoreError> {
        Ok((0..).zip(&self.documents).map(|(rank, document)| (document.file_id, rank)).collect())
    }
}

/// The keys of runs that no document before these has, as far as they are wanted.
fn novel_keys(sketches: &[StoredSketch], is_wanted: &dyn Fn(SketchKey) -> bool) -> KeySet {
    let keys = || {
        let all = sketches.iter().flat_map(|sketch| &sketch.keys);
        all.filter(|(key, is_novel)| *is_novel && is_wanted(*key)).map(|(key, _)| *key)
    };
    let mut set = KeySet::for_keys(keys().count(), MEMORY_BYTES / 8);
    for key in keys() {
        set.insert(key);
    }
    set
}

/// Ranks by the ids of documents.
type Ranks = rustc_hash::FxHashMap<i64, u32>;

fn ranks_of(chosen: &[bool]) -> Vec<u32> {
    (0..).zip(chosen).filter(|(_, is_chosen)| **is_chosen).map(|(rank, _)| rank).collect()
}

/// Pairs of neighbouring parts of a signature, which nearly equal documents share at least one of.
fn bands(signature: &Signature) -> impl Iterator<Item = u64> + '_ {
    (0_u64..)
        .zip(signature.chunks_exact(2))
        .map(|(band, pair)| band << 32 | u64::from(pair[0]) << 16 | u64::from(pair[1]))
}

type BandSet = HashSet<u64, rustc_hash::FxBuildHasher>;

#[cfg(test)]
mod tests;
