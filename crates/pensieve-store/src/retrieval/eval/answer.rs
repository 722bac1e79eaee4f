//! Answers as spans of documents of a corpus.

use super::question::{ExpectedSpan, QuestionError};
use super::words::PlainLetters;
use crate::store::{ChunkPlace, DocumentText, Store, StoreError};
use std::ops::Range;

/// Characters of words that a message quotes.
const QUOTED_CHARS: usize = 40;

/// A part of an answer: one or several places of the same words in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnswerSpan {
    doc_uid: String,
    unit: SpanUnit,
    /// Never empty.
    occurrences: Vec<Range<usize>>,
}

/// What a span counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SpanUnit {
    /// Bytes of the source file.
    Source,
    /// Bytes of the clean text.
    Clean,
}

impl AnswerSpan {
    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.occurrences.iter().map(Range::len).max().unwrap_or(0)
    }

    /// The bytes that places of chunks cover together, at the occurrence of which they cover most.
    pub fn covered<'p>(&self, places: impl Iterator<Item = &'p ChunkPlace>) -> usize {
        let spans: Vec<Range<usize>> = places.filter_map(|place| self.span_of(place)).collect();
        self.occurrences.iter().map(|wanted| covered(wanted, &spans)).max().unwrap_or(0)
    }

    fn span_of(&self, place: &ChunkPlace) -> Option<Range<usize>> {
        let is_copy = || place.duplicates.iter().any(|copy| copy.doc_uid == self.doc_uid);
        if place.doc_uid != self.doc_uid && !is_copy() {
            return None;
        }
        match self.unit {
            SpanUnit::Clean => Some(place.at.start..place.at.end),
            SpanUnit::Source => place.at.source.map(|source| source.start..source.end),
        }
    }
}

/// The bytes of a span that other spans cover together.
fn covered(wanted: &Range<usize>, spans: &[Range<usize>]) -> usize {
    let inside = |span: &Range<usize>| span.start.max(wanted.start)..span.end.min(wanted.end);
    let mut parts: Vec<Range<usize>> = spans.iter().map(inside).filter(|part| !part.is_empty()).collect();
    parts.sort_by_key(|part| part.start);
    let (mut total, mut reached) = (0, wanted.start);
    for part in parts {
        total += part.end.saturating_sub(part.start.max(reached));
        reached = reached.max(part.end);
    }
    total
}

/// Finds the spans of answers in a corpus.
pub(super) struct AnswerFinder<'s> {
    store: &'s Store,
    /// The letters of the last document that words were looked for in.
    last: Option<(String, PlainLetters)>,
}

/// An error of the database, or of one question.
pub(super) enum AnswerError {
    Store(StoreError),
    Question(QuestionError),
}

impl From<StoreError> for AnswerError {
    fn from(error: StoreError) -> AnswerError {
        AnswerError::Store(error)
    }
}

impl From<QuestionError> for AnswerError {
    fn from(error: QuestionError) -> AnswerError {
        AnswerError::Question(error)
    }
}

impl<'s> AnswerFinder<'s> {
    /// Over the documents of a corpus.
    pub fn new(store: &'s Store) -> AnswerFinder<'s> {
        AnswerFinder { store, last: None }
    }

    /// The place of a span.
    ///
    /// Cost: words are looked for in the whole text of the document.
    pub fn find(&mut self, span: &ExpectedSpan) -> Result<AnswerSpan, AnswerError> {
        let text = self.document(&span.path)?;
        let doc_uid = text.document.doc_uid.clone();
        let leads_to_bytes = span.bytes.is_some() && leads_to_bytes(&text)?;
        match (&span.bytes, &span.text) {
            (Some(bytes), _) if leads_to_bytes => {
                let (path, size) = (span.path.clone(), text.document.size);
                if !text.document.is_member && bytes.end as u64 > size {
                    let (start, end) = (bytes.start, bytes.end);
                    return Err(QuestionError::BeyondEnd { path, size, start, end }.into());
                }
                Ok(AnswerSpan { doc_uid, unit: SpanUnit::Source, occurrences: vec![bytes.clone()] })
            }
            (_, Some(words)) => {
                let occurrences = self.letters(&text)?.occurrences(words);
                if occurrences.is_empty() {
                    let (path, words) = (span.path.clone(), quoted(words));
                    return Err(QuestionError::UnknownWords { path, words }.into());
                }
                Ok(AnswerSpan { doc_uid, unit: SpanUnit::Clean, occurrences })
            }
            _ => Err(QuestionError::NoSourceBytes { path: span.path.clone() }.into()),
        }
    }

    fn document(&self, path: &str) -> Result<DocumentText<'s>, AnswerError> {
        let found = self.store.documents().named(path.trim_start_matches("./"))?;
        let path = path.to_owned();
        let document = match found.as_slice() {
            [] => return Err(QuestionError::UnknownPath { path }.into()),
            [document] => document,
            _ => return Err(QuestionError::AmbiguousPath { path, count: found.len() }.into()),
        };
        let text = self.store.documents().clean_text(&document.doc_uid)?;
        Ok(text.filter(|text| text.bytes > 0).ok_or(QuestionError::NoText { path })?)
    }

    fn letters(&mut self, text: &DocumentText<'_>) -> Result<&PlainLetters, StoreError> {
        let doc_uid = &text.document.doc_uid;
        let last = self.last.take().filter(|(known, _)| known == doc_uid);
        let last = match last {
            Some(last) => last,
            None => (doc_uid.clone(), PlainLetters::of(&text.words(0..text.bytes)?.unwrap_or_default())),
        };
        Ok(&self.last.insert(last).1)
    }
}

/// True if the text of a document leads to bytes of its source; that of a PDF does not.
fn leads_to_bytes(text: &DocumentText<'_>) -> Result<bool, StoreError> {
    let Some(first) = text.chunks_from(0, 1)?.pop() else { return Ok(false) };
    Ok(text.place(first.place.start..first.place.end)?.is_some_and(|(_, place)| place.at.source.is_some()))
}

/// The beginning of a text, in quotation marks.
fn quoted(text: &str) -> String {
    let start: String = text.chars().take(QUOTED_CHARS).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("\"{start}{rest}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_once_however_many_spans_cover_them() {
        let check = |spans: &[Range<usize>], expected: usize| {
            assert_eq!(covered(&(10..20), spans), expected, "{spans:?}");
        };
        check(&[], 0);
        check(&[0..10, 20..30], 0);
        check(&[0..12, 11..14, 18..40], 6);
        check(&[12..14, 0..40, 13..15], 10);
        check(&[15..16, 11..12], 2);
    }
    use crate::store::testing::corpus;

    /// Finds an answer in a corpus of `a.txt` (`one two one\n`), `b/a.txt` and `b/c.txt`.
    fn found(span: &ExpectedSpan) -> Result<AnswerSpan, String> {
        let store = corpus(&[("a.txt", &["one two one"]), ("b/a.txt", &["three"]), ("b/c.txt", &[])]);
        AnswerFinder::new(&store).find(span).map_err(|error| match error {
            AnswerError::Store(error) => error.to_string(),
            AnswerError::Question(error) => error.to_string(),
        })
    }

    #[test]
    fn an_answer_is_bytes_of_the_source_or_words_of_the_text() {
        let span = |path: &str, bytes: Option<Range<usize>>, text: Option<&str>| {
            let text = text.map(str::to_owned);
            let found = found(&ExpectedSpan { path: path.to_owned(), bytes, text });
            found.map(|found| (found.unit, found.len(), found.occurrences))
        };
        assert_eq!(span("./a.txt", Some(2..8), None), Ok((SpanUnit::Source, 6, vec![2..8; 1])));
        assert_eq!(span("a.txt", Some(2..11), Some("two")), Ok((SpanUnit::Source, 9, vec![2..11; 1])));
        assert!(span("a.txt", Some(2..12), None).is_err());
        assert_eq!(span("a.txt", None, Some("one")), Ok((SpanUnit::Clean, 3, vec![0..3, 8..11])));
        assert!(span("a.txt", None, Some("four")).unwrap_err().contains("\"four\""));
        assert!(span("b/c.txt", None, Some("four")).is_err() && span("no.txt", None, Some("one")).is_err());
        assert!(span("a.txt", None, None).is_err());
    }

    #[test]
    fn a_quotation_ends_after_forty_characters() {
        assert_eq!(quoted(&"ä".repeat(40)), format!("\"{}\"", "ä".repeat(40)));
        assert_eq!(quoted(&"ä".repeat(41)), format!("\"{}…\"", "ä".repeat(40)));
    }
}
