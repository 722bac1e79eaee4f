//! The search tables: `chunks_fts` of every chunk, and two [`DERIVED`] ones of chunks with words that its tokenizer takes
//! for others than people do.
//!
//! A first load leaves `chunks_fts` empty until its end. The derived tables store no text, so removing a row requires the
//! text that was inserted.

use crate::store::database::meta;
use crate::store::query::characters::{is_respelled, respelled};
use crate::store::query::parts::word_parts;
use crate::store::rows::sql::Queries;
use rusqlite::{Connection, params};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// A search table with words that are made of those of a chunk.
pub(super) struct DerivedTable {
    pub name: &'static str,
    /// The words of a chunk as the table has them; `None` for a chunk that it leaves out.
    pub words: fn(&str) -> Option<String>,
}

/// Scripts that `unicode61` divides wrongly, respelled; and parts of words.
pub(super) const DERIVED: [DerivedTable; 2] = [
    DerivedTable {
        name: "chunks_fts_unspaced",
        words: |content| is_respelled(content).then(|| respelled(content).into_owned()),
    },
    DerivedTable { name: "chunks_fts_parts", words: word_parts },
];

/// The key of `meta` that is set once every chunk of the database was considered for the derived tables, and its value:
/// another one, written by an older version, means that they have other words.
const DERIVED_MARK: &str = "fts_unspaced";
const DERIVED_EDITION: &str = "2";

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
pub(crate) fn build(connection: &Connection, on_progress: &mut dyn FnMut(f64)) -> rusqlite::Result<()> {
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
pub(crate) fn switch(connection: &Connection, is_wanted: bool) -> rusqlite::Result<()> {
    let command = if is_wanted { "rebuild" } else { "delete-all" };
    connection.run("INSERT INTO chunks_fts(chunks_fts) VALUES(?1)", [command]).map(drop)
}

/// Inserts a new chunk; `during_load` leaves the table of all chunks to [`build`].
pub(crate) fn insert(
    connection: &Connection,
    chunk_id: i64,
    content: &str,
    during_load: bool,
) -> rusqlite::Result<()> {
    insert_derived(connection, chunk_id, content)?;
    if !during_load {
        let sql = "INSERT INTO chunks_fts(rowid, content) VALUES(?1, ?2)";
        connection.run(sql, params![chunk_id, content])?;
    }
    Ok(())
}

/// Removes a chunk that is about to be deleted. During a load the table of all chunks is empty.
pub(crate) fn remove(
    connection: &Connection,
    chunk_id: i64,
    content: &str,
    during_load: bool,
) -> rusqlite::Result<()> {
    for DerivedTable { name, words } in DERIVED {
        if let Some(words) = words(content) {
            let sql = format!("INSERT INTO {name}({name}, rowid, content) VALUES('delete', ?1, ?2)");
            connection.run(&sql, params![chunk_id, words])?;
        }
    }
    if !during_load {
        let sql = "INSERT INTO chunks_fts(chunks_fts, rowid, content) VALUES('delete', ?1, ?2)";
        connection.run(sql, params![chunk_id, content])?;
    }
    Ok(())
}

/// Updates the derived tables if they do not match the chunks, because search was off or an older version wrote the
/// database. The change is one transaction.
pub(crate) fn prepare_derived(connection: &Connection, is_wanted: bool) -> rusqlite::Result<()> {
    let wanted = is_wanted.then_some(DERIVED_EDITION);
    if meta::get(connection, DERIVED_MARK)?.as_deref() == wanted {
        return Ok(());
    }
    let transaction = connection.unchecked_transaction()?;
    match is_wanted {
        true => build_derived(&transaction)?,
        false => empty_derived(&transaction)?,
    }
    mark_derived(&transaction, is_wanted)?;
    transaction.commit()
}

/// Builds the derived tables from the chunks.
pub(super) fn build_derived(connection: &Connection) -> rusqlite::Result<()> {
    empty_derived(connection)?;
    connection.each("SELECT chunk_id, content FROM chunks ORDER BY chunk_id", [], |row| {
        insert_derived(connection, row.get(0)?, row.get_ref(1)?.as_str()?)?;
        Ok(ControlFlow::Continue(()))
    })
}

fn empty_derived(connection: &Connection) -> rusqlite::Result<()> {
    DERIVED.iter().try_for_each(|DerivedTable { name, .. }| {
        connection.run(&format!("INSERT INTO {name}({name}) VALUES('delete-all')"), []).map(drop)
    })
}

/// Notes whether the derived tables match the chunks.
pub(super) fn mark_derived(connection: &Connection, is_kept: bool) -> rusqlite::Result<()> {
    match is_kept {
        true => meta::set(connection, DERIVED_MARK, DERIVED_EDITION),
        false => meta::remove(connection, DERIVED_MARK),
    }
}

fn insert_derived(connection: &Connection, chunk_id: i64, content: &str) -> rusqlite::Result<()> {
    for DerivedTable { name, words } in DERIVED {
        if let Some(words) = words(content) {
            let sql = format!("INSERT INTO {name}(rowid, content) VALUES(?1, ?2)");
            connection.run(&sql, params![chunk_id, words])?;
        }
    }
    Ok(())
}

/// Merges the segments of all indexes.
pub(crate) fn optimize(connection: &Connection) -> rusqlite::Result<()> {
    let names = DERIVED.iter().map(|table| table.name).chain(["chunks_fts"]);
    names.into_iter().try_for_each(|name| {
        connection.run(&format!("INSERT INTO {name}({name}) VALUES('optimize')"), []).map(drop)
    })
}

/// True if `chunks_fts_unspaced` exists and has rows. A database of an older version, opened for reading, lacks it.
pub(crate) fn has_unspaced_rows(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(has_unspaced_table(connection)?
        && connection.has("SELECT 1 FROM chunks_fts_unspaced_docsize LIMIT 1", [])?)
}

/// True if the database has `chunks_fts_unspaced`, and it is kept.
pub(super) fn has_unspaced_table(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, DERIVED_MARK)?.is_some())
}

/// True if the derived tables have the words that this version gives them.
pub(crate) fn has_derived_tables(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(meta::get(connection, DERIVED_MARK)?.as_deref() == Some(DERIVED_EDITION))
}

/// The given chunks that are in `chunks_fts_unspaced`; all of its chunks if it has fewer.
pub(crate) fn unspaced_among(connection: &Connection, chunks: &[i64]) -> rusqlite::Result<FxHashSet<i64>> {
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
