//! What the bytes of a page show to be lost: its end, or a block of it.

use pensieve_text::text::decode::has_zero_block;

/// Bytes at the start of a page among which its first tag is.
const PAGE_START_BYTES: usize = 4096;

/// What is wrong with the bytes of a page, in UTF-8 or an encoding of single bytes.
pub(crate) fn damage(page: &[u8]) -> Option<&'static str> {
    // The plainer finding first: a page with such a block may have no end, too.
    if has_zero_block(page) {
        return Some("a block of the page is nothing but zeros");
    }
    has_no_end(page).then_some("the page ends before its last tag: it was cut short")
}

/// True for a page that has the tag with which pages begin and none of those with which they end. HTML lets authors
/// omit both. Some programs omit only the last: their pages are whole if all that was opened is closed.
fn has_no_end(page: &[u8]) -> bool {
    // A part of a page for a script has neither.
    has_tag(&page[..page.len().min(PAGE_START_BYTES)], b"<html")
        && !has_tag(page, b"</html")
        && !has_tag(page, b"</body")
        && !is_closed(page)
        && !is_template(page)
}

/// Marks of the programs that put pages together, those of Doxygen's among them.
const TEMPLATE_MARKS: &[&str] =
    &["{%", "{{", "[%", "${", "<%", "<?php", "<?=", "<#", "<!--#", "<!--BEGIN ", "$generated", "@RenderBody"];

/// True for a page that a program puts together with others: its end is in another file. Scripts have braces of their own.
fn is_template(page: &[u8]) -> bool {
    let has = |part: &[u8], mark: &&str| memchr::memmem::find(part, mark.as_bytes()).is_some();
    outside_scripts(page).any(|part| TEMPLATE_MARKS.iter().any(|mark| has(part, mark)))
}

/// The parts of a page that are in no script and no style sheet.
fn outside_scripts(page: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(page);
    std::iter::from_fn(move || {
        let part = rest?;
        let is_code = |tag: &[u8]| ["script", "style"].iter().any(|name| is_tag_of(tag, name));
        let Some(start) = memchr::memchr_iter(b'<', part).find(|at| is_code(&part[at + 1..])) else {
            rest = None;
            return Some(part);
        };
        let code = &part[start..];
        let end = memchr::memmem::find_iter(code, b"</").find(|at| is_code(&code[at + 2..]));
        rest = end.map(|end| &code[end + 2..]);
        Some(&part[..start])
    })
}

/// Elements that a page has around its text, and whose end tags nobody may omit.
const CONTAINERS: &[&str] = &[
    "article",
    "aside",
    "blockquote",
    "div",
    "dl",
    "footer",
    "form",
    "header",
    "main",
    "nav",
    "ol",
    "pre",
    "script",
    "section",
    "style",
    "svg",
    "table",
    "title",
    "ul",
];

/// Elements that some programs put around all of a page and never close.
const FRAMES: &[&str] = &["article", "div", "main", "section"];

/// True if the page ends after an end tag of its text and has as many end tags of containers as start tags. If a line ends
/// there, what is around all of the page may be open, and end tags may be too many: few of the places at which a page may be
/// cut are ends of such lines, and no cut adds an end.
fn is_closed(page: &[u8]) -> bool {
    let is_line = page.ends_with(b"\n");
    let page = page.trim_ascii_end();
    let last = memchr::memrchr(b'<', page).map(|at| &page[at..]).unwrap_or_default();
    if is_line && last.eq_ignore_ascii_case(b"<hr>") {
        return are_balanced(page, FRAMES);
    }
    let Some(last) = last.strip_prefix(b"</").filter(|last| last.ends_with(b">")) else { return false };
    // After these the text is still to come.
    if ["head", "script", "style", "title"].iter().any(|name| is_tag_of(last, name)) {
        return false;
    }
    are_balanced(page, if is_line { FRAMES } else { &[] })
}

/// True if a page has as many end tags of containers as start tags. Of those in `may_be_open` there may be more start tags;
/// if there are such, more end tags of any.
fn are_balanced(page: &[u8], may_be_open: &[&str]) -> bool {
    let mut open = [0_i32; CONTAINERS.len()];
    for at in memchr::memchr_iter(b'<', page) {
        let (tag, step) = match page.get(at + 1) {
            Some(b'/') => (&page[at + 2..], -1),
            _ => (&page[at + 1..], 1),
        };
        if let Some(name) = CONTAINERS.iter().position(|name| is_tag_of(tag, name)) {
            open[name] += step;
        }
    }
    // In which order they stand says nothing of a cut.
    let is_whole = |(name, count): (&&str, i32)| match count {
        0 => true,
        1.. => may_be_open.contains(name),
        _ => !may_be_open.is_empty(),
    };
    CONTAINERS.iter().zip(open).all(is_whole)
}

/// True if a tag has this name, after `<` or `</`.
fn is_tag_of(tag: &[u8], name: &str) -> bool {
    let is_name = tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
    is_name && !tag.get(name.len()).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
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
        check("<html><p>One</p>\n \n", false);
        check("<html><div><table><tr><td>One</TABLE></div>", false);
        check("<html><div><table><tr><td>One</td>", true);
        check("<html><div><div>One</div>", true);
        check("<html><div>One</div></div>", true);
        check("<html><div><pre>One</pre>\n", false);
        check("<html><ul><li>One</ul></ul></p>\n", false);
        check("<html><div><p>One</p><hr>\n\n", false);
        check("<html><div><p>One</p>", true);
        check("<html><div><ul><li>One</li>\n", true);
        check("<html><ulx><div-x>One</p>", false);
        check("<html><head><title>One</title></head>", true);
        check("<html><title>One</title>", true);
        check("<html><p>One<script></script>", true);
        check("<html><body><div>{% block content %}", false);
        check("<html><body><div><?php the_header(); ?>", false);
        check("<html><body><div id=top><!--BEGIN TITLEAREA--><div>", false);
        check("<html><head><script>a('{{')</script><body><div>One", true);
        check("<html><head><script>a()</script><body><div>${one}", false);
        check("<html><p>One</p><p>", true);
        check("<html><p>One</p", true);
        check("<html><p>One<", true);
        check("<html><p>One</", true);
        check("<html><p>One</p>Two", true);
        check("<html><p>One</p><!-- made by", true);
        check("<p>One<p>Two", false);
        check(&format!("<p>One{}", "\0".repeat(64)), true);
        check("<p>One\0\0", false);
    }

    #[test]
    fn the_first_tag_is_near_the_start() {
        let page = |before: usize| format!("{}<html>One", " ".repeat(before));
        assert_eq!(
            damage(page(4091).as_bytes()),
            Some("the page ends before its last tag: it was cut short")
        );
        assert_eq!(damage(page(4092).as_bytes()), None);
        assert_eq!(damage(b"<htm"), None);
        assert_eq!(damage(b"<html>One</body"), None);
        let zeros = [b"<html>One".as_slice(), &[0; 4096], b"</html>"].concat();
        assert_eq!(damage(&zeros), Some("a block of the page is nothing but zeros"));
    }
}
