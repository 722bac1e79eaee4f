//! Fields of records, and texts: with two bytes per character, with one, in a code page, continued from record to
//! record.

use super::biff::{BiffStream, CONTINUE};
use crate::shared::codepage;
use pensieve_text::model::Problem;

/// The version of the file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BiffVersion {
    /// Excel 2.
    Biff2,
    /// Excel 3.
    Biff3,
    /// Excel 4.
    Biff4,
    /// Excel 5 and 95.
    Biff5,
    /// Excel 97 and later.
    Biff8,
}

/// The fields of a record, one after the other; zeros after its end.
#[derive(Debug, Clone, Copy)]
pub(super) struct BiffFields<'r> {
    rest: &'r [u8],
}

impl<'r> BiffFields<'r> {
    pub fn of(content: &'r [u8]) -> BiffFields<'r> {
        BiffFields { rest: content }
    }

    /// How many bytes are left.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        match self.rest.split_first_chunk::<N>() {
            Some((head, rest)) => {
                self.rest = rest;
                *head
            }
            None => {
                self.rest = &[];
                [0; N]
            }
        }
    }

    /// Skips bytes.
    pub fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    pub fn u8(&mut self) -> u8 {
        u8::from_le_bytes(self.take())
    }

    pub fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    /// The next `count` bytes, or all that are left.
    pub fn bytes(&mut self, count: usize) -> &'r [u8] {
        let (head, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        head
    }

    /// A text after its length, which takes two bytes or one.
    pub fn text(&mut self, version: BiffVersion, code_page: u32, has_long_length: bool) -> String {
        let length = if has_long_length { usize::from(self.u16()) } else { usize::from(self.u8()) };
        if version < BiffVersion::Biff8 {
            return codepage::decode(code_page, self.bytes(length));
        }
        let flags = self.u8();
        let runs = if flags & 8 != 0 { self.u16() } else { 0 };
        let phonetic_bytes = if flags & 4 != 0 { self.u32() } else { 0 };
        let mut text = String::new();
        push_characters(&mut text, self.bytes(length << (flags & 1)), flags);
        self.skip(usize::from(runs) * 4 + phonetic_bytes as usize);
        text
    }
}

/// Adds characters of two bytes each, or of only the lower byte, depending on the flags.
pub(super) fn push_characters(text: &mut String, bytes: &[u8], flags: u8) {
    if flags & 1 == 0 {
        return text.extend(bytes.iter().map(|byte| char::from(*byte)));
    }
    let units = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
    text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

/// The content of a record and of those that continue it.
pub(super) struct ContinuedContent<'s, 'a> {
    stream: &'s mut BiffStream<'a>,
    at: usize,
}

impl<'s, 'a> ContinuedContent<'s, 'a> {
    /// The content of the record that was read last, from this byte on.
    pub fn new(stream: &'s mut BiffStream<'a>, at: usize) -> ContinuedContent<'s, 'a> {
        ContinuedContent { stream, at }
    }

    /// True when there is more, perhaps after going on to the next record.
    pub fn has_more(&mut self) -> Result<bool, Problem> {
        while self.at >= self.stream.content.len() {
            if self.stream.peek()? != Some(CONTINUE) || !self.stream.next()? {
                return Ok(false);
            }
            self.at = 0;
        }
        Ok(true)
    }

    /// Skips bytes, across records.
    pub fn skip(&mut self, count: usize) -> Result<(), Problem> {
        let mut left = count;
        while left > 0 && self.has_more()? {
            let step = left.min(self.stream.content.len() - self.at);
            self.at += step;
            left -= step;
        }
        Ok(())
    }

    fn u8(&mut self) -> Result<u8, Problem> {
        let byte = if self.has_more()? { self.stream.content[self.at] } else { 0 };
        self.at += 1;
        Ok(byte)
    }

    fn u16(&mut self) -> Result<u16, Problem> {
        Ok(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    /// The next text, after its length. Each record that continues it declares again how wide its characters are.
    pub fn text(&mut self) -> Result<String, Problem> {
        let length = usize::from(self.u16()?);
        let flags = self.u8()?;
        let runs = if flags & 8 != 0 { usize::from(self.u16()?) } else { 0 };
        let phonetic_bytes = match flags & 4 {
            0 => 0,
            _ => usize::from(self.u16()?) | usize::from(self.u16()?) << 16,
        };
        let mut text = String::new();
        self.characters(length, flags, &mut text)?;
        self.skip(runs * 4)?;
        self.skip(phonetic_bytes)?;
        Ok(text)
    }

    /// Adds this many characters; the flags determine the width of those in the first record.
    pub fn characters(&mut self, count: usize, flags: u8, text: &mut String) -> Result<(), Problem> {
        let (mut left, mut flags) = (count, flags);
        // A pair of surrogates may be cut by the end of a record.
        let mut units: Vec<u16> = Vec::new();
        while left > 0 {
            if self.at >= self.stream.content.len() {
                if !self.has_more()? {
                    break;
                }
                flags = self.u8()?;
                continue;
            }
            let width = 1 + usize::from(flags & 1);
            let here = &self.stream.content[self.at..];
            let taken = (here.len() / width).min(left);
            match width {
                1 => units.extend(here[..taken].iter().map(|byte| u16::from(*byte))),
                _ => units.extend(
                    here[..2 * taken].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])),
                ),
            }
            left -= taken;
            self.at += if taken == 0 { here.len() } else { taken * width };
        }
        text.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::biff::BiffSource;
    use super::BiffVersion::{Biff2, Biff5, Biff8};
    use super::*;

    #[test]
    fn fields_follow_each_other_and_are_zero_after_the_end() {
        let mut fields = BiffFields::of(&[1, 2, 1, 3, 2, 1, 1, 9, 8, 7]);
        assert_eq!((fields.u8(), fields.u16(), fields.u32(), fields.len()), (1, 0x0102, 0x0101_0203, 3));
        fields.skip(1);
        assert_eq!((fields.bytes(1), fields.u16(), fields.len()), ([8].as_slice(), 0, 0));
        let mut fields = BiffFields::of(&[1, 2, 3]);
        assert_eq!((fields.bytes(5), fields.u8()), ([1, 2, 3].as_slice(), 0));
        let mut fields = BiffFields::of(&[1, 2, 3]);
        fields.skip(4);
        assert_eq!((fields.len(), fields.u8()), (0, 0));
        assert_eq!(BiffFields::of(&1.5f64.to_le_bytes()).f64(), 1.5);
    }

    #[test]
    fn texts_have_the_form_of_their_version() {
        // What follows each text is `9`.
        for (content, version, has_long_length, expected) in [
            (b"\x02a\xcf9".as_slice(), Biff2, false, "aП"),
            (b"\x02\0a\xcf9", Biff5, true, "aП"),
            (b"\x02\0a\xcf9", Biff8, false, "aÏ"),
            (b"\x02\0\0a\xcf9", Biff8, true, "aÏ"),
            (b"\x02\x01a\0\x1f\x049", Biff8, false, "aП"),
            (b"\x01\x08\x02\0a--------9", Biff8, false, "a"),
            (b"\x01\x04\x03\0\0\0a---9", Biff8, false, "a"),
            (b"\x01\x0d\x01\0\x02\0\0\0a\0------9", Biff8, false, "a"),
            (b"\0\x009", Biff8, false, ""),
        ] {
            let mut fields = BiffFields::of(content);
            let text = fields.text(version, 1251, has_long_length);
            assert_eq!((text.as_str(), fields.u8()), (expected, b'9'), "{content:?}");
        }
    }

    /// Records of one kind each with their contents.
    fn records(contents: &[(u16, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (kind, content) in contents {
            bytes.extend(kind.to_le_bytes());
            bytes.extend((content.len() as u16).to_le_bytes());
            bytes.extend_from_slice(content);
        }
        bytes
    }

    /// Two texts of a first record and of those that continue it, and whether there is more after each.
    fn check(contents: &[(u16, &[u8])], expected: [&str; 2]) {
        let mut file = std::io::Cursor::new(records(contents));
        let mut stream = BiffStream::new(BiffSource::File(&mut file));
        assert_eq!(stream.next(), Ok(true));
        let mut content = ContinuedContent::new(&mut stream, 2);
        let first = content.text();
        let has_more = content.has_more();
        let second = content.text();
        let texts = [first.as_deref(), second.as_deref()];
        assert_eq!(texts, expected.map(Ok), "{contents:?}");
        assert_eq!((has_more, content.has_more()), (Ok(!expected[1].is_empty()), Ok(false)));
    }

    #[test]
    fn texts_go_on_in_the_next_record() {
        const FIRST: u16 = 0xfc;
        check(&[(FIRST, b"??\x02\0\0ab\x01\0\0c")], ["ab", "c"]);
        check(&[(FIRST, b"??\x02\0\0ab"), (CONTINUE, b"\x01\0\0c"), (9, b"")], ["ab", "c"]);
        // Each record says again how wide its characters are.
        check(&[(FIRST, b"??\x04\0\0ab"), (CONTINUE, b"\x01c\0\x1f\x04\x01\0\0d")], ["abcП", "d"]);
        check(&[(FIRST, b"??\x03\0\x01a\0"), (CONTINUE, b"\0bc\x01\0\0d")], ["abc", "d"]);
        // A pair of surrogates, and a character whose second byte is missing.
        let pair: &[u8] = b"??\x02\0\x01\x3d\xd8";
        check(&[(FIRST, pair), (CONTINUE, b"\x01\0\xde\x01\0\0d")], ["😀", "d"]);
        check(&[(FIRST, b"??\x02\0\x01a\0b"), (CONTINUE, b"\0b\x01\0\0d")], ["ab", "d"]);
        // Runs of formats and phonetic texts are skipped, across records too.
        check(&[(FIRST, b"??\x01\0\x08\x02\0a--------\x01\0\0d")], ["a", "d"]);
        check(&[(FIRST, b"??\x01\0\x0c\x01\0\x03\0\0\0a---"), (CONTINUE, b"----\x01\0\0d")], ["a", "d"]);
        // The text ends with its records.
        check(&[(FIRST, b"??\x05\0\0ab"), (9, b"cde")], ["ab", ""]);
        check(&[(FIRST, b"??\x05\0\0ab"), (CONTINUE, b""), (CONTINUE, b"\0c")], ["abc", ""]);
    }
}
