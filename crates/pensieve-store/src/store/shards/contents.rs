//! The tables of contents of all shards, joined: which shard has which file, and which files have the same bytes.
//!
//! They are in a temporary database of their own, which SQLite keeps on disk where it is large, so that any number of files
//! takes little memory.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::Queries;
use pensieve_text::model::{ContentHash, DuplicateStatus};
use rusqlite::{Connection, Row, params};
use std::ops::ControlFlow;
use std::path::Path;

const SCHEMA: &str = "
    PRAGMA cache_size = -16384;
    PRAGMA journal_mode = OFF;
    CREATE TABLE entries(
      root INTEGER NOT NULL, path TEXT NOT NULL, shard INTEGER NOT NULL, file_id INTEGER NOT NULL, hash TEXT,
      is_folder INTEGER NOT NULL, PRIMARY KEY(root, path, shard)) WITHOUT ROWID;
    CREATE INDEX entries_by_hash ON entries(hash, root, path) WHERE hash IS NOT NULL;
    BEGIN;
";

/// Entries that are in memory at once.
const PAGE_ROWS: i64 = 4096;

/// One entry of the joined table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardEntry {
    /// The number of its root in the new database, from 1.
    pub root: i64,
    /// Its path below the root, in stored form.
    pub path: String,
    /// The shard that has it.
    pub shard: usize,
    /// Its row there.
    pub file_id: i64,
    hash: Option<ContentHash>,
}

/// The role that a copied row has among the files with its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateRole {
    /// Unique, canonical or duplicate.
    pub status: DuplicateStatus,
    /// Its content.
    pub hash: ContentHash,
}

/// The joined tables of contents.
#[derive(Debug)]
pub struct ShardContents {
    connection: Connection,
}

impl ShardContents {
    /// An empty table.
    pub fn new() -> Result<ShardContents, StoreError> {
        let open = || {
            let connection = Connection::open("")?;
            connection.execute_batch(SCHEMA)?;
            Ok(connection)
        };
        Ok(ShardContents { connection: open().map_err(failure)? })
    }

    /// Adds the living entries of a shard; `roots` has the new number of each of its roots.
    pub fn add(&self, shard: usize, store: &Store, roots: &[(i64, i64)]) -> Result<(), StoreError> {
        let select = "SELECT relative_path, file_id, hash, file_type = 'folder' FROM files
                      WHERE root_id = ?1 AND file_type <> 'member' AND processing_status IS NOT 'Deleted'";
        let insert = "INSERT INTO entries(root, path, shard, file_id, hash, is_folder)
                      VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
        let mut insert = self.connection.prepare_cached(insert).map_err(failure)?;
        let mut add = |root: i64, row: &Row<'_>| {
            let hash: Option<&str> = row.get_ref(2)?.as_str_or_null()?;
            let values = params![
                root,
                row.get_ref(0)?.as_str()?,
                shard as i64,
                row.get::<_, i64>(1)?,
                hash,
                row.get::<_, bool>(3)?
            ];
            insert.execute(values)
        };
        roots.iter().try_for_each(|(known, root)| {
            store.ask(|connection| {
                connection.each(select, [known], |row| {
                    add(*root, row)?;
                    Ok(ControlFlow::Continue(()))
                })
            })
        })
    }

    /// An entry that two shards have, unless it is a folder in both: its path, and the shards.
    pub fn overlap(&self) -> Result<Option<(String, usize, usize)>, StoreError> {
        let sql = "SELECT path, min(shard), max(shard) FROM entries GROUP BY root, path
                   HAVING count(*) > 1 AND NOT min(is_folder) LIMIT 1";
        let found =
            |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize, row.get::<_, i64>(2)? as usize));
        self.connection.first(sql, [], found).map_err(failure)
    }

    /// The entries after this one, in the order of roots and paths; of a folder that several shards have, the first.
    pub fn page_after(&self, last: Option<&ShardEntry>) -> Result<Vec<ShardEntry>, StoreError> {
        let sql = "SELECT root, path, min(shard), file_id, hash FROM entries
                   WHERE (root, path) > (?1, ?2) GROUP BY root, path ORDER BY root, path LIMIT ?3";
        let (root, path) = last.map_or((0, ""), |last| (last.root, last.path.as_str()));
        self.connection.rows(sql, params![root, path, PAGE_ROWS], entry).map_err(failure)
    }

    /// The shard that has a file, and its row there.
    pub fn find(&self, root: i64, path: &str) -> Result<Option<(usize, i64)>, StoreError> {
        let sql = "SELECT shard, file_id FROM entries WHERE root = ?1 AND path = ?2";
        let found = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as usize, row.get(1)?));
        self.connection.first(sql, params![root, path], found).map_err(failure)
    }

    /// The part of an entry in its group of duplicates; `None` if its bytes are not known.
    pub fn duplicate_role(&self, entry: &ShardEntry) -> Result<Option<DuplicateRole>, StoreError> {
        let Some(hash) = entry.hash else { return Ok(None) };
        let sql = "SELECT root, path FROM entries WHERE hash = ?1 ORDER BY root, path LIMIT 2";
        let first: Vec<(i64, String)> = self
            .connection
            .rows(sql, [hash.to_hex()], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(failure)?;
        let is_first = first.first().is_some_and(|(root, path)| (*root, path) == (entry.root, &entry.path));
        let status = match (is_first, first.len() > 1) {
            (true, false) => DuplicateStatus::Unique,
            (true, true) => DuplicateStatus::Canonical,
            (false, _) => DuplicateStatus::Duplicate,
        };
        Ok(Some(DuplicateRole { status, hash }))
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<ShardEntry> {
    let hash: Option<String> = row.get(4)?;
    Ok(ShardEntry {
        root: row.get(0)?,
        path: row.get(1)?,
        shard: row.get::<_, i64>(2)? as usize,
        file_id: row.get(3)?,
        hash: hash.and_then(|hex| hex.parse().ok()),
    })
}

fn failure(error: rusqlite::Error) -> StoreError {
    StoreError::from(error).at(Path::new("temporary table of contents"))
}
