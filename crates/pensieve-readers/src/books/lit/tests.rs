//! Whole books: the order of pages, tours, metadata, missing pages, and the keys of sealed books.

use super::*;
use crate::source::DiscardingSink;
use pensieve_text::model::ProblemKind;
use pensieve_text::model::ReviewReason;
use std::io::Cursor;

fn numbers(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| (number as u32).to_le_bytes()).collect()
}

/// A number of two bytes, as entries of the directory have it.
fn short(number: usize) -> [u8; 2] {
    [(number >> 7) as u8 | 0x80, number as u8 & 0x7f]
}

/// A book of these streams, all outside of sections.
pub(super) fn book(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut directory = [b"IFCM\0\0\0\0".as_slice(), &numbers(&[4096])].concat();
    directory.resize(32, 0);
    directory.extend_from_slice(b"AOLL\0\0\0\0");
    directory.resize(80, 0);
    let mut content = Vec::new();
    for (name, bytes) in streams {
        directory.push(name.len() as u8);
        directory.extend_from_slice(name.as_bytes());
        directory.push(0);
        directory.extend(short(content.len()));
        directory.extend(short(bytes.len()));
        content.extend_from_slice(bytes);
    }
    let mut file = [b"ITOLITLS\0\0\0\0".as_slice(), &numbers(&[48, 2, 22])].concat();
    file.resize(64, 0);
    file.extend(numbers(&[102, 0, directory.len(), 0]));
    file.extend_from_slice(b"??ITSF");
    file.resize(98, 0);
    file.extend(numbers(&[102 + directory.len()]));
    [file, directory, content].concat()
}

/// An element with attributes.
fn element(number: u8, attributes: &[(char, &str)], inside: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 1, number];
    for (name, value) in attributes {
        bytes.extend_from_slice(name.to_string().as_bytes());
        bytes.push(value.len() as u8 + 1);
        bytes.extend_from_slice(value.as_bytes());
    }
    bytes.push(0);
    [bytes.as_slice(), inside, &[0, 2, 0]].concat()
}

fn paragraph(words: &str) -> Vec<u8> {
    element(74, &[], words.as_bytes())
}

fn item(id: &str, href: &str) -> Vec<u8> {
    element(17, &[('\x06', id), ('\x07', href)], b"")
}

fn site(href: &str, title: &str) -> Vec<u8> {
    element(39, &[('\x07', href), ('\x11', title)], b"")
}

/// A list of pages: stored names, original names and types.
fn manifest(pages: &[(&str, &str, &str)]) -> Vec<u8> {
    let sized = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
    let mut bytes = b"\x01\\".to_vec();
    bytes.extend(numbers(&[pages.len()]));
    for (stored, name, kind) in pages {
        bytes.extend(numbers(&[0]));
        bytes.extend([sized(stored), sized(name), sized(kind), vec![0]].concat());
    }
    bytes.extend(numbers(&[0; 3]));
    bytes
}

fn open(streams: &[(&str, &[u8])], settings: &ReadSettings) -> Result<Document, Problem> {
    let mut file = Cursor::new(book(streams));
    let mut source = DocumentSource::new(&mut file, "a.lit").unwrap();
    read(&mut source, settings, &mut DiscardingSink)
}

#[test]
fn pages_follow_the_spine_with_the_headings_of_their_tour() {
    let meta = [
        element(2, &[], b"A  book"),
        element(3, &[], b"An author"),
        element(29, &[('\x10', "ISBN")], b"978"),
        element(29, &[('\x10', "DOI")], b"10.1"),
        element(22, &[], b" "),
        element(2, &[], b"A book"),
        item("first", "\u{1}p1"),
        item("second", "\u{1}p2"),
        element(19, &[('\x0a', "second")], b""),
        element(19, &[('\x0a', "first")], b""),
        site("\u{1}p2#x", " The  two "),
        site("\u{1}p1", "One"),
        site("\u{1}p1#gone", "Gone"),
        site("\u{1}p1", ""),
    ]
    .concat();
    let pages = manifest(&[
        ("p1", "one.htm", "text/html"),
        ("p2", "two.htm", "text/x-oeb1-document"),
        ("p3", "three.htm", "text/html"),
        ("i1", "i.png", "image/png"),
    ]);
    let second =
        [paragraph("Before."), element(42, &[('\u{83eb}', "x")], b"Two"), paragraph("Words.")].concat();
    let streams: [(&str, &[u8]); 5] = [
        ("/meta", &meta),
        ("/manifest", &pages),
        ("/data/p1/content", &paragraph("Of one.")),
        ("/data/p2/content", &second),
        ("/data/p3/content", &paragraph("The last.")),
    ];
    let document = open(&streams, &ReadSettings::default()).unwrap();
    assert_eq!(document.text.text, "Before.\n\n# Two\n\nWords.\n\n# One\n\nOf one.\n\nThe last.\n");
    let sections: Vec<(usize, usize, &str)> =
        document.text.sections.iter().map(|section| (section.seq, section.out, &*section.label)).collect();
    assert_eq!(sections, [(0, 9, "The two"), (1, 24, "One")]);
    let place = |from, to, name| (Span::new(from, to), Locator::spine(name, None));
    assert_eq!(
        document.text.places.0,
        [place(0, 23, "two.htm"), place(24, 39, "one.htm"), place(40, 50, "three.htm")]
    );
    let metadata: Vec<(&str, &str)> =
        document.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(
        metadata,
        [("title", "A book"), ("author", "An author"), ("isbn", "978"), ("identifier", "10.1")]
    );
    assert_eq!(document.kind, Some(TextKind::Markup));
    assert_eq!(document.encoding.as_deref(), Some("utf-8"));
    assert_eq!(document.mime.as_deref(), Some("application/x-ms-reader"));
    assert!(document.problems.is_empty() && document.review_reasons.is_empty());
    let mut settings = ReadSettings::default();
    settings.html.markdown = false;
    let document = open(&streams, &settings).unwrap();
    assert_eq!(document.text.text, "Before.\n\nTwo\n\nWords.\n\nOf one.\n\nThe last.\n");
    assert_eq!(document.kind, Some(TextKind::Prose));
}

#[test]
fn pages_that_are_missing_are_told() {
    let pages = manifest(&[
        ("p1", "one.htm", "text/html"),
        ("p2", "two.htm", "text/html"),
        ("p3", "three.htm", "text/html"),
    ]);
    let words = paragraph("Words.");
    let streams: [(&str, &[u8]); 4] = [
        ("/manifest", &pages),
        ("/data/p1/content", b" \n"),
        ("/data/p2/content", &words),
        ("/data/p3/content", b""),
    ];
    let message = "1 of 3 pages cannot be read, the first is `one.htm`";
    let document = open(&streams, &ReadSettings::default()).unwrap();
    assert_eq!(document.text.text, "Words.\n");
    assert_eq!(document.problems, [damaged(message)]);
    assert_eq!(document.review_reasons, [ReviewReason::skipped(message)]);
    assert_eq!(
        open(&streams[..2], &ReadSettings::default()).unwrap_err(),
        damaged("no page of the book can be read")
    );
    // Without a list of pages all that are stored are read.
    let document = open(&[("/data/z/content", &words), ("/data/z/atom", b"")], &ReadSettings::default());
    assert_eq!(document.unwrap().text.text, "Words.\n");
}

#[test]
fn what_no_reader_can_decipher_is_refused() {
    let words = paragraph("Words.");
    let check = |name: &str, kind: ProblemKind| {
        let streams: [(&str, &[u8]); 2] = [("/data/p/content", &words), (name, b"x")];
        assert_eq!(open(&streams, &ReadSettings::default()).unwrap_err().kind, kind, "{name}");
    };
    check("/DRMStorage/Licenses/EUL", ProblemKind::Encrypted);
    check("/DRMStorage/DRMBookplate", ProblemKind::Encrypted);
    check("/DRMStorage/DRMSealed", ProblemKind::Damaged);
}

#[test]
fn large_pages_are_cut_where_an_element_begins() {
    let half = MAX_PARSED_PAGE_BYTES / 2;
    let whole = "x".repeat(MAX_PARSED_PAGE_BYTES);
    assert_eq!(page_segments("a"), ["a"]);
    assert_eq!(page_segments(&whole), [whole.as_str()]);
    let longer = format!("{whole}x");
    assert_eq!(page_segments(&longer), [longer.as_str(), ""]);
    let cut = |first: &str, tail: &str| {
        let (page, expected) = (format!("{first}{tail}{}", "y".repeat(half)), first.len());
        let lengths: Vec<usize> = page_segments(&page).into_iter().map(str::len).collect();
        assert_eq!(lengths, [expected, page.len() - expected], "{tail}");
    };
    cut(&"x".repeat(half), "<p>");
    cut(&"x".repeat(half + 1), "<b>");
    cut(&format!("{}<p>{}<b>", "x".repeat(half - 1), "x".repeat(9)), "<p>");
    cut(&format!("{}é", "x".repeat(half - 1)), "<p>");
}
