//! Writes the blocks of a document and hands the text over in segments: a long document need not fit into memory.

use super::story::StoryEvent;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES};
use crate::source::DocumentSink;
use pensieve_text::model::{Locator, Problem, Span};
use std::sync::Arc;

/// Writes the blocks of one story.
pub(super) struct StoryOutput<'s> {
    part: Arc<str>,
    pub(super) draft: MarkdownDraft,
    /// Lines of code to which the next ones may be added.
    code: Option<(String, Span)>,
    sink: &'s mut dyn DocumentSink,
    /// Why the sink accepts no more text.
    stopped: Option<Problem>,
}

impl<'s> StoryOutput<'s> {
    pub(super) fn new(part: &str, sink: &'s mut dyn DocumentSink) -> StoryOutput<'s> {
        StoryOutput { part: part.into(), draft: MarkdownDraft::new(), code: None, sink, stopped: None }
    }

    pub(super) fn add(&mut self, event: StoryEvent) {
        match event {
            StoryEvent::Block(Block::Code { text, .. }, bytes) => match &mut self.code {
                Some((code, span)) if code.len() < SEGMENT_BYTES => {
                    code.push('\n');
                    code.push_str(&text);
                    span.end = span.end.max(bytes.end);
                }
                _ => {
                    self.flush();
                    self.code = Some((text, bytes));
                }
            },
            StoryEvent::Block(block, bytes) => {
                self.flush();
                self.place(bytes);
                self.push(&block);
            }
            StoryEvent::Markdown(text, bytes) => {
                self.flush();
                self.place(bytes);
                self.draft.push_markdown(&text);
                self.hand_over();
            }
            StoryEvent::Annotation(annotation) => annotation.blocks.iter().for_each(|block| self.push(block)),
        }
    }

    pub(super) fn place(&mut self, bytes: Span) {
        self.draft.place(Some(Locator::part(self.part.clone(), Some(bytes))));
    }

    pub(super) fn push(&mut self, block: &Block) {
        self.draft.push(block);
        self.hand_over();
    }

    pub(super) fn flush(&mut self) {
        if let Some((text, bytes)) = self.code.take() {
            self.place(bytes);
            self.push(&Block::Code { language: String::new(), text: text.trim_end().to_owned() });
        }
    }

    fn hand_over(&mut self) {
        if self.draft.len() >= SEGMENT_BYTES {
            let segment = self.draft.take();
            if self.stopped.is_none() {
                self.stopped = self.sink.text(segment).err();
            }
        }
    }

    /// Fails if the sink accepts no more text.
    pub(super) fn check(&mut self) -> Result<(), Problem> {
        self.stopped.take().map_or(Ok(()), Err)
    }
}
