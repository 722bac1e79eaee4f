//! The clean text of a document with the boundaries and citations of its chunks, and with words marked.
//!
//! Text is shown once, in order. A chunk shows the text from the end of the one before to its own end; what it shares
//! with the next chunk is marked as overlap. Positions are bytes of the clean text.

use super::paging::NumberedPage;
use super::rendered::rendered;
use super::words::{citation_link, document, place};
use crate::serve::answers::DocumentChunk;
use crate::serve::api::{ApiRequest, chunks};
use crate::serve::parameter::Values;
use crate::serve::problem::Problem;
use maud::{Markup, html};
use pensieve_store::retrieval::Citation;
use pensieve_store::store::TextVariant;
use pensieve_text::model::numbers::{count, counted};
use std::ops::Range;

/// Chunks on a page.
const PAGE_CHUNKS: usize = 20;

/// Bytes between two chunks that are shown; a longer gap is white space only, and is left out.
const MAX_GAP_BYTES: usize = 4000;

/// Spans that an address marks; further ones are ignored.
const MAX_MARKS: usize = 50;

/// The part of a text that is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextPosition {
    /// A page by its number, from 1.
    Page(usize),
    /// The page with the first of these spans, all of which are marked. An empty span marks nothing, and leads to the
    /// chunk that it is in.
    Spans(Vec<Range<usize>>),
}

impl TextPosition {
    /// The part that `at` (`120-134,150-162` or `120`) or `page` asks for.
    pub fn of(values: &Values) -> Result<TextPosition, Problem> {
        let Some(text) = values.text("at") else { return Ok(TextPosition::Page(values.number("page"))) };
        let mut spans: Vec<Range<usize>> =
            text.split(',').take(MAX_MARKS).map(span).collect::<Option<_>>().ok_or_else(|| {
                Problem::parameter(
                    "at",
                    "`at` is the first byte of the words and the byte after them: `120-134`.",
                )
            })?;
        spans.sort_by_key(|span| (span.start, span.end));
        Ok(TextPosition::Spans(spans))
    }
}

/// Two numbers, or one for an empty span.
fn span(text: &str) -> Option<Range<usize>> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    let number = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let (start, end) = (number(start)?, number(end)?);
    (start <= end).then_some(start..end)
}

/// The part of a text that a page shows.
pub struct TextPage {
    chunks: Vec<DocumentChunk>,
    /// Bytes before the first of `text`.
    start: usize,
    text: String,
    /// Number of the first chunk, from 0.
    first: usize,
    /// The number of chunks of the whole text.
    pub total: usize,
    /// The chunk that was requested.
    wanted: Option<usize>,
    /// The words to mark, in order.
    marks: Vec<Range<usize>>,
}

impl TextPage {
    /// The part of a file's current clean text.
    ///
    /// Cost: a count of the file's chunks, and the unpacking of the segments of the part.
    pub fn read(ask: &ApiRequest<'_>, file_id: i64, position: &TextPosition) -> Result<TextPage, Problem> {
        let spans = match position {
            TextPosition::Page(_) => &[][..],
            TextPosition::Spans(spans) => spans,
        };
        // The chunk with the words is the last one that begins before their end.
        let begins_before = spans.first().map_or(0, |span| span.start.saturating_add(1));
        let (total, before) = ask.store.chunks().counts(file_id, begins_before)?;
        let number = match position {
            TextPosition::Page(page) => (page - 1).saturating_mul(PAGE_CHUNKS),
            TextPosition::Spans(_) => before.saturating_sub(1),
        };
        let number = number.min(total.saturating_sub(1));
        let first = number / PAGE_CHUNKS * PAGE_CHUNKS;
        let after = ask.store.chunks().before_number(file_id, first)?;
        let rows = ask.store.chunks().page(file_id, after, PAGE_CHUNKS)?;
        let chunks = chunks::with_char_ranges(ask.store, file_id, rows)?;
        let text = text_of(ask, file_id, &chunks)?;
        let start = chunks.first().map_or(0, |chunk| chunk.range.words.start_index as usize);
        let end = start + text.len();
        let marks = spans.iter().filter(|span| span.start < end && span.end > start && !span.is_empty());
        let wanted = (!spans.is_empty()).then_some(number - first);
        Ok(TextPage { start, first, total, wanted, marks: merged(marks), chunks, text })
    }

    /// The chunks with their citations; the message is above the one that was requested.
    pub fn view(&self, doc_uid: &str, message: &Markup, is_rendered: bool) -> Markup {
        html! {
            @for at in 0..self.chunks.len() {
                @if self.wanted == Some(at) { (message) }
                (self.chunk(at, doc_uid, is_rendered))
            }
        }
    }

    /// True if the text has no chunks.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// This page among the pages of the document.
    pub fn paging<'a>(&self, path: &'a str, parameters: &'a [(&'a str, &'a str)]) -> NumberedPage<'a> {
        NumberedPage {
            label: "Pages of the text",
            path,
            parameters,
            number: self.page_number(),
            total: self.total.div_ceil(PAGE_CHUNKS),
        }
    }

    /// The number of this page, from 1.
    pub fn page_number(&self) -> usize {
        self.first / PAGE_CHUNKS + 1
    }

    fn chunk(&self, at: usize, doc_uid: &str, is_rendered: bool) -> Markup {
        let chunk = &self.chunks[at];
        let (start, end) = (chunk.range.words.start_index as usize, chunk.range.words.end_index as usize);
        // Text that chunks before this one have shown is not shown again.
        let shown = self.chunks[..at].iter().map(|chunk| chunk.range.words.end_index as usize).max();
        let is_long = |shown: usize| shown < start && start - shown > MAX_GAP_BYTES;
        let own = shown.map_or(start, |shown| if is_long(shown) { start } else { shown }).min(end);
        let next = self.chunks.get(at + 1).map_or(end, |next| next.range.words.start_index as usize);
        let shared = next.clamp(own, end);
        let gap = self.slice(own, shared).len() - self.slice(own, shared).trim_start_matches('\n').len();
        let is_wanted = self.wanted == Some(at);
        let is_found = is_wanted && self.marks.is_empty();
        let number = self.first + at + 1;
        html! {
            article .chunk .wanted[is_wanted] .whole[is_found] id=(if is_found { "found".to_owned() } else { format!("chunk-{number}") })
                aria-label={ "Chunk " (count(number as u64)) } {
                (self.facts(chunk, number, doc_uid))
                @if is_rendered { div .words .markdown dir="auto" { (self.elements(own + gap, end)) } }
                @else { div .words dir="auto" {
                    // Blank lines between two chunks belong to the text; the rule between the chunks stands for them.
                    span hidden { (self.slice(own, own + gap)) }
                    (self.marked(own + gap, shared))
                    @if shared < end { span .overlap title="The next chunk begins here" { (self.marked(shared, end)) } }
                } }
            }
        }
    }

    /// Where a chunk is, and how to cite it.
    fn facts(&self, chunk: &DocumentChunk, number: usize, doc_uid: &str) -> Markup {
        let range = &chunk.range.words;
        let citation = Citation::new(doc_uid, range.start_index as usize, &chunk.chunk.content).to_string();
        let is_exact = range.source_exact == Some(true);
        html! {
            div .cite {
                span .ordinal { (count(number as u64)) }
                span { (counted(chunk.chunk.tokens, "token")) }
                @if let Some(locator) = &range.locator {
                    @if let Some(role) = role(locator) { span .tag { (role) } }
                    span { (place(locator)) }
                }
                @if let (Some(start), Some(end)) = (range.source_start, range.source_end) {
                    span title=(if is_exact { "These bytes, decoded and normalised, are the chunk" } else { "The smallest range that the chunk comes from" }) {
                        (if is_exact { "bytes " } else { "within bytes " }) (count(start)) "–" (count(end))
                    }
                }
                @if let Some(headings) = &range.heading_path { span .headings dir="auto" { (headings) } }
                @if let Some(context) = &range.context { span .headings dir="auto" { (context) } }
                span .actions {
                    a href=(citation_link(&citation)) aria-label={ "Link to chunk " (number) } { "Link" }
                    a href={ "/api/v3/chunks/" (chunk.chunk.content_hash) } aria-label={ "Chunk " (number) " as JSON" } { "JSON" }
                    button .plain-button type="button" data-copy=(citation) title="Copy the citation" hidden { "Copy" }
                }
            }
        }
    }

    /// The text from one byte to another as Markdown is meant.
    fn elements(&self, from: usize, to: usize) -> Markup {
        let text = self.slice(from, to);
        let inside = |mark: &&Range<usize>| mark.start < to && mark.end > from;
        let own: Vec<Range<usize>> = (self.marks.iter().filter(inside))
            .map(|mark| mark.start.max(from) - from..mark.end.min(to) - from)
            .collect();
        let leads =
            self.marks.first().is_some_and(|first| inside(&first) && first.start.max(self.start) >= from);
        rendered(text, &own, leads)
    }

    /// The text from one byte to another, with the marked words in elements; the first of them is what `#found` leads to.
    fn marked(&self, from: usize, to: usize) -> Markup {
        let mut at = from;
        let mut parts: Vec<(&str, Option<&Range<usize>>)> = Vec::new();
        for mark in self.marks.iter().filter(|mark| mark.start < to && mark.end > from) {
            let (start, end) = (mark.start.max(from), mark.end.min(to));
            parts.push((self.slice(at, start), None));
            parts.push((self.slice(start, end), Some(mark)));
            at = end;
        }
        parts.push((self.slice(at, to), None));
        let first = self.marks.first().map(|mark| mark.start.max(self.start));
        html! {
            @for (text, mark) in parts {
                @match mark {
                    Some(mark) if first == Some(mark.start.max(from)) => mark #found { (text) },
                    Some(_) => mark { (text) },
                    None => (text),
                }
            }
        }
    }

    /// The text from one byte to another; bytes inside a character stand for its first one.
    fn slice(&self, from: usize, to: usize) -> &str {
        let at =
            |byte: usize| self.text.floor_char_boundary(byte.saturating_sub(self.start).min(self.text.len()));
        self.text.get(at(from)..at(to)).unwrap_or_default()
    }
}

/// The text from the first of these chunks to the end of the last.
fn text_of(ask: &ApiRequest<'_>, file_id: i64, chunks: &[DocumentChunk]) -> Result<String, Problem> {
    let start = chunks.first().map_or(0, |chunk| chunk.range.words.char_start as usize);
    let end = chunks.iter().map(|chunk| chunk.range.words.char_end as usize).max().unwrap_or(0);
    match ask.store.texts().clean_facts(file_id)? {
        Some(facts) => {
            Ok(ask.store.text(file_id, TextVariant::Clean, &facts.version).page((start, end - start))?)
        }
        None => Ok(String::new()),
    }
}

/// Spans in order; those that touch become one.
fn merged<'a>(spans: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span.clone()),
        }
    }
    merged
}

/// The role of the text on its page, if its layout is known: prose, or beside it.
fn role(locator: &serde_json::Value) -> Option<String> {
    match (locator["role"].as_str()?, locator["subtype"].as_str()) {
        ("MAIN", _) => Some("prose".to_owned()),
        (_, Some(subtype)) => Some(format!("aside: {subtype}")),
        _ => Some("aside".to_owned()),
    }
}

/// The address of a document at some of its words.
pub fn words_link(doc_uid: &str, spans: &[Range<usize>]) -> String {
    let spans: Vec<String> =
        spans.iter().take(MAX_MARKS).map(|span| format!("{}-{}", span.start, span.end)).collect();
    format!("{}?at={}#found", document(doc_uid), spans.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(text: &str, marks: &[Range<usize>]) -> TextPage {
        let (start, wanted) = (10, Some(0));
        TextPage {
            chunks: Vec::new(),
            start,
            text: text.to_owned(),
            first: 0,
            total: 1,
            wanted,
            marks: merged(marks.iter()),
        }
    }

    #[test]
    fn marked_words_are_elements_and_the_first_is_found() {
        let check = |marks: &[Range<usize>], expected: &str| {
            assert_eq!(page("fög & lamp", marks).marked(10, 21).into_string(), expected);
        };
        check(&[], "fög &amp; lamp");
        check(&[10..14, 17..21], "<mark id=\"found\">fög</mark> &amp; <mark>lamp</mark>");
        check(&[10..14, 14..15], "<mark id=\"found\">fög </mark>&amp; lamp");
        // A byte inside a character, words that begin before the page and end after it.
        check(&[0..12, 18..90], "<mark id=\"found\">f</mark>ög &amp; l<mark>amp</mark>");
    }

    #[test]
    fn positions_are_read_from_addresses() {
        assert_eq!(span("12-15"), Some(12..15));
        assert_eq!(span("12"), Some(12..12));
        for wrong in ["", "-", "5-3", "a-b", "1-2-3", "+1-2", "99999999999999999999"] {
            assert_eq!(span(wrong), None, "{wrong}");
        }
        assert_eq!(words_link("a/b", &[1..3, 7..9]), "/docs/a%2Fb?at=1-3,7-9#found");
    }

    #[test]
    fn roles_have_words() {
        assert_eq!(role(&json!({"role": "MAIN", "page": 2})).as_deref(), Some("prose"));
        assert_eq!(role(&json!({"role": "AUX", "subtype": "footnote"})).as_deref(), Some("aside: footnote"));
        assert_eq!(role(&json!({"page": 2})), None);
    }
}
