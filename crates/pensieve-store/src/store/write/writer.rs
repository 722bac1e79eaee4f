//! The single writer of a run: the table of contents first, then one file after the other, in batches.

use super::content::chunk_lines::ChunkLines;
use super::content::chunk_rows::{ChunkBatch, ChunkRow};
use super::content::chunks::ChunkWriter;
use super::content::deferred::DeferredWrites;
use super::files::{self, NewFile};
use super::groups::{self, DuplicateGroups, Recipes};
use super::members::{self, FormerUids, NewMember};
use super::outcome::{self, Outcome};
use super::progress::{AddedChunks, RowInProgress, TaskInProgress};
use super::rows::{clear_for, is_wanted, replace_row};
use super::task::TaskKind;
use super::{content, review};
use crate::scan::ScanEntry;
use crate::store::database::checkpointer::{Checkpointer, leave_checkpoints};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::roots::Root;
use crate::store::database::{journal, meta};
use crate::store::indexes::load::{self, Load};
use crate::store::indexes::search_tables;
use crate::store::read::files::state_of;
use crate::store::rows::digests::FirstDetails;
use crate::store::rows::sql::Queries;
use crate::store::rows::text_packing::PackedSegment;
use pensieve_text::model::{ContentHash, DuplicateStatus, Problem, ProcessingStatus};
use pensieve_text::text::review::ReviewOptions;
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A batch is committed when it has this much text or this age, which bounds the loss by a power cut.
const BATCH_BYTES: usize = 24 * 1024 * 1024;
const BATCH_AGE: Duration = Duration::from_secs(5);

/// Reverts everything written since the current file was started.
const REVERT: &str = "ROLLBACK TO before_file; RELEASE before_file";

/// The properties of every chunk and text that a run writes.
#[derive(Debug, Clone)]
pub struct WriterOptions {
    /// The run's row.
    pub run_id: i64,
    /// Name of the encoding in which chunks are counted.
    pub tokenizer: String,
    /// The raw version that is written.
    pub raw_version: &'static str,
    /// The clean version that is written.
    pub clean_version: &'static str,
    /// True if the search tables are kept.
    pub search: bool,
    /// How many threads the run may use; with several, some of them take work off the one that writes.
    pub threads: usize,
    /// How many runs the journal of changes keeps, this one included.
    pub journal_runs: u64,
}

/// Writes on behalf of one run. Nothing is visible to others before a commit; dropping it loses only the open batch.
pub struct Writer<'s> {
    store: &'s mut Store,
    options: WriterOptions,
    recipes: &'s dyn Recipes,
    deferred: DeferredWrites,
    /// True if the database had no chunks when the run began: pending rows have no stored content.
    is_first: bool,
    open_since: Option<Instant>,
    bytes: usize,
    current: Option<TaskInProgress>,
    /// Copies committed pages beside a run with several threads; started by its first large commit.
    checkpointer: Option<Checkpointer>,
}

impl<'s> Writer<'s> {
    /// A writer; it starts a load in a database without chunks, or resumes an interrupted one.
    pub fn new(
        store: &'s mut Store,
        options: WriterOptions,
        recipes: &'s dyn Recipes,
    ) -> Result<Writer<'s>, StoreError> {
        let (load, is_first) = store.ask(|connection| {
            let had_search = meta::has_search(connection)?;
            meta::set(connection, "fts", if options.search { "on" } else { "off" })?;
            search_tables::prepare_derived(connection, options.search)?;
            let is_resumed = meta::is_loading(connection)?;
            let load = load::begin(connection, options.threads)?;
            if load.is_none() {
                journal::begin(connection, options.run_id)?;
            }
            if load.is_none() && had_search != options.search {
                search_tables::switch(connection, options.search)?;
            }
            let is_first = load.is_some() && !is_resumed;
            // In an empty database there is nothing to refer to but what this run writes, in order; names come from enums.
            if is_first && !connection.has("SELECT 1 FROM files LIMIT 1", [])? {
                check_constraints(connection, false)?;
            }
            Ok((load, is_first))
        })?;
        let deferred = DeferredWrites::new(ChunkWriter::new(load), store.changed_files.clone());
        Ok(Writer {
            store,
            options,
            recipes,
            deferred,
            is_first,
            open_since: None,
            bytes: 0,
            current: None,
            checkpointer: None,
        })
    }

    /// The database, to read committed rows and those of the open batch.
    pub fn store(&self) -> &Store {
        self.store
    }

    /// Reviews all stored texts by these thresholds, if they were reviewed by others.
    pub fn review_again(&mut self, options: &ReviewOptions) -> Result<(), StoreError> {
        if self.store.ask(|connection| review::is_done(connection, options))? {
            return Ok(());
        }
        self.within(|groups| review::apply(groups.connection, options, &mut groups.deferred.chunks.changed))
    }

    /// Adds the row of a new entry.
    pub fn add_file(&mut self, root: &Root, entry: &ScanEntry, new: &NewFile) -> Result<i64, StoreError> {
        self.settle_many_rows()?;
        self.within(|groups| {
            let changed = &groups.deferred.changed_files;
            files::add_file(groups.connection, root, entry, new, changed)
        })
    }

    /// Writes what the scan found about a known entry.
    pub fn update_entry(&mut self, file_id: i64, root: &Root, entry: &ScanEntry) -> Result<(), StoreError> {
        self.settle_many_rows()?;
        self.within(|groups| files::write_entry(groups.connection, file_id, root, entry))
    }

    /// Moves the row of a renamed file to its new path; a tombstone at that path is removed.
    pub fn rename(&mut self, file_id: i64, root: &Root, entry: &ScanEntry) -> Result<(), StoreError> {
        self.within(|groups| {
            let connection = groups.connection;
            let sql = "DELETE FROM files WHERE full_filepath = ?1 AND file_id <> ?2";
            connection.run(sql, params![root.full_path(&entry.path), file_id])?;
            files::write_entry(connection, file_id, root, entry)?;
            content::update_problem_path(connection, file_id)?;
            let moved = members::update_member_paths(connection, file_id)?;
            moved.iter().try_for_each(|hash| groups.settle(hash))
        })
    }

    /// Writes the sniffed MIME type.
    pub fn set_mime(&mut self, file_id: i64, mime: &str) -> Result<(), StoreError> {
        let sql = "UPDATE files SET mime_type = ?2 WHERE file_id = ?1 AND mime_type IS NOT ?2";
        self.within(|groups| groups.connection.run(sql, params![file_id, mime]).map(drop))
    }

    /// Marks a row whose folder could not be read, or removes the mark. Its content stays.
    pub fn set_reachable(&mut self, file_id: i64, is_reachable: bool) -> Result<(), StoreError> {
        let reason = (!is_reachable).then_some("its folder could not be read; this is what was read before");
        let sql = "UPDATE files SET status_reason = ?2 WHERE file_id = ?1";
        self.within(|groups| groups.connection.run(sql, params![file_id, reason]).map(drop))
    }

    /// Marks a canonical row as pending again and removes its content.
    pub fn reset(&mut self, file_id: i64) -> Result<(), StoreError> {
        self.within(|groups| {
            groups.drop_document(file_id)?;
            groups.connection.run(
                "UPDATE files SET processing_status = 'Pending', status_reason = NULL, format = NULL,
                        extractor = NULL, estimated_tokens = NULL, settings_hash = NULL WHERE file_id = ?1",
                [file_id],
            )?;
            match state_of(groups.connection, file_id)? {
                Some(file) => groups::follow_canonical(groups.connection, &file),
                None => Ok(()),
            }
        })
    }

    /// Marks a file as deleted, and updates its content and its group.
    pub fn delete_file(&mut self, file_id: i64) -> Result<(), StoreError> {
        self.settle_many_rows()?;
        self.within(|groups| match state_of(groups.connection, file_id)? {
            Some(file) => groups.delete_file(&file),
            None => Ok(()),
        })
    }

    /// Settles the group of a content.
    pub fn settle(&mut self, hash: &ContentHash) -> Result<(), StoreError> {
        self.within(|groups| groups.settle(hash))
    }

    /// True if a living row has this content.
    pub fn has_hash(&self, hash: &ContentHash) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM files WHERE hash = ?1 AND processing_status <> 'Deleted'";
        self.store.ask(|connection| connection.has(sql, [hash.to_hex()]))
    }

    /// Removes the problems of paths without a row, before a scan adds the current ones; only those of relative paths
    /// at which the scan looks.
    pub fn clear_loose_problems(
        &mut self,
        root: &Root,
        is_scanned: &dyn Fn(&str) -> bool,
    ) -> Result<(), StoreError> {
        let sql = "SELECT error_id, file_id, substr(path, length(?1) + 2) FROM errors
                   WHERE substr(path, 1, length(?1) + 1) = ?1 || '/' AND (file_id IS NULL
                     OR file_id IN (SELECT file_id FROM files WHERE file_type NOT IN ('file', 'member')))";
        self.within(|groups| {
            let loose: Vec<(i64, Option<i64>, String)> =
                groups
                    .connection
                    .rows(sql, [&root.path], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            for (error_id, file_id, _) in loose.iter().filter(|(_, _, path)| is_scanned(path)) {
                groups.connection.run("DELETE FROM errors WHERE error_id = ?1", [error_id])?;
                file_id.iter().for_each(|file_id| groups.deferred.chunks.changed.note(*file_id));
            }
            Ok(())
        })
    }

    /// Stores a problem of the scan; `file_id` is given if the path has a row.
    pub fn add_problem(
        &mut self,
        file_id: Option<i64>,
        path: &str,
        problem: &Problem,
    ) -> Result<(), StoreError> {
        let run_id = self.options.run_id;
        self.within(|groups| {
            file_id.into_iter().for_each(|file_id| groups.deferred.chunks.changed.note(file_id));
            outcome::insert_problem(groups.connection, file_id, run_id, path, problem)
        })
    }

    /// Begins a task; false if the row needs no more work (it was removed, or has become a duplicate).
    pub fn start(&mut self, file_id: i64, kind: &TaskKind) -> Result<bool, StoreError> {
        let before = self.current.take();
        let is_again = before.as_ref().is_some_and(|current| current.row.file_id == file_id);
        if before.as_ref().is_some_and(|current| current.can_revert) {
            self.revert()?;
        }
        let mut former = before.filter(|_| is_again).map(|current| current.former).unwrap_or_default();
        let is_loading = self.deferred.chunks.is_loading();
        let may_be_blank = self.is_first && !is_again && matches!(kind, TaskKind::Read);
        let clean = self.options.clean_version;
        let (mut is_blank, mut is_unique, mut can_revert) = (false, false, false);
        let is_wanted = self.within(|groups| {
            let connection = groups.connection;
            let Some(now) = state_of(connection, file_id)? else { return Ok(false) };
            if now.status == Some(ProcessingStatus::Deleted) {
                return Ok(false);
            }
            // Text of the same bytes stays if they cannot be read or worked on again.
            let is_again = matches!(kind, TaskKind::Read) && now.status == Some(ProcessingStatus::Processed);
            // Its stored text may be all that is left of a file.
            can_revert = !is_loading && (kind.works_on_stored_text() || is_again);
            if can_revert {
                connection.execute_batch("SAVEPOINT before_file")?;
            }
            if !may_be_blank && !kind.works_on_stored_text() {
                former.extend(members::former_uids(connection, file_id)?);
            }
            if let TaskKind::Replace { entry, new } = kind {
                return replace_row(groups, &now, entry, new);
            }
            if now.hash.is_some() && !now.is_canonical {
                return Ok(false);
            }
            is_blank = may_be_blank && now.status == Some(ProcessingStatus::Pending);
            is_unique = is_blank && now.duplicate == Some(DuplicateStatus::Unique);
            if !is_blank {
                clear_for(groups, kind, clean, file_id)?;
            }
            Ok(true)
        })?;
        self.current = is_wanted.then(|| TaskInProgress {
            row: RowInProgress { is_blank, is_unique, ..RowInProgress::new(file_id) },
            members: HashMap::new(),
            former,
            member: None,
            can_revert,
        });
        if can_revert && !is_wanted {
            self.revert()?;
        }
        Ok(is_wanted)
    }

    /// Begins a member of the current file; false if its content is not needed, because another file has its bytes.
    pub fn start_member(&mut self, new: &NewMember) -> Result<bool, StoreError> {
        let Some(mut current) = self.current.take() else { return Ok(false) };
        let parent = match &new.within {
            None => Some(current.row.file_id),
            Some(path) => current.members.get(path).copied(),
        };
        let added = parent.map(|parent| self.add_member(parent, new, &current.former)).transpose();
        if let Ok(Some((file_id, true))) = added {
            current.members.insert(new.path.clone(), file_id);
            current.member = Some(RowInProgress::new(file_id));
        }
        self.current = Some(current);
        Ok(added?.is_some_and(|(_, is_wanted)| is_wanted))
    }

    /// Adds the row of a member; true if its content is to be written.
    fn add_member(
        &mut self,
        parent: i64,
        new: &NewMember,
        former: &FormerUids,
    ) -> Result<(i64, bool), StoreError> {
        self.within(|groups| {
            let file_id = members::add_member(groups.connection, parent, new, former)?;
            groups.settle(&new.hash)?;
            Ok((file_id, is_wanted(groups.connection, file_id)?))
        })
    }

    /// Ends the member that was started last.
    pub fn finish_member(&mut self, outcome: &Outcome) -> Result<AddedChunks, StoreError> {
        match self.current.as_mut().and_then(|current| current.member.take()) {
            Some(row) => self.conclude(row, outcome),
            None => Ok(AddedChunks::default()),
        }
    }

    /// The path, below its root, of the member that was started last; empty without one.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn member_path(&self) -> Result<String, StoreError> {
        let member = self.current.as_ref().and_then(|current| current.member.as_ref());
        let Some(file_id) = member.map(|row| row.file_id) else { return Ok(String::new()) };
        let row = self.store.ask(|connection| state_of(connection, file_id))?;
        Ok(row.map(|row| row.relative_path).unwrap_or_default())
    }

    /// Stores the next segment of the current file's text.
    pub fn add_text(&mut self, packed: &PackedSegment) -> Result<(), StoreError> {
        let (raw, clean) = (self.options.raw_version, self.options.clean_version);
        let Some(row) = self.current.as_mut().map(TaskInProgress::innermost) else { return Ok(()) };
        let file_id = row.file_id;
        let (version, segments) = match packed.variant {
            "raw" => (raw, &mut row.raw),
            _ => (clean, &mut row.clean),
        };
        let number = segments.count;
        segments.count += 1;
        segments.maps.update(&packed.map);
        self.bytes += packed.frame.len() + packed.map.len();
        self.within(|groups| content::add_text(groups.connection, file_id, version, number, packed))
    }

    /// Stores the next chunks of the current file.
    pub fn add_chunks(&mut self, strategy: &str, rows: Vec<ChunkRow>) -> Result<(), StoreError> {
        let Some(file_id) = self.current.as_mut().map(|current| current.innermost().file_id) else {
            return Ok(());
        };
        let tokenizer = self.options.tokenizer.clone();
        let mut added = AddedChunks { chunks: rows.len() as u64, ..AddedChunks::default() };
        self.make_room(rows.len())?;
        self.bytes += rows.iter().map(|chunk| chunk.content.len()).sum::<usize>();
        self.within(|groups| {
            let batch = ChunkBatch { file_id, strategy, tokenizer: &tokenizer };
            groups.deferred.chunks.add(groups.connection, batch, rows, |chunk| {
                added.new_chunks += 1;
                added.new_tokens += chunk.tokens as u64;
            })
        })?;
        if let Some(row) = self.current.as_mut().map(TaskInProgress::innermost) {
            row.added.chunks += added.chunks;
            row.added.new_chunks += added.new_chunks;
            row.added.new_tokens += added.new_tokens;
        }
        Ok(())
    }

    /// True if the current file can be as it was before it was started.
    pub fn can_keep(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.can_revert)
    }

    /// Abandons the current file, whose bytes are as they were and cannot be read again: it stays as it is, with the problem, and is
    /// read again in the next run. One that [cannot be kept](Writer::can_keep) waits for that run without its text.
    pub fn keep(&mut self, problem: &Problem) -> Result<(), StoreError> {
        let Some(current) = self.current.as_ref() else { return Ok(()) };
        let (file_id, can_revert) = (current.row.file_id, current.can_revert);
        self.abandon()?;
        if can_revert {
            let run_id = self.options.run_id;
            self.within(|groups| {
                content::drop_problems(groups.connection, file_id, &mut groups.deferred.chunks.changed)?;
                let sql = "SELECT full_filepath FROM files WHERE file_id = ?1";
                let path: String = groups.connection.one(sql, [file_id], |row| row.get(0))?;
                outcome::insert_problem(groups.connection, Some(file_id), run_id, &path, problem)?;
                groups.deferred.chunks.changed.note(file_id);
                groups.connection.run("UPDATE files SET settings_hash = NULL WHERE file_id = ?1", [file_id])
            })?;
            self.end_batch()?;
        }
        Ok(())
    }

    /// Abandons the unfinished current file: it is reverted if possible, otherwise it stays pending for the next run.
    pub fn abandon(&mut self) -> Result<(), StoreError> {
        match self.current.take() {
            Some(current) if current.can_revert => self.revert(),
            Some(current) => self.reset(current.row.file_id),
            None => Ok(()),
        }
    }

    /// Ends the current file: writes its status into its row and its duplicates.
    pub fn finish(&mut self, outcome: &Outcome) -> Result<AddedChunks, StoreError> {
        let Some(current) = self.current.take() else { return Ok(AddedChunks::default()) };
        let added = self.conclude(current.row, outcome)?;
        if current.can_revert {
            self.within(|groups| groups.connection.execute_batch("RELEASE before_file"))?;
        }
        self.end_batch()?;
        Ok(added)
    }

    /// Commits if the open batch is large or old, between two files.
    fn end_batch(&mut self) -> Result<(), StoreError> {
        let is_old = self.open_since.is_some_and(|since| since.elapsed() >= BATCH_AGE);
        match is_old || self.bytes >= BATCH_BYTES {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// Writes the outcome of a row, and gives its duplicates the same status.
    fn conclude(&mut self, row: RowInProgress, outcome: &Outcome) -> Result<AddedChunks, StoreError> {
        let run_id = self.options.run_id;
        let is_processed = outcome.status == Some(ProcessingStatus::Processed);
        let added = row.added;
        self.within(|groups| {
            if !is_processed {
                groups.drop_document(row.file_id)?;
            }
            let changed = &mut groups.deferred.chunks.changed;
            let versions = outcome::write_outcome(groups.connection, &row, outcome, run_id, changed)?;
            let lines = outcome.chunk_lines.clone().and_then(ChunkLines::finish).filter(|_| is_processed);
            let first = row.is_blank.then(|| FirstDetails { versions, tables: outcome.detail_tables() });
            groups.note_content(row.file_id, lines, first);
            match row.is_unique {
                true => Ok(()),
                false => groups.update_duplicates(row.file_id),
            }
        })?;
        Ok(if is_processed { added } else { AddedChunks::default() })
    }

    /// Commits: makes everything written so far durable and visible.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        let is_large = std::mem::take(&mut self.bytes) >= BATCH_BYTES / 2;
        if self.open_since.take().is_none() {
            return Ok(());
        }
        let unfinished = self.current.iter().flat_map(TaskInProgress::file_ids);
        unfinished.for_each(|file_id| self.deferred.chunks.changed.note(file_id));
        let (deferred, recipes) = (&mut self.deferred, self.recipes);
        self.store.ask(|connection| {
            deferred.flush(connection, recipes)?;
            if !deferred.chunks.is_loading() {
                journal::settle(connection)?;
            }
            connection.execute_batch("COMMIT")
        })?;
        if is_large && self.options.threads > 1 {
            let store = &self.store;
            if self.checkpointer.is_none() {
                store.ask(leave_checkpoints)?;
            }
            self.checkpointer.get_or_insert_with(|| Checkpointer::start(&store.path)).request();
        }
        Ok(())
    }

    /// Commits and, if a load is open, builds the index and the search table that it deferred; removes what the journal
    /// need not keep.
    pub fn complete(self) -> Result<(), StoreError> {
        self.complete_with(&mut |_| {})
    }

    /// Like [`Writer::complete`]; `on_progress` gets the share of a load's end that is done, of 1.
    pub fn complete_with(mut self, on_progress: &mut dyn FnMut(f64)) -> Result<(), StoreError> {
        let (run_id, runs) = (self.options.run_id, self.options.journal_runs);
        self.within(|groups| journal::trim(groups.connection, run_id, runs))?;
        self.commit()?;
        match self.deferred.chunks.take_load() {
            Some(load) => self.end_load(Some(load), on_progress),
            None => Ok(()),
        }
    }

    /// Ends a load in the middle of a run when its table reaches its memory limit; the index takes over.
    fn make_room(&mut self, coming: usize) -> Result<(), StoreError> {
        if !self.deferred.chunks.is_full(coming) {
            return Ok(());
        }
        self.commit()?;
        let load = self.deferred.chunks.take_load();
        let run_id = self.options.run_id;
        self.end_load(load, &mut |_| {})?;
        self.store.ask(|connection| journal::begin(connection, run_id))
    }

    fn end_load(&self, load: Option<Load>, on_progress: &mut dyn FnMut(f64)) -> Result<(), StoreError> {
        self.store.ask(|connection| {
            load::finish(connection, load, on_progress)?;
            check_constraints(connection, true)
        })
    }

    /// Writes the digests of changed rows if there are many, between two files.
    fn settle_many_rows(&mut self) -> Result<(), StoreError> {
        let deferred = &mut self.deferred;
        match self.current {
            None if self.open_since.is_some() => {
                self.store.ask(|connection| deferred.settle_many_rows(connection))
            }
            _ => Ok(()),
        }
    }

    /// Reverts everything written since the current file was started.
    fn revert(&mut self) -> Result<(), StoreError> {
        self.within(|groups| groups.connection.execute_batch(REVERT))
    }

    /// Runs `work` in the open batch, or begins one.
    fn within<T>(
        &mut self,
        work: impl FnOnce(&mut DuplicateGroups<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        if self.open_since.is_none() {
            self.store.ask(|connection| connection.execute_batch("BEGIN IMMEDIATE"))?;
            self.open_since = Some(Instant::now());
        }
        let (deferred, recipes) = (&mut self.deferred, self.recipes);
        self.store.ask(|connection| work(&mut DuplicateGroups::new(connection, recipes, deferred)))
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        if self.open_since.is_some() {
            let _ = self.store.connection.execute_batch("ROLLBACK");
        }
        let _ = check_constraints(&self.store.connection, true);
    }
}

/// Sets whether SQLite looks up each reference to another row, and compares names with the lists of the schema. It can change
/// only between two transactions.
fn check_constraints(connection: &Connection, is_checked: bool) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", is_checked)?;
    connection.pragma_update(None, "ignore_check_constraints", !is_checked)
}

mod copy_from_shard;
#[cfg(test)]
mod tests;

pub use copy_from_shard::{CopiedDocument, ShardFile};
