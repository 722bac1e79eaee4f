//! The checks after each stage: a fetched file is a text, a passage matches its source, a written file reads back.

use super::choice::largest_share;
use super::manifest::PassageRules;
use super::passage::BuiltPassage;
use super::reading::PreparedBook;
use std::collections::BTreeSet;

/// What is wrong with the bytes of a text that was fetched or found, in words.
pub fn raw(bytes: &[u8]) -> Option<String> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some("it is empty".to_owned());
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(2048)])
        .trim_start_matches('\u{feff}')
        .trim_start()
        .to_lowercase();
    if ["<!doctype", "<html", "<?xml"].iter().any(|mark| head.starts_with(mark)) {
        return Some("it is a page, not a text".to_owned());
    }
    if pensieve_text::text::decode::is_text(bytes) != pensieve_text::text::decode::TextVerdict::Text {
        return Some("it is not text".to_owned());
    }
    None
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
