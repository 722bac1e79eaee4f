//! Clean text into chunks: exact in tokens, whole in sense, and *local*.
//!
//! Local means that a chunk depends on the text in it and near it only: a sentence put in at the top of a book leaves
//! the chunks further down as they were, byte for byte, so that nothing is embedded twice. `budget` says how.
//! Each strategy draws an `Outline` (places to cut with ranks, parts to keep whole, headings); `packing` cuts by it,
//! the same way for all, and looks for finer places where an outline leaves stretches that are too long.
//!
//! This module counts with the tokenizer's index and never tokenizes candidates. It knows no files and no settings
//! but [`ChunkOptions`].

mod boundary;
mod budget;
mod chapters;
mod code;
mod finer;
mod heading;
mod laid;
mod laid_text;
mod lines;
mod markdown;
mod marks;
mod outline;
mod packing;
mod paragraph;
mod recursive;
mod rows;
mod shape;

#[cfg(test)]
mod laws;

use crate::layout::WindowOptions;
use crate::model::{ChunkStrategy, Segment, Span, TextKind};
use crate::text::tokens::{TokenCounter, TokenIndex};
use boundary::{Edges, Indent};
use chapters::Chapters;
use finer::Field;
pub use laid_text::{EmittedText, layout_violations};
use outline::{Marker, Outline};
use packing::Packer;
use serde::Deserialize;

/// How chunks are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOptions {
    /// Tokens of a chunk at most, its context included.
    pub size: usize,
    /// Tokens that a chunk may repeat from the one before, less than half of `size`.
    pub overlap: usize,
    /// What the user asked for.
    pub strategy: StrategyChoice,
    /// How laid out pages are cut.
    pub windows: WindowOptions,
}

/// The strategies that a user can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrategyChoice {
    /// By what the text is.
    #[default]
    Auto,
    /// Paragraphs, lines, sentences, words.
    Recursive,
    /// Markdown's structure.
    Markdown,
    /// Each paragraph a chunk.
    Paragraph,
}

/// Formats whose markup is not Markdown: their headings and fences look otherwise.
const OTHER_MARKUP: [&str; 18] = [
    "adoc",
    "asciidoc",
    "bib",
    "creole",
    "ltx",
    "man",
    "mediawiki",
    "org",
    "pod",
    "rd",
    "rdoc",
    "rest",
    "rst",
    "sty",
    "tex",
    "texi",
    "textile",
    "wiki",
];

/// Data formats whose lines are records.
const RECORDS: [&str; 6] = ["csv", "jsonl", "ldjson", "ndjson", "psv", "tsv"];

/// The strategy for a text, from the user's choice, the kind of text and its extension or format name.
pub fn strategy_for(choice: StrategyChoice, kind: TextKind, extension: &str) -> ChunkStrategy {
    let is = |list: &[&str]| list.iter().any(|name| name.eq_ignore_ascii_case(extension));
    match choice {
        StrategyChoice::Recursive => ChunkStrategy::Recursive,
        StrategyChoice::Markdown => ChunkStrategy::Markdown,
        StrategyChoice::Paragraph => ChunkStrategy::Paragraph,
        StrategyChoice::Auto => match kind {
            TextKind::Prose => ChunkStrategy::Recursive,
            TextKind::Markup if is(&OTHER_MARKUP) => ChunkStrategy::Recursive,
            TextKind::Markup => ChunkStrategy::Markdown,
            TextKind::Code => ChunkStrategy::Code,
            TextKind::Data if is(&RECORDS) => ChunkStrategy::Rows,
            TextKind::Data => ChunkStrategy::Code,
        },
    }
}

/// The stored name of a strategy with its numbers, such as `Recursive_512_50`.
pub fn strategy_name(strategy: ChunkStrategy, options: &ChunkOptions) -> String {
    if strategy == ChunkStrategy::Layout {
        let windows = options.windows.under(options.size);
        return format!("{strategy}_{}_{}", windows.window, windows.overlap);
    }
    format!("{strategy}_{}_{}", options.size, options.overlap)
}

/// One chunk of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChunk {
    /// Bytes of the segment's text.
    pub span: Span,
    /// Tokens of these bytes taken alone, exactly.
    pub tokens: usize,
    /// The headings above, such as `Guide > Install`.
    pub heading_path: Option<String>,
    /// Words that belong before the chunk but stand elsewhere: the header of a table that was cut. With a newline
    /// between, it fits in the size along with the chunk.
    pub context: Option<String>,
}

/// Cuts documents into chunks, one after the other, each in segments.
pub struct Chunker {
    options: ChunkOptions,
    strategy: ChunkStrategy,
    counter: TokenCounter,
    markdown: markdown::State,
    rows: rows::State,
    sections: recursive::Sections,
    /// The sections that are open, of a document whose contents are known.
    contents: heading::Headings,
    laid: laid::State,
}

impl Chunker {
    /// A chunker that stands before its first document.
    pub fn new(options: &ChunkOptions, strategy: ChunkStrategy, counter: TokenCounter) -> Chunker {
        let size = options.size.max(1);
        let options = ChunkOptions { size, overlap: options.overlap.min(size / 2), ..*options };
        let (markdown, rows, sections, contents, laid) = Default::default();
        Chunker { options, strategy, counter, markdown, rows, sections, contents, laid }
    }

    /// Forgets what was carried from the segments of the last document; the next one is of this format of the table.
    pub fn start_document(&mut self, format: &str) {
        (self.markdown, self.rows, self.contents, self.laid) = Default::default();
        self.sections = recursive::Sections::of(format);
    }

    /// The chunks of a document's next segment, in order of their starts.
    ///
    /// Cost: linear in the text, besides counting it once.
    pub fn cut(&mut self, segment: &Segment) -> Vec<TextChunk> {
        let index = self.counter.index(&segment.text);
        self.cut_indexed(segment, &index)
    }

    /// Like [`Chunker::cut`], for a segment whose tokens the caller has already counted.
    pub fn cut_indexed(&mut self, segment: &Segment, index: &TokenIndex) -> Vec<TextChunk> {
        if self.strategy == ChunkStrategy::Layout {
            return laid::pieces(segment, index, &mut self.counter, &self.options, &mut self.laid);
        }
        let edges = Edges::new(&segment.text, &segment.map);
        let chapters = Chapters::of(segment);
        let mut outline = self.outline(edges, index, &chapters);
        let marks = std::mem::take(&mut outline.marks);
        let indent = match self.strategy {
            ChunkStrategy::Recursive | ChunkStrategy::Paragraph | ChunkStrategy::Layout => Indent::KeepWide,
            ChunkStrategy::Markdown | ChunkStrategy::Code | ChunkStrategy::Rows => Indent::Keep,
        };
        let field = Field { edges, index, outline: &outline, indent };
        let mut packer = Packer::new(field, marks, &mut self.counter, &self.options);
        if self.strategy == ChunkStrategy::Paragraph {
            paragraph::paragraphs(edges).into_iter().for_each(|span| packer.pack(span));
        } else {
            let starts = std::iter::once(0).chain(chapters.cuts.iter().copied());
            let ends = chapters.cuts.iter().copied().chain([segment.text.len()]);
            starts.zip(ends).for_each(|(start, end)| packer.pack(Span::new(start, end)));
        }
        packer.finish()
    }

    fn outline(&mut self, edges: Edges<'_>, index: &TokenIndex, chapters: &Chapters<'_>) -> Outline {
        let marker = Marker::new(edges, index);
        let room = self.options.size / 4;
        let mut outline = match self.strategy {
            ChunkStrategy::Recursive | ChunkStrategy::Paragraph | ChunkStrategy::Layout => {
                recursive::outline(marker, &mut self.sections)
            }
            ChunkStrategy::Markdown => {
                let state = &mut self.markdown;
                return markdown::outline(marker, chapters, state, &mut self.counter, room);
            }
            ChunkStrategy::Code => code::outline(marker),
            ChunkStrategy::Rows => rows::outline(marker, &mut self.rows, &mut self.counter, room),
        };
        if !chapters.sections.is_empty() || self.contents.path().is_some() {
            outline.paths = chapters.paths(&mut self.contents);
        }
        outline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_get_the_strategy_of_their_kind_unless_the_user_chose() {
        let auto = |kind, extension| strategy_for(StrategyChoice::Auto, kind, extension);
        assert_eq!(auto(TextKind::Prose, "txt"), ChunkStrategy::Recursive);
        assert_eq!(auto(TextKind::Markup, "md"), ChunkStrategy::Markdown);
        assert_eq!(auto(TextKind::Markup, "html"), ChunkStrategy::Markdown);
        assert_eq!(auto(TextKind::Markup, "rst"), ChunkStrategy::Recursive);
        assert_eq!(auto(TextKind::Code, "rs"), ChunkStrategy::Code);
        assert_eq!(auto(TextKind::Data, "CSV"), ChunkStrategy::Rows);
        assert_eq!(auto(TextKind::Data, "json"), ChunkStrategy::Code);
        assert_eq!(strategy_for(StrategyChoice::Paragraph, TextKind::Code, "rs"), ChunkStrategy::Paragraph);
    }

    #[test]
    fn a_strategy_is_stored_with_its_numbers() {
        let windows = WindowOptions::default();
        let options = ChunkOptions { size: 512, overlap: 50, strategy: StrategyChoice::Auto, windows };
        assert_eq!(strategy_name(ChunkStrategy::Markdown, &options), "Markdown_512_50");
        assert_eq!(strategy_name(ChunkStrategy::Layout, &options), "Layout_500_80");
        assert_eq!(
            strategy_name(ChunkStrategy::Layout, &ChunkOptions { size: 128, ..options }),
            "Layout_128_63"
        );
    }

    #[test]
    fn the_lists_of_formats_are_sorted() {
        assert!(OTHER_MARKUP.is_sorted() && RECORDS.is_sorted());
    }
}
