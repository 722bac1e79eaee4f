//! Writes tables: as rows with pipes, as items, or as the speeches of a play.

use super::page::ParsedPage;
use super::table::{DataTable, TableForm, TableRow, has_content, is_header_cell, is_header_row, only_cell};
use super::verse::is_speaker;
use crate::markdown::table_layout::RepeatBudget;
use crate::markdown::{BlockBreak, InlineMark, StreamWriter};
use crate::web::html::parse::tag::HtmlTag;

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
        // Markdown has no table without a head.
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
    // Only real names may stand before every cell.
    let is_header = table.head.iter().all(|row| is_header_row(page, row));
    let (head, above) =
        if is_header { (table.head.as_slice(), &[][..]) } else { (&[][..], table.head.as_slice()) };
    out.table_state().items_around += 1;
    for row in above.iter().chain(&table.body) {
        out.writer().end_block(BlockBreak::Paragraph);
        out.writer().open_item();
        // A row of one cell is a title among the rows.
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

#[cfg(test)]
mod tests {
    use crate::web::html::tests::{check, check_plain};

    const LONG: &str = "<p>1<p>2<p>3<p>4";
    const PARAGRAPHS: &str = "1\n\n  2\n\n  3\n\n  4";

    fn check_items(rows: &str, expected: &str) {
        check(&format!("<table>{rows}</table>"), &expected.replace('~', PARAGRAPHS));
    }

    #[test]
    fn items_name_each_cell_after_its_column() {
        check_items(&format!("<tr><th>A<th>B C<tr><td>x<td>{LONG}"), "- **A:** x\n\n  **B C:** ~");
        check_items(&format!("<tr><th>A<th>B<tr><td> <td>{LONG}"), "- **B:** ~");
        check_items(&format!("<tr><th>A<th>B<tr><td colspan=2>{LONG}"), "- ~");
        check_items(&format!("<tr><th>A<th>B<th>C<tr><td colspan=2>x<td>{LONG}"), "- **A:** x\n\n  **C:** ~");
        check_items(&format!("<tr><th>A<th>B<tr><th>x<td>{LONG}"), "- **A:** x\n\n  **B:** ~");
        check_items(
            &format!("<thead><tr><th rowspan=2>A<th>B<tr><th>C<tbody><tr><td>x<td>{LONG}"),
            "- **A:** x\n\n  **B C:** ~",
        );
        check_items(&format!("<tr><th> A <br> B<th>C<tr><td>x<td>{LONG}"), "- **A B:** x\n\n  **C:** ~");
    }

    #[test]
    fn rows_without_names_above_them_are_items_too() {
        check_items(
            &format!("<caption>T</caption><tr><td>a<td>b<tr><td>c<td>{LONG}"),
            "T\n\n- a\n\n  b\n\n- c\n\n  ~",
        );
        check_items(&format!("<tr><th>a<td>{LONG}"), "- **a**\n\n  ~");
    }

    #[test]
    fn a_cell_that_begins_with_a_form_of_its_own_stands_below_its_name() {
        let check_cell = |cell: &str, expected: &str| {
            check_items(
                &format!("<tr><th>A<th>B<tr><td>{LONG}<td>{cell}"),
                &format!("- **A:** ~\n\n{expected}"),
            );
        };
        check_cell("x", "  **B:** x");
        check_cell("<div><section><p><i>x</i></p></section></div>", "  **B:** *x*");
        check_cell("<ul><li>x</ul>", "  **B:**\n\n  - x");
        check_cell("<b></b><pre>x</pre>", "  **B:**\n\n  ```\n  x\n  ```");
        check_cell("<blockquote>x</blockquote>", "  **B:**\n\n  > x");
        check_cell("x<ul><li>y</ul>", "  **B:** x\n\n  - y");
        check_cell("<img alt='a boat'>", "  **B:** ![a boat]()");
        check_cell("<h4>x</h4>", "  **B:**\n\n  #### x");
    }

    #[test]
    fn items_of_plain_text_have_plain_names() {
        check_plain(
            &format!("<table><tr><th>A<th>B*<tr><td>x<td>{LONG}<tr><td><ul><li>y</ul><td>z</table>"),
            "- A: x\n\n  B*: 1\n\n  2\n\n  3\n\n  4\n\n- A:\n\n  - y\n\n  B*: z"
                .replace("\n  ", "\n")
                .as_str(),
        );
    }

    #[test]
    fn columns_of_a_hostile_table_are_given_up_before_its_words() {
        let words = "y".repeat(201);
        let columns = "<td>h".repeat(400);
        let rows = "<tr><td>x".repeat(60);
        let page = format!("<table><tr>{columns}{rows}<tr><td colspan=3>{words}<td>z</table>");
        let text = crate::web::html::tests::read(&page, true, false).text.text;
        let lines: Vec<&str> = text.lines().collect();
        let full = format!("| x |{}", "  |".repeat(399));
        assert_eq!((lines[2], lines[40]), (full.as_str(), full.as_str()));
        assert_eq!(lines[61..], ["| x |".to_owned(), format!("| {words} | z |")]);
    }

    #[test]
    fn a_header_cell_may_cover_columns_of_names() {
        check(
            "<table><thead><tr><th colspan=2>A<th>B<tr><th>1<th>2<th>3<tbody><tr><td>x<td>y<td>z</table>",
            "| A 1 | A 2 | B 3 |\n| - | - | - |\n| x | y | z |",
        );
    }

    #[test]
    fn tables_inside_each_other_are_items_up_to_a_limit() {
        let nested = |count: usize| {
            let page = (0..count).fold("end".to_owned(), |inner, _| {
                format!("<table><tr><th>A<th>B<tr><td>{LONG}<td>{inner}</table>")
            });
            crate::web::html::tests::read(&page, true, false).text.text.matches("**A:**").count()
        };
        assert_eq!([1, 2, 3, 4, 5].map(nested), [1, 2, 3, 3, 3]);
        let table = format!("<table><tr><th>A<th>B<tr><td>{LONG}<td>x</table>");
        let beside = crate::web::html::tests::read(&table.repeat(5), true, false).text.text;
        assert_eq!(beside.matches("**A:**").count(), 5);
    }
}
