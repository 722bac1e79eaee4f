//! The cells of one row on their way from a format's reader to the grid, and references to cells.
//!
//! The texts of a row are in one buffer that is reused, since a sheet may have ten million cells.

use crate::limits::sheets::{MAX_CELL_BYTES, MAX_NAME_BYTES, MAX_ROW_BYTES};
use pensieve_text::model::HiddenReason;

/// The cells of a row that are not empty, from left to right.
#[derive(Debug, Default)]
pub(super) struct RowCells {
    number: u32,
    /// The texts of the cells, one after the other.
    pub text: String,
    /// Column and end of each.
    pub cells: Vec<(u32, usize)>,
    open: Option<(u32, usize)>,
    /// What nobody can see in its cells, by column.
    pub unseen: Vec<(u32, HiddenReason, String)>,
    /// True if a cell or the row was longer than its limit.
    pub is_cut: bool,
    /// True if the row is hidden.
    pub is_hidden: bool,
}

impl RowCells {
    /// Begins the row of this number, from 1.
    pub fn begin(&mut self, number: u32) {
        self.number = number;
        self.text.clear();
        self.cells.clear();
        self.open = None;
        self.unseen.clear();
        self.is_hidden = false;
    }

    /// The row's number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Changes the row's number, for repeated rows.
    pub fn set_number(&mut self, number: u32) {
        self.number = number;
    }

    /// True if no cell has words.
    pub fn is_blank(&mut self) -> bool {
        self.close();
        self.cells.is_empty()
    }

    /// Begins a cell in a column, which counts from 1, and returns its text for writing.
    pub fn cell(&mut self, column: u32) -> &mut String {
        self.close();
        self.open = Some((column.max(1), self.text.len()));
        &mut self.text
    }

    /// Takes the words of the cell that was begun last out of the row, if there is a reason why nobody can see them.
    pub fn hide(&mut self, reason: Option<HiddenReason>) {
        let Some(reason) = reason else { return };
        if let Some((column, start)) = self.open.take() {
            self.unseen.push((column, reason, self.text.split_off(start)));
        }
    }

    /// Adds a cell with the text of the last one, in a column to its right.
    pub fn repeat(&mut self, column: u32) {
        self.close();
        if let Some(&(_, end)) = self.cells.last().filter(|_| self.text.len() <= MAX_ROW_BYTES) {
            let start = self.cells.len().checked_sub(2).map_or(0, |before| self.cells[before].1);
            let text = self.text[start..end].to_owned();
            self.text.push_str(&text);
            self.cells.push((column, self.text.len()));
        }
    }

    /// Sorts the cells, which some writers leave in any order; of two in one place the second moves to the next column.
    pub fn sort(&mut self) {
        self.close();
        if self.cells.is_sorted_by(|a, b| a.0 < b.0) {
            return;
        }
        let mut cells: Vec<(u32, String)> =
            self.iter().map(|(column, text)| (column, text.to_owned())).collect();
        cells.sort_by_key(|cell| cell.0);
        self.text.clear();
        self.cells.clear();
        for (column, text) in cells {
            let least = self.cells.last().map_or(1, |(last, _)| last.saturating_add(1));
            self.text.push_str(&text);
            self.cells.push((column.max(least), self.text.len()));
        }
    }

    /// Changes the texts of cells.
    pub fn amend(&mut self, change: impl Fn(u32, &mut String)) {
        self.close();
        let cells: Vec<(u32, String)> = self.iter().map(|(column, text)| (column, text.to_owned())).collect();
        self.text.clear();
        self.cells.clear();
        for (column, mut text) in cells {
            change(column, &mut text);
            self.cell(column).push_str(&text);
        }
        self.close();
    }

    fn close(&mut self) {
        if let Some((column, start)) = self.open.take() {
            if self.text.len() - start > MAX_CELL_BYTES {
                let end = self.text.floor_char_boundary(start + MAX_CELL_BYTES);
                self.text.truncate(end);
                self.is_cut = true;
            }
            if self.text[start..].trim().is_empty() {
                self.text.truncate(start);
            } else if self.text.len() > MAX_ROW_BYTES {
                self.text.truncate(start);
                self.is_cut = true;
            } else {
                self.cells.push((column, self.text.len()));
            }
        }
    }

    /// Column and text of each cell.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        let starts = std::iter::once(0).chain(self.cells.iter().map(|(_, end)| *end));
        self.cells.iter().zip(starts).map(|((column, end), start)| (*column, &self.text[start..*end]))
    }
}

/// Adds the address of a link after the words of a cell, unless they are the address.
pub(super) fn push_link(words: &mut String, address: &str) {
    let is_outside =
        ["http://", "https://", "mailto:", "ftp://"].iter().any(|start| address.starts_with(start));
    let shown = address.trim_start_matches("mailto:").trim_end_matches('/');
    if is_outside && !words.contains(shown) && address.len() <= MAX_NAME_BYTES {
        words.push_str(&format!(" ({address})"));
    }
}

/// The address of the function that makes a link: `HYPERLINK("https://example.org","words")`.
pub(super) fn link_of_formula(formula: &str) -> Option<&str> {
    let arguments = formula.trim_start_matches("of:").trim_start_matches('=').strip_prefix("HYPERLINK(")?;
    arguments.trim_start().strip_prefix('"')?.split_once('"').map(|(address, _)| address)
}

/// A name, cut at the limit for names.
pub(super) fn clip_name(name: &str) -> String {
    name[..name.floor_char_boundary(MAX_NAME_BYTES)].to_owned()
}

/// Row and column, from 1, of a reference such as `B3`; of a range, its upper left cell.
pub(super) fn cell_reference(text: &str) -> Option<(u32, u32)> {
    let text = text.trim_start_matches('$');
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let column = column_of(&text.as_bytes()[..letters])?;
    let digits = text[letters..].trim_start_matches('$');
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    Some((digits[..length].parse().ok().filter(|row| *row > 0)?, column))
}

/// The column of letters such as `AB`, from 1.
pub(super) fn column_of(letters: &[u8]) -> Option<u32> {
    if letters.is_empty() || letters.len() > 4 {
        return None;
    }
    Some(letters.iter().fold(0, |sum, byte| sum * 26 + u32::from(byte.to_ascii_uppercase() - b'A') + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_name_cells() {
        assert_eq!(cell_reference("$AB$12:C3"), Some((12, 28)));
        assert_eq!([cell_reference("12"), cell_reference("A0"), cell_reference("ABCDEF1")], [None; 3]);
    }

    #[test]
    fn columns_have_up_to_four_letters() {
        for (letters, expected) in [
            ("A", Some(1)),
            ("z", Some(26)),
            ("AA", Some(27)),
            ("XFD", Some(16_384)),
            ("AAAA", Some(18_279)),
            ("AAAAA", None),
            ("", None),
        ] {
            assert_eq!(column_of(letters.as_bytes()), expected, "{letters}");
        }
        assert_eq!(cell_reference("$C$7"), Some((7, 3)));
        assert_eq!([cell_reference("C"), cell_reference("C99999999999"), cell_reference("")], [None; 3]);
    }

    fn cells_of(row: &RowCells) -> Vec<(u32, usize)> {
        row.iter().map(|(column, text)| (column, text.len())).collect()
    }

    #[test]
    fn cells_without_words_are_left_out() {
        let mut row = RowCells::default();
        row.begin(3);
        assert!(row.is_blank());
        row.cell(0).push('a');
        row.cell(2).push_str(" \t");
        row.cell(5).push_str("b ");
        row.sort();
        assert_eq!(row.iter().collect::<Vec<_>>(), [(1, "a"), (5, "b ")]);
        assert_eq!((row.number(), row.is_blank(), row.is_cut), (3, false, false));
        row.set_number(8);
        assert_eq!(row.number(), 8);
        row.begin(4);
        assert_eq!((row.number(), row.is_blank(), row.text.as_str()), (4, true, ""));
    }

    #[test]
    fn cells_out_of_order_are_sorted_and_do_not_share_a_place() {
        let mut row = RowCells::default();
        for (column, text) in [(3, "c"), (1, "a"), (3, "d"), (4, "e"), (9, "f")] {
            row.cell(column).push_str(text);
        }
        row.sort();
        assert_eq!(row.iter().collect::<Vec<_>>(), [(1, "a"), (3, "c"), (4, "d"), (5, "e"), (9, "f")]);
    }

    #[test]
    fn repeated_cells_have_the_text_of_the_last() {
        let mut row = RowCells::default();
        row.repeat(1);
        row.cell(2).push_str("ab");
        row.repeat(3);
        row.cell(4).push('c');
        row.repeat(5);
        row.repeat(6);
        let expected = [(2, "ab"), (3, "ab"), (4, "c"), (5, "c"), (6, "c")];
        assert_eq!(row.iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn long_cells_are_cut_at_a_character() {
        for (text, kept, is_cut) in [
            ("x".repeat(MAX_CELL_BYTES), MAX_CELL_BYTES, false),
            ("x".repeat(MAX_CELL_BYTES + 1), MAX_CELL_BYTES, true),
            ("x".repeat(MAX_CELL_BYTES - 1) + "é", MAX_CELL_BYTES - 1, true),
        ] {
            let mut row = RowCells::default();
            row.cell(1).push('a');
            row.cell(2).push_str(&text);
            row.sort();
            assert_eq!((cells_of(&row), row.is_cut), (vec![(1, 1), (2, kept)], is_cut));
        }
    }

    #[test]
    fn rows_end_at_their_limit() {
        let full = (MAX_ROW_BYTES / MAX_CELL_BYTES) as u32;
        let filled = || {
            let mut row = RowCells::default();
            (1..=full).for_each(|column| row.cell(column).push_str(&"x".repeat(MAX_CELL_BYTES)));
            row.sort();
            row
        };
        let mut row = filled();
        assert_eq!((row.cells.len(), row.text.len(), row.is_cut), (16, MAX_ROW_BYTES, false));
        row.cell(full + 1).push('y');
        row.sort();
        assert_eq!((row.cells.len(), row.text.len(), row.is_cut), (16, MAX_ROW_BYTES, true));
        let mut row = filled();
        row.repeat(full + 1);
        row.repeat(full + 2);
        assert_eq!(row.cells.len(), 17);
    }

    #[test]
    fn names_are_cut_at_a_character() {
        let name = "x".repeat(MAX_NAME_BYTES);
        assert_eq!(clip_name(&name), name);
        assert_eq!(clip_name(&(name.clone() + "y")), name);
        assert_eq!(clip_name(&(name[1..].to_owned() + "é")), name[1..]);
    }
}
