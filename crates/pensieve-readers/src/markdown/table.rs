//! Tables: those that hold data become rows with pipes; those that only lay out the page become blocks.

use super::block::{Block, Table, TableCell, TableRow, Words};
use super::inline::Line;
use super::{Before, DEEPEST, MarkdownDraft, flat_words};

/// A table has no more columns than this; wider ones are laid out as blocks.
const MOST_COLUMNS: usize = 400;

/// A cell longer than this is a part of a page, not a datum.
const LONGEST_CELL: usize = 3000;

/// Longer cells are not repeated where they are merged over columns or rows.
const LONGEST_REPEAT: usize = 200;

/// Bytes that repeats, wide cells and the filling of short rows may add to one document: a few bytes of a hostile one
/// could ask for gigabytes.
pub(super) const MOST_FILLING: usize = 4 << 20;

/// What stands in a column of a row.
#[derive(Clone, Copy)]
struct Slot<'t> {
    blocks: &'t [Block],
    is_repeat: bool,
}

/// A cell that reaches down: up to which row, and what is repeated there.
#[derive(Clone, Copy, Default)]
struct Carried<'t> {
    end: usize,
    blocks: &'t [Block],
}

impl MarkdownDraft {
    pub(super) fn table(&mut self, table: &Table, depth: usize) {
        let columns = Columns::of(&table.rows);
        let is_data = columns.count > 1
            && !columns.is_too_wide
            && table.rows.iter().flat_map(|row| &row.cells).all(|cell| is_datum(&cell.blocks));
        if !is_data {
            return self.laid_out(table, depth);
        }
        let mut carried: Vec<Carried<'_>> = vec![Carried::default(); columns.count];
        let mut is_first = true;
        for (at, row) in table.rows.iter().enumerate() {
            let slots = self.slots(at, row, &columns, &mut carried, is_first);
            // A row of repeats alone says nothing.
            if !slots.iter().flatten().any(|slot| !slot.is_repeat && has_words(slot.blocks)) {
                continue;
            }
            if is_first {
                self.begin(Before::Other);
            }
            self.row(&slots, columns.count);
            if std::mem::take(&mut is_first) {
                self.put("|");
                self.put(&" - |".repeat(columns.count));
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

    /// Which cell stands in each column of a row. Short cells that reach down are repeated in each row, so that it can
    /// be understood alone; those that reach to the right are repeated in the first row, whose cells name the columns.
    fn slots<'t>(
        &mut self,
        at: usize,
        row: &'t TableRow,
        columns: &Columns,
        carried: &mut [Carried<'t>],
        is_first: bool,
    ) -> Vec<Option<Slot<'t>>> {
        let mut slots: Vec<Option<Slot<'t>>> = Vec::new();
        let mut place = 0;
        for (cell, start) in row.cells.iter().zip(columns.starts(at)) {
            let start = usize::from(start);
            self.repeat_above(at, &mut slots, place.min(start)..start, carried);
            let end = columns.end_of(start, cell);
            let length = length_of(&cell.blocks);
            let is_short = length <= LONGEST_REPEAT;
            if slots.len() <= start {
                slots.resize(start, None);
                slots.push(Some(Slot { blocks: &cell.blocks, is_repeat: false }));
            } else if let Some(slot) = slots.get_mut(start) {
                *slot = Some(Slot { blocks: &cell.blocks, is_repeat: false });
            }
            let repeats_right = is_first && is_short && end - start < columns.count;
            for _ in start + 1..end {
                let repeat = repeats_right && self.may_fill(length + 4);
                slots.push(repeat.then_some(Slot { blocks: &cell.blocks, is_repeat: true }));
            }
            if cell.rows > 1 {
                let below = at.saturating_add(cell.rows as usize);
                let blocks: &[Block] = if is_short { &cell.blocks } else { &[] };
                for (right, column) in carried[start..end].iter_mut().enumerate() {
                    *column = Carried { end: below, blocks: if right == 0 { blocks } else { &[] } };
                }
            }
            place = end;
        }
        self.repeat_above(at, &mut slots, place..columns.count, carried);
        slots
    }

    /// Repeats what reaches down into these columns.
    fn repeat_above<'t>(
        &mut self,
        at: usize,
        slots: &mut Vec<Option<Slot<'t>>>,
        columns: std::ops::Range<usize>,
        carried: &[Carried<'t>],
    ) {
        for (column, above) in columns.clone().zip(&carried[columns]) {
            if above.end > at && !above.blocks.is_empty() && self.may_fill(length_of(above.blocks) + 4) {
                slots.resize(slots.len().max(column), None);
                slots.push(Some(Slot { blocks: above.blocks, is_repeat: true }));
            }
        }
    }

    fn may_fill(&mut self, cost: usize) -> bool {
        let is_left = self.filling >= cost;
        self.filling -= if is_left { cost } else { 0 };
        is_left
    }

    fn row(&mut self, slots: &[Option<Slot<'_>>], columns: usize) {
        for column in 0..columns {
            // A row may end before its table does.
            if column > slots.len() && !self.may_fill(3) {
                break;
            }
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

/// The columns of a table: those in which a cell begins somewhere. Programs divide tables much finer, to place borders.
struct Columns {
    count: usize,
    /// Where each cell begins, row after row.
    starts: Vec<u16>,
    /// The first cell of each row in `starts`.
    rows: Vec<usize>,
    /// For each fine column the one that it belongs to.
    of_fine: Vec<u16>,
    /// For each column its first fine one.
    fine: Vec<u16>,
    /// Something stands beyond the last column that there may be.
    is_too_wide: bool,
}

impl Columns {
    fn of(rows: &[TableRow]) -> Columns {
        let mut columns = Columns {
            count: 0,
            starts: Vec::new(),
            rows: Vec::new(),
            of_fine: Vec::new(),
            fine: Vec::new(),
            is_too_wide: false,
        };
        let mut begins = vec![false; MOST_COLUMNS + 1];
        // For each fine column the row behind the cell that reaches down into it.
        let mut taken: Vec<usize> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            columns.rows.push(columns.starts.len());
            let mut column = 0;
            for cell in &row.cells {
                while taken.get(column).is_some_and(|&end| end > at) {
                    column += 1;
                }
                if column >= MOST_COLUMNS {
                    columns.is_too_wide |= has_words(&cell.blocks);
                    continue;
                }
                begins[column] = true;
                columns.starts.push(column as u16);
                let end = column.saturating_add(cell.columns.max(1) as usize).min(MOST_COLUMNS);
                if cell.rows > 1 {
                    taken.resize(taken.len().max(end), 0);
                    taken[column..end].fill(at.saturating_add(cell.rows as usize));
                }
                column = end;
            }
        }
        columns.rows.push(columns.starts.len());
        for (fine, _) in begins.iter().enumerate().filter(|(_, begins)| **begins) {
            columns.fine.push(fine as u16);
        }
        for fine in 0..=MOST_COLUMNS {
            let before = columns.fine.partition_point(|&first| usize::from(first) <= fine);
            columns.of_fine.push(before.saturating_sub(1) as u16);
        }
        columns.count = columns.fine.len();
        columns.starts.iter_mut().for_each(|start| *start = columns.of_fine[usize::from(*start)]);
        columns
    }

    /// The columns in which the cells of a row begin.
    fn starts(&self, row: usize) -> impl Iterator<Item = u16> + '_ {
        self.starts[self.rows[row]..self.rows[row + 1]].iter().copied()
    }

    /// The column behind a cell.
    fn end_of(&self, start: usize, cell: &TableCell) -> usize {
        let fine = usize::from(self.fine[start]).saturating_add(cell.columns.max(1) as usize);
        self.fine.partition_point(|&first| usize::from(first) < fine).clamp(start + 1, self.count)
    }
}

fn length_of(blocks: &[Block]) -> usize {
    words_of(blocks).iter().map(|words| words.0.iter().map(|run| run.text.len()).sum::<usize>()).sum()
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
