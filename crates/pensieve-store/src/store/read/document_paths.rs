//! Documents by their paths: chosen by patterns, at one path, and the continuation of a path that is being typed.

use super::document_lists::{DocumentPosition, like};
use super::documents::{COLUMNS, DocumentQueries, DocumentRow, TABLES, document, with_name};
use crate::store::database::error::StoreError;
use crate::store::database::roots::RootTable;
use crate::store::rows::sql::{Queries, while_true};
use crate::store::search::{DocumentFilters, FileName, PlaceConditions};
use rusqlite::{ToSql, params};

/// Documents with text.
const WITH_TEXT: &str = "f.file_type IN ('file', 'member') AND f.processing_status = 'Processed'";

impl DocumentQueries<'_> {
    /// The first `limit` chosen documents after a position, by path.
    ///
    /// Cost: a look at each row up to the last one returned, then one query for each of these.
    pub fn chosen(
        &self,
        filters: &DocumentFilters,
        after: Option<&DocumentPosition>,
        limit: usize,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let after = after.map(|position| self.full_path_of(position)).transpose()?.unwrap_or_default();
        let sql = format!(
            "SELECT f.file_id, f.relative_path, f.file_extension, coalesce(f.format, c.format),
                    coalesce(c.file_id, f.file_id) FROM {TABLES}
             WHERE {WITH_TEXT} AND f.full_filepath > ?1 ORDER BY f.full_filepath"
        );
        let mut chosen: Vec<i64> = Vec::new();
        self.0.ask(|connection| {
            let conditions = PlaceConditions::new(connection, &[], filters)?;
            connection.each(&sql, [after], |row| {
                let file = FileName {
                    file_id: row.get(0)?,
                    text_id: row.get(4)?,
                    path: row.get_ref(1)?.as_str()?,
                    extension: row.get_ref(2)?.as_str()?,
                    format: row.get_ref(3)?.as_str_or_null()?,
                };
                if conditions.allow_file(&file) {
                    chosen.push(file.file_id);
                }
                Ok(while_true(chosen.len() < limit))
            })
        })?;
        let rows = chosen.into_iter().filter_map(|file_id| self.of_file(file_id).transpose());
        rows.collect()
    }

    /// The document of a row.
    pub fn of_file(&self, file_id: i64) -> Result<Option<DocumentRow>, StoreError> {
        self.first_where("f.file_id = ?1", &file_id)
    }

    /// The living documents at this path below one of the roots.
    pub fn at_relative_path(&self, relative_path: &str) -> Result<Vec<DocumentRow>, StoreError> {
        let roots = RootTable(self.0).all()?;
        let paths = roots.iter().map(|root| root.full_path(relative_path));
        let found =
            paths.map(|path| self.first_where("f.full_filepath = ?1", &path)).filter_map(Result::transpose);
        found.collect()
    }

    fn first_where(&self, condition: &str, value: &dyn ToSql) -> Result<Option<DocumentRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE {condition} AND f.file_type IN ('file', 'member')
             AND f.processing_status IS NOT 'Deleted'"
        );
        self.0.ask(|connection| {
            let row = connection.first(&sql, [value], document)?;
            row.map(|row| with_name(connection, row)).transpose()
        })
    }

    /// Up to `limit` ways to continue a path below a root: documents, and folders with a slash at their end. If nothing
    /// begins like this, paths that contain it.
    ///
    /// Cost: one look-up for each of them; a pass over the files if nothing begins like this.
    pub fn continue_path(&self, typed: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let mut typed = typed.to_owned();
        loop {
            let found = self.next_names(&typed, limit)?;
            match &found[..] {
                [] => return self.containing(&typed, limit),
                [folder] if folder.ends_with('/') => typed = folder.clone(),
                _ => return Ok(found),
            }
        }
    }

    fn next_names(&self, typed: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "SELECT f.full_filepath FROM files f
             WHERE {WITH_TEXT} AND f.full_filepath >= ?1 ORDER BY f.full_filepath LIMIT 1"
        );
        let mut found: Vec<String> = Vec::new();
        for root in RootTable(self.0).all()? {
            let folder = root.full_path("");
            let begin = root.full_path(typed);
            let mut from = begin.clone();
            while found.len() < limit {
                let next: Option<String> =
                    self.0.ask(|connection| connection.first(&sql, [&from], |row| row.get(0)))?;
                let Some(path) = next.filter(|path| path.starts_with(&begin)) else { break };
                let end = path[begin.len()..].find('/').map_or(path.len(), |slash| begin.len() + slash + 1);
                let name = path.get(folder.len()..end).unwrap_or_default().to_owned();
                // `0` is the character after the slash: the next path that is not in this folder.
                from = match name.strip_suffix('/') {
                    Some(folder_name) => format!("{folder}{folder_name}0"),
                    None => format!("{path}\0"),
                };
                if !found.contains(&name) {
                    found.push(name);
                }
            }
        }
        Ok(found)
    }

    fn containing(&self, typed: &str, limit: usize) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "SELECT f.relative_path FROM files f WHERE {WITH_TEXT} AND f.relative_path LIKE ?1 ESCAPE '\\'
             ORDER BY f.full_filepath LIMIT ?2"
        );
        self.0.ask(|connection| connection.rows(&sql, params![like(typed), limit as i64], |row| row.get(0)))
    }
}
