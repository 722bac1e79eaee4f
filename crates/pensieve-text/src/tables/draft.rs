//! A table whose rows are being read: its header, counts over its columns, and in the end what its columns are.

use super::columns::{CellShape, ColumnKind, ColumnTally, TableColumn, TableLayout, shape_of};
use super::header::{column_names, common_scale, header_rows, is_percent_name, scale_of, unit_of};
use super::reader::{HeaderLines, is_section_row};
use super::rows::{CellDivision, TableSyntax, cells_of, divided, numbers_behind, numbers_of, shown};
use super::value::is_currency;
use crate::model::Span;
use std::collections::BTreeSet;

/// Rows by which the header is decided. More than a page of a statement has before its first number.
const HEAD_ROWS: usize = 16;
/// Labels with amounts behind them, at least, from which they are divided: one or two may end in one.
const MIN_AMOUNTS: usize = 3;
/// Bytes of labels that are kept for finding a table.
const MAX_LABEL_BYTES: usize = 1500;

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTable {
    /// Its bytes of the text, from the first row of its header to its last row.
    pub span: Span,
    /// Its caption, or what stands above it.
    pub title: Option<String>,
    /// The headings above it.
    pub heading_path: Option<String>,
    /// How its cells are read.
    pub layout: TableLayout,
    /// Its rows, without those of the header.
    pub rows: usize,
    /// The labels of its rows, one a line, as far as they are kept.
    pub labels: String,
}

/// How the numbers and dates of a column, a table or a whole document are written.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct NumberEvidence {
    pub point: usize,
    pub comma: usize,
    pub day_first: usize,
    pub month_first: usize,
    /// Numbers whose groups a mark separates.
    grouped: usize,
}

impl NumberEvidence {
    fn add(&mut self, tally: &ColumnTally) {
        self.point += tally.point;
        self.comma += tally.commas();
        self.day_first += tally.day_first;
        self.month_first += tally.month_first;
        self.grouped += tally.grouped;
    }

    /// What counts for a column of this table: what its own values say or, where they leave it open, those of all columns; and
    /// whether these leave it open too.
    fn of_column(&self, tally: &ColumnTally, kind: ColumnKind) -> (NumberEvidence, bool) {
        // One cell settles it only if the document agrees: it may be `1,2`, two notes.
        let differ = |one: usize, other: usize| one.abs_diff(other) > 1;
        let (is_open, is_settled) = match kind {
            ColumnKind::Date => {
                (tally.day_first == tally.month_first, differ(self.day_first, self.month_first))
            }
            _ => (tally.either > 0 && tally.point == tally.commas(), differ(self.comma, self.point)),
        };
        if is_open {
            return (*self, !is_settled);
        }
        let mut own = NumberEvidence::default();
        own.add(tally);
        (own, false)
    }
}

/// The header of the table above, for one that has none of its own.
#[derive(Debug, Clone)]
pub(super) struct HeaderAbove {
    header: Vec<Vec<String>>,
    scale: Option<u64>,
    /// True if that table has nothing else.
    pub is_alone: bool,
    /// Lines between the two tables.
    pub lines: usize,
}

/// A table whose rows are being read.
#[derive(Debug)]
pub(super) struct TableDraft {
    start: usize,
    pub end: usize,
    syntax: TableSyntax,
    pub first_line: String,
    pub title: Option<String>,
    pub heading_path: Option<String>,
    pub scale: Option<u64>,
    pub above: Option<HeaderAbove>,
    /// The first rows, until it is decided which are the header; then the header.
    head: Vec<Vec<String>>,
    head_lines: HeaderLines,
    is_decided: bool,
    /// True on pages, where columns may share cells; then how they are divided.
    pub is_paged: bool,
    division: CellDivision,
    tallies: Vec<ColumnTally>,
    rows: usize,
    sections: usize,
    labels: BTreeSet<String>,
    label_text: String,
}

impl TableDraft {
    /// A table that begins here.
    pub fn new(start: usize, syntax: TableSyntax, first_line: &str) -> TableDraft {
        TableDraft {
            start,
            end: start,
            syntax,
            first_line: first_line.to_owned(),
            title: None,
            heading_path: None,
            scale: None,
            above: None,
            head: Vec::new(),
            head_lines: HeaderLines::default(),
            is_decided: false,
            is_paged: false,
            division: CellDivision::default(),
            tallies: Vec::new(),
            rows: 0,
            sections: 0,
            labels: BTreeSet::new(),
            label_text: String::new(),
        }
    }

    /// The header that a table below may have: its own, or that of the one above.
    pub fn header_below(&mut self) -> Option<HeaderAbove> {
        if !self.can_go_on() {
            return self.above.clone().map(|above| HeaderAbove { lines: 0, is_alone: false, ..above });
        }
        Some(HeaderAbove { header: self.head.clone(), scale: self.scale, is_alone: self.rows == 0, lines: 0 })
    }

    /// True if an equal first line is its header, not a row that happens to come again.
    pub fn can_go_on(&mut self) -> bool {
        if !self.is_decided {
            self.decide();
        }
        !self.head.is_empty()
    }

    /// True for lines that only repeat the header.
    pub fn skips(&mut self, words: &str) -> bool {
        self.is_decided && self.head_lines.repeat(words)
    }

    /// Adds a row.
    pub fn add(&mut self, line: &str) {
        if self.is_decided {
            let spans = divided(line, cells_of(line, self.syntax), &self.division);
            let is_section = is_section_row(&spans);
            let cells = spans.into_iter().map(|cell| shown(&line[cell.range()], self.syntax));
            let first = count_row(&mut self.tallies, cells);
            return self.count(&first, is_section);
        }
        self.head.push(self.cells(line));
        self.head_lines.lines.push(line.trim().to_owned());
        if self.head.len() == HEAD_ROWS {
            self.decide();
        }
    }

    fn cells(&self, line: &str) -> Vec<String> {
        let spans = divided(line, cells_of(line, self.syntax), &self.division);
        spans.into_iter().map(|cell| shown(&line[cell.range()], self.syntax).into_owned()).collect()
    }

    /// How cells are to be divided: into as many as most of those with numbers have, the first into its label and as many numbers
    /// as most labels have behind them. Cells with words say nothing: another table may go on below.
    fn find_division(&self) -> CellDivision {
        let has_marks = self.head.iter().flatten().any(|cell| has_grouped_digits(cell));
        let width = self.head.iter().map(Vec::len).max().unwrap_or(0);
        let mut counts: Vec<Vec<usize>> = vec![Vec::new(); width];
        let mut amounts = 0;
        for line in self.head_lines.lines.iter().skip(1) {
            let cells = cells_of(line, self.syntax);
            let has_values = cells.iter().skip(1).any(|cell| !cell.is_empty());
            for (at, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let count = match at {
                    0 if has_values => {
                        let (count, has_amount) = numbers_behind(line, cell);
                        amounts += usize::from(has_amount);
                        1 + count
                    }
                    0 => continue,
                    _ => match numbers_of(line, cell, has_marks) {
                        Some(numbers) => numbers.len(),
                        None if shape_of(&line[cell.range()]) == CellShape::Text => continue,
                        None => 1,
                    },
                };
                counts[at].push(count);
            }
        }
        let mut splits: Vec<usize> = counts.iter().map(|counts| most_of(counts).unwrap_or(1)).collect();
        // Labels that end in numbers are names of notes, items and years.
        if let Some(first) =
            splits.first_mut().filter(|_| amounts < MIN_AMOUNTS || amounts * 2 < counts[0].len())
        {
            *first = 1;
        }
        CellDivision { splits, has_marks }
    }

    /// Decides which rows are the header, and counts the others.
    fn decide(&mut self) {
        if self.is_paged {
            self.division = self.find_division();
            self.head = self.head_lines.lines.iter().map(|line| self.cells(line)).collect();
        }
        let rows = header_rows(&self.head, self.syntax == TableSyntax::Pipes);
        self.is_decided = true;
        let body = self.head.split_off(rows.min(self.head.len()));
        let lines = self.head_lines.lines.split_off(self.head.len());
        for (row, line) in body.iter().zip(lines) {
            // As in the rows after them, a line that repeats the header is none.
            if self.syntax == TableSyntax::Pipes && self.head_lines.repeat(&line) {
                continue;
            }
            let is_section = row.len() > 1 && !row[0].is_empty() && row[1..].iter().all(String::is_empty);
            let first = count_row(&mut self.tallies, row.iter().map(String::as_str));
            self.count(&first, is_section);
        }
    }

    fn count(&mut self, label: &str, is_section: bool) {
        self.rows += 1;
        self.sections += usize::from(is_section);
        let has_letters = label.chars().any(char::is_alphabetic);
        if has_letters
            && self.label_text.len() + label.len() < MAX_LABEL_BYTES
            && self.labels.insert(label.to_owned())
        {
            if !self.label_text.is_empty() {
                self.label_text.push('\n');
            }
            self.label_text.push_str(label);
        }
    }

    /// The table; `None` for what has one cell below its header at most, or one column. Columns whose numbers or dates may be written in two ways are
    /// added to `undecided`, what the others say to `numbers`.
    pub fn finish(
        mut self,
        number: usize,
        undecided: &mut Vec<(usize, usize)>,
        numbers: &mut NumberEvidence,
    ) -> Option<FoundTable> {
        if !self.is_decided {
            self.decide();
        }
        let width = self.tallies.len().max(self.head.iter().map(Vec::len).max().unwrap_or(0));
        self.tallies.resize_with(width, ColumnTally::default);
        // A frame around one cell (`Note`, `Warning`) is none.
        let cells: usize = self.tallies.iter().map(|tally| tally.filled + tally.nothing).sum();
        if cells < 2 || width < 2 {
            return None;
        }
        let mut own = NumberEvidence::default();
        for tally in &self.tallies {
            own.add(tally);
            numbers.add(tally);
        }
        let above = self.above.take().filter(|above| self.head.is_empty() && self.is_below(above, width));
        let header = above.as_ref().map_or(&self.head, |above| &above.header);
        let scale_above = above.as_ref().and_then(|above| above.scale);
        self.scale = common_scale(header).or(self.scale).or(scale_above);
        let groups = self.groups();
        let aligned = self.aligned(header, &groups);
        let names = column_names(aligned.as_ref().unwrap_or(header), &groups);
        let mut columns = Vec::with_capacity(groups.len());
        for (name, cells) in names.into_iter().zip(groups) {
            let named = header.iter().flat_map(|row| row.iter().take(cells.1 + 1).skip(cells.0));
            let scale = named.filter_map(|cell| scale_of(cell)).next();
            let (column, is_undecided) = self.column(name, cells, scale, &own);
            undecided.extend(is_undecided.then_some((number, columns.len())));
            columns.push(column);
        }
        let has_sections = self.has_sections(&columns);
        let header_rows = self.head.len();
        let TableDraft { syntax, division, title, heading_path, rows, .. } = self;
        Some(FoundTable {
            span: Span::new(self.start, self.end),
            title,
            heading_path,
            layout: TableLayout { syntax, columns, header_rows, division, has_sections },
            rows,
            labels: self.label_text,
        })
    }

    /// The header with its last names above the columns of numbers, one after the other, if on a page they are as many and one
    /// of these has none: what is printed above a column begins elsewhere than its numbers.
    fn aligned(&self, header: &[Vec<String>], groups: &[(usize, usize)]) -> Option<Vec<Vec<String>>> {
        let last = header.last().filter(|_| self.is_paged)?;
        let is_filled =
            |cells: &&(usize, usize)| self.tallies[cells.0..=cells.1].iter().any(|tally| tally.filled > 0);
        let columns: Vec<&(usize, usize)> = groups.iter().skip(1).filter(is_filled).collect();
        let is_named = |at: usize| last.get(at).is_some_and(|name| !name.trim().is_empty());
        let names = (groups.first()?.1 + 1..last.len()).filter(|at| is_named(*at));
        let names: Vec<usize> = names.collect();
        let has_unnamed = columns.iter().any(|cells| !(cells.0..=cells.1).any(is_named));
        if names.len() != columns.len() || !has_unnamed {
            return None;
        }
        let mut aligned = header.to_vec();
        let row = aligned.last_mut()?;
        row.resize(row.len().max(self.tallies.len()), String::new());
        names.iter().for_each(|at| row[*at].clear());
        for (at, cells) in names.iter().zip(columns) {
            row[cells.0].clone_from(&last[*at]);
        }
        Some(aligned)
    }

    /// True if the columns are those of the table above: as many, and on pages all of them of numbers.
    fn is_below(&self, above: &HeaderAbove, width: usize) -> bool {
        let are_numbers = self.tallies[1..].iter().all(|tally| tally.is_numeric() || tally.is_empty());
        above.header.iter().map(Vec::len).max() == Some(width) && (above.is_alone || are_numbers)
    }

    /// A column of these cells, and whether it is open how its numbers or dates are written.
    fn column(
        &self,
        name: String,
        cells: (usize, usize),
        scale: Option<u64>,
        own: &NumberEvidence,
    ) -> (TableColumn, bool) {
        let group = &self.tallies[cells.0..=cells.1];
        let tally = main_tally(group);
        let named_unit = unit_of(&name).map(str::to_owned);
        let kind = match tally.kind() {
            ColumnKind::Number if is_percent_name(&name) => ColumnKind::Percent,
            kind => kind,
        };
        let is_number = matches!(kind, ColumnKind::Number | ColumnKind::Mixed);
        let symbol = || group.iter().find_map(|tally| tally.symbol.clone());
        let is_year = tally.years * 2 > tally.numbers;
        // What has a unit of its own, `Spread (bp)`, is no amount in millions.
        let is_amount = named_unit.as_deref().is_none_or(is_currency);
        let (evidence, is_undecided) = own.of_column(tally, kind);
        let column = TableColumn {
            kind,
            unit: tally.unit().or(named_unit).or_else(symbol).filter(|_| is_number),
            scale: scale.or(self.scale.filter(|_| is_amount)).filter(|_| is_number && !is_year),
            decimal_comma: evidence.comma > evidence.point,
            // Who separates groups by a mark does not separate them by a space.
            spaced: own.grouped == 0 && tally.spaced > 0,
            day_first: kind == ColumnKind::Date && evidence.day_first > evidence.month_first,
            cells,
            name,
        };
        (column, is_undecided)
    }

    /// True if rows with a label alone are headings of those below them.
    fn has_sections(&self, columns: &[TableColumn]) -> bool {
        let is_number =
            |column: &TableColumn| matches!(column.kind, ColumnKind::Number | ColumnKind::Percent);
        self.syntax == TableSyntax::Pipes
            && columns.iter().any(is_number)
            && self.sections > 0
            && self.sections * 2 <= self.rows
    }

    /// The cells of a row that make one column: a currency belongs to the number on its right, what closes a number to the one on its
    /// left.
    fn groups(&self) -> Vec<(usize, usize)> {
        let mut groups: Vec<(usize, usize)> = Vec::with_capacity(self.tallies.len());
        let mut opens = None;
        for (at, tally) in self.tallies.iter().enumerate() {
            // The cells between them may have a name and nothing else.
            let next = self.tallies[at + 1..].iter().find(|tally| !tally.is_empty());
            let next_is_number = next.is_some_and(ColumnTally::is_numeric);
            if (tally.has_only_currencies() || opens.is_some() && tally.is_empty()) && next_is_number {
                opens = opens.or(Some(at));
            } else if tally.has_only_closings() && at > 0 && self.tallies[at - 1].is_numeric() {
                if let Some(last) = groups.last_mut() {
                    last.1 = at;
                }
            } else {
                groups.push((opens.take().unwrap_or(at), at));
            }
        }
        groups
    }
}

/// What more than half of them are.
fn most_of(counts: &[usize]) -> Option<usize> {
    let equal = |count: usize| counts.iter().filter(|other| **other == count).count();
    let most = counts.iter().copied().max_by_key(|count| equal(*count))?;
    (equal(most) * 2 > counts.len()).then_some(most)
}

/// True for a text with a number like `1,234`.
fn has_grouped_digits(text: &str) -> bool {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_group =
        |at: usize| at > 0 && is_digit(at - 1) && (1..=3).all(|by| is_digit(at + by)) && !is_digit(at + 4);
    text.match_indices(',').any(|(at, _)| is_group(at))
}

/// Counts the cells of a row; returns its first cell.
fn count_row<T: AsRef<str>>(tallies: &mut Vec<ColumnTally>, cells: impl Iterator<Item = T>) -> String {
    let mut first = String::new();
    for (at, cell) in cells.enumerate() {
        if at == tallies.len() {
            tallies.push(ColumnTally::default());
        }
        let shape = tallies[at].add(cell.as_ref());
        if at == 0 && shape == CellShape::Text {
            cell.as_ref().trim().clone_into(&mut first);
        }
    }
    first
}

/// The counts of the cells that have values.
fn main_tally(group: &[ColumnTally]) -> &ColumnTally {
    group.iter().max_by_key(|tally| tally.filled).unwrap_or(&group[0])
}
