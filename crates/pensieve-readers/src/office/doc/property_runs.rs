//! The character and paragraph formats of the bytes of the document stream. They are stored in pages of 512 bytes,
//! which a table lists. Format: [MS-DOC] sections 2.8.5, 2.8.6, 2.9.33, 2.9.174.

use super::bytes::{Plc, slice_at, u8_at};
use super::fib::WordVersion;
use super::properties::{ParagraphFormat, RunModifiers, Sprms};
use crate::shared::bytes::{u16_le, u32_le};

/// The size of a page.
const PAGE_BYTES: usize = 512;

/// Values of ranges of positions, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct PropertyRuns<T> {
    property_runs: Vec<(u32, u32, T)>,
}

impl<T> PropertyRuns<T> {
    /// The values in the order of their positions.
    pub(super) fn sorted(mut property_runs: Vec<(u32, u32, T)>) -> PropertyRuns<T> {
        property_runs.sort_by_key(|run| run.0);
        PropertyRuns { property_runs }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.property_runs.is_empty()
    }

    pub(super) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.property_runs.iter_mut().map(|run| &mut run.2)
    }

    /// The value at a position, and the position up to which it applies.
    pub(super) fn at(&self, position: u32) -> (Option<&T>, u32) {
        let after = self.property_runs.partition_point(|run| run.0 <= position);
        let next = self.property_runs.get(after).map_or(u32::MAX, |run| run.0);
        match after.checked_sub(1).map(|at| &self.property_runs[at]) {
            Some(run) if position < run.1 => (Some(&run.2), run.1.min(next)),
            _ => (None, next),
        }
    }
}

/// The pages of one table.
#[derive(Clone, Copy)]
pub(super) struct PropertyPages<'a> {
    pub stream: &'a [u8],
    /// The table of pages.
    pub table: &'a [u8],
    pub version: WordVersion,
}

impl<'a> PropertyPages<'a> {
    /// The formats of characters.
    pub(super) fn character_formats(self) -> PropertyRuns<RunModifiers> {
        let mut property_runs = Vec::new();
        self.each(|page, start, end, at, count| {
            let place = usize::from(u8_at(page, 4 * (count + 1) + at).unwrap_or(0)) * 2;
            let mut format = RunModifiers::default();
            if place > 0 {
                let length = usize::from(u8_at(page, place).unwrap_or(0));
                format.apply(Sprms { bytes: slice_at(page, place + 1, length), version: self.version });
            }
            property_runs.push((start, end, format));
        });
        PropertyRuns::sorted(property_runs)
    }

    /// The formats of paragraphs.
    pub(super) fn paragraphs(self) -> PropertyRuns<ParagraphFormat> {
        let mut property_runs = Vec::new();
        let record = if self.version == WordVersion::Word97 { 13 } else { 7 };
        self.each(|page, start, end, at, count| {
            let mut place = usize::from(u8_at(page, 4 * (count + 1) + record * at).unwrap_or(0)) * 2;
            let mut paragraph = ParagraphFormat::default();
            if place > 0 {
                let mut length = usize::from(u8_at(page, place).unwrap_or(0)) * 2;
                if length == 0 && self.version == WordVersion::Word97 {
                    place += 1;
                    length = usize::from(u8_at(page, place).unwrap_or(0)) * 2;
                } else if self.version == WordVersion::Word97 {
                    length -= 1;
                }
                let properties = slice_at(page, place + 1, length);
                paragraph.style = u16_le(properties, 0).unwrap_or(0);
                paragraph
                    .apply(Sprms { bytes: properties.get(2..).unwrap_or_default(), version: self.version });
            }
            property_runs.push((start, end, paragraph));
        });
        PropertyRuns::sorted(property_runs)
    }

    /// Calls `call` for each run of each page: with the page, first and last position, number of the run, and number
    /// of runs.
    fn each(self, mut call: impl FnMut(&'a [u8], u32, u32, usize, usize)) {
        let size = if self.version == WordVersion::Word97 { 4 } else { 2 };
        let table = Plc::new(self.table, size);
        // A stream has no more pages than fit into it, whatever the table says.
        for index in 0..table.len().min(self.stream.len() / PAGE_BYTES + 1) {
            let record = table.record(index);
            let number = u32_le(record, 0)
                .map(|number| number & 0x003f_ffff)
                .or_else(|| u16_le(record, 0).map(u32::from));
            let Some(page) = number.and_then(|number| {
                let start = number as usize * PAGE_BYTES;
                self.stream.get(start..start + PAGE_BYTES)
            }) else {
                continue;
            };
            let count = usize::from(page[PAGE_BYTES - 1]).min(0x65);
            for at in 0..count {
                let (Some(start), Some(end)) = (u32_le(page, 4 * at), u32_le(page, 4 * at + 4)) else {
                    break;
                };
                if start < end {
                    call(page, start, end, at, count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::properties::ToggleProperty;
    use super::WordVersion::{Word6, Word97};
    use super::*;
    use crate::office::story::TextLook;

    #[test]
    fn values_apply_up_to_their_end_or_to_the_next_value() {
        let runs = PropertyRuns::sorted(vec![(30, 40, 'b'), (10, 20, 'a'), (35, 50, 'c')]);
        for (position, value, until) in [
            (9, None, 10),
            (10, Some('a'), 20),
            (19, Some('a'), 20),
            (20, None, 30),
            (29, None, 30),
            (30, Some('b'), 35),
            (35, Some('c'), 50),
            (49, Some('c'), 50),
            (50, None, u32::MAX),
        ] {
            assert_eq!(runs.at(position), (value.as_ref(), until), "{position}");
        }
        assert_eq!((runs.is_empty(), PropertyRuns::<u8>::default().is_empty()), (false, true));
    }

    /// A page with positions, records of `size` bytes that begin with the place of their properties in words, and
    /// those properties.
    fn page(positions: &[u32], size: usize, places: &[u8], properties: &[(usize, &[u8])]) -> Vec<u8> {
        let mut page: Vec<u8> = positions.iter().flat_map(|position| position.to_le_bytes()).collect();
        for place in places {
            page.push(*place);
            page.resize(page.len() + size - 1, 0xee);
        }
        page.resize(PAGE_BYTES, 0);
        for (at, bytes) in properties {
            page[*at..at + bytes.len()].copy_from_slice(bytes);
        }
        page[PAGE_BYTES - 1] = places.len() as u8;
        page
    }

    /// A table of pages: positions that are not read, and the numbers of the pages in `size` bytes.
    fn table(size: usize, numbers: &[u32]) -> Vec<u8> {
        let mut table = vec![0; 4 * (numbers.len() + 1)];
        numbers.iter().for_each(|number| table.extend_from_slice(&number.to_le_bytes()[..size]));
        table
    }

    const STRONG: RunModifiers = RunModifiers {
        strong: ToggleProperty::On,
        emphasis: ToggleProperty::AsStyle,
        strike: ToggleProperty::AsStyle,
        hidden: ToggleProperty::AsStyle,
        shift: None,
        look: TextLook { hidden: None, white: None, tiny: None, on_colour: false },
        is_deleted: false,
        is_special: false,
        style: None,
        font: None,
        symbol: None,
    };

    #[test]
    fn characters_have_the_formats_of_their_page() {
        let plain = RunModifiers::default();
        let positions = [10, 13, 15, 15, 12, 40];
        // Italics follow each list of properties, but are not part of it.
        let modern: (usize, &[u8]) = (200, b"\x03\x35\x08\x01\x36\x08\x01");
        let old: (usize, &[u8]) = (200, b"\x02\x55\x01\x56\x01");
        let expected = [(10, 13, plain), (12, 40, plain), (13, 15, STRONG)];
        for (version, size, properties) in [(Word97, 4, modern), (Word6, 2, old)] {
            let page = page(&positions, 1, &[0, 100, 100, 100, 0], &[properties]);
            let stream = [vec![0xee; PAGE_BYTES], page].concat();
            let table = table(size, &[1]);
            let runs = PropertyPages { stream: &stream, table: &table, version }.character_formats();
            assert_eq!(runs.property_runs, expected, "{version:?}");
        }
    }

    #[test]
    fn paragraphs_have_the_formats_of_their_page() {
        let positions = [10, 20, 30, 40];
        let plain = ParagraphFormat::default();
        let listed = ParagraphFormat { style: 0x0203, list: Some(5), ..plain.clone() };
        let in_table = ParagraphFormat { style: 0x0102, in_table: true, ..plain.clone() };
        // An odd and an even number of bytes; what follows them marks the end of a row.
        let properties: [(usize, &[u8]); 2] = [
            (200, b"\x03\x02\x01\x16\x24\x01\x17\x24\x01"),
            (300, b"\x00\x03\x03\x02\x0b\x46\x05\x00\x17\x24\x01"),
        ];
        let check = |page: Vec<u8>, size, version, expected: &[(u32, u32, ParagraphFormat)]| {
            let table = table(size, &[0]);
            let runs = PropertyPages { stream: &page, table: &table, version }.paragraphs();
            assert_eq!(runs.property_runs, expected, "{version:?}");
        };
        check(
            page(&positions, 13, &[100, 0, 150], &properties),
            4,
            Word97,
            &[(10, 20, in_table.clone()), (20, 30, plain.clone()), (30, 40, listed)],
        );
        let properties: [(usize, &[u8]); 2] =
            [(200, b"\x02\x02\x01\x18\x01\x19\x01"), (300, b"\0\x03\x03\x02\x18\x01\x18\x01")];
        check(
            page(&positions, 7, &[0, 100, 150], &properties),
            2,
            Word6,
            &[(10, 20, plain.clone()), (20, 30, in_table), (30, 40, plain)],
        );
    }

    #[test]
    fn pages_are_found_by_their_numbers() {
        let first = page(&[1, 2], 1, &[0], &[]);
        let second = page(&[3, 4], 1, &[0], &[]);
        let stream = [first, second].concat();
        let check = |version, size, numbers: &[u32], expected: &[(u32, u32)]| {
            let table = table(size, numbers);
            let runs = PropertyPages { stream: &stream, table: &table, version }.character_formats();
            let places: Vec<_> = runs.property_runs.iter().map(|run| (run.0, run.1)).collect();
            assert_eq!(places, expected, "{numbers:x?}");
        };
        check(Word97, 4, &[1, 0], &[(1, 2), (3, 4)]);
        // Only the lower 22 bits are the number.
        check(Word97, 4, &[0xffc0_0001], &[(3, 4)]);
        check(Word97, 4, &[2, 1], &[(3, 4)]);
        check(Word6, 2, &[1, 0], &[(1, 2), (3, 4)]);
        // One more than the stream has room for.
        check(Word97, 4, &[1; 5], &[(3, 4); 3]);
    }

    #[test]
    fn a_page_has_no_more_runs_than_fit() {
        for (count, expected) in [(0x64u8, 0x64), (0x65, 0x65), (0x66, 0x65), (0xff, 0x65)] {
            let positions: Vec<u32> = (0..=0x65).collect();
            let mut stream = page(&positions, 1, &[], &[]);
            stream[PAGE_BYTES - 1] = count;
            let table = table(4, &[0]);
            let pages = PropertyPages { stream: &stream, table: &table, version: Word97 };
            assert_eq!(pages.character_formats().property_runs.len(), expected);
        }
    }
}
