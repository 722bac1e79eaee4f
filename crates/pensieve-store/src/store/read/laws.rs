//! Queries of `verify`: rows as they are stored, and the laws that SQL alone can check.

use super::files::{FileState, states};
use crate::store::database::error::StoreError;
use crate::store::database::meta::MetaTable;
use crate::store::database::open::Store;
use crate::store::database::schema::{FIRST_WITH_DIGESTS, schema_version};
use crate::store::indexes::search_check::differing_tables;
use crate::store::rows::digests;
use crate::store::rows::document_fields::{self, FIRST_WITH_FIELDS};
use crate::store::rows::sql::{Queries, offset};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};
use std::ops::{ControlFlow, RangeInclusive};

/// A violation of a law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The law's number in the contract.
    pub law: u8,
    /// The path below its root, chunk, table or row that violates it.
    pub place: String,
    /// Where and how.
    pub what: String,
}

impl Violation {
    /// A violation by the file with this path below its root.
    pub fn of_file(law: u8, path: &str, what: &str) -> Violation {
        Violation { law, place: path.to_owned(), what: format!("{path}: {what}") }
    }

    /// A violation by a chunk.
    pub fn of_chunk(law: u8, chunk_id: i64, what: &str) -> Violation {
        Violation::of_file(law, &format!("chunk {chunk_id}"), what)
    }

    /// A violation that a query or a check of a table found.
    pub fn found(law: u8, name: &str, place: &str) -> Violation {
        Violation { law, place: place.to_owned(), what: format!("{name}: {place}") }
    }
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

/// Laws of tables that the first schemas lack.
const LATER_LAWS: &[(u8, &str, &str)] = &[
    (
        6,
        "mail whose thread is not that of the mails it is connected with",
        "SELECT f.full_filepath FROM mail_ids i JOIN mails m USING(file_id) JOIN files f USING(file_id)
         GROUP BY i.id HAVING count(DISTINCT m.thread_uid) > 1 OR count(m.thread_uid) < count(*)",
    ),
    (
        6,
        "thread that is not named after an identifier of its mails",
        "SELECT thread_uid FROM mail_threads t WHERE NOT EXISTS
           (SELECT 1 FROM mail_ids i JOIN mails m USING(file_id)
            WHERE i.id = unhex(t.thread_uid) AND m.thread_uid = t.thread_uid)",
    ),
    (
        6,
        "thread that is not as its mails say",
        "SELECT thread_uid FROM (SELECT thread_uid, count(*), min(date), coalesce(max(date), '') FROM mails GROUP BY 1
           EXCEPT SELECT thread_uid, mails, first_date, last_date FROM mail_threads)
         UNION SELECT thread_uid FROM mail_threads WHERE thread_uid NOT IN (SELECT thread_uid FROM mails)",
    ),
    (6, "identifier whose thread was not determined", "SELECT hex(id) FROM mail_unsettled"),
    (
        6,
        "files are not as many as the last run left",
        "SELECT m.value || ', ' || f.rows FROM meta m,
           (SELECT count(*) AS rows FROM files WHERE processing_status IS NOT 'Deleted') f,
           (SELECT run_id, status FROM runs ORDER BY run_id DESC LIMIT 1) r
         WHERE m.key = 'file_rows' AND r.status = 'finished' AND m.value LIKE '% after run ' || r.run_id
           AND CAST(m.value AS INTEGER) <> f.rows",
    ),
    (
        7,
        "path that is not that of its root and its parts",
        "SELECT f.full_filepath FROM files f JOIN roots r USING(root_id)
         WHERE f.full_filepath <> rtrim(r.path, '/') || '/' || f.relative_path
            OR f.full_filepath <> f.folder_path || '/' || f.filename
            OR (f.path_bytes IS NULL) = (f.full_filepath GLOB '*\\x[0-9a-f][0-9a-f]*')",
    ),
    (
        7,
        "root with exact bytes that do not belong to its path",
        "SELECT path FROM roots WHERE (path_bytes IS NULL) = (path GLOB '*\\x[0-9a-f][0-9a-f]*')",
    ),
    (
        7,
        "segments of a text that are not numbered from 0",
        "SELECT f.full_filepath FROM files f JOIN
           (SELECT file_id FROM texts GROUP BY file_id, variant, version HAVING max(segment) <> count(*) - 1
            UNION SELECT file_id FROM text_maps GROUP BY file_id, variant, version
            HAVING max(segment) <> count(*) - 1) USING(file_id)",
    ),
    (
        7,
        "problem with another path than its file",
        "SELECT e.path FROM errors e JOIN files f USING(file_id) WHERE e.path <> f.full_filepath",
    ),
];

/// SQLite's own checks, each with what it answers if nothing is wrong.
const CHECKS: [(&str, &str); 2] = [("PRAGMA integrity_check", "ok"), ("PRAGMA foreign_key_check", "")];

/// Files that are read at a time.
const PAGE_ROWS: usize = 256;

/// Rows for `verify`.
pub struct LawQueries<'s>(pub(crate) &'s Store);

impl LawQueries<'_> {
    /// Violations of all laws that SQL alone can check, after SQLite's own checks.
    #[cfg(test)]
    pub fn violations(&self) -> Result<Vec<Violation>, StoreError> {
        let found = (0..self.number_of_laws()?).map(|number| self.violations_of(number));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// How many checks [`LawQueries::violations_of`] has.
    pub fn number_of_laws(&self) -> Result<usize, StoreError> {
        let later = self.0.ask(later_laws)?;
        Ok(CHECKS.len() + LAWS.len() + later.len() + 1)
    }

    /// Violations found by one check: SQLite's own come first, that of the search tables last.
    pub fn violations_of(&self, number: usize) -> Result<Vec<Violation>, StoreError> {
        self.0.ask(|connection| {
            if let Some((pragma, fine)) = CHECKS.get(number) {
                let answers = connection.rows(pragma, [], first_column)?;
                let broken = answers.iter().filter(|answer| answer != fine);
                return Ok(broken.map(|what| Violation::found(6, pragma, what)).collect());
            }
            let mut laws = LAWS.iter().chain(later_laws(connection)?);
            if let Some((law, name, query)) = laws.nth(number - CHECKS.len()) {
                let rows = connection.rows(query, [], first_column)?;
                return Ok(rows.iter().map(|row| Violation::found(*law, name, row)).collect());
            }
            let differing = differing_tables(connection)?.into_iter();
            let found = |(table, what): (_, _)| Violation::found(6, &format!("search table, {what}"), table);
            Ok(differing.map(found).collect())
        })
    }

    /// The largest ids of chunks and of files; 0 where there are none.
    pub fn last_ids(&self) -> Result<(i64, i64), StoreError> {
        let sql = "SELECT coalesce((SELECT max(chunk_id) FROM chunks), 0), coalesce((SELECT max(file_id) FROM files), 0)";
        self.0.ask(|connection| connection.one(sql, [], |row| Ok((row.get(0)?, row.get(1)?))))
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

    /// Passes every chunk with one of these ids to `each`: id, stored hash, content, stored count, tokenizer.
    pub fn each_chunk(
        &self,
        ids: RangeInclusive<i64>,
        each: &mut dyn FnMut(i64, &str, &str, usize, &str),
    ) -> Result<(), StoreError> {
        let sql = "SELECT chunk_id, content_hash, content, estimated_tokens, tokenizer_model FROM chunks
                   WHERE chunk_id BETWEEN ?1 AND ?2 ORDER BY chunk_id";
        self.0.ask(|connection| {
            connection.each(sql, [ids.start(), ids.end()], |row| {
                let (hash, content) = (row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?);
                each(row.get(0)?, hash, content, offset(row, 3)?, row.get_ref(4)?.as_str()?);
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// Passes every file with one of these ids that differs from its digests to `each`, with the parts that differ. A
    /// database with an older schema has no digests.
    ///
    /// Cost: one pass over all rows of these files, one file after the other.
    pub fn each_differing_file(
        &self,
        ids: RangeInclusive<i64>,
        each: &mut dyn FnMut(&str, &[&str]),
    ) -> Result<(), StoreError> {
        let sql = "SELECT file_id, relative_path FROM files WHERE file_id BETWEEN ?1 AND ?2 ORDER BY file_id";
        self.0.ask(|connection| {
            if schema_version(connection)? < FIRST_WITH_DIGESTS {
                return Ok(());
            }
            connection.each(sql, [ids.start(), ids.end()], |row| {
                let parts = digests::differing_parts(connection, row.get(0)?)?;
                if !parts.is_empty() {
                    each(row.get_ref(1)?.as_str()?, &parts);
                }
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// True if a file is to be found by other fields than what is stored for it says. A database with an older schema has
    /// none.
    pub fn has_other_fields(&self, file_id: i64) -> Result<bool, StoreError> {
        self.0.ask(|connection| {
            Ok(schema_version(connection)? >= FIRST_WITH_FIELDS
                && document_fields::differ(connection, file_id)?)
        })
    }

    /// The next living files with a text, after the file with the given id; an empty list is the end.
    pub fn processed_files(&self, after: i64) -> Result<Vec<FileState>, StoreError> {
        let condition = "is_canonical AND processing_status = 'Processed' AND file_id > ?1
                         ORDER BY file_id LIMIT ?2";
        self.0.ask(|connection| states(connection, condition, [after, PAGE_ROWS as i64]))
    }

    /// The next living files on disk with a hash, after the file with the given id; an empty list is the end.
    pub fn files_with_hash(&self, after: i64) -> Result<Vec<FileState>, StoreError> {
        let condition = "file_type = 'file' AND hash IS NOT NULL AND processing_status <> 'Deleted'
                         AND file_id > ?1 ORDER BY file_id LIMIT ?2";
        self.0.ask(|connection| states(connection, condition, [after, PAGE_ROWS as i64]))
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

/// The laws of databases that have digests.
fn later_laws(connection: &Connection) -> rusqlite::Result<&'static [(u8, &'static str, &'static str)]> {
    Ok(if schema_version(connection)? < FIRST_WITH_DIGESTS { &[] } else { LATER_LAWS })
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
