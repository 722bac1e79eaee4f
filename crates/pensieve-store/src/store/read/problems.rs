//! Open problems: all, those of a file, and page by page.

use super::document_names::{DocumentName, NAME, NamedRow, complete_names};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count};
use rusqlite::{Row, params};
use serde::Serialize;
use std::collections::BTreeMap;

/// A row of `errors`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenProblem {
    /// Absolute path in stored form.
    pub path: String,
    /// The kind, from the closed list.
    pub error_type: String,
    /// The message.
    pub message: String,
    /// When it was found.
    pub timestamp: String,
}

/// An open problem with its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemRow {
    /// Its row.
    pub error_id: i64,
    /// The kind, from the closed list.
    pub error_type: String,
    /// The message.
    pub message: String,
    /// When it was found.
    pub timestamp: String,
    /// The absolute path in stored form.
    pub path: String,
    /// The document, if the path is one.
    pub document: Option<DocumentName>,
}

/// The table `errors`.
pub struct ProblemQueries<'s>(pub(crate) &'s Store);

impl ProblemQueries<'_> {
    /// Open problems, by path.
    pub fn all(&self) -> Result<Vec<OpenProblem>, StoreError> {
        let sql = "SELECT path, error_type, error_message, timestamp FROM errors ORDER BY path, error_type, error_id";
        self.0.ask(|connection| connection.rows(sql, [], open_problem))
    }

    /// Open problems of one file.
    pub fn of_file(&self, file_id: i64) -> Result<Vec<OpenProblem>, StoreError> {
        let sql = "SELECT path, error_type, error_message, timestamp FROM errors WHERE file_id = ?1 ORDER BY error_id";
        self.0.ask(|connection| connection.rows(sql, [file_id], open_problem))
    }

    /// The kind of each open problem of a file.
    pub fn kinds_of(&self, file_id: i64) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT error_type FROM errors WHERE file_id = ?1";
        self.0.ask(|connection| connection.rows(sql, [file_id], |row| row.get(0)))
    }

    /// The number of open problems of each kind.
    pub fn counts(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let sql = "SELECT error_type, count(*) FROM errors GROUP BY 1";
        let counts =
            self.0.ask(|connection| connection.rows(sql, [], |row| Ok((row.get(0)?, count(row, 1)?))))?;
        Ok(counts.into_iter().collect())
    }

    /// The number of open problems below the folder of an absolute path in stored form.
    pub fn count_below(&self, folder: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM errors WHERE substr(path, 1, length(?1) + 1) = ?1 || '/'";
        self.0.ask(|connection| connection.one(sql, [folder], |row| count(row, 0)))
    }

    /// The first `limit` open problems after a row, in the order in which they were found; only of `kind`, if given.
    pub fn page(&self, kind: Option<&str>, after: i64, limit: usize) -> Result<Vec<ProblemRow>, StoreError> {
        let sql = format!(
            "SELECT e.error_id, e.error_type, e.error_message, e.timestamp, e.path, {NAME}
             FROM errors e LEFT JOIN files f USING(file_id)
             WHERE e.error_id > ?1 AND (?2 IS NULL OR e.error_type = ?2) ORDER BY e.error_id LIMIT ?3"
        );
        self.0.ask(|connection| {
            let mut rows = connection.rows(&sql, params![after, kind, limit as i64], problem_row)?;
            complete_names(connection, rows.iter_mut().filter_map(|(_, named)| named.as_mut()))?;
            let problem = |(problem, named): (ProblemRow, Option<NamedRow>)| ProblemRow {
                document: named.map(|named| named.document),
                ..problem
            };
            Ok(rows.into_iter().map(problem).collect())
        })
    }
}

fn open_problem(row: &Row<'_>) -> rusqlite::Result<OpenProblem> {
    Ok(OpenProblem {
        path: row.get(0)?,
        error_type: row.get(1)?,
        message: row.get(2)?,
        timestamp: row.get(3)?,
    })
}

/// Reads a problem, and the file that has it, if the path has a row.
fn problem_row(row: &Row<'_>) -> rusqlite::Result<(ProblemRow, Option<NamedRow>)> {
    let has_file = row.get::<_, Option<String>>(5)?.is_some();
    let named = if has_file { Some(NamedRow::read(row, 5)?) } else { None };
    let problem = ProblemRow {
        error_id: row.get(0)?,
        error_type: row.get(1)?,
        message: row.get(2)?,
        timestamp: row.get(3)?,
        path: row.get(4)?,
        document: None,
    };
    Ok((problem, named))
}
