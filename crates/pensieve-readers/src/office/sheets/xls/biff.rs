//! Records of old workbooks: a kind, a length, and that many bytes of content.

use crate::shared::ole::Compound;
use crate::source::ReadSeek;
use pensieve_text::model::{Problem, ProblemKind};
use std::io::{Read, SeekFrom};

/// Bytes that are read at once.
const WINDOW_BYTES: usize = 256 << 10;

/// The kind of a record that continues the previous one.
pub(super) const CONTINUE: u16 = 0x3c;

/// The source of the records.
pub(super) enum BiffSource<'a> {
    /// In a stream of a compound file.
    Compound(Box<Compound<'a>>, usize),
    /// In the file itself, as Excel 2 to 4 wrote them.
    File(&'a mut dyn ReadSeek),
}

/// A reader of records from anywhere in their stream.
pub(super) struct BiffStream<'a> {
    origin: BiffSource<'a>,
    window: Vec<u8>,
    window_at: u64,
    at: u64,
    /// The content of the record that was read last.
    pub content: Vec<u8>,
    /// Its kind.
    pub kind: u16,
}

/// True when a file begins with the first record of a workbook.
pub(super) fn begins_records(head: &[u8]) -> bool {
    let number = |at: usize| Some(u16::from_le_bytes([*head.get(at)?, *head.get(at + 1)?]));
    matches!(number(0), Some(0x0009 | 0x0209 | 0x0409 | 0x0809))
        && number(2).is_some_and(|length| (4..=32).contains(&length))
}

impl<'a> BiffStream<'a> {
    /// A reader of the records of `origin`.
    pub fn new(origin: BiffSource<'a>) -> BiffStream<'a> {
        BiffStream { origin, window: Vec::new(), window_at: 0, at: 0, content: Vec::new(), kind: 0 }
    }

    /// Continues with the record that begins at this byte.
    pub fn go_to(&mut self, at: u64) {
        self.at = at;
    }

    /// Reads the next record; false if there is none, or if it is cut.
    pub fn next(&mut self) -> Result<bool, Problem> {
        let Some(head) = self.bytes(4)? else { return Ok(false) };
        let kind = u16::from_le_bytes([head[0], head[1]]);
        let length = usize::from(u16::from_le_bytes([head[2], head[3]]));
        // Writers leave empty space after the last record.
        if kind == 0 && length == 0 {
            return Ok(false);
        }
        self.at += 4;
        let mut content = std::mem::take(&mut self.content);
        content.clear();
        let found = self.bytes(length)?.map(|bytes| content.extend_from_slice(bytes));
        if found.is_some() {
            self.at += length as u64;
            self.kind = kind;
        }
        self.content = content;
        Ok(found.is_some())
    }

    /// The kind of the next record, without reading it.
    pub fn peek(&mut self) -> Result<Option<u16>, Problem> {
        Ok(self.bytes(4)?.map(|head| u16::from_le_bytes([head[0], head[1]])))
    }

    /// The next `length` bytes; `None` if there are fewer.
    fn bytes(&mut self, length: usize) -> Result<Option<&[u8]>, Problem> {
        let end = self.at.saturating_add(length as u64);
        let is_here = self.at >= self.window_at && end <= self.window_at + self.window.len() as u64;
        if !is_here {
            self.window_at = self.at;
            self.window = match &mut self.origin {
                BiffSource::Compound(compound, entry) => {
                    compound.read_range(*entry, self.at, WINDOW_BYTES)?
                }
                BiffSource::File(file) => window_of(*file, self.at)?,
            };
        }
        let start = usize::try_from(self.at - self.window_at).unwrap_or(usize::MAX);
        Ok(self.window.get(start..start.saturating_add(length)))
    }
}

fn window_of(file: &mut dyn ReadSeek, at: u64) -> Result<Vec<u8>, Problem> {
    let mut window = Vec::new();
    let read =
        file.seek(SeekFrom::Start(at)).and_then(|_| file.take(WINDOW_BYTES as u64).read_to_end(&mut window));
    read.map_err(|error| Problem::new(ProblemKind::Io, format!("cannot read: {error}")))?;
    Ok(window)
}
