//! Tables: those with data become rows with pipes; those that only arrange the page become blocks.

use super::{BlockBefore, LineKind, MarkdownDraft};
use crate::limits::markdown::MAX_NESTED_BLOCKS;
use crate::markdown::block::{Block, Table, TableCell, Words};
use crate::markdown::block_mark::{CELL_BREAK, ROW_END, ROW_START, cell_separator, delimiter_row};
use crate::markdown::table_layout::{
    CellExtent, ColumnRepeats, FilledCell, MAX_CELL_BYTES, MAX_INNER_TABLE_BYTES, PlacedCell, RowFiller,
    TableLayout,
};

impl MarkdownDraft {
    pub(super) fn table(&mut self, table: &Table, depth: usize) {
        let layout = TableLayout::of(table.rows.iter().map(|row| row.cells.iter().map(extent_of)));
        let is_too_wide =
            layout.beyond().iter().any(|&(row, cell)| has_words(&table.rows[row].cells[cell].blocks));
        let is_data = layout.columns() > 1
            && !is_too_wide
            && table.rows.iter().flat_map(|row| &row.cells).all(|cell| is_datum(&cell.blocks));
        if is_data { self.write_rows(table, &layout) } else { self.write_blocks(table, depth) }
    }

    fn write_rows(&mut self, table: &Table, layout: &TableLayout) {
        let mut filler = RowFiller::new(layout.columns(), ColumnRepeats::Header);
        let mut is_header = true;
        for (at, row) in table.rows.iter().enumerate() {
            let cells = row.cells.iter().zip(layout.cells_of(at)).map(|(cell, columns)| PlacedCell {
                cell: cell.blocks.as_slice(),
                columns,
                rows: cell.rows as usize,
                bytes: length_of(&cell.blocks),
            });
            let cells = filler.fill(cells, is_header, &mut self.repeats);
            // A row of nothing but repeats adds no information.
            if !cells.iter().flatten().any(|cell| !cell.is_repeat && has_words(cell.cell)) {
                continue;
            }
            if is_header {
                self.begin(BlockBefore::Other);
            }
            self.write_row(&cells);
            if std::mem::take(&mut is_header) {
                self.out.put(&delimiter_row(layout.columns()));
                self.out.put("\n");
            }
            self.set_place_to(row.place.clone());
        }
    }

    fn write_row(&mut self, cells: &[Option<FilledCell<&[Block]>>]) {
        let filled = cells.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        for (column, cell) in cells.iter().enumerate() {
            // A row may end before its table does.
            if column > filled && !self.repeats.allows(0) {
                break;
            }
            self.out.put(if column == 0 { ROW_START } else { CELL_BREAK });
            let words = cell.map(|cell| parts_of(cell.cell)).unwrap_or_default();
            let parts = words.into_iter().filter(|(words, _)| !words.is_blank());
            for (at, (words, is_apart)) in parts.enumerate() {
                if at > 0 && is_apart {
                    let sign = cell_separator(self.out.as_str(), ";");
                    self.out.put(sign);
                }
                self.out.put(if at > 0 { " " } else { "" });
                self.words(words, LineKind::Cell);
            }
        }
        self.out.put(ROW_END);
        self.out.put("\n");
    }

    /// The blocks of the cells one after the other.
    fn write_blocks(&mut self, table: &Table, depth: usize) {
        for block in table.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.blocks) {
            if depth < MAX_NESTED_BLOCKS {
                self.push_inside(block, depth + 1);
            } else {
                for words in words_of(std::slice::from_ref(block)) {
                    self.push_inside(&Block::Paragraph(words.clone()), depth);
                }
            }
        }
    }
}

fn extent_of(cell: &TableCell) -> CellExtent {
    CellExtent { columns: cell.columns as usize, rows: cell.rows as usize }
}

fn length_of(blocks: &[Block]) -> usize {
    words_of(blocks).iter().map(|words| words.0.iter().map(|run| run.text.len()).sum::<usize>()).sum()
}

/// All words inside, in order, including those of inner tables.
fn words_of(blocks: &[Block]) -> Vec<&Words> {
    parts_of(blocks).into_iter().map(|(words, _)| words).collect()
}

/// The same, each with whether it is an item after another one, or a paragraph after another one: one that begins with a
/// small letter goes on with its sentence.
fn parts_of(blocks: &[Block]) -> Vec<(&Words, bool)> {
    let mut found = Vec::new();
    let (mut follows_item, mut follows_paragraph) = (false, false);
    let mut waiting: Vec<&Block> = blocks.iter().rev().collect();
    while let Some(block) = waiting.pop() {
        match block {
            Block::Table(table) => {
                let cells = table.rows.iter().rev().flat_map(|row| row.cells.iter().rev());
                waiting.extend(cells.flat_map(|cell| cell.blocks.iter().rev()));
            }
            Block::Note { blocks, .. } => waiting.extend(blocks.iter().rev()),
            other => {
                let is_item = matches!(other, Block::Item { .. });
                let is_paragraph = matches!(other, Block::Paragraph(words) if !words.is_blank());
                let begins = is_item && !matches!(other, Block::Item { marker: None, .. });
                let is_apart = |words: &Words| {
                    let goes_on = || words.to_plain().trim_start().starts_with(char::is_lowercase);
                    begins && follows_item || is_paragraph && follows_paragraph && !goes_on()
                };
                found.extend(other.words().map(|words| (words, is_apart(words))));
                (follows_item, follows_paragraph) = (is_item, is_paragraph);
            }
        }
    }
    found
}

fn has_words(blocks: &[Block]) -> bool {
    words_of(blocks).iter().any(|words| !words.is_blank())
}

/// True for blocks that fit on one line.
fn is_datum(blocks: &[Block]) -> bool {
    let mut length = 0;
    for block in blocks {
        match block {
            Block::Code { .. } => return false,
            Block::Table(_) if length_of(std::slice::from_ref(block)) > MAX_INNER_TABLE_BYTES => {
                return false;
            }
            other => length += other.words().map_or(0, |words| words.to_plain().len()),
        }
    }
    length <= MAX_CELL_BYTES
}
