//! The container of Palm databases: a header and a list of records. Each record is read on request.
//!
//! Layout after the Palm File Format Specification (PalmSource), "PDB files": a header of 78 bytes, big endian, then
//! eight bytes per record. Lengths are not stored: a record ends where the next one begins. Counts in the header are
//! checked against the file before they are used.

use crate::limits::palm::MAX_RECORD_BYTES;
use crate::shared::bytes::u16_be;
use crate::source::{DocumentSource, ReadSeek};
use pensieve_text::model::{Problem, ProblemKind, ReviewReason};
use std::io::{Read, SeekFrom};

/// Bytes of the header.
const HEADER_BYTES: usize = 78;

/// Bytes of an entry in the list of records.
const ENTRY_BYTES: usize = 8;

/// An open database.
pub(crate) struct PalmDatabase<'a> {
    file: &'a mut dyn ReadSeek,
    /// Its type and creator: `BOOKMOBI`.
    pub(crate) kind: [u8; 8],
    /// Its name, without the zeros after it.
    pub(crate) name: Vec<u8>,
    /// Where records begin and end.
    records: Vec<(u64, u64)>,
}

impl<'a> PalmDatabase<'a> {
    /// Opens a database: reads its header and its list of records.
    ///
    /// # Errors
    /// `Damaged` if the file ends before the first record begins.
    pub(crate) fn open(source: &'a mut DocumentSource<'_>) -> Result<PalmDatabase<'a>, Problem> {
        let size = source.size();
        let (file, review_reasons) = source.file_and_review_reasons()?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header).map_err(|_| damaged("the file ends inside its header"))?;
        let mut kind = [0; 8];
        kind.copy_from_slice(&header[60..68]);
        let count = usize::from(u16::from_be_bytes([header[76], header[77]]));
        let mut list = Vec::new();
        let wanted = (count * ENTRY_BYTES) as u64;
        (&mut *file)
            .take(wanted)
            .read_to_end(&mut list)
            .map_err(|_| damaged("its records cannot be read"))?;
        let starts: Vec<u64> = list
            .chunks_exact(ENTRY_BYTES)
            .map(|entry| u64::from(u32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]])))
            .collect();
        let missing =
            starts.iter().filter(|&&start| start >= size).count() + count.saturating_sub(starts.len());
        if missing > 0 {
            let detail = format!("the file ends early: {missing} of {count} records are not there");
            review_reasons.push(ReviewReason::skipped(detail));
        }
        let ends = starts.iter().skip(1).copied().chain([size]);
        // Records are in order, so that no byte belongs to two of them; one that goes back is empty.
        let mut passed = 0;
        let record = |(&start, end): (&u64, u64)| {
            let start = start.max(passed);
            passed = passed.max(end.min(size));
            (start, end.min(size))
        };
        let records = starts.iter().zip(ends).map(record).collect();
        let name = header[..32].split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
        let database = PalmDatabase { file, kind, name, records };
        match database.records.first() {
            Some(&(start, end)) if start < end => Ok(database),
            _ => Err(damaged("the database has no records")),
        }
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// The bytes of a record; `None` if there is none, or if it is outside of the file.
    pub(crate) fn record(&mut self, number: usize) -> Option<Vec<u8>> {
        let &(start, end) = self.records.get(number)?;
        let size = end.checked_sub(start).filter(|&size| size > 0)?.min(MAX_RECORD_BYTES);
        self.file.seek(SeekFrom::Start(start)).ok()?;
        let mut bytes = Vec::new();
        (&mut *self.file).take(size).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// A broken document.
pub(crate) fn damaged(message: impl Into<String>) -> Problem {
    Problem::new(ProblemKind::Damaged, message)
}

/// The encryption that the first record of a text names, as a problem.
pub(crate) fn refuse_encrypted(record: &[u8]) -> Result<(), Problem> {
    let scheme = match u16_be(record, 12) {
        None | Some(0) => return Ok(()),
        Some(1) => "the older Mobipocket DRM".to_owned(),
        Some(2) => "Mobipocket or Kindle DRM".to_owned(),
        Some(other) => format!("DRM of the unknown scheme {other}"),
    };
    Err(Problem::new(ProblemKind::Encrypted, format!("the book is encrypted with {scheme}")))
}

/// Writes databases for tests.
#[cfg(test)]
pub(crate) mod testing {
    /// A database of these records.
    pub(crate) fn database(kind: &[u8; 8], records: &[&[u8]]) -> Vec<u8> {
        let mut bytes = b"A book".to_vec();
        bytes.resize(60, 0);
        bytes.extend_from_slice(kind);
        bytes.resize(76, 0);
        bytes.extend_from_slice(&(records.len() as u16).to_be_bytes());
        let mut at = 78 + records.len() * 8 + 2;
        for record in records {
            bytes.extend_from_slice(&(at as u32).to_be_bytes());
            bytes.extend_from_slice(&[0; 4]);
            at += record.len();
        }
        bytes.extend_from_slice(&[0; 2]);
        records.iter().for_each(|record| bytes.extend_from_slice(record));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::Document;
    use std::io::Cursor;

    fn check(bytes: Vec<u8>, expected: Result<&[Option<&[u8]>], &str>) {
        let mut file = Cursor::new(bytes);
        let mut source = DocumentSource::new(&mut file, "a.pdb").unwrap();
        let found = PalmDatabase::open(&mut source).map(|mut database| {
            (0..database.len() + 1).map(|number| database.record(number)).collect::<Vec<_>>()
        });
        let found = found.as_ref().map(|list| list.iter().map(|one| one.as_deref()).collect::<Vec<_>>());
        assert_eq!(found.map_err(|problem| problem.message.as_str()), expected.map(<[_]>::to_vec));
    }

    #[test]
    fn records_are_found() {
        let whole = testing::database(b"TEXtREAd", &[b"one", b"two!"]);
        check(whole.clone(), Ok(&[Some(b"one"), Some(b"two!"), None]));
        check(whole[..whole.len() - 5].to_vec(), Ok(&[Some(b"on"), None, None]));
        check(whole[..90].to_vec(), Err("the database has no records"));
        check(whole[..20].to_vec(), Err("the file ends inside its header"));
    }

    #[test]
    fn missing_records_are_reported_once() {
        let whole = testing::database(b"TEXtREAd", &[b"one", b"two!"]);
        let mut file = Cursor::new(whole[..whole.len() - 5].to_vec());
        let mut source = DocumentSource::new(&mut file, "a.pdb").unwrap();
        for _ in 0..2 {
            PalmDatabase::open(&mut source).map(|database| database.len()).unwrap();
        }
        let mut document = Document::default();
        source.report(&mut document);
        assert_eq!((document.problems.len(), document.review_reasons.len()), (1, 1));
    }

    #[test]
    fn records_that_overlap_are_not_read_twice() {
        let mut bytes = testing::database(b"TEXtREAd", &[b"one", b"two"]);
        bytes.copy_within(78..82, 86);
        check(bytes, Err("the database has no records"));
    }
}
