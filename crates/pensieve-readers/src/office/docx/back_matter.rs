//! What follows the body of a document: notes, comments, headers and footers.

use super::context::DocumentContext;
use super::output::StoryOutput;
use super::story::{self, Annotation, StoryEvent, StoryReader};
use crate::limits::docx::MAX_ANNOTATIONS;
use crate::markdown::Block;
use crate::shared::back_matter::{markdown_of, with_author};
use crate::shared::opc::Relationships;
use pensieve_text::model::Locator;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl DocumentContext<'_> {
    /// Reads a part as a story.
    fn story(&mut self, part: &str, mut take: impl FnMut(StoryEvent)) {
        if !self.package.has(part) || !self.may_read_another() {
            return;
        }
        let text = match self.package.text(part) {
            Ok(text) => text,
            Err(problem) => return self.problems.push(problem),
        };
        let relations = self.package.relations(part);
        let broken = StoryReader::read(self, part, &text, &relations, &mut |_, event| take(event));
        self.note_damage(part, text.problem.clone(), broken);
    }

    fn annotations(&mut self, relations: &Relationships, kind: &str) -> (Option<Arc<str>>, Vec<Annotation>) {
        let Some(part) = relations.of_kind(kind).next().cloned() else { return (None, Vec::new()) };
        let mut annotations = Vec::new();
        self.story(&part, |event| match event {
            StoryEvent::Annotation(annotation)
                if !annotation.is_separator && annotations.len() < MAX_ANNOTATIONS =>
            {
                annotations.push(annotation)
            }
            _ => {}
        });
        (Some(part), annotations)
    }

    /// Writes the notes in the order in which the text refers to them.
    pub(super) fn add_notes(&mut self, relations: &Relationships, output: &mut StoryOutput<'_>) {
        let mut found: HashMap<(bool, String), (Arc<str>, Vec<Block>)> = HashMap::new();
        for (is_endnote, kind) in [(false, "footnotes"), (true, "endnotes")] {
            if let (Some(part), annotations) = self.annotations(relations, kind) {
                let annotations = annotations.into_iter();
                found.extend(
                    annotations
                        .map(|annotation| ((is_endnote, annotation.id), (part.clone(), annotation.blocks))),
                );
            }
        }
        for key in std::mem::take(&mut self.notes.order) {
            let Some((part, blocks)) = found.remove(&key) else { continue };
            let Some(label) = self.notes.label(key.0, &key.1) else { continue };
            output.draft.place(Some(Locator::part(part, None)));
            output.push(&Block::Note { label: label.into(), blocks });
        }
    }

    /// Writes the comments, each as a quotation that begins with its author.
    pub(super) fn add_comments(&mut self, relations: &Relationships, output: &mut StoryOutput<'_>) {
        let (Some(part), annotations) = self.annotations(relations, "comments") else { return };
        output.draft.place(Some(Locator::part(part, None)));
        for annotation in annotations {
            let mut author = Some(annotation.author).filter(|author| !author.trim().is_empty());
            for block in annotation.blocks {
                let quote = match block {
                    Block::Paragraph(mut words)
                    | Block::Item { mut words, .. }
                    | Block::Heading { mut words, .. } => {
                        if let Some(author) = author.take() {
                            words = with_author(author.trim(), words);
                        }
                        Block::Quote(words)
                    }
                    other => other,
                };
                output.push(&quote);
            }
        }
    }

    /// Writes headers, then footers, each text once. One without letters is a page number and left out.
    pub(super) fn add_headers_and_footers(&mut self, output: &mut StoryOutput<'_>) {
        let mut known = HashSet::new();
        let mut headers_and_footers = std::mem::take(&mut self.headers_and_footers);
        headers_and_footers.sort_by_key(|(is_footer, _)| *is_footer);
        for (_, part) in headers_and_footers {
            let mut blocks = Vec::new();
            self.story(&part, |event| {
                if let StoryEvent::Block(block, _) = event {
                    story::push_block(&mut blocks, block);
                }
            });
            let text = markdown_of(&blocks);
            if text.contains(char::is_alphabetic) && known.insert(text) {
                output.draft.place(Some(Locator::part(part, None)));
                blocks.iter().for_each(|block| output.push(block));
            }
        }
    }
}
