//! Cuts documents segment by segment: builds the outline of the strategy, then packs by it.

use super::boundary::{CutConstraints, IndentPolicy};
use super::fine_boundaries::SegmentView;
use super::heading_path::HeadingPath;
use super::markup_headings::HeadingSyntax;
use super::options::ChunkOptions;
use super::outline::{BoundaryCollector, SegmentOutline};
use super::packer::ChunkPacker;
use super::section_borders::SectionBorders;
use super::text_chunk::TextChunk;
use super::{code, markdown, paragraphs, recursive, rows, windows};
use crate::model::{ChunkStrategy, Segment, Span};
use crate::text::tokens::{TokenCounter, TokenIndex};

/// Cuts documents into chunks, one after the other, each in segments.
pub struct Chunker {
    options: ChunkOptions,
    strategy: ChunkStrategy,
    counter: TokenCounter,
    markdown: markdown::MarkdownState,
    rows: rows::RowState,
    markup: recursive::MarkupSections,
    /// The open sections of a document whose table of contents is known.
    contents: HeadingPath,
    layout: HeadingPath,
}

impl Chunker {
    /// A chunker before its first document.
    pub fn new(options: &ChunkOptions, strategy: ChunkStrategy, counter: TokenCounter) -> Chunker {
        let size = options.size.max(1);
        // More overlap would leave less room for new text than for old.
        let options = ChunkOptions { size, overlap: options.overlap.min(size / 2), ..*options };
        let (markdown, rows, markup, contents, layout) = Default::default();
        Chunker { options, strategy, counter, markdown, rows, markup, contents, layout }
    }

    /// Starts a new document, whose headings are written in this syntax.
    pub fn start_document(&mut self, headings: Option<HeadingSyntax>) {
        (self.markdown, self.rows, self.contents, self.layout) = Default::default();
        self.markup = recursive::MarkupSections::new(headings);
    }

    /// The chunks of a document's next segment, in order of their starts.
    ///
    /// Cost: linear in the text, plus counting it once.
    pub fn cut(&mut self, segment: &Segment) -> Vec<TextChunk> {
        let index = self.counter.index(&segment.text);
        self.cut_indexed(segment, &index)
    }

    /// Like [`Chunker::cut`], for a segment whose tokens the caller has already counted.
    pub fn cut_indexed(&mut self, segment: &Segment, index: &TokenIndex) -> Vec<TextChunk> {
        if self.strategy == ChunkStrategy::Layout {
            return windows::chunks(segment, index, &mut self.counter, &self.options, &mut self.layout);
        }
        let constraints = CutConstraints::new(&segment.text, &segment.map);
        let borders = SectionBorders::of(segment);
        let mut outline = self.outline(constraints, index, &borders);
        let boundaries = std::mem::take(&mut outline.boundaries);
        let indent = match self.strategy {
            ChunkStrategy::Recursive | ChunkStrategy::Paragraph | ChunkStrategy::Layout => {
                IndentPolicy::KeepWide
            }
            ChunkStrategy::Markdown | ChunkStrategy::Code | ChunkStrategy::Rows => IndentPolicy::Keep,
        };
        let view = SegmentView { constraints, index, outline: &outline, indent };
        let mut packer = ChunkPacker::new(view, boundaries, &mut self.counter, &self.options);
        // Paragraphs are chunks already; the outline cuts only those that are too long.
        if self.strategy == ChunkStrategy::Paragraph {
            paragraphs::paragraphs(constraints).into_iter().for_each(|span| packer.pack(span));
        } else {
            let starts = std::iter::once(0).chain(borders.cuts.iter().copied());
            let ends = borders.cuts.iter().copied().chain([segment.text.len()]);
            starts.zip(ends).for_each(|(start, end)| packer.pack(Span::new(start, end)));
        }
        packer.finish()
    }

    fn outline(
        &mut self,
        constraints: CutConstraints<'_>,
        index: &TokenIndex,
        borders: &SectionBorders<'_>,
    ) -> SegmentOutline {
        let collector = BoundaryCollector::new(constraints, index);
        // A header that is repeated may take a quarter of each chunk.
        let max_header_tokens = self.options.size / 4;
        let mut outline = match self.strategy {
            ChunkStrategy::Recursive | ChunkStrategy::Paragraph | ChunkStrategy::Layout => {
                recursive::outline(collector, &mut self.markup)
            }
            ChunkStrategy::Markdown => {
                let state = &mut self.markdown;
                return markdown::outline(collector, borders, state, &mut self.counter, max_header_tokens);
            }
            ChunkStrategy::Code => code::outline(collector),
            ChunkStrategy::Rows => {
                rows::outline(collector, &mut self.rows, &mut self.counter, max_header_tokens)
            }
        };
        // The document's own table of contents knows its headings better than the look of its lines.
        if !borders.sections.is_empty() || self.contents.path().is_some() {
            outline.paths = borders.paths(&mut self.contents);
        }
        outline
    }
}
