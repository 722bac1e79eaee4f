//! East Asian encodings: one to four bytes per character, including ASCII.
//!
//! The tables are those of `encoding_rs`. Where they follow Windows, but Python's codec of the stored name follows the
//! national standard (wave dash, minus, cent, ...), the standard is used; `cp932` and `cp950` follow Windows.

use super::decoded_text::DecodedText;
use super::encoding::MultibyteEncoding;
use super::euc_tw;
use encoding_rs::Encoding as Tables;

/// Decodes with a cache of two-byte characters, since a call of `encoding_rs` costs some 60 ns per character.
#[derive(Clone)]
pub(super) struct MultibyteDecoder {
    multi: MultibyteEncoding,
    /// Indexed by the low 15 bits of both bytes: 0 for unknown, else the character.
    cache: Vec<u32>,
}

/// The result of decoding at one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecodedCharacter {
    /// A character of this many bytes.
    Char(char, usize),
    /// Two characters of two bytes (Big5-HKSCS has four such codes).
    Two([char; 2], usize),
    /// This many bytes are undecodable.
    Bad(usize),
    /// More bytes are needed.
    Cut,
}

impl MultibyteDecoder {
    pub fn new(multi: MultibyteEncoding) -> MultibyteDecoder {
        MultibyteDecoder { multi, cache: Vec::new() }
    }

    /// Decodes `bytes`, which may end inside a character unless they are the last. Returns the bytes used.
    pub fn decode(&mut self, bytes: &[u8], last: bool, out: &mut DecodedText) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            let ascii = bytes[at..].iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len() - at);
            out.copy(std::str::from_utf8(&bytes[at..at + ascii]).expect("ASCII is UTF-8"));
            at += ascii;
            while at < bytes.len() && bytes[at] >= 0x80 {
                let len = match self.next(&bytes[at..]) {
                    DecodedCharacter::Char(c, len) => {
                        out.char(c, len);
                        len
                    }
                    DecodedCharacter::Two(pair, len) => {
                        out.chars(&String::from_iter(pair), len);
                        len
                    }
                    DecodedCharacter::Cut if !last => return at,
                    DecodedCharacter::Cut => {
                        out.bad(bytes.len() - at);
                        bytes.len() - at
                    }
                    DecodedCharacter::Bad(len) => {
                        out.bad(len);
                        len
                    }
                };
                at += len;
            }
        }
        at
    }

    /// The character at the start of `bytes`, which begin with a byte that is not ASCII.
    pub fn next(&mut self, bytes: &[u8]) -> DecodedCharacter {
        let len = length(self.multi, bytes);
        let Some(code) = bytes.get(..len) else { return DecodedCharacter::Cut };
        if len != 2 {
            return look_up(self.multi, code);
        }
        if self.cache.is_empty() {
            self.cache = vec![0; 0x8000];
        }
        // The first byte always has its high bit, so the low 15 bits are an index.
        let place = usize::from(code[0] & 0x7f) << 8 | usize::from(code[1]);
        if let Some(c) = char::from_u32(self.cache[place]).filter(|c| *c != '\0') {
            return DecodedCharacter::Char(c, 2);
        }
        let found = look_up(self.multi, code);
        if let DecodedCharacter::Char(c, 2) = found {
            self.cache[place] = u32::from(c);
        }
        found
    }
}

/// The characters of one code in the tables of `multi`; `None` if the code is undefined.
pub(super) fn pair(multi: MultibyteEncoding, code: [u8; 2]) -> Option<char> {
    match look_up(multi, &code) {
        DecodedCharacter::Char(c, 2) => Some(c),
        _ => None,
    }
}

/// The number of bytes of the character that begins here: at least one, and more than are available if it is cut.
fn length(multi: MultibyteEncoding, bytes: &[u8]) -> usize {
    let second = bytes.get(1).copied();
    match (multi, bytes[0]) {
        // Katakana of half width; the rest is undefined in both tables.
        (MultibyteEncoding::ShiftJis | MultibyteEncoding::Cp932, 0xa1..=0xdf | 0x80 | 0xa0 | 0xfd..) => 1,
        // JIS X 0212 begins with 0x8F.
        (MultibyteEncoding::EucJp, 0x8f) => 3,
        (MultibyteEncoding::EucJp, 0x80..=0x8d | 0x90..=0xa0 | 0xff) => 1,
        // The number of the plane stands after 0x8E.
        (MultibyteEncoding::EucTw, 0x8e) => 4,
        (MultibyteEncoding::EucTw, 0x80..=0xa0 | 0xff) => 1,
        // No code of two bytes has a digit as its second byte.
        (MultibyteEncoding::Gb18030, 0x81..=0xfe) if second.is_some_and(|byte| byte.is_ascii_digit()) => 4,
        (_, 0x80 | 0xff) => 1,
        _ => 2,
    }
}

fn look_up(multi: MultibyteEncoding, code: &[u8]) -> DecodedCharacter {
    if multi == MultibyteEncoding::EucTw {
        return match euc_tw::char(code) {
            Some(c) => DecodedCharacter::Char(c, code.len()),
            // Characters of unknown planes have the same length.
            None => bad(code),
        };
    }
    let Some(text) = tables(multi).decode_without_bom_handling_and_without_replacement(code) else {
        return bad(code);
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(c), None, _) => {
            // The tables differ in codes of two bytes only.
            DecodedCharacter::Char(if code.len() == 2 { as_named(multi, c) } else { c }, code.len())
        }
        // Big5-HKSCS has four codes that are a letter and a mark.
        (Some(c), Some(d), None) if multi != MultibyteEncoding::Gb18030 && u32::from(d) >= 0x300 => {
            DecodedCharacter::Two([c, d], code.len())
        }
        _ => bad(code),
    }
}

/// A broken character never includes an ASCII byte after it.
fn bad(code: &[u8]) -> DecodedCharacter {
    DecodedCharacter::Bad(code[1..].iter().position(u8::is_ascii).map_or(code.len(), |at| at + 1))
}

fn tables(multi: MultibyteEncoding) -> &'static Tables {
    match multi {
        MultibyteEncoding::ShiftJis | MultibyteEncoding::Cp932 => encoding_rs::SHIFT_JIS,
        MultibyteEncoding::EucJp => encoding_rs::EUC_JP,
        MultibyteEncoding::Cp949 => encoding_rs::EUC_KR,
        MultibyteEncoding::Big5
        | MultibyteEncoding::Cp950
        | MultibyteEncoding::Big5Hkscs
        | MultibyteEncoding::EucTw => encoding_rs::BIG5,
        MultibyteEncoding::Gb18030 => encoding_rs::GB18030,
    }
}

/// The character in the tables of the stored name.
fn as_named(multi: MultibyteEncoding, c: char) -> char {
    match multi {
        MultibyteEncoding::ShiftJis | MultibyteEncoding::EucJp => japanese(c),
        MultibyteEncoding::Big5 | MultibyteEncoding::Big5Hkscs => taiwanese(c),
        _ => c,
    }
}

/// The characters of JIS X 0208 that Windows maps differently.
pub(super) fn japanese(c: char) -> char {
    match c {
        '\u{ff5e}' => '\u{301c}',
        '\u{2225}' => '\u{2016}',
        '\u{ff0d}' => '\u{2212}',
        '\u{ffe0}' => '\u{a2}',
        '\u{ffe1}' => '\u{a3}',
        '\u{ffe2}' => '\u{ac}',
        c => c,
    }
}

/// The characters of Big5 that Windows maps differently.
fn taiwanese(c: char) -> char {
    match c {
        '\u{2027}' => '\u{2022}',
        '\u{fe51}' => '\u{ff64}',
        '\u{af}' => '\u{203e}',
        '\u{ff5e}' => '\u{223c}',
        '\u{2295}' => '\u{2641}',
        '\u{2299}' => '\u{2609}',
        '\u{2215}' => '\u{ff0f}',
        '\u{fe68}' => '\u{ff3c}',
        '\u{ffe5}' => '\u{a5}',
        '\u{ffe0}' => '\u{a2}',
        '\u{ffe1}' => '\u{a3}',
        c => c,
    }
}

/// The variant whose tables have all the codes in `bytes`: the national standard, Windows, or Hong Kong, in this
/// order; `multi` itself where it has no variants.
pub(super) fn variant(multi: MultibyteEncoding, bytes: &[u8]) -> MultibyteEncoding {
    let mut at = 0;
    let mut found = multi;
    while at < bytes.len() {
        if bytes[at].is_ascii() {
            at += 1;
            continue;
        }
        let len = length(multi, &bytes[at..]);
        if let Some(&[lead, trail]) = bytes.get(at..at + len) {
            found = match (multi, lead, trail) {
                // Rows of NEC's and IBM's additions, and others that JIS X 0208 leaves empty.
                (MultibyteEncoding::ShiftJis, 0x85..=0x87 | 0xeb.., _) => return MultibyteEncoding::Cp932,
                // Rows that Hong Kong added before, inside and after Big5.
                (MultibyteEncoding::Big5, 0x81..=0xa0 | 0xc7..=0xc8 | 0xfa.., _) => {
                    return MultibyteEncoding::Big5Hkscs;
                }
                (MultibyteEncoding::Big5, 0xc6, 0xa1..) => return MultibyteEncoding::Big5Hkscs,
                // ETEN's seven characters and frames, and the euro sign, which Windows added.
                (MultibyteEncoding::Big5, 0xf9, 0xd6..) | (MultibyteEncoding::Big5, 0xa3, 0xe1) => {
                    MultibyteEncoding::Cp950
                }
                _ => found,
            };
        }
        at += len;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(multi: MultibyteEncoding, bytes: &[u8], expected: &str) {
        let mut out = DecodedText::new(0, true, 0);
        let used = MultibyteDecoder::new(multi).decode(bytes, true, &mut out);
        assert_eq!((out.text.as_str(), used), (expected, bytes.len()), "{multi:?} {bytes:x?}");
    }

    #[test]
    fn characters_are_those_of_the_stored_name() {
        check(MultibyteEncoding::ShiftJis, b"\x93\xfa\x96{ \x81`\xb1", "日本 〜ｱ");
        check(MultibyteEncoding::Cp932, b"\x81`\x87@", "～①");
        check(MultibyteEncoding::EucJp, b"\xc6\xfc\xcb\xdc\xa1\xc1\x8e\xb1\x8f\xb0\xa1", "日本〜ｱ丂");
        check(MultibyteEncoding::Cp949, b"\xc7\xd1\xb1\xdb \x81A", "한글 갂");
        check(MultibyteEncoding::Big5, b"\xa4\xa4\xa4\xe5\xa1E", "中文•");
        check(MultibyteEncoding::Cp950, b"\xa1E", "‧");
        check(MultibyteEncoding::Big5Hkscs, b"\x88b", "Ê̄");
        check(MultibyteEncoding::Gb18030, b"\xd6\xd0\xce\xc4\x81\x30\x81\x30", "中文\u{80}");
        check(MultibyteEncoding::EucTw, b"\xc4\xe3", "中");
    }

    #[test]
    fn a_broken_character_swallows_no_ascii() {
        check(MultibyteEncoding::ShiftJis, b"\x82\x20a\xffb\x82", "\u{fffd} a\u{fffd}b\u{fffd}");
        check(MultibyteEncoding::Gb18030, b"\x81\x30", "\u{fffd}");
        check(MultibyteEncoding::EucJp, b"\xa4a\x8f\xa2b", "\u{fffd}a\u{fffd}b");
    }

    #[test]
    fn variants_follow_from_the_codes() {
        assert_eq!(variant(MultibyteEncoding::ShiftJis, b"\x93\xfa\x81`"), MultibyteEncoding::ShiftJis);
        assert_eq!(variant(MultibyteEncoding::ShiftJis, b"\x93\xfa\x87@"), MultibyteEncoding::Cp932);
        assert_eq!(variant(MultibyteEncoding::Big5, b"\xa4\xa4"), MultibyteEncoding::Big5);
        assert_eq!(variant(MultibyteEncoding::Big5, b"\xa3\xe1"), MultibyteEncoding::Cp950);
        assert_eq!(variant(MultibyteEncoding::Big5, b"\xa3\xe1\xc6\xe7"), MultibyteEncoding::Big5Hkscs);
        assert_eq!(variant(MultibyteEncoding::EucJp, b"\xad\xa1"), MultibyteEncoding::EucJp);
    }
}
