//! The files of an iWork document: blocks of raw Snappy, each after one byte of zero and three bytes of length,
//! without stream header or checksums. The framing was deduced from files of Pages, Numbers and Keynote; the crate
//! `snap` unpacks the blocks.

use crate::limits::iwork::MAX_BLOCK_BYTES;
use snap::raw::{Decoder, decompress_len};

/// Unpacks the blocks of a file into `out`, up to `limit` bytes in all; true if all of it was unpacked.
pub(super) fn unpack(mut packed: &[u8], out: &mut Vec<u8>, limit: usize) -> bool {
    while let Some((header, rest)) = packed.split_first_chunk::<4>() {
        let length = u32::from_le_bytes([header[1], header[2], header[3], 0]) as usize;
        if header[0] != 0 {
            return false;
        }
        let Some((block, rest)) = rest.split_at_checked(length) else { return false };
        if unpack_block(block, out, limit).is_none() {
            return false;
        }
        packed = rest;
    }
    packed.is_empty()
}

/// Appends the content of one block; nothing if the block is broken.
fn unpack_block(block: &[u8], out: &mut Vec<u8>, limit: usize) -> Option<()> {
    let length = decompress_len(block).ok()?;
    let start = out.len();
    if length > MAX_BLOCK_BYTES || start.checked_add(length)? > limit {
        return None;
    }
    out.resize(start + length, 0);
    let read = Decoder::new().decompress(block, &mut out[start..]).ok();
    out.truncate(start + read.unwrap_or(0));
    read.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blocks: &[&[u8]], expected: &[u8], is_whole: bool) {
        let mut packed = Vec::new();
        for block in blocks {
            packed.push(0);
            packed.extend_from_slice(&(block.len() as u32).to_le_bytes()[..3]);
            packed.extend_from_slice(block);
        }
        let mut out = Vec::new();
        assert_eq!(unpack(&packed, &mut out, 1 << 20), is_whole);
        assert_eq!(out, expected);
    }

    #[test]
    fn blocks_are_unpacked() {
        // Four letters, then a copy of eight from four back.
        check(&[b"\x0c\x0cabcd\x11\x04"], b"abcdabcdabcd", true);
        check(&[b"\x02\x04ab", b"\x01\x00c"], b"abc", true);
        check(&[b"\x06\x04ab\x0e\x02\x00"], b"ababab", true);
    }

    #[test]
    fn what_is_broken_stops() {
        check(&[b"\x02\x04ab", b"\x0c\x0cabcd\x11\x09"], b"ab", false);
        check(&[b"\xff\xff\xff\xff\x0f\x00a"], b"", false);
        check(&[b"\x02\x04a"], b"", false);
        let mut out = Vec::new();
        assert!(!unpack(b"\x01\x00\x00\x00", &mut out, 10));
    }
}
