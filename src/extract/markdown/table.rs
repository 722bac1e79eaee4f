//! Tables: those that hold data become rows with pipes; those that only lay out the page become blocks.

use super::block::{Block, Row, Table, Words};
use super::inline::Line;
use super::{Before, DEEPEST, Draft, flat_words};

/// A table has no more columns than this; later cells join the last.
const MOST_COLUMNS: usize = 400;

/// A cell longer than this is a part of a page, not a datum.
const LONGEST_CELL: usize = 3000;

/// Longer cells are not repeated where they are merged over columns or rows.
const LONGEST_REPEAT: usize = 200;

/// Where a cell of the grid comes from.
#[derive(Clone, Copy)]
struct Slot<'t> {
    blocks: &'t [Block],
    is_repeat: bool,
}

impl Draft {
    pub(super) fn table(&mut self, table: &Table, depth: usize) {
        let grid = grid_of(&table.rows);
        let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
        let is_data =
            columns > 1 && table.rows.iter().flat_map(|row| &row.cells).all(|cell| is_datum(&cell.blocks));
        if !is_data {
            return self.laid_out(table, depth);
        }
        let rows = grid.iter().zip(&table.rows);
        let mut is_first = true;
        for (slots, row) in
            rows.filter(|(slots, _)| slots.iter().flatten().any(|slot| has_words(slot.blocks)))
        {
            if is_first {
                self.begin(Before::Other);
            }
            self.row(slots, columns);
            if std::mem::take(&mut is_first) {
                self.put("|");
                self.put(&" - |".repeat(columns));
                self.put("\n");
            }
            let place = row.place.clone();
            let outer = place.is_some().then(|| std::mem::replace(&mut self.place, place));
            self.placed();
            if let Some(outer) = outer {
                self.place = outer;
            }
        }
    }

    fn row(&mut self, slots: &[Option<Slot<'_>>], columns: usize) {
        for column in 0..columns {
            self.put(if column == 0 { "| " } else { " | " });
            let Some(slot) = slots.get(column).copied().flatten() else { continue };
            let mut is_first = true;
            for words in words_of(slot.blocks).into_iter().filter(|words| !words.is_blank()) {
                if !std::mem::take(&mut is_first) {
                    self.put(" ");
                }
                self.words(words, Line::Cell);
            }
        }
        self.put(" |\n");
    }

    /// The blocks of the cells one after the other.
    fn laid_out(&mut self, table: &Table, depth: usize) {
        for block in table.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.blocks) {
            if depth < DEEPEST {
                self.push_inside(block, depth + 1);
            } else {
                for words in words_of(std::slice::from_ref(block)) {
                    self.push_inside(&Block::Paragraph(words.clone()), depth);
                }
            }
        }
    }
}

/// Which cell stands in each column of each row; merged cells are repeated while they are short.
fn grid_of(rows: &[Row]) -> Vec<Vec<Option<Slot<'_>>>> {
    let mut grid: Vec<Vec<Option<Slot<'_>>>> = vec![Vec::new(); rows.len()];
    // For each column the row behind the cell that reaches down into it.
    let mut taken: Vec<usize> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut column = 0;
        for cell in &row.cells {
            while taken.get(column).is_some_and(|&end| end > at) {
                column += 1;
            }
            if column >= MOST_COLUMNS {
                break;
            }
            let end = (column + cell.columns.max(1) as usize).min(MOST_COLUMNS);
            let below = (at + cell.rows.max(1) as usize).min(rows.len());
            let is_short = words_of(&cell.blocks).iter().map(|words| words.to_plain().len()).sum::<usize>()
                <= LONGEST_REPEAT;
            for line in &mut grid[at..below] {
                line.resize(line.len().max(end), None);
            }
            for (down, line) in grid[at..below].iter_mut().enumerate() {
                for (right, slot) in line[column..end].iter_mut().enumerate() {
                    let is_repeat = down + right > 0;
                    if !is_repeat || is_short {
                        *slot = Some(Slot { blocks: &cell.blocks, is_repeat });
                    }
                }
            }
            taken.resize(taken.len().max(end), 0);
            taken[column..end].fill(below);
            column = end;
        }
    }
    // Rows of repeats alone and columns of repeats alone say nothing.
    for line in &mut grid {
        if line.iter().flatten().all(|slot| slot.is_repeat) {
            line.clear();
        }
    }
    grid
}

/// All words inside, in order, tables inside included.
fn words_of(blocks: &[Block]) -> Vec<&Words> {
    let mut found = Vec::new();
    let mut waiting: Vec<&Block> = blocks.iter().rev().collect();
    while let Some(block) = waiting.pop() {
        match block {
            Block::Table(table) => {
                let cells = table.rows.iter().rev().flat_map(|row| row.cells.iter().rev());
                waiting.extend(cells.flat_map(|cell| cell.blocks.iter().rev()));
            }
            Block::Note { blocks, .. } => waiting.extend(blocks.iter().rev()),
            other => found.extend(flat_words(other)),
        }
    }
    found
}

fn has_words(blocks: &[Block]) -> bool {
    words_of(blocks).iter().any(|words| !words.is_blank())
}

/// True for what may stand on one line.
fn is_datum(blocks: &[Block]) -> bool {
    let mut length = 0;
    for block in blocks {
        match block {
            Block::Code { .. } => return false,
            Block::Table(_)
                if words_of(blocks).iter().map(|words| words.to_plain().len()).sum::<usize>() > 600 =>
            {
                return false;
            }
            other => length += flat_words(other).map_or(0, |words| words.to_plain().len()),
        }
    }
    length <= LONGEST_CELL
}
