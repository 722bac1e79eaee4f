//! Mobipocket books of version 7 and before: one page of HTML whose places are byte offsets, separated by page
//! breaks.
//!
//! After the MobileRead wiki ("MOBI", "Markup"): `mbp:pagebreak` begins a new page, links have `filepos` instead of
//! an address, the `guide` in the head names the table of contents. The contents are those of the book's index; books
//! without one have a page of links instead.

use super::header::BookHeader;
use super::index::BookIndex;
use super::page::ContentsTarget;
use crate::books::palm_database::PalmDatabase;
use crate::limits::mobi::{MAX_CONTENTS_ENTRIES, MAX_CONTENTS_LINKS, MAX_CONTENTS_PAGE_BYTES};
use crate::settings::HtmlOptions;
use crate::shared::codepage::decode;
use crate::web::html::read_html;
use memchr::memmem;
use pensieve_text::model::Segment;

/// A page and the byte of the text at which it begins.
pub(super) type PageSlice<'t> = (usize, &'t [u8]);

/// The pages of a text.
pub(super) fn sections(text: &[u8]) -> Vec<PageSlice<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    // Some books write it in capitals, but no book mixes both.
    let breaks = memmem::find_iter(text, b"<mbp:pagebreak").chain(memmem::find_iter(text, b"<MBP:PAGEBREAK"));
    let mut breaks: Vec<usize> = breaks.collect();
    breaks.sort_unstable();
    for at in breaks.into_iter().chain([text.len()]) {
        if at > start {
            found.push((start, &text[start..at]));
        }
        start = at;
    }
    found
}

/// The contents: those of the index, or else of the page of links that the guide names.
pub(super) fn contents(
    database: &mut PalmDatabase<'_>,
    header: &BookHeader,
    text: &[u8],
) -> Vec<ContentsTarget> {
    let index =
        header.contents.and_then(|number| BookIndex::read(database, header.base.saturating_add(number)));
    let index = index.unwrap_or_default();
    let target = |entry: &super::index::IndexEntry| {
        let label = decode(header.code_page, index.string(entry.number(3, 0)?)?);
        Some(ContentsTarget {
            level: entry.number(4, 0).unwrap_or(0).min(5) + 1,
            label,
            at: entry.number(1, 0)?,
        })
    };
    let targets: Vec<ContentsTarget> =
        index.entries.iter().filter_map(target).take(MAX_CONTENTS_ENTRIES).collect();
    match targets.is_empty() {
        true => linked_contents(text, header.code_page),
        false => targets,
    }
}

/// The contents of a page of links: the words of its links up to the next page break.
fn linked_contents(text: &[u8], code_page: u32) -> Vec<ContentsTarget> {
    let Some(start) = guide_contents(text).filter(|&at| at < text.len()) else { return Vec::new() };
    let page = &text[start..text.len().min(start + MAX_CONTENTS_PAGE_BYTES)];
    let skipped = usize::from(page.starts_with(b"<mbp:pagebreak"));
    let end = memmem::find(&page[skipped..], b"<mbp:pagebreak").map_or(page.len(), |at| at + skipped);
    let page = &page[..end];
    let mut targets = Vec::new();
    for at in memmem::find_iter(page, b"<a ").take(MAX_CONTENTS_LINKS) {
        let Some(tag_end) = memchr::memchr(b'>', &page[at..]).map(|end| at + end) else { break };
        let Some(place) = file_position(&page[at..tag_end]) else { continue };
        let words = &page[tag_end + 1..];
        let words = &words[..memmem::find(words, b"</a").unwrap_or(words.len()).min(1024)];
        let label = words_of(&decode(code_page, words));
        if !label.is_empty() {
            targets.push(ContentsTarget { level: 1, label, at: place });
        }
    }
    targets
}

/// The position of the contents according to the guide.
fn guide_contents(text: &[u8]) -> Option<usize> {
    let head = &text[..text.len().min(MAX_CONTENTS_PAGE_BYTES)];
    memmem::find_iter(head, b"<reference").take(64).find_map(|at| {
        let tag = &head[at..at + memchr::memchr(b'>', &head[at..])?];
        let tag = tag.to_ascii_lowercase();
        memmem::find(&tag, b"\"toc\"").and_then(|_| file_position(&tag))
    })
}

/// The number of the attribute `filepos`.
fn file_position(tag: &[u8]) -> Option<usize> {
    let at = memmem::find(tag, b"filepos=")? + 8;
    let digits = tag[at..].iter().skip_while(|byte| matches!(byte, b'"' | b'\''));
    let digits: Vec<u8> = digits.take_while(|byte| byte.is_ascii_digit()).take(10).copied().collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

/// The words of a segment of HTML.
fn words_of(html: &str) -> String {
    let options = HtmlOptions { markdown: false, main_content: false };
    let text = read_html(Segment { text: html.to_owned(), ..Segment::default() }, &options).text.text;
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_divided() {
        let text = b"<p>a</p><mbp:pagebreak/><p>b</p><mbp:pagebreak/>";
        let starts: Vec<usize> = sections(text).iter().map(|section| section.0).collect();
        assert_eq!(starts, [0, 8, 32]);
        assert!(sections(b"").is_empty());
    }

    #[test]
    fn a_page_of_links_serves_as_contents() {
        let text = b"<html><head><guide><reference type=\"toc\" filepos=0000000080 /></guide></head>____________\
            <p><a  filepos=0000000007 ><b>One</b> &amp; more</a> <a href='x'>no</a> <a filepos=\"9\">Two</a></p>\
            <mbp:pagebreak/><a filepos=5>no</a>";
        let found = linked_contents(text, 1252);
        let found: Vec<(&str, usize)> =
            found.iter().map(|target| (target.label.as_str(), target.at)).collect();
        assert_eq!(found, [("One & more", 7), ("Two", 9)]);
        assert!(linked_contents(b"<reference type=\"toc\" filepos=99999 />", 1252).is_empty());
    }
}
