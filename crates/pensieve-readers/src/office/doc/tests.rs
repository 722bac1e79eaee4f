//! Small documents, each for one rule of the reader.

mod stories;
mod tables;

use super::*;
use crate::shared::ole::testing::compound;
use pensieve_text::model::{ContainerMember, Segment};
use std::io::Cursor;

const ALL: &[u8] = include_bytes!("../../../tests/golden/doc/all.doc");

#[derive(Default)]
struct TextCollector(String);

impl DocumentSink for TextCollector {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        self.0.push_str(&segment.text);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

fn text_of(bytes: &[u8]) -> Result<String, Problem> {
    let mut file = Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "a.doc")?;
    let mut keep = TextCollector::default();
    let document = read(&mut source, &ReadSettings::default(), &mut keep)?;
    Ok(keep.0 + &document.text.text)
}

/// A document of Word 6 whose text is one piece.
fn word6(identity: u16, language: u16, text: &[u8]) -> Vec<u8> {
    let mut stream = vec![0; 0x300];
    stream.extend_from_slice(text);
    stream[..2].copy_from_slice(&identity.to_le_bytes());
    stream[2..4].copy_from_slice(&104u16.to_le_bytes());
    stream[6..8].copy_from_slice(&language.to_le_bytes());
    stream[0x18..0x1c].copy_from_slice(&0x300u32.to_le_bytes());
    stream[0x1c..0x20].copy_from_slice(&(0x300 + text.len() as u32).to_le_bytes());
    stream[0x34..0x38].copy_from_slice(&(text.len() as u32).to_le_bytes());
    stream
}

#[test]
fn older_documents_give_their_text_in_their_code_page() {
    let russian = word6(0xa5dc, 0x0419, b"\xcf\xf0\xe8\xe2\xe5\xf2\rtwo\r");
    assert_eq!(text_of(&compound(&[("WordDocument", &russian)])).as_deref(), Ok("Привет\n\ntwo\n"));
    let table = word6(0xa5dc, 0x0409, b"a\x07b\x07\x07c\x07d\x07\x07after\r");
    let expected = "| a | b |\n| - | - |\n| c | d |\n\nafter\n";
    assert_eq!(text_of(&compound(&[("WordDocument", &table)])).as_deref(), Ok(expected));
    assert_eq!(
        text_of(&word6(0xa5db, 0x0409, b"Word \x13PAGE\x14 2\x15.\r")).as_deref(),
        Ok("Word  2.\n".replace("  ", " ").as_str())
    );
    let write =
        [b"\x31\xbe\0\0\0\0\0\0\0\0\0\0\0\0\x88\0\0\0".as_slice(), &[0; 110], b"a\r\nb \xe9\r\n"].concat();
    assert_eq!(text_of(&write).as_deref(), Ok("a\n\nb é\n"));
    assert_eq!(read_write(&write).kind, Some(TextKind::Markup));
}

#[test]
fn places_are_numbers_of_paragraphs() {
    let document = word6(0xa5dc, 0x0409, b"a\r\rb\rc\x07d\x07\x07after\r");
    let mut file = Cursor::new(compound(&[("WordDocument", &document)]));
    let mut source = DocumentSource::new(&mut file, "a.doc").expect("opens");
    let read = read(&mut source, &ReadSettings::default(), &mut TextCollector::default()).expect("reads");
    let places: Vec<String> = read.text.places.0.iter().map(|(_, place)| place.to_json()).collect();
    assert_eq!(
        places,
        ["{\"paragraph\":[1,1]}", "{\"paragraph\":[3,3]}", "{\"paragraph\":[4,5]}", "{\"paragraph\":[6,6]}"]
    );
}

#[test]
fn zeros_in_a_text_are_a_problem() {
    let check = |text: &[u8], length: usize, expected: &[&str]| {
        let mut bytes = ALL.to_vec();
        let at = memchr::memmem::find(ALL, text).expect("it has this text");
        bytes[at..at + length].fill(0);
        let mut file = Cursor::new(bytes.as_slice());
        let mut source = DocumentSource::new(&mut file, "a.doc").expect("seekable");
        let document =
            read(&mut source, &ReadSettings::default(), &mut TextCollector::default()).expect("reads");
        assert_eq!(document.problems.iter().map(|problem| &problem.message).collect::<Vec<_>>(), expected);
    };
    check(b"http://example.org/", 2, &[]);
    check(b"http://example.org/", 19, &["a block of the text is nothing but zeros"]);
    let style: Vec<u8> = "Normal".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&style, 80, &["a block of the tables of formats is nothing but zeros"]);
}

#[test]
fn files_without_a_document_are_refused() {
    let kind = |bytes: &[u8]| text_of(bytes).map_err(|problem| problem.kind);
    assert_eq!(kind(b"words"), Err(ProblemKind::Damaged));
    assert_eq!(kind(&compound(&[("Workbook", b"x")])), Err(ProblemKind::Damaged));
    assert_eq!(kind(&compound(&[("EncryptedPackage", b"x")])), Err(ProblemKind::Encrypted));
    assert_eq!(kind(&compound(&[("WordDocument", b"x")])), Err(ProblemKind::Damaged));
}

/// Every cut, and flipped bytes: the reader returns text or reports that the file is damaged, and never returns more
/// text than the file has bytes.
#[test]
fn damaged_documents_give_text_or_are_refused() {
    let whole = text_of(ALL).expect("reads");
    assert!(whole.contains("[the site](http://example.org/)"));
    let check = |bytes: &[u8], what: &str| match text_of(bytes) {
        Ok(text) => assert!(text.len() <= ALL.len(), "{what}: {} bytes of text", text.len()),
        Err(problem) => assert_eq!(problem.kind, ProblemKind::Damaged, "{what}: {problem:?}"),
    };
    for length in (0..ALL.len()).step_by(397) {
        check(&ALL[..length], &format!("cut at {length}"));
    }
    let mut bytes = ALL.to_vec();
    for at in (0..ALL.len()).filter(|&at| ALL[at] != 0).step_by(7) {
        for flipped in [0xff, ALL[at] ^ 0x40] {
            bytes[at] = flipped;
            check(&bytes, &format!("{flipped:#x} at {at}"));
        }
        bytes[at] = ALL[at];
    }
    assert_eq!(text_of(&bytes), Ok(whole));
}
