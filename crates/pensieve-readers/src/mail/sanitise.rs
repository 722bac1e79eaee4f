//! Makes the page of a mail safe to show: `ammonia` removes everything active, and this module everything that loads
//! something, because a loaded picture reports to its sender that the mail was read. It runs in a worker, where the
//! mail is read, because pages come from strangers.

use crate::limits::mail::{MAX_HTML_BYTES, MAX_HTML_DEPTH};
use ammonia::Builder;
use pensieve_text::model::MailHtml;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The page with its sanitised form; `None` for one that is blank or too large.
pub(super) fn mail_page(raw: String) -> Option<MailHtml> {
    if raw.len() > MAX_HTML_BYTES || raw.trim().is_empty() {
        return None;
    }
    let sanitised = if depth(&raw) > MAX_HTML_DEPTH { String::new() } else { SHOWN.clean(&raw).to_string() };
    Some(MailHtml { raw, sanitised })
}

/// What may be shown: text with its structure, links that do not report where they were followed from.
static SHOWN: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        // The title of a page is no part of its body.
        .add_clean_content_tags(["title"])
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .attribute_filter(|_, attribute, value| {
            let loads = matches!(attribute, "src" | "srcset" | "background" | "cite" | "longdesc");
            (!loads).then_some(Cow::Borrowed(value))
        });
    builder
});

/// The largest number of elements that are open at once; every end tag counts, whatever it ends.
fn depth(page: &str) -> usize {
    let bytes = page.as_bytes();
    let (mut open, mut most) = (0_usize, 0);
    for at in memchr::memchr_iter(b'<', bytes) {
        match bytes.get(at + 1) {
            Some(b'/') => open = open.saturating_sub(1),
            Some(byte) if byte.is_ascii_alphabetic() && !is_void(&bytes[at + 1..]) => open += 1,
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// True for elements without an end tag.
fn is_void(tag: &[u8]) -> bool {
    const VOID: &[&[u8]] =
        &[b"br", b"img", b"hr", b"meta", b"link", b"input", b"p", b"li", b"td", b"tr", b"col", b"o:p"];
    let name = tag.split(|byte| matches!(byte, b' ' | b'>' | b'/' | b'\n' | b'\r' | b'\t')).next();
    name.is_some_and(|name| VOID.iter().any(|void| name.eq_ignore_ascii_case(void)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, expected: &str) {
        assert_eq!(mail_page(raw.to_owned()).map(|page| page.sanitised).as_deref(), Some(expected), "{raw}");
    }

    #[test]
    fn what_acts_or_loads_is_out() {
        check("<p onclick='x()'>a<script>b</script></p>", "<p>a</p>");
        check("<img src='http://t.example/p.gif' alt='a'>", "<img alt=\"a\">");
        check(
            "<a href='javascript:x'>a</a><a href='https://b.example'>b</a>",
            "<a rel=\"noopener noreferrer nofollow\">a</a>\
             <a href=\"https://b.example\" rel=\"noopener noreferrer nofollow\">b</a>",
        );
        check("<blockquote type=cite>a</blockquote><style>p{}</style>", "<blockquote>a</blockquote>");
        check("<html><head><title>News &amp; more</title></head><body><p>a</p></body></html>", "<p>a</p>");
        check("<iframe src=x></iframe><form><input>b</form>", "b");
    }

    #[test]
    fn pages_are_bounded() {
        assert_eq!(mail_page(" \n".to_owned()), None);
        assert_eq!(mail_page("x".repeat(MAX_HTML_BYTES + 1)), None);
        check(&"<div>".repeat(100_000), "");
        check(&"<p>a<br>".repeat(3), "<p>a<br></p><p>a<br></p><p>a<br></p>");
    }
}
