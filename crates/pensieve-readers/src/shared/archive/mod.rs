//! ZIP packages within limits: the size that they may expand to, the number of entries, and names that are looked up
//! but never become paths.
//!
//! A package whose entries are intact is read, whatever is wrong with its directory. The number of entries that the end
//! of the directory gives is not used to read it; extra fields that are malformed do not matter; a deflated entry ends
//! where it says, whatever length the directory gives. If the directory breaks off, has fewer entries than its end
//! counts, or points to wrong places, entries are found by their own headers, and the document says so. A package
//! without an end of the directory was cut short and is refused: half of a document must not pass for all of it.
//! Entries are stored, deflated, or packed with bzip2, xz or Zstandard; other methods and encrypted entries are refused by
//! name.
//!
//! After APPNOTE.TXT 6.3.10 of PKWARE, sections 4.3 (layout), 4.5.3 (ZIP64) and 4.6.9 (Unicode names). The crate `zip`
//! is not a replacement. It reads as many records of the directory as the end counts: with a count that is too low the
//! rest is lost without a sign, with one that is too high the package is refused, as it is for one overlong extra field.

mod directory;
mod entry;
mod file;
mod local;
#[cfg(test)]
pub(crate) mod testing;

use crate::limits::archive::{MAX_ENTRY_BYTES, MAX_PACKAGE_BYTES};
use crate::source::DocumentSource;
pub(crate) use directory::ArchiveLimits;
use directory::{Directory, DirectoryError, read_directory};
use entry::{
    DEFLATED, ENCRYPTED_WITH_AES, Entry, EntryReader, LOCAL_HEADER, LOCAL_HEADER_BYTES, STORED, method_name,
    packing_of, seek_to_data,
};
use file::PackageFile;
use local::find_local_entries;
use pensieve_text::model::{Problem, ProblemKind, ReviewReason, ReviewReasonKind};
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use unicode_normalization::UnicodeNormalization;

/// An open package.
pub(crate) struct Archive<'a> {
    limits: ArchiveLimits,
    parts: u32,
    file: PackageFile<'a>,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    names: Vec<String>,
    left: u64,
    /// Entries were looked for by their own headers.
    is_searched: bool,
    /// Of the document that the package is.
    review_reasons: &'a mut Vec<ReviewReason>,
}

impl<'a> Archive<'a> {
    /// Reads the directory of a package. What is wrong with it, or is missing, becomes a review reason of the document.
    ///
    /// # Errors
    /// `Damaged` if the directory has no end, or no entry is found though it counts some; `SizeLimit` if it has too
    /// many entries or is too large.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Archive<'a>, Problem> {
        Archive::open_within(source, ArchiveLimits::PACKAGE)
    }

    /// Reads a directory within other limits.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_within(
        source: &'a mut DocumentSource<'_>,
        limits: ArchiveLimits,
    ) -> Result<Archive<'a>, Problem> {
        let size = source.size();
        let (file, review_reasons) = source.file_and_review_reasons()?;
        let mut file = PackageFile::new(file, size);
        let mut directory = read_directory(&mut file, limits)?;
        let is_whole = directory.is_whole();
        let mut archive = Archive {
            limits,
            parts: directory.parts,
            file,
            entries: Vec::new(),
            by_name: HashMap::new(),
            names: Vec::new(),
            left: MAX_PACKAGE_BYTES,
            is_searched: false,
            review_reasons,
        };
        archive.add(std::mem::take(&mut directory.entries));
        if !is_whole {
            archive.find_more_entries()?;
            archive.report(&directory)?;
        }
        Ok(archive)
    }

    /// The names of its entries in the order of its directory, with `/` between folders and no `/` at the start.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True when there is an entry of that name, in any case of its letters.
    pub fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Reads a whole entry.
    ///
    /// # Errors
    /// `Damaged` if it is absent, cut or altered, `Encrypted`, `SizeLimit` if it expands beyond the limits.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>, Problem> {
        match self.salvage(name)? {
            (bytes, None) => Ok(bytes),
            (_, Some(problem)) => Err(problem),
        }
    }

    /// Reads as much of an entry as can be unpacked, and returns the reason if that is not all.
    ///
    /// # Errors
    /// As [`Archive::read`], if nothing can be unpacked at all.
    pub fn salvage(&mut self, name: &str) -> Result<(Vec<u8>, Option<Problem>), Problem> {
        let limit = MAX_ENTRY_BYTES.min(self.left);
        let entry = self.find_entry(name)?;
        let mut bytes = Vec::new();
        let read = EntryReader::new(self.file.reader(), &entry)
            .and_then(|data| data.take(limit + 1).read_to_end(&mut bytes));
        let problem = match read {
            _ if bytes.len() as u64 > limit => Some(too_large(name, limit)),
            Ok(_) => None,
            Err(error) => Some(damaged_entry(name, &error)),
        };
        bytes.truncate(limit as usize);
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok((bytes, problem))
    }

    /// An entry as a stream, which fails when it expands beyond what the whole package may.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn stream(&mut self, name: &str) -> Result<impl Read + '_, Problem> {
        let entry = self.find_entry(name)?;
        let entry = EntryReader::new(self.file.reader(), &entry);
        let entry = entry.map_err(|error| damaged_entry(name, &error))?;
        Ok(LimitedEntry { entry, left: &mut self.left, name: name.to_owned() })
    }

    /// The entry with this index among [`Archive::names`] as a stream, without a limit.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub fn stream_at(&mut self, at: usize) -> Result<impl Read + '_, Problem> {
        let entry = self.entries.get(at).copied();
        let name = self.names.get(at).cloned().unwrap_or_default();
        let entry = self.readable(entry, &name)?;
        EntryReader::new(self.file.reader(), &entry).map_err(|error| damaged_entry(&name, &error))
    }

    /// True if the entry with this index is a symbolic link.
    pub fn is_link(&self, at: usize) -> bool {
        self.entries.get(at).is_some_and(|entry| entry.is_link)
    }

    /// The number of files that the package is divided into; this one is the last.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// True if the file begins with an entry that is not listed: it was cut, and its last directory is that of a package
    /// inside it.
    pub fn lacks_start(&mut self) -> bool {
        let start: Option<[u8; 4]> = self.file.read_at(0).ok().flatten();
        start.as_ref() == Some(LOCAL_HEADER) && self.entries.iter().all(|entry| entry.header != 0)
    }

    /// The indexes of entries whose header or data begin inside those of another entry.
    pub fn overlapping(&self) -> HashSet<usize> {
        let mut places: Vec<(u64, u64, usize)> = Vec::new();
        for (at, (entry, name)) in self.entries.iter().zip(&self.names).enumerate() {
            // The header has at least its fixed part and one byte for a letter of the name.
            let length = LOCAL_HEADER_BYTES as u64 + name.chars().count() as u64;
            let end = entry.header.saturating_add(length).saturating_add(entry.packed.unwrap_or(0));
            places.push((entry.header, end, at));
        }
        places.sort_unstable();
        let mut last = 0;
        let mut overlapping = HashSet::new();
        for (start, end, at) in places {
            if start < last {
                overlapping.insert(at);
            }
            last = last.max(end);
        }
        overlapping
    }

    fn index(&self, name: &str) -> Option<usize> {
        let name = name.trim_start_matches('/');
        self.by_name.get(name).or_else(|| self.by_name.get(&folded(name))).copied()
    }

    /// Records that something the document needs could not be read.
    pub fn note_skipped_part(&mut self, detail: String) {
        if self.review_reasons.iter().all(|reason| reason.detail != detail) {
            self.review_reasons.push(ReviewReason::skipped(detail));
        }
    }

    /// Finds an entry that can be read, and moves the file to the first byte of its data.
    fn find_entry(&mut self, name: &str) -> Result<Entry, Problem> {
        let mut entry = self.seek_to_data(name)?;
        if entry.is_none() && !self.is_searched {
            self.find_more_entries()?;
            let detail = "the directory of the package points to wrong places";
            self.review_reasons.push(ReviewReason::repaired(detail));
            entry = self.seek_to_data(name)?;
        }
        check_readable(entry, name)
    }

    /// An entry that can be read; moves the file to the first byte of its data.
    fn readable(&mut self, entry: Option<Entry>, name: &str) -> Result<Entry, Problem> {
        let Some(mut entry) = entry else { return check_readable(None, name) };
        match seek_to_data(&mut self.file, &mut entry) {
            Ok(is_there) => check_readable(is_there.then_some(entry), name),
            Err(error) => Err(Problem::new(ProblemKind::Io, format!("`{name}` cannot be read: {error}"))),
        }
    }

    /// Moves the file to the data of an entry; `None` if its header is not where the package says.
    fn seek_to_data(&mut self, name: &str) -> Result<Option<Entry>, Problem> {
        let entry = self.index(name).and_then(|at| self.entries.get(at)).copied();
        let missing = || Problem::new(ProblemKind::Damaged, format!("the package has no `{name}`"));
        let mut entry = entry.ok_or_else(missing)?;
        match seek_to_data(&mut self.file, &mut entry) {
            Ok(is_there) => Ok(is_there.then_some(entry)),
            Err(error) => Err(Problem::new(ProblemKind::Io, format!("`{name}` cannot be read: {error}"))),
        }
    }

    /// Finds entries by their own headers: adds those that the directory lacks, and moves those that are not where it
    /// says. Of several with one name the last one counts, as in the directory.
    fn find_more_entries(&mut self) -> Result<(), Problem> {
        self.is_searched = true;
        let found = find_local_entries(&mut self.file, self.limits)?;
        let headers: HashSet<u64> = found.iter().map(|(_, entry)| entry.header).collect();
        let mut new = Vec::new();
        for (name, entry) in found.into_iter().rev() {
            match self.by_name.get(&name).and_then(|&at| self.entries.get_mut(at)) {
                Some(known) if known.header >= entry.header && headers.contains(&known.header) => {}
                Some(known) => {
                    let (crc, packed) = (entry.crc.or(known.crc), entry.packed.or(known.packed));
                    *known = Entry { crc, packed, is_link: known.is_link, ..entry };
                }
                None => new.push((name, entry)),
            }
        }
        if self.entries.len() + new.len() > self.limits.entries {
            return Err(DirectoryError::TooManyEntries(self.limits.entries).into());
        }
        new.reverse();
        self.add(new);
        Ok(())
    }

    /// Reports a directory whose entries were looked for by their own headers.
    fn report(&mut self, directory: &Directory) -> Result<(), Problem> {
        let (found, count) = (self.entries.len(), directory.count);
        let is_short = (found as u64) < count;
        let (kind, detail) = match (directory.reaches_end, is_short) {
            _ if found == 0 && count == 0 => return Ok(()),
            _ if found == 0 => {
                let message = "the directory of the package is damaged, and no entry is found without it";
                return Err(Problem::new(ProblemKind::Damaged, message));
            }
            (false, true) => (
                ReviewReasonKind::SkippedParts,
                format!("the directory of the package is damaged: {found} of {count} entries are found"),
            ),
            (true, true) => (
                ReviewReasonKind::RepairedStructure,
                format!("the package has {found} entries, and the end of its directory counts {count}"),
            ),
            (_, false) => (
                ReviewReasonKind::RepairedStructure,
                "the directory of the package is damaged: entries are found by their own headers".to_owned(),
            ),
        };
        self.review_reasons.push(ReviewReason::new(kind, detail));
        Ok(())
    }

    /// Adds entries. A name finds the last entry of exactly that name; one in other letters finds the first.
    fn add(&mut self, new: Vec<(String, Entry)>) {
        let first = self.entries.len();
        for (name, entry) in new {
            self.by_name.insert(name.clone(), self.entries.len());
            self.names.push(name);
            self.entries.push(entry);
        }
        for (at, name) in self.names.iter().enumerate().skip(first) {
            self.by_name.entry(folded(name)).or_insert(at);
        }
    }
}

/// An entry whose data can be unpacked, or why they cannot.
fn check_readable(entry: Option<Entry>, name: &str) -> Result<Entry, Problem> {
    let problem = |kind, what: &str| Err(Problem::new(kind, format!("`{name}` {what}")));
    let Some(entry) = entry else { return problem(ProblemKind::Damaged, "is not where the package says") };
    match entry.method {
        DEFLATED | STORED if entry.claims_too_much => {
            problem(ProblemKind::Damaged, "is said to be larger than its packed bytes can become")
        }
        ENCRYPTED_WITH_AES => problem(ProblemKind::Encrypted, "is encrypted with AES"),
        _ if entry.is_encrypted => problem(ProblemKind::Encrypted, "is encrypted with a password"),
        DEFLATED => Ok(entry),
        method if method != STORED && packing_of(method).is_none() => {
            let what = format!("is packed with {}, which is not read", method_name(method));
            problem(ProblemKind::ExtractionFailed, &what)
        }
        _ if entry.packed.is_none() => problem(ProblemKind::Damaged, "is stored with an unknown length"),
        _ => Ok(entry),
    }
}

/// The form in which names are compared if the exact one does not exist: lower case, composed.
fn folded(name: &str) -> String {
    match name.is_ascii() {
        true => name.to_ascii_lowercase(),
        false => name.nfc().flat_map(char::to_lowercase).collect(),
    }
}

/// A stream of an entry that counts its bytes against the size that the package may expand to.
struct LimitedEntry<'s, R> {
    entry: R,
    left: &'s mut u64,
    name: String,
}

impl<R: Read> Read for LimitedEntry<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.entry.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => *self.left = left,
            None => {
                let message = format!("`{}` expands beyond {MAX_PACKAGE_BYTES} bytes", self.name);
                return Err(io::Error::other(message));
            }
        }
        Ok(read)
    }
}

fn too_large(name: &str, limit: u64) -> Problem {
    Problem::new(ProblemKind::SizeLimit, format!("`{name}` expands beyond {limit} bytes"))
}

fn damaged_entry(name: &str, error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Damaged, format!("`{name}` cannot be unpacked: {error}"))
}

#[cfg(test)]
mod tests;
