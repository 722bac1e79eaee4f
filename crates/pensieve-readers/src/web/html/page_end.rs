//! What the bytes of a page show to be lost: its end, or a block of it.

use pensieve_text::text::decode::has_zero_block;

/// Bytes at the start of a page among which its first tag is.
const PAGE_START_BYTES: usize = 4096;

/// What is wrong with the bytes of a page, in UTF-8 or an encoding of single bytes.
pub(super) fn damage(page: &[u8]) -> Option<&'static str> {
    if has_zero_block(page) {
        return Some("a block of the page is nothing but zeros");
    }
    has_no_end(page).then_some("the page ends before its last tag: it was cut short")
}

/// True for a page that has the tag with which pages begin and none of those with which they end. HTML lets authors
/// omit both; hardly any program omits only the last.
fn has_no_end(page: &[u8]) -> bool {
    has_tag(&page[..page.len().min(PAGE_START_BYTES)], b"<html")
        && !has_tag(page, b"</html")
        && !has_tag(page, b"</body")
}

fn has_tag(part: &[u8], tag: &[u8]) -> bool {
    let is_tag = |at: usize| part[at..].get(..tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag));
    // The tags that end a page are near its end.
    memchr::memchr_iter(b'<', part).rev().any(is_tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_begins_and_does_not_end_is_cut() {
        let check =
            |page: &str, is_cut: bool| assert_eq!(damage(page.as_bytes()).is_some(), is_cut, "{page}");
        check("<!doctype html><HTML><p>One", true);
        check("<html><body><p>One</p></BODY>", false);
        check("<html><p>One</html>", false);
        check("<p>One<p>Two", false);
        check(&format!("<p>One{}", "\0".repeat(64)), true);
        check("<p>One\0\0", false);
    }
}
