//! Full-text search over chunks, with every place that a hit stands in.

use super::{Store, StoreError, load};
use rusqlite::{Statement, params};
use serde::Serialize;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Words, or an FTS5 expression; what is no valid expression is taken as words.
    pub query: String,
    /// Hits at most.
    pub limit: usize,
    /// Hits to pass over.
    pub offset: usize,
    /// Neighbouring chunks on each side.
    pub context: usize,
}

/// One place of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChunkPlace {
    /// Absolute path in stored form.
    pub path: String,
    /// First byte in the clean text of that file.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// Source bytes, where the format has them.
    pub source: Option<(usize, usize)>,
    /// True when those bytes, decoded and normalised, are the chunk.
    pub source_exact: Option<bool>,
    /// Lines, pages, cells, as JSON.
    pub locator: Option<serde_json::Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Words that belong before it.
    pub context: Option<String>,
    /// Other files with the same bytes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
    #[serde(skip)]
    file_id: i64,
}

/// One chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// How outsiders name the chunk.
    pub content_hash: String,
    /// BM25, larger is better.
    pub score: f64,
    /// The matching words in brackets, with their surroundings.
    pub snippet: String,
    /// The whole chunk.
    pub content: String,
    /// Its tokens.
    pub tokens: usize,
    /// Every place, by path.
    pub sources: Vec<ChunkPlace>,
    /// Chunks before it, in the order of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Chunks behind it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

impl Store {
    /// Ranked hits, best first; equal ranks in the order of ids.
    ///
    /// # Errors
    /// The search table is off, or a load has not ended.
    pub fn search(&self, options: &SearchOptions) -> Result<Vec<Hit>, StoreError> {
        let open = load::is_open(&self.connection).map_err(|error| self.fail(error))?;
        if open {
            return Err(StoreError::Unfinished { path: self.path.clone() });
        }
        let found = match self.find(&options.query, options) {
            Ok(found) => found,
            Err(_) => self.find(&as_words(&options.query), options).map_err(|error| self.fail(error))?,
        };
        let mut hits = Vec::with_capacity(found.len());
        for (chunk_id, mut hit) in found {
            hit.sources = self.places(chunk_id).map_err(|error| self.fail(error))?;
            if let Some(place) = hit.sources.first().filter(|_| options.context > 0) {
                let place = (place.file_id, place.start, options.context);
                hit.before = self.neighbours(place, false).map_err(|error| self.fail(error))?;
                hit.after = self.neighbours(place, true).map_err(|error| self.fail(error))?;
            }
            hits.push(hit);
        }
        Ok(hits)
    }

    fn find(&self, query: &str, options: &SearchOptions) -> rusqlite::Result<Vec<(i64, Hit)>> {
        if query.trim().is_empty() {
            return Ok(Vec::new());
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT c.chunk_id, c.content_hash, -bm25(chunks_fts), snippet(chunks_fts, 0, '[', ']', ' … ', 24),
                    c.content, c.estimated_tokens
             FROM chunks_fts JOIN chunks c ON c.chunk_id = chunks_fts.rowid
             WHERE chunks_fts MATCH ?1 ORDER BY rank, c.chunk_id LIMIT ?2 OFFSET ?3",
        )?;
        let rows =
            statement.query_map(params![query, options.limit as i64, options.offset as i64], |row| {
                let hit = Hit {
                    content_hash: row.get(1)?,
                    score: row.get(2)?,
                    snippet: row.get(3)?,
                    content: row.get(4)?,
                    tokens: row.get::<_, i64>(5)? as usize,
                    sources: Vec::new(),
                    before: Vec::new(),
                    after: Vec::new(),
                };
                Ok((row.get(0)?, hit))
            })?;
        rows.collect()
    }

    /// Every place of a chunk, by path.
    pub(super) fn places(&self, chunk_id: i64) -> rusqlite::Result<Vec<ChunkPlace>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.full_filepath, s.start_index, s.end_index, s.source_start, s.source_end, s.source_exact, s.locator,
                    s.heading_path, s.context, f.file_id
             FROM chunk_sources s JOIN files f USING(file_id) WHERE s.chunk_id = ?1
             ORDER BY f.full_filepath, s.start_index",
        )?;
        let rows = statement.query_map([chunk_id], |row| {
            let source: (Option<i64>, Option<i64>) = (row.get(3)?, row.get(4)?);
            let locator: Option<String> = row.get(6)?;
            Ok(ChunkPlace {
                path: row.get(0)?,
                start: row.get::<_, i64>(1)? as usize,
                end: row.get::<_, i64>(2)? as usize,
                source: source.0.zip(source.1).map(|(start, end)| (start as usize, end as usize)),
                source_exact: row.get(5)?,
                locator: locator.and_then(|json| serde_json::from_str(&json).ok()),
                heading_path: row.get(7)?,
                context: row.get(8)?,
                duplicates: Vec::new(),
                file_id: row.get(9)?,
            })
        })?;
        let mut places = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        for place in &mut places {
            place.duplicates = self.twins(place.file_id)?;
        }
        Ok(places)
    }

    /// Paths of the duplicates of a canonical file.
    fn twins(&self, file_id: i64) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT full_filepath FROM files WHERE duplicate_group_id = ?1 AND file_id <> ?1 ORDER BY full_filepath",
        )?;
        let rows = statement.query_map([file_id], |row| row.get(0))?;
        rows.collect()
    }

    fn neighbours(
        &self,
        (file_id, start, count): (i64, usize, usize),
        after: bool,
    ) -> rusqlite::Result<Vec<String>> {
        let mut statement: Statement<'_> = self.connection.prepare(&format!(
            "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
             WHERE s.file_id = ?1 AND s.start_index {} ?2 ORDER BY s.start_index {} LIMIT ?3",
            if after { ">" } else { "<" },
            if after { "ASC" } else { "DESC" },
        ))?;
        let rows = statement.query_map(params![file_id, start as i64, count as i64], |row| row.get(0))?;
        let mut found: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
        if !after {
            found.reverse();
        }
        Ok(found)
    }
}

/// A query as plain words: each one quoted, so that no character is an operator.
fn as_words(query: &str) -> String {
    query
        .split_whitespace()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_can_be_searched_for() {
        assert_eq!(as_words("foo-bar \"x"), "\"foo-bar\" \"\"\"x\"");
    }
}
