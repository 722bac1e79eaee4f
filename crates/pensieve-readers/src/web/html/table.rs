//! Tables: those that hold data become rows with pipes; those that only lay out the page become blocks. Rows whose cells hold
//! more than a line takes become items, in which each cell stands behind the name of its column.

use super::render::Renderer;
use super::tag::Tag;
use crate::markdown::{BlockBreak, InlineMark, SourceText};
use pensieve_text::model::Span;

/// A table has no more columns than this; later cells join the last.
const MOST_COLUMNS: usize = 200;

/// Longer cells are not repeated where they are merged over columns or rows.
const LONGEST_REPEAT: usize = 200;

/// Tables that are read as items inside each other.
const DEEPEST: usize = 3;

/// Rows that name columns together.
const MOST_HEADS: usize = 4;

/// Lines of code at most that a cell holds, and bytes.
const MOST_CODE: (usize, usize) = (4, 160);

/// A cell longer than this is a part of a page, not a datum.
const LONGEST_CELL: usize = 3000;

#[derive(Debug, Clone, Copy)]
struct Cell {
    node: usize,
    column: usize,
    columns: usize,
    rows: usize,
}

/// Which cell stands in each column.
type Row = Vec<Option<usize>>;

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
        if self.writer.is_one_line() || self.in_table || self.is_note(table) {
            return false;
        }
        let is_noted = self.take_note_rows(table);
        let rows = self.rows(table);
        if is_noted && rows.is_empty() {
            return true;
        }
        if self.is_play(table) {
            self.in_table = true;
            for row in &rows {
                self.speech(row.iter().map(|cell| cell.node));
            }
            self.in_table = false;
            return true;
        }
        let columns = rows.iter().flatten().map(|cell| cell.column + 1).max().unwrap_or(0);
        if columns < 2 || matches!(self.tree.attribute(table, "role"), Some("presentation" | "none")) {
            return false;
        }
        let is_named = self.names_columns(table, &rows);
        let is_data = rows.iter().flatten().all(|cell| self.is_datum(cell.node, is_named));
        if !(is_data || is_named && self.items < DEEPEST) {
            return false;
        }
        self.writer.end_block(BlockBreak::Paragraph);
        for caption in self.tree.children(table).filter(|&child| self.tree.tag(child) == Some(Tag::Caption)) {
            self.walk(caption, true);
        }
        let mut carried: Vec<Option<Carried>> = vec![None; columns];
        let mut filled: Vec<Row> = Vec::with_capacity(rows.len());
        for row in &rows {
            let cells = self.fill(row, &mut carried, columns);
            if cells.iter().any(|cell| cell.is_some_and(|node| self.has_content(node))) {
                filled.push(cells);
            }
        }
        let mut rows = filled.as_slice();
        while let Some((title, below)) =
            rows.split_first().and_then(|(row, below)| Some((self.title(row)?, below)))
        {
            self.walk(title, false);
            self.writer.end_block(BlockBreak::Paragraph);
            rows = below;
        }
        let (head, body) = rows.split_at(self.heads(rows));
        match is_data {
            true => self.write_rows(head, body, columns),
            false => self.write_items(head, body),
        }
        self.writer.end_block(BlockBreak::Paragraph);
        true
    }

    /// The one cell of a row that names what is below it.
    fn title(&self, row: &[Option<usize>]) -> Option<usize> {
        let title = self.only_cell(row)?;
        (self.tree.tag(title) == Some(Tag::Th) || self.is_in_head(title)).then_some(title)
    }

    /// The cell that a row consists of.
    fn only_cell(&self, row: &[Option<usize>]) -> Option<usize> {
        let cell = row.first().copied().flatten()?;
        (row[1..].iter().all(Option::is_none) && self.count(cell, "colspan") >= row.len()).then_some(cell)
    }

    /// How many rows name the columns.
    fn heads(&self, rows: &[Row]) -> usize {
        let in_head = |row: &&Row| row.iter().flatten().all(|&cell| self.is_in_head(cell));
        let in_head = rows.iter().take(MOST_HEADS).take_while(in_head).count();
        let named = rows.len().min(2);
        match in_head {
            0 if rows.iter().take(named).all(|row| self.names_itself(row)) => 0,
            0 => named.min(1),
            heads => heads,
        }
    }

    /// Rows with pipes, below those that name the columns.
    fn write_rows(&mut self, head: &[Row], body: &[Row], columns: usize) {
        self.in_table = true;
        match head {
            [] => self.writer.put_unnamed_columns(columns),
            head => self.write_row(head),
        }
        self.writer.put_delimiter_row(columns);
        for row in body {
            self.write_row(std::slice::from_ref(row));
        }
        self.in_table = false;
    }

    /// A row as an item: each cell behind the name of its column.
    fn write_items(&mut self, head: &[Row], body: &[Row]) {
        let is_header = head.iter().all(|row| self.is_header(row));
        let (head, above) = if is_header { (head, &[][..]) } else { (&[][..], head) };
        self.items += 1;
        for row in above.iter().chain(body) {
            self.writer.end_block(BlockBreak::Paragraph);
            self.writer.open_item();
            let is_alone = self.only_cell(row).is_some();
            let mut last = None;
            for (column, node) in row.iter().enumerate().filter_map(|(column, cell)| Some((column, (*cell)?)))
            {
                // Cells that are merged over columns are said once.
                if last.replace(node) == Some(node) || !self.has_content(node) {
                    continue;
                }
                let name = if is_alone { String::new() } else { self.column_name(head, column) };
                self.write_named(&name, node);
            }
            self.writer.end_block(BlockBreak::Paragraph);
            self.writer.close_container();
        }
        self.items -= 1;
    }

    fn column_name(&self, head: &[Row], column: usize) -> String {
        let mut names: Vec<usize> = head.iter().filter_map(|row| row[column]).collect();
        names.dedup();
        let names: Vec<String> =
            names.into_iter().map(|name| self.tree.text_below(name, self.source)).collect();
        names.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A cell behind the name of its column; one that names its row is strong itself.
    fn write_named(&mut self, name: &str, cell: usize) {
        let label = match (name, self.writer.with_markup()) {
            ("", _) => String::new(),
            (name, false) => format!("{name}: "),
            (name, true) => format!("**{}:** ", self.writer.escaped(name)),
        };
        let is_row_name = name.is_empty() && self.tree.tag(cell) == Some(Tag::Th);
        self.writer.end_block(BlockBreak::Paragraph);
        if is_row_name {
            self.writer.open_mark(Some(InlineMark::Strong('*')));
            self.walk(cell, false);
            self.writer.close_mark();
        } else if self.begins_with_words(cell) {
            self.writer.open_container(&label, "");
            self.walk(cell, false);
            self.writer.end_block(BlockBreak::Paragraph);
            self.writer.close_container();
        } else {
            if !name.is_empty() {
                self.writer.put_line(label.trim_end());
            }
            self.writer.end_block(BlockBreak::Paragraph);
            self.walk(cell, false);
        }
        self.writer.end_block(BlockBreak::Paragraph);
    }

    /// True for a cell that begins neither with a list nor with code, a table or another block with a form of its own.
    fn begins_with_words(&self, cell: usize) -> bool {
        let has_words = |node: &usize| {
            self.tree.piece(*node).is_some_and(|piece| !piece.resolve(self.source).trim().is_empty())
        };
        let Some(first) = self.tree.below(cell).find(has_words) else { return true };
        self.tree.ancestors(first).take_while(|&above| above > cell).all(|above| {
            self.tree.tag(above).is_none_or(|tag| {
                matches!(tag, Tag::P | Tag::Div | Tag::Section) || !tag.is_block() && !tag.is_preformatted()
            })
        })
    }

    /// True where a table says what its columns are: it is no layout of a page.
    fn names_columns(&self, table: usize, rows: &[Vec<Cell>]) -> bool {
        let is_named = |tag: Tag| self.tree.children(table).any(|child| self.tree.tag(child) == Some(tag));
        let cells = rows.first().map_or(&[][..], |row| row);
        is_named(Tag::Thead)
            || is_named(Tag::Caption)
            || cells.first().is_some_and(|cell| self.tree.tag(cell.node) == Some(Tag::Th))
    }

    /// True for a row that names its columns.
    fn is_header(&self, row: &[Option<usize>]) -> bool {
        let mut cells = row.iter().flatten().filter(|&&cell| self.has_content(cell));
        cells.all(|&cell| self.tree.tag(cell) == Some(Tag::Th) || self.is_in_head(cell))
    }

    /// True for a row of which only the first cells are headers: they name the row, and nothing names its columns.
    fn names_itself(&self, row: &[Option<usize>]) -> bool {
        let is_name = |cell: &Option<usize>| cell.is_some_and(|node| self.tree.tag(node) == Some(Tag::Th));
        let names = row.iter().take_while(|cell| is_name(cell)).count();
        let is_datum = |cell: &Option<usize>| cell.is_some_and(|node| self.has_content(node));
        names > 0
            && names < row.len()
            && row[names..].iter().any(is_datum)
            && !row[names..].iter().any(is_name)
            && !row[0].is_some_and(|cell| self.is_in_head(cell))
    }

    fn is_in_head(&self, cell: usize) -> bool {
        self.tree.ancestors(cell).nth(1).is_some_and(|group| self.tree.tag(group) == Some(Tag::Thead))
    }

    /// Takes notes out of a table whose rows they are; true where there are any.
    fn take_note_rows(&mut self, table: usize) -> bool {
        let tree = self.tree;
        let rows = tree.children(table).flat_map(|group| tree.children(group));
        let notes: Vec<usize> = rows.filter(|&row| self.is_note(row)).collect();
        notes.iter().for_each(|&row| self.await_note(row));
        !notes.is_empty()
    }

    /// The rows of a table, those of nested tables aside.
    fn rows(&self, table: usize) -> Vec<Vec<Cell>> {
        let is = |node: usize, tag: Tag| self.tree.tag(node) == Some(tag) && !self.selection.is_dropped(node);
        let mut rows = Vec::new();
        // For each column, how many rows a cell above still reaches down.
        let mut above: Vec<usize> = Vec::new();
        for group in self.tree.children(table) {
            for row in self.tree.children(group).filter(|&node| is(node, Tag::Tr) && !self.is_note(node)) {
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

    /// A line of cells; rows that name the columns together stand in one.
    fn write_row(&mut self, rows: &[Row]) {
        self.writer.open_row();
        for column in 0..rows.first().map_or(0, Vec::len) {
            let mut cells: Vec<usize> = rows.iter().filter_map(|row| row[column]).collect();
            cells.dedup();
            if cells.is_empty() && !self.may_repeat(4) {
                break;
            }
            self.writer.open_cell();
            for cell in cells {
                self.walk(cell, false);
                self.writer.put_space();
            }
        }
        self.writer.close_row();
    }

    fn has_content(&self, node: usize) -> bool {
        self.tree.below(node).any(|below| match self.tree.piece(below) {
            Some(piece) => !piece.resolve(self.source).trim().is_empty(),
            None => self.tree.tag(below) == Some(Tag::Img),
        })
    }

    /// Code in a cell, which is one line: a span for each line of it.
    pub(super) fn code_in_cell(&mut self, node: usize) {
        let marker = InlineMark::Code(self.ticks(node));
        self.writer.end_block(BlockBreak::Line);
        self.writer.open_mark(Some(marker.clone()));
        for below in self.tree.below(node) {
            let Some(piece) = self.tree.piece(below) else { continue };
            if piece.decoded.is_some() {
                self.writer.words(piece);
                continue;
            }
            let mut start = piece.span.start;
            for (at, line) in piece.resolve(self.source).split('\n').enumerate() {
                if at > 0 {
                    self.writer.close_mark();
                    self.writer.put_space();
                    self.writer.open_mark(Some(marker.clone()));
                }
                let span = Span::new(start, start + line.len());
                self.writer.words(&SourceText { span, decoded: None });
                start = span.end + 1;
            }
        }
        self.writer.close_mark();
        self.writer.end_block(BlockBreak::Line);
    }

    /// True for what is short enough for a cell in a line.
    fn is_datum(&self, cell: usize, is_named: bool) -> bool {
        let (mut length, mut paragraphs) = (0, 0);
        for below in self.tree.below(cell) {
            match self.tree.tag(below) {
                None => {
                    length +=
                        self.tree.piece(below).map_or(0, |piece| piece.resolve(self.source).trim().len())
                }
                Some(Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::Blockquote) => paragraphs += 1,
                Some(Tag::Pre) if self.is_long_code(below, is_named) => return false,
                Some(Tag::Table) if self.tree.text_below(below, self.source).len() > 600 => return false,
                _ => {}
            }
        }
        length <= LONGEST_CELL && paragraphs <= 3
    }

    /// Code of more than a line is no datum in a table without names: there it stands beside the numbers of its lines.
    fn is_long_code(&self, node: usize, is_named: bool) -> bool {
        let text = self.tree.text_below(node, self.source);
        let lines = text.trim().lines().count();
        lines > 1 && (!is_named || lines > MOST_CODE.0 || text.trim().len() > MOST_CODE.1)
    }
}
