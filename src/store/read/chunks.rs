//! Chunks for the HTTP API and the commands: one by its name, or those of a document page by page.

use super::document_names::{DocumentName, NAME, NAME_COLUMNS, NamedRow, complete_names};
use crate::store::sql::{Queries, count, offset};
use crate::store::{Citation, Store, StoreError};
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

/// One place of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkSource {
    /// The row of the document.
    pub file_id: i64,
    /// The row that has its text: its own, or that of its canonical file.
    pub text_id: i64,
    /// The document.
    pub document: DocumentName,
    /// First byte in its clean text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// How the text was cut.
    pub strategy: String,
    /// Source bytes, where the format has them.
    pub source: Option<(u64, u64)>,
    /// True when those bytes, decoded and normalised, are the chunk.
    pub source_exact: Option<bool>,
    /// The locator as JSON: lines, pages, cells.
    pub locator: Option<serde_json::Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Text to repeat before the chunk, such as the header of a cut table.
    pub context: Option<String>,
}

impl ChunkSource {
    /// The citation of a chunk at this place.
    pub fn citation(&self, chunk: &StoredChunk) -> Citation {
        Citation::of_chunk(&self.document.doc_uid, self.start..self.end, &chunk.content_hash)
    }
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

/// The columns that [`SourceRow::read`] reads after those of [`NAME`].
const SOURCE: &str =
    "s.start_index, s.end_index, s.chunking_strategy, s.source_start, s.source_end, s.source_exact,
     s.locator, s.heading_path, s.context, s.file_id";

fn chunk(row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    Ok(StoredChunk {
        chunk_id: row.get(0)?,
        content_hash: row.get(1)?,
        content: row.get(2)?,
        tokens: count(row, 3)?,
        tokenizer: row.get(4)?,
    })
}

/// A place in a query row, before the name of its document is known.
struct SourceRow {
    named: NamedRow,
    source: ChunkSource,
}

impl SourceRow {
    /// Reads [`NAME`] and [`SOURCE`] from column `at` on.
    fn read(row: &Row<'_>, at: usize) -> rusqlite::Result<SourceRow> {
        let named = NamedRow::read(row, at)?;
        let at = at + NAME_COLUMNS;
        let range: (Option<i64>, Option<i64>) = (row.get(at + 3)?, row.get(at + 4)?);
        let locator: Option<String> = row.get(at + 6)?;
        let source = ChunkSource {
            file_id: named.file_id,
            text_id: row.get(at + 9)?,
            document: named.document.clone(),
            start: offset(row, at)?,
            end: offset(row, at + 1)?,
            strategy: row.get(at + 2)?,
            source: range.0.zip(range.1).map(|(start, end)| (start as u64, end as u64)),
            source_exact: row.get(at + 5)?,
            locator: locator.and_then(|json| serde_json::from_str(&json).ok()),
            heading_path: row.get(at + 7)?,
            context: row.get(at + 8)?,
        };
        Ok(SourceRow { named, source })
    }

    fn into_source(self) -> ChunkSource {
        ChunkSource { document: self.named.document, ..self.source }
    }
}

/// Chunks and their places.
pub struct ChunkQueries<'s>(pub(in crate::store) &'s Store);

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
    pub fn sources_of(&self, chunk_id: i64, limit: usize) -> Result<(u64, Vec<ChunkSource>), StoreError> {
        let total = "SELECT count(*) FROM chunk_sources WHERE chunk_id = ?1";
        let sql = format!(
            "SELECT {NAME}, {SOURCE} FROM chunk_sources s JOIN files f USING(file_id) WHERE s.chunk_id = ?1
             ORDER BY f.full_filepath, s.start_index LIMIT ?2"
        );
        self.0.ask(|connection| {
            let number = connection.one(total, [chunk_id], |row| count(row, 0))?;
            let values = params![chunk_id, limit as i64];
            let mut rows = connection.rows(&sql, values, |row| SourceRow::read(row, 0))?;
            complete_names(connection, rows.iter_mut().map(|row| &mut row.named))?;
            Ok((number, rows.into_iter().map(SourceRow::into_source).collect()))
        })
    }

    /// The place of a chunk in a document, or in a copy of it, at a byte.
    pub fn source_at(
        &self,
        chunk_id: i64,
        doc_uid: &str,
        start: usize,
    ) -> Result<Option<ChunkSource>, StoreError> {
        let sql = format!(
            "SELECT {NAME}, {SOURCE} FROM files f JOIN chunk_sources s ON s.file_id =
                    CASE f.duplicate_status WHEN 'duplicate' THEN f.duplicate_group_id ELSE f.file_id END
             WHERE f.doc_uid = ?1 AND s.chunk_id = ?2 AND s.start_index = ?3"
        );
        self.0.ask(|connection| {
            let values = params![doc_uid, chunk_id, start as i64];
            let mut row = connection.first(&sql, values, |row| SourceRow::read(row, 0))?;
            complete_names(connection, row.iter_mut().map(|row| &mut row.named))?;
            Ok(row.map(SourceRow::into_source))
        })
    }

    /// The first `limit` chunks of a file in text order, after the chunk with the given start and row.
    pub fn page(
        &self,
        file_id: i64,
        after: Option<(usize, i64)>,
        limit: usize,
    ) -> Result<Vec<(StoredChunk, ChunkSource)>, StoreError> {
        let (start, chunk_id) = after.map_or((-1, 0), |(start, chunk_id)| (start as i64, chunk_id));
        let sql = format!(
            "SELECT {CHUNK}, {NAME}, {SOURCE}
             FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)
             WHERE s.file_id = ?1 AND s.start_index >= ?2 AND (s.start_index > ?2 OR s.chunk_id > ?3)
             ORDER BY s.start_index, s.chunk_id LIMIT ?4"
        );
        self.0.ask(|connection| {
            let values = params![file_id, start, chunk_id, limit as i64];
            let mut rows = connection
                .rows(&sql, values, |row| Ok((chunk(row)?, SourceRow::read(row, CHUNK_COLUMNS)?)))?;
            complete_names(connection, rows.iter_mut().map(|(_, row)| &mut row.named))?;
            Ok(rows.into_iter().map(|(chunk, row)| (chunk, row.into_source())).collect())
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
