//! ZIP packages, guarded: what they may expand to, how many entries they may have, and names that are looked up but
//! never become paths.
//!
//! The directory at the end is read with its ZIP64 form. Where it is damaged or points nowhere, entries are found by
//! their own headers instead; a package without any was cut short and is refused. Entries are stored or deflated; other methods and encrypted entries are refused by name. After APPNOTE.TXT 6.3.10 of PKWARE, sections
//! 4.3 (layout) and 4.5.3 (ZIP64).

mod directory;
#[cfg(test)]
pub(crate) mod made;

use crate::source::{DocumentSource, ReadSeek};
use directory::{Entry, LOCAL, MOST_ENTRIES, fill, read_directory, u16_at, walk};
use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use pensieve_text::model::{Problem, ProblemKind, ReviewReason, ReviewReasonKind};
use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Take};
use unicode_normalization::UnicodeNormalization;

/// Bytes that one entry may expand to when it is read whole.
const LARGEST_ENTRY: u64 = 32 << 20;

/// Bytes that everything that is read of one package may expand to, streamed entries included.
const LARGEST_WHOLE: u64 = 2 << 30;

const STORED: u16 = 0;
const DEFLATED: u16 = 8;
const ENCRYPTED_AES: u16 = 99;

type File<'a> = BufReader<&'a mut dyn ReadSeek>;

/// An open package.
pub struct Archive<'a> {
    file: File<'a>,
    size: u64,
    entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    names: Vec<String>,
    left: u64,
    is_walked: bool,
    repair: Option<String>,
}

impl<'a> Archive<'a> {
    /// Reads the directory of a package.
    ///
    /// # Errors
    /// `Damaged` where no entry can be found, `SizeLimit` where there are too many.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Archive<'a>, Problem> {
        let size = source.size();
        let mut file = BufReader::with_capacity(16 << 10, source.file()?);
        let found =
            read_directory(&mut file, size).map_err(|error| unreadable("the ZIP directory", &error))?;
        let mut archive = Archive {
            file,
            size,
            entries: Vec::new(),
            by_name: HashMap::new(),
            names: Vec::new(),
            left: LARGEST_WHOLE,
            is_walked: false,
            repair: None,
        };
        match found {
            Some(directory) => {
                archive.add(directory.entries)?;
                if directory.is_cut {
                    archive.mend("the directory of the package is cut or wrong")?;
                }
            }
            // What is left of a package that was cut short is not the document: half of it would pass for all.
            None => {
                let message = "the package has no directory: it was cut short, or is no ZIP package";
                return Err(Problem::new(ProblemKind::Damaged, message));
            }
        }
        Ok(archive)
    }

    /// The names of its entries in the order of its directory, with `/` between folders and none at the start.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// True when there is an entry of that name, in any case of its letters.
    pub fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// That the package had to be pieced together, where it had to.
    pub fn reason(&self) -> Option<ReviewReason> {
        self.repair.as_ref().map(|why| ReviewReason::new(ReviewReasonKind::RepairedStructure, why.clone()))
    }

    /// An entry, unpacked whole.
    ///
    /// # Errors
    /// `Damaged` where it is absent, cut or altered, `Encrypted`, `SizeLimit` where it expands beyond the limits.
    pub fn read(&mut self, name: &str) -> Result<Vec<u8>, Problem> {
        match self.salvage(name)? {
            (bytes, None) => Ok(bytes),
            (_, Some(problem)) => Err(problem),
        }
    }

    /// As much of an entry as can be unpacked, with the reason why it is not all.
    ///
    /// # Errors
    /// As [`Archive::read`], where nothing can be unpacked at all.
    pub fn salvage(&mut self, name: &str) -> Result<(Vec<u8>, Option<Problem>), Problem> {
        let limit = LARGEST_ENTRY.min(self.left);
        let unpacking = self.unpack(name)?;
        let mut bytes = Vec::with_capacity(unpacking.likely_size().min(limit) as usize);
        let read = unpacking.take(limit + 1).read_to_end(&mut bytes);
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
        let entry = self.prepare(name)?;
        let entry = Unpacking::new(&mut self.file, &entry, self.size);
        Ok(Guarded { entry, left: &mut self.left, name: name.to_owned() })
    }

    fn index(&self, name: &str) -> Option<usize> {
        let name = name.trim_start_matches('/');
        self.by_name.get(name).or_else(|| self.by_name.get(&folded(name))).copied()
    }

    fn unpack(&mut self, name: &str) -> Result<Unpacking<'_, 'a>, Problem> {
        let entry = self.prepare(name)?;
        Ok(Unpacking::new(&mut self.file, &entry, self.size))
    }

    /// Finds an entry that can be read, with the file at its first byte.
    fn prepare(&mut self, name: &str) -> Result<Entry, Problem> {
        let missing = || Problem::new(ProblemKind::Damaged, format!("the package has no `{name}`"));
        let mut index = self.index(name).ok_or_else(missing)?;
        let failed = |error: io::Error| unreadable(&format!("`{name}`"), &error);
        if !self.go_to(index).map_err(failed)? {
            self.mend("the directory of the package points to wrong places")?;
            index = self.index(name).ok_or_else(missing)?;
            if !self.go_to(index).map_err(failed)? {
                return Err(Problem::new(
                    ProblemKind::Damaged,
                    format!("`{name}` is not where the package says"),
                ));
            }
        }
        let entry = self.entries[index].clone();
        let refused = |kind, how: &str| Err(Problem::new(kind, format!("`{name}` is {how}")));
        if entry.claims_too_much() {
            return refused(ProblemKind::Damaged, "said to be larger than its packed bytes can become");
        }
        match entry.method {
            ENCRYPTED_AES => refused(ProblemKind::Encrypted, "encrypted with AES"),
            _ if entry.is_encrypted => refused(ProblemKind::Encrypted, "encrypted with a password"),
            STORED | DEFLATED => Ok(entry),
            method => refused(
                ProblemKind::ExtractionFailed,
                &format!("packed with {}, which is not read", method_name(method)),
            ),
        }
    }

    /// Puts the file at the first byte of an entry; false where its header does not stand where it should.
    fn go_to(&mut self, index: usize) -> io::Result<bool> {
        let entry = &mut self.entries[index];
        self.file.seek(SeekFrom::Start(entry.header))?;
        let mut header = [0; 30];
        if !fill(&mut self.file, &mut header)? || !header.starts_with(LOCAL) {
            return Ok(false);
        }
        entry.is_encrypted |= u16_at(&header, 6) & 1 != 0;
        let behind = i64::from(u16_at(&header, 26)) + i64::from(u16_at(&header, 28));
        self.file.seek_relative(behind)?;
        Ok(true)
    }

    /// Finds entries by their own headers; what the directory says of those that stand where it says is kept.
    fn mend(&mut self, why: &str) -> Result<(), Problem> {
        if self.is_walked {
            return Ok(());
        }
        self.is_walked = true;
        self.repair = Some(format!("{why}; its entries were found one by one"));
        let found = walk(&mut self.file, self.size).map_err(|error| unreadable("the package", &error))?;
        let mut new = Vec::new();
        for (name, entry) in found {
            match self.by_name.get(&name) {
                Some(&at) if self.entries[at].header == entry.header => {}
                Some(&at) => self.entries[at] = entry,
                None => new.push((name, entry)),
            }
        }
        self.add(new)
    }

    /// Adds entries; the later of two of one name counts, as it does when a package is unpacked to a folder.
    fn add(&mut self, new: Vec<(String, Entry)>) -> Result<(), Problem> {
        if self.entries.len() + new.len() > 2 * MOST_ENTRIES {
            return Err(too_many());
        }
        let first = self.entries.len();
        for (name, entry) in new {
            self.by_name.insert(name.clone(), self.entries.len());
            self.names.push(name);
            self.entries.push(entry);
        }
        for (at, name) in self.names.iter().enumerate().skip(first) {
            let folded = folded(name);
            if folded != *name {
                self.by_name.entry(folded).or_insert(at);
            }
        }
        Ok(())
    }
}

/// A name as it is compared where the exact one is not there: small letters, composed.
fn folded(name: &str) -> String {
    match name.is_ascii() {
        true => name.to_ascii_lowercase(),
        false => name.nfc().flat_map(char::to_lowercase).collect(),
    }
}

fn method_name(method: u16) -> String {
    let known = [(9, "Deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "Zstandard"), (95, "XZ"), (98, "PPMd")];
    let known = known.into_iter().find(|(number, _)| *number == method);
    known.map_or_else(|| format!("method {method}"), |(_, name)| name.to_owned())
}

/// An entry while it is unpacked; the end is an error where checksum or length are not what the package says.
struct Unpacking<'s, 'a> {
    data: Data<'s, 'a>,
    crc: Crc,
    wanted: Option<u32>,
    unpacked: Option<u64>,
    packed: Option<u64>,
}

enum Data<'s, 'a> {
    Stored(Take<&'s mut File<'a>>),
    // A deflated entry knows its own end: a wrong length does not cut it.
    Deflated(Box<DeflateDecoder<&'s mut File<'a>>>),
}

impl<'s, 'a> Unpacking<'s, 'a> {
    fn new(file: &'s mut File<'a>, entry: &Entry, size: u64) -> Unpacking<'s, 'a> {
        let data = match entry.method {
            DEFLATED => Data::Deflated(Box::new(DeflateDecoder::new(file))),
            _ => Data::Stored(file.take(entry.packed.or(entry.unpacked).unwrap_or(size))),
        };
        Unpacking { data, crc: Crc::new(), wanted: entry.crc, unpacked: entry.unpacked, packed: entry.packed }
    }

    /// A size to reserve: what the package says, but no more than its packed bytes usually become.
    fn likely_size(&self) -> u64 {
        let packed = self.packed.unwrap_or(0).min(LARGEST_ENTRY / 8);
        self.unpacked.unwrap_or(0).min(packed * 8)
    }

    fn check_end(&self) -> io::Result<()> {
        let is_wrong = self.wanted.is_some_and(|wanted| wanted != self.crc.sum());
        match is_wrong {
            true => Err(io::Error::new(io::ErrorKind::InvalidData, "its checksum is wrong")),
            false => Ok(()),
        }
    }
}

impl Read for Unpacking<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = match &mut self.data {
            Data::Stored(data) => data.read(buffer)?,
            Data::Deflated(data) => data.read(buffer)?,
        };
        self.crc.update(&buffer[..read]);
        if read == 0 {
            self.check_end()?;
        }
        Ok(read)
    }
}

/// A stream that counts what it gave.
struct Guarded<'s, R> {
    entry: R,
    left: &'s mut u64,
    name: String,
}

impl<R: Read> Read for Guarded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.entry.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => *self.left = left,
            None => {
                return Err(io::Error::other(format!(
                    "`{}` expands beyond {LARGEST_WHOLE} bytes",
                    self.name
                )));
            }
        }
        Ok(read)
    }
}

fn too_large(name: &str, limit: u64) -> Problem {
    Problem::new(ProblemKind::SizeLimit, format!("`{name}` expands beyond {limit} bytes"))
}

fn too_many() -> Problem {
    Problem::new(ProblemKind::SizeLimit, format!("the package has more than {MOST_ENTRIES} entries"))
}

fn damaged_entry(name: &str, error: &io::Error) -> Problem {
    Problem::new(ProblemKind::Damaged, format!("`{name}` cannot be unpacked: {error}"))
}

fn unreadable(what: &str, error: &io::Error) -> Problem {
    match error.kind() {
        io::ErrorKind::QuotaExceeded => too_many(),
        _ => Problem::new(ProblemKind::Io, format!("{what} cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests;
