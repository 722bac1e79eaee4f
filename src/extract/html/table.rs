//! Tables: those that hold data become rows with pipes; those that only lay out the page become blocks.

use super::render::Renderer;
use super::tag::Tag;
use super::writer::Break;

/// A table has no more columns than this; later cells join the last.
const MOST_COLUMNS: usize = 200;

/// Longer cells are not repeated where they are merged over columns or rows.
const LONGEST_REPEAT: usize = 200;

/// A cell longer than this is a part of a page, not a datum.
const LONGEST_CELL: usize = 3000;

#[derive(Debug, Clone, Copy)]
struct Cell {
    node: usize,
    column: usize,
    columns: usize,
    rows: usize,
}

/// A cell that reaches down into the next rows.
#[derive(Debug, Clone, Copy)]
struct Carried {
    node: usize,
    rows: usize,
    cost: usize,
}

impl Renderer<'_> {
    /// Renders a table of data; false where it is none.
    pub(super) fn table(&mut self, table: usize) -> bool {
        if self.writer.is_flat() || self.in_table {
            return false;
        }
        let rows = self.rows(table);
        if self.is_play(table) {
            self.in_table = true;
            for row in &rows {
                self.speech(row.iter().map(|cell| cell.node));
            }
            self.in_table = false;
            return true;
        }
        let columns = rows.iter().flatten().map(|cell| cell.column + 1).max().unwrap_or(0);
        if columns < 2 || !self.is_data(table, &rows) {
            return false;
        }
        self.in_table = true;
        self.writer.end_block(Break::Paragraph);
        for caption in self.tree.children(table).filter(|&child| self.tree.tag(child) == Some(Tag::Caption)) {
            self.walk(caption, true);
        }
        let mut carried: Vec<Option<Carried>> = vec![None; columns];
        let mut is_first = true;
        for row in &rows {
            let filled = self.fill(row, &mut carried, columns);
            if filled.iter().all(|cell| cell.is_none_or(|node| !self.has_content(node))) {
                continue;
            }
            self.write_row(&filled);
            if is_first && self.writer.with_markup() {
                self.writer.put_line(&format!("|{}", " - |".repeat(columns)));
            }
            is_first = false;
        }
        self.writer.end_block(Break::Paragraph);
        self.in_table = false;
        true
    }

    /// The rows of a table, those of nested tables aside.
    fn rows(&self, table: usize) -> Vec<Vec<Cell>> {
        let is = |node: usize, tag: Tag| self.tree.tag(node) == Some(tag) && !self.selection.is_dropped(node);
        let mut rows = Vec::new();
        // For each column, how many rows a cell above still reaches down.
        let mut above: Vec<usize> = Vec::new();
        for group in self.tree.children(table) {
            for row in self.tree.children(group).filter(|&node| is(node, Tag::Tr)) {
                let mut cells = Vec::new();
                let mut column = 0;
                for node in self.tree.children(row).filter(|&node| is(node, Tag::Td) || is(node, Tag::Th)) {
                    while above.get(column).is_some_and(|&rows| rows > 0) {
                        column += 1;
                    }
                    let columns = self.count(node, "colspan").min(MOST_COLUMNS);
                    let cell = Cell {
                        node,
                        column: column.min(MOST_COLUMNS - 1),
                        columns,
                        rows: self.count(node, "rowspan"),
                    };
                    cells.push(cell);
                    column += columns;
                    if column <= MOST_COLUMNS {
                        above.resize(above.len().max(column), 0);
                        above[column - columns..column].fill(cell.rows);
                    }
                }
                above.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
                rows.push(cells);
            }
        }
        rows
    }

    fn count(&self, cell: usize, name: &str) -> usize {
        let value = self.tree.attribute(cell, name).map(|value| value.trim().parse::<usize>());
        match value {
            Some(Ok(count)) => count.clamp(1, 65_534),
            _ => 1,
        }
    }

    /// Which cell stands in each column, merged ones repeated.
    fn fill(&mut self, row: &[Cell], carried: &mut [Option<Carried>], columns: usize) -> Vec<Option<usize>> {
        let mut filled: Vec<Option<usize>> = vec![None; columns];
        for (slot, carry) in filled.iter_mut().zip(carried.iter_mut()) {
            if let Some(above) = carry.take().filter(|above| self.may_repeat(above.cost)) {
                *slot = Some(above.node);
                *carry = (above.rows > 1).then_some(Carried { rows: above.rows - 1, ..above });
            }
        }
        // A title over all columns is said once.
        let is_title = row.len() == 1 && row[0].columns >= columns;
        for cell in row {
            let cost = self.tree.text_below(cell.node, self.source).trim().len() + 4;
            for column in cell.column..(cell.column + cell.columns).min(columns) {
                let is_repeat = column > cell.column;
                if is_repeat && (is_title || !self.may_repeat(cost)) {
                    break;
                }
                filled[column] = Some(cell.node);
                if cell.rows > 1 {
                    carried[column] = Some(Carried { node: cell.node, rows: cell.rows - 1, cost });
                }
            }
        }
        filled
    }

    fn may_repeat(&mut self, cost: usize) -> bool {
        if cost > LONGEST_REPEAT || self.repeats_left < cost {
            return false;
        }
        self.repeats_left -= cost;
        true
    }

    fn write_row(&mut self, cells: &[Option<usize>]) {
        let with_markup = self.writer.with_markup();
        self.writer.open_row();
        for (column, cell) in cells.iter().enumerate() {
            if cell.is_none() && !self.may_repeat(4) {
                break;
            }
            self.writer.open_cell(match (with_markup, column) {
                (true, 0) => "| ",
                (false, 0) => "",
                _ => " | ",
            });
            if let Some(node) = *cell {
                self.walk(node, false);
            }
        }
        self.writer.close_row(if with_markup { " |" } else { "" });
    }

    fn has_content(&self, node: usize) -> bool {
        self.tree.below(node).any(|below| match self.tree.piece(below) {
            Some(piece) => !piece.text(self.source).trim().is_empty(),
            None => self.tree.tag(below) == Some(Tag::Img),
        })
    }

    /// True when a table holds data: short cells in more than one column.
    fn is_data(&self, table: usize, rows: &[Vec<Cell>]) -> bool {
        if matches!(self.tree.attribute(table, "role"), Some("presentation" | "none")) {
            return false;
        }
        rows.iter().flatten().all(|cell| self.is_datum(cell.node))
    }

    fn is_datum(&self, cell: usize) -> bool {
        let (mut length, mut paragraphs) = (0, 0);
        for below in self.tree.below(cell) {
            match self.tree.tag(below) {
                None => {
                    length += self.tree.piece(below).map_or(0, |piece| piece.text(self.source).trim().len())
                }
                Some(Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::Blockquote) => paragraphs += 1,
                Some(Tag::Pre) if self.tree.text_below(below, self.source).trim().contains('\n') => {
                    return false;
                }
                Some(Tag::Table) if self.tree.text_below(below, self.source).len() > 600 => return false,
                _ => {}
            }
        }
        length <= LONGEST_CELL && paragraphs <= 3
    }
}
