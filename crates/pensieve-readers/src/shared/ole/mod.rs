//! OLE2 compound files within limits: storages and streams by their names, whole or by range. [`Compound::damage`]
//! reports missing parts of a stream.
//!
//! The crate `cfb` reads the structure ([MS-CFB], sections 2.1 to 2.6). It refuses a file whose allocation table
//! lists more sectors than the file has, as tables of truncated files and of some writers do; [`PaddedFile`] makes
//! such a file long enough. Measured on the 91 compound files of the corpora against a reader that took whatever
//! could be reached: all documents written by programs give the same text; of 14 fuzzed ones, three lose their text
//! (broken trees and names of entries) and two are `Damaged` that were `Encrypted`.

mod padded;
mod properties;
#[cfg(test)]
pub(crate) mod testing;

pub(crate) use properties::{filetime_to_iso, metadata};

use crate::limits::ole::{MAX_DIRECTORY_ENTRIES, MAX_FILE_BYTES, MAX_STREAM_BYTES};
use crate::source::{DocumentSource, ReadSeek};
use cfb::{CompoundFile, OpenOptions};
use padded::{PaddedFile, PaddingState};
use pensieve_text::model::{Problem, ProblemKind};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::rc::Rc;

const SIGNATURE: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/// Bytes that are read from a stream together: `cfb` reads this many without a buffer of its own.
const READ_BYTES: usize = 64 << 10;

/// A storage or a stream.
#[derive(Debug, Clone)]
pub(crate) struct CompoundEntry {
    /// Its name, without a path.
    pub name: String,
    /// A storage contains other entries, a stream contains bytes.
    pub is_storage: bool,
    /// Its size according to the directory.
    pub size: u64,
    /// The storage that contains it; the root for the root.
    pub parent: usize,
    path: PathBuf,
}

/// An open compound file.
pub(crate) struct Compound<'a> {
    file: CompoundFile<PaddedFile<'a>>,
    padding: Rc<PaddingState>,
    entries: Vec<CompoundEntry>,
    children: Vec<Vec<usize>>,
    left: u64,
    damage: Vec<String>,
}

impl<'a> Compound<'a> {
    /// Reads the directory of a compound file.
    ///
    /// # Errors
    /// `Damaged` if there is no compound file, or nothing of its directory can be read.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Compound<'a>, Problem> {
        let size = source.size();
        Compound::over(source.file()?, size)
    }

    fn over(file: &'a mut dyn ReadSeek, size: u64) -> Result<Compound<'a>, Problem> {
        let mut head = Vec::new();
        (&mut *file).take(512).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        if !Compound::is_compound(&head) || head.len() < 512 {
            return Err(damaged("no OLE2 compound file: its header is missing or cut"));
        }
        let is_whole = open_padded(&mut *file, size, size).is_ok();
        let length = if is_whole { size } else { padded::length_by_table(&head, size) };
        let (file, padding) = open_padded(file, size, length).map_err(|error| {
            damaged(&format!("the structure of the OLE2 compound file is broken: {error}"))
        })?;
        padding.stop_filling();
        let (entries, children) = read_tree(&file);
        if !entries.iter().any(|entry| !entry.is_storage) {
            return Err(damaged("the directory of the OLE2 compound file is missing or empty"));
        }
        Ok(Compound { file, padding, entries, children, left: MAX_FILE_BYTES, damage: Vec::new() })
    }

    /// True when the bytes begin as a compound file does.
    pub fn is_compound(head: &[u8]) -> bool {
        head.starts_with(&SIGNATURE)
    }

    /// The damage found so far, each kind once, as lower-case fragments.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// All entries; the root is the first.
    pub fn entries(&self) -> &[CompoundEntry] {
        &self.entries
    }

    /// The entries of a storage in the order of its tree: by length of the name, then by name.
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
    /// `SizeLimit` if it is larger than a stream may be, `Io` if the file cannot be read.
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>, Problem> {
        let limit = MAX_STREAM_BYTES.min(self.left);
        let bytes = self.read_range(entry, 0, limit as usize + 1)?;
        let Some(found) = self.entries.get(entry) else { return Ok(bytes) };
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
        let mut bytes = Vec::new();
        let Some(found) = self.entries.get(entry).filter(|entry| !entry.is_storage && from < entry.size)
        else {
            return Ok(bytes);
        };
        let length = length.min(usize::try_from(found.size - from).unwrap_or(usize::MAX));
        let Ok(mut stream) = self.file.open_stream(&found.path) else { return Ok(bytes) };
        self.padding.start_counting();
        let read = stream
            .seek(SeekFrom::Start(from))
            .and_then(|_| fill(&mut stream, length, &mut bytes, &self.padding));
        self.padding.cut_to_real_bytes(&mut bytes);
        match read {
            // The chain of its sectors is broken: only the bytes before that can be read.
            Err(error) if !matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                Err(unreadable(&error))
            }
            _ => Ok(bytes),
        }
    }

    fn note_damage(&mut self, message: &str) {
        // Names of streams begin with control characters.
        let message: String = message.chars().filter(|c| !c.is_control()).collect();
        if !self.damage.contains(&message) && self.damage.len() < 20 {
            self.damage.push(message);
        }
    }
}

fn open_padded<'a>(
    file: &'a mut dyn ReadSeek,
    size: u64,
    length: u64,
) -> io::Result<(CompoundFile<PaddedFile<'a>>, Rc<PaddingState>)> {
    let padding = Rc::new(PaddingState::new(size));
    let file = PaddedFile::new(file, size, length, padding.clone());
    // Buffers are small because ranges of streams are read here and there.
    Ok((OpenOptions::new().max_buffer_size(4096).open_with(file)?, padding))
}

/// The entries of the directory and, for each, those that it contains.
fn read_tree(file: &CompoundFile<PaddedFile<'_>>) -> (Vec<CompoundEntry>, Vec<Vec<usize>>) {
    let mut entries: Vec<CompoundEntry> = Vec::new();
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut storages: HashMap<PathBuf, usize> = HashMap::new();
    for (at, entry) in file.walk().take(MAX_DIRECTORY_ENTRIES).enumerate() {
        let path = entry.path().to_owned();
        let parent = path.parent().and_then(|folder| storages.get(folder)).copied().unwrap_or(0);
        if at > 0 {
            children[parent].push(at);
        }
        if !entry.is_stream() {
            storages.insert(path.clone(), at);
        }
        let name = entry.name().to_owned();
        entries.push(CompoundEntry { name, is_storage: !entry.is_stream(), size: entry.len(), parent, path });
        children.push(Vec::new());
    }
    (entries, children)
}

/// Reads as much as there is of `length` bytes, with some of the padding if that is reached.
fn fill(
    stream: &mut impl Read,
    length: usize,
    bytes: &mut Vec<u8>,
    padding: &PaddingState,
) -> io::Result<()> {
    while bytes.len() < length && !padding.is_reached() {
        let start = bytes.len();
        bytes.resize(length.min(start + READ_BYTES), 0);
        let read = stream.read(&mut bytes[start..]);
        bytes.truncate(start + read.as_ref().copied().unwrap_or(0));
        if read? == 0 {
            break;
        }
    }
    Ok(())
}

fn damaged(message: &str) -> Problem {
    Problem::new(ProblemKind::Damaged, message)
}

fn unreadable(error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Io, format!("cannot read: {error}"))
}

#[cfg(test)]
mod tests;
