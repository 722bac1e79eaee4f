//! Tables that are written row by row: those of sheets, which are too large to be held.
//!
//! The same form as [`super::Table`]; cells are plain words of one line. Owns no choice of columns: each row comes with
//! as many cells as the table has columns, empty ones included.

use super::escape::{Around, is_markup, is_special, reference_for};
use super::{Before, MarkdownDraft};
use pensieve_text::model::Locator;

/// A table that is being written.
#[derive(Debug)]
pub struct StreamedTable {
    columns: usize,
    has_header: bool,
}

impl MarkdownDraft {
    /// Begins a table of so many columns; its first row is its header. Nothing else is pushed until its last row is.
    pub fn open_table(&mut self, columns: usize) -> StreamedTable {
        self.begin(Before::Other);
        StreamedTable { columns: columns.max(1), has_header: false }
    }

    /// Writes the next row, which stands at `place`.
    pub fn push_row<'t>(
        &mut self,
        table: &mut StreamedTable,
        cells: impl IntoIterator<Item = &'t str>,
        place: Option<Locator>,
    ) {
        let start = self.text.len();
        for cell in cells {
            self.text.push_str(if self.text.len() == start { "| " } else { " | " });
            push_cell(&mut self.text, cell);
        }
        self.text.push_str(if self.text.len() == start { "|  |\n" } else { " |\n" });
        if !std::mem::replace(&mut table.has_header, true) {
            self.text.push('|');
            (0..table.columns).for_each(|_| self.text.push_str(" - |"));
            self.text.push('\n');
        }
        self.map.insert(self.text.len() - start);
        let outer = place.is_some().then(|| std::mem::replace(&mut self.place, place));
        self.placed();
        if let Some(outer) = outer {
            self.place = outer;
        }
    }
}

/// The words of a cell: white space collapses, what would be markup is escaped.
fn push_cell(text: &mut String, cell: &str) {
    let around = Around { in_cell: true, ..Around::default() };
    let start = text.len();
    let mut done = 0;
    for (at, byte) in cell.bytes().enumerate() {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0xb | 0xc);
        if is_space {
            text.push_str(&cell[done..at]);
            done = at + 1;
            if text.len() > start && !text.ends_with(' ') {
                text.push(' ');
            }
        } else if is_special(byte) && is_markup(cell, at, around) {
            text.push_str(&cell[done..at]);
            done = at;
            let reference = reference_for(byte);
            text.push_str(reference.unwrap_or("\\"));
            done += usize::from(reference.is_some());
        }
    }
    text.push_str(&cell[done..]);
    if text.len() > start && text.ends_with(' ') {
        text.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Block, Words};
    use super::*;

    #[test]
    fn rows_form_a_table_between_blocks() {
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(Words::plain("before")));
        let mut table = draft.open_table(2);
        draft.push_row(&mut table, ["a|b", " c\n d "], Some(Locator::page(1)));
        let mut text = draft.take().text;
        draft.push_row(&mut table, ["", "<i> &amp; *x*"], Some(Locator::page(2)));
        draft.push(&Block::Paragraph(Words::plain("behind")));
        let rest = draft.finish();
        text.push_str(&rest.text);
        assert_eq!(text, "before\n\n| a\\|b | c d |\n| - | - |\n|  | &lt;i> &amp;amp; \\*x\\* |\n\nbehind\n");
        assert_eq!(rest.places.0.len(), 1);
    }
}
