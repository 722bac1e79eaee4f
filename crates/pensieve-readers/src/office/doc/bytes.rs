//! Numbers read from bytes that may be missing. Everything is little-endian.

use crate::shared::bytes::{u16_le, u32_le};

pub(super) fn u8_at(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at).copied()
}

/// `length` bytes from `at` on, or as many as there are.
pub(super) fn slice_at(bytes: &[u8], at: usize, length: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    &rest[..rest.len().min(length)]
}

/// UTF-16 text that follows its length in code units, and the number of bytes of both.
pub(super) fn counted_text(bytes: &[u8], at: usize) -> Option<(String, usize)> {
    let count = usize::from(u16_le(bytes, at)?);
    let units = bytes.get(at + 2..at + 2 + 2 * count)?;
    Some((wide_text(units), 2 + 2 * count))
}

pub(super) fn wide_text(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// A table of `n + 1` positions, followed by `n` records of `size` bytes ("PLC").
#[derive(Debug, Clone, Copy)]
pub(super) struct Plc<'a> {
    bytes: &'a [u8],
    size: usize,
    count: usize,
}

impl<'a> Plc<'a> {
    pub(super) fn new(bytes: &'a [u8], size: usize) -> Plc<'a> {
        Plc { bytes, size, count: bytes.len().saturating_sub(4) / (4 + size) }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// One of the positions; there is one more of them than of records.
    pub(super) fn position(&self, at: usize) -> Option<u32> {
        if at > self.count { None } else { u32_le(self.bytes, 4 * at) }
    }

    pub(super) fn record(&self, at: usize) -> &'a [u8] {
        if at < self.count {
            slice_at(self.bytes, 4 * (self.count + 1) + self.size * at, self.size)
        } else {
            &[]
        }
    }
}
