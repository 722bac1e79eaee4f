//! The report of a run about the corpus: how much of it has text, what failed, what needs a review.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count, while_true};
use pensieve_text::model::{FileType, ProcessingStatus};
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::Value;
use std::ops::ControlFlow;

/// The living files that have all of these values in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverageRow {
    /// On disk, or inside another document.
    pub file_type: FileType,
    /// MIME type.
    pub mime: Option<String>,
    /// The format of them or of their canonical file; `None` for files that are no documents.
    pub format: Option<String>,
    /// Their processing status.
    pub status: ProcessingStatus,
    /// True if their current clean text is not empty.
    pub has_text: bool,
    /// True if another file has the same bytes.
    pub is_duplicate: bool,
    /// The number of files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Tokens of their texts; duplicates count once, as part of the file that is read.
    pub tokens: u64,
}

/// An open problem with the file that has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedFile {
    /// Absolute path in stored form.
    pub path: String,
    /// The status of the file; `None` if the path has no row.
    pub status: Option<String>,
    /// The kind, from the closed list.
    pub error_type: String,
    /// The message.
    pub message: String,
    /// On disk, or inside another document.
    #[serde(skip)]
    pub file_type: FileType,
    /// MIME type.
    #[serde(skip)]
    pub mime: Option<String>,
}

/// A text that a person should review.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewRow {
    /// Absolute path in stored form.
    pub path: String,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// The current clean version.
    pub version: String,
    /// Characters of its clean text.
    pub char_length: u64,
    /// Why: objects with `reason` and `detail`.
    pub reasons: Value,
    /// On disk, or inside another document.
    #[serde(skip)]
    pub file_type: FileType,
    /// MIME type.
    #[serde(skip)]
    pub mime: Option<String>,
}

/// Rows for reports, of one root or of all.
pub struct ReportQueries<'s>(pub(crate) &'s Store);

impl ReportQueries<'_> {
    /// Living files in groups.
    ///
    /// Cost: one pass over files, with two look-ups each.
    pub fn coverage(&self, root_id: Option<i64>) -> Result<Vec<CoverageRow>, StoreError> {
        let sql = "SELECT f.file_type, f.mime_type, c.format, f.processing_status, coalesce(v.char_length > 0, 0),
                          f.duplicate_status IS 'duplicate', count(*), sum(f.size_bytes),
                          coalesce(sum(f.estimated_tokens), 0)
                   FROM files f
                   JOIN files c ON c.file_id =
                        CASE WHEN f.is_canonical THEN f.file_id ELSE coalesce(f.duplicate_group_id, f.file_id) END
                   LEFT JOIN text_versions v ON v.file_id = c.file_id AND v.variant = 'clean' AND v.is_current
                   WHERE f.file_type IN ('file', 'member') AND f.processing_status <> 'Deleted'
                     AND f.root_id = coalesce(?1, f.root_id)
                   GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6";
        self.0.ask(|connection| {
            connection.rows(sql, [root_id], |row| {
                let status = ProcessingStatus::from_name(row.get_ref(3)?.as_str()?);
                Ok(CoverageRow {
                    file_type: file_type(row, 0)?,
                    mime: row.get(1)?,
                    format: row.get(2)?,
                    status: status.unwrap_or(ProcessingStatus::Error),
                    has_text: row.get(4)?,
                    is_duplicate: row.get(5)?,
                    files: count(row, 6)?,
                    bytes: count(row, 7)?,
                    tokens: count(row, 8)?,
                })
            })
        })
    }

    /// Passes the open problems to `each`, by path; `root` is the id and path of a root.
    pub fn failures(
        &self,
        root: Option<(i64, &str)>,
        each: &mut dyn FnMut(FailedFile),
    ) -> Result<(), StoreError> {
        let sql =
            "SELECT e.path, f.processing_status, e.error_type, e.error_message, f.file_type, f.mime_type
                   FROM errors e LEFT JOIN files f USING(file_id)
                   WHERE ?1 IS NULL OR f.root_id = ?1
                      OR (f.file_id IS NULL AND substr(e.path, 1, length(?2) + 1) = ?2 || '/')
                   ORDER BY e.path, e.error_type, e.error_id";
        let (root_id, path) = root.unzip();
        self.0.ask(|connection| {
            connection.each(sql, params![root_id, path], |row| {
                each(FailedFile {
                    path: row.get(0)?,
                    status: row.get(1)?,
                    error_type: row.get(2)?,
                    message: row.get(3)?,
                    file_type: file_type(row, 4)?,
                    mime: row.get(5)?,
                });
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// Passes every file whose current clean text needs a review to `each`, by root and path; `each` returns false to
    /// stop.
    ///
    /// Cost: one pass over the versions.
    pub fn reviews(
        &self,
        root_id: Option<i64>,
        each: &mut dyn FnMut(ReviewRow) -> bool,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT f.full_filepath, f.format, v.version, v.char_length, v.review_reasons, f.file_type, f.mime_type
             {TO_REVIEW} ORDER BY f.root_id, f.relative_path"
        );
        self.0.ask(|connection| {
            connection.each(&sql, [root_id], |row| {
                Ok(while_true(each(ReviewRow {
                    path: row.get(0)?,
                    format: row.get(1)?,
                    version: row.get(2)?,
                    char_length: count(row, 3)?,
                    reasons: serde_json::from_str(row.get_ref(4)?.as_str()?).unwrap_or_default(),
                    file_type: file_type(row, 5)?,
                    mime: row.get(6)?,
                })))
            })
        })
    }

    /// How many current clean texts need a review.
    pub fn review_count(&self, root_id: Option<i64>) -> Result<u64, StoreError> {
        let sql = format!("SELECT count(*) {TO_REVIEW}");
        self.0.ask(|connection| connection.one(&sql, [root_id], |row| count(row, 0)))
    }

    /// How many living files of a root are skipped and have one of these MIME types.
    pub fn skipped_with_mime(&self, root_id: i64, mimes: &[&str]) -> Result<u64, StoreError> {
        let mimes = serde_json::to_string(mimes).unwrap_or_default();
        let sql = "SELECT count(*) FROM files WHERE root_id = ?1 AND processing_status = 'Skipped_Binary'
                   AND mime_type IN (SELECT value FROM json_each(?2))";
        self.0.ask(|connection| connection.one(sql, params![root_id, mimes], |row| count(row, 0)))
    }

    /// How many files of a root were left where they are because they hold secrets.
    pub fn withheld_count(&self, root_id: i64) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM files WHERE root_id = ?1 AND processing_status = 'Skipped_Secret'";
        self.0.ask(|connection| connection.one(sql, [root_id], |row| count(row, 0)))
    }

    /// How many files of a root were read that have a name with a dot before it, or lie in such a folder.
    pub fn hidden_count(&self, root_id: i64) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM files WHERE root_id = ?1 AND file_type = 'file'
                   AND processing_status = 'Processed' AND '/' || relative_path LIKE '%/.%'";
        self.0.ask(|connection| connection.one(sql, [root_id], |row| count(row, 0)))
    }
}

/// Current clean texts that need a review, of root `?1` or of all.
const TO_REVIEW: &str = "FROM text_versions v JOIN files f USING(file_id)
     WHERE v.variant = 'clean' AND v.is_current AND v.needs_review AND f.root_id = coalesce(?1, f.root_id)";

fn file_type(row: &Row<'_>, at: usize) -> rusqlite::Result<FileType> {
    Ok(row.get_ref(at)?.as_str_or_null()?.and_then(FileType::from_name).unwrap_or(FileType::File))
}
