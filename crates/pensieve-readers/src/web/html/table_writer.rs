//! Writes tables: as rows with pipes, as items, or as the speeches of a play.

use super::page::ParsedPage;
use super::table::{DataTable, TableForm, TableRow, has_content, is_header_cell, is_header_row, only_cell};
use super::tag::HtmlTag;
use super::verse::is_speaker;
use crate::markdown::table_layout::RepeatBudget;
use crate::markdown::{BlockBreak, InlineMark, StreamWriter};

/// Writes the elements inside a table.
pub(super) trait ElementWriter<'a> {
    fn page(&self) -> ParsedPage<'a>;
    fn writer(&mut self) -> &mut StreamWriter<'a>;
    fn table_state(&mut self) -> &mut TableState;
    /// Writes an element.
    fn write_element(&mut self, node: usize);
    /// Writes what is inside an element.
    fn write_inside(&mut self, node: usize);
}

/// State that the tables of a page share.
#[derive(Debug)]
pub(super) struct TableState {
    /// Inside rows or speeches, where an inner table becomes plain words.
    pub is_inside: bool,
    /// How many of the tables around are written as items.
    pub items_around: usize,
    pub budget: RepeatBudget,
}

/// Writes a table of data.
pub(super) fn write_table<'a>(out: &mut impl ElementWriter<'a>, node: usize, table: &DataTable) {
    let page = out.page();
    out.writer().end_block(BlockBreak::Paragraph);
    for caption in page.tree().children(node).filter(|&child| page.tag(child) == Some(HtmlTag::Caption)) {
        out.write_element(caption);
    }
    for &title in &table.titles {
        out.write_inside(title);
        out.writer().end_block(BlockBreak::Paragraph);
    }
    match table.form {
        TableForm::Rows => write_rows(out, table),
        TableForm::Items => write_items(out, table),
    }
    out.writer().end_block(BlockBreak::Paragraph);
}

/// Writes the rows of a play as speeches: the speaker, and the words.
pub(super) fn write_play<'a>(out: &mut impl ElementWriter<'a>, rows: &[Vec<usize>]) {
    let page = out.page();
    out.table_state().is_inside = true;
    for row in rows {
        out.writer().end_block(BlockBreak::Paragraph);
        for &cell in row {
            if is_speaker(page, cell) {
                write_strong(out, cell);
                out.writer().put_space();
            } else {
                out.write_inside(cell);
            }
        }
        out.writer().end_block(BlockBreak::Paragraph);
    }
    out.table_state().is_inside = false;
}

fn write_strong<'a>(out: &mut impl ElementWriter<'a>, cell: usize) {
    out.writer().open_mark(Some(InlineMark::Strong('*')));
    out.write_inside(cell);
    out.writer().close_mark();
}

/// Rows with pipes, below those that name the columns.
fn write_rows<'a>(out: &mut impl ElementWriter<'a>, table: &DataTable) {
    out.table_state().is_inside = true;
    match table.head.as_slice() {
        [] => out.writer().put_unnamed_columns(table.columns),
        head => write_row(out, head),
    }
    out.writer().put_delimiter_row(table.columns);
    for row in &table.body {
        write_row(out, std::slice::from_ref(row));
    }
    out.table_state().is_inside = false;
}

/// A line of cells; rows that name the columns together become one line.
fn write_row<'a>(out: &mut impl ElementWriter<'a>, rows: &[TableRow]) {
    out.writer().open_row();
    let cells_in = |column: usize| {
        let mut cells: Vec<usize> = rows.iter().filter_map(|row| row[column]).collect();
        cells.dedup();
        cells
    };
    let columns = rows.first().map_or(0, Vec::len);
    let last = (0..columns).rfind(|&column| !cells_in(column).is_empty());
    for column in 0..columns {
        let cells = cells_in(column);
        if cells.is_empty() && !out.table_state().budget.allows(0) {
            // In a hostile table, keeping the words matters more than the columns.
            if Some(column) > last { break } else { continue }
        }
        out.writer().open_cell();
        for cell in cells {
            out.write_inside(cell);
            out.writer().put_space();
        }
    }
    out.writer().close_row();
}

/// A row as an item: each cell after the name of its column.
fn write_items<'a>(out: &mut impl ElementWriter<'a>, table: &DataTable) {
    let page = out.page();
    let is_header = table.head.iter().all(|row| is_header_row(page, row));
    let (head, above) =
        if is_header { (table.head.as_slice(), &[][..]) } else { (&[][..], table.head.as_slice()) };
    out.table_state().items_around += 1;
    for row in above.iter().chain(&table.body) {
        out.writer().end_block(BlockBreak::Paragraph);
        out.writer().open_item();
        let is_alone = only_cell(page, row).is_some();
        let mut last = None;
        for (column, cell) in row.iter().enumerate() {
            let Some(cell) = *cell else { continue };
            // Cells that are merged over columns are written once.
            if last.replace(cell) == Some(cell) || !has_content(page, cell) {
                continue;
            }
            let name = if is_alone { String::new() } else { column_name(page, head, column) };
            write_named(out, &name, cell);
        }
        out.writer().end_block(BlockBreak::Paragraph);
        out.writer().close_container();
    }
    out.table_state().items_around -= 1;
}

fn column_name(page: ParsedPage<'_>, head: &[TableRow], column: usize) -> String {
    let mut cells: Vec<usize> = head.iter().filter_map(|row| row[column]).collect();
    cells.dedup();
    let names: Vec<String> = cells.into_iter().map(|cell| page.words_below(cell)).collect();
    names.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A cell after the name of its column; a cell that names its row is strong.
fn write_named<'a>(out: &mut impl ElementWriter<'a>, name: &str, cell: usize) {
    let page = out.page();
    let label = match (name, out.writer().with_markup()) {
        ("", _) => String::new(),
        (name, false) => format!("{name}: "),
        (name, true) => format!("**{}:** ", out.writer().escaped(name)),
    };
    out.writer().end_block(BlockBreak::Paragraph);
    if name.is_empty() && is_header_cell(page, cell) {
        write_strong(out, cell);
    } else if begins_with_words(page, cell) {
        out.writer().open_container(&label, "");
        out.write_inside(cell);
        out.writer().end_block(BlockBreak::Paragraph);
        out.writer().close_container();
    } else {
        if !name.is_empty() {
            out.writer().put_line(label.trim_end());
        }
        out.writer().end_block(BlockBreak::Paragraph);
        out.write_inside(cell);
    }
    out.writer().end_block(BlockBreak::Paragraph);
}

/// True for a cell that begins neither with a list nor with code, a table or another block with a form of its own.
fn begins_with_words(page: ParsedPage<'_>, cell: usize) -> bool {
    let Some(first) = page.tree().below(cell).find(|&node| page.has_words(node)) else { return true };
    let mut around = page.tree().ancestors(first).take_while(|&above| above > cell);
    around.all(|above| {
        page.tag(above).is_none_or(|tag| {
            matches!(tag, HtmlTag::P | HtmlTag::Div | HtmlTag::Section)
                || !tag.is_block() && !tag.is_preformatted()
        })
    })
}
