//! Words of header fields: folding, encoded words, raw 8-bit text. Format: RFC 2047, and what programs write that
//! ignore it: words without blanks between them, broken inside a character, with the wrong charset or none.

use super::base64::base64;
use crate::limits::mail::MAX_ENCODED_WORD_BYTES;
use crate::shared::bytes::hex_escapes;
use memchr::memmem;
use pensieve_text::text::decode::{EncodingHints, decode_all};

/// The text of a field: unfolded, its encoded words decoded, blanks and control characters as single spaces.
pub(super) fn header_text(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut pending = PendingWords::default();
    let mut at = 0;
    let mut plain = 0;
    while let Some(found) = memmem::find(&raw[at..], b"=?") {
        let start = at + found;
        let Some(word) = encoded_word(&raw[start..]) else {
            at = start + 2;
            continue;
        };
        let between = &raw[plain..start];
        let is_adjacent = pending.is_open && between.iter().all(u8::is_ascii_whitespace);
        if !is_adjacent {
            pending.flush(&mut text);
            text.push_str(&raw_text(between));
        }
        pending.add(&word, &mut text);
        at = start + word.length;
        plain = at;
    }
    pending.flush(&mut text);
    text.push_str(&raw_text(&raw[plain..]));
    squeezed(&text)
}

/// Text in the named charset, or in the detected one if the name is missing or wrong.
pub(super) fn charset_text(bytes: &[u8], charset: Option<&str>) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && (text.is_ascii() && !text.contains(['\u{1b}', '~', '+', '\0']) || charset.is_none())
    {
        return text.to_owned();
    }
    decode_all(bytes, &EncodingHints { declared: charset, ..EncodingHints::default() }).0.text
}

fn raw_text(bytes: &[u8]) -> String {
    charset_text(bytes, None)
}

/// Runs of blanks and control characters become one space each.
pub(super) fn squeezed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() && c != '\u{a0}' || c.is_control()) {
        if !word.is_empty() {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// Bytes of neighbouring words of one charset: a character may be cut between them.
#[derive(Default)]
struct PendingWords<'r> {
    is_open: bool,
    charset: &'r [u8],
    bytes: Vec<u8>,
}

impl<'r> PendingWords<'r> {
    fn add(&mut self, word: &EncodedWord<'r>, text: &mut String) {
        if self.is_open && !self.charset.eq_ignore_ascii_case(word.charset) {
            self.flush(text);
        }
        self.is_open = true;
        self.charset = word.charset;
        self.bytes.extend_from_slice(&word.bytes);
    }

    fn flush(&mut self, text: &mut String) {
        if std::mem::take(&mut self.is_open) {
            let charset = std::str::from_utf8(self.charset).ok();
            text.push_str(&charset_text(&self.bytes, charset));
            self.bytes.clear();
        }
    }
}

struct EncodedWord<'r> {
    charset: &'r [u8],
    bytes: Vec<u8>,
    length: usize,
}

/// `=?charset*language?encoding?text?=` at the start.
fn encoded_word(raw: &[u8]) -> Option<EncodedWord<'_>> {
    let raw = &raw[..raw.len().min(MAX_ENCODED_WORD_BYTES)];
    let charset_end = 2 + raw[2..].iter().take(64).position(|byte| *byte == b'?')?;
    let charset = &raw[2..charset_end];
    if charset.is_empty() || !charset.iter().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let charset = charset.split(|byte| *byte == b'*').next().unwrap_or_default();
    let encoding = raw.get(charset_end + 1)?.to_ascii_lowercase();
    if raw.get(charset_end + 2) != Some(&b'?') {
        return None;
    }
    let start = charset_end + 3;
    let end = start + memmem::find(&raw[start..], b"?=")?;
    let bytes = match encoding {
        b'b' => base64(&raw[start..end]).0,
        b'q' => {
            let spaced: Vec<u8> =
                raw[start..end].iter().map(|&byte| if byte == b'_' { b' ' } else { byte }).collect();
            let mut out = Vec::new();
            hex_escapes(&spaced, b'=', &mut out);
            out
        }
        _ => return None,
    };
    Some(EncodedWord { charset, bytes, length: end + 2 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &[u8], expected: &str) {
        assert_eq!(header_text(raw), expected, "{}", raw.escape_ascii());
    }

    #[test]
    fn encoded_words_are_decoded() {
        check(b" =?utf-8?q?caf=C3=A9_au?= lait", "caf\u{e9} au lait");
        check(b"=?ISO-8859-1?B?Y2Fm6Q==?=", "caf\u{e9}");
        check(b"=?utf-8*fr?Q?a?= =?utf-8?q?b?=\r\n c", "ab c");
        check(b"a=?utf-8?q?b?=c", "abc");
        check("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=".as_bytes(), "\u{65e5}\u{672c}");
    }

    #[test]
    fn a_character_may_be_cut_between_words() {
        check(b"=?utf-8?b?ww==?= =?UTF-8?b?qQ==?=", "\u{e9}");
        check(b"=?utf-8?q?=C3?=\r\n =?utf-8?q?=A9?=", "\u{e9}");
    }

    #[test]
    fn what_is_no_encoded_word_stays() {
        check(b"a =?b c", "a =?b c");
        check(b"=?utf-8?x?abc?=", "=?utf-8?x?abc?=");
        check(b"raw caf\xe9 and caf\xc3\xa9"[..9].as_ref(), "raw caf\u{e9} ".trim());
        check("na\u{ef}ve \u{65e5}".as_bytes(), "na\u{ef}ve \u{65e5}");
    }

    #[test]
    fn many_beginnings_without_end_take_no_time() {
        let raw = b"=?utf-8?q?".repeat(20_000);
        assert!(!header_text(&raw).is_empty());
    }

    #[test]
    fn what_a_word_needs_to_be_one() {
        check(b"=??q?a?=", "=??q?a?=");
        check(b"=?utf 8?q?a?=", "=?utf 8?q?a?=");
        check(b"=?utf-8?qa?=", "=?utf-8?qa?=");
        check(b"=?utf-8?q?a", "=?utf-8?q?a");
        check(b"=?utf-8?q??=", "");
        check(b"=?utf-8?Q?a_b=5Fc?=", "a b_c");
        check(b"=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c");
        check(b"=?utf-8?q?a?==?utf-8?q?b?=", "ab");
        check(b"=?iso-8859-1?q?=E9?= =?utf-8?q?=C3=A9?=", "\u{e9}\u{e9}");
    }
}
