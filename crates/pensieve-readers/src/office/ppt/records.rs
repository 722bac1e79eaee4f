//! Records of PowerPoint and of Office drawings: a head of eight bytes, followed by bytes or further records. Format:
//! [MS-PPT] section 2.3.1, [MS-ODRAW] section 2.2.1.

use crate::shared::bytes::{has_lost_characters, u16_le, u32_le};

#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    /// Its type, one of [`kinds`].
    pub kind: u16,
    /// Distinguishes records of one type.
    pub instance: u16,
    /// Its body consists of records.
    pub is_container: bool,
    /// Its body, as far as the file has it.
    pub body: &'a [u8],
}

/// Consecutive records.
#[derive(Debug, Clone)]
pub(super) struct Records<'a> {
    bytes: &'a [u8],
}

impl<'a> Records<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Records<'a> {
        Records { bytes }
    }

    /// The record at a position of a stream.
    pub(super) fn at(stream: &'a [u8], place: usize) -> Option<Record<'a>> {
        Records::new(stream.get(place..)?).next()
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let head = u16_le(self.bytes, 0)?;
        let kind = u16_le(self.bytes, 2)?;
        let length = u32_le(self.bytes, 4)? as usize;
        let rest = &self.bytes[8..];
        let (body, rest) = rest.split_at(length.min(rest.len()));
        self.bytes = rest;
        Some(Record { kind, instance: head >> 4, is_container: head & 15 == 15, body })
    }
}

impl<'a> Record<'a> {
    /// The records inside.
    pub(super) fn inner(self) -> Records<'a> {
        Records::new(if self.is_container { self.body } else { &[] })
    }

    /// The first record of a type inside.
    pub(super) fn child(self, kind: u16) -> Option<Record<'a>> {
        self.inner().find(|record| record.kind == kind)
    }

    /// True if its head is nothing but zeros, or a part of its text.
    fn is_lost(self) -> bool {
        let is_text = matches!(self.kind, kinds::TEXT_CHARS | kinds::TEXT_BYTES | kinds::STRING);
        self.kind == 0 && self.instance == 0 && self.body.is_empty()
            || is_text && has_lost_characters(self.body)
    }

    /// The body as UTF-16 text.
    pub(super) fn text(self) -> String {
        String::from_utf16_lossy(&units(self.body))
    }
}

/// True if zeros stand where a container has records, or a record has text.
pub(super) fn has_lost_records(container: Record<'_>) -> bool {
    let mut open = vec![container.inner()];
    while let Some(records) = open.last_mut() {
        match records.next() {
            Some(record) if record.is_lost() => return true,
            Some(record) if record.is_container => open.push(record.inner()),
            Some(_) => {}
            None => drop(open.pop()),
        }
    }
    false
}

pub(super) fn units(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

/// Types of records.
pub(super) mod kinds {
    pub const DOCUMENT: u16 = 0x03e8;
    pub const SLIDE: u16 = 0x03ee;
    pub const SLIDE_ATOM: u16 = 0x03ef;
    pub const NOTES: u16 = 0x03f0;
    pub const SLIDE_PERSIST: u16 = 0x03f3;
    pub const SHOW_INFO: u16 = 0x03f9;
    pub const EXTERNAL_OBJECTS: u16 = 0x0409;
    pub const DRAWING: u16 = 0x040c;
    pub const OUTLINE_REFERENCE: u16 = 0x0f9e;
    pub const TEXT_HEADER: u16 = 0x0f9f;
    pub const TEXT_CHARS: u16 = 0x0fa0;
    pub const TEXT_STYLES: u16 = 0x0fa1;
    pub const TEXT_BYTES: u16 = 0x0fa8;
    pub const STRING: u16 = 0x0fba;
    pub const HYPERLINK_ATOM: u16 = 0x0fd3;
    pub const HYPERLINK: u16 = 0x0fd7;
    pub const SLIDE_NUMBER: u16 = 0x0fd8;
    pub const HEADERS_FOOTERS: u16 = 0x0fd9;
    pub const TEXT_INTERACTION: u16 = 0x0fdf;
    pub const SLIDE_LIST: u16 = 0x0ff0;
    pub const INTERACTION: u16 = 0x0ff2;
    pub const INTERACTION_ATOM: u16 = 0x0ff3;
    pub const USER_EDIT: u16 = 0x0ff5;
    pub const DATE: u16 = 0x0ff7;
    pub const GENERIC_DATE: u16 = 0x0ff8;
    pub const FOOTER: u16 = 0x0ff9;
    pub const HEADER: u16 = 0x0ffa;
    pub const TIME_FORMAT: u16 = 0x1015;
    pub const TAGS: u16 = 0x1388;
    pub const BINARY_TAG: u16 = 0x138a;
    pub const BINARY_TAG_DATA: u16 = 0x138b;
    pub const PERSIST_DIRECTORY: u16 = 0x1772;
    pub const COMMENT: u16 = 0x2ee0;
    pub const DRAWING_CONTAINER: u16 = 0xf002;
    pub const GROUP: u16 = 0xf003;
    pub const SHAPE: u16 = 0xf004;
    pub const PROPERTIES: u16 = 0xf00b;
    pub const TEXT_BOX: u16 = 0xf00d;
    pub const CHILD_ANCHOR: u16 = 0xf00f;
    pub const MORE_PROPERTIES: u16 = 0xf122;
}
