//! The checks after each stage: a fetched file is a text, a passage matches its source, a written file reads back.

use crate::choice::largest_share;
use crate::manifest::PassageRules;
use crate::passage::BuiltPassage;
use crate::reading::PreparedBook;
use pensieve_text::model::numbers::counted;
use std::collections::BTreeSet;

/// A text with fewer words is a message of a server.
const MIN_WORDS: usize = 50;

/// The first tags of pages.
const PAGE_STARTS: &[&str] = &[
    "!doctype", "?xml", "body", "center", "div", "frameset", "h1", "head", "html", "link", "main", "meta",
    "p", "script", "style", "svg", "table", "title",
];

/// What is wrong with the bytes of a text that was fetched or found, in words.
pub fn raw(bytes: &[u8]) -> Option<String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some("it is empty".to_owned());
    }
    if is_page(bytes) {
        return Some("it is a page, not a text".to_owned());
    }
    if pensieve_text::text::decode::is_text(bytes) != pensieve_text::text::decode::TextVerdict::Text {
        return Some("it is not text".to_owned());
    }
    let words = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(MIN_WORDS).count();
    (words < MIN_WORDS).then(|| format!("it has {} only", counted(words as u64, "word")))
}

/// True for HTML and XML, also without a document type and below comments, also in UTF-16.
pub fn is_page(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).to_lowercase();
    let head: String = head.chars().filter(|c| !matches!(c, '\0' | '\u{feff}' | '\u{fffd}')).collect();
    let mut rest = head.trim_start();
    while let Some((_, after)) = rest.strip_prefix("<!--").and_then(|comment| comment.split_once("-->")) {
        rest = after.trim_start();
    }
    let Some(tag) = rest.strip_prefix('<') else { return false };
    let name = tag.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
    PAGE_STARTS.contains(&name)
}

/// What is wrong with the text, the bounds, the section or the source of a passage.
pub fn passage(made: &BuiltPassage, read: &PreparedBook, raw: &[u8], rules: &PassageRules) -> Option<String> {
    let (text, passage) = (read.book.text(), &made.passage);
    if text.get(made.span.range()) != Some(passage.text.as_str()) {
        return Some("is no slice of its book".to_owned());
    }
    let words = passage.text.split_whitespace().count();
    if words != passage.word_count || !(rules.bounds.0..=rules.bounds.1).contains(&words) {
        return Some(format!("has {words} words"));
    }
    let section = &read.sections[made.section];
    let blocks = &read.blocks[section.first..section.end];
    let (first, last) = (blocks.first()?, blocks.last()?);
    if made.span.start < first.span.start || made.span.end > last.span.end {
        return Some("reaches beyond its section".to_owned());
    }
    let back = read.book.read_back(raw, &made.ranges);
    // A segment of a stateful encoding cannot be decoded alone.
    let is_same = |back: &String| match rules.unwrap {
        true => back.split_whitespace().eq(passage.text.split_whitespace()),
        false => *back == passage.text,
    };
    if !read.book.encoding.is_stateful() && !back.as_ref().is_some_and(is_same) {
        return Some("is not what its bytes of the raw file say".to_owned());
    }
    let found = read.lexicon.counts(&passage.text);
    let missing =
        passage.keywords_matched.iter().find(|word| found.get(*word).is_none_or(|count| *count == 0));
    missing.map(|word| format!("lacks its keyword `{word}`"))
}

/// What is wrong with the passages as a whole.
pub fn together(all: &[BuiltPassage], rules: &PassageRules) -> Option<String> {
    let ids: BTreeSet<&str> = all.iter().map(|made| made.passage.passage_id.as_str()).collect();
    if ids.len() != all.len() {
        return Some("two passages have one id".to_owned());
    }
    let texts: Vec<&str> = all.iter().map(|made| made.passage.text.as_str()).collect();
    let share = largest_share(&texts);
    (share > rules.max_overlap + 1e-9)
        .then(|| format!("two passages share {:.0} % of their words", share * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::manifest::parse;
    use crate::passage::{ExtractionDate, choose_all, make};
    use pensieve_text::model::Span;
    use std::path::Path;

    const MANIFEST: &str = r#"
[collection]
name = "piers"

[keywords.weather]
words = ["rain"]

[rules]
words = [20, 60]
bounds = [18, 80]
min_score = 0.1
steps = []

[[works]]
author = "Ann Other"
author_id = "other"
title = "The Pier"
slug = "pier"
gutenberg_id = 99999
publication_year = 1899
"#;

    #[test]
    fn a_passage_that_is_not_as_its_book_says_is_named() {
        let manifest = parse(MANIFEST, Path::new("m.toml")).unwrap();
        let night = "The rain fell on the pier all night, and the keeper walked up and down with his lamp until it was day again.";
        let raw = format!(
            "The Pier\n\nCHAPTER I\n\nThe Night\n\n{night}\n\nCHAPTER II\n\nThe Day\n\n{}\n",
            night.replace("night", "day").replace("rain", "snow")
        );
        let book = Book::of(raw.as_bytes(), &manifest.rules);
        let books = [PreparedBook::new(&manifest, 0, 99_999, book)];
        let chosen = choose_all(&books, &manifest.rules);
        let all = make(&books, &manifest, &chosen, &ExtractionDate::at(0));
        assert_eq!(all.iter().map(|made| made.passage.text.as_str()).collect::<Vec<_>>(), [night]);
        let check = |expected: Option<&str>, change: &dyn Fn(&mut BuiltPassage)| {
            let mut made = all[0].clone();
            change(&mut made);
            assert_eq!(passage(&made, &books[0], raw.as_bytes(), &manifest.rules).as_deref(), expected);
        };
        check(None, &|_| {});
        check(Some("is no slice of its book"), &|made| made.passage.text.push('.'));
        check(Some("is no slice of its book"), &|made| made.span.end -= 1);
        // Either the count is wrong, or it is right and out of bounds.
        check(Some("has 23 words"), &|made| made.passage.word_count += 1);
        check(Some("has 2 words"), &|made| {
            made.span = Span::new(made.span.start, made.span.start + "The rain".len());
            made.passage.text = "The rain".to_owned();
            made.passage.word_count = 2;
        });
        check(Some("reaches beyond its section"), &|made| made.section += 1);
        check(Some("is not what its bytes of the raw file say"), &|made| made.ranges[0].start += 1);
        check(Some("lacks its keyword `snow`"), &|made| {
            made.passage.keywords_matched = vec!["snow".to_owned()]
        });
        assert_eq!(
            together(&[all[0].clone(), all[0].clone()], &manifest.rules).unwrap(),
            "two passages have one id"
        );
        let mut other = all[0].clone();
        other.passage.passage_id.push('x');
        let shared = together(&[all[0].clone(), other], &manifest.rules).unwrap();
        assert_eq!(shared, "two passages share 100 % of their words");
        assert_eq!(together(&all, &manifest.rules), None);
    }

    #[test]
    fn a_text_has_fifty_words() {
        check(&"rain ".repeat(50), None);
        check(&"rain\n\n".repeat(49), Some("it has 49 words only"));
        check("rain", Some("it has 1 word only"));
    }

    #[test]
    fn a_page_begins_with_a_tag_of_pages() {
        let check = |text: &str, expected: bool| assert_eq!(is_page(text.as_bytes()), expected, "{text}");
        check("<P>", true);
        check("<p/>", true);
        check(" \n<h1 class=x>", true);
        check("<!-- a --> <!-- b --><div>", true);
        check("<pre>", false);
        check("<!-- a --> words", false);
        check("<!-- a <p>", false);
        check("words <p>", false);
        check("", false);
        check(&format!("{}<p>", " ".repeat(4093)), true);
        check(&format!("{}<p>", " ".repeat(4095)), false);
    }

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(raw(text.as_bytes()).as_deref(), expected, "{text}");
    }

    #[test]
    fn pages_and_messages_are_no_texts() {
        let words = "It was a wet night on the pier. ".repeat(10);
        check(&words, None);
        check(&format!("<<THE PIER>>\n{words}"), None);
        check(&format!("<pier>\n{words}"), None);
        check(" \r\n\t", Some("it is empty"));
        check("Please try again later.", Some("it has 4 words only"));
        for start in [
            "<!DOCTYPE html>",
            "\u{feff}\n<HTML lang=en>",
            "<!-- a --> <!--\nb-->\n<head>",
            "<?xml version='1.0'?>",
            "<title>x</title>",
            "<script>",
        ] {
            check(&format!("{start}{words}"), Some("it is a page, not a text"));
        }
        let wide: Vec<u8> =
            format!("\u{feff}<html>{words}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(raw(&wide).as_deref(), Some("it is a page, not a text"));
    }
}
