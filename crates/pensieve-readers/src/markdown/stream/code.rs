//! Preformatted text: its lines as they are.

use super::{CodeLines, StreamWriter};
use crate::markdown::block_mark::fence_around;
use crate::markdown::source_text::SourceText;
use pensieve_text::model::Span;

/// The fence of code that is streamed; a shorter fence inside does not end it.
const STREAMED_FENCE: &str = "``````````";

impl StreamWriter<'_> {
    /// Begins preformatted text of this language; returns the fence that ends it, which is longer than any run of
    /// backticks in the text.
    pub fn open_fence(&mut self, language: &str, text: &str) -> String {
        self.end_note_marker();
        let fence = fence_around(text);
        self.put_fence(&format!("{fence}{language}"));
        fence
    }

    /// Begins or ends preformatted text whose words are not known yet.
    pub fn put_streamed_fence(&mut self) {
        self.put_fence(STREAMED_FENCE);
    }

    /// A line that is a fence.
    pub fn put_fence(&mut self, fence: &str) {
        if self.with_markup {
            self.put_line(fence);
        }
    }

    /// Ends the line of a note's mark, after which no fence may open.
    fn end_note_marker(&mut self) {
        let marker = self.containers.last().and_then(|container| container.marker.as_deref());
        if self.with_markup && marker.is_some_and(|marker| marker.starts_with("[^")) {
            self.end_line();
        }
    }

    /// Preformatted text: white space is kept, prefixes begin its lines.
    pub fn code(&mut self, text: &SourceText) {
        let words = text.resolve(self.source);
        if text.decoded.is_some() && words != "\n" {
            self.start_code();
            self.out.skip_to(text.span.start, self.source);
            self.out.replace(words, text.span.len());
            return;
        }
        let mut start = text.span.start;
        for line in words.split_inclusive('\n') {
            let words = line.trim_end_matches(['\n', '\r']);
            if words.trim_start().is_empty() {
                let space = Span::new(start, start + words.len());
                self.code.space = Some(space).filter(|space| !space.is_empty()).or(self.code.space);
            } else {
                self.start_code();
                self.copy(Span::new(start, start + words.len()));
            }
            if line.ends_with('\n') {
                self.end_code_line();
            }
            start += line.len();
        }
    }

    /// Ends a line of preformatted text.
    pub fn end_code_line(&mut self) {
        self.code.line_ends += 1;
        self.code.space = None;
    }

    /// True if the line has words of preformatted text.
    pub fn is_in_code_line(&self) -> bool {
        self.line_is_open && self.code.line_ends == 0
    }

    /// Ends preformatted text.
    pub fn end_code(&mut self) {
        self.code = CodeLines::default();
        if self.line_is_open {
            self.end_line();
        }
    }

    fn start_code(&mut self) {
        let line_ends = std::mem::take(&mut self.code.line_ends);
        for _ in 0..if self.code.has_words { line_ends } else { 0 } {
            self.end_line();
        }
        self.code.has_words = true;
        self.open_line();
        if let Some(space) = self.code.space.take() {
            self.copy(space);
        }
    }
}
