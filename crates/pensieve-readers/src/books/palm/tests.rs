//! Books that are whole, broken, encrypted or of other programs, all through `read`.

use super::*;
use crate::books::palm_database::testing::database;
use crate::books::palm_or_mobi::read_pdb;
use crate::source::DiscardingSink;
use std::io::{Cursor, Write};

fn open(bytes: &[u8]) -> Result<Document, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.pdb")?;
    read_pdb(&mut source, &ReadSettings::default(), &mut DiscardingSink)
}

fn check(kind: &[u8; 8], records: &[&[u8]], expected: Result<&str, &str>) {
    let found = open(&database(kind, records));
    let found = found.map(|document| document.text.text).map_err(|problem| problem.message);
    assert_eq!(found, expected.map(str::to_owned).map_err(str::to_owned));
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn palm_doc_is_text_or_a_page() {
    let head = |compression: u8| [0, compression, 0, 0, 0, 0, 0, 9, 0, 2, 16, 0, 0, 0, 0, 0];
    check(b"TEXtREAd", &[&head(1), b"one\n", b"two"], Ok("one\ntwo"));
    check(b"TEXtREAd", &[&head(2), b"one", b"\xf4wo\0"], Ok("one two"));
    check(b"TEXtREAd", &[&head(1), b"<html><h1>A</h1>", b"<p>b"], Ok("# A\n\nb\n"));
    let mut encrypted = head(1);
    encrypted[13] = 2;
    check(b"TEXtREAd", &[&encrypted, b"x"], Err("the book is encrypted with Mobipocket or Kindle DRM"));
}

#[test]
fn lines_of_what_was_unpacked_are_places() {
    let head = [0, 1, 0, 0, 0, 0, 0, 9, 0, 1, 16, 0, 0, 0, 0, 0];
    let document = open(&database(b"TEXtREAd", &[&head, b"one\ntwo\n"])).unwrap();
    assert_eq!(document.text.line_at(5), Some(2));
    assert!(document.text.map.is_empty());
    assert_eq!(document.metadata, [("title".to_owned(), "A book".to_owned())]);
}

#[test]
fn ztxt_is_one_stream() {
    let packed = zlib(b"one two three");
    let head = [1, 0x2c, 0, 2, 0, 0, 0, 13, 32, 0, 0, 0];
    let (first, second) = packed.split_at(5);
    check(b"zTXTGPlm", &[&head, first, second], Ok("one two three"));
    let cut = open(&database(b"zTXTGPlm", &[&head, first, &second[..6]])).unwrap();
    assert_eq!(cut.problems.len(), 1);
}

#[test]
fn ereader_books_have_notes_and_metadata() {
    let mut head = [0u8; 132];
    let numbers = [(1, 10), (13, 2), (25, 1), (29, 1), (45, 2), (49, 3)];
    numbers.iter().for_each(|&(at, number)| head[at] = number);
    let text = zlib(b"\\xOne\\x\nWords\\Fn=\"n1\"*\\Fn.\n");
    let records: [&[u8]; 5] = [&head, &text, b"T\0A\0R\0P\0978\0", b"n1\0", &zlib(b"A note.")];
    let document = open(&database(b"PNRdPPrs", &records)).unwrap();
    assert_eq!(document.text.text, "# One\n\nWords\\*[^n1].\n\n[^n1]: A note.\n");
    assert_eq!(document.metadata[4], ("isbn".to_owned(), "978".to_owned()));
    head[0] = 1;
    check(b"PNRdPPrs", &[&head, &text], Err("the book is encrypted with eReader DRM, scheme 266"));
}

#[test]
fn other_databases_are_told() {
    check(b"DataPlkr", &[b"x"], Err("a Plucker document, which is not read"));
    check(b"DATAmemo", &[b"x"], Err("a database of the Palm program `DATAmemo`, which is not read"));
    check(b"\0\0\0\0\0\0\0\0", &[b"x"], Err("no Palm database"));
}
