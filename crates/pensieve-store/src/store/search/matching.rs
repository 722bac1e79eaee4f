//! Which chunks a query matches, and how well.
//!
//! `chunks_fts` ranks. Chunks with scripts without spaces are also in `chunks_fts_unspaced`, and that table alone
//! decides whether they match: `chunks_fts` treats a run of such letters, and Latin words that touch it, as one word.

use super::filter::allowed;
use super::filter::conditions::PlaceConditions;
use super::ranked::RankedChunk;
use crate::store::indexes::search_tables::{has_unspaced_rows, unspaced_among};
use crate::store::query::{Expression, Script, expression};
use crate::store::rows::sql::{Queries, id_list};
use rusqlite::Connection;
use rustc_hash::FxHashMap;

/// Ranking costs three times as much as matching alone; up to this many matches, all are ranked.
const MAX_RANKED: usize = 2_000;

/// Every chunk that matches and has a place that meets the conditions, in no order.
pub(super) fn matches(
    connection: &Connection,
    tree: &Expression,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<RankedChunk>> {
    let mut found = ranked(connection, "chunks_fts", &expression(tree, Script::Spaced), conditions)?;
    if has_unspaced_rows(connection)? {
        let text = expression(tree, Script::Unspaced);
        let others = ranked(connection, "chunks_fts_unspaced", &text, conditions)?;
        merge(connection, &mut found, others)?;
    }
    Ok(found)
}

/// How much the rank of a chunk by parts of names counts beside its rank by words.
const PART_SHARE: f64 = 0.5;

/// Chunks with parts of names that an FTS5 expression matches.
pub(super) fn matches_of_parts(
    connection: &Connection,
    text: &str,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<RankedChunk>> {
    let mut found = ranked(connection, "chunks_fts_parts", text, conditions)?;
    found.iter_mut().for_each(|found| found.score *= PART_SHARE);
    Ok(found)
}

/// Matches of one table. If the conditions allow few of many matches, only those are ranked.
fn ranked(
    connection: &Connection,
    table: &str,
    text: &str,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<RankedChunk>> {
    if conditions.is_empty() {
        return rank_all(connection, table, text);
    }
    let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1");
    let ids: Vec<i64> = connection.rows(&sql, [text], |row| row.get(0))?;
    let allowed = allowed(connection, &ids, conditions)?;
    if allowed.is_empty() {
        return Ok(Vec::new());
    }
    // Ranking only the allowed ones matches the words a second time: for few of many matches.
    if ids.len() <= MAX_RANKED || allowed.len() * 4 > ids.len() {
        let mut found = rank_all(connection, table, text)?;
        found.retain(|found| allowed.contains(&found.chunk_id));
        return Ok(found);
    }
    // The plus sign keeps the planner from querying the table once per id.
    let sql = format!(
        "SELECT rowid, -bm25({table}) FROM {table}
         WHERE {table} MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?2))"
    );
    connection.rows(&sql, [text, &id_list(allowed)], RankedChunk::read)
}

fn rank_all(connection: &Connection, table: &str, text: &str) -> rusqlite::Result<Vec<RankedChunk>> {
    let sql = format!("SELECT rowid, -bm25({table}) FROM {table} WHERE {table} MATCH ?1");
    connection.rows(&sql, [text], RankedChunk::read)
}

/// Merges the matches of both tables. A chunk that is in the second table must match there, and its rank there counts: the
/// first one knows of such text only the words that the tokenizer happens to divide rightly.
fn merge(
    connection: &Connection,
    found: &mut Vec<RankedChunk>,
    others: Vec<RankedChunk>,
) -> rusqlite::Result<()> {
    let mut others: FxHashMap<i64, f64> =
        others.into_iter().map(|found| (found.chunk_id, found.score)).collect();
    let ids: Vec<i64> = found.iter().map(|found| found.chunk_id).collect();
    let unspaced = unspaced_among(connection, &ids)?;
    found.retain_mut(|found| match others.remove(&found.chunk_id) {
        Some(score) => {
            found.score = score;
            true
        }
        None => !unspaced.contains(&found.chunk_id),
    });
    found.extend(others.into_iter().map(|(chunk_id, score)| RankedChunk { chunk_id, score }));
    Ok(())
}
