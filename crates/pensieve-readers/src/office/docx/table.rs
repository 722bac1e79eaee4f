//! Builds tables from rows and cells as they are read; merged cells are joined at the end.
//!
//! Source: ECMA-376 part 1, section 17.4.

use super::properties::{CellMerge, CellProperties, RowProperties};
use crate::markdown::{Block, Table, TableCell, TableRow, TextRun, TextStyle, Words};
use pensieve_text::model::Locator;
use std::collections::HashMap;

/// A table that is open.
#[derive(Debug, Default)]
pub(super) struct TableBuilder {
    rows: Vec<RowBuilder>,
}

#[derive(Debug, Default)]
struct RowBuilder {
    cells: Vec<CellBuilder>,
    properties: RowProperties,
    place: Option<Locator>,
}

#[derive(Debug, Default)]
struct CellBuilder {
    properties: CellProperties,
    blocks: Vec<Block>,
}

impl TableBuilder {
    pub fn begin_row(&mut self) {
        self.rows.push(RowBuilder::default());
    }

    /// The row ends; `place` is its place in the source.
    pub fn end_row(&mut self, place: Option<Locator>) {
        if let Some(row) = self.rows.last_mut() {
            row.place = place;
        }
    }

    pub fn set_row(&mut self, properties: RowProperties) {
        if let Some(row) = self.rows.last_mut() {
            row.properties = properties;
        }
    }

    /// A cell begins; it begins a row if no row is open.
    pub fn begin_cell(&mut self) {
        if self.rows.is_empty() {
            self.begin_row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(CellBuilder::default());
        }
    }

    pub fn set_cell(&mut self, properties: CellProperties) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()) {
            cell.properties = properties;
        }
    }

    /// The cell ends; these blocks are its content.
    pub fn end_cell(&mut self, blocks: Vec<Block>) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()) {
            cell.blocks.extend(blocks);
        }
    }

    pub fn finish(mut self) -> Table {
        self.rows.retain(|row| !row.properties.is_deleted);
        let is_one = self.rows.iter().map(|row| row.cells.len()).sum::<usize>() <= 1;
        let mut rows: Vec<TableRow> = Vec::with_capacity(self.rows.len());
        // For each column, the cell above that extends down, by its row and its index in the row.
        let mut above: HashMap<u32, (usize, usize)> = HashMap::new();
        for (at, open) in self.rows.into_iter().enumerate() {
            let mut row = TableRow { cells: Vec::with_capacity(open.cells.len()), place: open.place };
            let mut column = open.properties.before;
            if column > 0 {
                row.cells.push(TableCell { columns: column, ..TableCell::default() });
            }
            for cell in open.cells {
                let CellProperties { columns, down, right } = cell.properties;
                let columns = columns.max(1);
                let blocks = if is_one { cell.blocks } else { cell.blocks.into_iter().map(flat).collect() };
                let begun = above.get(&column).copied().filter(|_| down == CellMerge::Continues);
                let is_right = right == CellMerge::Continues && !row.cells.is_empty();
                if is_right && let Some(left) = row.cells.last_mut() {
                    left.columns = left.columns.saturating_add(columns);
                    left.blocks.extend(blocks);
                } else if let Some(upper) =
                    begun.and_then(|(row, cell)| rows.get_mut(row)?.cells.get_mut(cell))
                {
                    let below = begun.map_or(1, |(row, _)| at - row + 1);
                    upper.rows = upper.rows.max(below as u32);
                    upper.blocks.extend(blocks);
                } else {
                    above.remove(&column);
                    if down == CellMerge::Begins {
                        above.insert(column, (at, row.cells.len()));
                    }
                    row.cells.push(TableCell { blocks, columns, rows: 1 });
                }
                column = column.saturating_add(columns);
            }
            rows.push(row);
        }
        Table { rows }
    }
}

/// Code in a table of several cells becomes words of one line: a fence would break the table.
fn flat(block: Block) -> Block {
    let Block::Code { text, .. } = block else { return block };
    let style = TextStyle { code: true, ..TextStyle::default() };
    Block::Paragraph(Words(vec![TextRun { text, style, ..TextRun::default() }]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_cells_are_joined() {
        let mut table = TableBuilder::default();
        let cell = |down, columns| CellProperties { columns, down, right: CellMerge::None };
        for (row, cells) in [
            [("a", cell(CellMerge::Begins, 2)), ("b", cell(CellMerge::None, 1))],
            [("", cell(CellMerge::Continues, 2)), ("c", cell(CellMerge::None, 1))],
            [("", cell(CellMerge::Continues, 2)), ("d", cell(CellMerge::None, 1))],
        ]
        .into_iter()
        .enumerate()
        {
            table.begin_row();
            for (text, properties) in cells {
                table.begin_cell();
                table.set_cell(properties);
                table.end_cell(vec![Block::Paragraph(Words::plain(text))]);
            }
            table.end_row(Some(Locator::page(row as u64)));
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
