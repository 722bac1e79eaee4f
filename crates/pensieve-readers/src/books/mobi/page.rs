//! A segment of a book's HTML as text with its place, and with headings where the contents point into it.
//!
//! Contents name places by bytes. Before the page is parsed, each of them gets an element with a name of ours, which
//! the HTML reader returns with its offset in the text.

use crate::books::epub::headings::{AnchorConfidence, HeadingDepth, TocLabel, put};
use crate::limits::mobi::MAX_PARSED_PAGE_BYTES;
use crate::settings::HtmlOptions;
use crate::shared::codepage::decode;
use crate::web::html::read_chapter;
use pensieve_text::model::{Locator, LocatorMap, Segment, Span};
use std::collections::HashMap;

/// The prefix of our names of places.
const PLACE: &str = "place of the contents ";

/// An entry of the contents, and the byte of the HTML that it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentsTarget {
    /// From 1.
    pub level: usize,
    /// Its words.
    pub label: String,
    /// The byte.
    pub at: usize,
}

/// A segment of HTML.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HtmlPage<'p> {
    /// Its name in the book.
    pub name: &'p str,
    /// Its bytes.
    pub html: &'p [u8],
    /// The code page of the bytes.
    pub code_page: u32,
    /// The entries of the contents that point into it.
    pub targets: &'p [ContentsTarget],
}

impl HtmlPage<'_> {
    /// Its text, and how many characters of it were replaced.
    pub(crate) fn read(&self, options: &HtmlOptions) -> (Segment, usize) {
        let body = body_start(self.html);
        let mut whole = Segment::default();
        let mut replaced = 0;
        for (start, end) in segments(self.html) {
            let here = self.targets.iter().filter(|target| (start..end).contains(&target.at));
            let targets: Vec<&ContentsTarget> = here.collect();
            let (marked, early) = self.marked(start, end, body, &targets);
            let text = decode(self.code_page, &marked);
            replaced += text.matches('\u{fffd}').count();
            let part = self.text_of(text, &targets, &early, options);
            if !part.text.is_empty() && !whole.text.is_empty() {
                whole.append(Segment { text: "\n".to_owned(), ..Segment::default() });
            }
            whole.append(part);
        }
        let Segment { text, sections, .. } = whole;
        let place = Locator::spine(self.name, None);
        let places = if text.is_empty() { Vec::new() } else { vec![(Span::new(0, text.len()), place)] };
        (Segment { text, places: LocatorMap(places), sections, ..Segment::default() }, replaced)
    }

    /// A segment with an element at each place that the contents point to, and which of them are before the body.
    fn marked(
        &self,
        start: usize,
        end: usize,
        body: usize,
        targets: &[&ContentsTarget],
    ) -> (Vec<u8>, Vec<bool>) {
        let html = self.html;
        let mut order: Vec<(usize, usize)> = Vec::new();
        let mut early = vec![false; targets.len()];
        for (number, target) in targets.iter().enumerate() {
            let at = outside_of_tag(html, target.at).max(start);
            early[number] = at < body || at == start;
            if !early[number] {
                order.push((at, number));
            }
        }
        order.sort_unstable();
        let mut marked = Vec::with_capacity(end - start + order.len() * 48);
        let mut done = start;
        for (at, number) in order {
            marked.extend_from_slice(&html[done..at]);
            marked.extend_from_slice(format!("<a id=\"{PLACE}{number}\"></a>").as_bytes());
            done = at;
        }
        marked.extend_from_slice(&html[done..end]);
        (marked, early)
    }

    fn text_of(
        &self,
        text: String,
        targets: &[&ContentsTarget],
        early: &[bool],
        options: &HtmlOptions,
    ) -> Segment {
        let chapter = read_chapter(Segment { text, ..Segment::default() }, options);
        let text = Segment { text: chapter.text.text, ..Segment::default() };
        if targets.is_empty() || !options.markdown {
            return text;
        }
        let mut places: HashMap<usize, usize> = HashMap::new();
        for (name, at) in &chapter.anchors {
            if let Some(number) = name.strip_prefix(PLACE).and_then(|number| number.parse().ok()) {
                places.entry(number).or_insert(*at);
            }
        }
        let label = |(number, target): (usize, &&ContentsTarget)| {
            let at = if early[number] { 0 } else { *places.get(&number)? };
            Some((number, target.level, at))
        };
        let found: Vec<(usize, usize, usize)> = targets.iter().enumerate().filter_map(label).collect();
        let label = |&(seq, level, at): &(usize, usize, usize)| TocLabel {
            seq,
            level,
            words: &targets[seq].label,
            at,
            confidence: if early[seq] { AnchorConfidence::Start } else { AnchorConfidence::Place },
        };
        put(text, found.iter().map(label).collect(), &mut HeadingDepth::default())
    }
}

/// The start of the body; contents that point before it point to its start.
fn body_start(html: &[u8]) -> usize {
    let head = &html[..html.len().min(64 << 10)];
    let found = memchr::memmem::find(head, b"<body").or_else(|| memchr::memmem::find(head, b"<BODY"));
    let end = |at: usize| memchr::memchr(b'>', &html[at..]).map_or(html.len(), |end| at + end + 1);
    found.map_or(0, end)
}

/// The place itself, or the start of the tag that contains it.
fn outside_of_tag(html: &[u8], at: usize) -> usize {
    let at = at.min(html.len());
    let start = at.saturating_sub(2048);
    match memchr::memrchr2(b'<', b'>', &html[start..at]) {
        Some(found) if html[start + found] == b'<' => start + found,
        // Never between the bytes of a character.
        _ => (at.saturating_sub(3)..=at)
            .rev()
            .find(|&at| html.get(at).is_none_or(|byte| byte & 0xc0 != 0x80))
            .unwrap_or(at),
    }
}

/// Splits large pages into segments, where a paragraph or at least an element begins.
fn segments(html: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    while html.len() - start > MAX_PARSED_PAGE_BYTES {
        let middle = start + MAX_PARSED_PAGE_BYTES / 2;
        let near = &html[middle..start + MAX_PARSED_PAGE_BYTES];
        let cut = memchr::memmem::find(near, b"<p").or_else(|| memchr::memchr(b'<', near));
        let cut = cut.or_else(|| memchr::memchr2(b' ', b'\n', near)).unwrap_or(near.len());
        found.push((start, middle + cut));
        start = middle + cut;
    }
    found.push((start, html.len()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(html: &str, targets: &[(&str, &str)], expected: &str) {
        let target = |(label, before): &(&str, &str)| ContentsTarget {
            level: 1,
            label: (*label).to_owned(),
            at: html.find(before).unwrap(),
        };
        let targets: Vec<ContentsTarget> = targets.iter().map(target).collect();
        let page = HtmlPage { name: "a", html: html.as_bytes(), code_page: 65001, targets: &targets };
        let options = HtmlOptions { markdown: true, main_content: false };
        assert_eq!(page.read(&options).0.text, expected, "of {html}");
    }

    #[test]
    fn contents_give_headings() {
        let prose = "<p>a</p><p>b</p><p>c</p><p>d</p>";
        let html = format!(
            "<html><head><guide/></head><body>{prose}<p>two</p>{prose}<h2>Three</h2><p>four</p></body></html>"
        );
        check(
            &html,
            &[("First", "<guide"), ("Second", "p>two"), ("Three", "<h2>")],
            "# First\n\na\n\nb\n\nc\n\nd\n\n# Second\n\ntwo\n\na\n\nb\n\nc\n\nd\n\n# Three\n\nfour\n",
        );
        check("<p>Café</p>", &[], "Café\n");
    }

    #[test]
    fn large_pages_are_cut_between_paragraphs() {
        let html = "<p>some words</p>\n".repeat(200_000);
        let cuts = segments(html.as_bytes());
        assert!(cuts.len() > 3);
        assert!(cuts.iter().all(|&(start, _)| html[start..].starts_with("<p>")));
        let flat = vec![b'x'; MAX_PARSED_PAGE_BYTES * 2 + 5];
        assert_eq!(segments(&flat).last().unwrap().1, flat.len());
    }

    #[test]
    fn the_body_begins_after_its_tag() {
        for (before, after) in [
            ("<html><body class='a'>", "<p>x"),
            ("<HTML><BODY>", "x > y"),
            ("", "<html><p>x"),
            ("<html><body", ""),
        ] {
            assert_eq!(body_start(format!("{before}{after}").as_bytes()), before.len(), "{before}");
        }
    }

    #[test]
    fn a_place_inside_a_tag_or_a_character_is_moved_before_it() {
        let html = "<p>é one <a href='x'>two</a>".as_bytes();
        let link = memchr::memmem::find(html, b"<a").unwrap();
        for (at, expected) in [
            (0, 0),
            (1, 0),
            (3, 3),
            (4, 3),
            (5, 5),
            (link, link),
            (link + 1, link),
            (link + 11, link),
            (link + 12, link + 12),
            (html.len() + 9, html.len()),
        ] {
            assert_eq!(outside_of_tag(html, at), expected, "{at}");
        }
    }

    #[test]
    fn pages_are_cut_at_the_best_place_of_their_second_half() {
        let cuts = |signs: &[(usize, &[u8])], length: usize| {
            let mut html = vec![b'x'; length];
            signs.iter().for_each(|(at, sign)| html[*at..at + sign.len()].copy_from_slice(sign));
            segments(&html)
        };
        let (most, half) = (MAX_PARSED_PAGE_BYTES, MAX_PARSED_PAGE_BYTES / 2);
        let all = most + 1;
        assert_eq!(cuts(&[], most), [(0, most)]);
        assert_eq!(cuts(&[], all), [(0, most), (most, all)]);
        assert_eq!(cuts(&[(half, b" ")], all), [(0, half), (half, all)]);
        assert_eq!(cuts(&[(half, b" "), (half + 3, b"<b")], all), [(0, half + 3), (half + 3, all)]);
        assert_eq!(cuts(&[(half, b"<b"), (half + 3, b"<p")], all), [(0, half + 3), (half + 3, all)]);
        assert_eq!(cuts(&[(half - 1, b"<"), (half + 9, b"\n")], all), [(0, half + 9), (half + 9, all)]);
        let twice = most + half + 5;
        assert_eq!(
            cuts(&[(half + 2, b"<p"), (most + 7, b"<p")], twice),
            [(0, half + 2), (half + 2, most + 7), (most + 7, twice)]
        );
    }
}
