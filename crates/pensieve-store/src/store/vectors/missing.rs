//! Chunks that have no vector yet.

use super::table::{VectorSet, VectorTable};
use crate::store::database::error::StoreError;
use crate::store::rows::sql::{Queries, count, offset};
use rusqlite::{Row, params};

/// A chunk without a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingChunk {
    /// Its row.
    pub chunk_id: i64,
    /// Its name.
    pub content_hash: String,
    /// Its text.
    pub content: String,
    /// Its tokens, in the encoding of the corpus.
    pub tokens: usize,
}

/// The chunks of a corpus, and those without a vector, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MissingTotals {
    /// All chunks.
    pub chunks: u64,
    /// Those without a vector.
    pub missing: u64,
    /// The tokens of those without a vector.
    pub tokens: u64,
}

/// True for chunks without a vector of model ?1, dimensions ?2 and prefix ?3.
const IS_MISSING: &str = "NOT EXISTS (SELECT 1 FROM vectors v WHERE v.content_hash = c.content_hash
       AND v.model = ?1 AND v.dimensions = ?2 AND v.prefix = ?3)";

impl VectorTable<'_> {
    /// The first `limit` chunks after a row that have no vector of this set; none has one if its dimensions are unknown.
    pub fn missing(
        &self,
        set: &VectorSet,
        after: i64,
        limit: usize,
    ) -> Result<Vec<MissingChunk>, StoreError> {
        let sql = format!(
            "SELECT c.chunk_id, c.content_hash, c.content, c.estimated_tokens FROM chunks c
             WHERE c.chunk_id > ?4 AND {IS_MISSING} ORDER BY c.chunk_id LIMIT ?5"
        );
        let values = params![set.model, set.stored_dimensions(), set.prefix, after, limit as i64];
        self.0.ask(|connection| connection.rows(&sql, values, missing_chunk))
    }

    /// How much is missing of this set.
    ///
    /// Cost: one look-up for each chunk of the corpus.
    pub fn totals(&self, set: &VectorSet) -> Result<MissingTotals, StoreError> {
        if !self.is_there()? {
            let sql = "SELECT count(*), count(*), coalesce(sum(estimated_tokens), 0) FROM chunks";
            return self.0.ask(|connection| connection.one(sql, [], totals));
        }
        let sql = format!(
            "SELECT count(*), count(*) FILTER (WHERE is_missing), coalesce(sum(tokens) FILTER (WHERE is_missing), 0)
             FROM (SELECT c.estimated_tokens AS tokens, {IS_MISSING} AS is_missing FROM chunks c)"
        );
        let values = params![set.model, set.stored_dimensions(), set.prefix];
        self.0.ask(|connection| connection.one(&sql, values, totals))
    }

    /// The path of the first place of a chunk, for messages.
    pub fn path_of(&self, content_hash: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT f.full_filepath FROM chunks c JOIN chunk_sources s USING(chunk_id) JOIN files f USING(file_id)
                   WHERE c.content_hash = ?1 ORDER BY f.full_filepath, s.start_index LIMIT 1";
        self.0.ask(|connection| connection.first(sql, [content_hash], |row| row.get(0)))
    }
}

fn totals(row: &Row<'_>) -> rusqlite::Result<MissingTotals> {
    Ok(MissingTotals { chunks: count(row, 0)?, missing: count(row, 1)?, tokens: count(row, 2)? })
}

fn missing_chunk(row: &Row<'_>) -> rusqlite::Result<MissingChunk> {
    Ok(MissingChunk {
        chunk_id: row.get(0)?,
        content_hash: row.get(1)?,
        content: row.get(2)?,
        tokens: offset(row, 3)?,
    })
}
