//! Rows that are kept until the columns of their table are decided on.

use crate::limits::sheets::{MAX_PENDING_BYTES, MAX_PENDING_ROWS};
use crate::office::sheets::row::RowCells;
use pensieve_text::model::FoldKind;

/// Rows whose table is not yet decided on, in one text.
#[derive(Debug, Default)]
pub(super) struct PendingRows {
    text: String,
    /// Column and end of each cell.
    cells: Vec<(u32, usize)>,
    /// Number, end and fold of each row.
    rows: Vec<(u32, usize, Option<FoldKind>)>,
}

/// A pending row.
#[derive(Clone, Copy)]
pub(super) struct PendingRow<'w> {
    pub number: u32,
    /// How it is folded, if it is.
    pub fold: Option<FoldKind>,
    /// Column and end of each cell.
    pub cells: &'w [(u32, usize)],
    start: usize,
    text: &'w str,
}

impl PendingRows {
    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl<'w> PendingRow<'w> {
    /// Column and text of each cell.
    pub fn iter(self) -> impl Iterator<Item = (u32, &'w str)> {
        let starts = std::iter::once(self.start).chain(self.cells.iter().map(|(_, end)| *end));
        self.cells.iter().zip(starts).map(move |((column, end), start)| (*column, &self.text[start..*end]))
    }
}

impl PendingRows {
    /// Adds a row.
    pub fn push(&mut self, row: &RowCells, fold: Option<FoldKind>) {
        let start = self.text.len();
        self.text.push_str(&row.text);
        self.cells.extend(row.cells.iter().map(|(column, end)| (*column, end + start)));
        self.rows.push((row.number(), self.cells.len(), fold));
    }

    /// The rows, from top to bottom.
    pub fn iter(&self) -> impl Iterator<Item = PendingRow<'_>> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|(_, end, _)| *end));
        self.rows.iter().zip(starts).map(|((number, end, fold), first)| PendingRow {
            number: *number,
            fold: *fold,
            cells: &self.cells[first..*end],
            start: if first == 0 { 0 } else { self.cells[first - 1].1 },
            text: &self.text,
        })
    }

    /// True if no more rows are needed.
    pub fn is_full(&self) -> bool {
        self.rows.len() >= MAX_PENDING_ROWS || self.text.len() >= MAX_PENDING_BYTES
    }
}
