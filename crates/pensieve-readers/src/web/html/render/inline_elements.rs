//! The marks that an element puts around its words, and which links have an address worth giving.

use super::page::{NEAR_NODES, ParsedPage};
use crate::markdown::{CodeTicks, InlineMark, link_address};
use crate::shared::bytes::percent_decoded;
use crate::web::html::parse::tag::HtmlTag;
use std::ops::Range;

/// Longer addresses are state of a program, not a reference for a reader.
const MAX_ADDRESS_BYTES: usize = 1000;

/// A link of a heading to itself has fewer nodes than this.
const MAX_PERMALINK_NODES: usize = 6;

/// The mark that an element puts around its words.
pub(crate) fn mark_of(page: ParsedPage<'_>, node: usize, tag: HtmlTag) -> Option<InlineMark> {
    match tag {
        // Google Docs puts all that is copied into a `b` that is not bold.
        HtmlTag::B | HtmlTag::Strong if is_plain_weight(page, node) => None,
        HtmlTag::B | HtmlTag::Strong => Some(InlineMark::Strong('*')),
        HtmlTag::I | HtmlTag::Em => Some(InlineMark::Emphasis('*')),
        HtmlTag::S | HtmlTag::Strike | HtmlTag::Del => Some(InlineMark::Strike),
        HtmlTag::Code | HtmlTag::Tt | HtmlTag::Kbd | HtmlTag::Samp => {
            Some(InlineMark::Code(CodeTicks::around("")))
        }
        // An article is read as text: what a phrase links to is no part of its sentence.
        HtmlTag::A if page.selection().bare_links && is_in_sentence(page, node) => None,
        HtmlTag::A => {
            let href = page.attribute(node, "href");
            href.filter(|href| !page.selection().is_chapter || is_external(href))
                .and_then(address)
                .map(InlineMark::Link)
        }
        _ => None,
    }
}

/// True for an element that becomes a link with an address.
pub(crate) fn is_link(page: ParsedPage<'_>, node: usize) -> bool {
    node < page.tree().len()
        && page.tag(node) == Some(HtmlTag::A)
        && !page.is_reference(node)
        && matches!(mark_of(page, node, HtmlTag::A), Some(InlineMark::Link(_)))
}

/// True for a sign that links a heading to itself: `§`, `¶`, `#`. In a book, fewer signs count, because others refer
/// to notes.
pub(super) fn is_permalink(page: ParsedPage<'_>, node: usize) -> bool {
    let is_sign = |text: &str| match page.selection().is_chapter {
        true => matches!(text.trim(), "¶" | "#" | "🔗"),
        false => !text.contains(char::is_alphanumeric),
    };
    page.attribute(node, "href").is_some_and(|href| href.contains('#'))
        && page.end(node) - node < MAX_PERMALINK_NODES
        && is_sign(&page.words_below(node))
        // A picture may be what the link shows.
        && page.tree().find(node, HtmlTag::Img).is_none()
}

/// True for a link with words of the same block beside it.
fn is_in_sentence(page: ParsedPage<'_>, node: usize) -> bool {
    let Some(block) = page.block_around(node) else { return false };
    let has_words = |mut range: Range<usize>| {
        range.any(|at| page.words(at).is_some_and(|words| words.contains(char::is_alphanumeric)))
    };
    let end = page.end(node);
    has_words(node.saturating_sub(NEAR_NODES).max(block)..node)
        || has_words(end..page.end(block).min(end + NEAR_NODES))
}

/// True for an address outside of the book.
fn is_external(href: &str) -> bool {
    let scheme = href.trim().split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme
        // Others are files of the book, or of the machine it was made on.
        .is_some_and(|scheme| matches!(scheme.as_str(), "http" | "https" | "mailto" | "ftp" | "doi" | "urn"))
}

fn is_plain_weight(page: ParsedPage<'_>, node: usize) -> bool {
    page.attribute(node, "style").is_some_and(|style| style.replace(' ', "").contains("font-weight:normal"))
}

/// Services that count clicks: the end of their host with the path, and the parameters with the address that is meant.
const REDIRECTIONS: &[(&str, &[&str])] = &[
    ("google.com/url?", &["q", "url"]),
    ("safelinks.protection.outlook.com/?", &["url"]),
    ("l.facebook.com/l.php?", &["u"]),
    ("l.instagram.com/?", &["u"]),
    ("slack-redir.net/link?", &["url"]),
];

/// The address behind one that only counts clicks.
fn redirected(href: &str) -> Option<String> {
    let (_, rest) = href.split_once("://")?;
    let (query, names) = REDIRECTIONS.iter().find_map(|(service, names)| {
        let at = rest.find(service)?;
        // Else any page could name such a service in its path, and any host end in its name.
        let is_host = !rest[..at].contains('/') && (at == 0 || rest[..at].ends_with('.'));
        is_host.then(|| (&rest[at + service.len()..], *names))
    })?;
    let values = query.split('&').filter_map(|pair| pair.split_once('='));
    let target =
        values.filter(|(name, _)| names.contains(name)).map(|(_, value)| percent_decoded(value)).next()?;
    (target.starts_with("http://") || target.starts_with("https://") || target.starts_with("mailto:"))
        .then_some(target)
}

/// An address that is worth writing: places inside the page, scripts and data are not.
fn address(href: &str) -> Option<String> {
    let href = href.trim();
    let target = redirected(href);
    let href = target.as_deref().unwrap_or(href);
    let scheme = href.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_inside = href.is_empty() || href.starts_with('#');
    let is_program = matches!(scheme.as_str(), "javascript" | "data" | "blob" | "about" | "vbscript");
    (!is_inside && !is_program && href.len() <= MAX_ADDRESS_BYTES).then(|| link_address(href))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::html::parse::parse;
    use crate::web::html::visibility::content_selection::ContentSelection;

    #[test]
    fn addresses_are_kept_if_they_lead_elsewhere() {
        for (page, expected) in [
            (
                "<a href=''>a</a><a href=' '>b</a><a href='#c'>c</a><a href='DATA:x'>d</a><a href='vbscript:x'>e</a><a href='about:x'>f</a><a href='blob:x'>g</a>",
                "abcdefg",
            ),
            ("<a href=' /a b '>a</a> <a href='tel:1'>b</a>", "[a](/a%20b) [b](tel:1)"),
            ("<h2>T<a href='#t'><img alt='a cat'></a></h2>", "## Ta cat"),
            ("<h2>T<a href='#t'><b><i><u>§</u></i></b></a></h2>", "## T"),
            ("<h2>T<a href='#t'><b><i><u><s>§</s></u></i></b></a></h2>", "## T§"),
            ("<h2>T<a href='#t'>link</a></h2>", "## Tlink"),
            ("<p><a href='#x'>¶</a> a <a href=/y#z>§</a> <a href=/y>¶</a>", "a [¶](/y)"),
        ] {
            crate::web::html::tests::check(page, expected);
        }
    }

    #[test]
    fn addresses_of_services_that_count_clicks_are_those_they_lead_to() {
        for (page, expected) in [
            (
                "https://www.google.com/url?q=https://a.example/b%3Fc%3Dd&amp;sa=D&amp;ust=1",
                "https://a.example/b?c=d",
            ),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F&amp;data=x",
                "https://a.example/",
            ),
            ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2F&amp;h=x", "https://a.example/"),
            ("https://www.google.com/url?q=javascript:x", "https://www.google.com/url?q=javascript:x"),
            (
                "https://a.example/google.com/url?q=https://b.example",
                "https://a.example/google.com/url?q=https://b.example",
            ),
            (
                "https://www.google.com/search?q=https://b.example",
                "https://www.google.com/search?q=https://b.example",
            ),
        ] {
            crate::web::html::tests::check(&format!("<a href='{page}'>a</a>"), &format!("[a]({expected})"));
        }
        crate::web::html::tests::check("<b style='font-weight: normal'>a</b>", "a");
    }

    #[test]
    fn in_a_chapter_only_addresses_outside_of_the_book_are_kept() {
        for (page, expected) in [
            (
                "<p><a href='#x'>§</a> <a href='#x'>🔗</a> <a href='#x'>#</a> <a href='http://x#y'>¶</a></p>",
                "§",
            ),
            (
                "<p><a href='a.html'>b</a> <a href='HTTPS://x/'>c</a> <a href='mailto:x'>d</a> <a href='tel:1'>e</a></p>",
                "b [c](HTTPS://x/) [d](mailto:x) e",
            ),
        ] {
            crate::web::html::chapter::tests::check(page, expected);
        }
    }

    #[test]
    fn sentences_of_an_article_have_no_addresses() {
        let check = |page: &str, expected: bool| {
            let tree = parse(page, false);
            let selection = ContentSelection { bare_links: true, ..ContentSelection::whole(&tree, page) };
            let parsed = ParsedPage::new(&tree, page, &selection);
            let node = tree.find(0, HtmlTag::A).unwrap();
            let found = mark_of(parsed, node, HtmlTag::A).is_some();
            assert_eq!((found, is_link(parsed, node)), (expected, expected), "of {page}");
        };
        check("<p><a href=/x>b</a>", true);
        check("<p>See <a href=/x>b</a>", false);
        check("<p><a href=/x>b</a>, he said", false);
        check("<p>(<a href=/x>b</a>).", true);
        check("<p>See<p><a href=/x>b</a><p>too", true);
        let far = |before: usize, after: usize| {
            let [before, after] = [before, after].map(|count| "<wbr>".repeat(count));
            format!("<p>See{before}<a href=/x>b</a>{after}too")
        };
        check(&far(NEAR_NODES - 1, NEAR_NODES), false);
        check(&far(NEAR_NODES, NEAR_NODES - 1), false);
        check(&far(NEAR_NODES, NEAR_NODES), true);
    }
}
