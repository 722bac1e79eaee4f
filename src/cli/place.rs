//! Where a chunk stands, in words: file, lines or page, headings.

use super::terminal;
use crate::store::ChunkPlace;
use serde_json::Value;

/// Copies of a file that are named.
const COPIES: usize = 3;

/// `/notes/a.md  lines 10-24  Guide > Install  (also /notes/b.md)`
pub fn of(source: &ChunkPlace) -> String {
    let mut parts = vec![terminal::line(&source.full_name()).into_owned()];
    parts.extend(source.locator.as_ref().map(located));
    parts.extend(source.heading_path.as_deref().map(|path| terminal::line(path).into_owned()));
    if !source.duplicates.is_empty() {
        let named = source.duplicates.iter().take(COPIES).map(|twin| twin.full_name());
        let mut others: Vec<_> = named.map(|name| terminal::line(&name).into_owned()).collect();
        if source.duplicates.len() > COPIES {
            others.push(format!("{} more", source.duplicates.len() - COPIES));
        }
        parts.push(format!("(also {})", others.join(", ")));
    }
    parts.join("  ")
}

fn located(locator: &Value) -> String {
    let Some(map) = locator.as_object() else { return locator.to_string() };
    let text = |value: &Value| {
        let name = value.as_str().map(|name| terminal::line(name).into_owned());
        name.unwrap_or_else(|| value.to_string())
    };
    let part = |(key, value): (&String, &Value)| match value.as_array().map(Vec::as_slice) {
        Some([first, last]) if first == last => format!("{key} {}", text(first)),
        Some([first, last]) => format!("{key}s {}-{}", text(first), text(last)),
        _ => format!("{key} {}", text(value)),
    };
    // Boxes, bytes and what pages are made of are for programs.
    map.iter()
        .filter(|(key, _)| {
            !matches!(key.as_str(), "bbox" | "bytes" | "role" | "section" | "sentences" | "subtype")
        })
        .map(part)
        .collect::<Vec<_>>()
        .join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(locator: Value, expected: &str) {
        assert_eq!(located(&locator), expected);
    }

    #[test]
    fn places_are_told_in_words() {
        check(json!({"line": [10, 24]}), "lines 10-24");
        check(json!({"line": [7, 7]}), "line 7");
        check(json!({"page": 3, "bbox": [1.0, 2.0, 3.0, 4.0]}), "page 3");
        check(json!({"part": ["HEADER", "1.2"]}), "parts HEADER-1.2");
        check(json!({"bytes": [3, 40], "part": "word/document.xml"}), "part word/document.xml");
        check(json!({"page": [3, 4], "role": "MAIN", "section": 2, "sentences": []}), "pages 3-4");
        check(json!({"cells": "A1:D9", "sheet": "S1"}), "cells A1:D9  sheet S1");
    }
}
