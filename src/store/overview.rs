//! What the page of a server shows besides documents: counts for its chart, open problems page by page.

use super::documents::{NAME, document_name};
use super::{DocumentName, Store, StoreError};
use rusqlite::params;

/// How many documents of one format have one status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatStatus {
    /// The row of the format table; `None` for what was not read.
    pub format: Option<String>,
    /// What became of them.
    pub status: String,
    /// How many they are.
    pub files: u64,
}

/// An open problem with its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemRow {
    /// Its row.
    pub error_id: i64,
    /// One of the closed list.
    pub error_type: String,
    /// What happened.
    pub message: String,
    /// When it was found.
    pub timestamp: String,
    /// Where.
    pub path: String,
    /// The document, where it is one.
    pub document: Option<DocumentName>,
}

/// A problem, with the id of its document and whether that lies inside a file.
type Found = (ProblemRow, Option<(i64, bool)>);

impl Store {
    /// Living documents by format and status; duplicates have the format of their canonical file.
    pub fn by_format_and_status(&self) -> Result<Vec<FormatStatus>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FormatStatus>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT coalesce(f.format, c.format), f.processing_status, count(*) FROM files f
                 LEFT JOIN files c ON f.duplicate_status = 'duplicate' AND c.file_id = f.duplicate_group_id
                 WHERE f.file_type IN ('file', 'member') AND f.processing_status <> 'Deleted'
                 GROUP BY 1, 2 ORDER BY 1, 2",
            )?;
            let rows = statement.query_map([], |row| {
                let files: i64 = row.get(2)?;
                Ok(FormatStatus { format: row.get(0)?, status: row.get(1)?, files: files as u64 })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// The first `limit` open problems behind a row, in the order in which they were found; of one kind, where that is
    /// asked for.
    pub fn problems_behind(
        &self,
        kind: Option<&str>,
        behind: i64,
        limit: usize,
    ) -> Result<Vec<ProblemRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Found>> {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT e.error_id, e.error_type, e.error_message, e.timestamp, e.path, {NAME}
                 FROM errors e LEFT JOIN files f USING(file_id)
                 WHERE e.error_id > ?1 AND (?2 IS NULL OR e.error_type = ?2) ORDER BY e.error_id LIMIT ?3"
            ))?;
            let rows = statement.query_map(params![behind, kind, limit as i64], |row| {
                let is_known = row.get::<_, Option<String>>(5)?.is_some();
                let found = if is_known { Some(document_name(row, 5)?) } else { None };
                let (document, inside) = found.map(|(name, id, member)| (name, (id, member))).unzip();
                let problem = ProblemRow {
                    error_id: row.get(0)?,
                    error_type: row.get(1)?,
                    message: row.get(2)?,
                    timestamp: row.get(3)?,
                    path: row.get(4)?,
                    document,
                };
                Ok((problem, inside))
            })?;
            rows.collect()
        };
        let rows = read().map_err(|error| self.fail(error))?;
        let named = rows.into_iter().map(|(mut problem, inside)| {
            if let (Some(name), Some((file_id, is_member))) = (problem.document.take(), inside) {
                problem.document = Some(self.named((name, file_id, is_member))?);
            }
            Ok(problem)
        });
        named.collect()
    }

    /// How many chunks the text of a row has, and how many of them begin before a byte.
    pub fn chunk_counts(&self, file_id: i64, before: usize) -> Result<(usize, usize), StoreError> {
        self.connection
            .prepare_cached(
                "SELECT count(*), count(*) FILTER (WHERE start_index < ?2) FROM chunk_sources WHERE file_id = ?1",
            )
            .and_then(|mut statement| {
                statement.query_row(params![file_id, i64::try_from(before).unwrap_or(i64::MAX)], |row| {
                    Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)? as usize))
                })
            })
            .map_err(|error| self.fail(error))
    }

    /// Where the chunk before number `number` of a row begins: what [`Store::chunks_of`] goes on from.
    pub fn chunk_before(&self, file_id: i64, number: usize) -> Result<Option<(usize, i64)>, StoreError> {
        use rusqlite::OptionalExtension;
        let Some(number) = number.checked_sub(1) else { return Ok(None) };
        self.connection
            .prepare_cached(
                "SELECT start_index, chunk_id FROM chunk_sources WHERE file_id = ?1
                 ORDER BY start_index, chunk_id LIMIT 1 OFFSET ?2",
            )
            .and_then(|mut statement| {
                statement
                    .query_row(params![file_id, number as i64], |row| {
                        Ok((row.get::<_, i64>(0)? as usize, row.get(1)?))
                    })
                    .optional()
            })
            .map_err(|error| self.fail(error))
    }
}
