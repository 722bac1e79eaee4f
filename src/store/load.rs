//! A first, large load: indexes that every row would update at a random place are built once, at the end of the load.
//!
//! While `meta.load` is set, chunk hashes have no index and the search table is empty. An interrupted run leaves that
//! mark set, and the next run resumes the load before anything else.

use super::chunk_hashes::ChunkHashTable;
use super::schema::LOAD_MARK;
use super::sql::{Queries, while_true};
use super::{journal, meta, search_tables};
use pensieve_text::model::ContentHash;
use rusqlite::Connection;

/// True while a load is unfinished.
pub(super) fn is_open(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, LOAD_MARK)?.is_some())
}

/// Starts a load in a database without chunks, or resumes an interrupted one. `None` means that the live indexes stay
/// in use.
pub(super) fn begin(connection: &Connection) -> rusqlite::Result<Option<ChunkHashTable>> {
    if is_open(connection)? {
        return resume(connection);
    }
    if connection.has("SELECT 1 FROM chunks LIMIT 1", [])? {
        return Ok(None);
    }
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    meta::set(&transaction, LOAD_MARK, "open")?;
    transaction.commit()?;
    Ok(Some(ChunkHashTable::new()))
}

/// Reads the hashes of an interrupted load back into memory.
fn resume(connection: &Connection) -> rusqlite::Result<Option<ChunkHashTable>> {
    let mut table = ChunkHashTable::new();
    let mut is_full = false;
    connection.each("SELECT chunk_id, content_hash FROM chunks ORDER BY chunk_id", [], |row| {
        is_full = table.is_full(1);
        if let Ok(hash) = row.get_ref(1)?.as_str()?.parse::<ContentHash>() {
            table.insert(hash.prefix(), row.get(0)?);
        }
        Ok(while_true(!is_full))
    })?;
    if is_full {
        finish(connection)?;
        return Ok(None);
    }
    connection.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    Ok(Some(table))
}

/// Ends a load: builds the index on hashes and the search table, and removes the mark.
pub(super) fn finish(connection: &Connection) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch("CREATE UNIQUE INDEX IF NOT EXISTS chunks_by_hash ON chunks(content_hash)")?;
    if meta::has_search(&transaction)? {
        search_tables::build(&transaction)?;
    }
    meta::remove(&transaction, LOAD_MARK)?;
    journal::restart(&transaction)?;
    transaction.commit()
}
