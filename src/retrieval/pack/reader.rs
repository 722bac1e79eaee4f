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
