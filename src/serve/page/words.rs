//! Numbers, places and addresses as pages write them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// What stands for itself in a value of a query.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `1234567` as `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`.
pub fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Bytes as people read them: `812 B`, `4.2 kB`, `1.3 GB`.
pub fn bytes(number: u64) -> String {
    let mut size = number as f64;
    let mut unit = "B";
    for larger in ["kB", "MB", "GB", "TB"] {
        if size < 999.5 {
            break;
        }
        (size, unit) = (size / 1000.0, larger);
    }
    match unit {
        "B" => format!("{number} B"),
        _ if size < 9.95 => format!("{size:.1} {unit}"),
        _ => format!("{size:.0} {unit}"),
    }
}

/// A stored name with blanks: `Skipped_Binary` as `Skipped binary`.
pub fn spoken(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| format!("{first}{}", rest.as_str().to_lowercase()))
}

/// A place of a chunk in words: `lines 10–24`, `page 3`, `sheet S1, cells A1:D9`.
pub fn place(locator: &Value) -> String {
    let Some(map) = locator.as_object() else { return String::new() };
    let part = |(key, value): (&String, &Value)| match value.as_array().map(Vec::as_slice) {
        Some([first, last]) if first == last => format!("{key} {}", plain(first)),
        Some([first, last]) => format!("{key}s {}–{}", plain(first), plain(last)),
        _ => format!("{key} {}", plain(value)),
    };
    map.iter().filter(|(key, _)| *key != "bbox").map(part).collect::<Vec<_>>().join(", ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// An address with a query; parameters without value are left out.
pub fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, VALUE)))
        .collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// The address of a document.
pub fn document(doc_uid: &str) -> String {
    format!("/docs/{}", utf8_percent_encode(doc_uid, VALUE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_and_places_read_well() {
        assert_eq!((count(1_234_567), counted(1, "file")), ("1,234,567".to_owned(), "1 file".to_owned()));
        let check = |number, expected: &str| assert_eq!(bytes(number), expected);
        check(0, "0 B");
        check(999, "999 B");
        check(1_000, "1.0 kB");
        check(12_345, "12 kB");
        check(999_999, "1.0 MB");
        check(u64::MAX, "18446744 TB");
        assert_eq!(spoken("Skipped_Binary"), "Skipped binary");
        assert_eq!(place(&json!({"line": [10, 24]})), "lines 10–24");
        assert_eq!(place(&json!({"page": 3, "bbox": [1, 2, 3, 4]})), "page 3");
        assert_eq!(place(&json!({"cells": "A1:D9", "sheet": "<b>"})), "cells A1:D9, sheet <b>");
    }

    #[test]
    fn addresses_carry_any_value() {
        assert_eq!(address("/docs", &[("query", "a&b ä"), ("format", "")]), "/docs?query=a%26b%20%C3%A4");
        assert_eq!(address("/docs", &[("query", "")]), "/docs");
    }
}
