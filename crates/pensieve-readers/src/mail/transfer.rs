//! Content transfer encodings: from the bytes of a part in the mail to its content. Nothing is refused:
//! what does not belong to an encoding is skipped or kept. Format: RFC 2045 section 6.

use super::base64::{base64, is_base64};
use super::lines::line_at;
use super::uuencode;
use crate::shared::bytes::hex_escapes;
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
        self.decode_counting(bytes).0
    }

    /// As [`decode`](Self::decode), with the number of characters that do not belong to the encoding.
    pub fn decode_counting(self, bytes: &[u8]) -> (Cow<'_, [u8]>, usize) {
        let content = match self {
            TransferEncoding::Base64 if is_base64(bytes) => {
                let (content, strays) = base64(bytes);
                return (Cow::Owned(content), strays);
            }
            TransferEncoding::QuotedPrintable => Cow::Owned(quoted_printable(bytes)),
            TransferEncoding::Uuencode => uuencode::decode(bytes).map_or(Cow::Borrowed(bytes), Cow::Owned),
            TransferEncoding::Identity | TransferEncoding::Base64 => Cow::Borrowed(bytes),
        };
        (content, 0)
    }
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
        hex_escapes(text, b'=', &mut out);
        if !is_soft {
            out.extend_from_slice(&bytes[line.end..line.next]);
        }
        at = line.next;
    }
    out
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
        check(b"base64", b"> SGVsbG8sIHdvcmxk\n> IQ==\n", b"Hello, world!");
        check(b"base64", b"SGVsbG8sIHd!\r\n vcm?xk", b"Hello, world");
        check(b"base64", b"SGVs\n____\nlist of words\n", b"Hel");
        check(b"base64", b"SGVs\n\nWords below it, a@b.c\nend\n", b"Hel");
        check(b"base64", b"SGVs\n\nbG8h\n\nSGVsbG8=\n", b"Hello!Hello");
        check(b"base64", b"caf\xe9caf\xe9caf\xe9", b"caf\xe9caf\xe9caf\xe9");
        check(b"base64", b"SGVsbG8= and so on\nA footer of a list\n", b"Hello");
        check(
            b"base64",
            b"This is not base64 at all, it is text.",
            b"This is not base64 at all, it is text.",
        );
    }

    #[test]
    fn damage_is_counted() {
        let strays = |bytes: &[u8]| TransferEncoding::Base64.decode_counting(bytes).1;
        assert_eq!(strays(b"> SGVsbG8sIHdvcmxk\n> IQ==\n"), 2);
        assert_eq!(strays(b"SGVs\r\n \tbG8\n\n"), 0);
        assert_eq!(strays(b"SGVsbG8=\nA footer: of a list\n"), 0);
        assert_eq!(strays(b"Words, that are no base64, and so on."), 0);
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

    #[test]
    fn uuencode_of_several_lines() {
        let all: Vec<u8> = (0..=255).collect();
        let mut text = b"words before\nbegin 644 all.bin\n".to_vec();
        let sign = |value: u8| if value == 0 { b'`' } else { value + 32 };
        for line in all.chunks(45) {
            text.push(sign(line.len() as u8));
            for three in line.chunks(3) {
                let at = |index: usize| three.get(index).copied().unwrap_or(0);
                text.extend(
                    [
                        at(0) >> 2,
                        at(0) << 4 & 0x30 | at(1) >> 4,
                        at(1) << 2 & 0x3c | at(2) >> 6,
                        at(2) & 0x3f,
                    ]
                    .map(sign),
                );
            }
            text.push(b'\n');
        }
        text.extend(b"`\nend\n");
        check(b"x-uuencode", &text, &all);
        check(b"uuencode", &text, &all);
    }

    #[test]
    fn quoted_printable_of_every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let text: String = all.iter().map(|byte| format!("={byte:02X}")).collect();
        check(b"quoted-printable", text.as_bytes(), &all);
        check(b"Quoted-Printable", text.to_lowercase().as_bytes(), &all);
        check(b"quoted-printable", b"a =\r\nb\r\n", b"a b\r\n");
        check(b"quoted-printable", b"a=3", b"a=3");
        check(b"7bit", b"a=3D", b"a=3D");
    }
}
