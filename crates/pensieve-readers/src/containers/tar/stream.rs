//! The entries of a tar archive one after the other, from a stream.

use super::header::{BLOCK_BYTES, Block, Header};
use super::pax::PaxFields;
use crate::limits::containers::MAX_TAR_HEADER_BYTES;
use pensieve_text::model::{Problem, ProblemKind};
use std::io::{self, Read};

/// An entry with its long names and sizes applied.
#[derive(Debug)]
pub(super) struct TarEntry {
    pub name: Vec<u8>,
    pub link: Vec<u8>,
    pub kind: u8,
    pub is_sparse: bool,
}

/// A tar archive that is read from its start to its end; the data of the current entry are read from it.
pub(super) struct TarStream<R> {
    data: R,
    /// Bytes of the current entry that were not read yet, and those that fill its last block.
    left: u64,
    padding: u64,
    global: PaxFields,
    /// A block of zeros has ended the archive, or one of several.
    is_after_end: bool,
    /// A longer header was left out.
    pub has_lost_names: bool,
}

/// What long headers say of the entry after them.
#[derive(Default)]
struct LongFields {
    pax: PaxFields,
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    has_pax: bool,
}

impl<R: Read> TarStream<R> {
    pub fn new(data: R) -> TarStream<R> {
        let global = PaxFields::default();
        TarStream { data, left: 0, padding: 0, global, is_after_end: false, has_lost_names: false }
    }

    /// The next entry; `None` at the end.
    ///
    /// # Errors
    /// The archive is cut, damaged, or cannot be unpacked further.
    pub fn next(&mut self) -> Result<Option<TarEntry>, Problem> {
        let mut long = LongFields::default();
        while let Some(header) = self.next_header()? {
            self.left = header.size;
            self.padding = padding(header.size);
            match header.kind {
                b'x' | b'X' => {
                    let records = self.extended()?;
                    long.has_pax |= long.pax.read(&records);
                }
                b'g' => {
                    let records = self.extended()?;
                    self.global.read(&records);
                }
                b'L' => long.name = Some(self.extended()?).filter(|name| !name.is_empty()),
                b'K' => long.link = Some(self.extended()?).filter(|name| !name.is_empty()),
                _ => return self.entry(header, long).map(Some),
            }
            self.skip()?;
        }
        Ok(None)
    }

    fn entry(&mut self, header: Header, long: LongFields) -> Result<TarEntry, Problem> {
        let pax = long.pax.or(&self.global);
        let size = pax.size.unwrap_or(header.size);
        // Links and devices have no data, whatever their size is. A hard link has some only in archives of POSIX.
        let has_data = !matches!(header.kind, b'2'..=b'6') && (header.kind != b'1' || long.has_pax);
        self.left = if has_data { size } else { 0 };
        self.padding = padding(self.left);
        if header.has_more_holes {
            self.skip_holes()?;
        }
        Ok(TarEntry {
            name: pax.path.or(long.name).unwrap_or(header.name),
            link: pax.link.or(long.link).unwrap_or(header.link),
            kind: header.kind,
            is_sparse: pax.is_sparse || header.kind == b'S',
        })
    }

    /// The next header; skips blocks of zeros. `None` at the end of the data.
    fn next_header(&mut self) -> Result<Option<Header>, Problem> {
        loop {
            let Some(block) = self.block()? else {
                // GNU tar ends with two blocks of zeros; an archive without any may have been cut between entries.
                return if self.is_after_end { Ok(None) } else { Err(cut_short()) };
            };
            if block.iter().all(|byte| *byte == 0) {
                self.is_after_end = true;
                continue;
            }
            let what = match self.is_after_end {
                true => "what follows its end mark is not read",
                false => "a header is damaged; what follows is not read",
            };
            let header = Header::read(&block).ok_or_else(|| Problem::new(ProblemKind::Damaged, what))?;
            self.is_after_end = false;
            return Ok(Some(header));
        }
    }

    /// The next block; `None` at the end of the data.
    fn block(&mut self) -> Result<Option<Block>, Problem> {
        let mut block = [0; BLOCK_BYTES];
        let mut filled = 0;
        while let Some(rest) = block.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.data.read(rest) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) if self.is_after_end => return Ok(None),
                Ok(0) => return Err(cut_short()),
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(crate::containers::entries::damage(&error)),
            }
        }
        Ok(Some(block))
    }

    /// The data of a header that extends the next one; empty if it is too long.
    fn extended(&mut self) -> Result<Vec<u8>, Problem> {
        if self.left > MAX_TAR_HEADER_BYTES {
            self.has_lost_names = true;
            return Ok(Vec::new());
        }
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes).map_err(|error| crate::containers::entries::damage(&error))?;
        if bytes.last() == Some(&0) {
            bytes.pop();
        }
        Ok(bytes)
    }

    /// Skips the blocks with the holes of a sparse file that do not fit into its header.
    fn skip_holes(&mut self) -> Result<(), Problem> {
        loop {
            let block = self.block()?.ok_or_else(cut_short)?;
            if block[504] == 0 {
                return Ok(());
            }
        }
    }

    /// Skips what is left of the current entry; returns how many bytes that are.
    pub fn skip(&mut self) -> Result<u64, Problem> {
        let bytes = self.left.saturating_add(self.padding);
        let skipped = io::copy(&mut (&mut self.data).take(bytes), &mut io::sink());
        (self.left, self.padding) = (0, 0);
        match skipped {
            Ok(skipped) if skipped == bytes => Ok(bytes),
            Ok(_) => Err(cut_short()),
            Err(error) => Err(crate::containers::entries::damage(&error)),
        }
    }
}

impl<R: Read> Read for TarStream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let Some(buffer) = buffer.get_mut(..wanted).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        match self.data.read(buffer)? {
            0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends before it")),
            read => {
                self.left -= read as u64;
                Ok(read)
            }
        }
    }
}

fn padding(size: u64) -> u64 {
    (BLOCK_BYTES as u64 - size % BLOCK_BYTES as u64) % BLOCK_BYTES as u64
}

fn cut_short() -> Problem {
    Problem::new(ProblemKind::Damaged, "the archive was cut short; what follows is missing")
}
