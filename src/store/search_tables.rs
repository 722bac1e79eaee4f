//! The two search tables: `chunks_fts` of every chunk, and `chunks_fts_unspaced` of the chunks in scripts that put no
//! space between words.
//!
//! A first load leaves `chunks_fts` empty until its end. The second table stores no text, so removing a row requires the
//! text that was inserted.

use super::meta;
use super::query::characters::{has_unspaced, spaced};
use super::sql::Queries;
use rusqlite::{Connection, params};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// The key of `meta` that is set once every chunk of the database was considered for `chunks_fts_unspaced`.
const UNSPACED_MARK: &str = "fts_unspaced";

const EMPTY_UNSPACED: &str = "INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced) VALUES('delete-all')";

/// Before `chunks_fts` is built: terms are collected in portions that fit the processor's cache, and merged once at the
/// end. Measured on 184 MB of source: 2.8 s of CPU, against 3.6 s with the settings that suit small changes.
const BEGIN_BUILD: &str = "
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 4194304);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 0);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 1900);
    INSERT INTO chunks_fts(chunks_fts) VALUES('delete-all');
";

/// After its rows: merges their segments.
const END_BUILD: &str = "
    INSERT INTO chunks_fts(chunks_fts) VALUES('optimize');
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('hashsize', 1048576);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 4);
    INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 16);
";

/// Rows that are added between two reports of progress.
const BUILD_ROWS: i64 = 10_000;

/// Builds the table of all chunks, at the end of a load; `on_progress` gets the share of the chunks that are in it.
pub(super) fn build(connection: &Connection, on_progress: &mut dyn FnMut(f64)) -> rusqlite::Result<()> {
    connection.execute_batch(BEGIN_BUILD)?;
    let last: i64 = connection.one("SELECT coalesce(max(chunk_id), 0) FROM chunks", [], |row| row.get(0))?;
    let add = "INSERT INTO chunks_fts(rowid, content)
               SELECT chunk_id, content FROM chunks WHERE chunk_id > ?1 AND chunk_id <= ?2 ORDER BY chunk_id";
    let mut added = 0;
    while added < last {
        connection.run(add, [added, added + BUILD_ROWS])?;
        added += BUILD_ROWS;
        on_progress(added.min(last) as f64 / last as f64);
    }
    connection.execute_batch(END_BUILD)
}

/// Fills or empties the table of all chunks when a run turns it on or off.
pub(super) fn switch(connection: &Connection, is_wanted: bool) -> rusqlite::Result<()> {
    let command = if is_wanted { "rebuild" } else { "delete-all" };
    connection.run("INSERT INTO chunks_fts(chunks_fts) VALUES(?1)", [command]).map(drop)
}

/// Inserts a new chunk; `during_load` leaves the table of all chunks to [`build`].
pub(super) fn insert(
    connection: &Connection,
    chunk_id: i64,
    content: &str,
    during_load: bool,
) -> rusqlite::Result<()> {
    insert_unspaced(connection, chunk_id, content)?;
    if !during_load {
        let sql = "INSERT INTO chunks_fts(rowid, content) VALUES(?1, ?2)";
        connection.run(sql, params![chunk_id, content])?;
    }
    Ok(())
}

/// Removes a chunk that is about to be deleted. During a load the table of all chunks is empty.
pub(super) fn remove(
    connection: &Connection,
    chunk_id: i64,
    content: &str,
    during_load: bool,
) -> rusqlite::Result<()> {
    if has_unspaced(content) {
        let sql =
            "INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced, rowid, content) VALUES('delete', ?1, ?2)";
        connection.run(sql, params![chunk_id, spaced(content)])?;
    }
    if !during_load {
        let sql = "INSERT INTO chunks_fts(chunks_fts, rowid, content) VALUES('delete', ?1, ?2)";
        connection.run(sql, params![chunk_id, content])?;
    }
    Ok(())
}

/// Updates `chunks_fts_unspaced` if it does not match the chunks, because search was off or an older version wrote the
/// database. The change is one transaction.
pub(super) fn prepare_unspaced(connection: &Connection, is_wanted: bool) -> rusqlite::Result<()> {
    let is_kept = meta::get(connection, UNSPACED_MARK)?.is_some();
    if is_kept == is_wanted {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    match is_wanted {
        true => build_unspaced(&transaction)?,
        false => transaction.run(EMPTY_UNSPACED, []).map(drop)?,
    }
    mark_unspaced(&transaction, is_wanted)?;
    transaction.commit()
}

/// Builds `chunks_fts_unspaced` from the chunks.
pub(super) fn build_unspaced(connection: &Connection) -> rusqlite::Result<()> {
    connection.run(EMPTY_UNSPACED, [])?;
    connection.each("SELECT chunk_id, content FROM chunks ORDER BY chunk_id", [], |row| {
        insert_unspaced(connection, row.get(0)?, row.get_ref(1)?.as_str()?)?;
        Ok(ControlFlow::Continue(()))
    })
}

/// Notes whether `chunks_fts_unspaced` matches the chunks.
pub(super) fn mark_unspaced(connection: &Connection, is_kept: bool) -> rusqlite::Result<()> {
    match is_kept {
        true => meta::set(connection, UNSPACED_MARK, "on"),
        false => meta::remove(connection, UNSPACED_MARK),
    }
}

fn insert_unspaced(connection: &Connection, chunk_id: i64, content: &str) -> rusqlite::Result<()> {
    if has_unspaced(content) {
        let sql = "INSERT INTO chunks_fts_unspaced(rowid, content) VALUES(?1, ?2)";
        connection.run(sql, params![chunk_id, spaced(content)])?;
    }
    Ok(())
}

/// Merges the segments of both indexes.
pub(super) fn optimize(connection: &Connection) -> rusqlite::Result<()> {
    connection.run("INSERT INTO chunks_fts(chunks_fts) VALUES('optimize')", [])?;
    connection.run("INSERT INTO chunks_fts_unspaced(chunks_fts_unspaced) VALUES('optimize')", []).map(drop)
}

/// True if `chunks_fts_unspaced` exists and has rows. A database of an older version, opened for reading, lacks it.
pub(super) fn has_unspaced_rows(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(has_unspaced_table(connection)?
        && connection.has("SELECT 1 FROM chunks_fts_unspaced_docsize LIMIT 1", [])?)
}

/// True if the database has `chunks_fts_unspaced`, and it is kept.
pub(super) fn has_unspaced_table(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, UNSPACED_MARK)?.is_some())
}

/// The given chunks that are in `chunks_fts_unspaced`; all of its chunks if it has fewer.
pub(super) fn unspaced_among(connection: &Connection, chunks: &[i64]) -> rusqlite::Result<FxHashSet<i64>> {
    let sql = "SELECT id FROM chunks_fts_unspaced_docsize LIMIT ?1";
    let first = connection.rows(sql, [chunks.len() as i64 + 1], |row| row.get(0))?;
    if first.len() <= chunks.len() {
        return Ok(first.into_iter().collect());
    }
    let mut found = FxHashSet::default();
    let mut statement =
        connection.prepare_cached("SELECT 1 FROM chunks_fts_unspaced_docsize WHERE id = ?1")?;
    for chunk_id in chunks {
        if statement.exists([chunk_id])? {
            found.insert(*chunk_id);
        }
    }
    Ok(found)
}
