//! OLE2 compound files within limits: storages and streams by their names, whole or by range. What can be reached is
//! read; [`Compound::damage`] reports missing parts of a stream.
//!
//! The reader is our own, because `cfb` 0.16 refuses a document for a byte that has nothing to do with its text: a
//! name out of order, a colour, a `/` in a name, a free sector that points to a used one. It also identifies entries by
//! their paths, which take memory by the square of the number of nested storages.

mod directory;
mod properties;
mod sectors;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use directory::CompoundEntry;
pub(crate) use properties::{filetime_to_iso, metadata};

use crate::limits::ole::{MAX_DIRECTORY_ENTRIES, MAX_FILE_BYTES, MAX_STORAGE_DEPTH, MAX_STREAM_BYTES};
use crate::shared::bytes::u32_le;
use crate::source::{DocumentSource, ReadSeek};
use directory::{Directory, ENTRY_BYTES};
use pensieve_text::model::{Problem, ProblemKind, ReviewReason};
use sectors::{Sectors, StreamPieces};
use std::io::{self, Read};

const SIGNATURE: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// An open compound file.
pub(crate) struct Compound<'a> {
    sectors: Sectors<'a>,
    directory: Directory,
    left: u64,
    damage: Vec<String>,
    /// The stream that was read last and where it lies: ranges of one stream are read one after the other.
    last: Option<(usize, StreamPieces)>,
}

impl<'a> Compound<'a> {
    /// Reads the directory of a compound file.
    ///
    /// # Errors
    /// `Damaged` if there is no compound file, or nothing of its directory can be read.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Compound<'a>, Problem> {
        let size = source.size();
        let (file, review_reasons) = source.file_and_review_reasons()?;
        let compound = Compound::over(file, size)?;
        let missing = compound.sectors.missing(size);
        if missing > 0 {
            let detail = format!("the file ends early: {missing} of its sectors are not there");
            review_reasons.push(ReviewReason::skipped(detail));
        }
        Ok(compound)
    }

    fn over(file: &'a mut dyn ReadSeek, size: u64) -> Result<Compound<'a>, Problem> {
        let mut head = Vec::new();
        (&mut *file).take(512).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        if !Compound::is_compound(&head) || head.len() < 512 {
            return Err(damaged("no OLE2 compound file: its header is missing or cut"));
        }
        Compound::over_sectors(file, size, &head).map_err(|error| unreadable(&error))?.checked()
    }

    fn over_sectors(file: &'a mut dyn ReadSeek, size: u64, head: &[u8]) -> io::Result<Compound<'a>> {
        let first = |at: usize| u32_le(head, at).unwrap_or(u32::MAX);
        let mut sectors = Sectors::open(file, size, head)?;
        let max_bytes = (MAX_DIRECTORY_ENTRIES * ENTRY_BYTES) as u64;
        let place = sectors.chain(first(48), max_bytes);
        let directory = Directory::parse(&sectors.read(&place, 0..max_bytes)?, sectors.are_large());
        if let Some(root) = directory.entries.first() {
            sectors.read_mini(root.first, first(60))?;
        }
        Ok(Compound { sectors, directory, left: MAX_FILE_BYTES, damage: Vec::new(), last: None })
    }

    fn checked(mut self) -> Result<Compound<'a>, Problem> {
        if !self.entries().iter().any(|entry| !entry.is_storage && !entry.name.is_empty()) {
            return Err(damaged("the directory of the OLE2 compound file is missing or empty"));
        }
        if self.directory.is_too_deep {
            self.note_damage(&format!("storages deeper than {MAX_STORAGE_DEPTH} are left out"));
        }
        if self.directory.has_lost_entries {
            self.note_damage("entries of the directory are lost, and the streams that they name");
        }
        Ok(self)
    }

    /// True when the bytes begin as a compound file does.
    pub fn is_compound(head: &[u8]) -> bool {
        head.starts_with(&SIGNATURE)
    }

    /// The damage found so far, each kind once, as lower-case fragments.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// All entries; the root is the first. Unused ones have no name.
    pub fn entries(&self) -> &[CompoundEntry] {
        &self.directory.entries
    }

    /// The entries of a storage in the order of its tree (by length of the name, then by name), lost ones last.
    pub fn children(&self, storage: usize) -> &[usize] {
        self.directory.children.get(storage).map_or(&[], Vec::as_slice)
    }

    /// The entry of that name in a storage, in any case of its letters.
    pub fn child(&self, storage: usize, name: &str) -> Option<usize> {
        let wanted = name.to_lowercase();
        self.children(storage).iter().copied().find(|&at| self.entries()[at].name.to_lowercase() == wanted)
    }

    /// The entry at a path from the root, with `/` between names, in any case of its letters.
    pub fn find(&self, path: &str) -> Option<usize> {
        path.split('/').try_fold(0, |storage, name| self.child(storage, name))
    }

    /// A stream, whole, or as much of it as can be reached.
    ///
    /// # Errors
    /// `SizeLimit` if it is larger than a stream may be, `Io` if the file cannot be read.
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>, Problem> {
        let limit = MAX_STREAM_BYTES.min(self.left);
        let bytes = self.read_range(entry, 0, limit as usize + 1)?;
        let Some(found) = self.entries().get(entry) else { return Ok(bytes) };
        if bytes.len() as u64 > limit {
            let message = format!("the stream `{}` has more than {limit} bytes", found.name);
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        if !found.is_storage && (bytes.len() as u64) < found.size {
            let message =
                format!("the stream `{}` is cut: {} of {} bytes", found.name, bytes.len(), found.size);
            self.note_damage(&message);
        }
        self.left -= bytes.len() as u64;
        Ok(bytes)
    }

    /// The stream at a path, whole; `None` if there is none.
    ///
    /// # Errors
    /// As [`Compound::read`].
    pub fn read_path(&mut self, path: &str) -> Result<Option<Vec<u8>>, Problem> {
        self.find(path).map(|entry| self.read(entry)).transpose()
    }

    /// As much as there is of `length` bytes of a stream from `from` on.
    ///
    /// # Errors
    /// `Io` if the file cannot be read.
    pub fn read_range(&mut self, entry: usize, from: u64, length: usize) -> Result<Vec<u8>, Problem> {
        let Some(found) = self.entries().get(entry).filter(|entry| !entry.is_storage) else {
            return Ok(Vec::new());
        };
        let (first, size) = (found.first, found.size);
        let end = from.saturating_add(length as u64).min(size);
        let pieces = match self.last.take() {
            Some((last, pieces)) if last == entry => pieces,
            _ => self.sectors.stream(first, size),
        };
        let bytes = self.sectors.read(&pieces, from..end).map_err(|error| unreadable(&error));
        self.last = Some((entry, pieces));
        bytes
    }

    /// Adds to the damage what a reader of streams found.
    pub fn note_damage(&mut self, message: &str) {
        // Names of streams begin with control characters.
        let message: String = message.chars().filter(|c| !c.is_control()).collect();
        if !self.damage.contains(&message) && self.damage.len() < 20 {
            self.damage.push(message);
        }
    }
}

fn damaged(message: &str) -> Problem {
    Problem::new(ProblemKind::Damaged, message)
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

#[cfg(test)]
mod tests;
