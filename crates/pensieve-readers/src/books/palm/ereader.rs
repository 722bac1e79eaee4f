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
use pensieve_text::model::{
    Document, Locator, Problem, ProblemKind, ReviewReason, ReviewReasonKind, TextKind,
};
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
        document.problems.push(damaged(&message));
        document.review_reasons.push(ReviewReason::new(ReviewReasonKind::SkippedParts, message));
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
