//! Which chunks a query matches, and how well.
//!
//! `chunks_fts` ranks. Chunks that hold scripts without spaces stand in `chunks_fts_unspaced` too, and whether they
//! match is decided there alone: `chunks_fts` takes a run of such letters, and Latin words glued to it, for one word.

use super::filter::Conditions;
use super::fts::{Script, expression};
use super::query::Expression;
use super::{Match, Store};
use crate::store::places::id_list;
use crate::store::unspaced;
use rustc_hash::{FxHashMap, FxHashSet};

/// Ranks cost three times as much as matches alone; below this many they are not worth a second thought.
const FEW: usize = 2_000;

impl Store {
    /// Every chunk that matches and has a place that the conditions allow, in no order.
    pub(super) fn matches(&self, tree: &Expression, conditions: &Conditions) -> rusqlite::Result<Vec<Match>> {
        let mut found = self.ranked("chunks_fts", &expression(tree, Script::Spaced), conditions)?;
        if unspaced::is_used(&self.connection)? {
            let text = expression(tree, Script::Unspaced);
            let others = self.ranked("chunks_fts_unspaced", &text, conditions)?;
            self.merge(&mut found, others)?;
        }
        Ok(found)
    }

    /// Matches of one table. Where conditions allow few of many, only those are ranked.
    fn ranked(&self, table: &str, text: &str, conditions: &Conditions) -> rusqlite::Result<Vec<Match>> {
        if conditions.is_empty() {
            return self.rank_all(table, text);
        }
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1"))?;
        let ids = statement.query_map([text], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        let allowed = self.allowed(&ids, conditions)?;
        if allowed.is_empty() {
            return Ok(Vec::new());
        }
        if ids.len() <= FEW || allowed.len() * 4 > ids.len() {
            let mut found = self.rank_all(table, text)?;
            found.retain(|found| allowed.contains(&found.chunk_id));
            return Ok(found);
        }
        // The plus sign keeps the planner from asking the table once for each id.
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT rowid, -bm25({table}) FROM {table}
             WHERE {table} MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?2))"
        ))?;
        let list = id_list(allowed);
        let rows = statement.query_map([text, &list], ranked_row)?;
        rows.collect()
    }

    fn rank_all(&self, table: &str, text: &str) -> rusqlite::Result<Vec<Match>> {
        let mut statement = self
            .connection
            .prepare_cached(&format!("SELECT rowid, -bm25({table}) FROM {table} WHERE {table} MATCH ?1"))?;
        let rows = statement.query_map([text], ranked_row)?;
        rows.collect()
    }

    /// Of chunks that the second table holds, those stay that match there; where both tables match, the rank of the
    /// first counts, because it compares with the ranks of all.
    fn merge(&self, found: &mut Vec<Match>, others: Vec<Match>) -> rusqlite::Result<()> {
        let mut others: FxHashMap<i64, f64> =
            others.into_iter().map(|found| (found.chunk_id, found.score)).collect();
        let ids: Vec<i64> = found.iter().map(|found| found.chunk_id).collect();
        let held: FxHashSet<i64> = unspaced::held(&self.connection, &ids)?;
        found.retain(|found| {
            let is_there = others.remove(&found.chunk_id).is_some();
            is_there || !held.contains(&found.chunk_id)
        });
        found.extend(others.into_iter().map(|(chunk_id, score)| Match { chunk_id, score }));
        Ok(())
    }
}

fn ranked_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Match> {
    Ok(Match { chunk_id: row.get(0)?, score: row.get(1)? })
}
