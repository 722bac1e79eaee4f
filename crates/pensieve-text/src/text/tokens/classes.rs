//! The character classes that the split patterns name: letters, numbers, white space, cases and marks.
//!
//! The table contains the classes of the regular expressions of the reference implementation (`\p{L}`, `\p{N}`, `\s`,
//! `\p{Lu}` and so on), frozen in `data/unicode.classes`, because `char::is_alphabetic` and similar functions define
//! other sets and follow the compiler's Unicode version. The command
//! `cargo test -p pensieve-text --lib write_the_tables -- --ignored` rewrites that file with the crate `regex`. The
//! patterns are in `split`.

/// `\p{L}`.
pub(super) const LETTER: u8 = 1;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 2;
/// `\s`.
pub(super) const SPACE: u8 = 4;
/// None of the three above: punctuation, symbols, marks, controls, unassigned.
pub(super) const OTHER: u8 = 8;
/// Carriage return and line feed; these are `SPACE` too.
pub(super) const NEWLINE: u8 = 16;
/// Characters that may begin a cased word: `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
pub(super) const UPPER: u8 = 32;
/// Characters that may end a cased word: `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
pub(super) const LOWER: u8 = 64;
/// In [`BYTES`] only: the byte belongs to a character beyond ASCII.
pub(super) const WIDE: u8 = 128;

/// Two stages: 0x1100 block numbers, then blocks of 256 classes, equal blocks stored once.
static UNICODE: &[u8] = include_bytes!("data/unicode.classes");
const BLOCK_NUMBERS: usize = 0x1100;

/// The class of every byte of UTF-8 text.
pub(super) static BYTES: [u8; 256] = ascii_classes();

const fn ascii_classes() -> [u8; 256] {
    let mut classes = [WIDE; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b'A'..=b'Z' => LETTER | UPPER,
            b'a'..=b'z' => LETTER | LOWER,
            b'0'..=b'9' => NUMBER,
            b'\r' | b'\n' => SPACE | NEWLINE,
            b'\t' | 0x0b | 0x0c | b' ' => SPACE,
            _ => OTHER,
        };
        byte += 1;
    }
    classes
}

/// The classes of any character.
pub(super) fn of_char(code: u32) -> u8 {
    let block = UNICODE.get(code as usize >> 8).copied().unwrap_or(0) as usize;
    let at = BLOCK_NUMBERS + (block << 8) + (code as usize & 0xff);
    UNICODE.get(at).copied().unwrap_or(OTHER)
}

/// The classes and the length of the character that begins at `at`, which must lie inside.
#[inline(always)]
pub(super) fn at(bytes: &[u8], at: usize) -> (u8, usize) {
    let class = BYTES[bytes[at] as usize];
    if class & WIDE == 0 { (class, 1) } else { wide_at(bytes, at) }
}

/// As [`at`], for a character beyond ASCII. A sequence that the end of `bytes` cuts counts as `OTHER`.
#[inline(never)]
fn wide_at(bytes: &[u8], at: usize) -> (u8, usize) {
    let low = |i: usize| u32::from(bytes[at + i] & 0x3f);
    let lead = u32::from(bytes[at]);
    let length = if lead < 0xe0 {
        2
    } else if lead < 0xf0 {
        3
    } else {
        4
    };
    if at + length > bytes.len() {
        return (OTHER, bytes.len() - at);
    }
    let code = match length {
        2 => (lead & 0x1f) << 6 | low(1),
        3 => (lead & 0x0f) << 12 | low(1) << 6 | low(2),
        _ => (lead & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3),
    };
    (of_char(code), length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_table_and_the_character_table_agree_on_ascii() {
        for byte in 0..128u8 {
            assert_eq!(BYTES[byte as usize], of_char(u32::from(byte)), "byte {byte:#x}");
        }
    }

    #[test]
    fn characters_have_the_classes_of_their_category() {
        let check = |c: char, expected: u8| {
            let mut buffer = [0; 4];
            let text = c.encode_utf8(&mut buffer);
            assert_eq!(at(text.as_bytes(), 0), (expected, c.len_utf8()), "{c:?}");
        };
        check('é', LETTER | LOWER);
        check('É', LETTER | UPPER);
        check('ǅ', LETTER | UPPER);
        check('中', LETTER | UPPER | LOWER);
        check('ʰ', LETTER | UPPER | LOWER);
        check('\u{301}', OTHER | UPPER | LOWER);
        check('½', NUMBER);
        check('\u{a0}', SPACE);
        check('\u{2028}', SPACE);
        check('\u{1c}', OTHER);
        check('😀', OTHER);
        check('\u{10ffff}', OTHER);
    }
}
