//! Merges shards into one database that equals a single run over all of their files.
//!
//! It is a run whose reader is a database: the table of contents is the joined one of all shards, and the documents of its
//! canonical files are copied in the order of paths, through the same writer, with the same groups of duplicates, threads,
//! digests and load. Until it is complete the database has another name; a merge that is stopped goes on from there.

use super::check::{MergeInput, check};
use super::error::MergeError;
use super::summary::MergeSummary;
use pensieve_isolate::platform::flush_folder;
use pensieve_store::repetition::{self, RepetitionSettings};
use pensieve_store::store::{
    FileState, RAW_VERSION, Recipes, Root, ShardEntry, ShardFile, ShardPool, Store, Task, TaskKind,
    Violation, Writer, WriterOptions,
};
use pensieve_store::verify::{self, ProofScope};
use pensieve_text::model::{ContentHash, Observer, ProcessingStatus, ProgressEvent, RunPhase};
use pensieve_text::text::clean::CleanVersion;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};

/// Pending rows that are in memory at once.
const PAGE_ROWS: usize = 4096;

/// What is merged, and where.
#[derive(Debug, Clone)]
pub struct MergeOptions {
    /// The new database.
    pub database: PathBuf,
    /// The shards; the order of their roots is the order of the new database's roots.
    pub shards: Vec<PathBuf>,
}

/// Makes one database of shards.
///
/// # Errors
/// There is a database already, shards do not fit together (then nothing was written), or a database cannot be read or
/// written. An interrupted merge returns its summary with `interrupted` set.
///
/// Cost: each shard is read once; memory does not depend on their number or size.
pub fn merge(options: &MergeOptions, observer: &dyn Observer) -> Result<MergeSummary, MergeError> {
    let started = Instant::now();
    refuse_existing(&options.database)?;
    observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Compare, files: 0, bytes: 0 });
    let mut shards = ShardPool::new(options.shards.clone());
    let input = check(&mut shards)?;
    prove(&mut shards, observer)?;
    let identity = identity(&options.shards)?;
    let place = unfinished_path(&options.database);
    let is_resumed = is_of(&place, &identity)?;
    let mut store = if is_resumed { Store::open_for_writing(&place)? } else { Store::create_anew(&place)? };
    let merging = Merging { input: &input, identity: &identity, is_resumed, observer };
    let result = merging.run(&mut store, &mut shards);
    let closed = store.close();
    let mut summary = result?;
    closed?;
    if !summary.interrupted {
        publish(&place, &options.database)?;
    }
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// Refuses shards that are not as a run makes them: whoever gives one may have changed it.
///
/// Cost: that of `verify` without sources.
fn prove(shards: &mut ShardPool, observer: &dyn Observer) -> Result<(), MergeError> {
    for shard in 0..shards.count() {
        let path = shards.path(shard).clone();
        let mut first = None;
        let mut each = |violation: &Violation| {
            first.get_or_insert_with(|| format!("law {}: {}", violation.law, violation.what));
        };
        let report = verify::run(shards.get(shard)?, ProofScope::Stored, observer, &mut each)?;
        if let Some(first) = first {
            return Err(MergeError::Unsound { path, violations: report.violations, first });
        }
    }
    Ok(())
}

/// The path of a database that is not complete.
fn unfinished_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".merge");
    PathBuf::from(name)
}

fn refuse_existing(database: &Path) -> Result<(), MergeError> {
    match database.symlink_metadata() {
        Ok(_) => Err(MergeError::Exists { path: database.to_owned() }),
        Err(_) => Ok(()),
    }
}

/// What tells these shards, as they are now, from others: a merge of others is not continued.
fn identity(shards: &[PathBuf]) -> Result<String, MergeError> {
    let mut text = env!("CARGO_PKG_VERSION").to_owned();
    for path in shards {
        let failure = |source| MergeError::Io { path: path.clone(), source };
        let real = path.canonicalize().map_err(failure)?;
        let meta = fs::metadata(&real).map_err(failure)?;
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let _ = write!(text, "\0{}\0{}\0{modified:?}", real.display(), meta.len());
    }
    Ok(ContentHash::of(text.as_bytes()).to_hex())
}

/// True if an earlier merge of the same shards has written its table of contents.
fn is_of(place: &Path, identity: &str) -> Result<bool, MergeError> {
    let Some(store) = Store::open_if_there(place)? else { return Ok(false) };
    Ok(store.shard().mark()?.as_deref() == Some(identity))
}

/// Gives the complete database its name.
fn publish(place: &Path, database: &Path) -> Result<(), MergeError> {
    refuse_existing(database)?;
    let failure = |source| MergeError::Io { path: database.to_owned(), source };
    fs::rename(place, database).map_err(failure)?;
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    flush_folder(folder.unwrap_or(Path::new("."))).map_err(failure)
}

/// Members with the same bytes are the same document if their names end alike; files on disk never change hands here.
struct SameExtension;

impl Recipes for SameExtension {
    fn are_equal(&self, owner: &FileState, heir: &FileState) -> bool {
        owner.extension == heir.extension && !owner.extension.is_empty()
    }
}

/// A merge that is being done.
struct Merging<'m> {
    input: &'m MergeInput,
    identity: &'m str,
    is_resumed: bool,
    observer: &'m dyn Observer,
}

impl Merging<'_> {
    fn run(&self, store: &mut Store, shards: &mut ShardPool) -> Result<MergeSummary, MergeError> {
        let mut summary = MergeSummary {
            shards: shards.count() as u64,
            resumed: self.is_resumed,
            ..MergeSummary::default()
        };
        let roots = self.enter_roots(store)?;
        let run_id = store.runs().begin(&self.root_lines(), &self.describe(shards))?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut writer = Writer::new(store, self.writer_options(run_id, threads), &SameExtension)?;
        if !self.is_resumed && self.write_contents(&roots, shards, &mut writer)? {
            writer.commit()?;
            writer.store().shard().set_mark(self.identity)?;
        }
        for root in &roots {
            self.copy_documents(root, shards, &mut writer, &mut summary)?;
        }
        summary.interrupted = self.observer.interrupted();
        if summary.interrupted {
            writer.commit()?;
            writer.store().runs().end(run_id, "interrupted", &as_json(&summary))?;
            return Ok(summary);
        }
        self.observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Finish, files: 0, bytes: 0 });
        for shard in 0..shards.count() {
            writer.copy_loose_problems(shards.get(shard)?)?;
        }
        writer.complete()?;
        store.tables().update(&|| self.observer.interrupted())?;
        self.update_repetition(store, shards)?;
        self.finish(&roots, store, shards, &mut summary)?;
        store.runs().end(run_id, "finished", &as_json(&summary))?;
        store.shard().remove_mark()?;
        Ok(summary)
    }

    /// The roots of the new database, in the order of their numbers.
    fn enter_roots(&self, store: &Store) -> Result<Vec<Root>, MergeError> {
        let known = store.roots().all()?;
        if !known.is_empty() {
            return Ok(known);
        }
        let added = self.input.roots.iter().map(|root| store.roots().add(&root.location));
        Ok(added.collect::<Result<_, _>>()?)
    }

    /// Makes the ledger of repetition, as the first shard that has one does.
    fn update_repetition(&self, store: &Store, shards: &mut ShardPool) -> Result<(), MergeError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for shard in 0..shards.count() {
            if let Some(settings) = RepetitionSettings::of(shards.get(shard)?)? {
                repetition::update(store, settings, threads, self.observer)?;
                break;
            }
        }
        Ok(())
    }

    fn root_lines(&self) -> String {
        let paths: Vec<&str> = self.input.roots.iter().map(|root| root.path.as_str()).collect();
        paths.join("\n")
    }

    /// The settings as JSON for `runs`.
    fn describe(&self, shards: &ShardPool) -> String {
        let settings = &self.input.settings;
        serde_json::json!({
            "command": "merge",
            "shards": shards.count(),
            "tokenizer_model": settings.tokenizer,
            "chunk_size": settings.chunk_size,
            "chunk_overlap": settings.chunk_overlap,
            "clean_version": settings.clean_version,
            "fts": self.input.has_search,
        })
        .to_string()
    }

    fn writer_options(&self, run_id: i64, threads: usize) -> WriterOptions {
        let version = CleanVersion::from_name(&self.input.settings.clean_version);
        WriterOptions {
            run_id,
            tokenizer: self.input.settings.tokenizer.clone(),
            // Texts are copied with the versions that they have.
            raw_version: RAW_VERSION,
            clean_version: version.unwrap_or(CleanVersion::V1).as_str(),
            search: self.input.has_search,
            threads,
            journal_runs: 1,
        }
    }

    /// Writes a row for every entry of every shard, in the order of paths; false if the user stopped it.
    fn write_contents(
        &self,
        roots: &[Root],
        shards: &mut ShardPool,
        writer: &mut Writer<'_>,
    ) -> Result<bool, MergeError> {
        let mut last: Option<ShardEntry> = None;
        loop {
            let page = self.input.contents.page_after(last.as_ref())?;
            if page.is_empty() || self.observer.interrupted() {
                return Ok(page.is_empty());
            }
            for entry in &page {
                let role = self.input.contents.duplicate_role(entry)?;
                let root = &roots[entry.root as usize - 1];
                writer.copy_entry(root.root_id, shards.get(entry.shard)?, entry.file_id, role)?;
                self.observer.on_event(&ProgressEvent::Scanned { path: &entry.path, hashed: 0 });
            }
            last = page.into_iter().last();
        }
    }

    /// Copies the content of every file of a root that waits for it, in the order of paths.
    fn copy_documents(
        &self,
        root: &Root,
        shards: &mut ShardPool,
        writer: &mut Writer<'_>,
        summary: &mut MergeSummary,
    ) -> Result<(), MergeError> {
        let (files, bytes) = writer.store().planning().pending_total(root.root_id)?;
        self.observer.on_event(&ProgressEvent::PhaseStarted { phase: RunPhase::Content, files, bytes });
        let mut after = String::new();
        loop {
            let page = writer.store().planning().pending_files(root.root_id, &after, PAGE_ROWS)?;
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(&last.relative_path);
            for file in page {
                if self.observer.interrupted() {
                    return Ok(());
                }
                self.copy_document(file, shards, writer, summary)?;
            }
        }
    }

    fn copy_document(
        &self,
        file: FileState,
        shards: &mut ShardPool,
        writer: &mut Writer<'_>,
        summary: &mut MergeSummary,
    ) -> Result<(), MergeError> {
        let (path, bytes) = (file.relative_path.clone(), file.size);
        let Some((shard, file_id)) = self.input.contents.find(file.root_id, &path)? else {
            return Err(MergeError::Differs { file: path });
        };
        self.observer.on_event(&ProgressEvent::Reading { path: &path });
        let task = Task { file, kind: TaskKind::Read, problem: None, bytes: None };
        let from = ShardFile { store: shards.get(shard)?, file_id };
        let Some(document) = writer.copy_document(&task, from)? else { return Ok(()) };
        summary.copied += 1;
        summary.bytes += bytes;
        summary.members += document.members;
        summary.unread += document.unread;
        summary.chunks += document.added.chunks;
        summary.unique_chunks += document.added.new_chunks;
        self.observer.on_event(&ProgressEvent::Stored {
            path: &path,
            status: ProcessingStatus::Processed,
            bytes,
            chunks: document.added.chunks,
            new_chunks: document.added.new_chunks,
        });
        Ok(())
    }

    /// Copies what belongs to the database as a whole, and proves that the copies are as the shards have them.
    fn finish(
        &self,
        roots: &[Root],
        store: &Store,
        shards: &mut ShardPool,
        summary: &mut MergeSummary,
    ) -> Result<(), MergeError> {
        store.meta().set_corpus_settings(&self.input.settings)?;
        let mut answers = BTreeMap::new();
        for shard in 0..shards.count() {
            let shard = shards.get(shard)?;
            summary.vectors += store.shard().copy_vectors(shard)?;
            answers.extend(shard.meta().converter_versions()?);
            if let Some(mode) = shard.meta().search_mode()? {
                store.meta().set_search_mode(mode)?;
            }
        }
        if !answers.is_empty() {
            store.meta().set_converter_versions(&answers)?;
        }
        for root in roots {
            if let Some(scanned) = earliest_scan(root, shards)? {
                store.meta().set_last_scan(root.root_id, scanned)?;
            }
            let totals = store.planning().totals(root.root_id)?;
            summary.files += totals.files;
            summary.duplicates += totals.duplicates;
        }
        if let Some(file) = store.shard().first_difference(&self.input.contents, shards)? {
            return Err(MergeError::Differs { file });
        }
        summary.fingerprint = Some(store.listings().fingerprint()?.root.to_hex());
        Ok(())
    }
}

/// When the first of the shards with this root was scanned: what was touched later may have changed without a trace.
/// `None` if one of them does not know.
fn earliest_scan(root: &Root, shards: &mut ShardPool) -> Result<Option<(i64, u32)>, MergeError> {
    let mut earliest = None;
    for shard in 0..shards.count() {
        let store = shards.get(shard)?;
        let Some(known) = store.roots().all()?.into_iter().find(|known| known.path == root.path) else {
            continue;
        };
        let Some(scanned) = store.meta().last_scan(known.root_id)? else { return Ok(None) };
        earliest = Some(earliest.map_or(scanned, |before: (i64, u32)| before.min(scanned)));
    }
    Ok(earliest)
}

fn as_json(summary: &MergeSummary) -> String {
    serde_json::to_string(summary).unwrap_or_default()
}
