//! Books that are whole, broken, encrypted or of other formats, all through `read`.

use super::*;
use crate::books::palm_database::testing::database;
use crate::books::palm_or_mobi::read_mobi;
use crate::source::DiscardingSink;
use pensieve_text::model::ReviewReason;
use std::io::Cursor;

fn open(bytes: &[u8]) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.mobi")?;
    read_mobi(&mut source, &ReadSettings::default(), &mut DiscardingSink)
}

fn check(bytes: &[u8], expected: Result<&str, &str>) {
    let found = open(bytes).map(|document| document.text.text).map_err(|problem| problem.message);
    assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
}

/// The first record of an uncompressed book with `records` text records.
fn first(records: u8, version: u8, encryption: u8) -> Vec<u8> {
    let mut bytes = vec![0, 1, 0, 0, 0, 0, 0, 0, 0, records, 16, 0, 0, encryption, 0, 0];
    bytes.extend_from_slice(b"MOBI\0\0\0\xe8");
    bytes.resize(248, 0);
    bytes[28..32].copy_from_slice(&65001u32.to_be_bytes());
    bytes[39] = version;
    [112, 192, 244].into_iter().for_each(|at| bytes[at..at + 4].fill(0xff));
    bytes[243] = 1;
    bytes
}

#[test]
fn records_are_joined_and_pages_divided() {
    let records: [&[u8]; 3] =
        [&first(2, 6, 0), b"<h1>One</h1><p>caf\xc3\0\x00", b"\xa9</p><mbp:pagebreak/><p>two</p>\0"];
    let mut records = records;
    records[1] = b"<h1>One</h1><p>caf\xc3\xa9\x00";
    records[2] = b"</p><mbp:pagebreak/><p>two</p>\x00";
    let document = open(&database(b"BOOKMOBI", &records)).unwrap();
    assert_eq!(document.text.text, "# One\n\ncafé\n\ntwo\n");
    assert_eq!(document.text.places.0.len(), 2);
}

#[test]
fn what_is_missing_is_told() {
    let whole = database(b"BOOKMOBI", &[&first(3, 6, 0), b"<p>one</p>\0", b"<p>two</p>\0"]);
    let document = open(&whole).unwrap();
    assert_eq!(document.text.text, "one\n\ntwo\n");
    assert_eq!(document.problems, [damaged("1 of 3 records of text are missing or broken")]);
    check(&database(b"BOOKMOBI", &[&first(1, 6, 0)]), Err("no record of its text can be read"));
}

#[test]
fn encrypted_books_and_other_formats_are_told() {
    let encrypted = database(b"BOOKMOBI", &[&first(1, 6, 2), b"x"]);
    check(&encrypted, Err("the book is encrypted with Mobipocket or Kindle DRM"));
    check(b"TPZ0xxxxxxxx", Err("a Topaz book, which is not read: its words are pictures of words"));
    check(b"\xeaDRMION\xee", Err("the book is encrypted with Kindle DRM (KFX)"));
    check(b"CONT\x02\0", Err("a KFX book, which is not read"));
    check(
        &database(b"TEXtREAd", &[&[0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 16, 0, 0, 0, 0, 0], b"plain"]),
        Ok("plain"),
    );
}

#[test]
fn a_part_without_tables_is_read_as_it_stands() {
    check(&database(b"BOOKMOBI", &[&first(1, 8, 0), b"<p>one</p>\0"]), Ok("one\n"));
}

#[test]
fn what_is_missing_or_replaced_is_to_be_reviewed() {
    let reasons = |broken: usize, missing: usize, replaced: usize| {
        let text = RawText { broken, records: 5, ..RawText::default() };
        let mut document = Document::default();
        add_review_reasons(&mut document, &text, missing, replaced);
        let problems = document.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>();
        (document.review_reasons, problems)
    };
    assert_eq!(reasons(0, 0, 0), (Vec::new(), Vec::new()));
    let reason = |kind, detail: &str| vec![ReviewReason::new(kind, detail)];
    assert_eq!(reasons(2, 0, 0), (reason(ReviewReasonKind::SkippedParts, "2 of 5 records"), Vec::new()));
    assert_eq!(reasons(0, 0, 1), (reason(ReviewReasonKind::ReplacedCharacters, "1 characters"), Vec::new()));
    assert_eq!(reasons(0, 3, 0).1, ["3 fragments are missing or too short"]);
}

#[test]
fn a_book_has_its_kind_and_its_encoding() {
    let whole = database(b"BOOKMOBI", &[&first(1, 6, 0), b"<p>one</p>\0"]);
    let document = open(&whole).unwrap();
    assert_eq!(document.kind, Some(TextKind::Markup));
    assert_eq!(document.encoding.as_deref(), Some("utf-8"));
    assert_eq!(document.mime.as_deref(), Some("application/x-mobipocket-ebook"));
    assert!(document.problems.is_empty() && document.review_reasons.is_empty());
    assert_eq!([65001, 99_999].map(encoding_name), ["utf-8", "cp1252"]);
}
