//! Tables that are written row by row: those of sheets, which may be too large for memory.
//!
//! The same form as [`crate::markdown::Table`]; cells are plain words of one line. Each row comes with as many cells as
//! the table has columns, empty ones included.

use super::{BlockBefore, MarkdownDraft};
use crate::markdown::block_mark::{CELL_BREAK, ROW_END, ROW_START, delimiter_row};
use crate::markdown::escape::{Surroundings, WordKind, escapes};
use crate::markdown::mapped_text::MappedText;
use pensieve_text::model::Locator;

/// A table that is being written.
#[derive(Debug)]
pub struct StreamedTable {
    columns: usize,
    has_header: bool,
}

impl MarkdownDraft {
    /// Begins a table of `columns` columns; its first row is its header. Nothing else may be pushed before its last
    /// row.
    pub fn open_table(&mut self, columns: usize) -> StreamedTable {
        self.begin(BlockBefore::Other);
        StreamedTable { columns: columns.max(1), has_header: false }
    }

    /// Writes the next row, whose place is `place`.
    pub fn push_row<'t>(
        &mut self,
        table: &mut StreamedTable,
        cells: impl IntoIterator<Item = &'t str>,
        place: Option<Locator>,
    ) {
        let mut front = ROW_START;
        for cell in cells {
            self.out.put(std::mem::replace(&mut front, CELL_BREAK));
            put_cell(&mut self.out, cell);
        }
        self.out.put(if front == ROW_START { "| " } else { "" });
        self.out.put(ROW_END);
        self.out.put("\n");
        if !std::mem::replace(&mut table.has_header, true) {
            self.out.put(&delimiter_row(table.columns));
            self.out.put("\n");
        }
        self.set_place_to(place);
    }
}

/// The words of a cell: white space collapses, what would be markup is escaped.
fn put_cell(out: &mut MappedText, cell: &str) {
    let surroundings = || Surroundings { in_cell: true, ..Surroundings::default() };
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    let (mut at, mut front) = (0, "");
    for part in cell.split_inclusive(is_space) {
        let word = at..at + part.trim_end_matches(is_space).len();
        at += part.len();
        if !word.is_empty() {
            out.put(std::mem::replace(&mut front, " "));
            let found = escapes(cell, word.clone(), WordKind::Text { block_start: None }, surroundings);
            out.put_escaped(cell, word, &found, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{Block, Words};

    #[test]
    fn rows_form_a_table_between_blocks() {
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(Words::plain("before")));
        let mut table = draft.open_table(2);
        draft.push_row(&mut table, ["a|b", " c\n d "], Some(Locator::page(1)));
        let mut text = draft.take().text;
        draft.push_row(&mut table, ["", "<i> &amp; *x*"], Some(Locator::page(2)));
        draft.push(&Block::Paragraph(Words::plain("after")));
        let rest = draft.finish();
        text.push_str(&rest.text);
        assert_eq!(text, "before\n\n| a\\|b | c d |\n| - | - |\n|  | &lt;i> &amp;amp; \\*x* |\n\nafter\n");
        assert_eq!(rest.places.0.len(), 1);
    }
}
