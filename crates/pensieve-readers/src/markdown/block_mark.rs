//! The marks of blocks: headings, items, quotations, fences, notes, rows of tables (CommonMark 0.31, sections 4 and 5; GFM
//! tables; notes of pandoc).

use super::inline_mark::longest_backticks;

pub(crate) const QUOTE: &str = "> ";
pub(crate) const BULLET: &str = "- ";
pub(crate) const RULE: &str = "---";

/// What begins the lines of a note after its first one.
pub(crate) const NOTE_INDENT: &str = "    ";

pub(crate) const ROW_START: &str = "| ";
pub(crate) const CELL_BREAK: &str = " | ";
pub(crate) const ROW_END: &str = " |";

/// What begins a heading; deeper levels than 6 are 6.
pub(crate) fn heading(level: usize) -> &'static str {
    const MARKS: [&str; 6] = ["# ", "## ", "### ", "#### ", "##### ", "###### "];
    MARKS[level.clamp(1, 6) - 1]
}

/// What begins an item of this number (`3.`, `4)`): the mark, and the words with which the item then begins. Markdown
/// knows numbers of at most nine digits; others (`IV.`, `a)`, `1.2.3`) are words of an item with a bullet.
pub(crate) fn numbered_item(number: &str) -> (String, &str) {
    let digits = number.trim_end_matches(['.', ')']);
    let is_number = digits.len() + 1 == number.len()
        && (1..10).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { (format!("{number} "), "") } else { (BULLET.to_owned(), number) }
}

/// A reference to a note.
pub(crate) fn note_reference(label: impl std::fmt::Display) -> String {
    format!("[^{label}]")
}

/// What begins a note.
pub(crate) fn note_start(label: impl std::fmt::Display) -> String {
    format!("[^{label}]: ")
}

/// A fence that the backticks of the text cannot close.
pub(crate) fn fence_around(text: &str) -> String {
    "`".repeat(longest_backticks(text).max(2) + 1)
}

/// The row below the one that names the columns.
pub(crate) fn delimiter_row(columns: usize) -> String {
    format!("|{}", " - |".repeat(columns))
}

/// The row that names the columns of a table in which nothing names them.
pub(crate) fn unnamed_columns(columns: usize) -> String {
    format!("|{}", "  |".repeat(columns))
}

/// The sign between two items in one cell after this text; empty if punctuation already divides them.
pub(super) fn cell_separator<'s>(before: &str, sign: &'s str) -> &'s str {
    match before.ends_with([';', ':', ',', '.', '!', '?']) {
        true => "",
        false => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_markdown_does_not_know_are_words_after_a_bullet() {
        assert_eq!(numbered_item("3."), ("3. ".to_owned(), ""));
        assert_eq!(numbered_item("123456789)"), ("123456789) ".to_owned(), ""));
        for words in ["1234567890.", "IV.", "a)", "1.2.", "3", ".", "1.)"] {
            assert_eq!(numbered_item(words), ("- ".to_owned(), words));
        }
    }

    #[test]
    fn a_fence_is_longer_than_the_backticks_inside() {
        assert_eq!(["", "a``b", "````"].map(fence_around), ["```", "```", "`````"]);
    }
}
