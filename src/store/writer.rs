//! The one door through which a run writes: the table of contents first, then one file after the other, in batches.

use super::chunks::{Batch, ChunkRow};
use super::content::{self, TextPart};
use super::files::{self, FileState, NewFile};
use super::groups::{self, Recipes};
use super::members::{self, FormerUids, NewMember};
use super::outcome::{self, Outcome};
use super::owed::Owed;
use super::roots::Root;
use super::task::{Task, TaskKind};
use super::{Store, StoreError, load, meta, unspaced, versions};
use crate::scan::Entry;
use pensieve_text::model::{ContentHash, DuplicateStatus, Problem, ProcessingStatus};
use rusqlite::{Connection, params};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// A batch is committed when it holds this much text, or is this old: what a power cut can cost.
const BATCH_BYTES: usize = 24 * 1024 * 1024;
const BATCH_AGE: Duration = Duration::from_secs(5);

/// Takes back what was written since a file was begun.
const RETURN: &str = "ROLLBACK TO before_file; RELEASE before_file";

/// What belongs to every chunk and text that a run writes.
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
    /// Keep the search table.
    pub search: bool,
}

/// What one file added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Added {
    /// Chunks of the file.
    pub chunks: u64,
    /// Those that no file had before.
    pub new_chunks: u64,
    /// Tokens of those.
    pub new_tokens: u64,
}

/// Writes on behalf of one run. Nothing is visible to others before a commit; dropping it loses the open batch only.
pub struct Writer<'s> {
    store: &'s mut Store,
    options: WriterOptions,
    recipes: &'s dyn Recipes,
    owed: Owed,
    /// The database had no chunks when the run began: a row that waits has nothing stored.
    is_first: bool,
    open_since: Option<Instant>,
    bytes: usize,
    current: Option<Current>,
}

struct Current {
    work: Work,
    /// Rows of the members so far, by their paths; of those alone whose content is theirs.
    members: HashMap<String, i64>,
    /// Names that what lies inside it had.
    former: FormerUids,
    /// The member that is being written.
    member: Option<Work>,
    /// Its stored texts are all that the work needs: until it has ended they can be had back.
    can_return: bool,
}

/// A row that is being given its content.
struct Work {
    file_id: i64,
    raw_segments: usize,
    clean_segments: usize,
    added: Added,
}

impl Work {
    fn new(file_id: i64) -> Work {
        Work { file_id, raw_segments: 0, clean_segments: 0, added: Added::default() }
    }
}

impl Current {
    fn innermost(&mut self) -> &mut Work {
        self.member.as_mut().unwrap_or(&mut self.work)
    }
}

impl<'s> Writer<'s> {
    /// A writer; a database without chunks enters a load, one whose load was cut off goes on with it.
    pub fn new(
        store: &'s mut Store,
        options: WriterOptions,
        recipes: &'s dyn Recipes,
    ) -> Result<Writer<'s>, StoreError> {
        let path = store.path.clone();
        let mut begin = || {
            let had = content::has_search(&store.connection)?;
            meta::set(&store.connection, "fts", if options.search { "on" } else { "off" })?;
            unspaced::prepare(&mut store.connection, options.search)?;
            let resumed = load::is_open(&store.connection)?;
            let table = load::begin(&mut store.connection)?;
            if table.is_none() && had != options.search {
                switch_search(&store.connection, options.search)?;
            }
            let is_first = table.is_some() && !resumed;
            Ok((table, is_first))
        };
        let (table, is_first) =
            begin().map_err(|error: rusqlite::Error| StoreError::from(error).at(&path))?;
        let owed = Owed::new(table);
        Ok(Writer { store, options, recipes, owed, is_first, open_since: None, bytes: 0, current: None })
    }

    /// The database, for reading what is committed or in the open batch.
    pub fn store(&self) -> &Store {
        self.store
    }

    /// Adds the row of a new entry.
    pub fn add(&mut self, root: &Root, entry: &Entry, new: &NewFile) -> Result<i64, StoreError> {
        self.within(|connection, _| files::add_file(connection, root, entry, new))
    }

    /// Writes what a look at a known entry tells.
    pub fn touch(&mut self, file_id: i64, root: &Root, entry: &Entry) -> Result<(), StoreError> {
        self.within(|connection, _| files::write_entry(connection, file_id, root, entry))
    }

    /// A known file has a new name: its row moves there; a tombstone in the way gives place.
    pub fn rename(&mut self, file_id: i64, root: &Root, entry: &Entry) -> Result<(), StoreError> {
        let recipes = self.recipes;
        self.within(|connection, owed| {
            connection
                .prepare_cached("DELETE FROM files WHERE full_filepath = ?1 AND file_id <> ?2")?
                .execute(params![root.full_path(&entry.path), file_id])?;
            files::write_entry(connection, file_id, root, entry)?;
            content::follow_path(connection, file_id)?;
            let moved = members::follow_parent(connection, file_id)?;
            moved.iter().try_for_each(|hash| groups::settle(connection, hash, None, recipes, owed))
        })
    }

    /// Writes the sniffed MIME type.
    pub fn set_mime(&mut self, file_id: i64, mime: &str) -> Result<(), StoreError> {
        self.within(|connection, _| {
            connection
                .prepare_cached("UPDATE files SET mime_type = ?2 WHERE file_id = ?1 AND mime_type IS NOT ?2")?
                .execute(params![file_id, mime])?;
            Ok(())
        })
    }

    /// Sends a canonical row back to be read: its content goes.
    pub fn send_back(&mut self, file_id: i64) -> Result<(), StoreError> {
        let recipes = self.recipes;
        self.within(|connection, owed| {
            members::drop_document(connection, file_id, recipes, owed)?;
            connection
                .prepare_cached(
                    "UPDATE files SET processing_status = 'Pending', status_reason = NULL, format = NULL,
                            extractor = NULL, estimated_tokens = NULL, settings_hash = NULL WHERE file_id = ?1",
                )?
                .execute([file_id])?;
            match files::state_of(connection, file_id)? {
                Some(file) => groups::follow_canonical(connection, &file),
                None => Ok(()),
            }
        })
    }

    /// Marks a file as gone, with everything that follows for its content and its group.
    pub fn delete(&mut self, file_id: i64) -> Result<(), StoreError> {
        let recipes = self.recipes;
        self.within(|connection, owed| match files::state_of(connection, file_id)? {
            Some(file) => groups::delete_file(connection, &file, recipes, owed),
            None => Ok(()),
        })
    }

    /// Brings the group of a content in order.
    pub fn settle(&mut self, hash: &ContentHash) -> Result<(), StoreError> {
        let recipes = self.recipes;
        self.within(|connection, owed| groups::settle(connection, hash, None, recipes, owed))
    }

    /// True when a living row has this content.
    pub fn has_hash(&self, hash: &ContentHash) -> Result<bool, StoreError> {
        self.store
            .connection
            .prepare_cached("SELECT 1 FROM files WHERE hash = ?1 AND processing_status <> 'Deleted'")
            .and_then(|mut statement| statement.exists([hash.to_hex()]))
            .map_err(|error| self.store.fail(error))
    }

    /// Forgets the problems of paths without a row, before a scan tells the present ones.
    pub fn clear_loose_problems(&mut self, root: &Root) -> Result<(), StoreError> {
        self.within(|connection, _| {
            connection.execute(
                "DELETE FROM errors WHERE substr(path, 1, length(?1) + 1) = ?1 || '/' AND (file_id IS NULL OR file_id IN
                     (SELECT file_id FROM files WHERE file_type NOT IN ('file', 'member')))",
                [&root.path],
            )?;
            Ok(())
        })
    }

    /// Stores a problem of the scan; `file_id` where the path has a row.
    pub fn add_problem(
        &mut self,
        file_id: Option<i64>,
        path: &str,
        problem: &Problem,
    ) -> Result<(), StoreError> {
        let run_id = self.options.run_id;
        self.within(|connection, _| outcome::insert_problem(connection, file_id, run_id, path, problem))
    }

    /// Begins a task; false when the row needs nothing any more (it went away, or is a duplicate by now).
    pub fn start(&mut self, task: &Task) -> Result<bool, StoreError> {
        let recipes = self.recipes;
        let file_id = task.file.file_id;
        let is_again = self.current.as_ref().is_some_and(|current| current.work.file_id == file_id);
        let may_be_blank = self.is_first && !is_again && matches!(task.kind, TaskKind::Read);
        let clean = self.options.clean_version;
        let before = self.current.take();
        if before.as_ref().is_some_and(|current| current.can_return) {
            self.within(|connection, _| connection.execute_batch(RETURN))?;
        }
        let mut former = before.filter(|_| is_again).map(|current| current.former).unwrap_or_default();
        // A load keeps hashes in memory, out of reach of SQLite.
        let can_return = task.kind.works_on_stored_text() && self.owed.chunks.table.is_none();
        let wanted = self.within(|connection, owed| {
            if can_return {
                connection.execute_batch("SAVEPOINT before_file")?;
            }
            let Some(now) = files::state_of(connection, file_id)? else { return Ok(false) };
            if now.status == Some(ProcessingStatus::Deleted) {
                return Ok(false);
            }
            if !may_be_blank && !can_return {
                former.extend(members::former_uids(connection, file_id)?);
            }
            if let TaskKind::Replace { entry, new } = &task.kind {
                return replace_row(connection, &now, entry, new, recipes, owed);
            }
            if now.hash.is_some() && !now.is_canonical {
                return Ok(false);
            }
            if !may_be_blank || now.status != Some(ProcessingStatus::Pending) {
                clear_for(connection, &task.kind, clean, file_id, recipes, owed)?;
            }
            Ok(true)
        })?;
        self.current = wanted.then(|| Current {
            work: Work::new(file_id),
            members: HashMap::new(),
            former,
            member: None,
            can_return,
        });
        if can_return && !wanted {
            self.within(|connection, _| connection.execute_batch(RETURN))?;
        }
        Ok(wanted)
    }

    /// Begins a member of the current file; false when its content is not wanted: another file has its bytes.
    pub fn start_member(&mut self, new: &NewMember) -> Result<bool, StoreError> {
        let recipes = self.recipes;
        let Some(current) = &self.current else { return Ok(false) };
        let parent = match &new.within {
            None => Some(current.work.file_id),
            Some(path) => current.members.get(path).copied(),
        };
        let Some(parent) = parent else { return Ok(false) };
        let former = self.current.as_mut().map(|current| std::mem::take(&mut current.former));
        let former = former.unwrap_or_default();
        let added = self.within(|connection, owed| {
            let file_id = members::add_member(connection, parent, new, &former)?;
            groups::settle(connection, &new.hash, None, recipes, owed)?;
            let row = files::state_of(connection, file_id)?;
            let waits = |row: &FileState| row.is_canonical && row.status == Some(ProcessingStatus::Pending);
            Ok((file_id, row.as_ref().is_some_and(waits)))
        });
        if let Some(current) = &mut self.current {
            current.former = former;
        }
        let (file_id, is_wanted) = added?;
        if let Some(current) = self.current.as_mut().filter(|_| is_wanted) {
            current.members.insert(new.path.clone(), file_id);
            current.member = Some(Work::new(file_id));
        }
        Ok(is_wanted)
    }

    /// Ends the member that was begun last.
    pub fn finish_member(&mut self, outcome: &Outcome) -> Result<Added, StoreError> {
        match self.current.as_mut().and_then(|current| current.member.take()) {
            Some(work) => self.conclude(&work, outcome),
            None => Ok(Added::default()),
        }
    }

    /// The path of the member that was begun last, below its root.
    pub fn member_path(&self) -> String {
        let member = self.current.as_ref().and_then(|current| current.member.as_ref());
        let row =
            member.and_then(|work| files::state_of(&self.store.connection, work.file_id).ok().flatten());
        row.map(|row| row.relative_path).unwrap_or_default()
    }

    /// Stores the next stretch of the current file's text.
    pub fn text(&mut self, part: &TextPart) -> Result<(), StoreError> {
        let (raw, clean) = (self.options.raw_version, self.options.clean_version);
        let Some(work) = self.current.as_mut().map(Current::innermost) else { return Ok(()) };
        let file_id = work.file_id;
        let (version, segment) = match part.variant {
            "raw" => (raw, &mut work.raw_segments),
            _ => (clean, &mut work.clean_segments),
        };
        let number = *segment;
        *segment += 1;
        self.bytes += part.frame.len() + part.map.len();
        self.within(|connection, _| content::add_text(connection, file_id, version, number, part))
    }

    /// Stores the next chunks of the current file.
    pub fn chunks(&mut self, strategy: &str, rows: &[ChunkRow]) -> Result<(), StoreError> {
        let Some(file_id) = self.current.as_mut().map(|current| current.innermost().file_id) else {
            return Ok(());
        };
        let tokenizer = self.options.tokenizer.clone();
        let mut added = Added { chunks: rows.len() as u64, ..Added::default() };
        self.make_room(rows.len())?;
        self.within(|connection, owed| {
            let batch = Batch { file_id, strategy, tokenizer: &tokenizer };
            owed.chunks.add(connection, batch, rows, |chunk| {
                added.new_chunks += 1;
                added.new_tokens += chunk.tokens as u64;
            })
        })?;
        self.bytes += rows.iter().map(|chunk| chunk.content.len()).sum::<usize>();
        if let Some(work) = self.current.as_mut().map(Current::innermost) {
            work.added.chunks += added.chunks;
            work.added.new_chunks += added.new_chunks;
            work.added.new_tokens += added.new_tokens;
        }
        Ok(())
    }

    /// The current file was stopped half way: it is as it was before, where that can be had back, or waits for the next
    /// run.
    pub fn abandon(&mut self) -> Result<(), StoreError> {
        match self.current.take() {
            Some(current) if current.can_return => {
                self.within(|connection, _| connection.execute_batch(RETURN))
            }
            Some(current) => self.send_back(current.work.file_id),
            None => Ok(()),
        }
    }

    /// Ends the current file: its row says what became of it, and its duplicates follow.
    pub fn finish(&mut self, outcome: &Outcome) -> Result<Added, StoreError> {
        let Some(current) = self.current.take() else { return Ok(Added::default()) };
        let added = self.conclude(&current.work, outcome)?;
        if current.can_return {
            self.within(|connection, _| connection.execute_batch("RELEASE before_file"))?;
        }
        if self.bytes >= BATCH_BYTES || self.open_since.is_some_and(|since| since.elapsed() >= BATCH_AGE) {
            self.commit()?;
        }
        Ok(added)
    }

    /// A row says what became of it, and its duplicates follow.
    fn conclude(&mut self, work: &Work, outcome: &Outcome) -> Result<Added, StoreError> {
        let (run_id, recipes) = (self.options.run_id, self.recipes);
        self.within(|connection, owed| {
            if outcome.status != Some(ProcessingStatus::Processed) {
                members::drop_document(connection, work.file_id, recipes, owed)?;
            }
            outcome::write_outcome(connection, work.file_id, outcome, run_id)?;
            match files::state_of(connection, work.file_id)? {
                Some(file) if file.is_canonical && file.duplicate != Some(DuplicateStatus::Unique) => {
                    groups::follow_canonical(connection, &file)
                }
                _ => Ok(()),
            }
        })?;
        Ok(if outcome.status == Some(ProcessingStatus::Processed) { work.added } else { Added::default() })
    }

    /// Makes everything so far durable and visible.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        self.bytes = 0;
        if self.open_since.take().is_some() {
            let connection = &self.store.connection;
            self.owed.pay(connection, self.recipes).map_err(|error| self.store.fail(error))?;
            self.store.connection.execute_batch("COMMIT").map_err(|error| self.store.fail(error))?;
        }
        Ok(())
    }

    /// Commits and, where a load is open, builds what it put off.
    pub fn complete(mut self) -> Result<(), StoreError> {
        self.commit()?;
        if self.owed.chunks.table.take().is_some() {
            load::finish(&mut self.store.connection).map_err(|error| self.store.fail(error))?;
        }
        Ok(())
    }

    /// A table that has reached its share of memory hands over to the index.
    fn make_room(&mut self, coming: usize) -> Result<(), StoreError> {
        if !self.owed.chunks.table.as_ref().is_some_and(|table| table.is_full(coming)) {
            return Ok(());
        }
        self.commit()?;
        self.owed.chunks.table = None;
        load::finish(&mut self.store.connection).map_err(|error| self.store.fail(error))
    }

    fn within<T>(
        &mut self,
        work: impl FnOnce(&Connection, &mut Owed) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        if self.open_since.is_none() {
            self.store.connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.store.fail(error))?;
            self.open_since = Some(Instant::now());
        }
        work(&self.store.connection, &mut self.owed).map_err(|error| self.store.fail(error))
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        if self.open_since.is_some() {
            let _ = self.store.connection.execute_batch("ROLLBACK");
        }
    }
}

/// The search table is filled or emptied when a run changes its mind about it.
fn switch_search(connection: &Connection, wanted: bool) -> rusqlite::Result<()> {
    let command = if wanted { "rebuild" } else { "delete-all" };
    connection.execute("INSERT INTO chunks_fts(chunks_fts) VALUES(?1)", [command])?;
    Ok(())
}

/// Old row out, new row in; true when the file is to be given its content now.
fn replace_row(
    connection: &Connection,
    old: &FileState,
    entry: &Entry,
    new: &NewFile,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<bool> {
    let root = Root {
        root_id: old.root_id,
        path: root_path(connection, old.root_id)?,
        location: root_location(old),
    };
    files::write_entry(connection, old.file_id, &root, entry)?;
    files::write_new(connection, old.file_id, new)?;
    groups::leave_group(connection, old, recipes, owed)?;
    let Some(hash) = &new.hash else { return Ok(true) };
    groups::settle(connection, hash, None, recipes, owed)?;
    let row = files::state_of(connection, old.file_id)?;
    Ok(row.is_some_and(|row| row.is_canonical && row.status == Some(ProcessingStatus::Pending)))
}

fn root_path(connection: &Connection, root_id: i64) -> rusqlite::Result<String> {
    connection
        .prepare_cached("SELECT path FROM roots WHERE root_id = ?1")?
        .query_row([root_id], |row| row.get(0))
}

/// The root's place, from a file's place and its depth below the root.
fn root_location(file: &FileState) -> std::path::PathBuf {
    let below = file.relative_path.split('/').count();
    file.location.ancestors().nth(below).map(std::path::Path::to_path_buf).unwrap_or_default()
}

/// Makes room for what a task will write.
fn clear_for(
    connection: &Connection,
    kind: &TaskKind,
    clean: &str,
    file_id: i64,
    recipes: &dyn Recipes,
    owed: &mut Owed,
) -> rusqlite::Result<()> {
    match kind {
        TaskKind::Replace { .. } | TaskKind::Read => {
            members::drop_document(connection, file_id, recipes, owed)
        }
        TaskKind::Clean { .. } => {
            owed.chunks.loosen(connection, file_id)?;
            versions::drop_version(connection, file_id, clean)
        }
        TaskKind::Recall { version } => {
            owed.chunks.loosen(connection, file_id)?;
            versions::make_current(connection, file_id, version)
        }
        TaskKind::Chunk => owed.chunks.loosen(connection, file_id),
    }
}
