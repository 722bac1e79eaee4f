//! The compression of PalmDOC: runs of literals, a space with its letter in one byte, pairs of distance and length.
//!
//! After the description of the format by Paul Lucas (`pdbtxt`, "PalmDoc Byte Pair Compression") and the MobileRead
//! wiki ("PalmDOC"). Each record is compressed separately.

use crate::limits::palm::MAX_PALMDOC_RECORD_BYTES;

/// Appends the content of a record; false if part of it is invalid.
pub(crate) fn unpack(bytes: &[u8], out: &mut Vec<u8>) -> bool {
    let start = out.len();
    let mut is_whole = true;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        if out.len() - start > MAX_PALMDOC_RECORD_BYTES {
            return false;
        }
        match byte {
            1..=8 => {
                let end = (at + usize::from(byte)).min(bytes.len());
                out.extend_from_slice(&bytes[at..end]);
                at = end;
            }
            0 | 9..=0x7f => out.push(byte),
            0xc0.. => out.extend_from_slice(&[b' ', byte ^ 0x80]),
            0x80..=0xbf => {
                let Some(&low) = bytes.get(at) else { return false };
                at += 1;
                let pair = usize::from(byte & 0x3f) << 8 | usize::from(low);
                let (distance, length) = (pair >> 3, (pair & 7) + 3);
                is_whole &= copy_back(out, start, distance, length);
            }
        }
    }
    is_whole
}

/// Repeats the bytes that begin `distance` bytes before; the copy may overlap its source.
fn copy_back(out: &mut Vec<u8>, start: usize, distance: usize, length: usize) -> bool {
    if distance == 0 || distance > out.len() - start {
        return false;
    }
    for _ in 0..length {
        out.push(out[out.len() - distance]);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[u8], is_whole: bool) {
        let mut out = Vec::new();
        assert_eq!(unpack(bytes, &mut out), is_whole);
        assert_eq!(out, expected);
    }

    #[test]
    fn records_are_unpacked() {
        check(b"ab\x02\xe9\xe8c", b"ab\xe9\xe8c", true);
        check(b"a\xe2c", b"a bc", true);
        check(b"ab\x80\x13", b"abababab", true);
        check(b"\x05ab", b"ab", true);
    }

    #[test]
    fn what_means_nothing_is_passed() {
        check(b"ab\x80\x1bc\x80", b"abc", false);
        check(b"a\x80\x03b", b"ab", false);
        let bomb = [b"a".as_slice(), &[0x80, 0x0f].repeat(40_000)].concat();
        let mut out = Vec::new();
        assert!(!unpack(&bomb, &mut out));
        assert!(out.len() < MAX_PALMDOC_RECORD_BYTES + 16);
    }

    #[test]
    fn copies_reach_back_into_the_record_only() {
        check(b"abc\x80\x18", b"abcabc", true);
        check(b"abc\x80\x1f", b"abcabcabcabca", true);
        check(b"abc\x80\x20", b"abc", false);
        let long = [vec![b'a'; 300], vec![b'b'], vec![b'a'; 40]].concat();
        // A distance that needs the low bits of the first byte.
        let (distance, length) = (41_usize, 3_usize);
        let pair = 0x8000 | distance << 3 | (length - 3);
        check(
            &[long.as_slice(), &[(pair >> 8) as u8, pair as u8]].concat(),
            &[long.as_slice(), b"baa"].concat(),
            true,
        );
        let mut out = b"before".to_vec();
        assert!(unpack(b"ab\x80\x10", &mut out));
        assert!(!unpack(b"ab\x80\x18", &mut out));
        assert_eq!(out, b"beforeababaab");
    }
}
