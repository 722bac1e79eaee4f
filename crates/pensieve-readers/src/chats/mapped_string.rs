//! Strings of JSON as text, with the place of every part that is written as it is.

use crate::markdown::{TextRun, TextStyle, Words};
use pensieve_text::model::Span;
use pensieve_text::text::clean::unicode_escape;
use std::ops::Range;
use std::sync::Arc;

/// A part of a text.
#[derive(Debug, Clone, Copy)]
struct StringPart {
    at: usize,
    len: usize,
    /// Where it is in the source, if it is written as it is.
    source: Option<usize>,
}

/// A text, with the places of its parts.
#[derive(Debug, Default)]
pub(super) struct MappedString {
    pub text: String,
    parts: Vec<StringPart>,
}

impl MappedString {
    /// A part of the source, without escapes.
    pub fn literal(source: &str, span: Span) -> MappedString {
        let mut string = MappedString::default();
        string.push(&source[span.range()], Some(span.start));
        string
    }

    /// The string between the quotes at a place of the source. With `mends_bytes` letters that stand for bytes of UTF-8
    /// are read as these bytes: programs of Facebook write `é` as `\u00c3\u00a9`.
    pub fn of(source: &str, span: Span, mends_bytes: bool) -> MappedString {
        let mut string = MappedString::default();
        let mut at = span.start;
        while let Some(found) = memchr::memchr(b'\\', &source.as_bytes()[at..span.end]) {
            if found > 0 {
                string.push(&source[at..at + found], Some(at));
            }
            at += found;
            let (decoded, len) = escape(&source[at..span.end]);
            string.push(decoded.encode_utf8(&mut [0; 4]), None);
            at += len;
        }
        if at < span.end {
            string.push(&source[at..span.end], Some(at));
        }
        if mends_bytes { string.mended() } else { string }
    }

    fn push(&mut self, text: &str, source: Option<usize>) {
        self.parts.push(StringPart { at: self.text.len(), len: text.len(), source });
        self.text.push_str(text);
    }

    /// The text with letters read as bytes, if they are UTF-8 then.
    fn mended(self) -> MappedString {
        let bytes: Option<Vec<u8>> = self.text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        if self.text.is_ascii() || bytes.is_none_or(|bytes| std::str::from_utf8(&bytes).is_err()) {
            return self;
        }
        let mut string = MappedString::default();
        let mut waiting: Vec<u8> = Vec::new();
        for part in &self.parts {
            let text = &self.text[part.at..part.at + part.len];
            if part.source.is_some() && text.is_ascii() {
                string.push(&String::from_utf8_lossy(&std::mem::take(&mut waiting)), None);
                string.push(text, part.source);
            } else {
                waiting.extend(text.chars().map(|c| u32::from(c) as u8));
            }
        }
        string.push(&String::from_utf8_lossy(&waiting), None);
        string
    }

    /// Adds a part of the text to words.
    pub fn push_to(&self, words: &mut Words, range: Range<usize>, style: TextStyle, link: Option<&Arc<str>>) {
        let first = self.parts.partition_point(|part| part.at + part.len <= range.start);
        for part in self.parts[first..].iter().take_while(|part| part.at < range.end) {
            let (start, end) = (range.start.max(part.at), range.end.min(part.at + part.len));
            let place = part.source.map(|source| source + start - part.at);
            words.push(TextRun {
                text: self.text[start..end].to_owned(),
                style,
                link: link.cloned(),
                source: place.map(|place| Span::new(place, place + end - start)),
                ..TextRun::default()
            });
        }
    }

    /// All of it as words.
    pub fn words(&self) -> Words {
        let mut words = Words::default();
        self.push_to(&mut words, 0..self.text.len(), TextStyle::default(), None);
        words
    }
}

/// The character of an escape, and its bytes (RFC 8259, section 7).
fn escape(text: &str) -> (char, usize) {
    if let Some(found) = unicode_escape(text) {
        return found;
    }
    match text.chars().nth(1) {
        // Half of a pair.
        Some('u') if text.bytes().skip(2).take(4).filter(u8::is_ascii_hexdigit).count() == 4 => {
            (char::REPLACEMENT_CHARACTER, 6)
        }
        Some('n') => ('\n', 2),
        Some('t') => ('\t', 2),
        Some('r' | 'b' | 'f') => (' ', 2),
        Some(c) => (c, 1 + c.len_utf8()),
        None => ('\\', 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_characters_and_the_rest_has_its_place() {
        let check = |source: &str, mends_bytes: bool, expected: &str| {
            let string = MappedString::of(source, Span::new(0, source.len()), mends_bytes);
            assert_eq!(string.text, expected, "of {source}");
            for part in string.parts.iter().filter(|part| part.source.is_some()) {
                let at = part.source.unwrap();
                assert_eq!(string.text[part.at..part.at + part.len], source[at..at + part.len]);
            }
        };
        check(r#"a\"b\\c\/d\ne"#, false, "a\"b\\c/d\ne");
        check(r"M\u00f6we \ud83d\ude00 \ud83d", false, "Möwe 😀 \u{fffd}");
        check(r"caf\u00c3\u00a9 \u00f0\u009f\u0098\u0080!", true, "café 😀!");
        check(r"caf\u00c3\u00a9", false, "cafÃ©");
        check(r"caf\u00e9", true, "café");
        check("cafÃ©", true, "café");
        check(r"a\", false, "a\\");
        check(r"\u12", false, "u12");
    }
}
