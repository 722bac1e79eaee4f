//! Where the entries of a package are: its directory, with the ZIP64 form of the directory's end.
//!
//! No memory is reserved by a number that the package gives, and no count is trusted: the directory goes on as long
//! as its records do.

use super::entry::{Entry, HeaderFields, entry_name};
use super::file::PackageFile;
use crate::limits::archive::{MAX_DIRECTORY_BYTES, MAX_ENTRIES};
use crate::shared::bytes::{u16_le, u32_le, u64_le};
use pensieve_text::model::{Problem, ProblemKind};
use std::io;
use thiserror::Error;

const RECORD: &[u8; 4] = b"PK\x01\x02";
const RECORD_BYTES: u64 = 46;
const SIGNATURE: &[u8; 4] = b"PK\x05\x05";
const END: &[u8; 4] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const END_64: &[u8; 4] = b"PK\x06\x06";
const END_64_BYTES: usize = 56;
const LOCATOR_64: &[u8; 4] = b"PK\x06\x07";
const LOCATOR_64_BYTES: usize = 20;

/// The end record is followed by a comment of at most 65,535 bytes.
const TAIL_BYTES: u64 = END_BYTES as u64 + 65_535;

/// A comment may contain what looks like an end record; so many are tried.
const MAX_ENDS: usize = 16;

/// How large the directory of a package may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArchiveLimits {
    /// Its entries.
    pub entries: usize,
    /// Its bytes.
    pub directory_bytes: u64,
}

impl ArchiveLimits {
    /// Those of a document that is a package.
    pub const PACKAGE: ArchiveLimits =
        ArchiveLimits { entries: MAX_ENTRIES, directory_bytes: MAX_DIRECTORY_BYTES };
}

/// Why the entries of a package cannot be listed.
#[derive(Debug, Error)]
pub(super) enum DirectoryError {
    /// The file cannot be read.
    #[error("the ZIP directory cannot be read: {0}")]
    Io(#[from] io::Error),
    /// There is no end record.
    #[error("the package has no directory: it was cut short, or is no ZIP package")]
    NoEnd,
    /// There are more entries than the limit.
    #[error("the package has more than {0} entries")]
    TooManyEntries(usize),
    /// The directory, or the names of the entries, are longer than the limit.
    #[error("the directory of the package is larger than {0} bytes")]
    TooLarge(u64),
}

impl From<DirectoryError> for Problem {
    fn from(error: DirectoryError) -> Problem {
        let kind = match error {
            DirectoryError::Io(_) => ProblemKind::Io,
            DirectoryError::NoEnd => ProblemKind::Damaged,
            DirectoryError::TooManyEntries(_) | DirectoryError::TooLarge(_) => ProblemKind::SizeLimit,
        };
        Problem::new(kind, error.to_string())
    }
}

/// What the directory lists.
#[derive(Default)]
pub(super) struct Directory {
    /// The entries by name, in its order.
    pub entries: Vec<(String, Entry)>,
    /// How many entries its end counts.
    pub count: u64,
    /// It has records, and the last one is followed by its end.
    pub reaches_end: bool,
    /// The number of files that the package is divided into.
    pub parts: u32,
}

impl Directory {
    /// False if entries may be missing. A count that is too low is only wrong.
    pub fn is_whole(&self) -> bool {
        let listed = self.entries.len() as u64;
        listed > 0 && (listed == self.count || listed > self.count && self.reaches_end)
    }
}

/// Reads the directory. It is empty if there is an end record but no directory at any place that the record gives.
pub(super) fn read_directory(
    file: &mut PackageFile<'_>,
    limits: ArchiveLimits,
) -> Result<Directory, DirectoryError> {
    let start = file.size.saturating_sub(TAIL_BYTES);
    let mut tail = Vec::new();
    file.seek_to(start)?;
    file.fill(&mut tail, TAIL_BYTES)?;
    let mut space = DirectorySpace { limits, left: limits.directory_bytes };
    let mut last: Option<(u64, Directory)> = None;
    for at in memchr::memmem::rfind_iter(&tail, END).take(MAX_ENDS) {
        let Some(record) = tail.get(at..).and_then(|tail| tail.first_chunk::<END_BYTES>()) else { continue };
        let at = start + at as u64;
        let after_comment = at + END_BYTES as u64 + u64::from(u16_le(record, 20).unwrap_or(0));
        // An end before the last one is the real one only if the last one is in its comment; otherwise it belongs to a
        // package inside this one.
        if last.as_ref().is_some_and(|(last, _)| *last >= after_comment) {
            continue;
        }
        let Some(end) = read_end(file, record, at)? else { continue };
        let found = read_best(file, &end, &mut space)?;
        if !found.entries.is_empty() {
            return Ok(found);
        }
        last.get_or_insert((at, found));
    }
    last.map(|(_, empty)| empty).ok_or(DirectoryError::NoEnd)
}

/// True if a record is that of a symbolic link of Unix, whose mode is in the external attributes.
fn is_link(record: &[u8]) -> bool {
    let is_of_unix = record.get(5) == Some(&3);
    is_of_unix && u16_le(record, 40).is_some_and(|mode| mode & 0o170_000 == 0o120_000)
}

/// The space that is left for directories.
struct DirectorySpace {
    limits: ArchiveLimits,
    left: u64,
}

impl DirectorySpace {
    fn take(&mut self, bytes: u64) -> Result<(), DirectoryError> {
        let too_large = DirectoryError::TooLarge(self.limits.directory_bytes);
        self.left = self.left.checked_sub(bytes).ok_or(too_large)?;
        Ok(())
    }
}

/// What an end record says.
struct DirectoryEnd {
    /// The number of files that the package is divided into; this one is the last.
    parts: u32,
    count: u64,
    length: u64,
    offset: u64,
    /// Where the records of the end begin.
    at: u64,
}

/// Reads the end record at `at`, and its ZIP64 form if there is one.
fn read_end(
    file: &mut PackageFile<'_>,
    record: &[u8; END_BYTES],
    at: u64,
) -> io::Result<Option<DirectoryEnd>> {
    if let Some(place) = at.checked_sub(LOCATOR_64_BYTES as u64) {
        let locator: Option<[u8; LOCATOR_64_BYTES]> = file.read_at(place)?;
        let locator = locator.filter(|locator| locator.starts_with(LOCATOR_64));
        let named = locator.as_ref().and_then(|locator| u64_le(locator, 8));
        // Bytes before the package move the record away from the place that the locator gives.
        let before = locator.and_then(|_| place.checked_sub(END_64_BYTES as u64));
        for at in [named, before].into_iter().flatten() {
            let end: Option<[u8; END_64_BYTES]> = file.read_at(at)?;
            if let Some(end) = end.filter(|end| end.starts_with(END_64)) {
                return Ok(wide_end(&end, at));
            }
        }
    }
    Ok(narrow_end(record, at))
}

fn narrow_end(record: &[u8], at: u64) -> Option<DirectoryEnd> {
    let count = u64::from(u16_le(record, 10)?);
    let (length, offset) = (u64::from(u32_le(record, 12)?), u64::from(u32_le(record, 16)?));
    let parts = u16_le(record, 4).filter(|disk| *disk < u16::MAX).map_or(1, |disk| u32::from(disk) + 1);
    Some(DirectoryEnd { parts, count, length, offset, at })
}

fn wide_end(record: &[u8], at: u64) -> Option<DirectoryEnd> {
    let (count, length, offset) = (u64_le(record, 32)?, u64_le(record, 40)?, u64_le(record, 48)?);
    let parts = u32_le(record, 16)?.saturating_add(1);
    Some(DirectoryEnd { parts, count, length, offset, at })
}

/// Reads the directory from where it should begin, and from where it begins if there are bytes before the package;
/// the better of both is the one that reaches its end, or else the longer one.
fn read_best(
    file: &mut PackageFile<'_>,
    end: &DirectoryEnd,
    space: &mut DirectorySpace,
) -> Result<Directory, DirectoryError> {
    let as_said = read_records(file, end, end.offset, space)?;
    let before_end = end.at.checked_sub(end.length).filter(|start| *start != end.offset);
    let Some(start) = before_end else { return Ok(as_said) };
    let moved = read_records(file, end, start, space)?;
    let quality = |directory: &Directory| (directory.reaches_end, directory.entries.len());
    Ok(if quality(&moved) > quality(&as_said) { moved } else { as_said })
}

fn read_records(
    file: &mut PackageFile<'_>,
    end: &DirectoryEnd,
    start: u64,
    space: &mut DirectorySpace,
) -> Result<Directory, DirectoryError> {
    let mut directory = Directory { count: end.count, parts: end.parts, ..Directory::default() };
    let shift = start.wrapping_sub(end.offset);
    file.seek_to(start)?;
    let mut at = start;
    let (mut record, mut rest) = (Vec::new(), Vec::new());
    while file.fill(&mut record, RECORD_BYTES)?
        && let Some(fields) =
            record.strip_prefix(RECORD).and_then(|record| HeaderFields::read(record.get(4..)?))
        && let (Some(comment_bytes), Some(header)) = (u16_le(&record, 32), u32_le(&record, 42))
    {
        let length = (fields.name_bytes + fields.extra_bytes) as u64 + u64::from(comment_bytes);
        space.take(RECORD_BYTES + length)?;
        if !file.fill(&mut rest, length)? {
            return Ok(directory);
        }
        if directory.entries.len() >= space.limits.entries {
            return Err(DirectoryError::TooManyEntries(space.limits.entries));
        }
        let (name, extra) = rest.split_at_checked(fields.name_bytes).unwrap_or_default();
        let extra = extra.get(..fields.extra_bytes).unwrap_or_default();
        let mut entry = fields.listed(extra, header);
        entry.header = entry.header.wrapping_add(shift);
        entry.is_link = is_link(&record);
        directory.entries.push((entry_name(name, extra), entry));
        at += RECORD_BYTES + length;
    }
    let is_followed_by_end = at == end.at || record.starts_with(SIGNATURE);
    directory.reaches_end = is_followed_by_end && !directory.entries.is_empty();
    Ok(directory)
}
