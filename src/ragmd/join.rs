//! A document and the documents inside it as one text.
//!
//! Each inner document becomes a section under a heading of its own, below the document that contains it, and an
//! entry of the contents. Source code and data are put into a fence: they are not Markdown.

use super::member::{MemberOutcome, one_line, value};
use super::reading::DocumentReading;
use pensieve_readers::books::epub::entitled;
use pensieve_readers::event::MemberHead;
use pensieve_readers::markdown::{Block, MarkdownDraft};
use pensieve_text::model::{Document, Locator, Segment};
use std::collections::HashMap;

/// The character that ends a page in a text with pages.
const PAGE_END: char = '\u{c}';

/// A text as Markdown: source code in a fence of its language, pages marked if that is requested.
fn in_markdown(text: Segment, language: Option<&str>, page_markers: bool) -> Segment {
    match language {
        None if page_markers && text.sections.is_empty() && text.text.contains(PAGE_END) => {
            with_page_marks(&text)
        }
        Some(language) if !text.text.trim().is_empty() => {
            let mut draft = MarkdownDraft::new();
            draft.push(&Block::Code { language: language.to_owned(), text: text.text });
            draft.finish()
        }
        _ => text,
    }
}

/// The text with a marker at the start of each page, as a paragraph of its own.
fn with_page_marks(segment: &Segment) -> Segment {
    let mut text = String::with_capacity(segment.text.len() + 1024);
    let mut done = 0;
    for (at, _) in segment.text.match_indices(PAGE_END) {
        text.push_str(segment.text[done..at].trim_end());
        done = at + PAGE_END.len_utf8();
        if segment.text[done..].trim().is_empty() {
            break;
        }
        match page_at(segment, done) {
            Some(page) => text.push_str(&format!("\n\n<!-- page {page} -->\n\n")),
            None => text.push_str("\n\n<!-- page -->\n\n"),
        }
    }
    text.push_str(&segment.text[done.min(segment.text.len())..]);
    Segment { text, ..Segment::default() }
}

/// The page of the first words from a byte on.
fn page_at(segment: &Segment, at: usize) -> Option<u64> {
    let after = segment.places.0.partition_point(|(span, _)| span.end <= at);
    match &segment.places.0.get(after)?.1 {
        Locator::Pages { first, .. } => Some(*first),
        Locator::Layout(layout) => layout.spots.first().map(|(page, _)| *page),
        _ => None,
    }
}

/// A document and those inside it as one text.
#[derive(Debug, Default)]
pub(super) struct JoinedDocument {
    pub text: Segment,
    pub document: Document,
    /// In order; their anchors are not known yet.
    pub inside: Vec<MemberOutcome>,
    pub warnings: Vec<String>,
}

/// Joins a document and its inner documents. Those that have a section become the last sections of the text.
pub(super) fn join(reading: DocumentReading, name: &str, page_markers: bool) -> JoinedDocument {
    let DocumentReading { text, source, document, members } = reading;
    let mut whole = in_markdown(text, source, page_markers);
    let mut joined = JoinedDocument::default();
    let has_words = !whole.text.trim().is_empty();
    if !members.is_empty() && has_words && whole.sections.is_empty() {
        let title = ["subject", "title"].iter().find_map(|key| value(&document, key)).and_then(one_line);
        whole = entitled(whole, &title.unwrap_or_else(|| name.to_owned()), 1, 0);
    }
    let mut next = whole.sections.iter().map(|section| section.seq + 1).max().unwrap_or(0);
    let mut levels: HashMap<String, usize> = HashMap::new();
    for member in members {
        let above = member.head.within.as_ref().and_then(|path| levels.get(path));
        let level = above.map_or(1 + usize::from(has_words), |above| above + 1);
        levels.insert(member.head.path.clone(), level);
        let MemberHead { path, name, mime, .. } = member.head.clone();
        let reason = member.reason();
        joined.warnings.extend(member.warnings());
        if reason.is_none() {
            let (title, language) = (member.title(), member.language());
            let text = in_markdown(member.text, language, page_markers);
            append(&mut whole, entitled(text, &title, level, next));
            next += 1;
        }
        joined.inside.push(MemberOutcome { path, name, mime, anchor: None, reason });
    }
    JoinedDocument { text: whole, document, ..joined }
}

/// Adds a part after a blank line.
fn append(whole: &mut Segment, part: Segment) {
    let ends = whole.text.bytes().rev().take_while(|&byte| byte == b'\n').count();
    if !whole.text.is_empty() && ends < 2 {
        whole.append(Segment { text: "\n".repeat(2 - ends), ..Segment::default() });
    }
    whole.append(part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::{LocatorMap, SectionStart, Span};

    fn pages(first: u64) -> Locator {
        Locator::Pages { first, last: first, bbox: None, ocr: false }
    }

    fn segment(text: &str, places: &[(usize, usize, Locator)]) -> Segment {
        let places = places.iter().map(|(start, end, locator)| (Span::new(*start, *end), locator.clone()));
        Segment { text: text.to_owned(), places: LocatorMap(places.collect()), ..Segment::default() }
    }

    #[test]
    fn a_page_begins_with_its_number() {
        let check = |segment: &Segment, expected: &str| assert_eq!(with_page_marks(segment).text, expected);
        let text = "One. \n\u{c}Two.\u{c} \n";
        check(&segment(text, &[]), "One.\n\n<!-- page -->\n\nTwo. \n");
        check(&segment(text, &[(0, 4, pages(5)), (7, 11, pages(6))]), "One.\n\n<!-- page 6 -->\n\nTwo. \n");
        check(&segment("One.\u{c}Two.", &[(0, 5, pages(5))]), "One.\n\n<!-- page -->\n\nTwo.");
        check(&segment("One.\u{c}", &[]), "One.");
        check(&segment("One.", &[]), "One.");
    }

    #[test]
    fn the_page_of_a_byte_is_that_of_the_next_words() {
        let lines = Locator::Lines { first: 1, last: 2 };
        let segment = segment("abcdefghi", &[(0, 3, pages(5)), (4, 6, pages(7)), (6, 8, lines)]);
        assert_eq!(
            [0, 2, 3, 4, 5, 6, 8].map(|at| page_at(&segment, at)),
            [Some(5), Some(5), Some(7), Some(7), Some(7), None, None]
        );
    }

    #[test]
    fn parts_have_a_blank_line_between_them() {
        let check = |before: &str, expected: &str| {
            let mut whole = segment(before, &[]);
            append(&mut whole, segment("b", &[]));
            assert_eq!(whole.text, expected);
        };
        check("", "b");
        check("a", "a\n\nb");
        check("a\n", "a\n\nb");
        check("a\n\n", "a\n\nb");
        check("a\n\n\n", "a\n\n\nb");
    }

    #[test]
    fn code_is_fenced_and_pages_are_marked_where_that_is_wanted() {
        let check = |text: &Segment, language: Option<&str>, page_markers: bool, expected: &str| {
            assert_eq!(in_markdown(text.clone(), language, page_markers).text, expected);
        };
        let text = segment("a\u{c}b", &[]);
        check(&text, None, false, "a\u{c}b");
        check(&text, None, true, "a\n\n<!-- page -->\n\nb");
        check(&segment("a", &[]), None, true, "a");
        check(&segment("a = 1\n", &[]), Some("python"), true, "```python\na = 1\n```\n");
        check(&segment(" \n", &[]), Some("python"), true, " \n");
        let sections = vec![SectionStart { out: 0, seq: 0, level: 1, label: "A".into() }];
        check(&Segment { sections, ..text }, None, true, "a\u{c}b");
    }
}
