//! The first record of a Mobipocket or KF8 book: the compression of its text, the places of its tables, its metadata.
//!
//! After the MobileRead wiki ("MOBI", "EXTH"): 16 bytes as in PalmDOC, then the MOBI header, then records of
//! metadata. Numbers are big endian; a number of all ones means "absent".

use crate::books::palm_database::{damaged, refuse_encrypted};
use crate::limits::mobi::{MAX_METADATA, MAX_METADATA_BYTES};
use crate::shared::bytes::{u16_be, u32_be};
use crate::shared::codepage::decode;
use pensieve_text::model::Problem;

/// The type of metadata with the start of the second book of a file with two.
const BOUNDARY: u32 = 121;

/// Types of metadata with their keys in our metadata. After the MobileRead wiki ("MOBI", EXTH records).
const KEYS: &[(u32, &str)] = &[
    (503, "title"),
    (100, "author"),
    (524, "language"),
    (101, "publisher"),
    (106, "date"),
    (104, "isbn"),
    (113, "identifier"),
    (105, "subject"),
    (103, "description"),
    (108, "contributor"),
    (109, "rights"),
    (112, "source"),
];

/// Languages by the lower byte of their Windows number.
#[rustfmt::skip]
const LANGUAGES: &[(u32, &str)] = &[
    (1, "ar"), (2, "bg"), (3, "ca"), (4, "zh"), (5, "cs"), (6, "da"), (7, "de"), (8, "el"), (9, "en"), (10, "es"),
    (11, "fi"), (12, "fr"), (13, "he"), (14, "hu"), (15, "is"), (16, "it"), (17, "ja"), (18, "ko"), (19, "nl"),
    (20, "no"), (21, "pl"), (22, "pt"), (24, "ro"), (25, "ru"), (26, "hr"), (27, "sk"), (28, "sq"), (29, "sv"),
    (30, "th"), (31, "tr"), (34, "uk"), (36, "sl"), (37, "et"), (38, "lv"), (39, "lt"), (41, "fa"), (42, "vi"),
    (45, "eu"), (54, "af"), (57, "hi"),
];

/// The first record of a book.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BookHeader {
    /// The record number from which the others are counted.
    pub base: usize,
    /// 1 for no compression, 2 for PalmDOC, 17480 for HUFF/CDIC.
    pub compression: u16,
    /// The number of text records.
    pub records: usize,
    /// Bytes of the text, unpacked.
    pub text_length: usize,
    /// The code page of the text.
    pub code_page: u32,
    /// 8 for KF8.
    pub version: u32,
    /// Flags of the entries that follow the text of each record.
    pub trailing: u16,
    /// The first record of the dictionary and how many there are.
    pub dictionary: (usize, usize),
    /// The contents.
    pub contents: Option<usize>,
    /// The tables of a KF8 book: flows, fragments, skeletons.
    pub flows: Option<usize>,
    pub fragments: Option<usize>,
    pub skeletons: Option<usize>,
    /// The start of the second book.
    pub boundary: Option<usize>,
    /// The metadata of the book.
    pub metadata: Vec<(String, String)>,
}

impl BookHeader {
    /// Reads the record with the number `base`.
    ///
    /// # Errors
    /// It is not such a record, or the text is encrypted.
    pub(super) fn read(record: &[u8], base: usize) -> Result<BookHeader, Problem> {
        if record.get(16..20) != Some(b"MOBI") {
            return Err(damaged("its first record is none of a Mobipocket book"));
        }
        refuse_encrypted(record)?;
        let length = u32_be(record, 20).unwrap_or_default() as usize;
        // Bytes after the end of the header are not fields of it.
        let field = |at: usize| u32_be(record, at).filter(|_| at + 4 <= length.saturating_add(16));
        let index = |at: usize| field(at).filter(|&number| number != u32::MAX).map(|number| number as usize);
        let version = field(36).unwrap_or_default();
        let is_kf8 = version >= 8;
        let extended = MetadataRecords::read(record, length, field(128).unwrap_or_default());
        let code_page = match field(28) {
            None | Some(0 | u32::MAX) => 1252,
            Some(code_page) => code_page,
        };
        let mut header = BookHeader {
            base,
            compression: u16_be(record, 0).unwrap_or_default(),
            records: usize::from(u16_be(record, 8).unwrap_or_default()),
            text_length: u32_be(record, 4).unwrap_or_default() as usize,
            code_page,
            version,
            trailing: if length >= 228 { u16_be(record, 242).unwrap_or_default() } else { 0 },
            dictionary: (index(112).unwrap_or_default(), index(116).unwrap_or_default()),
            contents: index(244),
            flows: index(192).filter(|_| is_kf8),
            fragments: index(248).filter(|_| is_kf8),
            skeletons: index(252).filter(|_| is_kf8),
            boundary: extended.number(BOUNDARY).map(|number| number as usize),
            metadata: extended.rows(code_page),
        };
        header.add_title(record, field(84), field(88));
        header.add_language(field(92));
        Ok(header)
    }

    /// Adds the full name of the book, which is stored after the metadata, if these have no title.
    fn add_title(&mut self, record: &[u8], at: Option<u32>, length: Option<u32>) {
        let (Some(at), Some(length)) = (at, length) else { return };
        let end = (at as usize).saturating_add((length as usize).min(MAX_METADATA_BYTES));
        let name = record.get(at as usize..end).map(|name| decode(self.code_page, name)).unwrap_or_default();
        let name = in_one_line(&name);
        if !name.is_empty() && !self.metadata.iter().any(|(key, _)| key == "title") {
            self.metadata.insert(0, ("title".to_owned(), name));
        }
    }

    fn add_language(&mut self, number: Option<u32>) {
        let language = LANGUAGES.iter().find(|(low, _)| number.is_some_and(|number| number & 0xff == *low));
        if let Some((_, language)) = language
            && !self.metadata.iter().any(|(key, _)| key == "language")
        {
            self.metadata.push(("language".to_owned(), (*language).to_owned()));
        }
    }
}

/// Records of metadata: type and value.
struct MetadataRecords<'r>(Vec<(u32, &'r [u8])>);

impl MetadataRecords<'_> {
    fn read(record: &[u8], length: usize, flags: u32) -> MetadataRecords<'_> {
        let mut found = Vec::new();
        let start = length.saturating_add(16);
        let count = match record.get(start..start.saturating_add(4)) {
            Some(b"EXTH") if flags & 0x40 != 0 => u32_be(record, start + 8).unwrap_or_default() as usize,
            _ => 0,
        };
        let mut at = start.saturating_add(12);
        for _ in 0..count.min(MAX_METADATA) {
            let (Some(kind), Some(size)) = (u32_be(record, at), u32_be(record, at.saturating_add(4))) else {
                break;
            };
            let end = at.saturating_add(size as usize);
            let Some(value) = record.get(at + 8..end) else { break };
            found.push((kind, value));
            at = end;
        }
        MetadataRecords(found)
    }

    fn number(&self, kind: u32) -> Option<u32> {
        let value = self.0.iter().find(|(other, _)| *other == kind)?.1;
        u32_be(value, 0).filter(|&number| number != u32::MAX)
    }

    /// The metadata in the order of [`KEYS`].
    fn rows(&self, code_page: u32) -> Vec<(String, String)> {
        let mut rows: Vec<(String, String)> = Vec::new();
        for (kind, key) in KEYS {
            for (_, value) in self.0.iter().filter(|(other, _)| other == kind) {
                let value = &value[..value.len().min(MAX_METADATA_BYTES)];
                let row = ((*key).to_owned(), in_one_line(&decode(code_page, value)));
                if !row.1.is_empty() && !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        rows
    }
}

fn in_one_line(value: &str) -> String {
    value.replace('\0', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(length: u32, encryption: u8, extended: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0, 2, 0, 0, 0, 0, 1, 0, 0, 3, 16, 0, 0, encryption, 0, 0];
        bytes.extend_from_slice(b"MOBI");
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.resize(16 + length as usize, 0);
        bytes[28..32].copy_from_slice(&65001u32.to_be_bytes());
        bytes[92..96].copy_from_slice(&0x407u32.to_be_bytes());
        bytes[131] = 0x40;
        bytes.extend_from_slice(b"EXTH\0\0\0\0");
        bytes.extend_from_slice(&(extended.len() as u32).to_be_bytes());
        for (kind, value) in extended {
            bytes.extend_from_slice(&kind.to_be_bytes());
            bytes.extend_from_slice(&(value.len() as u32 + 8).to_be_bytes());
            bytes.extend_from_slice(value);
        }
        bytes
    }

    #[test]
    fn metadata_are_rows() {
        let one = "Jón".as_bytes();
        let bytes =
            record(232, 0, &[(100, one), (100, b"B"), (503, b"T\n x"), (121, &[0, 0, 0, 9]), (9, b"")]);
        let header = BookHeader::read(&bytes, 0).unwrap();
        let rows: Vec<String> = header.metadata.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(rows, ["title=T x", "author=Jón", "author=B", "language=de"]);
        assert_eq!((header.boundary, header.records, header.code_page), (Some(9), 3, 65001));
    }

    #[test]
    fn the_full_name_is_the_title_where_metadata_have_none() {
        let check = |extended: &[(u32, &[u8])], at: Option<u32>, expected: &[(&str, &str)]| {
            let mut bytes = record(232, 0, extended);
            let end = bytes.len() as u32;
            bytes[84..88].copy_from_slice(&at.unwrap_or(end).to_be_bytes());
            bytes[88..92].copy_from_slice(&9u32.to_be_bytes());
            bytes.extend_from_slice(b"The\n lamp, and more");
            let header = BookHeader::read(&bytes, 0).unwrap();
            let rows: Vec<(&str, &str)> =
                header.metadata.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
            assert_eq!(rows, expected);
        };
        let language = ("language", "de");
        check(&[(100, b"B")], None, &[("title", "The lamp"), ("author", "B"), language]);
        check(&[(503, b"T")], None, &[("title", "T"), language]);
        check(&[(100, b"B")], Some(u32::MAX), &[("author", "B"), language]);
    }

    #[test]
    fn what_is_no_book_is_told() {
        assert_eq!(
            BookHeader::read(b"short", 0).unwrap_err(),
            damaged("its first record is none of a Mobipocket book")
        );
        let message = BookHeader::read(&record(232, 2, &[]), 0).unwrap_err().message;
        assert_eq!(message, "the book is encrypted with Mobipocket or Kindle DRM");
        let whole = record(232, 0, &[(100, b"A"), (101, b"B")]);
        for cut in 20..whole.len() {
            assert!(BookHeader::read(&whole[..cut], 0).is_ok());
        }
    }
}
