//! Tables of a page: which of them are data, which columns their cells cover, and which rows name the columns.
//!
//! A table of data becomes rows with pipes. If its columns have names and its cells have more than fits on a line,
//! its rows become list items. Any other table is only page layout.

use super::page::ParsedPage;
use super::tag::HtmlTag;
use crate::markdown::table_layout::{
    CellExtent, ColumnRepeats, MAX_CELL_BYTES, MAX_INNER_TABLE_BYTES, PlacedCell, RepeatBudget, RowFiller,
    TableLayout,
};

/// How many rows may name the columns together.
const MAX_HEADER_ROWS: usize = 4;

/// Code with more lines or bytes is not a datum.
const MAX_CELL_CODE_LINES: usize = 4;
const MAX_CELL_CODE_BYTES: usize = 160;

/// A cell with more paragraphs is not a datum.
const MAX_CELL_PARAGRAPHS: usize = 3;

/// How many columns or rows a cell may cover (HTML standard, section 4.9.11).
const MAX_SPAN: usize = 65_534;

/// The cell of each column.
pub(super) type TableRow = Vec<Option<usize>>;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableForm {
    /// Rows with pipes.
    Rows,
    /// Items, in which each cell follows the name of its column.
    Items,
}

/// A table of data.
#[derive(Debug)]
pub(super) struct DataTable {
    pub form: TableForm,
    pub columns: usize,
    /// Cells over all columns, above the others.
    pub titles: Vec<usize>,
    /// The rows that name the columns.
    pub head: Vec<TableRow>,
    pub body: Vec<TableRow>,
}

/// The cells of a table by rows, without those of notes and of inner tables.
pub(super) struct TableCells<'a> {
    page: ParsedPage<'a>,
    table: usize,
    rows: Vec<Vec<usize>>,
}

impl<'a> TableCells<'a> {
    pub fn of(page: ParsedPage<'a>, table: usize) -> TableCells<'a> {
        let is = |node: usize, tags: &[HtmlTag]| {
            page.tag(node).is_some_and(|tag| tags.contains(&tag)) && !page.is_dropped(node)
        };
        let cells_of = |row: usize| {
            page.tree().children(row).filter(move |&node| is(node, &[HtmlTag::Td, HtmlTag::Th])).collect()
        };
        let rows = rows_of(page, table).filter(|&row| is(row, &[HtmlTag::Tr]) && !page.is_note(row));
        TableCells { page, table, rows: rows.map(cells_of).collect() }
    }

    /// The cells of each row.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.rows
    }

    /// The table as data; `None` if it is only page layout.
    pub fn data(&self, may_be_items: bool, budget: &mut RepeatBudget) -> Option<DataTable> {
        let page = self.page;
        let extents = self.rows.iter().map(|row| row.iter().map(|&cell| extent_of(page, cell)));
        let layout = TableLayout::of(extents);
        let is_too_wide = layout.beyond().iter().any(|&(row, cell)| has_content(page, self.rows[row][cell]));
        let is_layout = matches!(page.attribute(self.table, "role"), Some("presentation" | "none"));
        if layout.columns() < 2 || is_too_wide || is_layout {
            return None;
        }
        let is_named = self.has_names();
        let is_data = self.rows.iter().flatten().all(|&cell| is_datum(page, cell, is_named));
        let is_table = is_data || is_named && may_be_items;
        if !is_table {
            return None;
        }
        let mut rows = self.filled(&layout, budget);
        let title_count = rows.iter().take_while(|row| title_of(page, row).is_some()).count();
        let body = rows.split_off(title_count);
        let titles = rows.iter().filter_map(|row| title_of(page, row)).collect();
        let mut head = body;
        let body = head.split_off(count_header_rows(page, &head));
        let form = if is_data { TableForm::Rows } else { TableForm::Items };
        Some(DataTable { form, columns: layout.columns(), titles, head, body })
    }

    /// The cell of each column of each row that has content, merged cells repeated.
    fn filled(&self, layout: &TableLayout, budget: &mut RepeatBudget) -> Vec<TableRow> {
        let mut filler = RowFiller::new(layout.columns(), ColumnRepeats::AllRows);
        let mut filled = Vec::with_capacity(self.rows.len());
        for (at, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(layout.cells_of(at)).map(|(&cell, columns)| PlacedCell {
                cell,
                columns,
                rows: extent_of(self.page, cell).rows,
                bytes: self.page.words_below(cell).trim().len(),
            });
            let row = filler.fill(cells, at == 0, budget);
            let row: TableRow = row.into_iter().map(|cell| cell.map(|cell| cell.cell)).collect();
            if row.iter().flatten().any(|&cell| has_content(self.page, cell)) {
                filled.push(row);
            }
        }
        filled
    }

    /// True if a table names its columns: it is not page layout.
    fn has_names(&self) -> bool {
        let has = |tag: HtmlTag| {
            self.page.tree().children(self.table).any(|child| self.page.tag(child) == Some(tag))
        };
        let first = self.rows.first().and_then(|row| row.first());
        has(HtmlTag::Thead)
            || has(HtmlTag::Caption)
            || first.is_some_and(|&cell| is_header_cell(self.page, cell))
    }
}

/// The rows of a table that are notes of the book.
pub(super) fn note_rows(page: ParsedPage<'_>, table: usize) -> impl Iterator<Item = usize> {
    rows_of(page, table).filter(move |&row| page.is_note(row))
}

/// The children of the row groups of a table.
fn rows_of(page: ParsedPage<'_>, table: usize) -> impl Iterator<Item = usize> {
    let tree = page.tree();
    tree.children(table).flat_map(|group| tree.children(group))
}

/// The only cell of a row.
pub(super) fn only_cell(page: ParsedPage<'_>, row: &[Option<usize>]) -> Option<usize> {
    let cell = row.first().copied().flatten()?;
    let covers_all = row[1..].iter().all(Option::is_none) && extent_of(page, cell).columns >= row.len();
    covers_all.then_some(cell)
}

/// True for a row that names its columns.
pub(super) fn is_header_row(page: ParsedPage<'_>, row: &[Option<usize>]) -> bool {
    let mut cells = row.iter().flatten().filter(|&&cell| has_content(page, cell));
    cells.all(|&cell| is_header_cell(page, cell) || is_in_head(page, cell))
}

pub(super) fn is_header_cell(page: ParsedPage<'_>, cell: usize) -> bool {
    page.tag(cell) == Some(HtmlTag::Th)
}

/// True for a cell with words or a picture.
pub(super) fn has_content(page: ParsedPage<'_>, node: usize) -> bool {
    let mut below = page.tree().below(node);
    below.any(|below| page.has_words(below) || page.tag(below) == Some(HtmlTag::Img))
}

/// The only cell of a row, if it is a title of what is below it.
fn title_of(page: ParsedPage<'_>, row: &[Option<usize>]) -> Option<usize> {
    only_cell(page, row).filter(|&cell| is_header_cell(page, cell) || is_in_head(page, cell))
}

/// How many rows name the columns.
fn count_header_rows(page: ParsedPage<'_>, rows: &[TableRow]) -> usize {
    let in_head = |row: &&TableRow| row.iter().flatten().all(|&cell| is_in_head(page, cell));
    let named = rows.len().min(2);
    match rows.iter().take(MAX_HEADER_ROWS).take_while(in_head).count() {
        0 if rows.iter().take(named).all(|row| has_row_header(page, row)) => 0,
        // The tables of books often have no row that names the columns.
        0 if page.is_chapter() && !rows.first().is_some_and(|row| names_columns(page, row)) => 0,
        0 => named.min(1),
        heads => heads,
    }
}

/// True for a row with a header cell, or one of words in bold type only.
fn names_columns(page: ParsedPage<'_>, row: &[Option<usize>]) -> bool {
    let is_strong = |cell: usize| {
        let is_bold = |text: usize| {
            let mut above = page.tree().ancestors(text).take_while(|&above| above > cell);
            above.any(|above| matches!(page.tag(above), Some(HtmlTag::B | HtmlTag::Strong)))
        };
        page.tree().below(cell).filter(|&below| page.has_words(below)).all(is_bold)
    };
    let mut cells = row.iter().flatten().filter(|&&cell| has_content(page, cell)).peekable();
    row.iter().flatten().any(|&cell| is_header_cell(page, cell))
        || cells.peek().is_some() && cells.all(|&cell| is_strong(cell))
}

/// True for a row in which only the first cells are headers: they name the row, not the columns.
fn has_row_header(page: ParsedPage<'_>, row: &[Option<usize>]) -> bool {
    let is_name = |cell: &Option<usize>| cell.is_some_and(|node| is_header_cell(page, node));
    let names = row.iter().take_while(|cell| is_name(cell)).count();
    let is_datum = |cell: &Option<usize>| cell.is_some_and(|node| has_content(page, node));
    names > 0
        && names < row.len()
        && row[names..].iter().any(is_datum)
        && !row[names..].iter().any(is_name)
        && !row[0].is_some_and(|cell| is_in_head(page, cell))
}

fn is_in_head(page: ParsedPage<'_>, cell: usize) -> bool {
    page.tree().ancestors(cell).nth(1).is_some_and(|group| page.tag(group) == Some(HtmlTag::Thead))
}

fn extent_of(page: ParsedPage<'_>, cell: usize) -> CellExtent {
    let count = |name: &str| {
        let value = page.attribute(cell, name).and_then(|value| value.trim().parse::<usize>().ok());
        value.unwrap_or(1).clamp(1, MAX_SPAN)
    };
    CellExtent { columns: count("colspan"), rows: count("rowspan") }
}

/// True for a cell that is short enough for one line.
fn is_datum(page: ParsedPage<'_>, cell: usize, is_named: bool) -> bool {
    let (mut length, mut paragraphs) = (0, 0);
    for below in page.tree().below(cell) {
        match page.tag(below) {
            None => length += page.words(below).map_or(0, |words| words.trim().len()),
            Some(HtmlTag::P | HtmlTag::H1 | HtmlTag::H2 | HtmlTag::H3 | HtmlTag::Blockquote) => {
                paragraphs += 1;
            }
            Some(HtmlTag::Pre) if is_long_code(page, below, is_named) => return false,
            Some(HtmlTag::Table) if page.words_below(below).len() > MAX_INNER_TABLE_BYTES => return false,
            _ => {}
        }
    }
    length <= MAX_CELL_BYTES && paragraphs <= MAX_CELL_PARAGRAPHS
}

/// Code of more than a line is not a datum in a table without column names: such tables put line numbers beside code.
fn is_long_code(page: ParsedPage<'_>, node: usize, is_named: bool) -> bool {
    let text = page.words_below(node);
    let lines = text.trim().lines().count();
    lines > 1 && (!is_named || lines > MAX_CELL_CODE_LINES || text.trim().len() > MAX_CELL_CODE_BYTES)
}
