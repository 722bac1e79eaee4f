//! The journal of changes: one row for each place of a chunk that came, changed or went, in the transaction of the change.
//!
//! Temporary triggers of the connection that writes, which are no part of the database, note every row of
//! `chunk_sources` that is added or removed, and every file whose names or copies change: no statement can change a place
//! unseen. Before the commit, what was noted is compared with what is there: a place that was removed and added again as
//! it was leaves no row. A first load is not noted; whoever
//! follows the database begins with its whole state.
//!
//! Digests need only the ids of changed files, which an update hook tells at no cost; a change needs the row as it was
//! before, which only a trigger sees.

use super::meta;
use crate::store::rows::sql::Queries;
use rusqlite::Connection;

/// The key of `meta` for the run after which nothing is missing in the journal.
const RUN: &str = "journal_run";

/// The key of `meta` for the row after which nothing is missing in the journal.
const SEQ: &str = "journal_seq";

/// From where on the journal is complete, and where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JournalRange {
    /// The changes of all later runs are there.
    pub after_run: i64,
    /// All later rows are there.
    pub after_seq: i64,
    /// The last row that was ever written.
    pub last_seq: i64,
}

/// Begins to note changes of this connection, as those of a run.
pub(crate) fn begin(connection: &Connection, run_id: i64) -> rusqlite::Result<()> {
    connection.execute_batch(include_str!("notes.sql"))?;
    connection.run("DELETE FROM temp.noting_run", [])?;
    connection.run("INSERT INTO temp.noting_run(run_id) VALUES(?1)", [run_id]).map(drop)
}

/// Writes the rows of the open transaction; runs before every commit.
///
/// Cost: nothing without changes; else look-ups for each place that was added or removed.
pub(crate) fn settle(connection: &Connection) -> rusqlite::Result<()> {
    let noted = "SELECT 1 FROM temp.noted_places UNION ALL SELECT 1 FROM temp.noted_files";
    if connection.has(noted, [])? {
        connection.execute_batch(include_str!("settle.sql"))?;
    }
    Ok(())
}

/// Begins an empty journal: what came before, a first load, is not in it.
pub(crate) fn restart(connection: &Connection) -> rusqlite::Result<()> {
    // A row of its own makes sure that no cursor from before is one of later.
    connection.run(
        "INSERT INTO changes(run_id, op, content_hash, doc_uid, start_index) VALUES(0, 'delete', '', '', 0)",
        [],
    )?;
    connection.run("DELETE FROM changes", [])?;
    set_begin(connection, last_run(connection)?, last_seq(connection)?)
}

/// Removes the rows of all but the last `runs` runs, of which `run_id` is the last.
pub(crate) fn trim(connection: &Connection, run_id: i64, runs: u64) -> rusqlite::Result<()> {
    let kept_after = run_id.saturating_sub_unsigned(runs);
    if kept_after <= range(connection)?.after_run {
        return Ok(());
    }
    let sql = "SELECT max(seq) FROM changes WHERE run_id <= ?1";
    let removed: Option<i64> = connection.one(sql, [kept_after], |row| row.get(0))?;
    connection.run("DELETE FROM changes WHERE run_id <= ?1", [kept_after])?;
    let before = range(connection)?.after_seq;
    set_begin(connection, kept_after, removed.unwrap_or(before))
}

/// What the journal holds.
pub(crate) fn range(connection: &Connection) -> rusqlite::Result<JournalRange> {
    let after_run = match number(connection, RUN)? {
        Some(run) => run,
        None => last_run(connection)?,
    };
    let after_seq = number(connection, SEQ)?.unwrap_or(0);
    let last_seq = last_seq(connection)?;
    Ok(JournalRange { after_run, after_seq, last_seq })
}

fn number(connection: &Connection, key: &str) -> rusqlite::Result<Option<i64>> {
    Ok(meta::get(connection, key)?.and_then(|text| text.parse().ok()))
}

fn set_begin(connection: &Connection, run: i64, seq: i64) -> rusqlite::Result<()> {
    meta::set(connection, RUN, &run.to_string())?;
    meta::set(connection, SEQ, &seq.to_string())
}

/// The number of the last run, 0 before the first.
pub(crate) fn last_run(connection: &Connection) -> rusqlite::Result<i64> {
    connection.one("SELECT coalesce(max(run_id), 0) FROM runs", [], |row| row.get(0))
}

fn last_seq(connection: &Connection) -> rusqlite::Result<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'";
    Ok(connection.first(sql, [], |row| row.get(0))?.unwrap_or(0))
}
