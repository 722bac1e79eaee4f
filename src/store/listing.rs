//! Lists in a fixed order: open problems, chunks for export, files by what a person calls them.

use super::files::{FileState, STATE, file_state};
use super::owed::Owed;
use super::places::{ChunkPlace, INSIDE};
use super::{Root, Store, StoreError};
use rusqlite::params;
use serde::Serialize;

/// A row of `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenProblem {
    /// Absolute path in stored form.
    pub path: String,
    /// One of the closed list.
    pub error_type: String,
    /// What happened.
    pub message: String,
    /// When it was found.
    pub timestamp: String,
}

/// A chunk as `export` gives it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportRow {
    /// How outsiders name the chunk.
    pub content_hash: String,
    /// The words.
    pub content: String,
    /// Exact count.
    pub tokens: usize,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// Every place, by path.
    pub sources: Vec<ChunkPlace>,
}

/// Chunks whose places are read at once for an export.
const EXPORT_PORTION: usize = 256;

impl Store {
    /// Open problems, by path.
    pub fn problems(&self) -> Result<Vec<OpenProblem>, StoreError> {
        let read = || -> rusqlite::Result<Vec<OpenProblem>> {
            let mut statement = self.connection.prepare(
                "SELECT path, error_type, error_message, timestamp FROM errors ORDER BY path, error_type, error_id",
            )?;
            let rows = statement.query_map([], problem)?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// Open problems of one file.
    pub fn problems_of(&self, file_id: i64) -> Result<Vec<OpenProblem>, StoreError> {
        let read = || -> rusqlite::Result<Vec<OpenProblem>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT path, error_type, error_message, timestamp FROM errors WHERE file_id = ?1 ORDER BY error_id",
            )?;
            let rows = statement.query_map([file_id], problem)?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// Every chunk once, in the order of its first place: root, path, position.
    ///
    /// Cost: one sorted pass over the places; a few hundred chunks in memory at a time.
    pub fn export(&self, each: &mut dyn FnMut(ExportRow) -> bool) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(
                "SELECT s.chunk_id, min(r.root_id || char(9) || f.relative_path || char(9) || printf('%015d', s.start_index))
                 FROM chunk_sources s JOIN files f USING(file_id) JOIN roots r USING(root_id)
                 GROUP BY s.chunk_id ORDER BY 2",
            )?;
            let mut chunk = self.connection.prepare(
                "SELECT content_hash, content, estimated_tokens, tokenizer_model FROM chunks WHERE chunk_id = ?1",
            )?;
            let mut ids = statement.query_map([], |row| row.get::<_, i64>(0))?;
            loop {
                let portion = ids.by_ref().take(EXPORT_PORTION).collect::<rusqlite::Result<Vec<i64>>>()?;
                if portion.is_empty() {
                    return Ok(());
                }
                let mut places = self.places_of(&portion)?;
                for chunk_id in portion {
                    let mut export = chunk.query_row([chunk_id], |row| {
                        Ok(ExportRow {
                            content_hash: row.get(0)?,
                            content: row.get(1)?,
                            tokens: row.get::<_, i64>(2)? as usize,
                            tokenizer: row.get(3)?,
                            sources: Vec::new(),
                        })
                    })?;
                    export.sources = places.remove(&chunk_id).unwrap_or_default();
                    if !each(export) {
                        return Ok(());
                    }
                }
            }
        };
        read().map_err(|error| self.fail(error))
    }

    /// Files that a person may mean by `name`: the absolute path, the path below a root, or the end of either. What lies
    /// inside a file may be named as it is shown, `mail.eml » 2 » report.pdf`.
    pub fn files_named(&self, absolute: &str, name: &str) -> Result<Vec<FileState>, StoreError> {
        let query = |condition: &str, value: &str| -> rusqlite::Result<Vec<FileState>> {
            let mut statement = self
                .connection
                .prepare(&format!("SELECT {STATE} FROM files WHERE {condition} ORDER BY full_filepath"))?;
            let rows = statement.query_map(params![value], file_state)?;
            rows.collect()
        };
        let plain = |text: &str| text.replace(INSIDE, "/");
        let steps = [
            ("full_filepath = ?1", absolute.to_owned()),
            ("relative_path = ?1", name.to_owned()),
            ("substr(full_filepath, -length(?1) - 1) = '/' || ?1", name.to_owned()),
            ("full_filepath = ?1", plain(absolute)),
            ("substr(full_filepath, -length(?1) - 1) = '/' || ?1", plain(name)),
        ];
        for (condition, value) in steps {
            let found = query(condition, &value).map_err(|error| self.fail(error))?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The canonical file of a file's group, or the file itself.
    pub fn canonical_of(&self, file: &FileState) -> Result<FileState, StoreError> {
        match file.group.filter(|_| !file.is_canonical) {
            Some(canonical) => Ok(self.file(canonical)?.unwrap_or_else(|| file.clone())),
            None => Ok(file.clone()),
        }
    }

    /// Takes a root out: its rows, texts, and the chunks that no other root has. Returns how many files went.
    ///
    /// Cost: one look-up a chunk of the root.
    pub fn forget(&mut self, root: &Root, recipes: &dyn super::Recipes) -> Result<u64, StoreError> {
        let path = self.path.clone();
        let mut run = || -> rusqlite::Result<u64> {
            let transaction = self.connection.transaction()?;
            let files: Vec<i64> = {
                let mut statement = transaction.prepare(
                    "SELECT file_id FROM files WHERE root_id = ?1 AND file_type = 'file'
                       AND processing_status <> 'Deleted'",
                )?;
                let rows = statement.query_map([root.root_id], |row| row.get(0))?;
                rows.collect::<rusqlite::Result<_>>()?
            };
            let mut owed = Owed::default();
            // An heir inside the root passes on what it got when its own turn comes.
            for &file_id in &files {
                if let Some(file) = super::files::state_of(&transaction, file_id)? {
                    super::groups::delete_file(&transaction, &file, recipes, &mut owed)?;
                }
            }
            owed.pay(&transaction, recipes)?;
            transaction.execute("DELETE FROM files WHERE root_id = ?1", [root.root_id])?;
            transaction.execute(
                "DELETE FROM errors WHERE file_id IS NULL AND substr(path, 1, length(?1) + 1) = ?1 || '/'",
                [&root.path],
            )?;
            transaction.execute("DELETE FROM meta WHERE key = 'scan_started:' || ?1", [root.root_id])?;
            transaction.execute("DELETE FROM roots WHERE root_id = ?1", [root.root_id])?;
            super::mails::settle(&transaction)?;
            transaction.commit()?;
            Ok(files.len() as u64)
        };
        run().map_err(|error| StoreError::from(error).at(&path))
    }

    /// Gives free pages back to the system. Returns the size before and after.
    pub fn compact(&mut self) -> Result<(u64, u64), StoreError> {
        let size = || -> rusqlite::Result<u64> {
            let one = |query: &str| self.connection.query_row(query, [], |row| row.get::<_, i64>(0));
            Ok((one("PRAGMA page_count")? * one("PRAGMA page_size")?) as u64)
        };
        let run = || -> rusqlite::Result<(u64, u64)> {
            let before = size()?;
            if super::content::has_search(&self.connection)? {
                self.connection.execute("INSERT INTO chunks_fts(chunks_fts) VALUES('optimize')", [])?;
                super::unspaced::optimize(&self.connection)?;
            }
            self.connection.execute_batch("VACUUM")?;
            Ok((before, size()?))
        };
        run().map_err(|error| self.fail(error))
    }
}

fn problem(row: &rusqlite::Row<'_>) -> rusqlite::Result<OpenProblem> {
    Ok(OpenProblem {
        path: row.get(0)?,
        error_type: row.get(1)?,
        message: row.get(2)?,
        timestamp: row.get(3)?,
    })
}
