//! Snappy as iWork packs with it: blocks of raw Snappy behind four bytes of length, without stream header or checksums.
//!
//! Source: Snappy's `format_description.txt`; the framing as files of Pages, Numbers and Keynote have it.

/// Bytes that one block may expand to; the programs write 64 KiB.
const LARGEST_BLOCK: usize = 16 << 20;

/// Unpacks the blocks of a file into `out`, up to `limit` bytes in all; true where all of it was unpacked.
pub(super) fn unpack(mut packed: &[u8], out: &mut Vec<u8>, limit: usize) -> bool {
    while let Some((header, rest)) = packed.split_first_chunk::<4>() {
        let length = u32::from_le_bytes([header[1], header[2], header[3], 0]) as usize;
        if header[0] != 0 {
            return false;
        }
        let Some((block, rest)) = rest.split_at_checked(length) else {
            let _ = unpack_block(rest, out, limit);
            return false;
        };
        if unpack_block(block, out, limit).is_none() {
            return false;
        }
        packed = rest;
    }
    packed.is_empty()
}

/// Unpacks one block behind what is there already. What comes before a fault stays.
fn unpack_block(block: &[u8], out: &mut Vec<u8>, limit: usize) -> Option<()> {
    let mut input = block;
    let length = usize::try_from(varint(&mut input)?).ok()?;
    let start = out.len();
    if length > LARGEST_BLOCK || start.checked_add(length)? > limit {
        return None;
    }
    let end = start + length;
    // Three bytes can stand for 64 at most: a declared length is no reason to reserve more.
    out.reserve(length.min(block.len().saturating_mul(22)));
    while let Some((&tag, rest)) = input.split_first() {
        input = rest;
        if tag & 3 == 0 {
            let size = literal_length(tag, &mut input)?;
            let (literal, rest) = input.split_at_checked(size)?;
            if out.len() + size > end {
                return None;
            }
            out.extend_from_slice(literal);
            input = rest;
        } else {
            let (size, distance) = copy(tag, &mut input)?;
            if distance == 0 || distance > out.len() - start || out.len() + size > end {
                return None;
            }
            for _ in 0..size {
                out.push(out[out.len() - distance]);
            }
        }
    }
    (out.len() == end).then_some(())
}

fn literal_length(tag: u8, input: &mut &[u8]) -> Option<usize> {
    let short = usize::from(tag >> 2);
    if short < 60 {
        return Some(short + 1);
    }
    let (bytes, rest) = input.split_at_checked(short - 59)?;
    *input = rest;
    let length = bytes.iter().rev().fold(0, |length: usize, byte| length << 8 | usize::from(*byte));
    length.checked_add(1)
}

/// Length and distance of a copy.
fn copy(tag: u8, input: &mut &[u8]) -> Option<(usize, usize)> {
    let long = usize::from(tag >> 2) + 1;
    let width = match tag & 3 {
        1 => 1,
        2 => 2,
        _ => 4,
    };
    let (bytes, rest) = input.split_at_checked(width)?;
    *input = rest;
    let distance = bytes.iter().rev().fold(0, |distance: usize, byte| distance << 8 | usize::from(*byte));
    match tag & 3 {
        1 => Some((usize::from(tag >> 2 & 7) + 4, usize::from(tag >> 5) << 8 | distance)),
        _ => Some((long, distance)),
    }
}

/// A number in groups of seven bits, the lowest first.
pub(super) fn varint(input: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = input.split_first()?;
        *input = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
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
        check(&[b"\x0c\x0cabcd\x11\x09"], b"abcd", false);
        check(&[b"\xff\xff\xff\xff\x0f\x00a"], b"", false);
        check(&[b"\x02\x04a"], b"", false);
        let mut out = Vec::new();
        assert!(!unpack(b"\x01\x00\x00\x00", &mut out, 10));
    }
}
