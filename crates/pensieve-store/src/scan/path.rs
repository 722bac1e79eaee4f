//! Paths as text: one stored form for names that are bytes.
//!
//! A stored path is always valid UTF-8, because some readers of SQLite fail on a single invalid string. Bytes that
//! are not UTF-8 are written `\xnn`; a backslash that would read as such an escape is itself written `\x5c`. If the
//! stored form differs from the bytes, the exact bytes are stored beside it. Escaping for a terminal is not done
//! here.

use pensieve_isolate::platform::{path_bytes, path_from_bytes};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The stored form of a path or name, and its exact bytes if the two differ.
pub fn stored_path(name: &OsStr) -> (String, Option<Vec<u8>>) {
    let bytes = path_bytes(name);
    match std::str::from_utf8(&bytes) {
        Ok(text) if !has_escape(&bytes) => (text.to_owned(), None),
        _ => (escaped(&bytes), Some(bytes.into_owned())),
    }
}

/// The path that a stored form stands for, byte for byte.
pub fn path_from_stored(stored: &str) -> PathBuf {
    let bytes = stored.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match escape_at(bytes, at) {
            Some(byte) => {
                out.push(byte);
                at += 4;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    path_from_bytes(out)
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        // The valid part alone decides whether a backslash needs an escape: an invalid byte that follows it is written
        // with a backslash of its own, which is no hex digit.
        let valid = chunk.valid();
        for (at, character) in valid.char_indices() {
            match escape_at(valid.as_bytes(), at) {
                Some(_) => out.push_str("\\x5c"),
                None => out.push(character),
            }
        }
        for byte in chunk.invalid() {
            push_escape(&mut out, *byte);
        }
    }
    out
}

fn push_escape(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.push_str("\\x");
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

fn has_escape(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| escape_at(bytes, at).is_some())
}

/// The byte that `\xnn` at this place stands for.
fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'\\', b'x', high, low] = *bytes.get(at..at + 4)? else { return None };
    let digit = |byte| char::from(byte).to_digit(16);
    Some((digit(high)? * 16 + digit(low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    fn check(bytes: &[u8], expected: &str) {
        let (stored, exact) = stored_path(OsStr::from_bytes(bytes));
        assert_eq!(stored, expected);
        assert_eq!(exact.is_some(), stored.as_bytes() != bytes);
        assert_eq!(path_from_stored(&stored).as_os_str().as_bytes(), bytes, "{stored} reads back");
    }

    #[test]
    fn names_that_are_text_are_stored_as_they_are() {
        for name in
            ["a.txt", "Größe/日本.txt", "new\nline\u{1b}[31m", "back\\slash", "\\x", "\\xg0", "\\X41", ""]
        {
            check(name.as_bytes(), name);
        }
    }

    #[test]
    fn other_bytes_are_escaped_and_so_is_text_like_an_escape() {
        check(b"caf\xe9.txt", "caf\\xe9.txt");
        check(b"\xff\xfe-bytes.md", "\\xff\\xfe-bytes.md");
        check(b"lone-\xed\xa0\x80", "lone-\\xed\\xa0\\x80");
        check(b"\\x41", "\\x5cx41");
        check(b"\\xAB", "\\x5cxAB");
        check(b"\\x5cx41", "\\x5cx5cx41");
        check(b"\\\xe9", "\\\\xe9");
        check(b"\\x\xe9", "\\x\\xe9");
        check(b"\\x4\xab", "\\x4\\xab");
        check(b"\\\\x41\xe9", "\\\\x5cx41\\xe9");
    }
}
