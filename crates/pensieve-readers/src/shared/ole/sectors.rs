//! The sectors of a compound file and the chains that streams are made of: [MS-CFB], sections 2.1 to 2.5.
//!
//! Nothing here is refused: a chain ends where it leaves the file or comes back to itself, and what lies outside the
//! file reads as "free". Of the header only what locates something is used. The size of small sectors and the size
//! below which streams are made of them are constants of the format, so a wrong number in the header costs nothing.

use crate::shared::bytes::{u16_le, u32_le};
use crate::source::ReadSeek;
use std::collections::HashSet;
use std::io::{self, Read, SeekFrom};
use std::ops::Range;

/// The first number that is no sector but a mark, such as "free" or "end of the chain".
const FIRST_MARK: u32 = 0xffff_fffa;
const FREE: u32 = 0xffff_ffff;

/// Where the header ends that lists the first sectors of the allocation table.
const HEADER_BYTES: usize = 512;
const MINI_SECTOR_BYTES: u64 = 64;
/// A smaller stream is made of sectors of the mini stream.
const MIN_FULL_STREAM_BYTES: u64 = 4096;

/// Bytes that a buffer has room for at first; a size of the directory is no reason to ask for more.
const READ_BYTES: u64 = 64 << 10;

/// The parts of the file that make a stream, all of one length.
pub(super) struct StreamPieces {
    starts: Vec<u64>,
    piece_bytes: u64,
}

/// A file with its allocation tables.
pub(super) struct Sectors<'a> {
    file: &'a mut dyn ReadSeek,
    sector_bytes: u64,
    table: Vec<u32>,
    mini_table: Vec<u32>,
    /// Where the mini stream lies, which contains the small streams.
    mini: Vec<u64>,
    /// Sectors of the allocation table that lie outside the file.
    missing_tables: usize,
}

impl<'a> Sectors<'a> {
    /// Reads the allocation table.
    pub(super) fn open(file: &'a mut dyn ReadSeek, size: u64, header: &[u8]) -> io::Result<Sectors<'a>> {
        let sector_bytes = match (u16_le(header, 30), u16_le(header, 26)) {
            (Some(12), _) => 4096,
            (Some(9), _) => 512,
            (_, Some(4)) => 4096,
            _ => 512,
        };
        let (table, mini_table, mini) = (Vec::new(), Vec::new(), Vec::new());
        let mut sectors = Sectors { file, sector_bytes, table, mini_table, mini, missing_tables: 0 };
        let numbers = sector_bytes / 4;
        let wanted = usize::try_from((size / sector_bytes).div_ceil(numbers)).unwrap_or(usize::MAX);
        // The header lists the first sectors of the table, a chain of its own those of large files.
        let places = header.get(76..HEADER_BYTES).unwrap_or_default();
        let mut places: Vec<u32> = (0..places.len() / 4).filter_map(|at| u32_le(places, 4 * at)).collect();
        let mut next = u32_le(header, 68).unwrap_or(FREE);
        while places.len() < wanted && next < FIRST_MARK {
            let mut more = sectors.numbers_of(next)?;
            next = more.pop().unwrap_or(FREE);
            places.append(&mut more);
        }
        let named = places.iter().filter(|place| **place < FIRST_MARK);
        sectors.missing_tables = named.filter(|place| sectors.start_of(**place) >= size).count();
        for place in places.into_iter().take(wanted) {
            let numbers = sectors.numbers_of(place)?;
            sectors.table.extend(numbers);
        }
        Ok(sectors)
    }

    /// The number of used sectors that lie outside a file of this size. A last sector that is cut counts as there, since
    /// some programs do not fill it.
    pub(super) fn missing(&self, size: u64) -> usize {
        let number =
            usize::try_from(size.div_ceil(self.sector_bytes)).unwrap_or(usize::MAX).saturating_sub(1);
        let outside = self.table.get(number..).unwrap_or_default();
        // Some programs fill the rest of the table with zeros, or with ends of chains.
        self.missing_tables + outside.iter().filter(|next| (1..FIRST_MARK).contains(*next)).count()
    }

    /// True in files of version 4, where sizes of streams have 64 bits.
    pub(super) fn are_large(&self) -> bool {
        self.sector_bytes > 512
    }

    /// Locates the mini stream, which the root entry begins, and reads its allocation table.
    pub(super) fn read_mini(&mut self, first: u32, table: u32) -> io::Result<()> {
        self.mini = self.chain(first, u64::MAX).starts;
        let bytes = (self.mini.len() as u64).saturating_mul(self.sector_bytes / MINI_SECTOR_BYTES * 4);
        let table = self.chain(table, bytes);
        let bytes = self.read(&table, 0..bytes)?;
        self.mini_table = (0..bytes.len() / 4).filter_map(|at| u32_le(&bytes, 4 * at)).collect();
        Ok(())
    }

    /// The pieces of a stream that begins in a sector. Small streams are looked for in the mini stream if there is one.
    pub(super) fn stream(&self, first: u32, size: u64) -> StreamPieces {
        if size >= MIN_FULL_STREAM_BYTES || self.mini.is_empty() {
            return self.chain(first, size);
        }
        let place = |number: u32| {
            let at = u64::from(number) * MINI_SECTOR_BYTES;
            let start = self.mini.get(usize::try_from(at / self.sector_bytes).ok()?)?;
            Some(start + at % self.sector_bytes)
        };
        let count = size.div_ceil(MINI_SECTOR_BYTES) as usize;
        let starts = numbers_from(first, &self.mini_table).take(count).map_while(place).collect();
        StreamPieces { starts, piece_bytes: MINI_SECTOR_BYTES }
    }

    /// The pieces of the first `bytes` bytes of a chain of sectors.
    pub(super) fn chain(&self, first: u32, bytes: u64) -> StreamPieces {
        let count = usize::try_from(bytes.div_ceil(self.sector_bytes)).unwrap_or(usize::MAX);
        let starts = numbers_from(first, &self.table).take(count).map(|number| self.start_of(number));
        StreamPieces { starts: starts.collect(), piece_bytes: self.sector_bytes }
    }

    /// As much as there is of a range of a stream.
    pub(super) fn read(&mut self, pieces: &StreamPieces, range: Range<u64>) -> io::Result<Vec<u8>> {
        let length = range.end.saturating_sub(range.start).min(READ_BYTES);
        let mut bytes = Vec::with_capacity(length as usize);
        let mut at = range.start;
        while at < range.end {
            let first = usize::try_from(at / pieces.piece_bytes).unwrap_or(usize::MAX);
            let Some([start, rest @ ..]) = pieces.starts.get(first..) else { break };
            // Pieces that follow each other in the file are read at once.
            let mut end = start + pieces.piece_bytes;
            let from = start + at % pieces.piece_bytes;
            for next in rest {
                if *next != end || end - from >= range.end - at {
                    break;
                }
                end += pieces.piece_bytes;
            }
            let length = (end - from).min(range.end - at);
            self.file.seek(SeekFrom::Start(from))?;
            let read = (&mut *self.file).take(length).read_to_end(&mut bytes)? as u64;
            if read < length {
                break;
            }
            at += length;
        }
        Ok(bytes)
    }

    /// The numbers in a sector of a table.
    fn numbers_of(&mut self, sector: u32) -> io::Result<Vec<u32>> {
        let piece = StreamPieces { starts: vec![self.start_of(sector)], piece_bytes: self.sector_bytes };
        let mut bytes = self.read(&piece, 0..self.sector_bytes)?;
        bytes.resize(self.sector_bytes as usize, 0xff);
        Ok((0..bytes.len() / 4).filter_map(|at| u32_le(&bytes, 4 * at)).collect())
    }

    fn start_of(&self, sector: u32) -> u64 {
        (u64::from(sector) + 1) * self.sector_bytes
    }
}

/// The numbers of a chain, each once.
fn numbers_from(first: u32, table: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let mut seen = HashSet::new();
    std::iter::successors(Some(first), |at| table.get(*at as usize).copied())
        .take_while(move |number| *number < FIRST_MARK && seen.insert(*number))
}
