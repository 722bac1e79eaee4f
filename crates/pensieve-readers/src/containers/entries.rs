//! The entries of an archive become documents: named, hashed, held in memory or read as a stream, within limits.

use super::names::EntryPlaces;
use crate::limits::containers::MAX_ENTRIES;
use crate::source::{DocumentSink, StreamedMember};
use pensieve_text::model::{AbsentContent, ContainerMember, ContentHasher, Document, Problem, ProblemKind};
use std::collections::HashMap;
use std::io::{self, Read};

/// Bytes that are unpacked at a time.
const STEP_BYTES: usize = 64 << 10;

/// What an entry is.
pub(super) enum EntryKind {
    File,
    Folder,
    /// A link or a device: listed and not read.
    Special(AbsentContent),
    /// A file that cannot be read.
    Unreadable(Problem),
}

/// One walk over the entries of an archive; `visit` gets each entry with its data.
pub(super) type Walk<'w> = &'w mut dyn FnMut(&mut Visit<'_, '_>) -> Result<(), Problem>;

/// Which walk it is, and what it does with an entry.
pub(super) struct Visit<'v, 's> {
    emitter: &'v mut EntryEmitter<'s>,
    number: usize,
    is_second: bool,
}

/// Collects and emits the documents of one archive.
struct EntryEmitter<'s> {
    sink: &'s mut dyn DocumentSink,
    places: EntryPlaces,
    /// Entries that are too large to be held, by number.
    large: HashMap<usize, StreamedMember>,
    document: Document,
}

/// Emits the documents of an archive. `walk` passes its entries in order, the same ones each time it is called.
///
/// # Errors
/// The receiver stopped the reader, or nothing of the archive can be read.
pub(super) fn emit_entries(sink: &mut dyn DocumentSink, walk: Walk<'_>) -> Result<Document, Problem> {
    let mut emitter = EntryEmitter {
        sink,
        places: EntryPlaces::default(),
        large: HashMap::new(),
        document: Document::default(),
    };
    let mut visit = Visit { emitter: &mut emitter, number: 0, is_second: false };
    let first = walk(&mut visit);
    let number = visit.number;
    emitter.conclude(first, number)?;
    if !emitter.large.is_empty() {
        let mut visit = Visit { emitter: &mut emitter, number: 0, is_second: true };
        // What is wrong with the archive was found by the first walk.
        match walk(&mut visit) {
            Err(problem) if problem.kind == ProblemKind::Io => return Err(problem),
            Err(problem) if problem.kind == ProblemKind::SizeLimit => emitter.document.report(problem),
            _ => {}
        }
    }
    Ok(emitter.document)
}

impl Visit<'_, '_> {
    /// True if the data of the next entry are needed.
    pub fn wants_data(&self) -> bool {
        !self.is_second || self.emitter.large.contains_key(&(self.number + 1))
    }

    /// True if no entry is needed any more.
    pub fn is_done(&self) -> bool {
        self.is_second && self.emitter.large.is_empty()
    }

    /// Takes the next entry. `path` is its name in the archive; `data` end with an error if they are damaged.
    ///
    /// # Errors
    /// The walk must end with this problem.
    pub fn entry(&mut self, path: &str, kind: EntryKind, data: &mut dyn Read) -> Result<(), Problem> {
        self.number += 1;
        if self.number > MAX_ENTRIES {
            let message =
                format!("the archive has more than {MAX_ENTRIES} entries; what follows is not read");
            return Err(Problem::new(ProblemKind::SizeLimit, message));
        }
        let emitter = &mut *self.emitter;
        match (self.is_second, emitter.large.remove(&self.number)) {
            (true, Some(member)) => {
                let size = member.size;
                emitter.sink.stream(member, &mut Salvaged(data).take(size))
            }
            (true, None) => Ok(()),
            (false, _) => emitter.first_visit(self.number, path, kind, data),
        }
    }

    /// Counts bytes that were unpacked and belong to no entry.
    ///
    /// # Errors
    /// The walk must end with this problem.
    pub fn count(&mut self, bytes: u64) -> Result<(), Problem> {
        if self.is_second { Ok(()) } else { self.emitter.sink.unpacked(bytes) }
    }

    /// Notes a problem of the archive itself.
    pub fn problem(&mut self, problem: Problem) {
        if !self.is_second {
            self.emitter.document.report(problem);
        }
    }
}

impl EntryEmitter<'_> {
    /// The end of the first walk: what could not be read is a problem of the archive.
    fn conclude(&mut self, result: Result<(), Problem>, entries: usize) -> Result<(), Problem> {
        match result {
            Err(problem) if problem.kind == ProblemKind::Io || entries == 0 => Err(problem),
            Err(problem) => {
                self.document.report(problem);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn first_visit(
        &mut self,
        number: usize,
        path: &str,
        kind: EntryKind,
        data: &mut dyn Read,
    ) -> Result<(), Problem> {
        if matches!(kind, EntryKind::Folder) {
            return Ok(());
        }
        let (member, name) = self.places.take(path, number);
        let listed = |member: String, name, what: &str| {
            let description = format!("{member}\0{what}");
            ContainerMember::listed(member, name, &description)
        };
        match kind {
            EntryKind::Folder => Ok(()),
            EntryKind::Special(absent) => {
                let listed = listed(member, name, &absent.reason);
                self.sink.member(ContainerMember { absent: Some(absent), ..listed })
            }
            EntryKind::Unreadable(problem) => {
                let listed = listed(member, name, &problem.message);
                self.sink.member(ContainerMember { problem: Some(problem), ..listed })
            }
            EntryKind::File => self.file(number, member, name, data),
        }
    }

    fn file(
        &mut self,
        number: usize,
        member: String,
        name: String,
        data: &mut dyn Read,
    ) -> Result<(), Problem> {
        let room = self.sink.room();
        let mut unpacked = UnpackedEntry { bytes: Vec::new(), size: 0, hasher: None };
        let end = unpacked.read(data, room, self.sink);
        let (problem, limit) = match end {
            Ok(()) => (None, None),
            Err(problem) if matches!(problem.kind, ProblemKind::SizeLimit | ProblemKind::Io) => {
                (Some(problem.clone()), Some(problem))
            }
            Err(problem) => (Some(problem), None),
        };
        if limit.as_ref().is_some_and(|problem| problem.kind == ProblemKind::Io) {
            return limit.map_or(Ok(()), Err);
        }
        match unpacked.hasher {
            // What an archive has beyond its limit is not read in part.
            _ if limit.is_some() => {
                let listed = ContainerMember::listed(member.clone(), name, &format!("{member}\0too large"));
                self.sink.member(ContainerMember { problem, ..listed })?;
            }
            Some(hasher) => {
                let (hash, size) = (hasher.finish(), unpacked.size);
                self.large.insert(number, StreamedMember { member, name, hash, size, problem });
            }
            None => {
                let whole = ContainerMember::new(member, name, unpacked.bytes);
                self.sink.member(ContainerMember { problem, ..whole })?;
            }
        }
        limit.map_or(Ok(()), Err)
    }
}

/// An entry while it is unpacked: its bytes, or only their hash if there are too many.
struct UnpackedEntry {
    bytes: Vec<u8>,
    size: u64,
    hasher: Option<ContentHasher>,
}

impl UnpackedEntry {
    fn read(&mut self, data: &mut dyn Read, room: usize, sink: &mut dyn DocumentSink) -> Result<(), Problem> {
        let mut step = vec![0; STEP_BYTES];
        loop {
            let read = match data.read(&mut step) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(damage(&error)),
            };
            self.size += read as u64;
            sink.unpacked(read as u64)?;
            self.take(step.get(..read).unwrap_or_default(), room);
        }
    }

    fn take(&mut self, step: &[u8], room: usize) {
        if self.hasher.is_none() && self.bytes.len() + step.len() > room {
            let mut hasher = ContentHasher::new();
            hasher.update(&std::mem::take(&mut self.bytes));
            self.hasher = Some(hasher);
        }
        match &mut self.hasher {
            Some(hasher) => hasher.update(step),
            None => {
                if self.bytes.capacity() - self.bytes.len() < step.len() {
                    // Doubling would take twice the memory of a large entry.
                    self.bytes.reserve_exact(step.len().max(self.bytes.len() / 4));
                }
                self.bytes.extend_from_slice(step);
            }
        }
    }
}

/// The problem of an entry that cannot be unpacked further.
pub(super) fn damage(error: &io::Error) -> Problem {
    let kind = match error.kind() {
        io::ErrorKind::OutOfMemory => ProblemKind::MemoryLimit,
        _ => ProblemKind::Damaged,
    };
    Problem::new(kind, format!("cannot be unpacked to its end: {error}"))
}

/// Data that end where they are damaged: the damage is known.
struct Salvaged<'d>(&'d mut dyn Read);

impl Read for Salvaged<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => Ok(0),
            read => read,
        }
    }
}
