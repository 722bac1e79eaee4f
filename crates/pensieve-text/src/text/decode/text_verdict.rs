//! Decides whether the first bytes of a file are text.
//!
//! The encoding is not decided here. Zero bytes occur in text only in UTF-16 and UTF-32, or if they are rare, or in
//! blocks that a disk lost. Other control characters are rare in every text, but make up a tenth of random bytes.

use super::byte_patterns;
use super::decoder::decode_slice;
use super::detect::bom;
use super::encoding::Encoding;
use super::utf8_evidence::examine_utf8;
use super::zero_blocks::without_zero_blocks;

/// Whether bytes are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextVerdict {
    /// They are text in some encoding.
    Text,
    /// They are not text, for this reason.
    Binary(&'static str),
}

/// Judges the first bytes of a file, which may end anywhere. Text in which blocks of zeros take up less than half of the
/// bytes is text.
///
/// Cost: one pass over the bytes; up to three if there are blocks of zeros.
pub fn is_text(head: &[u8]) -> TextVerdict {
    match judge(head) {
        TextVerdict::Binary(_) if is_text_around_blocks(head, head.len() / 2) => TextVerdict::Text,
        verdict => verdict,
    }
}

/// True for the first bytes of a file that is text by its name, if they are text or blocks of zeros, however long.
pub fn is_zeroed_text(head: &[u8]) -> bool {
    is_text_around_blocks(head, 0)
}

/// True if the bytes have blocks of zeros, and the others are text and more than `least`.
fn is_text_around_blocks(head: &[u8], least: usize) -> bool {
    // Characters of UTF-16 and UTF-32 may begin or end with zeros.
    let judged = [1, 4].into_iter().filter_map(|unit| without_zero_blocks(head, unit));
    judged.into_iter().any(|rest| rest.len() >= least && judge(&rest) == TextVerdict::Text)
}

fn judge(head: &[u8]) -> TextVerdict {
    let utf8 = examine_utf8(head, false);
    match bom(head) {
        Some((encoding, len)) if !encoding.is_ascii_based() => {
            return judge_after_bom(encoding, &head[len..]);
        }
        // Before zeros are counted: every other byte of UTF-16 may be one.
        _ if byte_patterns::wide(head, &utf8).is_some() => return TextVerdict::Text,
        _ => {}
    }
    let is_utf8 = utf8.is_likely();
    let zeros = memchr::memchr_iter(0, head).count();
    // Valid UTF-8 speaks for text, so that one zero in fifty bytes may be an accident.
    if zeros > usize::from(is_utf8) + head.len() / if is_utf8 { 50 } else { 1000 } {
        return TextVerdict::Binary("zero bytes");
    }
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(is_control(*byte))).sum::<u8>();
    let controls: usize = head.chunks(255).map(|part| usize::from(count(part))).sum();
    let explained = || byte_patterns::stateful(head, &utf8).is_some() || byte_patterns::is_dense(head);
    // Of 256 bytes 25 are such controls, so random ones have one in ten.
    if controls > head.len() / if is_utf8 { 10 } else { 25 } && !explained() {
        return TextVerdict::Binary("control characters");
    }
    TextVerdict::Text
}

/// The bytes after a byte-order mark of two or four bytes may still be anything.
fn judge_after_bom(encoding: Encoding, rest: &[u8]) -> TextVerdict {
    const MAX_JUDGED_BYTES: usize = 4096;
    let text = decode_slice(encoding, &rest[..rest.len().min(MAX_JUDGED_BYTES)]).unwrap_or_default();
    let is_text = |c: &char| match c {
        '\u{fffd}' => false,
        // Signs, East Asian marks and forms, everything beyond the first plane.
        '\u{2000}'..='\u{33ff}' | '\u{ff00}'..='\u{ffef}' | '\u{10000}'.. => true,
        c => {
            c.is_ascii_graphic()
                || c.is_whitespace()
                || c.is_alphanumeric()
                || ('\u{a0}'..'\u{370}').contains(c)
        }
    };
    let (all, good) = (text.chars().count(), text.chars().filter(is_text).count());
    if good * 100 + 200 >= all * 85 {
        TextVerdict::Text
    } else {
        TextVerdict::Binary("no text after a byte-order mark")
    }
}

/// Control characters that do not occur in text. Escape and backspace do occur: they colour logs and underline manuals.
/// Without branches, so that many bytes are examined together.
fn is_control(byte: u8) -> bool {
    let is_within = |first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
    is_within(1, 7) | (byte == 0x0b) | is_within(0x0e, 0x19) | is_within(0x1c, 0x1f) | (byte == 0x7f)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &[u8], expected: bool) {
        assert_eq!(is_text(head) == TextVerdict::Text, expected, "{}", head.escape_ascii());
    }

    /// Pseudorandom bytes, the same each time.
    fn random(len: usize) -> Vec<u8> {
        let mut state = 1u64;
        let next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        };
        std::iter::repeat_with(next).take(len).collect()
    }

    #[test]
    fn text_in_any_encoding_is_text() {
        check(b"", true);
        check(b"plain\r\n\tword\x0c\x1b[1mbold\x1b[0m", true);
        check("größer ₤ 漢字".as_bytes(), true);
        check(&"größer".as_bytes()[..3], true);
        check(b"caf\xe9 cr\xe8me", true);
        check(b"\x93\xfa\x96{\x8c\xea", true);
        check(b"\xff\xfeh\0i\0", true);
        check(b"\xfe\xff\0h\0i\n", true);
        check(b"\xff\xfe\0\0h\0\0\0", true);
        check(b"\xff\xfe", true);
        check(b"\x1b$)C\x0eGQ1[\x0f \x0e>n\x0f", true);
        check(b"h\0e\0l\0l\0o\0 \0w\0o\0r\0l\0d\0", true);
        check(b"\0\0\0h\0\0\0i\0\0\0!", true);
        check(b"one line\nwith a single \0 in it, far from any other\n", true);
        let kana: Vec<u8> = "これはぺんです".repeat(4).encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(&kana, true);
    }

    #[test]
    fn text_that_lost_a_block_is_text() {
        let zeros = [0; 500];
        let around = |before: &[u8], after: &[u8]| [before, &zeros, after].concat();
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let words = "words of a größer text\n".repeat(20);
        check(&around(words.as_bytes(), words.as_bytes()), true);
        check(&around(&[b"\xff\xfe".as_slice(), &wide(&words)].concat(), &wide(&words)), true);
        check(&around(&wide(&words), &wide(&words)), true);
        check(&around(b"only a few words\n", b""), false);
        assert!(is_zeroed_text(&around(b"only a few words\n", b"")));
        assert!(is_zeroed_text(&zeros));
        assert!(!is_zeroed_text(&around(&random(900), &random(900))));
        assert!(!is_zeroed_text(b"words"));
    }

    #[test]
    fn everything_else_is_not() {
        check(&random(4096), false);
        check(&[b"\xff\xfe".as_slice(), &random(4096)].concat(), false);
        check(&[0; 512], false);
        check(b"\0\x01\x02junk\n\0\x01\x02", false);
        check(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0", false);
        check(&(0..=255).collect::<Vec<u8>>(), false);
    }

    #[test]
    fn declared_encodings_and_marks_are_text() {
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        check(&wide("Привет, мир! Это простой текст."), true);
        check(&wide("日本語の文章です。これはテキストです。"), true);
        check(&[b"\xff\xfe".as_slice(), &wide("a")].concat(), true);
        check(b"\xef\xbb\xbftext", true);
        check(b"\xef\xbb\xbf\0\x01\x02\x03\0\x01\x02\x03\0\0\0\x04", false);
    }
}
