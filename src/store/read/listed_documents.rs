//! The list of documents with what is known of them, chosen and sorted by it.

use super::documents::{DocumentQueries, DocumentRow, TABLES};
use crate::store::search::{DocumentFilters, FileName, PlaceConditions};
use crate::store::sql::Queries;
use crate::store::{StoreError, document_fields};
use pensieve_text::text::fields::Field;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// A document and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedDocument {
    /// The document.
    pub row: DocumentRow,
    /// Its fields; without a date of its own, that of its last change.
    pub fields: Vec<(Field, String)>,
}

impl ListedDocument {
    /// The values of a field.
    pub fn values(&self, field: Field) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |(known, _)| *known == field).map(|(_, value)| value.as_str())
    }
}

/// By what a list is sorted; equal ones by path, those without a value last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListSort {
    /// By path.
    Path,
    /// By the row of the format table.
    Type,
    /// By bytes.
    Size,
    /// By tokens.
    Tokens,
    /// By the first value of a field.
    Field(Field),
}

/// What a list is sorted by, before it is cut.
struct SortedFile {
    file_id: i64,
    path: String,
    key: Option<String>,
}

impl DocumentQueries<'_> {
    /// The documents with text that meet the filters, sorted; `limit` of them after `offset`, and the number of all.
    ///
    /// Cost: a look at each row, and for a sort by a field a pass over its values; a few queries for each one returned.
    pub fn listed(
        &self,
        filters: &DocumentFilters,
        (sort, is_reversed): (ListSort, bool),
        (offset, limit): (usize, usize),
    ) -> Result<(Vec<ListedDocument>, usize), StoreError> {
        let column = match sort {
            ListSort::Path => "NULL",
            ListSort::Type => "coalesce(f.format, c.format)",
            // Numbers of one length sort as texts.
            ListSort::Size => "printf('%020d', f.size_bytes)",
            ListSort::Tokens => "printf('%020d', coalesce(f.estimated_tokens, c.estimated_tokens, 0))",
            ListSort::Field(Field::Date | Field::Modified) => "f.modification_date",
            ListSort::Field(_) => "NULL",
        };
        let sql = format!(
            "SELECT f.file_id, coalesce(c.file_id, f.file_id), f.relative_path, f.file_extension,
                    coalesce(f.format, c.format), f.full_filepath, {column}
             FROM {TABLES} WHERE f.file_type IN ('file', 'member') AND f.processing_status = 'Processed'"
        );
        let mut files: Vec<SortedFile> = Vec::new();
        self.0.ask(|connection| {
            let mut keys: FxHashMap<i64, String> = FxHashMap::default();
            if let ListSort::Field(field) = sort {
                let sql = "SELECT file_id, value FROM document_fields WHERE field = ?1 ORDER BY seq DESC";
                connection.each(sql, [field.as_str()], |row| {
                    keys.insert(row.get(0)?, row.get::<_, String>(1)?.to_lowercase());
                    Ok(ControlFlow::Continue(()))
                })?;
            }
            let conditions = PlaceConditions::new(connection, &[], filters)?;
            connection.each(&sql, [], |row| {
                let file = FileName {
                    file_id: row.get(0)?,
                    text_id: row.get(1)?,
                    path: row.get_ref(2)?.as_str()?,
                    extension: row.get_ref(3)?.as_str()?,
                    format: row.get_ref(4)?.as_str_or_null()?,
                };
                if conditions.allow_file(&file) {
                    let key = keys.get(&file.text_id).cloned().or(row.get(6)?);
                    files.push(SortedFile { file_id: file.file_id, path: row.get(5)?, key });
                }
                Ok(ControlFlow::Continue(()))
            })
        })?;
        files.sort_unstable_by(|a, b| {
            (a.key.is_none(), &a.key, &a.path).cmp(&(b.key.is_none(), &b.key, &b.path))
        });
        if is_reversed {
            let known = if sort == ListSort::Path {
                files.len()
            } else {
                files.partition_point(|file| file.key.is_some())
            };
            files[..known].reverse();
        }
        let total = files.len();
        let mut listed = Vec::new();
        for file in files.into_iter().skip(offset).take(limit) {
            let Some(row) = self.of_file(file.file_id)? else { continue };
            let mut fields = self.fields_of(row.text_id)?;
            for field in [Field::Date, Field::Modified] {
                if let Some(modified) =
                    row.modified.as_ref().filter(|_| fields.iter().all(|(known, _)| *known != field))
                {
                    fields.push((field, modified.clone()));
                }
            }
            listed.push(ListedDocument { row, fields });
        }
        Ok((listed, total))
    }

    /// What is known of a document, by the row that has its text.
    pub fn fields_of(&self, text_id: i64) -> Result<Vec<(Field, String)>, StoreError> {
        self.0.ask(|connection| document_fields::of_file(connection, text_id))
    }
}
