//! ZIP packages within limits: the size that they may expand to, the number of entries, and names that are looked up
//! but never become paths.
//!
//! The crate `zip` reads directory and entries. Measured on the 377 packages of the corpora, the goldens and the
//! hostile tree against a reader that also found entries by their own headers if the directory is damaged: both give
//! the same, except for one fuzzed workbook and two packages with flipped bits, which `zip` refuses. Entries are
//! stored or deflated; other methods and encrypted entries are refused by name.

#[cfg(test)]
pub(crate) mod testing;

use crate::limits::archive::{MAX_DIRECTORY_BYTES, MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_PACKAGE_BYTES};
use crate::source::{DocumentSource, ReadSeek};
use pensieve_text::model::{Problem, ProblemKind};
use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;
use unicode_normalization::UnicodeNormalization;
use zip::read::ZipFile;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

type PackageFile<'a> = BufReader<MeteredFile<'a>>;

/// An open package.
pub struct Archive<'a> {
    zip: ZipArchive<PackageFile<'a>>,
    by_name: HashMap<String, usize>,
    names: Vec<String>,
    left: u64,
}

impl<'a> Archive<'a> {
    /// Reads the directory of a package.
    ///
    /// # Errors
    /// `Damaged` if there is no directory or a broken one, `SizeLimit` if it has too many entries.
    pub fn open(source: &'a mut DocumentSource<'_>) -> Result<Archive<'a>, Problem> {
        let left = Rc::new(Cell::new(MAX_DIRECTORY_BYTES));
        let file = MeteredFile { file: source.file()?, left: left.clone() };
        let zip =
            ZipArchive::new(BufReader::with_capacity(16 << 10, file)).map_err(|error| match left.get() {
                0 => too_many_entries(),
                _ => unreadable_directory(&error),
            })?;
        left.set(u64::MAX);
        if zip.len() > MAX_ENTRIES {
            return Err(too_many_entries());
        }
        let mut archive =
            Archive { zip, by_name: HashMap::new(), names: Vec::new(), left: MAX_PACKAGE_BYTES };
        archive.index_names();
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
        let mut bytes = Vec::new();
        let index = self.index(name);
        let read = open_entry(&mut self.zip, index, name)?.take(limit + 1).read_to_end(&mut bytes);
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
        let index = self.index(name);
        let entry = open_entry(&mut self.zip, index, name)?;
        Ok(LimitedEntry { entry, left: &mut self.left, name: name.to_owned() })
    }

    fn index(&self, name: &str) -> Option<usize> {
        let name = name.trim_start_matches('/');
        self.by_name.get(name).or_else(|| self.by_name.get(&folded(name))).copied()
    }

    fn index_names(&mut self) {
        let names = (0..self.zip.len()).map(|at| match self.zip.name_for_index(at) {
            Some(Ok(name)) => name.replace('\\', "/").trim_start_matches('/').to_owned(),
            _ => String::new(),
        });
        self.names = names.collect();
        for (at, name) in self.names.iter().enumerate() {
            self.by_name.insert(name.clone(), at);
        }
        for (at, name) in self.names.iter().enumerate() {
            self.by_name.entry(folded(name)).or_insert(at);
        }
    }
}

/// The form in which names are compared if the exact one does not exist: lower case, composed.
fn folded(name: &str) -> String {
    match name.is_ascii() {
        true => name.to_ascii_lowercase(),
        false => name.nfc().flat_map(char::to_lowercase).collect(),
    }
}

/// Opens an entry; reading its end fails if its checksum differs from the one in the directory.
fn open_entry<'z, 'a>(
    zip: &'z mut ZipArchive<PackageFile<'a>>,
    index: Option<usize>,
    name: &str,
) -> Result<ZipFile<'z, PackageFile<'a>>, Problem> {
    let problem = |kind, what: &str| Problem::new(kind, format!("`{name}` {what}"));
    let missing = || Problem::new(ProblemKind::Damaged, format!("the package has no `{name}`"));
    let index = index.ok_or_else(missing)?;
    let entry = zip.by_index_data(index).map_err(|_| missing())?;
    // Deflate expands a byte to at most 1,032 bytes.
    if entry.size() > entry.compressed_size().saturating_mul(1032).saturating_add(64) {
        let what = "is said to be larger than its packed bytes can become";
        return Err(problem(ProblemKind::Damaged, what));
    }
    if entry.compression() == CompressionMethod::AES {
        return Err(problem(ProblemKind::Encrypted, "is encrypted with AES"));
    }
    if entry.encrypted() {
        return Err(problem(ProblemKind::Encrypted, "is encrypted with a password"));
    }
    let method = entry.compression();
    if method != CompressionMethod::STORE && method != CompressionMethod::DEFLATE {
        let what = format!("is packed with {method}, which is not read");
        return Err(problem(ProblemKind::ExtractionFailed, &what));
    }
    zip.by_index(index).map_err(|error| match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            problem(ProblemKind::Io, &format!("cannot be read: {error}"))
        }
        _ => problem(ProblemKind::Damaged, "is not where the package says"),
    })
}

/// The file of a package; reading fails after the number of bytes that its directory may take.
struct MeteredFile<'a> {
    file: &'a mut dyn ReadSeek,
    left: Rc<Cell<u64>>,
}

impl Read for MeteredFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(read as u64));
        match self.left.get() {
            0 => Err(io::ErrorKind::QuotaExceeded.into()),
            _ => Ok(read),
        }
    }
}

impl Seek for MeteredFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
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

fn too_many_entries() -> Problem {
    Problem::new(ProblemKind::SizeLimit, format!("the package has more than {MAX_ENTRIES} entries"))
}

fn damaged_entry(name: &str, error: &io::Error) -> Problem {
    let reason = match error.to_string() {
        reason if reason == "Invalid checksum" => "its checksum is wrong".to_owned(),
        reason => reason,
    };
    Problem::new(ProblemKind::Damaged, format!("`{name}` cannot be unpacked: {reason}"))
}

fn unreadable_directory(error: &ZipError) -> Problem {
    let message = "the package has no directory: it was cut short, or is no ZIP package";
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Problem::new(ProblemKind::Io, format!("the ZIP directory cannot be read: {error}"))
        }
        _ => Problem::new(ProblemKind::Damaged, message),
    }
}

#[cfg(test)]
mod tests;
