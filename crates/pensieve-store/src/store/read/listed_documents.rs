//! The list of documents with what is known of them, chosen and sorted by it.

use super::documents::{DocumentQueries, DocumentRow, TABLES};
use crate::store::database::error::StoreError;
use crate::store::rows::document_fields;
use crate::store::rows::sql::Queries;
use crate::store::search::{DocumentFilters, FileName, PlaceConditions};
use pensieve_text::text::fields::Field;
use rusqlite::Connection;
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
        let mut files = self.0.ask(|connection| chosen_files(connection, filters, sort))?;
        files.sort_unstable_by(|a, b| {
            (a.key.is_none(), &a.key, &a.path).cmp(&(b.key.is_none(), &b.key, &b.path))
        });
        if is_reversed {
            // Those without a value stay last.
            let known = files.partition_point(|file| file.key.is_some() || sort == ListSort::Path);
            files[..known].reverse();
        }
        let total = files.len();
        let page = files.into_iter().skip(offset).take(limit);
        let listed = page.filter_map(|file| self.listed_document(file.file_id).transpose());
        Ok((listed.collect::<Result<_, _>>()?, total))
    }

    /// A document with what is known of it.
    fn listed_document(&self, file_id: i64) -> Result<Option<ListedDocument>, StoreError> {
        let Some(row) = self.of_file(file_id)? else { return Ok(None) };
        let mut fields = self.fields_of(row.text_id)?;
        for field in [Field::Date, Field::Modified] {
            let is_known = fields.iter().any(|(known, _)| *known == field);
            fields.extend(row.modified.clone().filter(|_| !is_known).map(|modified| (field, modified)));
        }
        Ok(Some(ListedDocument { row, fields }))
    }

    /// What is known of a document, by the row that has its text.
    pub fn fields_of(&self, text_id: i64) -> Result<Vec<(Field, String)>, StoreError> {
        self.0.ask(|connection| document_fields::of_file(connection, text_id))
    }
}

/// The files with text that meet the filters, each with what it is sorted by, in no order.
fn chosen_files(
    connection: &Connection,
    filters: &DocumentFilters,
    sort: ListSort,
) -> rusqlite::Result<Vec<SortedFile>> {
    let column = match sort {
        ListSort::Type => "coalesce(f.format, c.format)",
        // Numbers of one length sort as texts.
        ListSort::Size => "printf('%020d', f.size_bytes)",
        ListSort::Tokens => "printf('%020d', coalesce(f.estimated_tokens, c.estimated_tokens, 0))",
        ListSort::Field(Field::Date | Field::Modified) => "f.modification_date",
        ListSort::Path | ListSort::Field(_) => "NULL",
    };
    let sql = format!(
        "SELECT f.file_id, coalesce(c.file_id, f.file_id), f.relative_path, f.file_extension,
                coalesce(f.format, c.format), f.full_filepath, {column}
         FROM {TABLES} WHERE f.file_type IN ('file', 'member') AND f.processing_status = 'Processed'"
    );
    let keys = match sort {
        ListSort::Field(field) => first_values(connection, field)?,
        _ => FxHashMap::default(),
    };
    let conditions = PlaceConditions::new(connection, &[], filters)?;
    let mut files = Vec::new();
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
    })?;
    Ok(files)
}

/// The first value of a field by the row that has the text, as it sorts.
fn first_values(connection: &Connection, field: Field) -> rusqlite::Result<FxHashMap<i64, String>> {
    // Later rows are replaced by those before them.
    let sql = "SELECT file_id, value FROM document_fields WHERE field = ?1 ORDER BY seq DESC";
    let mut values = FxHashMap::default();
    connection.each(sql, [field.as_str()], |row| {
        values.insert(row.get(0)?, row.get::<_, String>(1)?.to_lowercase());
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(values)
}
