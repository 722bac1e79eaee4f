//! UTF-7 (RFC 2152): ASCII with runs of UTF-16 in base 64 between `+` and `-`.

use super::decoded_text::DecodedText;

/// The state between two slices of bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Utf7Decoder {
    /// Inside base 64.
    inside: bool,
    /// Nothing followed the `+` yet.
    is_at_start: bool,
    bits: u32,
    count: u32,
    high: Option<u16>,
    /// Source bytes of the unfinished character.
    waiting: usize,
}

/// The value of a digit of base 64.
pub(super) fn digit(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

impl Utf7Decoder {
    /// Decodes all of `bytes`; an unfinished character at the end stays in the state.
    pub fn decode(&mut self, bytes: &[u8], last: bool, out: &mut DecodedText) -> usize {
        for &byte in bytes {
            if self.inside {
                self.encoded(byte, out);
            } else {
                self.direct(byte, out);
            }
        }
        if last {
            self.close(out);
        }
        bytes.len()
    }

    fn direct(&mut self, byte: u8, out: &mut DecodedText) {
        match byte {
            b'+' => {
                *self = Utf7Decoder { inside: true, is_at_start: true, waiting: 1, ..Utf7Decoder::default() }
            }
            // UTF-7 has seven bits.
            0x80.. => out.bad(1),
            byte => out.char(char::from(byte), 1),
        }
    }

    fn encoded(&mut self, byte: u8, out: &mut DecodedText) {
        if let Some(value) = digit(byte) {
            self.is_at_start = false;
            self.waiting += 1;
            self.bits = self.bits << 6 | value;
            self.count += 6;
            if self.count >= 16 {
                self.count -= 16;
                let unit = (self.bits >> self.count) as u16;
                self.bits &= (1 << self.count) - 1;
                self.unit(unit, out);
            }
            return;
        }
        // `+-` is the plus sign itself.
        if byte == b'-' && self.is_at_start {
            out.char('+', 2);
            *self = Utf7Decoder::default();
            return;
        }
        if byte == b'-' {
            self.waiting += 1;
            self.close(out);
            return;
        }
        self.close(out);
        self.direct(byte, out);
    }

    fn unit(&mut self, unit: u16, out: &mut DecodedText) {
        if let Some(high) = self.high.take() {
            let pair = char::decode_utf16([high, unit]).next();
            if let (Some(Ok(c)), 0xdc00..0xe000) = (pair, unit) {
                out.char(c, std::mem::take(&mut self.waiting));
                return;
            }
            out.bad(std::mem::take(&mut self.waiting));
        }
        match char::from_u32(u32::from(unit)) {
            Some(c) => out.char(c, std::mem::take(&mut self.waiting)),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => out.bad(std::mem::take(&mut self.waiting)),
        }
    }

    /// Ends a run of base 64; its rest is padding, or half a surrogate pair.
    fn close(&mut self, out: &mut DecodedText) {
        // A `+` before anything but base 64 is no UTF-7.
        if self.high.is_some() || self.is_at_start {
            out.bad(self.waiting);
        } else if self.waiting > 0 {
            out.escape(self.waiting);
        }
        *self = Utf7Decoder::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_utf16() {
        let check = |bytes: &[u8], expected: &str| {
            let mut out = DecodedText::new(0, false, 0);
            Utf7Decoder::default().decode(bytes, true, &mut out);
            assert_eq!(out.text, expected, "{}", bytes.escape_ascii());
        };
        check(b"Hi Mom -+Jjo--!", "Hi Mom -☺-!");
        check(b"1 +- 1", "1 + 1");
        check(b"+2D3eAA-", "😀");
        check(b"Gr+APwA3w.", "Grüß.");
        check(b"+AOQ", "ä");
        check(b"+2D0-x", "\u{fffd}x");
        check(b"a+\xe4", "a\u{fffd}\u{fffd}");
    }
}
