//! Indices of Mobipocket and KF8 books: entries with a name and tagged numbers, in records of their own.
//!
//! After the MobileRead wiki ("MOBI", "INDX", "TAGX"): a first record `INDX` with the table of tags `TAGX` and the
//! number of records that follow; those have the entries, and after their header the table of their places (`IDXT`);
//! after them follow the records of strings (CNCX). An entry ends where the next one begins, so that no byte is read
//! twice.

use crate::books::palm_database::PalmDatabase;
use crate::limits::mobi::{MAX_INDEX_ENTRIES, MAX_INDEX_RECORDS, MAX_LABEL_BYTES, MAX_TAG_VALUES};
use crate::shared::bytes::u32_be;

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct IndexEntry {
    /// Its name.
    pub name: Vec<u8>,
    tags: Vec<(u8, Vec<u32>)>,
}

impl IndexEntry {
    /// A number of a tag.
    pub(super) fn number(&self, tag: u8, at: usize) -> Option<usize> {
        let values = &self.tags.iter().find(|(other, _)| *other == tag)?.1;
        values.get(at).map(|&value| value as usize)
    }
}

/// An index.
#[derive(Debug, Default)]
pub(super) struct BookIndex {
    /// Its entries, in order.
    pub entries: Vec<IndexEntry>,
    strings: Vec<Vec<u8>>,
}

impl BookIndex {
    /// Reads the index that begins at a record. Broken entries are left out.
    pub(super) fn read(database: &mut PalmDatabase<'_>, first: usize) -> Option<BookIndex> {
        let head = database.record(first)?;
        if head.get(..4) != Some(b"INDX") {
            return None;
        }
        let tags = TagTable::read(&head)?;
        let records = (u32_be(&head, 24)? as usize).min(MAX_INDEX_RECORDS);
        let strings = (u32_be(&head, 52).unwrap_or_default() as usize).min(MAX_INDEX_RECORDS);
        let mut index = BookIndex::default();
        for number in first + 1..=first + records {
            let Some(record) = database.record(number) else { break };
            index.add(&record, &tags);
        }
        for number in first + records + 1..=first + records + strings {
            let Some(record) = database.record(number) else { break };
            index.strings.push(record);
        }
        Some(index)
    }

    /// A string by its number: the record in the upper half, the offset in the lower.
    pub(super) fn string(&self, number: usize) -> Option<&[u8]> {
        let record = self.strings.get(number >> 16)?;
        let mut at = number & 0xffff;
        let length = forward(record, &mut at, record.len())? as usize;
        record.get(at..at.checked_add(length.min(MAX_LABEL_BYTES))?)
    }

    fn add(&mut self, record: &[u8], tags: &TagTable) {
        if record.get(..4) != Some(b"INDX") {
            return;
        }
        let (Some(table), Some(count)) = (u32_be(record, 20), u32_be(record, 24)) else { return };
        let table = table as usize;
        let places = record.get(table.saturating_add(4)..).unwrap_or_default();
        let starts: Vec<usize> = places
            .chunks_exact(2)
            .take(count as usize)
            .map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])))
            .collect();
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(table).min(record.len());
            if self.entries.len() >= MAX_INDEX_ENTRIES {
                return;
            }
            if let Some(bytes) = record.get(start..end) {
                self.entries.extend(tags.entry(bytes));
            }
        }
    }
}

/// A row of the table of tags.
#[derive(Debug, Clone, Copy)]
struct TagRow {
    tag: u8,
    values: u8,
    mask: u8,
    is_end: bool,
}

/// The table of tags: the structure of entries.
#[derive(Debug)]
struct TagTable {
    control_bytes: usize,
    rows: Vec<TagRow>,
}

impl TagTable {
    fn read(head: &[u8]) -> Option<TagTable> {
        // It follows the header; in some books the header is longer than it declares.
        let declared = u32_be(head, 4)? as usize;
        let start = match head.get(declared..declared.saturating_add(4)) {
            Some(b"TAGX") => declared,
            _ => memchr::memmem::find(head, b"TAGX")?,
        };
        let end = start.saturating_add(u32_be(head, start + 4)? as usize).min(head.len());
        let control_bytes = (u32_be(head, start + 8)? as usize).min(64);
        let rows = head.get(start + 12..end)?.chunks_exact(4);
        let row = |row: &[u8]| TagRow { tag: row[0], values: row[1], mask: row[2], is_end: row[3] == 1 };
        Some(TagTable { control_bytes, rows: rows.take(1024).map(row).collect() })
    }

    /// An entry from its bytes: the length of its name, the name, control bytes, numbers.
    fn entry(&self, bytes: &[u8]) -> Option<IndexEntry> {
        let length = usize::from(*bytes.first()?);
        let name = bytes.get(1..1 + length)?.to_vec();
        let control = bytes.get(1 + length..1 + length + self.control_bytes)?;
        let mut at = 1 + length + self.control_bytes;
        let mut wanted: Vec<(TagRow, ValueCount)> = Vec::new();
        let mut controls = control.iter();
        let mut byte = controls.next().copied().unwrap_or_default();
        for row in &self.rows {
            if row.is_end {
                byte = controls.next().copied().unwrap_or_default();
                continue;
            }
            let value = byte & row.mask;
            if value == 0 {
                continue;
            }
            let is_full = value == row.mask;
            let count = match row.mask.count_ones() {
                1 => ValueCount::Values(1),
                _ if is_full => ValueCount::Bytes(forward(bytes, &mut at, bytes.len())? as usize),
                _ => ValueCount::Values(usize::from(value >> row.mask.trailing_zeros())),
            };
            wanted.push((*row, count));
        }
        let mut tags = Vec::new();
        for (row, count) in wanted {
            let Some(values) = values(bytes, &mut at, row, count) else { break };
            tags.push((row.tag, values));
        }
        Some(IndexEntry { name, tags })
    }
}

/// How many numbers, or bytes of numbers, a tag has.
#[derive(Debug, Clone, Copy)]
enum ValueCount {
    Values(usize),
    Bytes(usize),
}

fn values(bytes: &[u8], at: &mut usize, row: TagRow, count: ValueCount) -> Option<Vec<u32>> {
    let mut values = Vec::new();
    let (most, end) = match count {
        ValueCount::Values(count) => (count * usize::from(row.values), bytes.len()),
        ValueCount::Bytes(count) => (MAX_TAG_VALUES, at.saturating_add(count).min(bytes.len())),
    };
    while values.len() < most.min(MAX_TAG_VALUES) && *at < end {
        values.push(forward(bytes, at, end)?);
    }
    if let ValueCount::Bytes(_) = count {
        *at = end;
    }
    Some(values)
}

/// A number with seven bits per byte, the highest first; its last byte has the eighth bit.
fn forward(bytes: &[u8], at: &mut usize, end: usize) -> Option<u32> {
    let mut number: u32 = 0;
    for _ in 0..5 {
        let byte = *bytes.get(*at).filter(|_| *at < end)?;
        *at += 1;
        number = number << 7 | u32::from(byte & 0x7f);
        if byte & 0x80 != 0 {
            return Some(number);
        }
    }
    None
}

/// An entry's name as a decimal number: names of fragments are places in the book.
pub(super) fn decimal(name: &[u8]) -> Option<usize> {
    std::str::from_utf8(name).ok()?.trim_end_matches('\0').parse().ok()
}

/// The parts of a text that a record of flows names; `None` if it is not such a record.
pub(super) fn flows(record: &[u8]) -> Option<Vec<(usize, usize)>> {
    if record.get(..4) != Some(b"FDST") {
        return None;
    }
    let count = (u32_be(record, 8)? as usize).min(record.len() / 8);
    let flow = |number: usize| {
        let at = 12 + number * 8;
        Some((u32_be(record, at)? as usize, u32_be(record, at + 4)? as usize))
    };
    Some((0..count).map_while(flow).collect())
}

/// How many bytes of a record belong to entries after its text.
///
/// Each entry ends with its own size, with seven bits per byte, which is read backwards. The lowest two bits of the
/// last one are the number of bytes of a character that are here and repeated at the start of the next record.
pub(super) fn trailing(record: &[u8], flags: u16) -> usize {
    let mut end = record.len();
    for _ in 0..(flags >> 1).count_ones() {
        end = end.saturating_sub(backward(&record[..end]));
    }
    if flags & 1 != 0
        && let Some(&last) = record[..end].last()
    {
        end = end.saturating_sub(usize::from(last & 3) + 1);
    }
    record.len() - end
}

fn backward(bytes: &[u8]) -> usize {
    let mut number = 0;
    for (place, byte) in bytes.iter().rev().take(4).enumerate() {
        number |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 != 0 {
            break;
        }
    }
    number
}

/// An entry for tests: its name, and its tags with their numbers.
#[cfg(test)]
pub(super) type EntryRow<'r> = (&'r str, &'r [(u8, &'r [u32])]);

#[cfg(test)]
impl BookIndex {
    /// An index of these entries and strings.
    pub(super) fn of(entries: &[EntryRow<'_>], strings: &[u8]) -> BookIndex {
        let entry = |(name, tags): &EntryRow<'_>| IndexEntry {
            name: name.as_bytes().to_vec(),
            tags: tags.iter().map(|(tag, values)| (*tag, values.to_vec())).collect(),
        };
        BookIndex { entries: entries.iter().map(entry).collect(), strings: vec![strings.to_vec()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_names_and_numbers() {
        let rows = [(1, 1, 1, false), (2, 1, 2, false), (6, 2, 12, false), (0, 0, 0, true)];
        let rows = rows.map(|(tag, values, mask, is_end)| TagRow { tag, values, mask, is_end }).to_vec();
        let tags = TagTable { control_bytes: 1, rows };
        let check = |bytes: &[u8], expected: Option<&[(u8, &[u32])]>| {
            let found = tags.entry(bytes).map(|entry| entry.tags);
            let expected =
                expected.map(|tags| tags.iter().map(|(tag, values)| (*tag, values.to_vec())).collect());
            assert_eq!(found, expected);
        };
        check(b"\x02ab\x03\x81\x01\x80", Some(&[(1, &[1]), (2, &[128])]));
        check(b"\x00\x08\x81\x82\x83\x84", Some(&[(6, &[1, 2, 3, 4])]));
        check(b"\x00\x0c\x82\x81\x82", Some(&[(6, &[1, 2])]));
        check(b"\x00\x01\x01", Some(&[]));
        check(b"\x05ab", None);
        check(b"", None);
    }

    #[test]
    fn sizes_after_a_text_are_read() {
        assert_eq!(trailing(b"text\x80", 1), 1);
        assert_eq!(trailing(b"text\xe9\x01", 1), 2);
        assert_eq!(trailing(b"textxx\x83", 2), 3);
        assert_eq!(trailing(b"text\x80\x82\x81", 7), 4);
        assert_eq!(trailing(b"\xff", 0xffff), 1);
        assert_eq!(trailing(b"", 3), 0);
    }

    #[test]
    fn flows_are_read() {
        assert_eq!(flows(b"FDST\0\0\0\x0c\0\0\0\x09\0\0\0\0\0\0\0\x05"), Some(vec![(0, 5)]));
        assert_eq!(flows(b"FDS"), None);
    }

    #[test]
    fn numbers_have_seven_bits_per_byte() {
        for (bytes, end, number, length) in [
            (b"\x81x".as_slice(), 2, Some(1), 1),
            (b"\x01\x80", 2, Some(128), 2),
            (b"\x7f\xff", 2, Some(16_383), 2),
            (b"\x01\x02\x83", 3, Some((1 << 7 | 2) << 7 | 3), 3),
            (b"\x01\0\0\0\x85", 5, Some(1 << 28 | 5), 5),
            (b"\x01\0\0\0\0\x85", 6, None, 5),
            (b"\x01\x80", 1, None, 1),
            (b"\x01", 1, None, 1),
        ] {
            let mut at = 0;
            assert_eq!((forward(bytes, &mut at, end), at), (number, length), "{bytes:x?}");
        }
    }

    #[test]
    fn sizes_after_a_text_have_several_bytes() {
        let text = vec![b'x'; 300];
        let record = |after: &[u8]| [text.as_slice(), after].concat();
        for (after, flags, expected) in [
            (b"\x85".as_slice(), 0, 0),
            (b"\x85", 2, 5),
            (b"\x81\x03", 2, 131),
            (b"\x82\x03", 2, 259),
            (b"\x83", 4, 3),
            (b"\x82\x81", 6, 3),
            (b"\x01", 1, 2),
            (b"\x03", 1, 4),
            (b"\xfc", 1, 1),
            (b"\x01\x81", 3, 3),
            (b"\xff\x7f", 2, 302),
        ] {
            assert_eq!(trailing(&record(after), flags), expected, "{after:x?} {flags}");
        }
        assert_eq!(backward(&[0x81, 0, 0, 0, 1]), 1);
        assert_eq!(backward(&[0x81, 0, 0, 1]), (1 << 21) + 1);
    }

    #[test]
    fn flows_end_with_their_record() {
        let record = |count: u32, places: &[u32]| {
            let mut record = b"FDST\0\0\0\x0c".to_vec();
            record.extend(count.to_be_bytes());
            places.iter().for_each(|place| record.extend(place.to_be_bytes()));
            record
        };
        assert_eq!(flows(&record(2, &[0, 5, 5, 0x0102])), Some(vec![(0, 5), (5, 0x0102)]));
        assert_eq!(flows(&record(1, &[0, 5, 5, 9])), Some(vec![(0, 5)]));
        assert_eq!(flows(&record(9, &[0, 5, 5])), Some(vec![(0, 5)]));
        assert_eq!(flows(b"FDST\0\0\0\x0c\0\0\0"), None);
        assert_eq!(flows(b"FDSX\0\0\0\x0c\0\0\0\0"), None);
    }

    #[test]
    fn names_of_fragments_are_decimal() {
        for (name, expected) in
            [(b"0012\0\0".as_slice(), Some(12)), (b"7", Some(7)), (b"x", None), (b"", None), (b"\xff", None)]
        {
            assert_eq!(decimal(name), expected);
        }
    }

    /// The head of an index with a table of tags, at its place or after other bytes.
    fn head(before: &[u8], control_bytes: u8, rows: &[[u8; 4]]) -> Vec<u8> {
        let mut head = b"INDX\0\0\0\x08".to_vec();
        head.extend_from_slice(before);
        head.extend_from_slice(b"TAGX\0\0\0");
        head.push(12 + 4 * rows.len() as u8);
        head.extend([0, 0, 0, control_bytes]);
        rows.iter().for_each(|row| head.extend_from_slice(row));
        head.extend_from_slice(b"rest");
        head
    }

    #[test]
    fn tables_of_tags_are_found() {
        let rows = [[1, 1, 1, 0], [2, 3, 12, 0], [0, 0, 0, 1]];
        for before in [b"".as_slice(), b"more"] {
            let table = TagTable::read(&head(before, 2, &rows)).unwrap();
            let found: Vec<_> =
                table.rows.iter().map(|row| (row.tag, row.values, row.mask, row.is_end)).collect();
            assert_eq!(found, [(1, 1, 1, false), (2, 3, 12, false), (0, 0, 0, true)]);
            assert_eq!(table.control_bytes, 2);
        }
        let whole = head(b"", 1, &rows);
        assert_eq!(TagTable::read(&whole[..24]).map(|table| table.rows.len()), Some(1));
        assert!(TagTable::read(&whole[..19]).is_none());
        assert!(TagTable::read(b"INDX\0\0\0\x08TAG").is_none());
    }

    #[test]
    fn entries_have_as_many_values_as_their_masks_say() {
        let row = |tag, values, mask, is_end| TagRow { tag, values, mask, is_end };
        let check = |control_bytes, rows: &[TagRow], bytes: &[u8], expected: &[(u8, &[u32])]| {
            let table = TagTable { control_bytes, rows: rows.to_vec() };
            let entry = table.entry(bytes).unwrap();
            let tags: Vec<_> = entry.tags.iter().map(|(tag, values)| (*tag, values.as_slice())).collect();
            assert_eq!(tags, expected, "{bytes:x?}");
        };
        let end = row(0, 0, 0, true);
        // Two groups of rows, each with a control byte of its own.
        let two = [row(1, 1, 1, false), end, row(2, 1, 1, false), row(3, 2, 6, false), end];
        check(2, &two, b"\x01n\x01\x01\x81\x82", &[(1, &[1]), (2, &[2])]);
        check(2, &two, b"\x01n\0\x01\x82", &[(2, &[2])]);
        check(2, &two, b"\x01n\x01\x04\x81\x82\x83\x84\x85", &[(1, &[1]), (3, &[2, 3, 4, 5])]);
        // A full mask of several bits: the bytes of all values come first.
        let three = [row(3, 2, 6, false), row(4, 1, 8, false)];
        check(1, &three, b"\0\x0e\x83\x81\x01\x82\x85", &[(3, &[1, 130]), (4, &[5])]);
        check(1, &three, b"\0\x02\x81\x82\x83", &[(3, &[1, 2])]);
        // A value that is cut ends the entry.
        check(1, &three, b"\0\x0a\x81\x02", &[]);
    }

    #[test]
    fn entries_lie_between_their_places() {
        let table =
            TagTable { control_bytes: 1, rows: vec![TagRow { tag: 1, values: 1, mask: 1, is_end: false }] };
        let entries = [b"\x01a\x01\x85".as_slice(), b"\x02bc\0", b"\x01d\x01\x01\x80"].concat();
        let at = 28 + entries.len() as u32;
        let record = |count: u32| {
            let mut record = b"INDX".to_vec();
            record.resize(20, 0);
            record.extend(at.to_be_bytes());
            record.extend(count.to_be_bytes());
            record.extend_from_slice(&entries);
            record.extend_from_slice(b"IDXT\0\x1c\0\x20\0\x24");
            record
        };
        let read = |record: &[u8]| {
            let mut index = BookIndex::default();
            index.add(record, &table);
            let entry =
                |entry: &IndexEntry| (String::from_utf8_lossy(&entry.name).into_owned(), entry.number(1, 0));
            index.entries.iter().map(entry).collect::<Vec<_>>()
        };
        let is = |name: &str, number| (name.to_owned(), number);
        let all = [is("a", Some(5)), is("bc", None), is("d", Some(128))];
        assert_eq!(read(&record(3)), all);
        assert_eq!(read(&record(9)), all);
        assert_eq!(read(&record(2))[0], all[0]);
        assert_eq!(read(&record(0)), []);
        assert_eq!(read(&[b"INDY", &record(3)[4..]].concat()), []);
    }

    #[test]
    fn strings_follow_their_lengths() {
        let long = [b"\x01\x81".as_slice(), &[b'y'; 129]].concat();
        let strings = vec![b"\x82ab\x81c".to_vec(), b"??\x83def".to_vec(), long];
        let index = BookIndex { entries: Vec::new(), strings };
        for (number, expected) in [
            (0, Some("ab".to_owned())),
            (3, Some("c".to_owned())),
            (0x1_0002, Some("def".to_owned())),
            (0x2_0000, Some("y".repeat(129))),
            (0x3_0000, None),
            (5, None),
        ] {
            let found = index.string(number).map(|text| String::from_utf8_lossy(text).into_owned());
            assert_eq!(found, expected, "{number:x}");
        }
        let entry = IndexEntry { name: Vec::new(), tags: vec![(1, vec![5, 6]), (2, vec![7])] };
        let numbers = [entry.number(1, 0), entry.number(1, 1), entry.number(2, 0), entry.number(2, 1)];
        assert_eq!((numbers, entry.number(3, 0)), ([Some(5), Some(6), Some(7), None], None));
    }
}
