//! OLE2 compound files, guarded: storages and streams by their names, whole or by range, out of files that may be cut,
//! altered or made to harm. What can be reached is given; what cannot is told by [`Compound::damage`].
//!
//! The reader is our own because the readers there are refuse a file for its first broken sector, and half of the
//! damaged documents can be read. Format: [MS-CFB] Compound File Binary File Format, sections 2.1 to 2.6.

mod properties;
#[cfg(test)]
pub(crate) mod testing;

use crate::shared::bytes::u32_le;
pub(crate) use properties::time_of;
pub use properties::{Property, PropertySet, Value, metadata};

use crate::source::{DocumentSource, ReadSeek};
use pensieve_text::model::{Problem, ProblemKind};
use std::io::{self, ErrorKind, Read, SeekFrom};
use std::ops::Range;

/// Bytes that one stream may have when it is read whole.
const LARGEST_STREAM: u64 = 64 << 20;

/// Bytes that all streams together may have that are read whole: streams of hostile files share their sectors.
const LARGEST_WHOLE: u64 = 1 << 30;

/// Entries that a directory may have.
const MOST_ENTRIES: usize = 1 << 18;

const SIGNATURES: [[u8; 8]; 2] =
    [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], [0x0e, 0x11, 0xfc, 0x0d, 0xd0, 0xcf, 0x11, 0x0e]];
const LARGEST_SECTOR: u32 = 0xffff_fffa;
const NONE: u32 = 0xffff_ffff;

/// What an entry of the directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A folder of others.
    Storage,
    /// Bytes.
    Stream,
    /// The folder of everything.
    Root,
}

/// An entry of the directory.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its name; no path.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// The bytes that it says it has.
    pub size: u64,
    /// The class of what a storage holds.
    pub class: [u8; 16],
    /// The storage that holds it; of one that no storage holds, the root.
    pub parent: usize,
    first: u32,
    links: [u32; 3],
}

/// An open compound file.
pub struct Compound<'a> {
    file: &'a mut dyn ReadSeek,
    size: u64,
    sector_shift: u32,
    mini_shift: u32,
    mini_cutoff: u64,
    fat: Vec<u32>,
    mini_fat: Vec<u32>,
    mini: Vec<Range<u64>>,
    entries: Vec<Entry>,
    children: Vec<Vec<usize>>,
    left: u64,
    damage: Vec<String>,
    /// Where the stream lies of which a part was read last.
    last: Option<(usize, Vec<Range<u64>>)>,
}

impl<'a> Compound<'a> {
    /// Reads the directory of a compound file.
    ///
    /// # Errors
    /// `Damaged` where there is no compound file, or nothing of its directory can be read.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Compound<'a>, Problem> {
        let size = source.size();
        Compound::over(source.file()?, size)
    }

    /// The same over any bytes, of which there are `size`.
    ///
    /// # Errors
    /// As [`Compound::open`].
    pub fn over(file: &'a mut dyn ReadSeek, size: u64) -> Result<Compound<'a>, Problem> {
        let mut compound = Compound {
            file,
            size,
            sector_shift: 9,
            mini_shift: 6,
            mini_cutoff: 4096,
            fat: Vec::new(),
            mini_fat: Vec::new(),
            mini: Vec::new(),
            entries: Vec::new(),
            children: Vec::new(),
            left: LARGEST_WHOLE,
            damage: Vec::new(),
            last: None,
        };
        compound.read_structure()?;
        Ok(compound)
    }

    /// True when the bytes begin as a compound file does.
    pub fn is_compound(head: &[u8]) -> bool {
        SIGNATURES.iter().any(|signature| head.starts_with(signature))
    }

    /// What was found broken so far, each once, as lower-case fragments.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// All entries; the root is the first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that a storage holds, in the order of its tree: by length of the name, then by name.
    pub fn children(&self, storage: usize) -> &[usize] {
        self.children.get(storage).map_or(&[], Vec::as_slice)
    }

    /// The entry of that name in a storage, in any case of its letters.
    pub fn child(&self, storage: usize, name: &str) -> Option<usize> {
        let wanted = name.to_lowercase();
        self.children(storage).iter().copied().find(|&at| self.entries[at].name.to_lowercase() == wanted)
    }

    /// The entry at a path from the root, with `/` between names, in any case of its letters.
    pub fn find(&self, path: &str) -> Option<usize> {
        path.split('/').try_fold(0, |storage, name| self.child(storage, name))
    }

    /// A stream, whole, or as much of it as can be reached.
    ///
    /// # Errors
    /// `SizeLimit` where it is too large to be held, `Io` where the file cannot be read.
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>, Problem> {
        let extents = self.extents(entry);
        let there: u64 = extents.iter().map(|extent| extent.end - extent.start).sum();
        let Some(found) = self.entries.get(entry) else { return Ok(Vec::new()) };
        if there > LARGEST_STREAM.min(self.left) {
            let message =
                format!("the stream `{}` has {there} bytes, more than {LARGEST_STREAM}", found.name);
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        if there < found.size {
            let message = format!("the stream `{}` is cut: {there} of {} bytes", found.name, found.size);
            self.note(message);
        }
        self.left -= there;
        let mut bytes = Vec::with_capacity(there as usize);
        for extent in extents {
            self.append(extent, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// The stream at a path, whole; `None` where there is none.
    ///
    /// # Errors
    /// As [`Compound::read`].
    pub fn read_path(&mut self, path: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.find(path).map(|entry| self.read(entry)).transpose()
    }

    /// As much as there is of `length` bytes of a stream from `from` on. Cost: one look-up of the stream's sectors as
    /// long as the same stream is asked for.
    ///
    /// # Errors
    /// `Io` where the file cannot be read.
    pub fn read_range(&mut self, entry: usize, from: u64, length: usize) -> Result<Vec<u8>, Problem> {
        let extents = match self.last.take() {
            Some((last, extents)) if last == entry => extents,
            _ => self.extents(entry),
        };
        let mut bytes = Vec::new();
        let mut at = 0;
        let end = from.saturating_add(length as u64);
        let mut result = Ok(());
        for extent in &extents {
            let next = at + (extent.end - extent.start);
            if next > from && at < end && result.is_ok() {
                let part = extent.start + from.saturating_sub(at)..extent.start + (end.min(next) - at);
                result = self.append(part, &mut bytes);
            }
            if next >= end {
                break;
            }
            at = next;
        }
        self.last = Some((entry, extents));
        result.map(|()| bytes)
    }

    fn read_structure(&mut self) -> Result<(), Problem> {
        let header = self.bytes_at(0, 512)?;
        if !Compound::is_compound(&header) || header.len() < 512 {
            return Err(Problem::new(
                ProblemKind::Damaged,
                "no OLE2 compound file: its header is missing or cut",
            ));
        }
        let word = |at: usize| u32::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let number = |at: usize| u32_le(&header, at).unwrap_or(NONE);
        self.sector_shift = match word(30) {
            shift @ 7..=16 => shift,
            _ if word(26) == 4 => 12,
            _ => 9,
        };
        self.mini_shift = if matches!(word(32), 4..=9) { word(32) } else { 6 };
        self.mini_cutoff = u64::from(number(56)).min(1 << 16);
        self.read_fat(&header)?;
        let directory = self.chain(number(48));
        self.read_directory(directory)?;
        let mini_fat = self.chain(number(60));
        self.mini_fat = self.numbers(mini_fat)?;
        if let Some(root) = self.entries.first() {
            let (first, size) = (root.first, root.size);
            self.mini = cut(self.chain(first), size);
        }
        Ok(())
    }

    /// The numbers of the sectors of the allocation table stand in the header and, of large files, in a chain.
    fn read_fat(&mut self, header: &[u8]) -> Result<(), Problem> {
        let sectors = (self.size >> self.sector_shift) as usize + 1;
        let per_sector = 1usize << (self.sector_shift - 2);
        let wanted = (sectors / per_sector + 1).min(sectors);
        let mut places: Vec<u32> = (0..109).filter_map(|at| u32_le(header, 76 + 4 * at)).collect();
        let mut next = u32_le(header, 68).unwrap_or(NONE);
        for _ in 0..=wanted / (per_sector - 1) + 1 {
            if next >= LARGEST_SECTOR {
                break;
            }
            let sector = self.sector(next)?;
            let numbers: Vec<u32> = (0..sector.len() / 4).filter_map(|at| u32_le(&sector, 4 * at)).collect();
            let Some((&link, rest)) = numbers.split_last() else { break };
            places.extend(rest);
            next = link;
        }
        for place in places.into_iter().filter(|place| *place < LARGEST_SECTOR).take(wanted) {
            let sector = self.sector(place)?;
            if sector.len() < 1 << self.sector_shift {
                self.note("the sector allocation table is cut".to_owned());
            }
            let numbers = (0..per_sector).map(|at| u32_le(&sector, 4 * at).unwrap_or(NONE));
            self.fat.extend(numbers);
        }
        self.fat.truncate(sectors);
        Ok(())
    }

    fn read_directory(&mut self, place: Vec<Range<u64>>) -> Result<(), Problem> {
        let mut bytes = Vec::new();
        for extent in cut(place, MOST_ENTRIES as u64 * 128) {
            self.append(extent, &mut bytes)?;
        }
        self.entries = bytes.chunks_exact(128).filter_map(entry_of).collect();
        if !self.entries.iter().any(|entry| entry.kind == EntryKind::Stream && !entry.name.is_empty()) {
            return Err(Problem::new(
                ProblemKind::Damaged,
                "the directory of the OLE2 compound file is missing or empty",
            ));
        }
        self.build_tree();
        Ok(())
    }

    /// Who holds whom. Every entry is visited once, whatever the links say; entries that nobody links to belong to
    /// the root, because a document whose tree is broken still has its streams.
    fn build_tree(&mut self) {
        let count = self.entries.len();
        let mut seen = vec![false; count];
        self.children = vec![Vec::new(); count];
        if let Some(root) = seen.first_mut() {
            *root = true;
        }
        let mut storages = vec![0];
        while let Some(storage) = storages.pop() {
            let mut waiting = vec![(self.entries[storage].links[2], false)];
            while let Some((link, is_left_done)) = waiting.pop() {
                let Some(entry) = self.entries.get_mut(link as usize) else { continue };
                let at = link as usize;
                if is_left_done {
                    entry.parent = storage;
                    self.children[storage].push(at);
                    if entry.kind == EntryKind::Storage {
                        storages.push(at);
                    }
                    waiting.push((entry.links[1], false));
                } else if !std::mem::replace(&mut seen[at], true) {
                    waiting.push((link, true));
                    waiting.push((entry.links[0], false));
                }
            }
        }
        for at in (0..count).filter(|&at| !seen[at]) {
            if !self.entries[at].name.is_empty() && self.entries[at].kind == EntryKind::Stream {
                self.children[0].push(at);
            }
        }
    }

    /// The stretches of the file that make a stream, in order.
    fn extents(&mut self, entry: usize) -> Vec<Range<u64>> {
        let Some(found) = self.entries.get(entry).filter(|entry| entry.kind == EntryKind::Stream) else {
            return Vec::new();
        };
        let (first, size) = (found.first, found.size);
        if size >= self.mini_cutoff {
            return cut(self.chain(first), size);
        }
        let small = self.mini_chain(first, size);
        let mut extents = Vec::new();
        for part in small {
            let mut at = 0;
            for extent in &self.mini {
                let next = at + (extent.end - extent.start);
                if next > part.start && at < part.end {
                    let start = extent.start + part.start.saturating_sub(at);
                    join(&mut extents, start..extent.start + (part.end.min(next) - at));
                }
                at = next;
            }
        }
        cut(extents, size)
    }

    /// The stretches of the file behind a chain of sectors; it ends where it would go round or outside.
    fn chain(&self, first: u32) -> Vec<Range<u64>> {
        let mut extents = Vec::new();
        let mut sector = first;
        for _ in 0..=self.fat.len() {
            if sector >= LARGEST_SECTOR {
                break;
            }
            let place = self.place(sector);
            if place.is_empty() {
                break;
            }
            join(&mut extents, place);
            sector = self.fat.get(sector as usize).copied().unwrap_or(NONE);
        }
        extents
    }

    /// The stretches of the mini stream behind a chain of its sectors.
    fn mini_chain(&self, first: u32, size: u64) -> Vec<Range<u64>> {
        let mut extents = Vec::new();
        let mut sector = first;
        for _ in 0..=size >> self.mini_shift {
            if sector >= LARGEST_SECTOR {
                break;
            }
            let start = u64::from(sector) << self.mini_shift;
            join(&mut extents, start..start + (1 << self.mini_shift));
            sector = self.mini_fat.get(sector as usize).copied().unwrap_or(NONE);
        }
        extents
    }

    fn place(&self, sector: u32) -> Range<u64> {
        let start = (u64::from(sector) + 1) << self.sector_shift;
        start.min(self.size)..(start + (1 << self.sector_shift)).min(self.size)
    }

    fn sector(&mut self, sector: u32) -> Result<Vec<u8>, Problem> {
        let place = self.place(sector);
        self.bytes_at(place.start, (place.end - place.start) as usize)
    }

    fn numbers(&mut self, place: Vec<Range<u64>>) -> Result<Vec<u32>, Problem> {
        let mut bytes = Vec::new();
        for extent in cut(place, self.size >> (self.mini_shift - 2)) {
            self.append(extent, &mut bytes)?;
        }
        Ok((0..bytes.len() / 4).filter_map(|at| u32_le(&bytes, 4 * at)).collect())
    }

    fn bytes_at(&mut self, at: u64, length: usize) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        self.append(at..at + length as u64, &mut bytes)?;
        Ok(bytes)
    }

    fn append(&mut self, place: Range<u64>, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let length = place.end.min(self.size).saturating_sub(place.start);
        let read = self.file.seek(SeekFrom::Start(place.start)).and_then(|_| {
            match (&mut *self.file).take(length).read_to_end(bytes) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(0),
                other => other,
            }
        });
        read.map(|_| ()).map_err(unreadable)
    }

    fn note(&mut self, message: String) {
        // Names of streams begin with control characters.
        let message: String = message.chars().filter(|c| !c.is_control()).collect();
        if !self.damage.contains(&message) && self.damage.len() < 20 {
            self.damage.push(message);
        }
    }
}

/// Adds a stretch; one that goes on where the last one ends makes it longer.
fn join(extents: &mut Vec<Range<u64>>, next: Range<u64>) {
    match extents.last_mut() {
        Some(last) if last.end == next.start => last.end = next.end,
        _ if next.start < next.end => extents.push(next),
        _ => {}
    }
}

/// The first `size` bytes of stretches.
fn cut(mut extents: Vec<Range<u64>>, size: u64) -> Vec<Range<u64>> {
    let mut left = size;
    for extent in &mut extents {
        extent.end = extent.end.min(extent.start + left);
        left -= extent.end - extent.start;
    }
    extents.retain(|extent| extent.start < extent.end);
    extents
}

/// An entry; empty ones keep their place, for links are numbers.
fn entry_of(bytes: &[u8]) -> Option<Entry> {
    let length = usize::from(u16::from_le_bytes([*bytes.get(64)?, *bytes.get(65)?])).min(64);
    let units: Vec<u16> =
        bytes[..length].chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let name = String::from_utf16_lossy(&units);
    let kind = match bytes.get(66)? {
        1 => EntryKind::Storage,
        5 => EntryKind::Root,
        _ => EntryKind::Stream,
    };
    let is_used = matches!(bytes.get(66)?, 1 | 2 | 5);
    Some(Entry {
        name: if is_used { name.trim_end_matches('\0').to_owned() } else { String::new() },
        kind,
        // The upper half is rubbish in files of version 3.
        size: u64::from(u32_le(bytes, 120)?),
        class: bytes.get(80..96)?.try_into().ok()?,
        parent: 0,
        first: if is_used { u32_le(bytes, 116)? } else { NONE },
        links: [u32_le(bytes, 68)?, u32_le(bytes, 72)?, u32_le(bytes, 76)?],
    })
}

fn unreadable(error: io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

#[cfg(test)]
mod tests;
