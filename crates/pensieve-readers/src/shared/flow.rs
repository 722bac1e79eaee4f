//! Makes blocks with tables of a stream of paragraphs in which marks end cells and rows: the form in which RTF and the
//! older Word formats hold their text.

use crate::limits::flow::{MAX_COLUMN_EDGES, MAX_ROW_CELLS, MAX_TABLE_CELLS, MAX_TABLE_DEPTH};
use crate::markdown::{Block, Table, TableCell, TableRow};

/// Edges that are nearer to each other than this, in twentieths of a point, are one.
const SAME_EDGE: i32 = 60;

/// The shape of a cell, as the mark of its row gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CellShape {
    /// The position of its right edge, in twentieths of a point.
    pub right: i32,
    /// It continues the cell at its left.
    pub joins_left: bool,
}

/// Collects the blocks of a stream.
#[derive(Debug, Default)]
pub(crate) struct ParagraphStream {
    ready: Vec<Block>,
    tables: Vec<OpenTable>,
    asides: Vec<Block>,
    /// How many of the asides belong to the open table.
    inside: usize,
    /// Cells of the outermost table and of those inside.
    cells: usize,
}

#[derive(Debug, Default)]
struct OpenTable {
    rows: Vec<OpenRow>,
    cells: Vec<Vec<Block>>,
    cell: Vec<Block>,
}

#[derive(Debug)]
struct OpenRow {
    cells: Vec<Vec<Block>>,
    shape: Vec<CellShape>,
}

impl ParagraphStream {
    /// Adds a block that is inside `depth` tables.
    pub fn push(&mut self, block: Block, depth: usize) {
        self.go_to(depth);
        self.put(block);
        if self.tables.is_empty() {
            self.ready.append(&mut self.asides);
        }
        self.inside = self.asides.len();
    }

    /// Adds a block that follows the next paragraph or table: a note, a text box.
    pub fn aside(&mut self, block: Block) {
        self.asides.push(block);
    }

    /// Ends a cell of the table at this depth, from 1.
    pub fn end_cell(&mut self, depth: usize) {
        self.go_to(depth.max(1));
        self.cells += 1;
        if let Some(table) = self.tables.last_mut() {
            let cell = std::mem::take(&mut table.cell);
            table.cells.push(cell);
            if table.cells.len() >= MAX_ROW_CELLS {
                self.end_row(depth, Vec::new());
            }
        }
    }

    /// Ends a row of the table at this depth, from 1.
    pub fn end_row(&mut self, depth: usize, shape: Vec<CellShape>) {
        self.go_to(depth.max(1));
        if let Some(table) = self.tables.last_mut() {
            table.end_row(shape);
        }
        if depth <= 1 && self.cells > MAX_TABLE_CELLS {
            self.go_to(0);
        }
    }

    /// Takes the blocks that are complete, in order.
    pub fn take(&mut self) -> Vec<Block> {
        std::mem::take(&mut self.ready)
    }

    /// True where blocks are complete.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// The rest of the blocks.
    pub fn finish(mut self) -> Vec<Block> {
        self.go_to(0);
        self.ready.append(&mut self.asides);
        self.ready
    }

    fn go_to(&mut self, depth: usize) {
        let depth = depth.min(MAX_TABLE_DEPTH);
        while self.tables.len() > depth {
            let table = self.tables.pop().and_then(OpenTable::finish);
            if let Some(table) = table {
                self.put(Block::Table(table));
            }
            if self.tables.is_empty() {
                self.cells = 0;
                self.ready
                    .extend(self.asides.drain(..std::mem::take(&mut self.inside).min(self.asides.len())));
            }
        }
        while self.tables.len() < depth {
            self.tables.push(OpenTable::default());
        }
    }

    fn put(&mut self, block: Block) {
        match self.tables.last_mut() {
            Some(table) => table.cell.push(block),
            None => self.ready.push(block),
        }
    }
}

impl OpenTable {
    fn end_row(&mut self, shape: Vec<CellShape>) {
        let mut cells = std::mem::take(&mut self.cells);
        let last = std::mem::take(&mut self.cell);
        if !last.is_empty() {
            cells.push(last);
        }
        if !cells.is_empty() {
            self.rows.push(OpenRow { cells, shape });
        }
    }

    fn finish(mut self) -> Option<Table> {
        self.end_row(Vec::new());
        let edges = edges_of(&self.rows);
        let rows: Vec<TableRow> = self.rows.into_iter().map(|row| row.finish(edges.as_deref())).collect();
        (!rows.is_empty()).then_some(Table { rows })
    }
}

impl OpenRow {
    /// A cell over several columns is followed by empty ones, so that columns stay aligned and its words are written once.
    fn finish(self, edges: Option<&[i32]>) -> TableRow {
        let mut cells: Vec<TableCell> = Vec::with_capacity(self.cells.len());
        let is_shaped = self.shape.len() >= self.cells.len();
        for (at, blocks) in self.cells.into_iter().enumerate() {
            let shape = self.shape.get(at).copied().unwrap_or_default();
            match cells.last_mut() {
                Some(last) if shape.joins_left && at > 0 && !blocks.is_empty() => last.blocks.extend(blocks),
                _ => cells.push(TableCell { blocks, ..TableCell::default() }),
            }
            if let Some(edges) = edges.filter(|_| is_shaped) {
                let column = edges.partition_point(|edge| *edge + SAME_EDGE <= shape.right) + 1;
                while cells.len() < column.min(edges.len()) {
                    cells.push(TableCell::default());
                }
            }
        }
        TableRow { cells, place: None }
    }
}

/// The right edges of the columns of a table, where they are known and not too many.
fn edges_of(rows: &[OpenRow]) -> Option<Vec<i32>> {
    let mut edges: Vec<i32> = rows.iter().flat_map(|row| row.shape.iter().map(|cell| cell.right)).collect();
    edges.sort_unstable();
    edges.dedup_by(|later, kept| later.saturating_sub(*kept) < SAME_EDGE);
    let is_ordered = |row: &OpenRow| row.shape.is_sorted_by(|a, b| a.right <= b.right);
    let is_known = edges.len() > 1 && edges.len() <= MAX_COLUMN_EDGES && rows.iter().all(is_ordered);
    is_known.then_some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{MarkdownDraft, Words};

    fn words(text: &str) -> Block {
        Block::Paragraph(Words::plain(text))
    }

    fn check(flow: ParagraphStream, expected: &str) {
        let mut draft = MarkdownDraft::new();
        flow.finish().iter().for_each(|block| draft.push(block));
        assert_eq!(draft.finish().text, expected);
    }

    fn shape(rights: &[i32]) -> Vec<CellShape> {
        rights.iter().map(|&right| CellShape { right, joins_left: false }).collect()
    }

    #[test]
    fn cells_and_rows_become_tables() {
        let mut flow = ParagraphStream::default();
        flow.push(words("before"), 0);
        for (rights, cells) in [(&[100, 300, 400][..], &["a", "b", "c"][..]), (&[300, 400], &["wide", "d"])] {
            for cell in cells {
                flow.push(words(cell), 1);
                flow.end_cell(1);
            }
            flow.end_row(1, shape(rights));
        }
        flow.push(words("after"), 0);
        check(flow, "before\n\n| a | b | c |\n| - | - | - |\n| wide |  | d |\n\nafter\n");
    }

    #[test]
    fn tables_are_in_cells_and_notes_after_paragraphs() {
        let mut flow = ParagraphStream::default();
        flow.push(words("x"), 2);
        flow.end_cell(2);
        flow.end_row(2, Vec::new());
        flow.push(words("y"), 1);
        flow.end_cell(1);
        flow.push(words("z"), 1);
        flow.aside(words("note"));
        flow.end_cell(1);
        flow.end_row(1, Vec::new());
        check(flow, "| x y | z |\n| - | - |\n\nnote\n");
    }
}
