//! Turns a stream of paragraphs, in which marks end cells and rows, into blocks with tables. RTF and the older Word
//! formats store their text in this form.

use super::tables::{OpenCell, OpenRow, TableBuilder};
use crate::limits::story::{MAX_COLUMN_EDGES, MAX_ROW_CELLS, MAX_TABLE_CELLS, MAX_TABLE_DEPTH};
use crate::markdown::{Block, MarkdownDraft};
use pensieve_text::model::Locator;

/// Edges nearer to each other than this, in twentieths of a point, count as one.
const SAME_EDGE: i32 = 60;

/// The shape of a cell, from the mark of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CellShape {
    /// The position of its right edge, in twentieths of a point.
    pub right: i32,
    /// It continues the cell at its left.
    pub joins_left: bool,
    /// It continues the cell above.
    pub joins_above: bool,
}

/// The numbers of the first and the last of some paragraphs of the body; `None` outside of the body.
///
/// Paragraphs count from 1 in the order of the file. Every mark that ends a paragraph, a cell, a page, a column or a
/// section counts, whether words precede it or not; the mark that ends a row does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ParagraphRange(Option<(u64, u64)>);

impl ParagraphRange {
    /// One paragraph.
    pub(crate) fn of(paragraph: u64) -> ParagraphRange {
        ParagraphRange(Some((paragraph, paragraph)))
    }

    fn extend(&mut self, other: ParagraphRange) {
        self.0 = match (self.0, other.0) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
    }

    fn locator(self) -> Option<Locator> {
        self.0.map(|(first, last)| Locator::Paragraphs { first, last })
    }
}

/// A block with its paragraphs.
#[derive(Debug)]
pub(crate) struct NumberedBlock {
    pub block: Block,
    paragraphs: ParagraphRange,
}

impl NumberedBlock {
    /// Writes the block at its place.
    pub fn write(&self, draft: &mut MarkdownDraft) {
        draft.place(self.paragraphs.locator());
        draft.push(&self.block);
    }
}

/// Collects the blocks of a stream.
#[derive(Debug, Default)]
pub(crate) struct ParagraphStream {
    ready: Vec<NumberedBlock>,
    tables: Vec<OpenTable>,
    asides: Vec<NumberedBlock>,
    /// How many of the asides belong to the open table.
    inside: usize,
    /// Cells of the outermost table and of those inside.
    cells: usize,
}

#[derive(Debug, Default)]
struct OpenTable {
    rows: Vec<MarkedRow>,
    cells: Vec<Vec<Block>>,
    cell: Vec<Block>,
    /// The paragraphs of the open row.
    paragraphs: ParagraphRange,
}

#[derive(Debug)]
struct MarkedRow {
    cells: Vec<Vec<Block>>,
    shape: Vec<CellShape>,
    paragraphs: ParagraphRange,
}

impl ParagraphStream {
    /// Adds a block that is inside `depth` tables.
    pub fn push(&mut self, block: Block, depth: usize, paragraphs: ParagraphRange) {
        self.go_to(depth);
        self.put(NumberedBlock { block, paragraphs });
        if self.tables.is_empty() {
            self.ready.append(&mut self.asides);
        }
        self.inside = self.asides.len();
    }

    /// Adds a block that follows the next paragraph or table, such as a note or a text box; its paragraphs are those that
    /// refer to it.
    pub fn aside(&mut self, block: Block, paragraphs: ParagraphRange) {
        self.asides.push(NumberedBlock { block, paragraphs });
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
    pub fn take(&mut self) -> Vec<NumberedBlock> {
        let complete = self.ready.len() - usize::from(self.ends_with_code());
        self.ready.drain(..complete).collect()
    }

    /// True if blocks are complete.
    pub fn has_ready(&self) -> bool {
        self.ready.len() > usize::from(self.ends_with_code())
    }

    /// True if the last block may go on with the next line of code.
    fn ends_with_code(&self) -> bool {
        self.ready.last().is_some_and(|last| matches!(last.block, Block::Code { .. }))
    }

    /// The rest of the blocks.
    pub fn finish(mut self) -> Vec<NumberedBlock> {
        self.go_to(0);
        self.ready.append(&mut self.asides);
        self.ready
    }

    /// The blocks of a stream outside of the body.
    pub fn into_blocks(self) -> Vec<Block> {
        self.finish().into_iter().map(|numbered| numbered.block).collect()
    }

    fn go_to(&mut self, depth: usize) {
        let depth = depth.min(MAX_TABLE_DEPTH);
        while self.tables.len() > depth {
            let table = self.tables.pop().and_then(OpenTable::finish);
            if let Some(table) = table {
                self.put(table);
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

    fn put(&mut self, numbered: NumberedBlock) {
        match self.tables.last_mut() {
            Some(table) => {
                table.paragraphs.extend(numbered.paragraphs);
                if !table.cell.last_mut().is_some_and(|last| last.absorb(&numbered.block, false)) {
                    table.cell.push(numbered.block);
                }
            }
            None => {
                if let Some(last) = self.ready.last_mut()
                    && last.block.absorb(&numbered.block, false)
                {
                    return last.paragraphs.extend(numbered.paragraphs);
                }
                self.ready.push(numbered);
            }
        }
    }
}

impl OpenTable {
    fn end_row(&mut self, shape: Vec<CellShape>) {
        let mut cells = std::mem::take(&mut self.cells);
        let last = std::mem::take(&mut self.cell);
        let paragraphs = std::mem::take(&mut self.paragraphs);
        if !last.is_empty() {
            cells.push(last);
        }
        if !cells.is_empty() {
            self.rows.push(MarkedRow { cells, shape, paragraphs });
        }
    }

    fn finish(mut self) -> Option<NumberedBlock> {
        self.end_row(Vec::new());
        let edges = edges_of(&self.rows);
        let mut paragraphs = ParagraphRange::default();
        let mut table = TableBuilder::default();
        for row in self.rows {
            paragraphs.extend(row.paragraphs);
            table.add_row(row.finish(edges.as_deref()));
        }
        let table = table.finish();
        (!table.rows.is_empty()).then_some(NumberedBlock { block: Block::Table(table), paragraphs })
    }
}

impl MarkedRow {
    /// The cells, each over as many columns as there are edges up to its own right one.
    fn finish(self, edges: Option<&[i32]>) -> OpenRow {
        let edges = edges.filter(|_| self.shape.len() >= self.cells.len());
        let mut row = OpenRow { place: self.paragraphs.locator(), ..OpenRow::default() };
        let mut column = 0;
        for (at, blocks) in self.cells.into_iter().enumerate() {
            let CellShape { right, joins_left, joins_above } =
                self.shape.get(at).copied().unwrap_or_default();
            let end = edges.map_or(0, |edges| {
                let before = edges.partition_point(|edge| edge.saturating_add(SAME_EDGE) <= right);
                (before + 1).min(edges.len())
            });
            let columns = end.saturating_sub(column).max(1);
            column += columns;
            row.cells.push(OpenCell { blocks, columns: columns as u32, joins_left, joins_above });
        }
        row
    }
}

/// The right edges of the columns of a table, if they are known and not too many.
fn edges_of(rows: &[MarkedRow]) -> Option<Vec<i32>> {
    let mut edges: Vec<i32> = rows.iter().flat_map(|row| row.shape.iter().map(|cell| cell.right)).collect();
    edges.sort_unstable();
    edges.dedup_by(|later, kept| later.saturating_sub(*kept) < SAME_EDGE);
    let is_ordered = |row: &MarkedRow| row.shape.is_sorted_by(|a, b| a.right <= b.right);
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
        flow.finish().iter().for_each(|numbered| numbered.write(&mut draft));
        assert_eq!(draft.finish().text, expected);
    }

    fn shape(rights: &[i32]) -> Vec<CellShape> {
        rights.iter().map(|&right| CellShape { right, ..CellShape::default() }).collect()
    }

    #[test]
    fn cells_and_rows_become_tables() {
        let mut flow = ParagraphStream::default();
        flow.push(words("before"), 0, ParagraphRange::default());
        for (rights, cells) in [(&[100, 300, 400][..], &["a", "b", "c"][..]), (&[300, 400], &["wide", "d"])] {
            for cell in cells {
                flow.push(words(cell), 1, ParagraphRange::default());
                flow.end_cell(1);
            }
            flow.end_row(1, shape(rights));
        }
        flow.push(words("after"), 0, ParagraphRange::default());
        check(flow, "before\n\n| a | b | c |\n| - | - | - |\n| wide |  | d |\n\nafter\n");
    }

    #[test]
    fn tables_are_in_cells_and_notes_after_paragraphs() {
        let mut flow = ParagraphStream::default();
        flow.push(words("x"), 2, ParagraphRange::default());
        flow.end_cell(2);
        flow.end_row(2, Vec::new());
        flow.push(words("y"), 1, ParagraphRange::default());
        flow.end_cell(1);
        flow.push(words("z"), 1, ParagraphRange::default());
        flow.aside(words("note"), ParagraphRange::default());
        flow.end_cell(1);
        flow.end_row(1, Vec::new());
        check(flow, "| x y | z |\n| - | - |\n\nnote\n");
    }

    #[test]
    fn blocks_and_rows_keep_the_numbers_of_their_paragraphs() {
        let mut flow = ParagraphStream::default();
        flow.push(words("before"), 0, ParagraphRange::of(2));
        for (row, text) in [(3, "a"), (5, "b")] {
            flow.push(words(text), 1, ParagraphRange::of(row));
            flow.end_cell(1);
            flow.push(words(text), 1, ParagraphRange::of(row + 1));
            flow.aside(words("note"), ParagraphRange::of(row + 1));
            flow.end_cell(1);
            flow.end_row(1, Vec::new());
        }
        let mut draft = MarkdownDraft::new();
        flow.finish().iter().for_each(|numbered| numbered.write(&mut draft));
        let places: Vec<String> = draft.finish().places.0.iter().map(|(_, place)| place.to_json()).collect();
        assert_eq!(
            places.join(" "),
            "{\"paragraph\":[2,2]} {\"paragraph\":[3,4]} {\"paragraph\":[5,6]} \
                                      {\"paragraph\":[4,4]} {\"paragraph\":[6,6]}"
        );
    }
}
