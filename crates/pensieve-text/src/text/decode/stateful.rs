//! Seven-bit encodings with a state: ISO-2022-JP, ISO-2022-KR and HZ. Escapes switch sets, two bytes make a character.

use super::decoded_text::DecodedText;
use super::encoding::{MultibyteEncoding, StatefulEncoding};
use super::multibyte::{japanese, pair};

/// The active character set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharacterSet {
    Ascii,
    /// JIS X 0201: ASCII with a yen sign and an overline.
    Roman,
    /// JIS X 0201 katakana.
    Katakana,
    /// Two bytes from this set.
    Pairs(MultibyteEncoding),
    /// Two bytes from JIS X 0212.
    Supplement,
}

/// The state between two slices of bytes.
#[derive(Debug, Clone)]
pub(super) struct StatefulDecoder {
    encoding: StatefulEncoding,
    set: CharacterSet,
}

/// Escape sequences and the sets that they switch to; the longest match counts.
const ESCAPES: &[(&[u8], CharacterSet)] = &[
    (b"\x1b(B", CharacterSet::Ascii),
    (b"\x1b(J", CharacterSet::Roman),
    (b"\x1b(H", CharacterSet::Roman),
    (b"\x1b(I", CharacterSet::Katakana),
    (b"\x1b$@", CharacterSet::Pairs(MultibyteEncoding::EucJp)),
    (b"\x1b$B", CharacterSet::Pairs(MultibyteEncoding::EucJp)),
    // JIS X 0208-1990, with its announcer.
    (b"\x1b&@\x1b$B", CharacterSet::Pairs(MultibyteEncoding::EucJp)),
    (b"\x1b$(D", CharacterSet::Supplement),
    // GB 2312 and KS X 1001 are sets of ISO-2022-JP-2 (RFC 1554).
    (b"\x1b$A", CharacterSet::Pairs(MultibyteEncoding::Gb18030)),
    (b"\x1b$(C", CharacterSet::Pairs(MultibyteEncoding::Cp949)),
];

/// Announces the Korean set that SO and SI switch to.
const KOREAN_HEADER: &[u8] = b"\x1b$)C";

/// The result of decoding at one position.
enum DecodedUnit {
    Char(char, usize),
    Escape(CharacterSet, usize),
    Bad(usize),
    Cut,
}

impl StatefulDecoder {
    pub fn new(encoding: StatefulEncoding) -> StatefulDecoder {
        StatefulDecoder { encoding, set: CharacterSet::Ascii }
    }

    /// Decodes `bytes`, which may end inside a character unless they are the last. Returns the bytes used.
    pub fn decode(&mut self, bytes: &[u8], last: bool, out: &mut DecodedText) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            at += match self.next(&bytes[at..]) {
                DecodedUnit::Char(c, len) => {
                    out.char(c, len);
                    len
                }
                DecodedUnit::Escape(set, len) => {
                    self.set = set;
                    out.escape(len);
                    len
                }
                DecodedUnit::Bad(len) => {
                    out.bad(len);
                    len
                }
                DecodedUnit::Cut if !last => return at,
                DecodedUnit::Cut => {
                    out.bad(bytes.len() - at);
                    bytes.len() - at
                }
            };
        }
        at
    }

    fn next(&mut self, bytes: &[u8]) -> DecodedUnit {
        match (self.encoding, bytes[0]) {
            (StatefulEncoding::Hz, b'~') => self.tilde(bytes),
            (StatefulEncoding::Iso2022Jp, 0x1b) => escape(bytes, ESCAPES),
            // The header switches nothing; SO and SI do.
            (StatefulEncoding::Iso2022Kr, 0x1b) => escape(bytes, &[(KOREAN_HEADER, CharacterSet::Ascii)]),
            (StatefulEncoding::Iso2022Kr, 0x0e) => {
                DecodedUnit::Escape(CharacterSet::Pairs(MultibyteEncoding::Cp949), 1)
            }
            (StatefulEncoding::Iso2022Kr, 0x0f) => DecodedUnit::Escape(CharacterSet::Ascii, 1),
            (_, byte @ (b'\n' | b'\r')) => {
                // A line end also ends a set whose closing escape was lost.
                // ISO-2022-JP keeps its set, as Python's codec does.
                if self.encoding != StatefulEncoding::Iso2022Jp {
                    self.set = CharacterSet::Ascii;
                }
                DecodedUnit::Char(char::from(byte), 1)
            }
            _ => self.char(bytes),
        }
    }

    fn tilde(&self, bytes: &[u8]) -> DecodedUnit {
        match (bytes.get(1), self.set) {
            (None, _) => DecodedUnit::Cut,
            (Some(b'{'), CharacterSet::Ascii) => {
                DecodedUnit::Escape(CharacterSet::Pairs(MultibyteEncoding::Gb18030), 2)
            }
            (Some(b'}'), CharacterSet::Pairs(_)) => DecodedUnit::Escape(CharacterSet::Ascii, 2),
            // A tilde at the end of a line joins it with the next (RFC 1843).
            (Some(b'\n'), CharacterSet::Ascii) => DecodedUnit::Escape(CharacterSet::Ascii, 2),
            (Some(b'~'), CharacterSet::Ascii) => DecodedUnit::Char('~', 2),
            _ => DecodedUnit::Bad(1),
        }
    }

    fn char(&self, bytes: &[u8]) -> DecodedUnit {
        let first = bytes[0];
        match self.set {
            _ if first >= 0x80 => DecodedUnit::Bad(1),
            CharacterSet::Ascii => DecodedUnit::Char(char::from(first), 1),
            CharacterSet::Roman => DecodedUnit::Char(roman(first), 1),
            _ if first <= b' ' || first == 0x7f => DecodedUnit::Char(char::from(first), 1),
            CharacterSet::Katakana => match first {
                0x21..=0x5f => DecodedUnit::Char(char::from_u32(0xff40 + u32::from(first)).unwrap_or(' '), 1),
                _ => DecodedUnit::Bad(1),
            },
            CharacterSet::Pairs(multi) => {
                double(bytes, |first, second| pair(multi, [first, second]).map(|c| plain(multi, c)))
            }
            CharacterSet::Supplement => double(bytes, |first, second| {
                // EUC-JP has this set after 0x8F.
                let code = [0x8f, first, second];
                let text = encoding_rs::EUC_JP.decode_without_bom_handling_and_without_replacement(&code)?;
                text.chars().next()
            }),
        }
    }
}

fn roman(byte: u8) -> char {
    match byte {
        // JIS X 0201 differs from ASCII in these two.
        b'\\' => '\u{a5}',
        b'~' => '\u{203e}',
        byte => char::from(byte),
    }
}

/// The character according to GB 2312 and JIS X 0208 themselves.
fn plain(multi: MultibyteEncoding, c: char) -> char {
    match (multi, c) {
        (MultibyteEncoding::Gb18030, '\u{b7}') => '\u{30fb}',
        (MultibyteEncoding::Gb18030, '\u{2014}') => '\u{2015}',
        (MultibyteEncoding::EucJp, c) => japanese(c),
        (_, c) => c,
    }
}

fn double(bytes: &[u8], look_up: impl Fn(u8, u8) -> Option<char>) -> DecodedUnit {
    match bytes.get(1) {
        None => DecodedUnit::Cut,
        Some(&second) if (0x21..0x7f).contains(&second) => {
            look_up(bytes[0] | 0x80, second | 0x80).map_or(DecodedUnit::Bad(2), |c| DecodedUnit::Char(c, 2))
        }
        Some(_) => DecodedUnit::Bad(1),
    }
}

fn escape(bytes: &[u8], known: &[(&[u8], CharacterSet)]) -> DecodedUnit {
    let fits = known.iter().filter(|(sequence, _)| bytes.starts_with(sequence)).max_by_key(|(s, _)| s.len());
    match fits {
        Some((sequence, set)) => DecodedUnit::Escape(*set, sequence.len()),
        None if known.iter().any(|(sequence, _)| sequence.starts_with(bytes)) => DecodedUnit::Cut,
        // Escapes of terminals stay; cleaning takes them away.
        None => DecodedUnit::Char('\u{1b}', 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(encoding: StatefulEncoding, bytes: &[u8], expected: &str) {
        let mut out = DecodedText::new(0, false, 0);
        let used = StatefulDecoder::new(encoding).decode(bytes, true, &mut out);
        assert_eq!((out.text.as_str(), used), (expected, bytes.len()), "{}", bytes.escape_ascii());
    }

    #[test]
    fn escapes_switch_sets() {
        let jp = StatefulEncoding::Iso2022Jp;
        check(jp, b"a\x1b$B8@8l!A\x1b(B b", "a言語〜 b");
        check(jp, b"\x1b(J\\~\x1b(B\\~", "¥‾\\~");
        check(jp, b"\x1b(I1\x1b(B1", "ｱ1");
        check(jp, b"\x1b$(D0!\x1b(B", "丂");
        check(StatefulEncoding::Iso2022Kr, b"\x1b$)C\x0eGQ1[\x0f!\n", "한글!\n");
        check(StatefulEncoding::Hz, b"a ~{VPND~} ~~b~\nc", "a 中文 ~bc");
    }

    #[test]
    fn broken_text_is_replaced() {
        let jp = StatefulEncoding::Iso2022Jp;
        check(jp, b"\x1b$B8@8", "言\u{fffd}");
        check(jp, b"\x1b$B8\n", "\u{fffd}\n");
        check(jp, b"\x1b[1m\xe9", "\u{1b}[1m\u{fffd}");
        check(jp, b"\x1b$", "\u{fffd}");
        check(StatefulEncoding::Hz, b"~x ~", "\u{fffd}x \u{fffd}");
        check(StatefulEncoding::Iso2022Kr, b"\x1b$)C\x0e\x7f\x7f!\x20\x0f", "\u{7f}\u{7f}\u{fffd} ");
    }
}
