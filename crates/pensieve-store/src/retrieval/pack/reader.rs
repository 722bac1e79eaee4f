//! [`TextReader`]: words of documents, with the segments that were unpacked last kept in memory.

use crate::store::{DocumentText, StoreError};
use std::collections::VecDeque;
use std::ops::Range;

/// Segments of at most 1 MiB that are kept.
const MAX_SEGMENTS: usize = 16;

/// Reads parts of clean texts.
#[derive(Debug, Default)]
pub(super) struct TextReader {
    segments: VecDeque<CachedSegment>,
}

#[derive(Debug)]
struct CachedSegment {
    text_id: i64,
    start: usize,
    text: String,
}

/// A part of a document's clean text.
#[derive(Debug)]
pub(super) struct TextWindow {
    /// Its first byte.
    pub start: usize,
    /// Its words.
    pub text: String,
}

impl TextReader {
    /// The words of a span, without a character at either end that the span cuts.
    pub fn window(
        &mut self,
        document: &DocumentText<'_>,
        span: Range<usize>,
    ) -> Result<TextWindow, StoreError> {
        let end = span.end.min(document.bytes);
        let mut window = TextWindow { start: span.start.min(end), text: String::new() };
        let mut at = window.start;
        while at < end {
            let Some(segment) = self.segment(document, at)? else { break };
            let (from, to) = (at - segment.start, (end - segment.start).min(segment.text.len()));
            let (from, to) = (segment.text.ceil_char_boundary(from), segment.text.floor_char_boundary(to));
            if window.text.is_empty() {
                window.start = segment.start + from;
            }
            window.text.push_str(segment.text.get(from..to).unwrap_or_default());
            at = segment.start + segment.text.len();
        }
        Ok(window)
    }

    /// The words of a span.
    pub fn words(&mut self, document: &DocumentText<'_>, span: Range<usize>) -> Result<String, StoreError> {
        Ok(self.window(document, span)?.text)
    }

    fn segment(
        &mut self,
        document: &DocumentText<'_>,
        at: usize,
    ) -> Result<Option<&CachedSegment>, StoreError> {
        let text_id = document.document.text_id;
        let has_byte = |segment: &CachedSegment| {
            segment.text_id == text_id && segment.start <= at && at < segment.start + segment.text.len()
        };
        match self.segments.iter().position(has_byte) {
            Some(found) => self.segments.swap(0, found),
            None => {
                document.each_text(at, &mut |start, text| {
                    self.segments.push_front(CachedSegment { text_id, start, text: text.to_owned() });
                    false
                })?;
                self.segments.truncate(MAX_SEGMENTS);
            }
        }
        Ok(self.segments.front().filter(|segment| has_byte(segment)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{only_uid, text_in_segments};

    #[test]
    fn windows_are_cut_between_characters_and_reach_across_segments() {
        let store = text_in_segments(&["one\ntwö\n", "three\n"]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let mut reader = TextReader::default();
        let mut check = |span: Range<usize>, start: usize, words: &str| {
            let window = reader.window(&text, span.clone()).unwrap();
            assert_eq!((window.start, window.text.as_str()), (start, words), "{span:?}");
        };
        check(0..3, 0, "one");
        check(4..14, 4, "twö\nthree");
        check(7..10, 8, "\nt");
        check(0..7, 0, "one\ntw");
        check(9..12, 9, "thr");
        check(14..99, 14, "\n");
        check(8..9, 8, "\n");
        check(15..20, 15, "");
        check(99..100, 15, "");
        check(3..3, 3, "");
    }

    #[test]
    fn segments_are_read_anew_after_others_took_their_place() {
        let segments: Vec<String> = (0..20).map(|n| format!("segment {n:02}.")).collect();
        let store = text_in_segments(&segments.iter().map(String::as_str).collect::<Vec<_>>());
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let mut reader = TextReader::default();
        for at in (0..20).chain([19, 4, 0, 3, 19]) {
            assert_eq!(reader.words(&text, at * 11..at * 11 + 11).unwrap(), segments[at]);
            assert!(reader.segments.len() <= MAX_SEGMENTS);
        }
        assert_eq!(reader.words(&text, 0..220).unwrap(), segments.concat());
    }
}
