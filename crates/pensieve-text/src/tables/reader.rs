//! The cells of a table, row by row.

use super::columns::{ColumnKind, TableColumn, TableLayout};
use super::rows::{RowFeed, TableSyntax, cells_of, divided, is_rule, record_bytes, shown};
use super::value::{CellValue, cell_value};
use crate::model::Span;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCell {
    /// Its bytes of the text; empty where the row has no such cell.
    pub span: Span,
    /// What a person sees.
    pub shown: String,
    /// What it means.
    pub value: CellValue,
    /// The cells of its row that it is made of: the first, and how many the row has.
    pub place: (usize, usize),
}

/// A row that is no header.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// Its number, from 1.
    pub number: usize,
    /// Its bytes of the text.
    pub span: Span,
    /// The label of the rows that it is one of.
    pub section: Option<String>,
    /// Its cells, one for each column.
    pub cells: Vec<TableCell>,
}

/// Reads the cells of a table whose text comes in pieces.
#[derive(Debug)]
pub struct TableReader<'l> {
    feed: RowFeed,
    rows: RowReader<'l>,
}

impl<'l> TableReader<'l> {
    /// A reader of the table that begins at byte `start` of its text.
    pub fn new(layout: &'l TableLayout, start: usize) -> TableReader<'l> {
        let rows = RowReader { layout, header: HeaderLines::default(), section: None, rows: 0 };
        TableReader { feed: RowFeed::new(start), rows }
    }

    /// Reads the next piece of the table's text.
    pub fn push(&mut self, text: &str, each: &mut dyn FnMut(TableRow)) {
        let TableReader { feed, rows } = self;
        let is_records = matches!(rows.layout.syntax, TableSyntax::Delimited(_));
        feed.push(text, is_records, &mut |at, line| rows.read(at, line, each));
    }

    /// Reads the last row.
    pub fn finish(mut self, each: &mut dyn FnMut(TableRow)) {
        let TableReader { feed, rows } = &mut self;
        feed.finish(&mut |at, line| rows.read(at, line, each));
    }
}

/// True for a line that is a row of a table which is written like this.
pub(super) fn is_row(line: &str, syntax: TableSyntax) -> bool {
    match syntax {
        TableSyntax::Pipes => line.contains('|') && !line.trim().is_empty(),
        TableSyntax::Delimited(_) => !line.trim().is_empty(),
    }
}

/// The lines of a table's header, which it repeats where it goes on.
#[derive(Debug, Default)]
pub(super) struct HeaderLines {
    pub lines: Vec<String>,
    /// True after the first of them, under which Markdown has a line of dashes.
    expects_rule: bool,
}

impl HeaderLines {
    /// True for a line that is part of the header again.
    pub fn repeat(&mut self, line: &str) -> bool {
        let known = self.lines.iter().position(|known| known == line.trim());
        let is_rule = self.take_rule(line);
        self.expects_rule = known == Some(0);
        is_rule || known.is_some()
    }

    /// True for the line of dashes under the first line.
    fn take_rule(&mut self, line: &str) -> bool {
        is_rule(line) && std::mem::take(&mut self.expects_rule)
    }
}

/// The bytes of a row without its line end.
fn row_bytes(line: &str, syntax: TableSyntax) -> usize {
    match syntax {
        TableSyntax::Pipes => line.trim_end().len(),
        TableSyntax::Delimited(_) => record_bytes(line),
    }
}

/// What is known before the next row.
#[derive(Debug)]
struct RowReader<'l> {
    layout: &'l TableLayout,
    header: HeaderLines,
    section: Option<String>,
    rows: usize,
}

impl RowReader<'_> {
    fn read(&mut self, at: usize, line: &str, each: &mut dyn FnMut(TableRow)) {
        let layout = self.layout;
        if !is_row(line, layout.syntax) {
            return;
        }
        let is_piped = layout.syntax == TableSyntax::Pipes;
        if self.header.lines.len() < layout.header_rows {
            if !is_piped || !self.header.take_rule(line) {
                self.header.expects_rule = self.header.lines.is_empty();
                self.header.lines.push(line.trim().to_owned());
            }
            return;
        }
        if is_piped && self.header.repeat(line) {
            return;
        }
        self.rows += 1;
        // A table without a header has the dashes under its first row.
        self.header.expects_rule = self.rows == 1 && self.header.lines.is_empty();
        each(self.row(at, line));
    }

    fn row(&mut self, at: usize, line: &str) -> TableRow {
        let syntax = self.layout.syntax;
        let found = divided(line, cells_of(line, syntax), &self.layout.division);
        let end = at + row_bytes(line, syntax);
        let cells: Vec<TableCell> =
            self.layout.columns.iter().map(|column| cell(column, syntax, (at, line), &found)).collect();
        let is_label = self.layout.has_sections && is_section_row(&found);
        if is_label {
            self.section = cells.first().map(|cell| cell.shown.trim_end_matches(':').to_owned());
        }
        let section = if is_label { None } else { self.section.clone() };
        TableRow { number: self.rows, span: Span::new(at, end), section, cells }
    }
}

/// The cell of a column in a row.
fn cell(column: &TableColumn, syntax: TableSyntax, (at, line): (usize, &str), found: &[Span]) -> TableCell {
    let (first, last) = column.cells;
    let place = (first, found.len());
    let parts = found.get(first..(last + 1).min(found.len())).unwrap_or_default();
    let mut filled = parts.iter().filter(|part| !part.is_empty());
    let Some(begin) = filled.next() else {
        let end = at + found.get(first).map_or(row_bytes(line, syntax), |cell| cell.start);
        return TableCell { span: Span::new(end, end), shown: String::new(), value: CellValue::Empty, place };
    };
    let mut words = shown(&line[begin.range()], syntax).into_owned();
    let mut end = begin.end;
    for part in filled {
        words.push(' ');
        words.push_str(&shown(&line[part.range()], syntax));
        end = part.end;
    }
    let value = match column.kind {
        ColumnKind::Text | ColumnKind::Empty => CellValue::Text,
        _ => cell_value(&words, column.style()),
    };
    TableCell { span: Span::new(at + begin.start, at + end), shown: words, value, place }
}

/// True for a row with nothing but a label.
pub(super) fn is_section_row(cells: &[Span]) -> bool {
    cells.len() > 1 && !cells[0].is_empty() && cells[1..].iter().all(|cell| cell.is_empty())
}
