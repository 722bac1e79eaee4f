//! The content of one sheet, slide or document of iWork before it is written: text and tables by region.

use super::grid::Grid;
use crate::limits::iwork::MAX_PENDING_BLOCKS;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES, TextRun, Words};
use crate::source::DocumentSink;
use pensieve_text::model::{Locator, Problem, Segment, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Adds words to a paragraph.
pub(super) fn push_run(words: &mut Words, run: TextRun) {
    let is_full = words.0.len() > MAX_PENDING_BLOCKS;
    words.push_within(run, is_full);
}

/// Text or a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UnitContent {
    Block(Block, Option<Span>),
    Grid(Grid),
}

impl UnitContent {
    fn size(&self) -> usize {
        match self {
            UnitContent::Block(..) => 1,
            UnitContent::Grid(grid) => grid.cells.len() + 1,
        }
    }
}

/// The regions of a unit, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentRegion {
    Body,
    /// Text boxes on pages.
    Shapes,
    /// The notes of a slide.
    Presenter,
    Footnotes,
    Comments,
    Headers,
    /// The title of a slide.
    Title,
}

const REGIONS: usize = 7;

/// A document, a sheet or a slide.
#[derive(Debug, Default)]
pub(super) struct DocumentUnit {
    contents: [Vec<UnitContent>; REGIONS],
    pending: usize,
}

impl DocumentUnit {
    /// Adds content. If there is too much of it, paragraphs are joined, so that no text is lost.
    pub fn add(&mut self, region: ContentRegion, content: UnitContent) {
        let contents = &mut self.contents[region as usize];
        self.pending += content.size();
        let is_full = self.pending > MAX_PENDING_BLOCKS;
        let is_taken = match (contents.last_mut(), &content) {
            (Some(UnitContent::Block(last, _)), UnitContent::Block(block, _)) => last.absorb(block, is_full),
            _ => false,
        };
        if !is_taken {
            contents.push(content);
        }
    }

    /// True if the unit is large enough to be written in parts.
    pub fn is_full(&self) -> bool {
        self.pending > MAX_PENDING_BLOCKS
    }

    /// Takes the words of its title.
    pub fn take_title(&mut self) -> Option<Words> {
        let contents = std::mem::take(&mut self.contents[ContentRegion::Title as usize]);
        let title = Words::joined(contents.iter().filter_map(|content| match content {
            UnitContent::Block(block, _) => Some(block),
            UnitContent::Grid(_) => None,
        }));
        (!title.is_blank()).then_some(title)
    }
}

/// The location of the unit that is written.
#[derive(Debug, Clone)]
pub(super) enum UnitLocation {
    /// A part of the package.
    Part(Arc<str>),
    Slide(u64),
    /// A sheet, and the part that contains its text.
    Sheet(Arc<str>, Arc<str>),
}

/// Writes units.
pub(super) struct UnitWriter<'s> {
    pub draft: MarkdownDraft,
    sink: &'s mut dyn DocumentSink,
    headers: HashSet<String>,
    has_handed_over: bool,
}

impl<'s> UnitWriter<'s> {
    pub fn new(sink: &'s mut dyn DocumentSink) -> UnitWriter<'s> {
        UnitWriter { draft: MarkdownDraft::new(), sink, headers: HashSet::new(), has_handed_over: false }
    }

    /// Writes all content of a unit.
    ///
    /// # Errors
    /// The sink refuses the text.
    pub fn write(&mut self, unit: &mut DocumentUnit, location: &UnitLocation) -> Result<(), Problem> {
        unit.pending = 0;
        for contents in unit.contents[..ContentRegion::Headers as usize].iter_mut() {
            for content in contents.drain(..) {
                self.write_content(&content, location)?;
            }
        }
        for content in std::mem::take(&mut unit.contents[ContentRegion::Headers as usize]) {
            let UnitContent::Block(Block::Paragraph(words), _) = &content else { continue };
            let text = words.to_plain().trim().to_owned();
            // A page number alone is not content.
            if text.contains(char::is_alphabetic) && self.headers.insert(text) {
                self.write_content(&content, location)?;
            }
        }
        Ok(())
    }

    /// Writes the content of one region of a unit.
    ///
    /// # Errors
    /// As [`UnitWriter::write`].
    pub fn write_region(
        &mut self,
        unit: &mut DocumentUnit,
        region: ContentRegion,
        location: &UnitLocation,
    ) -> Result<(), Problem> {
        for content in unit.contents[region as usize].drain(..) {
            unit.pending = unit.pending.saturating_sub(content.size());
            self.write_content(&content, location)?;
        }
        Ok(())
    }

    /// True if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.draft.is_empty() && !self.has_handed_over
    }

    /// Writes a heading.
    ///
    /// # Errors
    /// As [`UnitWriter::write`].
    pub fn heading(&mut self, level: u8, words: Words, location: &UnitLocation) -> Result<(), Problem> {
        self.write_content(&UnitContent::Block(Block::Heading { level, words }, None), location)
    }

    fn write_content(&mut self, content: &UnitContent, location: &UnitLocation) -> Result<(), Problem> {
        let span = if let UnitContent::Block(_, span) = content { *span } else { None };
        self.draft.place(Some(match location {
            UnitLocation::Part(part) | UnitLocation::Sheet(_, part) => Locator::part(part.clone(), span),
            UnitLocation::Slide(slide) => Locator::slide(*slide),
        }));
        match content {
            UnitContent::Block(block, _) => self.draft.push(block),
            UnitContent::Grid(grid) => {
                let sheet = if let UnitLocation::Sheet(sheet, _) = location { Some(&**sheet) } else { None };
                grid.write(&mut self.draft, sheet, 3);
            }
        }
        if self.draft.len() > SEGMENT_BYTES {
            self.has_handed_over = true;
            self.sink.text(self.draft.take())?;
        }
        Ok(())
    }

    /// The text that is not yet handed over.
    pub fn finish(self) -> Segment {
        self.draft.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ignore;

    impl DocumentSink for Ignore {
        fn text(&mut self, _: Segment) -> Result<(), Problem> {
            Ok(())
        }

        fn member(&mut self, _: pensieve_text::model::ContainerMember) -> Result<(), Problem> {
            Ok(())
        }
    }

    #[test]
    fn contents_are_written_by_region_and_headers_once() {
        let mut unit = DocumentUnit::default();
        let content = |text: &str| UnitContent::Block(Block::Paragraph(Words::plain(text)), None);
        for (region, text) in [
            (ContentRegion::Headers, "Head"),
            (ContentRegion::Headers, "Head"),
            (ContentRegion::Headers, "17"),
            (ContentRegion::Comments, "Remark"),
            (ContentRegion::Body, "Body"),
            (ContentRegion::Title, "Title"),
        ] {
            unit.add(region, content(text));
        }
        assert_eq!(unit.take_title().map(|words| words.to_plain()).as_deref(), Some("Title"));
        let mut sink = Ignore;
        let mut output = UnitWriter::new(&mut sink);
        output.write(&mut unit, &UnitLocation::Slide(1)).expect("the sink takes everything");
        assert_eq!(output.finish().text, "Body\n\nRemark\n\nHead\n");
    }
}
