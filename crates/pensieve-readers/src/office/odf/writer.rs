//! Writes complete blocks with their places into the draft, and hands over full segments.

use super::flow::PlacedBlock;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES};
use crate::shared::hidden_text::HiddenText;
use crate::source::DocumentSink;
use memchr::memchr_iter;
use pensieve_text::model::{HiddenReason, Locator, Problem, Segment, Span, Visibility};
use std::sync::Arc;

/// Bytes between two entries of the line index.
const INDEX_STEP_BYTES: usize = 4096;

/// The kind of places in a document.
pub(super) enum OdfPlaces {
    /// Bytes of a part of a package.
    Part(Arc<str>),
    /// Lines of a document that is one XML file.
    Lines(LineIndex),
}

/// Finds the line of a position.
pub(super) struct LineIndex {
    text: String,
    before: Vec<u64>,
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let mut before = Vec::with_capacity(text.len() / INDEX_STEP_BYTES + 1);
        let mut lines = 0;
        for block in text.as_bytes().chunks(INDEX_STEP_BYTES) {
            before.push(lines);
            lines += memchr_iter(b'\n', block).count() as u64;
        }
        LineIndex { text: text.to_owned(), before }
    }

    fn line_at(&self, at: usize) -> u64 {
        let step = (at / INDEX_STEP_BYTES).min(self.before.len().saturating_sub(1));
        let start = (step * INDEX_STEP_BYTES).min(self.text.len());
        let end = at.clamp(start, self.text.len());
        let inside = memchr_iter(b'\n', &self.text.as_bytes()[start..end]).count() as u64;
        self.before.get(step).copied().unwrap_or_default() + inside + 1
    }
}

pub(super) struct BlockWriter<'s> {
    draft: MarkdownDraft,
    sink: &'s mut dyn DocumentSink,
    places: OdfPlaces,
    /// The slide of the blocks, in a presentation.
    pub slide: Option<u64>,
    /// Why not everybody sees the blocks.
    pub visibility: Option<Visibility>,
    hidden: HiddenText,
}

impl<'s> BlockWriter<'s> {
    pub fn new(sink: &'s mut dyn DocumentSink, places: OdfPlaces) -> BlockWriter<'s> {
        BlockWriter {
            draft: MarkdownDraft::new(),
            sink,
            places,
            slide: None,
            visibility: None,
            hidden: HiddenText::default(),
        }
    }

    /// Sets the part of the blocks that follow.
    pub fn set_part(&mut self, part: &str) {
        if let OdfPlaces::Part(name) = &mut self.places {
            *name = part.into();
        }
    }

    /// The place of bytes of the part.
    pub fn place(&self, span: Span) -> Locator {
        match (self.slide, &self.places) {
            (Some(slide), _) => Locator::slide(slide).marked(self.visibility),
            (None, OdfPlaces::Part(name)) => Locator::part(name.clone(), Some(span)),
            (None, OdfPlaces::Lines(index)) => Locator::Lines {
                first: index.line_at(span.start),
                last: index.line_at(span.end.saturating_sub(1)),
            },
        }
    }

    ///
    /// # Errors
    /// The sink accepts no more text.
    pub fn write(&mut self, (block, span): &PlacedBlock) -> Result<(), Problem> {
        self.write_at(block, Some(self.place(*span)))
    }

    /// Writes a block at a place.
    ///
    /// # Errors
    /// As `write`.
    pub fn write_at(&mut self, block: &Block, place: Option<Locator>) -> Result<(), Problem> {
        self.draft.place(place);
        self.draft.push(block);
        if self.draft.len() > SEGMENT_BYTES {
            self.sink.text(self.draft.take())?;
        }
        Ok(())
    }

    /// Lists words that nobody can see.
    pub fn hide(&mut self, reason: HiddenReason, text: &str, span: Span) {
        let place = self.place(span);
        self.hidden.add(reason, Some(&place), text);
    }

    /// The text that is not yet handed over, and what nobody can see.
    pub fn finish(self) -> (Segment, HiddenText) {
        (self.draft.finish(), self.hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_anywhere() {
        let text = "ab\n".repeat(5000);
        let index = LineIndex::new(&text);
        for at in [0, 2, 3, 4095, 4096, 8191, 14_999, 15_000, 99_999] {
            let expected =
                text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
            assert_eq!(index.line_at(at), expected as u64, "at {at}");
        }
        assert_eq!(LineIndex::new("").line_at(7), 1);
    }
}
