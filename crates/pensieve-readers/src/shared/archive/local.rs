//! Entries found by the headers before their data, for a package whose directory is damaged.

use super::directory::{ArchiveLimits, DirectoryError};
use super::entry::{Entry, HeaderFields, LOCAL_HEADER, LOCAL_HEADER_BYTES, entry_name};
use super::file::PackageFile;
use std::io;

/// The longest header: name and extra fields have at most 65,535 bytes each.
const MAX_HEADER_BYTES: u64 = LOCAL_HEADER_BYTES as u64 + 2 * 65_535;

/// Bytes of the file that are in memory while headers are looked for.
const WINDOW_BYTES: u64 = 1 << 20;

/// Every entry whose own header is found, in the order of the file.
pub(super) fn find_local_entries(
    file: &mut PackageFile<'_>,
    limits: ArchiveLimits,
) -> Result<Vec<(String, Entry)>, DirectoryError> {
    let size = file.size;
    let mut entries: Vec<(String, Entry)> = Vec::new();
    let mut window = Window { bytes: Vec::new(), start: 0 };
    let (mut at, mut name_bytes) = (0, 0);
    while let Some(found) = window.find_header(file, at)? {
        let header = window.ahead(file, found)?;
        let Some((name, entry, length)) = local_entry(header, found) else {
            at = found + LOCAL_HEADER.len() as u64;
            continue;
        };
        name_bytes += length;
        if entries.len() >= limits.entries {
            return Err(DirectoryError::TooManyEntries(limits.entries));
        }
        if name_bytes > limits.directory_bytes {
            return Err(DirectoryError::TooLarge(limits.directory_bytes));
        }
        entries.push((name, entry));
        let data = found + length;
        // A stored package inside the data has headers too. A length beyond the file is no length.
        at = data.checked_add(entry.packed.unwrap_or(0)).filter(|end| *end <= size).unwrap_or(data);
    }
    Ok(entries)
}

/// The part of a file that is in memory.
struct Window {
    bytes: Vec<u8>,
    start: u64,
}

impl Window {
    /// The place of the first header at `at` or after it.
    fn find_header(&mut self, file: &mut PackageFile<'_>, mut at: u64) -> io::Result<Option<u64>> {
        loop {
            let ahead = self.ahead(file, at)?;
            if let Some(found) = memchr::memmem::find(ahead, LOCAL_HEADER) {
                return Ok(Some(at + found as u64));
            }
            let end = at + ahead.len() as u64;
            if end >= file.size {
                return Ok(None);
            }
            // The beginning of a header may be the end of the window.
            at = end.saturating_sub(LOCAL_HEADER.len() as u64 - 1);
        }
    }

    /// The bytes from `at` on: at least as many as a header may have, or all to the end of the file. `at` only rises.
    fn ahead(&mut self, file: &mut PackageFile<'_>, at: u64) -> io::Result<&[u8]> {
        let end = self.start + self.bytes.len() as u64;
        if end < file.size && end < at + MAX_HEADER_BYTES {
            file.seek_to(at)?;
            file.fill(&mut self.bytes, WINDOW_BYTES)?;
            self.start = at;
        }
        let skipped = usize::try_from(at - self.start).unwrap_or(usize::MAX);
        Ok(self.bytes.get(skipped..).unwrap_or_default())
    }
}

/// The entry whose header these bytes begin with, and the length of the header.
fn local_entry(bytes: &[u8], at: u64) -> Option<(String, Entry, u64)> {
    let fields = HeaderFields::read(bytes.get(6..LOCAL_HEADER_BYTES)?)?;
    let (name, rest) = bytes.get(LOCAL_HEADER_BYTES..)?.split_at_checked(fields.name_bytes)?;
    let extra = rest.get(..fields.extra_bytes)?;
    // Four bytes inside packed data may look like a header.
    if name.is_empty() || name.contains(&0) {
        return None;
    }
    let length = LOCAL_HEADER_BYTES + name.len() + extra.len();
    Some((entry_name(name, extra), fields.local(extra, at), length as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn headers(bytes: &[u8]) -> Vec<(String, u64)> {
        let mut cursor = Cursor::new(bytes);
        let mut file = PackageFile::new(&mut cursor, bytes.len() as u64);
        let found = find_local_entries(&mut file, ArchiveLimits::PACKAGE).unwrap();
        found.into_iter().map(|(name, entry)| (name, entry.header)).collect()
    }

    #[test]
    fn headers_are_found_wherever_the_window_ends() {
        let header = [&b"PK\x03\x04"[..], &[0; 22], &[1, 0, 0, 0], b"a"].concat();
        for before in [0, 1, 29, 30, 31].map(|more| WINDOW_BYTES as usize - more) {
            let bytes = [&vec![0; before], &header[..], &vec![0; 1 << 18], &header[..]].concat();
            let second = before as u64 + 31 + (1 << 18);
            assert_eq!(headers(&bytes), [("a".to_owned(), before as u64), ("a".to_owned(), second)]);
        }
    }

    #[test]
    fn four_bytes_are_no_header() {
        let nameless = [&b"PK\x03\x04"[..], &[0; 26]].concat();
        assert_eq!(headers(&[&nameless[..], b"PK\x03\x04"].concat()), []);
        assert_eq!(headers(&[&nameless[..26], &[2, 0, 0, 0, b'a', 0]].concat()), []);
    }
}
