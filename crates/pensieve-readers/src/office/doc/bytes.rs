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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_end_where_the_bytes_end() {
        for (at, length, expected) in [
            (0, 3, b"abc".as_slice()),
            (1, 2, b"bc"),
            (1, 3, b"bcd"),
            (1, 4, b"bcd"),
            (3, 1, b"d"),
            (4, 1, b""),
            (5, 1, b""),
            (1, 0, b""),
        ] {
            assert_eq!(slice_at(b"abcd", at, length), expected, "{length} bytes at {at}");
        }
        assert_eq!([0, 3, 4].map(|at| u8_at(b"abcd", at)), [Some(b'a'), Some(b'd'), None]);
    }

    #[test]
    fn texts_follow_their_lengths() {
        let bytes = b"?\x03\0a\0\xe9\0\x3d\xd8\xff";
        assert_eq!(counted_text(bytes, 1), Some(("aé\u{fffd}".to_owned(), 8)));
        assert_eq!(counted_text(&bytes[..9], 1), Some(("aé\u{fffd}".to_owned(), 8)));
        assert_eq!(counted_text(&bytes[..8], 1), None);
        assert_eq!(counted_text(b"\0\0", 0), Some((String::new(), 2)));
        assert_eq!(counted_text(b"\0\0", 1), None);
    }

    #[test]
    fn records_follow_the_positions_of_their_table() {
        let bytes: Vec<u8> = (0..22).collect();
        let check = |length: usize, size: usize, positions: &[u32], records: &[&[u8]]| {
            let plc = Plc::new(&bytes[..length], size);
            assert_eq!(plc.len(), records.len());
            let found: Vec<_> = (0..9).map_while(|at| plc.position(at)).map(|at| at & 0xff).collect();
            assert_eq!(found, positions, "{length} bytes, records of {size}");
            assert_eq!((0..records.len()).map(|at| plc.record(at)).collect::<Vec<_>>(), records);
            assert_eq!(plc.record(records.len()), b"");
        };
        check(22, 2, &[0, 4, 8, 12], &[&[16, 17], &[18, 19], &[20, 21]]);
        check(21, 2, &[0, 4, 8], &[&[12, 13], &[14, 15]]);
        check(22, 5, &[0, 4, 8], &[&[12, 13, 14, 15, 16], &[17, 18, 19, 20, 21]]);
        check(12, 0, &[0, 4, 8], &[&[], &[]]);
        check(4, 2, &[0], &[]);
        check(3, 2, &[], &[]);
    }
}
