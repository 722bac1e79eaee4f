//! Paragraphs that come in one stream, with marks that end cells and rows, made into blocks with tables: the way in
//! which RTF and the older Word formats hold their text. Also what their fields tell.

use crate::markdown::{Block, Table, TableCell, TableRow};

/// Tables inside each other; what lies deeper belongs to the innermost of these.
const DEEPEST: usize = 6;

/// Tables whose rows have more different edges than this are not aligned.
const MOST_EDGES: usize = 64;

/// Edges nearer to each other than this, in twentieths of a point, are one.
const SAME_EDGE: i32 = 60;

/// The shape of a cell, as the mark of its row tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CellShape {
    /// Where its right edge stands, in twentieths of a point.
    pub right: i32,
    /// True where it only goes on with the cell at its left.
    pub joins_left: bool,
}

/// Cells of a row; the next ones begin another.
const MOST_CELLS: usize = 256;

/// Cells after which a table is handed over, and goes on as another one: tables must not fill the memory.
const LARGEST_TABLE: usize = 20_000;

/// Collects blocks.
#[derive(Debug, Default)]
pub struct Flow {
    ready: Vec<Block>,
    tables: Vec<OpenTable>,
    asides: Vec<Block>,
    /// How many of the asides belong to the table that is open.
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

impl Flow {
    /// Adds a block that stands inside so many tables.
    pub fn push(&mut self, block: Block, depth: usize) {
        self.go_to(depth);
        self.put(block);
        if self.tables.is_empty() {
            self.ready.append(&mut self.asides);
        }
        self.inside = self.asides.len();
    }

    /// Adds a block behind the paragraph or table that comes next: a note, a text box.
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
            if table.cells.len() >= MOST_CELLS {
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
        if depth <= 1 && self.cells > LARGEST_TABLE {
            self.go_to(0);
        }
    }

    /// The blocks that are complete, in order; they are not given again.
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
        let depth = depth.min(DEEPEST);
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
    /// A cell over several columns is followed by empty ones: its columns stay under each other, and its words stand
    /// there once.
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
    let is_known = edges.len() > 1 && edges.len() <= MOST_EDGES && rows.iter().all(is_ordered);
    is_known.then_some(edges)
}

/// Where a field leads, by its code: `HYPERLINK "http://..." \o "tip"`. Places inside the document are no links.
pub fn link_of(code: &str) -> Option<String> {
    let rest = code
        .trim_start()
        .strip_prefix("HYPERLINK")
        .or_else(|| code.trim_start().strip_prefix("hyperlink"))?;
    let rest = rest.trim_start();
    let target = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default(),
        None => rest.split_whitespace().next().unwrap_or_default(),
    };
    let is_outside = !target.is_empty() && !target.starts_with(['\\', '#']);
    is_outside.then(|| target.trim().to_owned())
}

/// What a field shows that has no result: the base of a formula that puts readings above it, the words of a button.
pub fn shown_without_result(code: &str) -> Option<&str> {
    let code = code.trim();
    let name = code.split_whitespace().next()?;
    let rest = code[name.len()..].trim_start();
    if name.eq_ignore_ascii_case("MACROBUTTON") {
        let macro_name = rest.split_whitespace().next()?;
        return Some(rest[macro_name.len()..].trim());
    }
    if !name.eq_ignore_ascii_case("EQ") || !rest.contains("\\o") {
        return None;
    }
    let (_, base) = rest.rsplit_once([',', ';'])?;
    Some(base.trim_end().trim_end_matches(')').trim())
}

/// True for fields whose result says nothing about the document: the number of the page it happens to stand on.
pub fn is_page_number(code: &str) -> bool {
    let name = code.split_whitespace().next().unwrap_or_default();
    ["PAGE", "NUMPAGES", "SECTIONPAGES"].iter().any(|other| name.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{MarkdownDraft, Words};

    fn words(text: &str) -> Block {
        Block::Paragraph(Words::plain(text))
    }

    fn check(flow: Flow, expected: &str) {
        let mut draft = MarkdownDraft::new();
        flow.finish().iter().for_each(|block| draft.push(block));
        assert_eq!(draft.finish().text, expected);
    }

    fn shape(rights: &[i32]) -> Vec<CellShape> {
        rights.iter().map(|&right| CellShape { right, joins_left: false }).collect()
    }

    #[test]
    fn cells_and_rows_become_tables() {
        let mut flow = Flow::default();
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
    fn tables_stand_in_cells_and_notes_behind_paragraphs() {
        let mut flow = Flow::default();
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

    #[test]
    fn links_are_found_in_field_codes() {
        assert_eq!(link_of(" HYPERLINK \"http://a/b\" \\o \"tip\"").as_deref(), Some("http://a/b"));
        assert_eq!(link_of("HYPERLINK http://a"), Some("http://a".to_owned()));
        assert_eq!(link_of("HYPERLINK \\l \"here\""), None);
        assert_eq!(link_of("PAGEREF x"), None);
        assert_eq!(shown_without_result("EQ \\* jc2 \\o\\ad(\\s\\up 9(x),y)"), Some("y"));
        assert_eq!(shown_without_result(" MACROBUTTON none Click here"), Some("Click here"));
        assert_eq!(shown_without_result("EQ \\f(1,2)"), None);
        assert!(is_page_number(" PAGE  \\* MERGEFORMAT"));
    }
}
