//! Tables as answers: rows of cells with text, value, place and citation; and questions about one table without SQL.

use crate::store::{RowPlaces, SqlValue, Store, StoreError, StoredTable};
use pensieve_text::tables::TableRow;
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RowView {
    /// Its number in the table, from 1.
    pub row: usize,
    /// The label of the rows that it is one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Its cells, one for each column.
    pub cells: Vec<CellView>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellView {
    /// What a person sees.
    pub text: String,
    /// What it means: a number, a date, words, or null for nothing.
    pub value: SqlValue,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locator: Option<Value>,
    /// Its words as a citation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
}

/// The rows of a table with these numbers.
///
/// # Errors
/// The text of its document cannot be read.
pub fn table_rows(
    store: &Store,
    table: &StoredTable,
    rows: Range<usize>,
) -> Result<Vec<RowView>, StoreError> {
    let mut found = Vec::new();
    store.tables().each_placed_row(table, rows, &mut |row, places| found.push(view(table, row, places)))?;
    Ok(found)
}

fn view(table: &StoredTable, row: &TableRow, places: &RowPlaces<'_>) -> RowView {
    let cells = row.cells.iter().zip(&table.columns).map(|(cell, column)| CellView {
        text: cell.shown.clone(),
        value: SqlValue::of_cell(cell, column.kind),
        locator: (!cell.span.is_empty()).then(|| places.cell(cell)).flatten(),
        citation: places.citation(cell.span),
    });
    RowView { row: row.number, section: row.section.clone(), cells: cells.collect() }
}
