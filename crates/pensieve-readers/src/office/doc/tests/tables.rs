//! Documents of Word 97 made of their tables: notes, comments, headers, text boxes, pieces.

use super::{text_of, word6};
use crate::office::doc::fib::{Fib, FibTable, StoryKind, WordVersion};
use crate::office::doc::pieces::{TextPiece, pieces_of};
use crate::office::doc::tables::WordDocument;
use crate::shared::ole::testing::compound;
use pensieve_text::model::{Problem, ProblemKind};

/// Where the text begins.
const START: usize = 0x600;

/// A document stream with the texts of its stories, and where each table is in the stream of tables.
fn stream_of(stories: &[&str; 8], tables: &[(FibTable, Vec<u8>)]) -> (Vec<u8>, Vec<u8>) {
    let text = stories.concat();
    let mut stream = vec![0; START];
    let mut put = |at: usize, bytes: &[u8]| stream[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &0xa5ecu16.to_le_bytes());
    put(2, &193u16.to_le_bytes());
    put(0x18, &(START as u32).to_le_bytes());
    put(0x1c, &((START + text.len()) as u32).to_le_bytes());
    for (at, story) in stories.iter().enumerate() {
        put(0x4c + 4 * at, &(story.len() as u32).to_le_bytes());
    }
    let mut all = b"?".to_vec();
    for (which, table) in tables {
        let place = [all.len() as u32, table.len() as u32].map(u32::to_le_bytes).concat();
        put(0x9a + 8 * *which as usize, &place);
        all.extend_from_slice(table);
    }
    stream.extend_from_slice(text.as_bytes());
    (stream, all)
}

/// A table of positions and records of `size` bytes that begin as given.
fn plc(positions: &[u32], size: usize, records: &[(usize, u32)]) -> Vec<u8> {
    let mut table: Vec<u8> = positions.iter().flat_map(|position| position.to_le_bytes()).collect();
    for (at, value) in records {
        let mut record = vec![0; size];
        record[*at..*at + 4].copy_from_slice(&value.to_le_bytes());
        table.extend(record);
    }
    table
}

/// The table of one piece of characters of one byte.
fn one_piece(length: usize) -> (FibTable, Vec<u8>) {
    let place = 0x4000_0000 | (2 * START as u32);
    let piece = plc(&[0, length as u32], 8, &[(2, place)]);
    (FibTable::Pieces, [b"\x02\x10\0\0\0".as_slice(), &piece].concat())
}

fn check(stories: [&str; 8], tables: Vec<(FibTable, Vec<u8>)>, expected: &str) {
    let mut tables = tables;
    tables.push(one_piece(stories.concat().len()));
    let (stream, tables) = stream_of(&stories, &tables);
    let file = compound(&[("WordDocument", &stream), ("0Table", &tables)]);
    assert_eq!(text_of(&file).as_deref(), Ok(expected));
}

#[test]
fn notes_are_numbered_through_both_kinds() {
    let stories = ["a\x02b\x02c\x02\r", "one\rtwo\r", "", "", "", "three\r", "", ""];
    let tables = vec![
        (FibTable::FootnoteReferences, plc(&[1, 3, 7], 2, &[]).into_iter().chain([1, 0, 1, 0]).collect()),
        (FibTable::FootnoteTexts, plc(&[0, 4, 8], 0, &[])),
        (FibTable::EndnoteReferences, plc(&[5, 7], 2, &[]).into_iter().chain([1, 0]).collect()),
        (FibTable::EndnoteTexts, plc(&[0, 6], 0, &[])),
    ];
    check(stories, tables, "a[^1]b[^2]c[^3]\n\n[^1]: one\n\n[^2]: two\n\n[^3]: three\n");
}

#[test]
fn comments_have_authors() {
    let owners: Vec<u8> =
        ["Ann", "Ben"].iter().flat_map(|name| [&[3, 0], wide(name).as_slice()].concat()).collect();
    let stories = ["a\x05b\x05c\x05\r", "", "", "", "why\rhow\rwho\r", "", "", ""];
    let tables = vec![
        (FibTable::CommentReferences, plc(&[1, 3, 5, 7], 30, &[(20, 1), (20, 0), (20, 7)])),
        (FibTable::CommentTexts, plc(&[0, 4, 8, 12, 13], 0, &[])),
        (FibTable::CommentOwners, owners),
    ];
    check(stories, tables, "abc\n\n**Ben:** why\n\n**Ann:** how\n\nwho\n");
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn headers_come_before_footers() {
    let stories = ["body\r", "", "------A\rB\rC\rD\rE\rF\rG\r", "", "", "", "", "Box\r"];
    // Six lines between text and notes; then headers and footers of two sections.
    let positions = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20];
    let tables = vec![(FibTable::Headers, plc(&positions, 0, &[]))];
    let expected = "body\n\nA\n\nB\n\nE\n\nG\n\nBox\n\nC\n\nD\n\nF\n";
    check(stories, tables, expected);
}

#[test]
fn shapes_have_texts_by_their_numbers() {
    let stories = ["a\x08b\x08c\x08\r", "", "", "", "", "", "one\rtwo\rnone\r", ""];
    let tables = vec![
        (FibTable::TextBoxes, plc(&[0, 4, 8, 13], 22, &[(14, 0x105), (14, 0x106), (14, 0)])),
        (FibTable::Shapes, plc(&[1, 3, 5, 7], 26, &[(0, 0x106), (0, 0x105), (0, 0)])),
    ];
    check(stories, tables, "abc\n\ntwo\n\none\n");
}

#[test]
fn ranges_stay_in_their_story_and_in_order() {
    let stories = ["body\r", "0123456789", "", "", "", "", "", ""];
    let read = |positions: &[u32]| {
        let tables = [(FibTable::FootnoteTexts, plc(positions, 0, &[])), one_piece(15)];
        let (stream, tables) = stream_of(&stories, &tables);
        let bytes = compound(&[("WordDocument", &stream), ("0Table", &tables)]);
        read_tables(&bytes).expect("reads").ranges(FibTable::FootnoteTexts, 0, StoryKind::Footnotes)
    };
    assert_eq!(read(&[0, 4, 10]), [5..9, 9..15]);
    assert_eq!(read(&[2, 11, u32::MAX]), [7..15, 15..15]);
    assert_eq!(read(&[0, 4, 2, 6]), [5..9, 9..9, 9..11]);
    assert_eq!(read(&[3]), []);
}

fn read_tables(bytes: &[u8]) -> Result<WordDocument, Problem> {
    let mut file = std::io::Cursor::new(bytes);
    let mut source = crate::source::DocumentSource::new(&mut file, "a.doc")?;
    let mut compound = crate::shared::ole::Compound::open(&mut source)?;
    let entry = compound.find("WordDocument").expect("it has a document");
    let stream = compound.read(entry)?;
    let fib = Fib::parse(&stream).expect("it has a head");
    WordDocument::read(&mut compound, fib, stream)
}

#[test]
fn the_head_says_in_which_stream_the_tables_are() {
    let (mut stream, tables) = stream_of(&["body\r", "", "", "", "", "", "", ""], &[one_piece(5)]);
    let zeros = vec![0xff; tables.len()];
    let mut check = |flags: u8, names: [&str; 2], is_guessed: bool| {
        stream[11] = flags;
        let file = compound(&[("WordDocument", &stream), (names[0], &tables), (names[1], &zeros)]);
        assert_eq!(read_tables(&file).map(|document| document.is_guessed), Ok(is_guessed), "{names:?}");
    };
    check(0, ["0Table", "1Table"], false);
    check(0, ["1Table", "0Table"], true);
    check(2, ["1Table", "0Table"], false);
    check(2, ["0Table", "1Table"], true);
    // A stream that is missing is the other one.
    check(2, ["0Table", "Other"], false);
}

#[test]
fn encrypted_documents_name_their_scheme() {
    let (mut stream, _) = stream_of(&["body\r", "", "", "", "", "", "", ""], &[]);
    for (flags, scheme) in [(0x01, "RC4"), (0x81, "XOR obfuscation")] {
        stream[11] = flags;
        let message = format!("the document is encrypted with a password ({scheme})");
        let problem = Problem::new(ProblemKind::Encrypted, message);
        assert_eq!(text_of(&compound(&[("WordDocument", &stream)])), Err(problem));
    }
    stream[11] = 0x80;
    assert_eq!(text_of(&compound(&[("WordDocument", &stream)])).as_deref(), Ok("body\n"));
}

#[test]
fn pieces_are_guessed_by_their_zeros() {
    // A block of 64 bytes with as many zeros from a place on, at every second byte.
    let block = |first: usize, zeros: usize| -> String {
        let is_zero = |at: usize| at % 2 == first && at / 2 < zeros;
        (0..64).map(|at| if is_zero(at) { '\0' } else { 'a' }).collect()
    };
    let check = |text: &str, expected: &[(std::ops::Range<u32>, usize, bool)]| {
        let (stream, _) = stream_of(&[text, "", "", "", "", "", "", ""], &[]);
        let document = read_tables(&compound(&[("WordDocument", &stream)])).expect("reads");
        let pieces: Vec<_> = expected
            .iter()
            .map(|(characters, start, is_wide)| TextPiece {
                characters: characters.clone(),
                start: (START + start) as u32,
                is_wide: *is_wide,
            })
            .collect();
        assert_eq!((document.pieces, document.is_guessed), (pieces, true));
        assert_eq!(document.problems.len(), 1);
    };
    let text = [block(0, 0), block(1, 8), block(1, 9), block(1, 32), "b".repeat(10)].concat();
    check(&text, &[(0..128, 0, false), (128..192, 128, true), (192..202, 256, false)]);
    let text = [block(0, 9), block(0, 0)].concat();
    check(&text, &[(0..31, 1, true), (31..95, 64, false)]);
    check("abc", &[(0..3, 0, false)]);
}

#[test]
fn heads_are_known_by_identity_and_version() {
    for (identity, version, expected) in [
        (0xa5ecu16, 106u16, Some(WordVersion::Word97)),
        (0xa5ec, 105, Some(WordVersion::Word6)),
        (0xa5dc, 200, Some(WordVersion::Word6)),
        (0xa697, 0, Some(WordVersion::Word6)),
        (0xa698, 0, Some(WordVersion::Word6)),
        (0xa699, 0, Some(WordVersion::Word6)),
        (0xa5db, 0, Some(WordVersion::Word2)),
        (0xa59b, 0, Some(WordVersion::Word2)),
        (0xa59c, 0, Some(WordVersion::Word2)),
        (0xa5dd, 106, None),
    ] {
        let mut stream = vec![0; 0x400];
        stream[..2].copy_from_slice(&identity.to_le_bytes());
        stream[2..4].copy_from_slice(&version.to_le_bytes());
        assert_eq!(Fib::parse(&stream).map(|fib| fib.version), expected, "{identity:x} {version}");
    }
}

#[test]
fn heads_have_flags_and_the_place_of_the_text() {
    let (mut stream, _) = stream_of(&["body\r", "ab", "cde", "", "f", "gh", "ijk", "l"], &[]);
    let whole = Fib::parse(&stream).expect("a head");
    assert_eq!(whole.text, START..START + 17);
    let stories = [
        (StoryKind::Body, 0..5),
        (StoryKind::Footnotes, 5..7),
        (StoryKind::Headers, 7..10),
        (StoryKind::Comments, 10..11),
        (StoryKind::Endnotes, 11..13),
        (StoryKind::TextBoxes, 13..16),
        (StoryKind::HeaderTextBoxes, 16..17),
    ];
    for (story, expected) in stories {
        assert_eq!(whole.story(story), expected, "{story:?}");
    }
    for (at, value, expected) in [
        (10, 0x04, [true, false, false, false]),
        (11, 0x01, [false, true, false, false]),
        (11, 0x80, [false, false, true, false]),
        (11, 0x02, [false, false, false, true]),
        (11, 0x7c, [false; 4]),
    ] {
        let before = std::mem::replace(&mut stream[at], value);
        let fib = Fib::parse(&stream).expect("a head");
        let flags = [fib.is_complex, fib.is_encrypted, fib.is_obfuscated, fib.uses_second_table];
        assert_eq!(flags, expected, "{value:x} at {at}");
        stream[at] = before;
    }
    // No text and no story is longer than the stream.
    stream[0x1e] = 1;
    stream[0x4f] = 1;
    let long = Fib::parse(&stream).expect("a head");
    assert_eq!((long.text.clone(), long.story(StoryKind::Body)), (START..START + 17, 0..START as u32 + 17));
    stream[0x1a] = 2;
    assert_eq!(Fib::parse(&stream).expect("a head").text, START + 17..START + 17);
}

#[test]
fn documents_of_a_macintosh_are_in_its_code_page() {
    for (at, value, expected) in [(0x12, 1, "é\n"), (0x12, 2, "Ž\n"), (0x15, 1, "é\n"), (0x14, 1, "Ž\n")]
    {
        let mut stream = word6(0xa5dc, 0x0409, b"\x8e\r");
        stream[at] = value;
        let text = text_of(&compound(&[("WordDocument", &stream)]));
        assert_eq!(text.as_deref(), Ok(expected), "{value} at {at:x}");
    }
}

#[test]
fn pieces_are_in_order_and_in_their_stream() {
    let read = |version, positions: &[u32], places: &[u32], stream: usize| {
        let records: Vec<(usize, u32)> = places.iter().map(|place| (2, *place)).collect();
        let pieces = plc(positions, 8, &records);
        let table = [b"\x02".as_slice(), &(pieces.len() as u32).to_le_bytes(), &pieces].concat();
        let found = pieces_of(&table, version, stream);
        found.into_iter().map(|piece| (piece.characters, piece.start, piece.is_wide)).collect::<Vec<_>>()
    };
    let modern = WordVersion::Word97;
    assert_eq!(read(modern, &[0, 3, 5], &[0x4000_0000 | 20, 30], 100), [(0..3, 10, false), (3..5, 30, true)]);
    assert_eq!(read(WordVersion::Word6, &[0, 3], &[10], 100), [(0..3, 10, false)]);
    // Pieces that are blank, go back or begin after the stream are left out.
    assert_eq!(read(modern, &[0, 3, 3, 5], &[10, 20, 30], 100), [(0..3, 10, true), (3..5, 30, true)]);
    assert_eq!(read(modern, &[0, 5, 2, 4, 6], &[10; 4], 100), [(0..5, 10, true)]);
    assert_eq!(read(modern, &[0, 3, 5], &[99, 100], 100), [(0..0, 99, true)]);
    // Cut with the stream.
    assert_eq!(read(modern, &[2, 9], &[90], 97), [(2..5, 90, true)]);
    assert_eq!(read(WordVersion::Word6, &[2, 9], &[90], 95), [(2..7, 90, false)]);
    assert_eq!(read(WordVersion::Word6, &[2, 9], &[90], 97), [(2..9, 90, false)]);
}
