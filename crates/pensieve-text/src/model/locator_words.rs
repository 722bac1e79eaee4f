//! A stored locator in words for people.

use serde_json::Value;

/// The words of a locator, with `to` between the ends of a range: `lines 10-24`, `page 3`. Boxes, bytes, roles,
/// sections and sentences are omitted, since only programs need them.
pub fn locator_words(locator: &Value, to: &str) -> Vec<String> {
    let Some(map) = locator.as_object() else { return vec![plain(locator)] };
    let part = |(key, value): (&String, &Value)| match value.as_array().map(Vec::as_slice) {
        Some([first, last]) if first == last => format!("{key} {}", plain(first)),
        Some([first, last]) => format!("{key}s {}{to}{}", plain(first), plain(last)),
        _ => format!("{key} {}", plain(value)),
    };
    let is_shown =
        |key: &str| !matches!(key, "bbox" | "bytes" | "role" | "section" | "sentences" | "subtype");
    map.iter().filter(|(key, _)| is_shown(key)).map(part).collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(locator: Value, expected: &str) {
        assert_eq!(locator_words(&locator, "-").join("  "), expected);
    }

    #[test]
    fn locators_have_words() {
        check(json!({"line": [10, 24]}), "lines 10-24");
        check(json!({"line": [7, 7]}), "line 7");
        check(json!({"paragraph": [3, 7]}), "paragraphs 3-7");
        check(json!({"page": 3, "bbox": [1.0, 2.0, 3.0, 4.0]}), "page 3");
        check(json!({"part": ["HEADER", "1.2"]}), "parts HEADER-1.2");
        check(json!({"bytes": [3, 40], "part": "word/document.xml"}), "part word/document.xml");
        check(json!({"page": [3, 4], "role": "MAIN", "section": 2, "sentences": []}), "pages 3-4");
        check(json!({"cells": "A1:D9", "sheet": "S1"}), "cells A1:D9  sheet S1");
    }
}
