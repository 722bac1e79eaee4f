//! Uuencoded files: programs before MIME wrote them between the lines of a text. Format: POSIX.1, `uuencode`; its form
//! in base64 too.

use super::base64::base64;
use super::lines::line_at;
use crate::limits::mail::MAX_UUENCODED_FILES;
use std::ops::Range;

/// Full data lines that prove a file whose last line is missing.
const MIN_LINES_WITHOUT_END: usize = 2;

/// A file inside a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UuencodedFile {
    /// Its lines, from `begin` to the line after `end`.
    pub lines: Range<usize>,
    pub name: String,
    pub bytes: Vec<u8>,
    /// Its last line was found.
    pub is_whole: bool,
}

/// The files inside a text, in their order.
pub(super) fn uuencoded_files(text: &[u8]) -> Vec<UuencodedFile> {
    let mut files = Vec::new();
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&text[at..], b"begin").map(|found| at + found) {
        let is_line = found == 0 || matches!(text[found - 1], b'\n' | b'\r');
        let file = if is_line { file_at(text, found) } else { None };
        at = file.as_ref().map_or(found + 5, |file| file.lines.end);
        files.extend(file);
        if files.len() >= MAX_UUENCODED_FILES {
            break;
        }
    }
    files
}

/// The content of the first file of a part that calls itself uuencoded, however broken; `None` if there is no such
/// file.
pub(super) fn decode(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut is_inside = false;
    let mut at = 0;
    while let Some(line) = line_at(bytes, at) {
        let text = line.of(bytes);
        at = line.next;
        if !is_inside {
            is_inside = text.starts_with(b"begin ");
        } else if text == b"end" {
            return Some(out);
        } else {
            data_line(text, &mut out);
        }
    }
    is_inside.then_some(out)
}

/// The file whose `begin` is at `start`.
fn file_at(text: &[u8], start: usize) -> Option<UuencodedFile> {
    let first = line_at(text, start)?;
    let (name, is_base64) = begin_line(first.of(text))?;
    let (end, body, is_whole) =
        if is_base64 { base64_lines(text, first.next)? } else { data_lines(text, first.next)? };
    let bytes = if is_base64 { base64(&text[body]).0 } else { decode(&text[start..end])? };
    Some(UuencodedFile { lines: start..end, name, bytes, is_whole })
}

/// The name in `begin 644 name`, and whether base64 follows.
fn begin_line(line: &[u8]) -> Option<(String, bool)> {
    let line = std::str::from_utf8(line).ok()?;
    let (word, rest) = line.split_once(' ')?;
    let (mode, name) = rest.trim_start().split_once(' ')?;
    let is_mode = matches!(mode.len(), 3 | 4) && mode.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    let name = name.trim();
    let is_base64 = word == "begin-base64";
    (is_mode && !name.is_empty() && (is_base64 || word == "begin")).then(|| (name.to_owned(), is_base64))
}

/// Where the lines of a file end, which of them are its data, and whether its last line is there.
fn data_lines(text: &[u8], start: usize) -> Option<(usize, Range<usize>, bool)> {
    let mut at = start;
    let mut full = 0;
    while let Some(line) = line_at(text, at) {
        let data = line.of(text);
        if data.trim_ascii_end() == b"end" {
            return Some((line.next, start..line.start, true));
        }
        match needed(data) {
            Some(needed) => full += usize::from(needed > 0 && data.len() > needed),
            None => break,
        }
        at = line.next;
    }
    (full >= MIN_LINES_WITHOUT_END).then_some((at, start..at, false))
}

/// The characters after the first that a data line needs; `None` for any other line. Blanks at its end, which mean zero,
/// may have been lost in transit, and some programs add a character.
fn needed(line: &[u8]) -> Option<usize> {
    let Some(&length) = line.first() else { return Some(0) };
    if !line.iter().all(|byte| (b' '..=b'`').contains(byte)) {
        return None;
    }
    let needed = usize::from(length.wrapping_sub(32) & 63).div_ceil(3) * 4;
    (line.len() <= needed + 2).then_some(needed)
}

fn base64_lines(text: &[u8], start: usize) -> Option<(usize, Range<usize>, bool)> {
    let mut at = start;
    while let Some(line) = line_at(text, at) {
        let data = line.of(text).trim_ascii_end();
        if data == b"====" {
            return Some((line.next, start..line.start, true));
        }
        let is_data = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        if !data.iter().all(is_data) {
            return None;
        }
        at = line.next;
    }
    None
}

/// Decodes a line, as long as it says it is.
fn data_line(line: &[u8], out: &mut Vec<u8>) {
    let Some((&length, data)) = line.split_first() else { return };
    let length = usize::from(length.wrapping_sub(32) & 63);
    let start = out.len();
    for group in data.chunks(4) {
        let value = |at: usize| u32::from(group.get(at).map_or(0, |byte| byte.wrapping_sub(32) & 63));
        let bits = value(0) << 18 | value(1) << 12 | value(2) << 6 | value(3);
        out.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    // Blanks at the end of a line mean zeros, and are lost in transit.
    out.resize(start + length, 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, &str, bool)]) {
        let found = uuencoded_files(text.as_bytes());
        let found: Vec<_> = found
            .iter()
            .map(|file| {
                let bytes = file.bytes.escape_ascii().to_string();
                (&text[file.lines.clone()], file.name.clone(), bytes, file.is_whole)
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(lines, name, bytes, whole)| (*lines, (*name).to_owned(), (*bytes).to_owned(), *whole))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn files_are_found_between_the_lines_of_a_text() {
        let cat = "begin 644 a b.txt\n#0V%T\n`\nend\n";
        check(&format!("See:\n\n{cat}\nYours"), &[(cat, "a b.txt", "Cat", true)]);
        check(&format!("{cat}{cat}"), &[(cat, "a b.txt", "Cat", true), (cat, "a b.txt", "Cat", true)]);
        let returns = "begin 0644 c\r\n#0V%T\r\n \r\nend\r\n";
        check(returns, &[(returns, "c", "Cat", true)]);
        let base64 = "begin-base64 644 d\nQ2F0\n====\n";
        check(&format!("{base64}x"), &[(base64, "d", "Cat", true)]);
        // The blanks of `#    ` were lost.
        let lost = "begin 644 z\n#\n`\nend";
        check(lost, &[(lost, "z", "\\x00\\x00\\x00", true)]);
    }

    #[test]
    fn a_file_may_be_cut() {
        let cut = "begin 644 a\n#0V%T\n#0V%T\n";
        check(cut, &[(cut, "a", "CatCat", false)]);
        check(&format!("{cut}and more words"), &[(cut, "a", "CatCat", false)]);
    }

    #[test]
    fn words_are_no_file() {
        check("begin with this, and\nend\n", &[]);
        check("begin 644 words of a text that goes on,\nand has no data\nend\n", &[]);
        check("to begin 644 a\n#0V%T\n`\nend\n", &[]);
        check("begin 999 a\n#0V%T\n`\nend\n", &[]);
        check("begin 644 a", &[]);
        check("begin", &[]);
        check("begin-base64 644 d\nQ2F0\nno end", &[]);
    }
}
