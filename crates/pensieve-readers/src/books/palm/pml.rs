//! The Palm Markup Language of eReader books: a backslash, a letter, sometimes digits and a value in quotes.
//!
//! After the MobileRead wiki ("PML") and eReader's own "Palm Markup Language". A line is a paragraph. Codes that only
//! affect the look (indents, sizes, alignment) are ignored; invisible text (`\v`, chapter names of `\C`) is left out,
//! as in the reading program; text that is not a code stays as it is written.

use crate::markdown::{Block, TextRun, TextStyle, Words};
use crate::shared::codepage::{WESTERN, decode};

/// The line that is being read.
#[derive(Debug, Default)]
struct PmlLine {
    words: Words,
    level: Option<u8>,
    is_fresh: bool,
}

/// Reads PML.
struct PmlReader<'t> {
    text: &'t str,
    at: usize,
    /// How many characters were passed, and the byte up to which they are counted.
    counted: (usize, usize),
    line: PmlLine,
    line_start: usize,
    style: TextStyle,
    /// The level of the open heading.
    level: Option<u8>,
    is_hidden: bool,
    /// The note that the open link points to.
    note: Option<String>,
    blocks: Vec<(usize, Block)>,
}

/// The paragraphs of a text, each with the number of the character at which it begins.
pub(super) fn blocks(text: &str) -> Vec<(usize, Block)> {
    let mut reader = PmlReader {
        text,
        at: 0,
        counted: (0, 0),
        line: PmlLine::default(),
        line_start: 0,
        style: TextStyle::default(),
        level: None,
        is_hidden: false,
        note: None,
        blocks: Vec::new(),
    };
    reader.read();
    reader.blocks
}

/// The name of a note as a label: letters, digits and connecting characters.
pub(super) fn label(name: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    name.chars().take(80).map(keep).collect()
}

impl PmlReader<'_> {
    fn read(&mut self) {
        while let Some(found) = memchr::memchr3(b'\\', b'\n', b'\r', &self.text.as_bytes()[self.at..]) {
            let at = self.at + found;
            self.push(self.at, at);
            self.at = at + 1;
            match self.text.as_bytes()[at] {
                b'\\' => self.code(),
                _ => self.end_line(),
            }
        }
        self.push(self.at, self.text.len());
        self.end_line();
    }

    fn push(&mut self, from: usize, to: usize) {
        let text = &self.text[from..to];
        self.put(text.to_owned());
    }

    fn put(&mut self, text: String) {
        // Zeros end records and are not text.
        let text = if text.contains('\0') { text.replace('\0', "") } else { text };
        if self.is_hidden || text.is_empty() {
            return;
        }
        if !text.trim().is_empty() {
            self.line.level = self.line.level.or(self.level);
            self.line.is_fresh = false;
        }
        self.line.words.push(TextRun { text, style: self.style, ..TextRun::default() });
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let start = self.line_start;
        self.line_start = self.at;
        if line.words.is_blank() {
            return;
        }
        let character = self.character(start);
        let block = match line.level {
            Some(level) => Block::Heading { level, words: line.words },
            None => Block::Paragraph(line.words),
        };
        self.blocks.push((character, block));
    }

    /// The number of the character at a place; places must be in order.
    fn character(&mut self, at: usize) -> usize {
        let (characters, counted) = self.counted;
        if at > counted {
            self.counted = (characters + self.text[counted..at].chars().count(), at);
        }
        self.counted.0
    }

    /// A code; the backslash was read.
    fn code(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let Some(&letter) = rest.first() else { return self.put("\\".to_owned()) };
        let digits = |count: usize| rest.get(1..=count).and_then(|digits| std::str::from_utf8(digits).ok());
        let second = rest.get(1).copied().unwrap_or_default();
        let mut length = 1;
        match letter {
            b'\\' => self.put("\\".to_owned()),
            b'p' => self.end_line(),
            b'x' => self.heading(1),
            b'X' if second.is_ascii_digit() => {
                length = 2;
                self.heading((second - b'0' + 1).clamp(1, 6));
            }
            b'C' if second.is_ascii_digit() => length = 2 + quoted(&rest[2..]).map_or(0, |value| value.1),
            b'a' => match digits(3).and_then(|digits| digits.parse::<u8>().ok()) {
                Some(code) => {
                    length = 4;
                    self.put(decode(WESTERN, &[code]));
                }
                None => self.put("\\a".to_owned()),
            },
            b'U' => match digits(4).and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
                Some(code) => {
                    length = 5;
                    self.put(char::from_u32(code).unwrap_or('\u{fffd}').to_string());
                }
                None => self.put("\\U".to_owned()),
            },
            b'F' | b'S' if matches!(second, b'n' | b'd') => {
                length = 2 + self.note_link(&rest[2..]);
            }
            b'S' if matches!(second, b'p' | b'b') => length = 2,
            b'i' => self.style.emphasis = !self.style.emphasis,
            b'b' | b'B' => self.style.strong = !self.style.strong,
            b'o' => self.style.strike = !self.style.strike,
            b'v' => self.is_hidden = !self.is_hidden,
            b'q' | b'Q' | b'm' | b'T' | b'w' => length = 1 + quoted(&rest[1..]).map_or(0, |value| value.1),
            b'c' | b'r' | b'u' | b't' | b'n' | b's' | b'l' | b'k' | b'I' => {}
            b'-' => self.put("\u{ad}".to_owned()),
            _ => {
                self.put("\\".to_owned());
                length = 0;
            }
        }
        self.at += length;
    }

    /// A heading begins or ends; either begins a line.
    fn heading(&mut self, level: u8) {
        if self.level.take().is_some() {
            return self.end_line();
        }
        if !self.line.words.is_blank() {
            self.end_line();
        }
        self.level = Some(level);
    }

    /// A link to a note begins or ends; the reference follows its words. Returns how many bytes the value takes.
    fn note_link(&mut self, rest: &[u8]) -> usize {
        match (self.note.take(), quoted(rest)) {
            (None, Some((name, length))) => {
                self.note = Some(label(&String::from_utf8_lossy(name)));
                length
            }
            (open, value) => {
                if let Some(open) = open.filter(|_| !self.is_hidden) {
                    self.line.words.push_note(open);
                }
                value.map_or(0, |value| value.1)
            }
        }
    }
}

/// The value after a code, `="..."`, and how many bytes it takes. A value is on one line.
fn quoted(rest: &[u8]) -> Option<(&[u8], usize)> {
    let value = rest.strip_prefix(b"=\"")?;
    let end = value.iter().take(1024).position(|&byte| matches!(byte, b'"' | b'\n' | b'\r'))?;
    (value[end] == b'"').then_some((&value[..end], end + 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::MarkdownDraft;

    fn check(text: &str, expected: &str) {
        let mut draft = MarkdownDraft::new();
        blocks(text).iter().for_each(|(_, block)| draft.push(block));
        assert_eq!(draft.finish().text, expected, "of {text}");
    }

    #[test]
    fn codes_are_read() {
        check(
            "\\x\\bOne\\b\\x\nIt \\iwas\\i d\\a228rk.\\n\n\\X1Two\\X1",
            "# One\n\nIt *was* därk.\n\n## Two\n",
        );
        check("\\C1=\"Hidden\"a\\pb\\vc\\v \\U03a9\\\\ \\Spx\\Sp", "a\n\nb Ω\\ x\n");
        check("\\q=\"#a\"link\\q \\w=\"50%\"\\m=\"a.png\"\\T=\"5%\"x", "link x\n");
        check("a\\Fn=\"note 1\"1\\Fn, b", "a1[^note-1], b\n");
    }

    #[test]
    fn what_is_no_code_stays() {
        check("a \\z \\a9 \\", "a \\z \\a9 \\\n");
        check("\\q=\"a\nb", "=\"a\n\nb\n");
        check("\\xOne", "# One\n");
        check("\\Uéé \\Céa\\", "\\Uéé \\Céa\\\n");
    }

    #[test]
    fn every_code_does_what_its_letter_says() {
        check("\\bb\\b \\Bc\\B \\od\\o", "**b c** ~~d~~\n");
        check("a\\-b \\a065\\a228\\U0041", "a\u{ad}b AäA\n");
        check("\\X0One\\X0\n\\X4Two\\X4\n\\X9Three\\X9", "# One\n\n##### Two\n\n###### Three\n");
        check(
            "\\c\\rone\\r \\utwo\\u \\ss\\s \\ll\\l \\kk\\k \\I1\\I \\nn\\n \\tt\\t",
            "one two s l k 1 n t\n",
        );
        check("a\\Sd=\"note 2\"2\\Sd b", "a2[^note-2] b\n");
        check("\\Q=\"here\"a \\C9=\"x\"b \\Sbc", "a b c\n");
        check("a\\pb\\xc\\xd", "a\n\nb\n\n# c\n\nd\n");
    }

    #[test]
    fn values_end_on_their_line() {
        for (text, expected) in [
            ("=\"ab\"c", Some(("ab", 5))),
            ("=\"\"", Some(("", 3))),
            ("=\"a\nb\"", None),
            ("=\"a\rb\"", None),
            ("=\"a", None),
            ("=a", None),
            ("", None),
        ] {
            let found = quoted(text.as_bytes()).map(|(value, length)| (value.to_vec(), length));
            let expected = expected.map(|(value, length)| (value.as_bytes().to_vec(), length));
            assert_eq!(found, expected, "{text}");
        }
        let long = |length: usize| quoted(format!("=\"{}\"", "x".repeat(length)).as_bytes()).is_some();
        assert_eq!([long(1023), long(1024)], [true, false]);
    }

    #[test]
    fn labels_have_letters_digits_and_connections() {
        assert_eq!(label("Note 1.a_b-c/é"), "Note-1.a_b-c-é");
        assert_eq!(label(&"x".repeat(81)), "x".repeat(80));
    }

    #[test]
    fn paragraphs_have_the_numbers_of_their_characters() {
        let places = |text: &str| blocks(text).iter().map(|block| block.0).collect::<Vec<_>>();
        assert_eq!(places("äb\nc\r\n\nd"), [0, 3, 7]);
        assert_eq!(places("\n\né\\pf\\p\\pg"), [2, 4, 9]);
        assert_eq!(places("a\0\n\0\nb"), [0, 5]);
    }

    #[test]
    fn headings_and_notes_begin_and_end() {
        check("a\\xb\nc\\xd", "a\n\n# b\n\n# c\n\nd\n");
        check("\\x\\x a", "a\n");
        check("\\X2a\\X2\n\\X5b\\X5\n\\X8c\\X8", "### a\n\n###### b\n\n###### c\n");
        check("\\Xa", "\\Xa\n");
        check("a\\Fn=\"x\"1\\Fn=\"y\"b\\Fnc", "a1[^x]bc\n");
        check("\\va\\Fn=\"x\"1\\Fn\\vb", "b\n");
        check("a\\Fx=\"x\"b", "a\\Fx=\"x\"b\n");
        check("a\\C=\"x\"b", "a\\C=\"x\"b\n");
        check("\\a256 \\a25", "\\a256 \\a25\n");
        check("\\UD800\\U20AC\\U20A", "\u{fffd}€\\U20A\n");
    }
}
