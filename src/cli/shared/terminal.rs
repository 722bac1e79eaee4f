//! Foreign text on a terminal: file names and documents may contain codes that move the cursor, clear the screen, or
//! change the direction of writing so that a name looks like another.
//!
//! Such characters are escaped; readable text is unchanged.

use std::borrow::Cow;
use std::fmt::Write;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// One line of foreign text, such as a file name: line ends are escaped too.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_disturbing)
}

/// Foreign text of several lines: line ends and tabs stay.
pub fn block(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_disturbing(c) && c != '\n' && c != '\t')
}

/// Foreign bytes as one line: what is not UTF-8 is written `\xnn`.
pub fn bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(&line(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// The text within this many columns; if it is too long, an ellipsis and its end, since the end of a path matters
/// most.
pub fn tail(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let mut room = columns.saturating_sub(1);
    let mut start = text.len();
    for (at, character) in text.char_indices().rev() {
        let width = character.width().unwrap_or(0);
        if width > room {
            break;
        }
        room -= width;
        start = at;
    }
    match columns {
        0 => Cow::Borrowed(""),
        _ => Cow::Owned(format!("…{}", &text[start..])),
    }
}

/// The text within this many columns; if it is too long, its beginning.
pub fn head(text: &str, columns: usize) -> &str {
    let mut room = columns;
    for (at, character) in text.char_indices() {
        let width = character.width().unwrap_or(0);
        if width > room {
            return &text[..at];
        }
        room -= width;
    }
    text
}

fn escaped(text: &str, disturbs: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&disturbs) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            _ if !disturbs(character) => out.push(character),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
    Cow::Owned(out)
}

/// Control characters, direction marks, and invisible characters that break lines or hide text.
fn is_disturbing(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(line(text), expected);
    }

    #[test]
    fn what_can_be_read_stays() {
        for text in ["src/main.rs", "Größe/日本 語.txt", "a\\b 'c' \"d\"", "👩‍👩‍👧", "e\u{301}", ""]
        {
            check(text, text);
        }
    }

    #[test]
    fn what_disturbs_is_escaped() {
        check("a\nb\r\tc", "a\\nb\\r\\tc");
        check("\u{1b}[2Jx\u{7f}", "\\u{1b}[2Jx\\u{7f}");
        check("\u{9b}31m", "\\u{9b}31m");
        check("gnp.\u{202e}exe", "gnp.\\u{202e}exe");
        check("\u{2066}a\u{2069}\u{200f}\u{feff}", "\\u{2066}a\\u{2069}\\u{200f}\\u{feff}");
        assert_eq!(block("a\n\tb\u{1b}\r"), "a\n\tb\\u{1b}\\r");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown() {
        assert_eq!(bytes(b"caf\xe9\n"), "caf\\xe9\\n");
    }

    #[test]
    fn long_text_is_cut_to_columns() {
        assert_eq!(tail("a/b/c.txt", 20), "a/b/c.txt");
        assert_eq!(tail("a/b/c.txt", 6), "…c.txt");
        assert_eq!(tail("日本語", 5), "…本語");
        assert_eq!(tail("日本語", 4), "…語");
        assert_eq!((tail("abc", 1).as_ref(), tail("abc", 0).as_ref()), ("…", ""));
        assert_eq!((head("日本語", 5), head("abc", 3), head("abc", 0)), ("日本", "abc", ""));
    }
}
