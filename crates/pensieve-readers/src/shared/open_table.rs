//! A table while its elements are read. One with very many cells is given away in parts, so that memory stays bounded.

use crate::limits::xml_text::{MAX_COVERED_CELLS, MAX_TABLE_CELLS};
use crate::markdown::{Block, Table, TableCell, TableRow};

/// The table that is open, if one is, with its open cell.
#[derive(Debug, Default)]
pub(crate) struct OpenTable {
    table: Option<Table>,
    cell: Option<TableCell>,
    /// Cells of the part so far.
    cells: usize,
}

impl OpenTable {
    pub fn begin(&mut self) {
        (self.table, self.cells) = (Some(Table::default()), 0);
    }

    pub fn is_open(&self) -> bool {
        self.table.is_some()
    }

    pub fn begin_row(&mut self) {
        if let Some(table) = &mut self.table {
            table.rows.push(TableRow::default());
        }
    }

    /// A cell over so many columns and rows; 1 where the document says nothing.
    pub fn begin_cell(&mut self, columns: Option<u32>, rows: Option<u32>) {
        let covered = |count: Option<u32>| count.unwrap_or(1).clamp(1, MAX_COVERED_CELLS);
        self.cell = Some(TableCell { columns: covered(columns), rows: covered(rows), blocks: Vec::new() });
    }

    pub fn has_cell(&self) -> bool {
        self.cell.is_some()
    }

    /// Adds a block to the open cell; gives it back if none is open.
    pub fn add(&mut self, block: Block) -> Option<Block> {
        match &mut self.cell {
            Some(cell) => {
                cell.blocks.push(block);
                None
            }
            None => Some(block),
        }
    }

    /// Ends the open cell. Returns the part of the table that is complete if it is large.
    pub fn end_cell(&mut self) -> Option<Table> {
        let row = self.table.as_mut().and_then(|table| table.rows.last_mut());
        if let (Some(cell), Some(row)) = (self.cell.take(), row) {
            row.cells.push(cell);
            self.cells += 1;
        }
        if self.cells <= MAX_TABLE_CELLS {
            return None;
        }
        self.cells = 0;
        self.table.replace(Table { rows: vec![TableRow::default()] })
    }

    pub fn end(&mut self) -> Option<Table> {
        self.table.take()
    }
}
