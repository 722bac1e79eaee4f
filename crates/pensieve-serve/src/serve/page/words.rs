//! Names, places and addresses as pages show them.

use maud::{Markup, html};
use pensieve_store::store::MEMBER_SEPARATOR;
use pensieve_text::model::locator_words;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// Characters that are escaped in a value of a query.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A citation is readable in an address: only what would end the path is escaped.
const CITATION: &AsciiSet = &VALUE.remove(b':').remove(b'/');

/// A stored name for people: `Skipped_Binary` as `Skipped binary`.
pub fn readable(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut rest = words.chars();
    rest.next().map_or_else(String::new, |first| format!("{first}{}", rest.as_str().to_lowercase()))
}

/// A place of a chunk in words: `lines 10–24`, `page 3`, `cells A1:D9, sheet S1`.
pub fn place(locator: &Value) -> String {
    locator_words(locator, "–").join(", ")
}

/// The name of a document, separate from its folders. Each part has a text direction of its own, so that Arabic or
/// Hebrew in one does not reorder the others.
pub fn name(name: &str) -> Markup {
    let (folders, last) = name.rsplit_once('/').unwrap_or(("", name));
    html! {
        @if !folders.is_empty() {
            span .folder { @for folder in folders.split('/') { bdi { (folder) } "/" } }
        }
        bdi { (last) }
    }
}

/// The last part of a name for people, without folders and containers.
pub fn last_part(name: &str) -> &str {
    let inner = name.rsplit(MEMBER_SEPARATOR).next().unwrap_or(name);
    inner.rsplit('/').next().unwrap_or(inner)
}

/// The day of a stored time: `2026-11-21`.
pub fn day(time: &str) -> &str {
    time.get(..10).unwrap_or(time)
}

/// A stored time to the minute: `2026-11-21 16:45`.
pub fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
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

/// The address that opens a document at cited words.
pub fn citation_link(citation: &str) -> String {
    format!("/cite/{}", utf8_percent_encode(citation, CITATION))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_and_places_are_readable() {
        assert_eq!(readable("Skipped_Binary"), "Skipped binary");
        assert_eq!(place(&json!({"line": [10, 24]})), "lines 10–24");
        assert_eq!(place(&json!({"cells": "A1:D9", "sheet": "<b>"})), "cells A1:D9, sheet <b>");
    }

    #[test]
    fn names_are_separate_from_their_folders() {
        let check = |path: &str, expected: &str| assert_eq!(name(path).into_string(), expected);
        check("a.md", "<bdi>a.md</bdi>");
        check(
            "a/<b>/c.md",
            "<span class=\"folder\"><bdi>a</bdi>/<bdi>&lt;b&gt;</bdi>/</span><bdi>c.md</bdi>",
        );
    }

    #[test]
    fn addresses_escape_any_value() {
        assert_eq!(address("/docs", &[("query", "a&b ä"), ("format", "")]), "/docs?query=a%26b%20%C3%A4");
        assert_eq!(address("/docs", &[("query", "")]), "/docs");
        assert_eq!(citation_link("pensieve:a?b/1-2/0f"), "/cite/pensieve:a%3Fb/1-2/0f");
    }
}
