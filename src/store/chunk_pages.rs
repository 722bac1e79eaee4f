//! Chunks as readers from outside see them: one by its name, those of a document page by page, their places in
//! characters.

use super::documents::{NAME, document_name};
use super::{DocumentName, Store, StoreError, Variant};
use rusqlite::{OptionalExtension, Row, params};

/// A chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredChunk {
    /// Its row.
    pub chunk_id: i64,
    /// How outsiders name it.
    pub content_hash: String,
    /// The words.
    pub content: String,
    /// Exact count.
    pub tokens: u64,
    /// The encoding in which it was counted.
    pub tokenizer: String,
}

/// One place of a chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkSource {
    /// The row of the document.
    pub file_id: i64,
    /// The document.
    pub document: DocumentName,
    /// First byte in its clean text.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// How the text was cut.
    pub strategy: String,
    /// Source bytes, where the format has them.
    pub source: Option<(u64, u64)>,
    /// True when those bytes, decoded and normalised, are the chunk.
    pub source_exact: Option<bool>,
    /// Lines, pages, cells, as JSON.
    pub locator: Option<serde_json::Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Words that belong before it.
    pub context: Option<String>,
}

/// How a chunk is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkName {
    /// By the hash of its content.
    Hash(String),
    /// By its row.
    Row(i64),
}

const CHUNK: &str = "c.chunk_id, c.content_hash, c.content, c.estimated_tokens, c.tokenizer_model";

/// What [`source`] reads behind the columns of [`NAME`].
const SOURCE: &str =
    "s.start_index, s.end_index, s.chunking_strategy, s.source_start, s.source_end, s.source_exact,
     s.locator, s.heading_path, s.context";

fn chunk(row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    Ok(StoredChunk {
        chunk_id: row.get(0)?,
        content_hash: row.get(1)?,
        content: row.get(2)?,
        tokens: row.get::<_, i64>(3)? as u64,
        tokenizer: row.get(4)?,
    })
}

/// Reads [`NAME`] and [`SOURCE`] from column `at` on.
fn source(row: &Row<'_>, at: usize) -> rusqlite::Result<(ChunkSource, bool)> {
    let (document, file_id, is_member) = document_name(row, at)?;
    let at = at + 6;
    let range: (Option<i64>, Option<i64>) = (row.get(at + 3)?, row.get(at + 4)?);
    let locator: Option<String> = row.get(at + 6)?;
    let source = ChunkSource {
        file_id,
        document,
        start: row.get::<_, i64>(at)? as usize,
        end: row.get::<_, i64>(at + 1)? as usize,
        strategy: row.get(at + 2)?,
        source: range.0.zip(range.1).map(|(start, end)| (start as u64, end as u64)),
        source_exact: row.get(at + 5)?,
        locator: locator.and_then(|json| serde_json::from_str(&json).ok()),
        heading_path: row.get(at + 7)?,
        context: row.get(at + 8)?,
    };
    Ok((source, is_member))
}

impl Store {
    /// A chunk by its name.
    pub fn chunk(&self, name: &ChunkName) -> Result<Option<StoredChunk>, StoreError> {
        let (column, value): (&str, &dyn rusqlite::ToSql) = match name {
            ChunkName::Hash(hash) => ("content_hash", hash),
            ChunkName::Row(id) => ("chunk_id", id),
        };
        self.connection
            .prepare_cached(&format!("SELECT {CHUNK} FROM chunks c WHERE c.{column} = ?1"))
            .and_then(|mut statement| statement.query_row([value], chunk).optional())
            .map_err(|error| self.fail(error))
    }

    /// How many places a chunk has, and the first `limit` of them, by path.
    pub fn sources_of(&self, chunk_id: i64, limit: usize) -> Result<(u64, Vec<ChunkSource>), StoreError> {
        let read = || -> rusqlite::Result<(u64, Vec<(ChunkSource, bool)>)> {
            let count: i64 = self
                .connection
                .prepare_cached("SELECT count(*) FROM chunk_sources WHERE chunk_id = ?1")?
                .query_row([chunk_id], |row| row.get(0))?;
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT {NAME}, {SOURCE} FROM chunk_sources s JOIN files f USING(file_id) WHERE s.chunk_id = ?1
                 ORDER BY f.full_filepath, s.start_index LIMIT ?2"
            ))?;
            let rows = statement.query_map(params![chunk_id, limit as i64], |row| source(row, 0))?;
            Ok((count as u64, rows.collect::<rusqlite::Result<_>>()?))
        };
        let (count, sources) = read().map_err(|error| self.fail(error))?;
        let sources = sources.into_iter().map(|source| self.with_shown_name(source));
        Ok((count, sources.collect::<Result<_, _>>()?))
    }

    /// The place of a chunk in a document at a byte.
    pub fn source_at(
        &self,
        chunk_id: i64,
        doc_uid: &str,
        start: usize,
    ) -> Result<Option<ChunkSource>, StoreError> {
        self.connection
            .prepare_cached(&format!(
                "SELECT {NAME}, {SOURCE} FROM files f JOIN chunk_sources s USING(file_id)
                 WHERE f.doc_uid = ?1 AND s.chunk_id = ?2 AND s.start_index = ?3"
            ))
            .and_then(|mut statement| {
                let values = params![doc_uid, chunk_id, start as i64];
                statement.query_row(values, |row| source(row, 0)).optional()
            })
            .map_err(|error| self.fail(error))?
            .map(|source| self.with_shown_name(source))
            .transpose()
    }

    fn with_shown_name(
        &self,
        (mut source, is_member): (ChunkSource, bool),
    ) -> Result<ChunkSource, StoreError> {
        source.document = self.named((source.document, source.file_id, is_member))?;
        Ok(source)
    }

    /// The first `limit` chunks of a row in the order of its text, behind one that starts at a byte and has a row.
    pub fn chunks_of(
        &self,
        file_id: i64,
        behind: Option<(usize, i64)>,
        limit: usize,
    ) -> Result<Vec<(StoredChunk, ChunkSource)>, StoreError> {
        let (start, chunk_id) = behind.map_or((-1, 0), |(start, chunk_id)| (start as i64, chunk_id));
        let read = || -> rusqlite::Result<Vec<(StoredChunk, (ChunkSource, bool))>> {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT {CHUNK}, {NAME}, {SOURCE} FROM chunk_sources s JOIN chunks c USING(chunk_id) JOIN files f USING(file_id)
                 WHERE s.file_id = ?1 AND s.start_index >= ?2 AND (s.start_index > ?2 OR s.chunk_id > ?3)
                 ORDER BY s.start_index, s.chunk_id LIMIT ?4"
            ))?;
            let rows = statement.query_map(params![file_id, start, chunk_id, limit as i64], |row| {
                Ok((chunk(row)?, source(row, 5)?))
            })?;
            rows.collect()
        };
        let rows = read().map_err(|error| self.fail(error))?;
        rows.into_iter().map(|(chunk, source)| Ok((chunk, self.with_shown_name(source)?))).collect()
    }

    /// The characters before each byte of a text; the bytes are in ascending order and begin a character.
    ///
    /// Cost: the segments that they lie in are unpacked, each once.
    pub fn characters_before(
        &self,
        file_id: i64,
        variant: Variant,
        version: &str,
        bytes: &[usize],
    ) -> Result<Vec<usize>, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT start_index, char_start, content FROM texts
                 WHERE file_id = ?1 AND variant = ?2 AND version = ?3 AND segment =
                       (SELECT max(s.segment) FROM texts s WHERE s.file_id = ?1 AND s.variant = ?2
                        AND s.version = ?3 AND s.start_index <= ?4)",
            )
            .map_err(|error| self.fail(error))?;
        let mut found = Vec::with_capacity(bytes.len());
        let mut segment: Option<(usize, usize, String)> = None;
        for &byte in bytes {
            let is_inside =
                |(start, _, text): &(usize, usize, String)| (*start..*start + text.len()).contains(&byte);
            if !segment.as_ref().is_some_and(is_inside) {
                let row = statement
                    .query_row(params![file_id, variant.as_str(), version, byte as i64], |row| {
                        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
                    })
                    .optional()
                    .map_err(|error| self.fail(error))?;
                let unpacked = row.and_then(|(start, chars, frame)| {
                    Some((start as usize, chars as usize, super::texts::unpack_text(&frame)?))
                });
                segment = Some(unpacked.ok_or_else(|| self.text_unreadable(file_id))?);
            }
            let (start, chars, text) = segment.get_or_insert_default();
            let before = text.get(..byte - *start).ok_or_else(|| self.text_unreadable(file_id))?;
            let count = before.chars().count();
            found.push(*chars + count);
            // What is counted is not counted again for the next byte.
            let behind = text.split_off(before.len());
            (*start, *chars, *text) = (byte, *chars + count, behind);
        }
        Ok(found)
    }
}
