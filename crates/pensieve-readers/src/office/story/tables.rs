//! Builds tables from rows and cells as they are read; merged cells are joined at the end.

use crate::markdown::{Block, Table, TableCell, TableRow, TextRun, TextStyle, Words};
use pensieve_text::model::Locator;
use std::collections::HashMap;

/// A table that is open.
#[derive(Debug, Default)]
pub(crate) struct TableBuilder {
    rows: Vec<OpenRow>,
}

/// A row.
#[derive(Debug, Default)]
pub(crate) struct OpenRow {
    /// Columns that are skipped before the first cell.
    pub before: u32,
    /// It was deleted.
    pub is_deleted: bool,
    pub cells: Vec<OpenCell>,
    /// Its place in the source.
    pub place: Option<Locator>,
}

/// A cell.
#[derive(Debug)]
pub(crate) struct OpenCell {
    pub blocks: Vec<Block>,
    /// How many columns it covers, at least one.
    pub columns: u32,
    /// It belongs to the cell at its left.
    pub joins_left: bool,
    /// It belongs to the cell above.
    pub joins_above: bool,
}

impl Default for OpenCell {
    fn default() -> OpenCell {
        OpenCell { blocks: Vec::new(), columns: 1, joins_left: false, joins_above: false }
    }
}

impl TableBuilder {
    /// Adds a row, which is open.
    pub fn add_row(&mut self, row: OpenRow) {
        self.rows.push(row);
    }

    /// Begins a cell, and a row if none is open.
    pub fn begin_cell(&mut self) {
        if self.rows.is_empty() {
            self.add_row(OpenRow::default());
        }
        self.rows.last_mut().into_iter().for_each(|row| row.cells.push(OpenCell::default()));
    }

    /// The row that is open.
    pub fn row(&mut self) -> Option<&mut OpenRow> {
        self.rows.last_mut()
    }

    /// The cell that is open.
    pub fn cell(&mut self) -> Option<&mut OpenCell> {
        self.rows.last_mut()?.cells.last_mut()
    }

    /// The table; a cell that belongs to another one adds its content to that.
    pub fn finish(mut self) -> Table {
        self.rows.retain(|row| !row.is_deleted);
        let mut rows: Vec<TableRow> = Vec::with_capacity(self.rows.len());
        // For each column, the cell that the next row may continue, by its row and its index in the row.
        let mut above: HashMap<u32, (usize, usize)> = HashMap::new();
        for (at, open) in self.rows.into_iter().enumerate() {
            let mut row = TableRow { cells: Vec::with_capacity(open.cells.len()), place: open.place };
            let mut column = open.before;
            if column > 0 {
                row.cells.push(TableCell { columns: column, ..TableCell::default() });
            }
            for OpenCell { blocks, columns, joins_left, joins_above } in open.cells {
                let columns = columns.max(1);
                let begun = above.get(&column).copied().filter(|_| joins_above);
                if let Some(left) = row.cells.last_mut().filter(|_| joins_left) {
                    left.columns = left.columns.saturating_add(columns);
                    left.blocks.extend(blocks);
                } else if let Some(upper) = begun.and_then(|(row, at)| rows.get_mut(row)?.cells.get_mut(at)) {
                    let below = begun.map_or(1, |(row, _)| at - row + 1);
                    upper.rows = upper.rows.max(below as u32);
                    upper.blocks.extend(blocks);
                } else {
                    above.insert(column, (at, row.cells.len()));
                    row.cells.push(TableCell { blocks, columns, rows: 1 });
                }
                column = column.saturating_add(columns);
            }
            rows.push(row);
        }
        let mut table = Table { rows };
        flatten_code(&mut table);
        table
    }
}

/// Makes code in a table of several cells words of one line: a fence would break the table.
pub(crate) fn flatten_code(table: &mut Table) {
    if table.rows.iter().map(|row| row.cells.len()).sum::<usize>() <= 1 {
        return;
    }
    let cells = table.rows.iter_mut().flat_map(|row| &mut row.cells);
    for block in cells.flat_map(|cell| &mut cell.blocks) {
        if let Block::Code { text, .. } = block {
            let style = TextStyle { code: true, ..TextStyle::default() };
            let run = TextRun { text: std::mem::take(text), style, ..TextRun::default() };
            *block = Block::Paragraph(Words(vec![run]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_cells_are_joined() {
        let mut table = TableBuilder::default();
        for (row, cells) in [
            [("a", 2, false), ("b", 1, false)],
            [("", 2, true), ("c", 1, false)],
            [("", 2, true), ("d", 1, false)],
        ]
        .into_iter()
        .enumerate()
        {
            table.add_row(OpenRow::default());
            for (text, columns, joins_above) in cells {
                table.begin_cell();
                let blocks = vec![Block::Paragraph(Words::plain(text))];
                *table.cell().unwrap() = OpenCell { blocks, columns, joins_left: false, joins_above };
            }
            table.row().unwrap().place = Some(Locator::page(row as u64));
        }
        let table = table.finish();
        let shape: Vec<Vec<(u32, u32)>> = table
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| (cell.rows, cell.columns)).collect())
            .collect();
        assert_eq!(shape, [vec![(3, 2), (1, 1)], vec![(1, 1)], vec![(1, 1)]]);
    }
}
