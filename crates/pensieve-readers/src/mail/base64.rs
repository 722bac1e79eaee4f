//! Base64 as mails have it: cut, quoted, with footers below. Format: RFC 2045 section 6.8.

use super::lines::line_at;

/// Text that is wrongly called base64 has blanks between its words, or letters of other scripts; base64 has only line
/// ends, up to its padding. Other characters are damage in transit, such as the marks of a quotation.
pub(super) fn is_base64(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let head = &head[..memchr::memchr(b'=', head).unwrap_or(head.len())];
    let is_word_end =
        |pair: &[u8]| !pair[1].is_ascii() || sextet(pair[0]).is_some() && matches!(pair[1], b' ' | b'\t');
    let words = head.windows(2).filter(|pair| is_word_end(pair)).count();
    let strays = head.iter().filter(|byte| is_stray(byte)).count();
    words * 12 <= head.len() && strays * 4 <= head.len()
}

/// Decodes base64 and counts the bytes outside of its alphabet, which are skipped. Padding ends a group, and more base64
/// may follow. Lines of words below the data are not decoded: mailing lists write their footers there.
pub(super) fn base64(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut data = Base64Data { out: Vec::with_capacity(bytes.len() / 4 * 3 + 3), ..Base64Data::default() };
    let mut at = 0;
    while let Some(line) = line_at(bytes, at) {
        at = line.next;
        let text = line.of(bytes).trim_ascii();
        if data.may_end_before(text) {
            data.has_ended = true;
        }
        if !data.has_ended || data.is_more(text) {
            data.decode_line(text);
        }
    }
    data.flush();
    (data.out, data.strays)
}

#[derive(Default)]
struct Base64Data {
    out: Vec<u8>,
    bits: u32,
    /// Characters of the group that is not complete.
    count: u32,
    strays: usize,
    is_padded: bool,
    has_ended: bool,
}

impl Base64Data {
    /// True where the data may be over: at a blank line or a line of hyphens after a complete group.
    fn may_end_before(&self, line: &[u8]) -> bool {
        self.is_padded
            || self.count == 0 && !self.out.is_empty() && line.iter().all(|byte| b"-_".contains(byte))
    }

    /// True for a line that is base64, wherever it is.
    fn is_more(&self, line: &[u8]) -> bool {
        let is_data = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        line.iter().all(is_data) && (self.is_padded || line.len().is_multiple_of(4))
    }

    fn decode_line(&mut self, line: &[u8]) {
        for &byte in line {
            let Some(value) = sextet(byte) else {
                if byte == b'=' {
                    self.flush();
                    self.is_padded = true;
                } else if self.is_padded && byte == b' ' {
                    break;
                }
                self.strays += usize::from(is_stray(&byte));
                continue;
            };
            self.bits = self.bits << 6 | u32::from(value);
            self.count += 1;
            if self.count == 4 {
                self.out.extend_from_slice(&self.bits.to_be_bytes()[1..]);
                (self.bits, self.count) = (0, 0);
            }
        }
    }

    /// Writes the bytes of a group that was cut or padded.
    fn flush(&mut self) {
        if self.count >= 2 {
            let whole = (self.bits << (6 * (4 - self.count))).to_be_bytes();
            self.out.extend_from_slice(&whole[1..self.count as usize]);
        }
        (self.bits, self.count) = (0, 0);
    }
}

fn is_stray(byte: &u8) -> bool {
    sextet(*byte).is_none() && !b"=\r\n\0 \t".contains(byte)
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
