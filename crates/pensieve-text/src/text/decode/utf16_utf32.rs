//! UTF-16 and UTF-32.

use super::decoded_text::DecodedText;
use super::encoding::ByteOrder;

/// The code unit at `at`, if there is one.
pub(super) fn unit16(bytes: &[u8], at: usize, order: ByteOrder) -> Option<u16> {
    let pair = bytes.get(at..at + 2)?.try_into().expect("a slice of two bytes");
    Some(match order {
        ByteOrder::Little => u16::from_le_bytes(pair),
        ByteOrder::Big => u16::from_be_bytes(pair),
    })
}

/// The code unit at `at`, if there is one.
pub(super) fn unit32(bytes: &[u8], at: usize, order: ByteOrder) -> Option<u32> {
    let four = bytes.get(at..at + 4)?.try_into().expect("a slice of four bytes");
    Some(match order {
        ByteOrder::Little => u32::from_le_bytes(four),
        ByteOrder::Big => u32::from_be_bytes(four),
    })
}

/// Decodes UTF-16; an unpaired surrogate is one U+FFFD. Returns the bytes used.
pub(super) fn utf16(bytes: &[u8], order: ByteOrder, last: bool, out: &mut DecodedText) -> usize {
    let mut at = 0;
    while let Some(unit) = unit16(bytes, at, order) {
        match char::from_u32(u32::from(unit)) {
            Some(c) => out.char(c, 2),
            // Below 0xDC00 is the first half of a pair.
            None if unit < 0xdc00 => match unit16(bytes, at + 2, order) {
                Some(low @ 0xdc00..0xe000) => {
                    let value = 0x10000 + ((u32::from(unit) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
                    out.char(char::from_u32(value).expect("a pair is a character"), 4);
                    at += 2;
                }
                None if !last => return at,
                _ => out.bad(2),
            },
            None => out.bad(2),
        }
        at += 2;
    }
    rest(bytes, at, last, out)
}

/// Decodes UTF-32. Returns the bytes used.
pub(super) fn utf32(bytes: &[u8], order: ByteOrder, last: bool, out: &mut DecodedText) -> usize {
    let mut at = 0;
    while let Some(unit) = unit32(bytes, at, order) {
        match char::from_u32(unit) {
            Some(c) => out.char(c, 4),
            None => out.bad(4),
        }
        at += 4;
    }
    rest(bytes, at, last, out)
}

/// The rest that is too short for a unit.
fn rest(bytes: &[u8], at: usize, last: bool, out: &mut DecodedText) -> usize {
    if last && at < bytes.len() {
        out.bad(bytes.len() - at);
        return bytes.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_waits_for_the_other() {
        let check = |bytes: &[u8], last, expected: (&str, usize)| {
            let mut out = DecodedText::new(0, true, 0);
            let used = utf16(bytes, ByteOrder::Big, last, &mut out);
            assert_eq!((out.text.as_str(), used), expected, "{bytes:x?}");
        };
        check(b"\0a\xd8\x3d\xde\x00", false, ("a😀", 6));
        check(b"\0a\xd8\x3d\xde", false, ("a", 2));
        check(b"\0a\xd8\x3d", true, ("a\u{fffd}", 4));
        check(b"\0a\xd8\x3d\xde", true, ("a\u{fffd}\u{fffd}", 5));
        // The first of the low surrogates begins no pair, and does not wait for one.
        check(b"\xdc\x00\xdc\x01\0a", true, ("\u{fffd}\u{fffd}a", 6));
        check(b"\xdc\x00", false, ("\u{fffd}", 2));
        // The ends of the pairs.
        check(b"\xd8\x00\xdc\x00\xdb\xff\xdf\xff", true, ("\u{10000}\u{10ffff}", 8));
        check(b"\xd8\x00\xe0\x00", true, ("\u{fffd}\u{e000}", 4));
        let mut out = DecodedText::new(0, true, 0);
        assert_eq!(utf32(b"a\0\0\0b\0", ByteOrder::Little, false, &mut out), 4);
        assert_eq!(utf32(b"\0\0\x11\0c\0", ByteOrder::Little, true, &mut out), 6);
        assert_eq!(out.text, "a\u{fffd}\u{fffd}");
    }
}
