//! The character and paragraph formats of the bytes of the document stream. They are stored in pages of 512 bytes,
//! which a table lists. Format: [MS-DOC] sections 2.8.5, 2.8.6, 2.9.33, 2.9.174.

use super::bytes::{Plc, slice_at, u8_at};
use super::fib::WordVersion;
use super::properties::{CharacterFormat, ParagraphFormat, Sprms};
use crate::shared::bytes::{u16_le, u32_le};

/// The size of a page.
const PAGE_BYTES: usize = 512;

/// Values of ranges of positions, in order.
#[derive(Debug, Clone, Default)]
pub(super) struct PropertyRuns<T> {
    property_runs: Vec<(u32, u32, T)>,
}

impl<T> PropertyRuns<T> {
    fn sorted(mut property_runs: Vec<(u32, u32, T)>) -> PropertyRuns<T> {
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
    pub(super) fn character_formats(self) -> PropertyRuns<CharacterFormat> {
        let mut property_runs = Vec::new();
        self.each(|page, start, end, at, count| {
            let place = usize::from(u8_at(page, 4 * (count + 1) + at).unwrap_or(0)) * 2;
            let mut format = CharacterFormat::default();
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
