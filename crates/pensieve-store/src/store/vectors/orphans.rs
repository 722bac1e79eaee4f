//! Vectors of chunks that are gone: kept for some runs, because chunks come back.

use super::table::VectorTable;
use crate::store::database::error::StoreError;
use crate::store::rows::sql::Queries;
use rusqlite::Connection;

impl VectorTable<'_> {
    /// Removes the vectors of chunks that have been gone for at least this many runs, and returns their number.
    ///
    /// Cost: one look-up for each chunk that was removed while it had vectors.
    pub fn drop_orphans(&self, keep_runs: u32) -> Result<u64, StoreError> {
        self.0.ask(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let dropped = drop_orphans(&transaction, keep_runs)?;
            transaction.commit()?;
            Ok(dropped)
        })
    }

    /// The number of chunks that were removed while they had vectors: at most so many vectors belong to no chunk.
    pub fn orphan_count(&self) -> Result<usize, StoreError> {
        let sql = "SELECT count(*) FROM vector_orphans";
        self.0.ask(|connection| connection.one(sql, [], |row| Ok(row.get::<_, i64>(0)? as usize)))
    }
}

fn drop_orphans(connection: &Connection, keep_runs: u32) -> rusqlite::Result<u64> {
    connection.run(
        "DELETE FROM vector_orphans AS o
         WHERE EXISTS (SELECT 1 FROM chunks c WHERE c.content_hash = o.content_hash)",
        [],
    )?;
    let dropped = connection.run(
        "DELETE FROM vectors WHERE content_hash IN (SELECT content_hash FROM vector_orphans
           WHERE run_id + ?1 <= (SELECT coalesce(max(run_id), 0) FROM runs))",
        [keep_runs],
    )?;
    connection.run(
        "DELETE FROM vector_orphans AS o
         WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.content_hash = o.content_hash)",
        [],
    )?;
    Ok(dropped as u64)
}
