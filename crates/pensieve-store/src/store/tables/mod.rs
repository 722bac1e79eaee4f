//! Tables of documents: which there are, their cells, and questions in SQL about them.
//!
//! A row of `tables` says where a table is in the current clean text of its file, and how its cells are read; the cells are read from
//! the text when somebody asks. So they are a function of the text, after any history, and take no space: 35,478
//! rows for 37 annual reports are 4 % of the database.

mod find;
mod select;
mod update;

pub use find::TableFilter;
pub use select::{QueryLimits, SelectError, SqlAnswer, SqlValue};

use super::database::error::StoreError;
use super::database::open::Store;
use super::database::schema::schema_version;
use super::places::chunk_place::ChunkPlace;
use super::places::citation::Citation;
use super::read::StoredText;
use super::rows::sql::{Queries, count, offset};
use super::rows::text_packing::TextVariant;
use pensieve_text::model::{CellRange, Locator, Segment, Span};
use pensieve_text::tables::{TableCell, TableColumn, TableLayout, TableReader, TableRow};
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// The first schema with tables.
const FIRST_WITH_TABLES: i64 = 14;

/// A table of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StoredTable {
    /// Its number in the database, by which it is asked for: `t12`.
    pub table_id: i64,
    /// The document with the text.
    #[serde(skip)]
    pub file_id: i64,
    /// The public id of its document.
    pub doc_uid: String,
    /// The path of its document.
    pub path: String,
    /// The same below its root.
    pub relative_path: String,
    /// Its number in the document, from 1.
    pub number: u64,
    /// What it is called.
    pub title: Option<String>,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// Its place in the source.
    pub locator: Option<Value>,
    /// Its rows, without those of the header.
    pub rows: u64,
    /// The rows of the header.
    pub header_rows: u64,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Its bytes of the clean text.
    #[serde(skip)]
    pub span: Range<usize>,
    /// The labels of its rows, one a line, as far as they are kept.
    #[serde(skip)]
    pub labels: String,
    /// How its cells are read.
    #[serde(skip)]
    pub layout: TableLayout,
    #[serde(skip)]
    version: String,
}

/// The columns that [`stored_table`] reads.
const COLUMNS: &str =
    "t.table_id, t.file_id, f.doc_uid, f.full_filepath, f.relative_path, t.number, t.title, t.heading_path, t.locator, t.rows,
    t.header_rows, t.start_index, t.end_index, t.labels, t.layout, v.version";

const TABLES: &str = "tables t JOIN files f ON f.file_id = t.file_id
    JOIN text_versions v ON v.file_id = t.file_id AND v.variant = 'clean' AND v.is_current";

fn stored_table(row: &Row<'_>) -> rusqlite::Result<StoredTable> {
    let locator: Option<String> = row.get(8)?;
    let layout = serde_json::from_str(row.get_ref(14)?.as_str()?).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(14, rusqlite::types::Type::Text, Box::new(error))
    })?;
    let layout: TableLayout = layout;
    Ok(StoredTable {
        table_id: row.get(0)?,
        file_id: row.get(1)?,
        doc_uid: row.get(2)?,
        path: row.get(3)?,
        relative_path: row.get(4)?,
        number: count(row, 5)?,
        title: row.get(6)?,
        heading_path: row.get(7)?,
        locator: locator.and_then(|json| serde_json::from_str(&json).ok()),
        rows: count(row, 9)?,
        header_rows: count(row, 10)?,
        columns: layout.columns.clone(),
        span: offset(row, 11)?..offset(row, 12)?,
        labels: row.get(13)?,
        layout,
        version: row.get(15)?,
    })
}

/// Where a row of a table stands: the places of its cells, and their citations. A row that lies in two segments has none.
pub struct RowPlaces<'r> {
    segment: &'r Segment,
    start: usize,
    doc_uid: &'r str,
    row: Option<Locator>,
    columns: Option<(u32, usize)>,
}

impl RowPlaces<'_> {
    /// The place of the row as the JSON of a locator.
    pub fn row(&self) -> Option<Value> {
        json(self.row.as_ref()?)
    }

    /// The place of a cell: of itself where its source knows that, of its row otherwise.
    pub fn cell(&self, cell: &TableCell) -> Option<Value> {
        let place = match &self.row {
            Some(Locator::Lines { .. }) | None => self.row.clone(),
            Some(_) => self.locate(cell.span).or_else(|| self.row.clone()),
        };
        json(&in_column(place?, cell.place, self.columns))
    }

    /// The citation of a cell, or of any span of the row; `None` for an empty one.
    pub fn citation(&self, span: Span) -> Option<String> {
        let words = self.segment.text.get(self.inside(span)?.range())?;
        (!words.is_empty()).then(|| Citation::new(self.doc_uid, span.start, words).to_string())
    }

    fn locate(&self, span: Span) -> Option<Locator> {
        self.segment.locate(self.inside(span)?)
    }

    fn inside(&self, span: Span) -> Option<Span> {
        let inside = Span::new(span.start.checked_sub(self.start)?, span.end.checked_sub(self.start)?);
        (inside.end <= self.segment.text.len() && !inside.is_empty()).then_some(inside)
    }
}

fn json(locator: &Locator) -> Option<Value> {
    serde_json::from_str(&locator.to_json()).ok()
}

/// The one cell of a row in a table of the columns `(first, count)` of its sheet, if its rows have as many cells: columns without
/// a cell are left out of a table, and the last ones of a row out of its place.
fn in_column(place: Locator, (at, cells): (usize, usize), columns: Option<(u32, usize)>) -> Locator {
    match (place, columns) {
        (Locator::Cells { sheet, range }, Some((first, count))) if count == cells => {
            let column = first + at as u32;
            Locator::Cells { sheet, range: CellRange { first_column: column, last_column: column, ..range } }
        }
        (Locator::Marked { visibility, place: Some(place) }, columns) => {
            in_column(*place, (at, cells), columns).marked(Some(visibility))
        }
        (place, _) => place,
    }
}

/// The first column and the number of columns of a table in a sheet: 2 and 3 of `B4:D10`.
fn sheet_columns(table: Option<&Value>) -> Option<(u32, usize)> {
    let range = table?["cells"].as_str()?;
    let (first, last) = range.split_once(':').unwrap_or((range, range));
    let column = |cell: &str| {
        let letters = cell.bytes().take_while(u8::is_ascii_uppercase);
        letters.fold(0, |number, letter| number * 26 + u32::from(letter - b'A') + 1)
    };
    Some((column(first), (column(last) + 1).checked_sub(column(first))? as usize))
}

/// Questions about tables, of one database.
pub struct TableQueries<'s>(pub(super) &'s Store);

impl TableQueries<'_> {
    /// A table by its number.
    pub fn get(&self, table_id: i64) -> Result<Option<StoredTable>, StoreError> {
        self.check()?;
        let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE t.table_id = ?1");
        self.0.ask(|connection| connection.first(&sql, [table_id], stored_table))
    }

    /// Adds the first table that each place has a part of. Nothing where tables are not known.
    ///
    /// # Errors
    /// The database cannot be read.
    ///
    /// Cost: a look-up a place.
    pub fn add_to<'p>(&self, places: impl Iterator<Item = &'p mut ChunkPlace>) -> Result<(), StoreError> {
        if self.check().is_err() {
            return Ok(());
        }
        let sql = "SELECT 't' || table_id FROM tables WHERE file_id = ?1 AND start_index < ?3 AND end_index > ?2 ORDER BY number LIMIT 1";
        for place in places {
            let values = params![place.file_id, place.at.start as i64, place.at.end as i64];
            place.table = self.0.ask(|connection| connection.first(sql, values, |row| row.get(0)))?;
        }
        Ok(())
    }

    /// Refuses a database of an earlier schema, which has no tables.
    fn check(&self) -> Result<(), StoreError> {
        match self.0.ask(schema_version)? < FIRST_WITH_TABLES {
            true => Err(StoreError::NoTables { path: self.0.path().to_owned() }),
            false => Ok(()),
        }
    }

    /// Passes the rows of a table to `each`, which returns false to stop.
    ///
    /// # Errors
    /// The text cannot be read.
    ///
    /// Cost: one segment of text at a time.
    pub fn each_row(
        &self,
        table: &StoredTable,
        each: &mut dyn FnMut(TableRow) -> bool,
    ) -> Result<(), StoreError> {
        let mut reader = Some(TableReader::new(&table.layout, table.span.start));
        let mut is_wanted = true;
        let mut take = |row: TableRow| is_wanted = is_wanted && each(row);
        self.text_of(table).each_text_from(table.span.start, &mut |start, text| {
            let is_last = start + text.len() >= table.span.end;
            read_part(&mut reader, part_of(text, start, &table.span), is_last, &mut take);
            !is_last
        })
    }

    /// Passes the rows of a table in a range of numbers to `each`, with their places.
    ///
    /// # Errors
    /// The text cannot be read.
    ///
    /// Cost: one segment of text and its map at a time.
    pub fn each_placed_row(
        &self,
        table: &StoredTable,
        rows: Range<usize>,
        each: &mut dyn FnMut(&TableRow, &RowPlaces<'_>),
    ) -> Result<(), StoreError> {
        let columns = sheet_columns(table.locator.as_ref());
        let mut reader = Some(TableReader::new(&table.layout, table.span.start));
        self.text_of(table).each_segment_from(table.span.start, &mut |stored| {
            let (start, segment) = (stored.start, &stored.segment);
            let is_last = start + segment.text.len() >= table.span.end;
            let mut is_over = false;
            let mut take = |row: TableRow| {
                is_over |= row.number >= rows.end;
                if rows.contains(&row.number) {
                    let doc_uid = &table.doc_uid;
                    let mut places = RowPlaces { segment, start, doc_uid, row: None, columns };
                    places.row = places.locate(row.span);
                    each(&row, &places);
                }
            };
            read_part(&mut reader, part_of(&segment.text, start, &table.span), is_last, &mut take);
            !is_last && !is_over
        })
    }

    fn text_of<'t>(&'t self, table: &'t StoredTable) -> StoredText<'t> {
        self.0.text(table.file_id, TextVariant::Clean, &table.version)
    }
}

/// Reads a part of a table's text; the last row ends with the last part.
fn read_part(
    reader: &mut Option<TableReader<'_>>,
    part: &str,
    is_last: bool,
    each: &mut dyn FnMut(TableRow),
) {
    if let Some(reader) = reader {
        reader.push(part, each);
    }
    if let Some(reader) = reader.take_if(|_| is_last) {
        reader.finish(each);
    }
}

/// The part of a segment that lies in a span of the whole text.
fn part_of<'t>(text: &'t str, start: usize, span: &Range<usize>) -> &'t str {
    let from = text.floor_char_boundary(span.start.saturating_sub(start).min(text.len()));
    let to = text.floor_char_boundary(span.end.saturating_sub(start).min(text.len()));
    &text[from..to.max(from)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::Arc;

    #[test]
    fn a_cell_has_its_column_where_the_table_has_all_of_the_sheet() {
        let range = CellRange { first_row: 7, first_column: 1, last_row: 7, last_column: 6 };
        let row = || Locator::Cells { sheet: Arc::from("S"), range };
        let place = |at: usize, cells: usize, table: &str| {
            let columns = sheet_columns(Some(&json!({ "cells": table, "sheet": "S" })));
            json(&in_column(row(), (at, cells), columns)).unwrap()["cells"].clone()
        };
        assert_eq!(place(2, 7, "A1:G13"), "C7");
        // One of seven columns is left out, and nobody knows which.
        assert_eq!(place(2, 6, "A1:G13"), "A7:F7");
        assert_eq!(place(27, 28, "A1:AB9"), "AB7");
    }
}
