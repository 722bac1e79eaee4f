//! A first, large load: indexes that every row would touch at a random place are built once, at its end.
//!
//! While `meta.load` is set, chunk hashes have no index and the search table is empty; a run that was cut off leaves
//! that mark behind, and the next one goes on from there before anything else.

use super::dedup::ChunkTable;
use super::{Store, StoreError, meta};
use pensieve_text::model::ContentHash;
use rusqlite::Connection;

/// The mark of a load that has not ended.
pub(super) const MARK: &str = "load";

/// True while a load has not ended.
pub(super) fn is_open(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, MARK)?.is_some())
}

/// Starts or resumes a load where that pays: in a database without chunks, or in one whose load was cut off.
/// `None` means that the live indexes stay in use.
pub(super) fn begin(connection: &mut Connection) -> rusqlite::Result<Option<ChunkTable>> {
    if is_open(connection)? {
        return resume(connection);
    }
    let empty = !connection.prepare("SELECT 1 FROM chunks LIMIT 1")?.exists([])?;
    if !empty {
        return Ok(None);
    }
    let transaction = connection.transaction()?;
    transaction.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    meta::set(&transaction, MARK, "open")?;
    transaction.commit()?;
    Ok(Some(ChunkTable::new()))
}

/// Reads the hashes of a load that was cut off back into memory.
fn resume(connection: &mut Connection) -> rusqlite::Result<Option<ChunkTable>> {
    let mut table = ChunkTable::new();
    let mut overfull = false;
    {
        let mut statement =
            connection.prepare("SELECT chunk_id, content_hash FROM chunks ORDER BY chunk_id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get(0)?;
            overfull = table.is_full(1);
            if overfull {
                break;
            }
            if let Ok(hash) = row.get_ref(1)?.as_str()?.parse::<ContentHash>() {
                table.insert(hash.prefix(), id);
            }
        }
    }
    if overfull {
        finish(connection)?;
        return Ok(None);
    }
    connection.execute_batch("DROP INDEX IF EXISTS chunks_by_hash")?;
    Ok(Some(table))
}

/// Builds the search table: terms are gathered in portions that stay in the processor's cache, and merged once at the
/// end. Measured on 184 MB of source: 2.8 s of CPU, against 3.6 s with the settings that suit small changes.
const BUILD_SEARCH: &str = "
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 4194304);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 0);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 1900);
    INSERT INTO chunks_fts(chunks_fts) VALUES('rebuild');
    INSERT INTO chunks_fts(chunks_fts) VALUES('optimize');
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 1048576);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 4);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 16);
";

impl Store {
    /// Ends a load that was cut off.
    pub fn finish_load(&mut self) -> Result<(), StoreError> {
        let mut run = || if is_open(&self.connection)? { finish(&mut self.connection) } else { Ok(()) };
        run().map_err(|error| StoreError::from(error).at(&self.path))
    }
}

/// Ends a load: builds the index on hashes and the search table, and takes the mark away.
pub(super) fn finish(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch("CREATE UNIQUE INDEX IF NOT EXISTS chunks_by_hash ON chunks(content_hash)")?;
    if super::content::has_search(&transaction)? {
        transaction.execute_batch(BUILD_SEARCH)?;
    }
    meta::remove(&transaction, MARK)?;
    transaction.commit()
}
