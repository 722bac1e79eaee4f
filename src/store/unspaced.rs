//! The second search table: chunks in scripts that put no space between words.
//!
//! Unlike `chunks_fts` it is kept up in every mode of writing, a first load included: only chunks that need it pay. It
//! keeps no text, so that a row can only be taken out by giving the text that went in.

use super::meta;
use super::search::{has_unspaced, spaced};
use rusqlite::{Connection, params};
use rustc_hash::FxHashSet;

/// In `meta` once every chunk of the database has gone through this table.
const MARK: &str = "fts_unspaced";

/// Enters a new chunk, if it needs to be.
pub(super) fn add(connection: &Connection, chunk_id: i64, content: &str) -> rusqlite::Result<()> {
    if has_unspaced(content) {
        connection
            .prepare_cached("INSERT INTO chunks_fts_unspaced(rowid, content) VALUES(?1, ?2)")?
            .execute(params![chunk_id, spaced(content)])?;
    }
    Ok(())
}

/// Takes a chunk out that is about to go.
pub(super) fn remove(connection: &Connection, chunk_id: i64, content: &str) -> rusqlite::Result<()> {
    if has_unspaced(content) {
        connection
            .prepare_cached(
                "INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced, rowid, content) VALUES('delete', ?1, ?2)",
            )?
            .execute(params![chunk_id, spaced(content)])?;
    }
    Ok(())
}

/// Brings the table in step with the chunks that are there, where a run finds that it is not: search was off, or an
/// older version wrote the database. The change is part of one transaction.
pub(super) fn prepare(connection: &mut Connection, wanted: bool) -> rusqlite::Result<()> {
    let is_kept = meta::get(connection, MARK)?.is_some();
    if is_kept == wanted {
        return Ok(());
    }
    let transaction = connection.transaction()?;
    transaction.execute("INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced) VALUES('delete-all')", [])?;
    match wanted {
        true => {
            fill(&transaction)?;
            meta::set(&transaction, MARK, "on")?;
        }
        false => meta::remove(&transaction, MARK)?,
    }
    transaction.commit()
}

fn fill(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT chunk_id, content FROM chunks ORDER BY chunk_id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        add(connection, row.get(0)?, row.get_ref(1)?.as_str()?)?;
    }
    Ok(())
}

/// Merges the parts of the table.
pub(super) fn optimize(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced) VALUES('optimize')", [])?;
    Ok(())
}

/// True when the table is kept and holds anything. A database of an older version, opened for reading, has none.
pub(super) fn is_used(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, MARK)?.is_some()
        && connection.prepare_cached("SELECT 1 FROM chunks_fts_unspaced_docsize LIMIT 1")?.exists([])?)
}

/// Chunks that the table holds: of some, or, where it holds fewer, all.
pub(super) fn held(connection: &Connection, chunks: &[i64]) -> rusqlite::Result<FxHashSet<i64>> {
    let mut held = connection
        .prepare_cached("SELECT id FROM chunks_fts_unspaced_docsize LIMIT ?1")?
        .query_map([chunks.len() as i64 + 1], |row| row.get(0))?
        .collect::<rusqlite::Result<FxHashSet<i64>>>()?;
    if held.len() <= chunks.len() {
        return Ok(held);
    }
    held.clear();
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM chunks_fts_unspaced_docsize WHERE id = ?1")?;
    for chunk_id in chunks {
        if statement.exists([chunk_id])? {
            held.insert(*chunk_id);
        }
    }
    Ok(held)
}
