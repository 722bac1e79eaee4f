//! Tar archives (`.tar`): the forms of Unix V7, POSIX (ustar, pax) and GNU, with long names and large sizes; also archives that
//! follow each other in one file.
//!
//! Links, devices and FIFOs are listed with what they are; sparse files are listed and not read. Format: POSIX.1-2017 `pax`,
//! "ustar Interchange Format" and "pax Header Block"; the manual of GNU tar 1.35, "Basic Tar Format". The crate `tar` 0.4 holds
//! a long name of any length in memory.

mod header;
mod pax;
mod stream;

use super::entries::{EntryKind, Visit, emit_entries};
use super::names::name_text;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource, unreadable};
pub(super) use header::has_checksum;
use pensieve_text::model::{AbsentContent, Document, Problem, ProblemKind};
use std::io::{BufReader, Read};
use stream::{TarEntry, TarStream};

/// Bytes of the archive that are read at a time.
const BUFFER_BYTES: usize = 128 << 10;

/// Reads a tar archive.
///
/// # Errors
/// The file cannot be read, there is no entry in it, or the sink stops.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    emit_entries(sink, &mut |visit| {
        let file = source.file()?;
        file.rewind().map_err(unreadable)?;
        walk(BufReader::with_capacity(BUFFER_BYTES, file), visit)
    })
}

/// Passes every entry of an archive to `visit`.
pub(super) fn walk(data: impl Read, visit: &mut Visit<'_, '_>) -> Result<(), Problem> {
    let mut archive = TarStream::new(data);
    while !visit.is_done()
        && let Some(entry) = archive.next()?
    {
        visit.entry(&name_text(&entry.name), kind_of(&entry), &mut archive)?;
        let skipped = archive.skip()?;
        visit.count(skipped)?;
    }
    if archive.has_lost_names {
        let message = "names of entries are too long and are cut";
        visit.problem(Problem::new(ProblemKind::SizeLimit, message));
    }
    Ok(())
}

fn kind_of(entry: &TarEntry) -> EntryKind {
    let special = |mime, reason: String| EntryKind::Special(AbsentContent { mime, reason });
    let unreadable = |what: &str| EntryKind::Unreadable(Problem::new(ProblemKind::ExtractionFailed, what));
    let target = || name_text(&entry.link);
    match entry.kind {
        b'1' => special("inode/x-hard-link", format!("a hard link to `{}`", target())),
        b'2' => special("inode/symlink", format!("a symbolic link to `{}`", target())),
        b'3' => special("inode/chardevice", "a character device".to_owned()),
        b'4' => special("inode/blockdevice", "a block device".to_owned()),
        b'5' | b'D' | b'V' => EntryKind::Folder,
        b'6' => special("inode/fifo", "a FIFO".to_owned()),
        b'M' => unreadable("it began in another volume of the archive"),
        b'S' => unreadable("a sparse file, which is not read"),
        _ if entry.is_sparse => unreadable("a sparse file, which is not read"),
        // Early archives mark folders by their names alone.
        _ if entry.name.ends_with(b"/") => EntryKind::Folder,
        _ => EntryKind::File,
    }
}

#[cfg(test)]
pub(super) mod testing;
#[cfg(test)]
mod tests;
