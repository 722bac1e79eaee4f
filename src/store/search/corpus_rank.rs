//! BM25 with the statistics of a whole corpus, for the search table of one of its partitions.
//!
//! FTS5's own `bm25` knows only the table that it ranks. This is the same formula, in the same order of operations, with
//! the mean length and the weights of the phrases as arguments. SQLite offers what a row has of a query's phrases to
//! functions of C alone; this file is the only one of the program with such a function.

use super::index::SearchIndex;
use super::index_size::table_size;
use super::ranked::RankedChunk;
use crate::store::query::{Expression, Script, expression, phrase_expressions};
use crate::store::sql::Queries;
use rusqlite::ffi::{
    Fts5Context, Fts5ExtensionApi, SQLITE_ERROR, SQLITE_OK, fts5_api, sqlite3_bind_pointer, sqlite3_context,
    sqlite3_finalize, sqlite3_prepare_v2, sqlite3_result_double, sqlite3_result_error_code, sqlite3_step,
    sqlite3_value, sqlite3_value_blob, sqlite3_value_bytes,
};
use rusqlite::{Connection, params};
use std::ffi::c_int;
use std::ptr::null_mut;
use std::slice;

/// The constants of `bm25`.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The weight of a phrase that more than half of the chunks have.
const MIN_WEIGHT: f64 = 1e-6;

/// A search in one of the tables of all partitions.
pub(super) struct CorpusRank<'t> {
    table: &'t str,
    expression: String,
    /// The mean length of a chunk, then the weight of each phrase, as eight bytes each.
    statistics: Vec<u8>,
}

impl<'t> CorpusRank<'t> {
    /// Reads the statistics of a query's phrases.
    ///
    /// Cost: one pass over the postings of each phrase.
    pub fn new(
        index: &SearchIndex<'_>,
        table: &'t str,
        tree: &Expression,
        script: Script,
    ) -> rusqlite::Result<CorpusRank<'t>> {
        let (chunks, words) = table_size(index, table)?;
        let mut numbers = vec![words / chunks];
        for phrase in phrase_expressions(tree, script) {
            let found = chunks_with(index, table, &phrase)? as f64;
            let weight = ((chunks - found + 0.5) / (found + 0.5)).ln();
            numbers.push(if weight <= 0.0 { MIN_WEIGHT } else { weight });
        }
        let statistics = numbers.into_iter().flat_map(f64::to_ne_bytes).collect();
        Ok(CorpusRank { table, expression: expression(tree, script), statistics })
    }

    /// The rows of a partition that match, with their ranks.
    pub fn matches(&self, part: &Connection) -> rusqlite::Result<Vec<RankedChunk>> {
        register(part)?;
        let table = self.table;
        let sql = format!("SELECT rowid, corpus_bm25({table}, ?2) FROM {table} WHERE {table} MATCH ?1");
        part.rows(&sql, params![self.expression, self.statistics], RankedChunk::read)
    }
}

/// The chunks of the corpus with a phrase.
fn chunks_with(index: &SearchIndex<'_>, table: &str, phrase: &str) -> rusqlite::Result<i64> {
    let mut found = 0;
    for (_, part) in index.parts() {
        let count = |table: &str| {
            let sql = format!("SELECT count(*) FROM {table} WHERE {table} MATCH ?1");
            part.one(&sql, [phrase], |row| row.get::<_, i64>(0))
        };
        found += count(table)? - count(&format!("hidden_{table}"))?;
    }
    Ok(found)
}

/// Adds the function to a connection; again has no effect.
fn register(connection: &Connection) -> rusqlite::Result<()> {
    let mut api: *mut fts5_api = null_mut();
    // SAFETY: the handle is open as long as the connection; the statement is finalised before `api` goes out of scope. The
    // structure that SQLite gives lives as long as the handle.
    let added = unsafe {
        let mut statement = null_mut();
        let sql = c"SELECT fts5(?1)";
        sqlite3_prepare_v2(connection.handle(), sql.as_ptr(), -1, &raw mut statement, null_mut());
        sqlite3_bind_pointer(statement, 1, (&raw mut api).cast(), c"fts5_api_ptr".as_ptr(), None);
        sqlite3_step(statement);
        sqlite3_finalize(statement);
        let create = api.as_ref().and_then(|api| api.xCreateFunction);
        create.map(|create| create(api, c"corpus_bm25".as_ptr(), null_mut(), Some(corpus_bm25), None))
    };
    match added {
        Some(SQLITE_OK) => Ok(()),
        code => {
            Err(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code.unwrap_or(SQLITE_ERROR)), None))
        }
    }
}

/// `corpus_bm25(table, statistics)`: the rank of the current row.
unsafe extern "C" fn corpus_bm25(
    api: *const Fts5ExtensionApi,
    row: *mut Fts5Context,
    context: *mut sqlite3_context,
    count: c_int,
    values: *mut *mut sqlite3_value,
) {
    // SAFETY: FTS5 calls with pointers that are valid for the call, and `count` values.
    unsafe {
        let rank =
            (count == 1).then(|| statistics(*values)).and_then(|statistics| rank(&*api, row, &statistics));
        match rank {
            Some(rank) => sqlite3_result_double(context, rank),
            None => sqlite3_result_error_code(context, SQLITE_ERROR),
        }
    }
}

/// The numbers of a blob.
unsafe fn statistics(value: *mut sqlite3_value) -> Vec<f64> {
    // SAFETY: the blob has as many bytes as SQLite says, and is copied before the value can change.
    let bytes = unsafe {
        let (start, length) = (sqlite3_value_blob(value), sqlite3_value_bytes(value));
        if start.is_null() { &[][..] } else { slice::from_raw_parts(start.cast::<u8>(), length as usize) }
    };
    let number = |bytes: &[u8]| bytes.try_into().ok().map(f64::from_ne_bytes);
    bytes.chunks_exact(8).filter_map(number).collect()
}

/// The formula; `None` if SQLite fails, or the query has another number of phrases.
unsafe fn rank(api: &Fts5ExtensionApi, row: *mut Fts5Context, statistics: &[f64]) -> Option<f64> {
    let (mean, weights) = statistics.split_first()?;
    // SAFETY: the functions get the context that FTS5 gave, and places for their results.
    unsafe {
        if usize::try_from(api.xPhraseCount?(row)).ok()? != weights.len() {
            return None;
        }
        let mut counts = vec![0.0; weights.len()];
        let (mut instances, mut words) = (0, 0);
        let mut is_good = api.xInstCount?(row, &raw mut instances) == SQLITE_OK;
        for instance in 0..instances {
            let (mut phrase, mut column, mut word) = (0, 0, 0);
            let next = api.xInst?(row, instance, &raw mut phrase, &raw mut column, &raw mut word);
            is_good &= next == SQLITE_OK;
            *counts.get_mut(phrase as usize)? += 1.0;
        }
        is_good &= api.xColumnSize?(row, -1, &raw mut words) == SQLITE_OK;
        let length = f64::from(words);
        let score = |(weight, count): (&f64, &f64)| {
            weight * ((count * (K1 + 1.0)) / (count + K1 * (1.0 - B + B * length / mean)))
        };
        let scores = weights.iter().zip(&counts).map(score);
        is_good.then(|| scores.fold(0.0, |sum, score| sum + score))
    }
}
