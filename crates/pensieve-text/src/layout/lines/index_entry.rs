//! Entries of the index of a book.

/// An entry has fewer bytes, and the numbers of its pages.
const MAX_BYTES: usize = 200;
const MAX_PAGE_BYTES: usize = 12;

/// True for words, and behind a comma the numbers of pages: `coral, 17, 253n`, `ash, 8–9`. A number of four digits alone is a
/// year, and words with digits are of something else.
pub(crate) fn is_index_entry(text: &str) -> bool {
    let text = text.trim();
    let Some(end) = text.find(|c: char| c.is_ascii_digit()).filter(|_| text.len() < MAX_BYTES) else {
        return false;
    };
    let Some((words, pages)) = text[..end].strip_suffix(", ").zip(text.get(end..)) else { return false };
    let is_page = |page: &str| {
        // Of several pages (`f`), or in a note.
        let digits = page.trim().trim_end_matches(['f', 'n']);
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.len() < MAX_PAGE_BYTES
            && digits.chars().all(|c| c.is_ascii_digit() || "-\u{2013}".contains(c))
    };
    let is_year = pages.len() == 4 && pages.bytes().all(|byte| byte.is_ascii_digit());
    !words.is_empty() && !is_year && pages.split(',').all(is_page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_end_with_the_numbers_of_pages() {
        let check = |text: &str, expected: bool| assert_eq!(is_index_entry(text), expected, "{text}");
        check("coral, 17, 253", true);
        check("ash, grey, 8", true);
        check("ash (of wood), 8\u{2013}9, 12n, 30ff", true);
        check("history of, 72", true);
        check("ships, 1021, 1034", true);
        check("Paris, 2021", false);
        check("May 31, 21", false);
        check("coral, 17,", false);
        check("coral 17, 18", false);
        check("coral", false);
        check(", 17", false);
        check(&format!("{}, 17", "coral ".repeat(40)), false);
        check("coral, 1234567890123", false);
    }
}
