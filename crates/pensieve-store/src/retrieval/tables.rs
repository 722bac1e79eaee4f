//! Tables as answers: rows of cells with text, value, place and citation; and questions about one table without SQL.

use crate::store::{
    QueryLimits, RowPlaces, SelectError, SqlAnswer, SqlValue, Store, StoreError, StoredTable,
};
use pensieve_text::tables::TableRow;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
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

/// Cells that an answer names, at most.
const MAX_CELLS: usize = 60;
/// Rows of a table in which values of an answer are looked for.
const MAX_SEARCHED_ROWS: usize = 5000;

/// An answer with what it is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CitedAnswer {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<SqlValue>>,
    /// True if there are more rows than the limits allow.
    #[serde(rename = "cut")]
    pub is_cut: bool,
    /// The tables that it is about.
    pub tables: Vec<StoredTable>,
    /// Cells with their citations: those that it is made of, or, of a whole statement, those that have its values.
    pub cells: Vec<CellUse>,
}

/// A cell that an answer is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellUse {
    /// The table, as `t12`.
    pub table: String,
    /// The number of the row.
    pub row: usize,
    /// The name of the column.
    pub column: String,
    /// What a person sees.
    pub text: String,
    /// Its words as a citation.
    pub citation: String,
}

/// A question about the rows of one table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowQuery {
    /// The table, as `t12`.
    pub table: String,
    /// The columns that are wanted; all if there are none.
    pub columns: Vec<String>,
    /// A condition in SQL.
    pub condition: Option<String>,
    /// What is to be computed of these rows, in SQL.
    pub aggregate: Option<String>,
}

/// Answers a SELECT, with the cells that have the values of the answer.
///
/// # Errors
/// Those of [`TableQueries::select`](crate::store::Store::tables).
pub fn cited_select(store: &Store, sql: &str, limits: &QueryLimits) -> Result<CitedAnswer, SelectError> {
    let answer = store.tables().select(sql, limits)?;
    let mut cells = Vec::new();
    let is_wanted = |value: &SqlValue| {
        *value != SqlValue::Null && answer.rows.iter().flatten().any(|known| known == value)
    };
    for table in &answer.tables {
        let rows = 1..MAX_SEARCHED_ROWS + 1;
        add_cells(store, table, rows, &mut |_, _, value| is_wanted(value), &mut cells)?;
    }
    let SqlAnswer { columns, rows, is_cut, tables } = answer;
    Ok(CitedAnswer { columns, rows, is_cut, tables, cells })
}

/// Answers a question about rows of one table, with the cells that the answer is made of.
///
/// # Errors
/// Those of [`cited_select`]; also if a column is not there.
pub fn cited_rows(store: &Store, query: &RowQuery, limits: &QueryLimits) -> Result<CitedAnswer, SelectError> {
    let no_table = || SelectError::NoTable { name: query.table.clone() };
    let number =
        query.table.strip_prefix(['t', 'T']).unwrap_or(&query.table).parse().map_err(|_| no_table())?;
    let table = store.tables().get(number)?.ok_or_else(no_table)?;
    let name = format!("t{number}");
    let condition =
        query.condition.as_ref().map(|condition| format!(" WHERE {condition}")).unwrap_or_default();
    let own = |name: &str| match name {
        "row" => true,
        "section" => table.layout.has_sections,
        _ => false,
    };
    let unknown = query.columns.iter().find(|name| {
        table.columns.iter().all(|column| !column.name.eq_ignore_ascii_case(name)) && !own(name)
    });
    if let Some(unknown) = unknown {
        let known: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        let message = format!("no such column: {unknown}; {name} has {}", known.join(", "));
        return Err(SelectError::Invalid { message });
    }
    let quoted: Vec<String> =
        query.columns.iter().map(|name| format!("\"{}\"", name.replace('"', "\"\""))).collect();
    let wanted = match (&query.aggregate, quoted.is_empty()) {
        (Some(aggregate), _) => aggregate.clone(),
        (None, true) => "*".to_owned(),
        (None, false) => format!("row, {}", quoted.join(", ")),
    };
    let answer = store.tables().select(&format!("SELECT {wanted} FROM {name}{condition}"), limits)?;
    // An aggregate is made of more rows than an answer has.
    let all = QueryLimits { rows: MAX_CELLS, ..limits.clone() };
    let shown = if query.aggregate.is_some() { &all } else { limits };
    let used = store.tables().select(&format!("SELECT row FROM {name}{condition}"), shown)?;
    let used: BTreeSet<usize> = used
        .rows
        .iter()
        .filter_map(
            |row| if let [SqlValue::Integer(row)] = row[..] { usize::try_from(row).ok() } else { None },
        )
        .collect();
    // Of an expression those columns that it names.
    let is_used = |column: &str| match (&query.aggregate, query.columns.is_empty()) {
        (Some(aggregate), _) => aggregate.contains(column),
        (None, true) => true,
        (None, false) => query.columns.iter().any(|name| name.eq_ignore_ascii_case(column)),
    };
    let mut cells = Vec::new();
    if let (Some(first), Some(last)) = (used.first(), used.last()) {
        let mut is_wanted = |row: usize, column: &str, _: &SqlValue| used.contains(&row) && is_used(column);
        add_cells(store, &table, *first..last + 1, &mut is_wanted, &mut cells)?;
    }
    let SqlAnswer { columns, rows, is_cut, .. } = answer;
    Ok(CitedAnswer { columns, rows, is_cut, tables: vec![table], cells })
}

/// Adds the cells of rows that are wanted, by row, column and value.
fn add_cells(
    store: &Store,
    table: &StoredTable,
    rows: Range<usize>,
    is_wanted: &mut dyn FnMut(usize, &str, &SqlValue) -> bool,
    cells: &mut Vec<CellUse>,
) -> Result<(), StoreError> {
    store.tables().each_placed_row(table, rows, &mut |row, places| {
        for (cell, column) in row.cells.iter().zip(&table.columns) {
            let value = SqlValue::of_cell(cell, column.kind);
            if cells.len() == MAX_CELLS
                || cell.span.is_empty()
                || !is_wanted(row.number, &column.name, &value)
            {
                continue;
            }
            let Some(citation) = places.citation(cell.span) else { continue };
            let (table, text) = (format!("t{}", table.table_id), cell.shown.clone());
            cells.push(CellUse { table, row: row.number, column: column.name.clone(), text, citation });
        }
    })
}
