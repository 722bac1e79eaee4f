//! One entry of a package: what its headers say of it, and its data.

use super::file::PackageFile;
use crate::shared::bytes::{u16_le, u32_le, u64_le};
use crate::shared::codepage;
use crate::shared::unpack::{Packing, unpacked};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use std::io::{self, BufRead, Read, Take};

pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
pub(super) const ENCRYPTED_WITH_AES: u16 = 99;

pub(super) const LOCAL_HEADER: &[u8; 4] = b"PK\x03\x04";
pub(super) const LOCAL_HEADER_BYTES: usize = 30;

/// The extra fields that are read.
const ZIP64_FIELD: u16 = 1;
const UNICODE_NAME_FIELD: u16 = 0x7075;

/// The largest factor by which deflate can expand: 258 bytes for two bits.
const MAX_DEFLATE_RATIO: u64 = 1032;

/// What a header says of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub method: u16,
    pub is_encrypted: bool,
    /// `None` if the header is written before the data were known.
    pub crc: Option<u32>,
    /// The length of its data in the package; `None` as for `crc`.
    pub packed: Option<u64>,
    /// The header gives it a size that its packed bytes cannot expand to.
    pub claims_too_much: bool,
    /// The place of its own header.
    pub header: u64,
    /// It is a symbolic link; its data are the target.
    pub is_link: bool,
}

/// The fields that both headers of an entry have: the directory's and the one before its data.
pub(super) struct HeaderFields {
    flags: u16,
    method: u16,
    crc: u32,
    packed: u32,
    unpacked: u32,
    pub name_bytes: usize,
    pub extra_bytes: usize,
}

impl HeaderFields {
    /// Reads the fields; they begin with the flags.
    pub fn read(fields: &[u8]) -> Option<HeaderFields> {
        Some(HeaderFields {
            flags: u16_le(fields, 0)?,
            method: u16_le(fields, 2)?,
            crc: u32_le(fields, 8)?,
            packed: u32_le(fields, 12)?,
            unpacked: u32_le(fields, 16)?,
            name_bytes: usize::from(u16_le(fields, 20)?),
            extra_bytes: usize::from(u16_le(fields, 22)?),
        })
    }

    /// The entry that the directory lists with its header at `header`.
    pub fn listed(&self, extra: &[u8], header: u32) -> Entry {
        let [unpacked, packed, header] = wide([self.unpacked, self.packed, header], extra);
        // Deflate makes at most 1032 bytes of one. Wrong sizes below that do no harm: the data know their own end.
        let most = packed.saturating_mul(MAX_DEFLATE_RATIO).saturating_add(MAX_DEFLATE_RATIO);
        Entry {
            claims_too_much: unpacked > most,
            method: self.method,
            is_encrypted: self.flags & 1 != 0,
            crc: Some(self.crc),
            packed: Some(packed),
            header,
            is_link: false,
        }
    }

    /// The entry whose own header stands at `header`.
    pub fn local(&self, extra: &[u8], header: u64) -> Entry {
        let is_known_later = self.flags & 8 != 0;
        let listed = self.listed(extra, 0);
        Entry {
            claims_too_much: listed.claims_too_much && !is_known_later,
            crc: listed.crc.filter(|_| !is_known_later),
            packed: listed.packed.filter(|&packed| !is_known_later || packed > 0),
            header,
            ..listed
        }
    }
}

/// Unpacked size, packed size and place; a number that does not fit its field is in the ZIP64 field, in this order.
fn wide(narrow: [u32; 3], extra: &[u8]) -> [u64; 3] {
    let field = extra_field(extra, ZIP64_FIELD).unwrap_or_default();
    let mut at = 0;
    narrow.map(|number| match u64_le(field, at).filter(|_| number == u32::MAX) {
        Some(wide) => {
            at += 8;
            wide
        }
        None => u64::from(number),
    })
}

/// The extra field of this number. One that is longer than the rest ends the search: nothing after it has a place.
fn extra_field(extra: &[u8], wanted: u16) -> Option<&[u8]> {
    let mut rest = extra;
    loop {
        let (number, length) = (u16_le(rest, 0)?, usize::from(u16_le(rest, 2)?));
        let (field, after) = rest.get(4..)?.split_at_checked(length)?;
        if number == wanted {
            return Some(field);
        }
        rest = after;
    }
}

/// A name in UTF-8, whether flagged as that or not; otherwise its Unicode field (Info-ZIP), otherwise in code page 437.
pub(super) fn entry_name(name: &[u8], extra: &[u8]) -> String {
    let unicode =
        || extra_field(extra, UNICODE_NAME_FIELD).and_then(|field| std::str::from_utf8(field.get(5..)?).ok());
    let name = match std::str::from_utf8(name).ok().or_else(unicode) {
        Some(name) => name.replace('\\', "/"),
        None => codepage::decode(437, name).replace('\\', "/"),
    };
    name.trim_start_matches('/').to_owned()
}

/// The usual name of a packing method.
pub(super) fn method_name(method: u16) -> String {
    let name = match method {
        1 => "Shrink",
        6 => "Implode",
        9 => "Deflate64",
        14 => "LZMA",
        98 => "PPMd",
        _ => return format!("method {method}"),
    };
    name.to_owned()
}

/// Moves the file to the first byte of an entry's data; false if its header is not where it should be.
pub(super) fn seek_to_data(file: &mut PackageFile<'_>, entry: &mut Entry) -> io::Result<bool> {
    let header: Option<[u8; LOCAL_HEADER_BYTES]> = file.read_at(entry.header)?;
    let header = header.filter(|header| header.starts_with(LOCAL_HEADER));
    let fields = header.as_ref().and_then(|header| HeaderFields::read(header.get(6..)?));
    let Some(fields) = fields else { return Ok(false) };
    entry.is_encrypted |= fields.flags & 1 != 0;
    file.reader().seek_relative((fields.name_bytes + fields.extra_bytes) as i64)?;
    Ok(true)
}

/// The data of an entry, unpacked; the end is an error if the checksum is not the one that the package gives.
pub(super) struct EntryReader<'r, R> {
    data: EntryData<'r, R>,
    crc: Crc,
    expected: Option<u32>,
}

enum EntryData<'r, R> {
    Stored(Take<R>),
    // Deflate marks its own end, so a wrong length in the directory does not cut it.
    Deflated(Box<DeflateDecoder<R>>),
    Packed(Box<dyn Read + 'r>),
}

impl<'r, R: BufRead + 'r> EntryReader<'r, R> {
    /// Reads data that the file stands at, if there is an unpacker for the method.
    ///
    /// # Errors
    /// The unpacker cannot be made.
    pub fn new(file: R, entry: &Entry) -> io::Result<EntryReader<'r, R>> {
        let length = entry.packed.unwrap_or(0);
        let data = match (entry.method, packing_of(entry.method)) {
            (DEFLATED, _) => EntryData::Deflated(Box::new(DeflateDecoder::new(file))),
            (_, Some(packing)) => EntryData::Packed(unpacked(packing, file.take(length))?),
            _ => EntryData::Stored(file.take(length)),
        };
        Ok(EntryReader { data, crc: Crc::new(), expected: entry.crc })
    }
}

/// The packing of a method besides deflate.
pub(super) fn packing_of(method: u16) -> Option<Packing> {
    match method {
        12 => Some(Packing::Bzip2),
        93 => Some(Packing::Zstd),
        95 => Some(Packing::Xz),
        _ => None,
    }
}

impl<R: BufRead> Read for EntryReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.data {
            EntryData::Stored(data) => data.read(buffer)?,
            EntryData::Deflated(data) => data.read(buffer)?,
            EntryData::Packed(data) => data.read(buffer)?,
        };
        self.crc.update(buffer.get(..read).unwrap_or_default());
        if read == 0 && self.expected.is_some_and(|expected| expected != self.crc.sum()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong"));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_too_large_for_their_fields_are_in_the_extra_field() {
        let extra = [&[9, 9, 2, 0, 0, 0, 1, 0, 16, 0][..], &7u64.to_le_bytes(), &8u64.to_le_bytes()].concat();
        assert_eq!(wide([u32::MAX, 5, u32::MAX], &extra), [7, 5, 8]);
        assert_eq!(wide([u32::MAX; 3], &extra), [7, 8, u64::from(u32::MAX)]);
        assert_eq!(wide([u32::MAX; 3], &[]), [u64::from(u32::MAX); 3]);
        assert_eq!(wide([u32::MAX; 3], &[1, 0, 99, 0, 1]), [u64::from(u32::MAX); 3]);
    }

    #[test]
    fn names_are_in_utf_8_or_named_by_a_field_or_in_the_old_code_page() {
        assert_eq!(entry_name("\\a\\\u{e4}".as_bytes(), &[]), "a/\u{e4}");
        assert_eq!(entry_name(b"/b\\\x84", &[]), "b/\u{e4}");
        let field = [&[0x75, 0x70, 7, 0, 1, 0, 0, 0, 0][..], "\u{20ac}".as_bytes()].concat();
        assert_eq!(entry_name(b"\xff", &[&field[..2], &[8], &field[3..]].concat()), "\u{20ac}");
        assert_eq!(entry_name(b"\x84", &field), "\u{e4}");
    }
}
