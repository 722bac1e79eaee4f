//! Work on the whole database outside of a run: forgetting a root, compacting, finishing an interrupted load.

use super::content::chunks::ChunkWriter;
use super::content::deferred::DeferredWrites;
use super::groups::{DuplicateGroups, Recipes};
use super::threads;
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::database::roots::Root;
use crate::store::database::{journal, meta};
use crate::store::indexes::{load, search_tables};
use crate::store::read::files::state_of;
use crate::store::rows::sql::{Queries, count};
use rusqlite::Connection;

/// Work on the whole database.
pub struct Maintenance<'s>(pub(crate) &'s mut Store);

impl Maintenance<'_> {
    /// Removes a root: its rows, texts, and the chunks that no other root has. Returns the number of removed files.
    ///
    /// Cost: one look-up per chunk of the root.
    pub fn forget(&self, root: &Root, recipes: &dyn Recipes) -> Result<u64, StoreError> {
        let deferred = DeferredWrites::new(ChunkWriter::default(), self.0.changed_files.clone());
        self.0.ask(|connection| {
            search_tables::prepare_derived(connection, meta::has_search(connection)?)?;
            forget(connection, root, recipes, deferred)
        })
    }

    /// Returns free pages to the system. Returns the sizes before and after.
    pub fn compact(&self) -> Result<(u64, u64), StoreError> {
        self.0.ask(|connection| {
            let before = size(connection)?;
            let has_search = meta::has_search(connection)?;
            search_tables::prepare_derived(connection, has_search)?;
            if has_search {
                search_tables::optimize(connection)?;
            }
            connection.execute_batch("VACUUM")?;
            Ok((before, size(connection)?))
        })
    }

    /// Finishes an interrupted load.
    pub fn finish_load(&self) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            if meta::is_loading(connection)? { load::finish(connection, None, &mut |_| {}) } else { Ok(()) }
        })
    }
}

fn forget(
    connection: &Connection,
    root: &Root,
    recipes: &dyn Recipes,
    mut deferred: DeferredWrites,
) -> rusqlite::Result<u64> {
    // As of the run that comes next: a follower who has seen the last run must see this.
    journal::begin(connection, journal::last_run(connection)? + 1)?;
    let transaction = connection.unchecked_transaction()?;
    let files: Vec<i64> = transaction.rows(
        "SELECT file_id FROM files WHERE root_id = ?1 AND file_type = 'file' AND processing_status <> 'Deleted'",
        [root.root_id],
        |row| row.get(0),
    )?;
    // A successor inside the root is removed later and then passes the content on.
    for &file_id in &files {
        if let Some(file) = state_of(&transaction, file_id)? {
            DuplicateGroups::new(&transaction, recipes, &mut deferred).delete_file(&file)?;
        }
    }
    deferred.flush(&transaction, recipes)?;
    transaction.run("DELETE FROM files WHERE root_id = ?1", [root.root_id])?;
    transaction.run(
        "DELETE FROM errors WHERE file_id IS NULL AND substr(path, 1, length(?1) + 1) = ?1 || '/'",
        [&root.path],
    )?;
    meta::remove(&transaction, &meta::scan_key(root.root_id))?;
    meta::remove(&transaction, meta::ROWS)?;
    transaction.run("DELETE FROM roots WHERE root_id = ?1", [root.root_id])?;
    threads::settle(&transaction)?;
    journal::settle(&transaction)?;
    transaction.commit()?;
    Ok(files.len() as u64)
}

/// Bytes of the database.
fn size(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |sql: &str| connection.one(sql, [], |row| count(row, 0));
    Ok(number("PRAGMA page_count")? * number("PRAGMA page_size")?)
}
