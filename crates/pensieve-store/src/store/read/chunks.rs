//! Chunks for the HTTP API and the commands: one by its name, or those of a document page by page.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::places::chunk_place::{ChunkPlace, PLACE_COLUMNS, PlaceNames};
use crate::store::places::citation::Citation;
use crate::store::rows::sql::{Queries, count, offset};
use rusqlite::{Row, ToSql, params};
use serde::Serialize;
use utoipa::ToSchema;

/// A chunk, without its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ChunkContent)]
pub struct StoredChunk {
    /// SHA-256 of the content: the identifier of the chunk.
    pub content_hash: String,
    /// Its row, until the text is chunked again.
    pub chunk_id: i64,
    /// The text.
    pub content: String,
    /// Exact number of tokens.
    #[serde(rename = "estimated_tokens")]
    pub tokens: u64,
    /// The encoding by which they were counted.
    #[serde(rename = "tokenizer_model")]
    pub tokenizer: String,
}

/// The name by which a chunk is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkName {
    /// By the hash of its content.
    Hash(String),
    /// By its row.
    Row(i64),
}

const CHUNK: &str = "c.chunk_id, c.content_hash, c.content, c.estimated_tokens, c.tokenizer_model";

/// The number of columns of [`CHUNK`].
const CHUNK_COLUMNS: usize = 5;

fn chunk(row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    Ok(StoredChunk {
        chunk_id: row.get(0)?,
        content_hash: row.get(1)?,
        content: row.get(2)?,
        tokens: count(row, 3)?,
        tokenizer: row.get(4)?,
    })
}

/// Chunks and their places.
pub struct ChunkQueries<'s>(pub(crate) &'s Store);

impl ChunkQueries<'_> {
    /// A chunk by its name.
    pub fn get(&self, name: &ChunkName) -> Result<Option<StoredChunk>, StoreError> {
        let (column, value): (&str, &dyn ToSql) = match name {
            ChunkName::Hash(hash) => ("content_hash", hash),
            ChunkName::Row(id) => ("chunk_id", id),
        };
        let sql = format!("SELECT {CHUNK} FROM chunks c WHERE c.{column} = ?1");
        self.0.ask(|connection| connection.first(&sql, [value], chunk))
    }

    /// The text that a citation names, if a chunk of any document has it.
    pub fn cited(&self, citation: &Citation) -> Result<Option<String>, StoreError> {
        let sql = "SELECT content FROM chunks WHERE content_hash BETWEEN ?1 AND ?1 || 'g'";
        let contents: Vec<String> =
            self.0.ask(|connection| connection.rows(sql, [citation.hash_digits()], |row| row.get(0)))?;
        Ok(contents.into_iter().find(|content| citation.names(content)))
    }

    /// The number of places of a chunk, and the first `limit` of them, by path.
    pub fn sources_of(
        &self,
        chunk: &StoredChunk,
        limit: usize,
    ) -> Result<(u64, Vec<ChunkPlace>), StoreError> {
        let total = "SELECT count(*) FROM chunk_sources WHERE chunk_id = ?1";
        let sql = format!(
            "SELECT {PLACE_COLUMNS} FROM chunk_sources s JOIN files f USING(file_id) WHERE s.chunk_id = ?1
             ORDER BY f.full_filepath, s.start_index LIMIT ?2"
        );
        self.0.ask(|connection| {
            let number = connection.one(total, [chunk.chunk_id], |row| count(row, 0))?;
            let mut names = PlaceNames::default();
            let values = params![chunk.chunk_id, limit as i64];
            let place = |row: &Row<'_>| names.read_place(row, 0, &chunk.content_hash);
            let mut places = connection.rows(&sql, values, place)?;
            names.fill_in(connection, places.iter_mut())?;
            Ok((number, places))
        })
    }

    /// The first `limit` chunks of a file in text order, after the chunk with the given start and row.
    pub fn page(
        &self,
        file_id: i64,
        after: Option<(usize, i64)>,
        limit: usize,
    ) -> Result<Vec<(StoredChunk, ChunkPlace)>, StoreError> {
        let (start, chunk_id) = after.map_or((-1, 0), |(start, chunk_id)| (start as i64, chunk_id));
        let sql = format!(
            "SELECT {CHUNK}, {PLACE_COLUMNS}
             FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)
             WHERE s.file_id = ?1 AND s.start_index >= ?2 AND (s.start_index > ?2 OR s.chunk_id > ?3)
             ORDER BY s.start_index, s.chunk_id LIMIT ?4"
        );
        self.0.ask(|connection| {
            let mut names = PlaceNames::default();
            let values = params![file_id, start, chunk_id, limit as i64];
            let mut rows = connection.rows(&sql, values, |row| {
                let chunk = chunk(row)?;
                let place = names.read_place(row, CHUNK_COLUMNS, &chunk.content_hash)?;
                Ok((chunk, place))
            })?;
            names.fill_in(connection, rows.iter_mut().map(|(_, place)| place))?;
            Ok(rows)
        })
    }

    /// The number of chunks of a file, and of those that begin before a byte.
    pub fn counts(&self, file_id: i64, before: usize) -> Result<(usize, usize), StoreError> {
        let sql =
            "SELECT count(*), count(*) FILTER (WHERE start_index < ?2) FROM chunk_sources WHERE file_id = ?1";
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        self.0.ask(|connection| {
            connection.one(sql, params![file_id, before], |row| Ok((offset(row, 0)?, offset(row, 1)?)))
        })
    }

    /// The start and row of the chunk before chunk `number` of a file, after which [`ChunkQueries::page`] continues.
    pub fn before_number(&self, file_id: i64, number: usize) -> Result<Option<(usize, i64)>, StoreError> {
        let Some(index) = number.checked_sub(1) else { return Ok(None) };
        let sql = "SELECT start_index, chunk_id FROM chunk_sources WHERE file_id = ?1
                   ORDER BY start_index, chunk_id LIMIT 1 OFFSET ?2";
        self.0.ask(|connection| {
            connection.first(sql, params![file_id, index as i64], |row| Ok((offset(row, 0)?, row.get(1)?)))
        })
    }
}
