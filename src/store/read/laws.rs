//! Queries of `verify`: rows as they are stored, and the laws that SQL alone can check.

use super::files::{FileState, states};
use crate::store::meta::MetaTable;
use crate::store::sql::{Queries, offset};
use crate::store::{Store, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use std::ops::ControlFlow;

/// A violation of a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The law's number in the contract.
    pub law: u8,
    /// Where and how.
    pub what: String,
}

/// One place of a chunk in a file, with the source that it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedChunk {
    /// The chunk.
    pub chunk_id: i64,
    /// Its text.
    pub content: String,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// First byte in the clean text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// Source bytes and whether they are exact.
    pub source: Option<(usize, usize, bool)>,
    /// Text to repeat before the chunk.
    pub context: Option<String>,
}

/// Laws that one query can check; each row of its result is a violation.
const LAWS: &[(u8, &str, &str)] = &[
    (
        2,
        "two chunks share a content_hash",
        "SELECT min(chunk_id) || ', ' || max(chunk_id) FROM chunks GROUP BY content_hash HAVING count(*) > 1",
    ),
    (
        6,
        "chunk without a source",
        "SELECT chunk_id FROM chunks c WHERE NOT EXISTS (SELECT 1 FROM chunk_sources s WHERE s.chunk_id = c.chunk_id)",
    ),
    (
        6,
        "source of a file that is not a living canonical one",
        "SELECT f.full_filepath FROM files f WHERE (NOT f.is_canonical OR f.processing_status IS NOT 'Processed')
           AND EXISTS (SELECT 1 FROM chunk_sources s WHERE s.file_id = f.file_id)",
    ),
    (
        6,
        "processed file without a current clean text",
        "SELECT full_filepath FROM files f WHERE is_canonical AND processing_status = 'Processed' AND NOT EXISTS
           (SELECT 1 FROM text_versions v WHERE v.file_id = f.file_id AND v.variant = 'clean' AND v.is_current)",
    ),
    (
        6,
        "two current versions of one text",
        "SELECT f.full_filepath FROM text_versions v JOIN files f USING(file_id) WHERE v.is_current
         GROUP BY v.file_id, v.variant HAVING count(*) > 1",
    ),
    (
        6,
        "text without its row in text_versions",
        "SELECT DISTINCT f.full_filepath FROM texts t JOIN files f USING(file_id) WHERE t.segment = 0 AND NOT EXISTS
           (SELECT 1 FROM text_versions v WHERE (v.file_id, v.variant, v.version) = (t.file_id, t.variant, t.version))",
    ),
    (
        6,
        "text of a file that is not a living canonical one",
        "SELECT f.full_filepath FROM files f WHERE (NOT f.is_canonical OR f.processing_status IS NOT 'Processed')
           AND EXISTS (SELECT 1 FROM text_versions v WHERE v.file_id = f.file_id)",
    ),
    (
        6,
        "living files with one hash and not exactly one canonical file",
        "SELECT hash FROM files WHERE hash IS NOT NULL AND processing_status <> 'Deleted'
         GROUP BY hash HAVING sum(is_canonical) <> 1",
    ),
    (
        6,
        "duplicate columns that contradict the group",
        "SELECT full_filepath FROM files f WHERE hash IS NOT NULL AND processing_status <> 'Deleted' AND
           duplicate_status IS NOT (CASE WHEN NOT is_canonical THEN 'duplicate'
             WHEN (SELECT count(*) FROM files g WHERE g.hash = f.hash AND g.processing_status <> 'Deleted') > 1
             THEN 'canonical' ELSE 'unique' END)",
    ),
];

/// Rows for `verify`.
pub struct LawQueries<'s>(pub(in crate::store) &'s Store);

impl LawQueries<'_> {
    /// Violations of the laws that SQL alone can check, after SQLite's own checks.
    pub fn violations(&self) -> Result<Vec<Violation>, StoreError> {
        self.0.ask(|connection| {
            let mut found = Vec::new();
            for (pragma, fine) in [("PRAGMA integrity_check", "ok"), ("PRAGMA foreign_key_check", "")] {
                let answers = connection.rows(pragma, [], first_column)?;
                let broken = answers.into_iter().filter(|answer| answer != fine);
                found.extend(broken.map(|what| Violation { law: 6, what: format!("{pragma}: {what}") }));
            }
            for (law, name, query) in LAWS {
                let rows = connection.rows(query, [], first_column)?;
                found.extend(
                    rows.into_iter().map(|row| Violation { law: *law, what: format!("{name}: {row}") }),
                );
            }
            Ok(found)
        })
    }

    /// The maximum size of a chunk in tokens. If the last run did not finish, chunks from before and after a change of
    /// the setting may coexist, and the larger value applies.
    pub fn max_chunk_tokens(&self) -> Result<Option<usize>, StoreError> {
        let Some(settings) = MetaTable(self.0).corpus_settings()? else { return Ok(None) };
        let strategies = self.0.ask(|connection| match last_run_finished(connection)? {
            true => Ok(Vec::new()),
            false => connection.rows("SELECT DISTINCT chunking_strategy FROM chunk_sources", [], |row| {
                row.get::<_, String>(0)
            }),
        })?;
        let sizes = strategies.iter().filter_map(|name| name.rsplit('_').nth(1)?.parse().ok());
        Ok(sizes.chain([settings.chunk_size]).max())
    }

    /// Passes every chunk to `each`: id, stored hash, content, stored count, tokenizer.
    pub fn each_chunk(&self, each: &mut dyn FnMut(i64, &str, &str, usize, &str)) -> Result<(), StoreError> {
        let sql = "SELECT chunk_id, content_hash, content, estimated_tokens, tokenizer_model FROM chunks
                   ORDER BY chunk_id";
        self.0.ask(|connection| {
            connection.each(sql, [], |row| {
                let (hash, content) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
                each(row.get(0)?, hash, content, offset(row, 3)?, row.get_ref(4)?.as_str()?);
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// Every living file with a text, by root and path.
    pub fn processed_files(&self) -> Result<Vec<FileState>, StoreError> {
        let condition =
            "is_canonical AND processing_status = 'Processed' ORDER BY root_id, relative_path, member";
        self.0.ask(|connection| states(connection, condition, []))
    }

    /// The first `limit` chunks of a file in text order, after the chunk with the given start and row.
    pub fn chunks_after(
        &self,
        file_id: i64,
        after: (usize, i64),
        limit: usize,
    ) -> Result<Vec<CitedChunk>, StoreError> {
        let sql = "SELECT s.chunk_id, c.content, s.start_index, s.end_index, s.source_start, s.source_end,
                          s.source_exact, s.context, c.tokenizer_model
                   FROM chunk_sources s JOIN chunks c USING(chunk_id)
                   WHERE s.file_id = ?1 AND (s.start_index, s.chunk_id) > (?2, ?3)
                   ORDER BY s.start_index, s.chunk_id LIMIT ?4";
        let values = params![file_id, after.0 as i64, after.1, limit as i64];
        self.0.ask(|connection| connection.rows(sql, values, cited_chunk))
    }
}

fn first_column(row: &Row<'_>) -> rusqlite::Result<String> {
    Ok(match row.get_ref(0)? {
        ValueRef::Integer(id) => id.to_string(),
        other => other.as_str().unwrap_or_default().to_owned(),
    })
}

fn last_run_finished(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT status = 'finished' FROM runs ORDER BY run_id DESC LIMIT 1";
    Ok(connection.first(sql, [], |row| row.get(0))?.unwrap_or(false))
}

fn cited_chunk(row: &Row<'_>) -> rusqlite::Result<CitedChunk> {
    let source: (Option<i64>, Option<i64>, Option<bool>) = (row.get(4)?, row.get(5)?, row.get(6)?);
    Ok(CitedChunk {
        chunk_id: row.get(0)?,
        content: row.get(1)?,
        start: offset(row, 2)?,
        end: offset(row, 3)?,
        source: match source {
            (Some(start), Some(end), is_exact) => {
                Some((start as usize, end as usize, is_exact.unwrap_or(false)))
            }
            _ => None,
        },
        context: row.get(7)?,
        tokenizer: row.get(8)?,
    })
}

#[cfg(test)]
mod tests;
