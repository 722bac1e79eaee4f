//! Pages and package documents of LIT books: turns markup in which elements and attributes are numbers back into
//! text.
//!
//! After the published notes on the format ("LIT binary HTML"): text is UTF-8; a zero begins a tag, followed by flags
//! (1 opens, 2 closes, 16 takes the name from the page's own list), the number of the element, attributes until
//! another zero; an attribute is a number, the length of its value plus one, its characters. 0x8000 precedes a name
//! in characters, 0xffff a value that is a number. All numbers are encoded like characters in UTF-8, even numbers
//! that are not valid characters.

use super::names::MarkupNames;
use crate::limits::lit::{MAX_ELEMENT_DEPTH, MAX_PAGE_BYTES};
use crate::shared::bytes::usize_le;
use std::fmt::Write;

const OPENS: u32 = 1;
const CLOSES: u32 = 2;
const FROM_LIST: u32 = 16;
const BY_NAME: u32 = 0x8000;
const NUMBER: u32 = 0xffff;

/// Names of elements and attributes that a page defines itself, by their numbers from 1.
#[derive(Debug, Default)]
pub(super) struct PageAtoms {
    elements: Vec<String>,
    attributes: Vec<String>,
}

impl PageAtoms {
    /// Reads the names: their count, then each after its length, which has one byte for elements and four for
    /// attributes.
    pub(super) fn read(bytes: &[u8]) -> PageAtoms {
        let mut at = 4;
        let count = usize_le(bytes, 0).unwrap_or_default().min(bytes.len());
        let mut atoms = PageAtoms::default();
        for _ in 0..count {
            let Some(&length) = bytes.get(at) else { return atoms };
            let Some(name) = bytes.get(at + 1..at + 1 + usize::from(length)) else { return atoms };
            atoms.elements.push(String::from_utf8_lossy(name).into_owned());
            at += 1 + usize::from(length);
        }
        let count = usize_le(bytes, at).unwrap_or_default().min(bytes.len());
        at += 4;
        for _ in 0..count {
            let Some(length) = usize_le(bytes, at) else { return atoms };
            let Some(name) = bytes.get(at + 4..(at + 4).saturating_add(length)) else { return atoms };
            atoms.attributes.push(String::from_utf8_lossy(name).into_owned());
            at += 4 + length;
        }
        atoms
    }
}

/// The markup of a page.
pub(super) fn markup(bytes: &[u8], names: &MarkupNames, atoms: &PageAtoms) -> String {
    let mut reader = MarkupDecoder { bytes, at: 0, names, atoms, out: String::new(), open: Vec::new() };
    while reader.at < bytes.len() && reader.out.len() < MAX_PAGE_BYTES {
        if reader.step().is_none() {
            break;
        }
    }
    while let Some(name) = reader.open.pop() {
        let _ = write!(reader.out, "</{name}>");
    }
    reader.out
}

struct MarkupDecoder<'p> {
    bytes: &'p [u8],
    at: usize,
    names: &'p MarkupNames,
    atoms: &'p PageAtoms,
    out: String,
    open: Vec<String>,
}

/// The value of an attribute.
enum AttributeValue {
    Text(String),
    Number(u32),
}

impl MarkupDecoder<'_> {
    /// Reads text up to a tag, or a tag.
    fn step(&mut self) -> Option<()> {
        let end = memchr::memchr(0, &self.bytes[self.at..]).map_or(self.bytes.len(), |end| self.at + end);
        if end > self.at {
            let text = String::from_utf8_lossy(&self.bytes[self.at..end]);
            // Line ends of the source are vertical tabs here; `<` and `&` are characters.
            for c in text.chars() {
                match c {
                    '\u{b}' => self.out.push('\n'),
                    '<' => self.out.push_str("&lt;"),
                    '&' => self.out.push_str("&amp;"),
                    c => self.out.push(c),
                }
            }
            self.at = end;
            return Some(());
        }
        self.at += 1;
        self.tag()
    }

    fn tag(&mut self) -> Option<()> {
        let flags = self.number()?;
        if flags == 0 {
            return Some(());
        }
        let element = self.number()?;
        if flags & OPENS == 0 {
            // The end of an element has the number zero and no attributes.
            if flags & CLOSES != 0
                && let Some(name) = self.open.pop()
            {
                let _ = write!(self.out, "</{name}>");
            }
            return Some(());
        }
        if element == 0 {
            return Some(());
        }
        let name = match element {
            BY_NAME => self.characters()?,
            _ if flags & FROM_LIST != 0 => {
                self.atoms.elements.get(element as usize - 1).cloned().unwrap_or_default()
            }
            _ => self.names.element(element).map(str::to_owned).unwrap_or_default(),
        };
        let name = if is_name(&name) { name } else { "span".to_owned() };
        let is_from_list = flags & FROM_LIST != 0;
        let _ = write!(self.out, "<{name}");
        let is_whole = self.attributes(element, is_from_list).is_some();
        if flags & CLOSES != 0 {
            self.out.push_str("/>");
        } else {
            self.out.push('>');
            if self.open.len() < MAX_ELEMENT_DEPTH {
                self.open.push(name);
            }
        }
        is_whole.then_some(())
    }

    fn attributes(&mut self, element: u32, is_from_list: bool) -> Option<()> {
        loop {
            let number = self.number();
            let Some(number) = number.filter(|&number| number != 0) else {
                return number.map(|_| ());
            };
            let name = match number {
                BY_NAME => self.characters()?,
                _ => match self.names.attribute(if is_from_list { 0 } else { element }, number) {
                    Some(name) => name.to_owned(),
                    None => self.atoms.attributes.get(number as usize - 1).cloned().unwrap_or_default(),
                },
            };
            let value = self.value()?;
            if !is_name(&name) {
                continue;
            }
            let _ = match value {
                AttributeValue::Text(text) => {
                    let text = text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
                    write!(self.out, " {name}=\"{text}\"")
                }
                AttributeValue::Number(number) => write!(self.out, " {name}=\"{number}\""),
            };
        }
    }

    fn value(&mut self) -> Option<AttributeValue> {
        let length = self.number()?;
        if length == NUMBER {
            return Some(AttributeValue::Number(self.number()?.saturating_sub(1)));
        }
        Some(AttributeValue::Text(self.text(length.saturating_sub(1))?))
    }

    /// Characters after their number plus one.
    fn characters(&mut self) -> Option<String> {
        let length = self.number()?.saturating_sub(1);
        self.text(length)
    }

    fn text(&mut self, length: u32) -> Option<String> {
        let mut text = String::new();
        for _ in 0..length {
            text.push(char::from_u32(self.number()?).unwrap_or('\u{fffd}'));
        }
        Some(text)
    }

    /// A number, encoded like a character in UTF-8; a byte that cannot begin one is the number itself.
    fn number(&mut self) -> Option<u32> {
        let first = *self.bytes.get(self.at)?;
        self.at += 1;
        let more = match first {
            0xc0..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf7 => 3,
            _ => return Some(u32::from(first)),
        };
        let mut number = u32::from(first & (0x3f >> more));
        for _ in 0..more {
            let byte = *self.bytes.get(self.at)?;
            if byte & 0xc0 != 0x80 {
                return Some(u32::from(first));
            }
            number = number << 6 | u32::from(byte & 0x3f);
            self.at += 1;
        }
        Some(number)
    }
}

/// True for a possible element name.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::books::lit::names::PAGE;

    fn check(bytes: &[u8], expected: &str) {
        let atoms = PageAtoms::read(b"\x01\0\0\0\x03foo\x01\0\0\0\x03\0\0\0bar");
        assert_eq!(markup(bytes, &PAGE, &atoms), expected);
    }

    #[test]
    fn numbers_become_names() {
        // h1 with an identifier, closed; text with a line end; an element of its own with an attribute of its own.
        check(b"\0\x01*\xe8\x8f\xab\x03ab\0One\0\x02\0", "<h1 id=\"ab\">One</h1>");
        check(b"a<b\x0bc", "a&lt;b\nc");
        check(b"\0\x11\x01\x01\x02\"\0x", "<foo bar=\"&quot;\">x</foo>");
        check(b"\0\x03\x11\0", "<br/>");
        check(b"\0\x01\xe8\x80\x80\x04abc\0x\0\x02\0", "<abc>x</abc>");
        // A value that is a number, plus one.
        check(b"\0\x01`\xdf\x93\xef\xbf\xbf\x04\0x", "<td colspan=\"3\">x</td>");
    }

    #[test]
    fn broken_pages_end() {
        check(b"\0", "");
        check(b"\0\x01", "");
        check(b"\0\x01*\x05\xff", "<h1></h1>");
        check(b"a\0\x02\0b\0\0c", "abc");
        let deep = b"\0\x01\x1f\0".repeat(100_000);
        assert!(markup(&deep, &PAGE, &PageAtoms::default()).len() < MAX_PAGE_BYTES + 100_000);
    }

    fn number_of(bytes: &[u8]) -> (Option<u32>, usize) {
        let atoms = PageAtoms::default();
        let mut decoder =
            MarkupDecoder { bytes, at: 0, names: &PAGE, atoms: &atoms, out: String::new(), open: Vec::new() };
        (decoder.number(), decoder.at)
    }

    #[test]
    fn numbers_have_one_to_four_bytes() {
        for (bytes, number, length) in [
            (b"\x7fx".as_slice(), Some(0x7f), 1),
            (b"\xbfx", Some(0xbf), 1),
            (b"\xc2\x80x", Some(0x80), 2),
            (b"\xdf\xbfx", Some(0x7ff), 2),
            (b"\xe0\xa0\x80x", Some(0x800), 3),
            (b"\xed\xa0\x80x", Some(0xd800), 3),
            (b"\xef\xbf\xbfx", Some(0xffff), 3),
            (b"\xf0\x90\x80\x80x", Some(0x1_0000), 4),
            (b"\xf4\x8f\xbf\xbdx", Some(0x10_fffd), 4),
            (b"\xf7\xbf\xbf\xbfx", Some(0x1f_ffff), 4),
            (b"\xf8\x80x", Some(0xf8), 1),
            // A byte that cannot go on is not taken.
            (b"\xc2xx", Some(0xc2), 1),
            (b"\xe0\xa0xx", Some(0xe0), 2),
            (b"\xe0\xa0\xc0x", Some(0xe0), 2),
            (b"\xc2", None, 1),
            (b"", None, 0),
        ] {
            assert_eq!(number_of(bytes), (number, length), "{bytes:x?}");
        }
    }

    #[test]
    fn names_of_a_page_follow_their_lengths() {
        let read = |bytes: &[u8]| {
            let atoms = PageAtoms::read(bytes);
            (atoms.elements.join(" "), atoms.attributes.join(" "))
        };
        let both = b"\x02\0\0\0\x01a\x02bc\x02\0\0\0\x02\0\0\0de\x01\0\0\0f";
        let is = |elements: &str, attributes: &str| (elements.to_owned(), attributes.to_owned());
        assert_eq!(read(both), is("a bc", "de f"));
        assert_eq!(read(&both[..both.len() - 1]), is("a bc", "de"));
        assert_eq!(read(&both[..8]), is("a", ""));
        assert_eq!(read(&both[..7]), is("a", ""));
        assert_eq!(read(&both[..6]), is("a", ""));
        assert_eq!(read(&both[..5]), is("", ""));
        assert_eq!(read(b"\0\0\0\0\x01\0\0\0\xff\xff\xff\xffx"), is("", ""));
        assert_eq!(read(b""), is("", ""));
    }

    #[test]
    fn element_names_are_plain() {
        for (name, expected) in [
            ("a", true),
            ("o:p-x_1.2", true),
            ("1a", false),
            (":a", false),
            ("a b", false),
            ("é", false),
            ("aé", false),
            ("", false),
            ("a>", false),
        ] {
            assert_eq!(is_name(name), expected, "{name}");
        }
        assert_eq!([64, 65].map(|length| is_name(&"a".repeat(length))), [true, false]);
    }

    #[test]
    fn tags_have_flags_names_and_values() {
        // An end without a beginning, and the ends of both elements that are open at the end.
        check(b"\0\x02\0a\0\x01*\0\0\x01\x08\0b", "a<h1><b>b</b></h1>");
        // Flags without a beginning or an end mean nothing, and so has element 0 no meaning.
        check(b"\0\x04*a\0\x01\0b", "ab");
        // Names that are unknown, or no names.
        check(b"\0\x01\x01\0a", "<span>a</span>");
        check(b"\0\x11\x02\0a", "<span>a</span>");
        check(b"\0\x01\xe8\x80\x80\x031a\0x", "<span>x</span>");
        // An attribute by its name, and one whose name is none.
        check(b"\0\x01*\xe8\x80\x80\x03ab\x02c\0x", "<h1 ab=\"c\">x</h1>");
        check(b"\0\x01*\xe8\x80\x80\x021\x02c\0x", "<h1>x</h1>");
        check(b"\0\x01*\x09\x02c\0x", "<h1>x</h1>");
        // Empty values: a length of one, or of none.
        check(b"\0\x01*\xe8\x8f\xab\x01\0x", "<h1 id=\"\">x</h1>");
        check(b"\0\x01*\xe8\x8f\xab\0\0x", "<h1 id=\"\">x</h1>");
        check(b"\0\x01*\xe8\x8f\xab\x05<&\"\xed\xa0\x80\0x", "<h1 id=\"&lt;&amp;&quot;\u{fffd}\">x</h1>");
        check(b"\0\x01*\xe8\x8f\xab\xef\xbf\xbf\0\0x", "<h1 id=\"0\">x</h1>");
    }

    #[test]
    fn names_of_deep_elements_are_not_kept() {
        let ends = |depth: usize| markup(&b"\0\x01\x08\0".repeat(depth), &PAGE, &PageAtoms::default());
        let count = |depth: usize| ends(depth).matches("</b>").count();
        assert_eq!(count(MAX_ELEMENT_DEPTH), MAX_ELEMENT_DEPTH);
        assert_eq!(count(MAX_ELEMENT_DEPTH + 1), MAX_ELEMENT_DEPTH);
    }
}
