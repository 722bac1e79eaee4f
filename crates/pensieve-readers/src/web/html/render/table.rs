//! Tables of a page: which of them are data, which columns their cells cover, and which rows name the columns.
//!
//! A table of data becomes rows with pipes. If its columns have names and its cells have more than fits on a line,
//! its rows become list items. Any other table is only page layout.

use super::page::ParsedPage;
use crate::markdown::table_layout::{
    CellExtent, ColumnRepeats, MAX_CELL_BYTES, MAX_INNER_TABLE_BYTES, PlacedCell, RepeatBudget, RowFiller,
    TableLayout,
};
use crate::web::html::parse::tag::HtmlTag;

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
pub(crate) type TableRow = Vec<Option<usize>>;

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
        // The page says so itself.
        let is_layout = matches!(page.attribute(self.table, "role"), Some("presentation" | "none"));
        // One column is a list, or a frame.
        if layout.columns() < 2 || is_too_wide || is_layout {
            return None;
        }
        let is_named = self.has_names();
        let is_data = self.rows.iter().flatten().all(|&cell| is_datum(page, cell, is_named));
        // Names say that it is data, however long its cells are.
        let is_table = is_data || is_named && may_be_items;
        if !is_table {
            return None;
        }
        let mut rows = self.filled(&layout, budget);
        // Titles are no names of columns: one of them would name the first.
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
            // Empty rows are space in a layout.
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

/// The children of the row groups of a table, as they are seen: a foot is below the rows that may follow it in the source.
fn rows_of(page: ParsedPage<'_>, table: usize) -> impl Iterator<Item = usize> {
    let tree = page.tree();
    let is_foot = move |group: &usize| page.tag(*group) == Some(HtmlTag::Tfoot);
    let groups = tree.children(table).filter(move |group| !is_foot(group));
    groups.chain(tree.children(table).filter(is_foot)).flat_map(|group| tree.children(group))
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
pub(crate) fn has_content(page: ParsedPage<'_>, node: usize) -> bool {
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
        // Two rows, because of a head only the first cell may be marked.
        0 if rows.iter().take(named).all(|row| has_row_header(page, row)) => 0,
        // The tables of books often have no row that names the columns.
        0 if page.is_chapter() && !rows.first().is_some_and(|row| names_columns(page, row)) => 0,
        // Pages that name no columns in `th` mostly name them in the first row.
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
            // A longer one is the text of the page, laid out.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;
    use crate::web::html::visibility::content_selection::ContentSelection;

    /// How a table is written, its number of columns, its titles, and its rows, with a sign below those that name the
    /// columns.
    fn described(page: &str, is_chapter: bool, may_be_items: bool) -> String {
        let tree = parse(page, false);
        let selection = if is_chapter {
            ContentSelection::chapter(&tree, page, &[])
        } else {
            ContentSelection::whole(&tree, page)
        };
        let page = ParsedPage::new(&tree, page, &selection);
        let page = if is_chapter { page.with_book(None) } else { page };
        let cells = TableCells::of(page, tree.find(0, HtmlTag::Table).unwrap());
        let Some(table) = cells.data(may_be_items, &mut RepeatBudget::new(1 << 20)) else {
            return "layout".to_owned();
        };
        let words = |cell: usize| page.words_below(cell).trim().to_owned();
        let row = |row: &TableRow| {
            row.iter().map(|cell| cell.map_or("-".to_owned(), words)).collect::<Vec<_>>().join("|")
        };
        let rows = |rows: &[TableRow]| rows.iter().map(row).collect::<Vec<_>>().join("/");
        let titles: Vec<String> = table.titles.iter().map(|&title| words(title)).collect();
        let DataTable { form, columns, head, body, .. } = &table;
        format!("{form:?} {columns} [{}] {} > {}", titles.join("/"), rows(head), rows(body))
    }

    #[track_caller]
    fn check(table: &str, expected: &str) {
        assert_eq!(described(&format!("<table {table}</table>"), false, true), expected, "of {table}");
    }

    #[test]
    fn a_table_of_data_has_columns_and_no_part_of_a_page() {
        check("><tr><td>a<td>b<tr><td>c<td>d", "Rows 2 [] a|b > c|d");
        check("><tr><td>a<tr><td>b", "layout");
        check("role=presentation><tr><td>a<td>b", "layout");
        check("role=none><tr><td>a<td>b", "layout");
        check("role=grid><tr><td>a<td>b", "Rows 2 [] a|b > ");
        check("><tr><td colspan=399>a<td>b<td>c", "layout");
        check("><tr><td colspan=399>a<td>b<td> ", "Rows 2 [] a|b > ");
        check("><tr><td>a<td>b<tr><td> <td><tr><td><td><img>", "Rows 2 [] a|b > |");
        check("><tr><td>a<td>b<tr hidden><td>c<td>d<tr><td>e<td hidden>f<td>g", "Rows 2 [] a|b > e|g");
        check("><tr><td>a<td>b<script></script><tr><td>c<template></template><td>d", "Rows 2 [] a|b > c|d");
    }

    #[test]
    fn cells_cover_as_many_columns_as_they_say() {
        check("><tr><td colspan=' 2 '>a<td>b<tr><td>c<td>d<td>e", "Rows 3 [] a|a|b > c|d|e");
        check("><tr><td colspan=0>a<td colspan=x>b<tr><td colspan=-1>c<td>d", "Rows 2 [] a|b > c|d");
        check("><tr><td rowspan=2>a<td>b<tr><td>c", "Rows 2 [] a|b > a|c");
    }

    #[test]
    fn what_is_more_than_a_datum_makes_items_or_a_layout() {
        let check = |cell: &str, is_datum: bool| {
            let table = |first: &str| format!("<table>{first}<td>{cell}</table>");
            let [named, unnamed] = [table("<tr><th>a"), table("<tr><td>a")].map(|page| {
                let described = described(&page, false, true);
                described.split(' ').next().unwrap().to_owned()
            });
            let expected = if is_datum { ["Rows", "Rows"] } else { ["Items", "layout"] };
            assert_eq!([named, unnamed], expected, "of {cell}");
            if !is_datum {
                assert_eq!(described(&table("<tr><th>a"), false, false), "layout", "of {cell}");
            }
        };
        let long = |bytes: usize| "x".repeat(bytes);
        check(&format!(" {} ", long(MAX_CELL_BYTES)), true);
        check(&long(MAX_CELL_BYTES + 1), false);
        check(&format!("{}<b>{}</b>", long(MAX_CELL_BYTES - 1), long(2)), false);
        check("<p>1<p>2<p>3", true);
        check("<p>1<p>2<p>3<p>4", false);
        check("<h1>1</h1><h2>2</h2><h3>3</h3><blockquote>4</blockquote>", false);
        check("<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4>", true);
        check(&format!("<table><tr><td>{}</table>", long(MAX_INNER_TABLE_BYTES)), true);
        check(&format!("<table><tr><td>{}</table>", long(MAX_INNER_TABLE_BYTES + 1)), false);
        check(&format!("<pre>{}</pre>", long(MAX_CELL_CODE_BYTES + 1)), true);
        check("<pre>1\n</pre>", true);
        check("<pre>1\n2\n3\n4\n5</pre>", false);
    }

    #[test]
    fn code_of_a_few_lines_is_a_datum_where_columns_have_names() {
        let check = |code: &str, expected: [&str; 2]| {
            let page = |first: &str| format!("<table><tr><{first}>a<td><pre>{code}</pre></table>");
            let found = [page("th"), page("td")].map(|page| described(&page, false, true));
            let kinds = found.each_ref().map(|found| found.split(' ').next().unwrap());
            assert_eq!(kinds, expected, "of {code}");
        };
        let long = |bytes: usize| "x".repeat(bytes);
        check("1", ["Rows", "Rows"]);
        check("1\n2", ["Rows", "layout"]);
        check("1\n2\n3\n4", ["Rows", "layout"]);
        check("1\n2\n3\n4\n5", ["Items", "layout"]);
        check(&format!("1\n{}", long(MAX_CELL_CODE_BYTES - 2)), ["Rows", "layout"]);
        check(&format!("1\n{}", long(MAX_CELL_CODE_BYTES - 1)), ["Items", "layout"]);
    }

    #[test]
    fn a_head_a_caption_or_a_header_gives_names() {
        let cell = "<p>1<p>2<p>3<p>4";
        for (table, expected) in [
            (format!("><thead><tr><td>a<td>b<tbody><tr><td>c<td>{cell}"), "Items 2 [] a|b > c|1234"),
            (format!("><caption>t</caption><tr><td>a<td>b<tr><td>c<td>{cell}"), "Items 2 [] a|b > c|1234"),
            (format!("><tr><th>a<td>b<tr><td>c<td>{cell}"), "Items 2 [] a|b > c|1234"),
            (format!("><tr><td>a<th>b<tr><td>c<td>{cell}"), "layout"),
            (format!("><tbody><tr><td>a<td>b<tr><td>c<td>{cell}"), "layout"),
        ] {
            check(&table, expected);
        }
    }

    #[test]
    fn titles_are_headers_over_all_columns() {
        check("><tr><th colspan=2>t<tr><td>a<td>b<tr><td>c<td>d", "Rows 2 [t] a|b > c|d");
        check("><tr><td colspan=2>t<tr><td>a<td>b", "Rows 2 [] t|- > a|b");
        check("><thead><tr><td colspan=2>t<tr><td>a<td>b<tbody><tr><td>c<td>d", "Rows 2 [t] a|b > c|d");
        check("><tr><th colspan=2>t<tr><th colspan=2>u<tr><td>a<td>b", "Rows 2 [t/u] a|b > ");
        check("><tr><th>t<tr><td>a<td>b", "Rows 2 [] t|- > a|b");
        check("><tr><td>a<td>b<tr><th colspan=2>t<tr><td>c<td>d", "Rows 2 [] a|b > t|-/c|d");
    }

    #[test]
    fn rows_name_their_columns_or_are_named_themselves() {
        check("><tr><th>a<td>1<tr><th>b<td>2", "Rows 2 []  > a|1/b|2");
        check("><tr><th>a<td>1", "Rows 2 []  > a|1");
        check("><tr><th>a<td>1<tr><td>b<td>2", "Rows 2 [] a|1 > b|2");
        check("><tr><td>a<td>1<tr><th>b<td>2", "Rows 2 [] a|1 > b|2");
        check("><tr><th>a<th>b<td>1<tr><th>c<th>d<td>2", "Rows 3 []  > a|b|1/c|d|2");
        check("><tr><th>a<th>b<tr><th>c<th>d", "Rows 2 [] a|b > c|d");
        check("><tr><th>a<td><tr><th>b<td>", "Rows 2 [] a| > b|");
        check("><tr><th>a<td>1<th>b<tr><th>c<td>2<th>d", "Rows 3 [] a|1|b > c|2|d");
        let head = "<tr><td>a<td>b".repeat(5);
        check(&format!("><thead>{head}"), "Rows 2 [] a|b/a|b/a|b/a|b > a|b");
        check("><thead><tr><th>a<td>b<tbody><tr><th>c<td>d", "Rows 2 [] a|b > c|d");
        check("><thead><tr><td>a<td>b<tr><td>c<td>d<tbody><tr><td>e<td>f", "Rows 2 [] a|b/c|d > e|f");
    }

    #[test]
    fn in_a_book_only_headers_and_bold_words_name_columns() {
        let check = |rows: &str, expected: &str| {
            assert_eq!(described(&format!("<table>{rows}</table>"), true, true), expected, "of {rows}");
        };
        check("<tr><td>a<td>b<tr><td>c<td>d", "Rows 2 []  > a|b/c|d");
        check("<tr><td>a<th>b<tr><td>c<td>d", "Rows 2 [] a|b > c|d");
        check("<tr><td><b>a</b><td><i><strong>b</strong></i><tr><td>c<td>d", "Rows 2 [] a|b > c|d");
        check("<tr><td><b>a</b><td><tr><td>c<td>d", "Rows 2 [] a| > c|d");
        check("<tr><td><b>a</b><td>b<tr><td>c<td>d", "Rows 2 []  > a|b/c|d");
        check("<tr><td><b>a</b> and<td><b>b</b><tr><td>c<td>d", "Rows 2 []  > a and|b/c|d");
        check("<thead><tr><td>a<td>b<tbody><tr><td>c<td>d", "Rows 2 [] a|b > c|d");
    }
}
