//! eReader books (`PNRd`/`PPrs`): text in PML, compressed as PalmDOC or with zlib, with notes and metadata in records
//! of their own.
//!
//! After the MobileRead wiki ("eReader", "PML"): the first record has 132 bytes if the book was made by later tools
//! (numbers of records at 12, 24, 28, 30, 44, 48, 50), and 202 if by earlier ones, which obfuscate the text with
//! 0xA5. Versions above 255 are encrypted with the buyer's name and card number.

use super::plain::{in_record, title_of};
use super::pml;
use crate::books::palm_database::{PalmDatabase, damaged};
use crate::books::palmdoc_lz as lz;
use crate::limits::palm::{MAX_EREADER_RECORD_BYTES, MAX_EREADER_TEXT_BYTES, MAX_NOTES, MAX_NOTES_BYTES};
use crate::markdown::{Block, MarkdownDraft};
use crate::shared::bytes::u16_be;
use crate::shared::codepage::{WESTERN, decode};
use pensieve_text::model::{Document, Locator, Problem, ProblemKind, TextKind};
use std::io::Read;

/// Bytes of the first record of the two kinds of book.
const LATER_HEADER_BYTES: usize = 132;
const EARLIER_HEADER_BYTES: usize = 202;

/// The fields of the first record.
#[derive(Debug, Clone, Copy)]
struct EreaderHeader {
    compression: u16,
    is_hidden: bool,
    /// The first record after the text.
    text_end: usize,
    metadata: Option<usize>,
    /// The first record of footnotes and of sidebars, with the number of them.
    notes: [(usize, usize); 2],
}

/// Reads an eReader book.
pub(super) fn read(database: &mut PalmDatabase<'_>) -> Result<Document, Problem> {
    let header = EreaderHeader::read(database)?;
    let mut state = EreaderBook { header, text: Vec::new(), starts: Vec::new(), broken: 0 };
    let is_cut = state.read_text(database);
    if state.text.is_empty() {
        return Err(damaged("no record of its text can be read"));
    }
    let mut draft = MarkdownDraft::new();
    let blocks = pml::blocks(&decode(WESTERN, &state.text));
    for (at, block) in &blocks {
        draft.place(Some(state.place_of(*at)));
        draft.push(block);
    }
    for (first, count) in header.notes {
        state.push_notes(database, first, count, &mut draft);
    }
    let mut document = Document {
        text: draft.finish(),
        kind: Some(TextKind::Markup),
        mime: Some("application/vnd.palm".to_owned()),
        encoding: Some("cp1252".to_owned()),
        metadata: state.metadata(database),
        ..Document::default()
    };
    if is_cut {
        let message = format!("the book expands beyond {MAX_EREADER_TEXT_BYTES} bytes: the rest is left out");
        document.problems.push(Problem::new(ProblemKind::SizeLimit, message));
    }
    if state.broken > 0 {
        let message = format!("{} records of text are missing or broken", state.broken);
        document.report(damaged(&message));
    }
    Ok(document)
}

impl EreaderHeader {
    fn read(database: &mut PalmDatabase<'_>) -> Result<EreaderHeader, Problem> {
        let head = database.record(0).ok_or_else(|| damaged("the database has no header record"))?;
        let number = |at: usize| usize::from(u16_be(&head, at).unwrap_or_default());
        let compression = u16_be(&head, 0).unwrap_or_default();
        if compression > 255 {
            let message = format!("the book is encrypted with eReader DRM, scheme {compression}");
            return Err(Problem::new(ProblemKind::Encrypted, message));
        }
        let there = database.len();
        match head.len() {
            EARLIER_HEADER_BYTES => Ok(EreaderHeader {
                compression,
                is_hidden: true,
                text_end: number(8).min(there),
                metadata: None,
                notes: [(0, 0); 2],
            }),
            LATER_HEADER_BYTES | 116.. => Ok(EreaderHeader {
                compression,
                is_hidden: false,
                text_end: number(12).min(there),
                metadata: (number(24) == 1).then(|| number(44)),
                notes: [(number(48), number(28)), (number(50), number(30))],
            }),
            other => Err(damaged(format!("no eReader book: its first record has {other} bytes"))),
        }
    }
}

/// A book that is being read.
struct EreaderBook {
    header: EreaderHeader,
    text: Vec<u8>,
    /// The offsets in the text at which records begin.
    starts: Vec<usize>,
    broken: usize,
}

impl EreaderBook {
    /// Unpacks the records of the text; true if they are too large.
    fn read_text(&mut self, database: &mut PalmDatabase<'_>) -> bool {
        for number in 1..self.header.text_end {
            self.starts.push(self.text.len());
            if self.text.len() > MAX_EREADER_TEXT_BYTES {
                return true;
            }
            match database.record(number).and_then(|record| self.unpack(record)) {
                Some((bytes, is_whole)) => {
                    self.text.extend_from_slice(&bytes);
                    self.broken += usize::from(!is_whole);
                }
                None => self.broken += 1,
            }
        }
        false
    }

    /// A record, unpacked, and whether all of it was unpacked.
    fn unpack(&self, mut record: Vec<u8>) -> Option<(Vec<u8>, bool)> {
        if self.header.is_hidden {
            record.iter_mut().for_each(|byte| *byte ^= 0xa5);
        }
        let mut out = Vec::new();
        let is_whole = match self.header.compression {
            10 => {
                let stream = flate2::read::ZlibDecoder::new(record.as_slice());
                stream.take(MAX_EREADER_RECORD_BYTES as u64).read_to_end(&mut out).is_ok()
            }
            _ => lz::unpack(&record, &mut out),
        };
        (!out.is_empty()).then_some((out, is_whole))
    }

    /// The record that contains a character of the text; each of its characters is one byte.
    fn place_of(&self, character: usize) -> Locator {
        in_record(self.starts.partition_point(|&start| start <= character).max(1))
    }

    /// Notes: a record of names, ended by zeros, then a record for each note.
    fn push_notes(
        &self,
        database: &mut PalmDatabase<'_>,
        first: usize,
        count: usize,
        draft: &mut MarkdownDraft,
    ) {
        if first == 0 || first < self.header.text_end {
            return;
        }
        let names = database.record(first).unwrap_or_default();
        let mut names = names.split(|&byte| byte == 0);
        let mut left = MAX_NOTES_BYTES;
        for number in first + 1..=first + count.min(MAX_NOTES) {
            let Some((bytes, _)) = database.record(number).and_then(|record| self.unpack(record)) else {
                continue;
            };
            let Some(rest) = left.checked_sub(bytes.len()) else { return };
            left = rest;
            let name = names.next().map(|name| decode(WESTERN, name)).unwrap_or_default();
            let label = if name.is_empty() { number.to_string() } else { name };
            let blocks: Vec<Block> =
                pml::blocks(&decode(WESTERN, &bytes)).into_iter().map(|(_, block)| block).collect();
            draft.place(Some(in_record(number)));
            if !blocks.is_empty() {
                draft.push(&Block::Note { label: pml::label(&label).into(), blocks });
            }
        }
    }

    /// Title, author, rights, publisher and ISBN, each ended by a zero.
    fn metadata(&self, database: &mut PalmDatabase<'_>) -> Vec<(String, String)> {
        const KEYS: [&str; 5] = ["title", "author", "rights", "publisher", "isbn"];
        let record = self.header.metadata.and_then(|number| database.record(number)).unwrap_or_default();
        // The text has one code page; these values are UTF-8 if current tools wrote them.
        let text = |value: &[u8]| match std::str::from_utf8(value) {
            Ok(text) => text.trim().to_owned(),
            Err(_) => decode(WESTERN, value).trim().to_owned(),
        };
        let values = record.split(|&byte| byte == 0).map(text);
        let mut rows: Vec<(String, String)> = KEYS
            .iter()
            .zip(values)
            .filter(|(_, value)| !value.is_empty() && value != "Unknown")
            .map(|(key, value)| ((*key).to_owned(), value))
            .collect();
        let title = title_of(&database.name);
        if !rows.iter().any(|(key, _)| key == "title") && !title.is_empty() {
            rows.insert(0, ("title".to_owned(), title));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::palm_database::testing::database;
    use crate::source::DocumentSource;
    use pensieve_text::model::ReviewReason;
    use std::io::Cursor;

    fn with_database<T>(records: &[&[u8]], run: impl FnOnce(&mut PalmDatabase<'_>) -> T) -> T {
        let mut file = Cursor::new(database(b"PNRdPPrs", records));
        let mut source = DocumentSource::new(&mut file, "a.pdb").unwrap();
        run(&mut PalmDatabase::open(&mut source).unwrap())
    }

    /// A first record of this many bytes with these numbers at these bytes.
    fn head(bytes: usize, numbers: &[(usize, u16)]) -> Vec<u8> {
        let mut head = vec![0; bytes];
        for (at, number) in numbers {
            head[*at..at + 2].copy_from_slice(&number.to_be_bytes());
        }
        head
    }

    #[test]
    fn earlier_books_hide_their_text() {
        let head = head(EARLIER_HEADER_BYTES, &[(0, 2), (8, 3)]);
        let hidden = |text: &str| text.bytes().map(|byte| byte ^ 0xa5).collect::<Vec<u8>>();
        let records: [&[u8]; 4] = [&head, &hidden("One\nand "), &hidden("two"), b"no text"];
        let document = with_database(&records, read).unwrap();
        assert_eq!(document.text.text, "One\n\nand two\n");
        assert_eq!(document.kind, Some(TextKind::Markup));
        assert_eq!(document.mime.as_deref(), Some("application/vnd.palm"));
        assert_eq!(document.encoding.as_deref(), Some("cp1252"));
        assert_eq!(document.metadata, [("title".to_owned(), "A book".to_owned())]);
        assert!(document.problems.is_empty() && document.review_reasons.is_empty());
    }

    #[test]
    fn schemes_above_a_byte_are_encryption() {
        for (scheme, expected) in [(2, None), (255, None), (256, Some(ProblemKind::Encrypted))] {
            let head = head(LATER_HEADER_BYTES, &[(0, scheme), (12, 2)]);
            let found = with_database(&[&head, b"One"], read).err().map(|problem| problem.kind);
            assert_eq!(found, expected, "{scheme}");
        }
    }

    #[test]
    fn broken_records_are_counted() {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::none());
        std::io::Write::write_all(&mut packer, b"One two three").unwrap();
        let whole = packer.finish().unwrap();
        let head = head(LATER_HEADER_BYTES, &[(0, 10), (12, 4)]);
        let cut = &whole[..whole.len() - 4];
        let document = with_database(&[&head, &whole, cut, b"?"], read).unwrap();
        let message = "2 records of text are missing or broken";
        assert_eq!(document.text.text, "One two threeOne two three\n");
        assert_eq!(document.problems, [damaged(message)]);
        assert_eq!(document.review_reasons, [ReviewReason::skipped(message)]);
    }

    #[test]
    fn text_beyond_the_limit_is_left_out() {
        for (before, is_cut) in [(MAX_EREADER_TEXT_BYTES, false), (MAX_EREADER_TEXT_BYTES + 1, true)] {
            let head = head(LATER_HEADER_BYTES, &[(0, 2), (12, 2)]);
            with_database(&[&head, b"One"], |database| {
                let header = EreaderHeader::read(database).unwrap();
                let mut state =
                    EreaderBook { header, text: vec![b'a'; before], starts: Vec::new(), broken: 0 };
                assert_eq!(state.read_text(database), is_cut);
                assert_eq!(state.text.len(), before + if is_cut { 0 } else { 3 });
            });
        }
    }

    #[test]
    fn characters_are_in_the_record_that_they_came_from() {
        let head = head(LATER_HEADER_BYTES, &[(0, 2), (12, 3)]);
        with_database(&[&head, b"One", b"two"], |database| {
            let header = EreaderHeader::read(database).unwrap();
            let mut state = EreaderBook { header, text: Vec::new(), starts: Vec::new(), broken: 0 };
            state.read_text(database);
            let places = [0, 2, 3, 5].map(|character| state.place_of(character));
            assert_eq!(places, [1, 1, 2, 2].map(in_record));
        });
    }

    #[test]
    fn notes_follow_the_record_of_their_names() {
        let text = |first: u16, count: u16| {
            let numbers = [(0, 2), (12, 2), (28, count), (48, first)];
            let head = head(LATER_HEADER_BYTES, &numbers);
            let records: [&[u8]; 5] = [&head, b"Words.", b"n1\0", b"One.", b"Two."];
            with_database(&records, read).unwrap().text.text
        };
        assert_eq!(text(2, 2), "Words.\n\n[^n1]: One.\n\n[^4]: Two.\n");
        assert_eq!(text(2, 1), "Words.\n\n[^n1]: One.\n");
        assert_eq!(text(3, 1), "Words.\n\n[^One.]: Two.\n");
        assert_eq!(text(0, 2), "Words.\n");
        assert_eq!(text(1, 2), "Words.\n");
    }

    #[test]
    fn metadata_that_is_unknown_is_none() {
        let metadata = |values: &[u8]| {
            let head = head(LATER_HEADER_BYTES, &[(0, 2), (12, 2), (24, 1), (44, 2)]);
            let document = with_database(&[&head, b"Words.", values], read).unwrap();
            document.metadata.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            metadata(b"T\0A\0R\0P\0978\0more\0"),
            ["title=T", "author=A", "rights=R", "publisher=P", "isbn=978"]
        );
        assert_eq!(metadata(b"Unknown\0A\0\0Unknown\0978\0"), ["title=A book", "author=A", "isbn=978"]);
        assert_eq!(metadata(b"\xc3\xa9\0\xe9\0"), ["title=é", "author=é"]);
    }
}
