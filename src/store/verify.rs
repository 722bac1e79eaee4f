//! What `verify` reads: rows as they are, and the questions that SQL answers alone.

use super::files::{FileState, STATE, file_state};
use super::{Store, StoreError};
use rusqlite::{OptionalExtension, params};

/// A law that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The law's number in the contract.
    pub law: u8,
    /// Where and how.
    pub what: String,
}

/// One chunk of a file, with what it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCheck {
    /// The chunk.
    pub chunk_id: i64,
    /// Its words.
    pub content: String,
    /// The encoding in which it was counted.
    pub tokenizer: String,
    /// First byte in the clean text.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// Source bytes and whether they are exact.
    pub source: Option<(usize, usize, bool)>,
    /// Words that belong before it.
    pub context: Option<String>,
}

/// Laws that one query proves; each row of its result is a violation.
const QUERIES: &[(u8, &str, &str)] = &[
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

impl Store {
    /// Laws that SQL proves alone, SQLite's own checks first.
    pub fn broken_rules(&self) -> Result<Vec<Violation>, StoreError> {
        let run = || -> rusqlite::Result<Vec<Violation>> {
            let mut found = Vec::new();
            for (pragma, fine) in [("PRAGMA integrity_check", "ok"), ("PRAGMA foreign_key_check", "")] {
                let mut statement = self.connection.prepare(pragma)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let what: String = row.get(0)?;
                    if what != fine {
                        found.push(Violation { law: 6, what: format!("{pragma}: {what}") });
                    }
                }
            }
            for (law, name, query) in QUERIES {
                let mut statement = self.connection.prepare(query)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let which = match row.get_ref(0)? {
                        rusqlite::types::ValueRef::Integer(id) => id.to_string(),
                        other => other.as_str().unwrap_or_default().to_owned(),
                    };
                    found.push(Violation { law: *law, what: format!("{name}: {which}") });
                }
            }
            Ok(found)
        };
        run().map_err(|error| self.fail(error))
    }

    /// The ceiling of chunks in tokens. Where the last run did not end, chunks of before and after a change of the
    /// setting stand side by side, and the larger one holds.
    pub fn ceiling(&self) -> Result<Option<usize>, StoreError> {
        let Some(settings) = self.corpus_settings()? else { return Ok(None) };
        let run = || -> rusqlite::Result<usize> {
            let last: Option<String> = self
                .connection
                .query_row("SELECT status FROM runs ORDER BY run_id DESC LIMIT 1", [], |row| row.get(0))
                .optional()?;
            let mut ceiling = settings.chunk_size;
            if last.as_deref() == Some("finished") {
                return Ok(ceiling);
            }
            let mut statement =
                self.connection.prepare("SELECT DISTINCT chunking_strategy FROM chunk_sources")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let strategy: String = row.get(0)?;
                let size = strategy.rsplit('_').nth(1).and_then(|size| size.parse::<usize>().ok());
                ceiling = ceiling.max(size.unwrap_or(0));
            }
            Ok(ceiling)
        };
        run().map(Some).map_err(|error| self.fail(error))
    }

    /// Hands over every chunk: id, stored hash, content, stored count, tokenizer.
    pub fn each_chunk(&self, each: &mut dyn FnMut(i64, &str, &str, usize, &str)) -> Result<(), StoreError> {
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(
                "SELECT chunk_id, content_hash, content, estimated_tokens, tokenizer_model FROM chunks ORDER BY chunk_id",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let tokens = row.get::<_, i64>(3)? as usize;
                let (hash, content) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
                each(row.get(0)?, hash, content, tokens, row.get_ref(4)?.as_str()?);
            }
            Ok(())
        };
        run().map_err(|error| self.fail(error))
    }

    /// Every living file with a text, in path order.
    pub fn processed_files(&self) -> Result<Vec<FileState>, StoreError> {
        let run = || -> rusqlite::Result<Vec<FileState>> {
            let mut statement = self.connection.prepare(&format!(
                "SELECT {STATE} FROM files WHERE is_canonical AND processing_status = 'Processed'
                 ORDER BY root_id, relative_path, member"
            ))?;
            let rows = statement.query_map([], file_state)?;
            rows.collect()
        };
        run().map_err(|error| self.fail(error))
    }

    /// The chunks of a file whose place begins at `from` or behind, in order, at most `limit`; `after` tells those
    /// apart that begin at one byte.
    pub fn sources_from(
        &self,
        file_id: i64,
        after: (usize, i64),
        limit: usize,
    ) -> Result<Vec<SourceCheck>, StoreError> {
        let run = || -> rusqlite::Result<Vec<SourceCheck>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT s.chunk_id, c.content, s.start_index, s.end_index, s.source_start, s.source_end,
                        s.source_exact, s.context, c.tokenizer_model
                 FROM chunk_sources s JOIN chunks c USING(chunk_id)
                 WHERE s.file_id = ?1 AND (s.start_index, s.chunk_id) > (?2, ?3)
                 ORDER BY s.start_index, s.chunk_id LIMIT ?4",
            )?;
            let rows =
                statement.query_map(params![file_id, after.0 as i64, after.1, limit as i64], |row| {
                    let source: (Option<i64>, Option<i64>, Option<bool>) =
                        (row.get(4)?, row.get(5)?, row.get(6)?);
                    Ok(SourceCheck {
                        chunk_id: row.get(0)?,
                        content: row.get(1)?,
                        start: row.get::<_, i64>(2)? as usize,
                        end: row.get::<_, i64>(3)? as usize,
                        source: match source {
                            (Some(start), Some(end), exact) => {
                                Some((start as usize, end as usize, exact.unwrap_or(false)))
                            }
                            _ => None,
                        },
                        context: row.get(7)?,
                        tokenizer: row.get(8)?,
                    })
                })?;
            rows.collect()
        };
        run().map_err(|error| self.fail(error))
    }
}
