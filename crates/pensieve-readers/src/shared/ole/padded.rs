//! A compound file padded to the length in its allocation table. `cfb` refuses a shorter file, such as a truncated
//! document, or one whose writer left rubbish in the last sector of the table.

use crate::shared::bytes::{u16_le, u32_le};
use crate::source::ReadSeek;
use std::cell::Cell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

/// The state of the padding, shared by a file and the reader of its streams.
pub(super) struct PaddingState {
    /// Bytes that may still be read while the structure is read: hostile files list one sector any number of times.
    left: Cell<u64>,
    /// Bytes of the file that were read before the first one of the padding.
    real: Cell<u64>,
    is_short: Cell<bool>,
}

impl PaddingState {
    pub(super) fn new(size: u64) -> PaddingState {
        let left = size.saturating_mul(2).saturating_add(64 << 10);
        PaddingState { left: Cell::new(left), real: Cell::new(0), is_short: Cell::new(false) }
    }

    /// The structure was read: streams may be read any number of times.
    pub(super) fn stop_filling(&self) {
        self.left.set(u64::MAX);
    }

    /// From here on one range of a stream is read.
    pub(super) fn start_counting(&self) {
        self.real.set(0);
        self.is_short.set(false);
    }

    /// True if the range that is read reaches into the padding.
    pub(super) fn is_reached(&self) -> bool {
        self.is_short.get()
    }

    /// Cuts the bytes of a range where the padding begins.
    pub(super) fn cut_to_real_bytes(&self, bytes: &mut Vec<u8>) {
        if self.is_short.get() {
            bytes.truncate(usize::try_from(self.real.get()).unwrap_or(usize::MAX));
        }
    }

    fn count(&self, read: usize) -> io::Result<()> {
        if !self.is_short.get() {
            self.real.set(self.real.get() + read as u64);
        }
        self.left.set(self.left.get().saturating_sub(read as u64));
        match self.left.get() {
            0 => Err(io::ErrorKind::InvalidData.into()),
            _ => Ok(()),
        }
    }
}

/// A file with padding after its end.
pub(super) struct PaddedFile<'a> {
    file: &'a mut dyn ReadSeek,
    size: u64,
    length: u64,
    at: u64,
    state: Rc<PaddingState>,
}

impl<'a> PaddedFile<'a> {
    pub(super) fn new(
        file: &'a mut dyn ReadSeek,
        size: u64,
        length: u64,
        state: Rc<PaddingState>,
    ) -> PaddedFile<'a> {
        PaddedFile { file, size, length, at: 0, state }
    }
}

impl Read for PaddedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let there = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(there);
        let buffer = &mut buffer[..wanted];
        let read = match self.at < self.size {
            true => self.file.read(buffer)?,
            false => {
                self.state.is_short.set(!buffer.is_empty() || self.state.is_short.get());
                // Read as sector numbers, these bytes mean "free sector".
                buffer.fill(0xff);
                buffer.len()
            }
        };
        self.at += read as u64;
        self.state.count(read)?;
        Ok(read)
    }
}

impl Seek for PaddedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(offset) => self.length.saturating_add_signed(offset),
            SeekFrom::Current(offset) => self.at.saturating_add_signed(offset),
        };
        self.file.seek(SeekFrom::Start(self.at))
    }
}

/// The length of a file by its header: the sectors that its allocation table has room for. The table itself must lie
/// within the file.
pub(super) fn length_by_table(head: &[u8], size: u64) -> u64 {
    let sector = if u16_le(head, 26) == Some(4) { 4096 } else { 512 };
    let table = u64::from(u32_le(head, 44).unwrap_or(0)).saturating_mul(sector);
    match table <= size {
        true => size.max((table / 4 + 1) * sector),
        false => size,
    }
}
