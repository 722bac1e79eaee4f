//! Names, places and addresses as pages write them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// What stands for itself in a value of a query.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

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
    fn names_and_places_read_well() {
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
