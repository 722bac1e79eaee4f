//! Content transfer encodings: from the bytes of a part in the mail to its content. Nothing is refused:
//! what does not belong to an encoding is skipped or kept. Format: RFC 2045 section 6; uuencode: POSIX.1.

use super::lines::line_at;
use std::borrow::Cow;

/// How the content of a part is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransferEncoding {
    /// As it is: 7bit, 8bit, binary, and every unknown name.
    Identity,
    Base64,
    QuotedPrintable,
    Uuencode,
}

impl TransferEncoding {
    /// By the value of `Content-Transfer-Encoding`; comments and punctuation around the name do not count.
    pub fn of(value: &[u8]) -> TransferEncoding {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let name = value.split(|byte| !is_name(byte)).find(|word| !word.is_empty()).unwrap_or_default();
        match name.to_ascii_lowercase().as_slice() {
            b"base64" => TransferEncoding::Base64,
            b"quoted-printable" => TransferEncoding::QuotedPrintable,
            b"x-uuencode" | b"uuencode" | b"x-uue" | b"uue" => TransferEncoding::Uuencode,
            _ => TransferEncoding::Identity,
        }
    }

    pub fn decode(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self {
            TransferEncoding::Base64 if is_base64(bytes) => Cow::Owned(base64(bytes)),
            TransferEncoding::QuotedPrintable => Cow::Owned(quoted_printable(bytes)),
            TransferEncoding::Uuencode => uuencode(bytes).map_or(Cow::Borrowed(bytes), Cow::Owned),
            TransferEncoding::Identity | TransferEncoding::Base64 => Cow::Borrowed(bytes),
        }
    }
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Text that is wrongly called base64 has blanks between its words; base64 has only line ends, up to its padding.
fn is_base64(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let head = &head[..memchr::memchr(b'=', head).unwrap_or(head.len())];
    let strange = head.iter().filter(|byte| sextet(**byte).is_none() && !b"\r\n\0".contains(byte));
    strange.count() * 12 <= head.len()
}

/// Bytes outside of the alphabet are skipped; padding ends a group, and more base64 may follow. Lines of words after the
/// padding are not decoded: mailing lists write their footers there.
pub(super) fn base64(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0u32, 0u32);
    let mut at = 0;
    let mut is_padded = false;
    while let Some(line) = line_at(bytes, at) {
        at = line.next;
        let text = line.of(bytes).trim_ascii();
        if is_padded && text.iter().any(|byte| sextet(*byte).is_none() && *byte != b'=') {
            continue;
        }
        for &byte in text {
            let Some(value) = sextet(byte) else {
                if byte == b'=' {
                    flush(&mut out, &mut bits, &mut count);
                    is_padded = true;
                } else if is_padded && byte == b' ' {
                    break;
                }
                continue;
            };
            bits = bits << 6 | u32::from(value);
            count += 1;
            if count == 4 {
                out.extend_from_slice(&bits.to_be_bytes()[1..]);
                (bits, count) = (0, 0);
            }
        }
    }
    flush(&mut out, &mut bits, &mut count);
    out
}

/// The bytes of a group that was cut or padded.
fn flush(out: &mut Vec<u8>, bits: &mut u32, count: &mut u32) {
    if *count >= 2 {
        let whole = (*bits << (6 * (4 - *count))).to_be_bytes();
        out.extend_from_slice(&whole[1..*count as usize]);
    }
    (*bits, *count) = (0, 0);
}

/// Blanks at line ends were added in transit and are dropped; an `=` that means nothing stays.
pub(super) fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(line) = line_at(bytes, at) {
        let text = line.of(bytes);
        let kept = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
        let (text, is_soft) = match text[..kept].split_last() {
            Some((b'=', rest)) => (rest, true),
            _ => (&text[..kept], false),
        };
        escapes(text, b'=', &mut out);
        if !is_soft {
            out.extend_from_slice(&bytes[line.end..line.next]);
        }
        at = line.next;
    }
    out
}

/// Replaces a mark and two hexadecimal digits by their byte.
pub(super) fn escapes(text: &[u8], mark: u8, out: &mut Vec<u8>) {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut at = 0;
    while let Some(found) = memchr::memchr(mark, &text[at..]) {
        out.extend_from_slice(&text[at..at + found]);
        at += found;
        match (digit(at + 1), digit(at + 2)) {
            (Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(mark);
                at += 1;
            }
        }
    }
    out.extend_from_slice(&text[at..]);
}

/// The lines between `begin` and `end`; `None` if there is no such block.
fn uuencode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut is_inside = false;
    let mut at = 0;
    while let Some(line) = line_at(bytes, at) {
        let text = line.of(bytes);
        at = line.next;
        if !is_inside {
            is_inside = text.starts_with(b"begin ");
            continue;
        }
        if text == b"end" {
            return Some(out);
        }
        let Some((&length, data)) = text.split_first() else { continue };
        let length = usize::from(length.wrapping_sub(32) & 63);
        let start = out.len();
        for group in data.chunks(4) {
            let value = |at: usize| u32::from(group.get(at).map_or(0, |byte| byte.wrapping_sub(32) & 63));
            let bits = value(0) << 18 | value(1) << 12 | value(2) << 6 | value(3);
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
        }
        out.truncate(out.len().min(start + length));
    }
    is_inside.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &[u8], bytes: &[u8], expected: &[u8]) {
        let found = TransferEncoding::of(name).decode(bytes);
        assert_eq!(found.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }

    #[test]
    fn base64_is_read_however_broken() {
        check(b" BASE64 ; x", b"SGVs\r\nbG8=", b"Hello");
        check(b"base64", b"SGVsbG8", b"Hello");
        check(b"base64", b"SGVsbG8=SGVsbG8=", b"HelloHello");
        check(b"base64", b"S", b"");
        check(b"base64", b"SGVsbG8= and so on\nA footer of a list\n", b"Hello");
        check(
            b"base64",
            b"This is not base64 at all, it is text.",
            b"This is not base64 at all, it is text.",
        );
    }

    #[test]
    fn quoted_printable_is_read_however_broken() {
        check(b"quoted-printable", b"a=3D=\r\nb=e9 \t\r\nc=ZZ=", b"a=b\xe9\r\nc=ZZ");
        check(b"8bit", b"a=3D", b"a=3D");
    }

    #[test]
    fn uuencode_is_read() {
        check(b"x-uuencode", b"begin 644 a.txt\n#0V%T\n`\nend\n", b"Cat");
        check(b"x-uuencode", b"no block", b"no block");
    }
}
