//! The file of a package. A place beyond its end is its end: places come from the package and may be any number.

use crate::source::ReadSeek;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The file of a package.
pub(super) struct PackageFile<'a> {
    reader: BufReader<&'a mut dyn ReadSeek>,
    pub size: u64,
}

impl<'a> PackageFile<'a> {
    pub fn new(file: &'a mut dyn ReadSeek, size: u64) -> PackageFile<'a> {
        PackageFile { reader: BufReader::with_capacity(16 << 10, file), size }
    }

    /// The file from where it stands.
    pub fn reader(&mut self) -> &mut BufReader<&'a mut dyn ReadSeek> {
        &mut self.reader
    }

    pub fn seek_to(&mut self, at: u64) -> io::Result<()> {
        self.reader.seek(SeekFrom::Start(at.min(self.size))).map(drop)
    }

    /// Replaces the content of a buffer by the next bytes of the file; false if there are fewer than `length`.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, length: u64) -> io::Result<bool> {
        buffer.clear();
        Ok(self.reader.by_ref().take(length).read_to_end(buffer)? as u64 == length)
    }

    /// The bytes at a place; `None` if the file ends before them.
    pub fn read_at<const N: usize>(&mut self, at: u64) -> io::Result<Option<[u8; N]>> {
        self.seek_to(at)?;
        let mut bytes = Vec::new();
        self.fill(&mut bytes, N as u64)?;
        Ok(bytes.first_chunk().copied())
    }
}
