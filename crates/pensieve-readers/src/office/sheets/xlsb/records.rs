//! Records of binary parts: a kind, a length, and that many bytes of content.

use crate::limits::sheets::MAX_RECORD_BYTES;
use std::io::{BufReader, Read};

/// A reader of records.
pub(super) struct XlsbRecords<R> {
    source: BufReader<R>,
    content: Vec<u8>,
    broken: Option<String>,
}

impl<R: Read> XlsbRecords<R> {
    /// A reader of the records of `source`.
    pub fn new(source: R) -> XlsbRecords<R> {
        XlsbRecords { source: BufReader::with_capacity(64 << 10, source), content: Vec::new(), broken: None }
    }

    /// Why the records ended early, if they did.
    pub fn broken(self) -> Option<String> {
        self.broken
    }

    /// Kind and content of the next record.
    pub fn next(&mut self) -> Option<(u16, XlsbFields<'_>)> {
        if self.broken.is_some() {
            return None;
        }
        let kind = self.number(2)?;
        let Some(length) = self.number(4).map(u64::from).filter(|length| *length <= MAX_RECORD_BYTES) else {
            self.broken.get_or_insert_with(|| "a record has no length".to_owned());
            return None;
        };
        self.content.clear();
        match self.source.by_ref().take(length).read_to_end(&mut self.content) {
            Err(error) => self.broken = Some(error.to_string()),
            Ok(read) if (read as u64) < length => {
                self.broken = Some("the part ends inside a record".to_owned())
            }
            Ok(_) => {
                return Some((u16::try_from(kind).unwrap_or(u16::MAX), XlsbFields { rest: &self.content }));
            }
        }
        None
    }

    /// A number with seven bits per byte, the lowest first; the eighth bit means that one more byte follows.
    fn number(&mut self, max_bytes: u32) -> Option<u32> {
        let mut number = 0;
        for place in 0..max_bytes {
            let mut byte = [0];
            match self.source.read(&mut byte) {
                Ok(1) => {}
                Ok(_) => return None,
                Err(error) => {
                    self.broken = Some(error.to_string());
                    return None;
                }
            }
            number |= u32::from(byte[0] & 0x7f) << (7 * place);
            if byte[0] & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

/// The fields of a record, one after the other; `None` after its end.
pub(super) struct XlsbFields<'r> {
    rest: &'r [u8],
}

impl<'r> XlsbFields<'r> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*head)
    }

    /// Skips bytes.
    pub fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    /// A text after its length; `None` if there is none, or if it is shorter than its length says.
    pub fn string(&mut self) -> Option<String> {
        let length = usize::try_from(self.u32()?).ok()?.checked_mul(2)?;
        let (units, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        let units = units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        Some(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    }
}
