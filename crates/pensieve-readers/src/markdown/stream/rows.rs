//! Rows of tables, cell by cell.

use super::{RowState, StreamWriter, WaitingSpace};
use crate::markdown::block_mark::{self, CELL_BREAK, ROW_END, ROW_START};

impl StreamWriter<'_> {
    /// Begins a row of a table.
    pub fn open_row(&mut self) {
        self.open_line();
        self.one_line += 1;
        self.row = RowState::Open;
    }

    /// Begins the next cell of the row.
    pub fn open_cell(&mut self) {
        self.space = WaitingSpace::None;
        let is_first = std::mem::replace(&mut self.row, RowState::InCell) == RowState::Open;
        match is_first {
            true if !self.with_markup => {}
            true => self.out.put(ROW_START),
            false => self.out.put(CELL_BREAK),
        }
        self.is_fresh = true;
    }

    /// Ends a row.
    pub fn close_row(&mut self) {
        self.space = WaitingSpace::None;
        self.out.put(if self.with_markup { ROW_END } else { "" });
        self.one_line -= 1;
        self.row = RowState::Outside;
        self.end_line();
    }

    /// The row below the one that names the columns.
    pub fn put_delimiter_row(&mut self, columns: usize) {
        if self.with_markup {
            self.put_line(&block_mark::delimiter_row(columns));
        }
    }

    /// The first row of a table in which nothing names the columns.
    pub fn put_unnamed_columns(&mut self, columns: usize) {
        if self.with_markup {
            self.put_line(&block_mark::unnamed_columns(columns));
        }
    }
}
