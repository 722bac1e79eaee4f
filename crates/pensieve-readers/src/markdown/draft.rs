//! Markdown from blocks, one after the other: blank lines, indentation of items, notes, and the places of what is written.

mod inline;
mod rows;
mod table;

pub use rows::StreamedTable;

use super::block::{Block, ItemMarker, Words};
use super::block_mark;
use super::mapped_text::MappedText;
use super::table_layout::RepeatBudget;
use crate::limits::markdown::{MAX_NESTED_BLOCKS, MAX_REPEATED_BYTES};
use pensieve_text::model::{Locator, LocatorMap, Segment, Span};

/// Writes blocks one after the other.
#[derive(Debug)]
pub struct MarkdownDraft {
    out: MappedText,
    places: LocatorMap,
    place: Option<Locator>,
    /// Widths of the markers of the items that are open.
    indents: Vec<usize>,
    before: Option<BlockBefore>,
    has_more_before: bool,
    repeats: RepeatBudget,
}

/// What the last block was, as far as the blank line after it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockBefore {
    Item,
    Quote,
    Other,
}

/// The kind of line that words are written on.
#[derive(Debug, Clone, Copy)]
enum LineKind<'p> {
    /// A heading: one line.
    Heading,
    /// A paragraph whose later lines begin with a prefix.
    Paragraph { prefix: &'p str },
    /// A cell: one line, in which a pipe would end the cell.
    Cell,
}

impl Default for MarkdownDraft {
    fn default() -> MarkdownDraft {
        MarkdownDraft::new()
    }
}

impl MarkdownDraft {
    /// An empty draft of a document whose text has no contiguous place in its source (a package, a binary format).
    pub fn new() -> MarkdownDraft {
        MarkdownDraft::with(MappedText::new(false))
    }

    /// An empty draft of a document that is text itself: its runs have their places in the decoded source.
    pub fn mapped() -> MarkdownDraft {
        MarkdownDraft::with(MappedText::new(true))
    }

    fn with(out: MappedText) -> MarkdownDraft {
        MarkdownDraft {
            out,
            places: LocatorMap::default(),
            place: None,
            indents: Vec::new(),
            before: None,
            has_more_before: false,
            repeats: RepeatBudget::new(MAX_REPEATED_BYTES),
        }
    }

    /// Sets the place in the source of the blocks that follow.
    pub fn place(&mut self, place: Option<Locator>) {
        self.place = place;
    }

    /// Bytes written and not yet taken.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// True if nothing is written, or everything was taken.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Writes a block. Blocks without words write nothing.
    pub fn push(&mut self, block: &Block) {
        self.push_inside(block, 0);
    }

    /// Writes text that is Markdown already, such as that of a page inside a document.
    pub fn push_markdown(&mut self, markdown: &str) {
        let markdown = markdown.trim_matches(['\n', '\r']);
        if !markdown.trim().is_empty() {
            self.begin(BlockBefore::Other);
            self.out.put(markdown);
            self.end();
        }
    }

    /// The same for text whose parts have their places in the source.
    pub fn push_mapped_markdown(&mut self, words: &Words) {
        if words.is_blank() {
            return;
        }
        self.begin(BlockBefore::Other);
        for run in &words.0 {
            match run.source.filter(|span| span.len() == run.text.len()) {
                Some(span) => {
                    self.out.seek(span.start);
                    self.out.copy(&run.text);
                }
                None => self.out.put(&run.text),
            }
        }
        self.end();
    }

    /// Takes what is written so far, for readers of documents too large for memory. What is pushed later follows it.
    /// The map of the document is not kept in this case.
    pub fn take(&mut self) -> Segment {
        let next = MarkdownDraft {
            place: self.place.clone(),
            indents: self.indents.clone(),
            before: self.before,
            has_more_before: self.has_more_before || !self.out.is_empty(),
            repeats: self.repeats,
            ..MarkdownDraft::with(MappedText::new(self.out.is_mapped()))
        };
        std::mem::replace(self, next).finish()
    }

    /// The whole text.
    pub fn finish(self) -> Segment {
        let (text, map) = self.out.finish();
        Segment { text, map, lines: Vec::new(), places: self.places, ..Segment::default() }
    }

    /// The whole text of a mapped draft, with its map through that of the decoded source.
    pub fn finish_mapped(self, decoded: &Segment) -> Segment {
        let mut segment = self.finish();
        let is_blank = |gap: Span| decoded.text.get(gap.range()).is_some_and(|gap| gap.trim().is_empty());
        segment.map = segment.map.with_losses(&segment.text, is_blank).through(&decoded.map);
        segment
    }

    fn push_inside(&mut self, block: &Block, depth: usize) {
        if is_blank(block) {
            return;
        }
        match block {
            Block::Heading { level, words } => {
                let mark = block_mark::heading(usize::from(*level));
                self.line(BlockBefore::Other, mark, words, LineKind::Heading);
            }
            Block::Paragraph(words) => {
                self.line(BlockBefore::Other, "", words, LineKind::Paragraph { prefix: "" });
            }
            Block::Quote(words) => {
                let line = LineKind::Paragraph { prefix: block_mark::QUOTE };
                self.line(BlockBefore::Quote, block_mark::QUOTE, words, line);
            }
            Block::Item { depth, marker, words } => self.item(usize::from(*depth), marker.as_ref(), words),
            Block::Code { language, text } => self.code(language, text),
            Block::Table(table) => self.table(table, depth),
            Block::Note { label, blocks } => self.note(label, blocks, depth),
            Block::Rule => {
                self.begin(BlockBefore::Other);
                self.out.put(block_mark::RULE);
                self.end();
            }
        }
    }

    /// Writes a block of words that begins with a mark.
    fn line(&mut self, kind: BlockBefore, mark: &str, words: &Words, line: LineKind<'_>) {
        self.begin(kind);
        self.out.put(mark);
        self.words(words, line);
        self.end();
    }

    /// Separates a block from the one before it.
    fn begin(&mut self, kind: BlockBefore) {
        if kind != BlockBefore::Item {
            self.indents.clear();
        }
        if !self.out.is_empty() || self.has_more_before {
            match (self.before, kind) {
                (None, _) => {}
                (Some(BlockBefore::Item), BlockBefore::Item) => {}
                (Some(BlockBefore::Quote), BlockBefore::Quote) => self.out.put(">\n"),
                _ => self.out.put("\n"),
            }
        }
        self.before = Some(kind);
    }

    fn end(&mut self) {
        let words = self.out.as_str().trim_end_matches(' ').len();
        self.out.truncate(words);
        self.out.put("\n");
        self.set_place();
    }

    /// Gives the current place to what was written since the last one.
    fn set_place(&mut self) {
        let start = self.places.0.last().map_or(0, |(span, _)| span.end);
        if let Some(place) = self.place.clone() {
            self.places.push(Span::new(start, self.out.len()), place);
        }
    }

    /// The same with a place of its own, if there is one.
    fn set_place_to(&mut self, place: Option<Locator>) {
        let outer = place.is_some().then(|| std::mem::replace(&mut self.place, place));
        self.set_place();
        if let Some(outer) = outer {
            self.place = outer;
        }
    }

    fn item(&mut self, depth: usize, marker: Option<&ItemMarker>, words: &Words) {
        let Some(marker) = marker else { return self.next_paragraph(depth, words) };
        let (mark, label) = match marker {
            ItemMarker::Bullet => (block_mark::BULLET.to_owned(), ""),
            ItemMarker::Number(number) => block_mark::numbered_item(number),
        };
        self.begin(BlockBefore::Item);
        self.indents.truncate(depth.min(MAX_NESTED_BLOCKS));
        let indent = " ".repeat(self.indents.iter().sum());
        self.indents.push(mark.len());
        self.out.put(&indent);
        self.out.put(&mark);
        if !label.is_empty() {
            self.out.put(label);
            self.out.put(" ");
        }
        let inner = " ".repeat(self.indents.iter().sum());
        self.words(words, LineKind::Paragraph { prefix: &inner });
        self.end();
    }

    /// A further paragraph of the item before.
    fn next_paragraph(&mut self, depth: usize, words: &Words) {
        let indent = " ".repeat(self.indents.iter().take(depth + 1).sum());
        let indents = self.indents.clone();
        self.begin(BlockBefore::Other);
        self.indents = indents;
        self.out.put(&indent);
        self.words(words, LineKind::Paragraph { prefix: &indent });
        self.end();
        self.before = Some(BlockBefore::Item);
    }

    fn code(&mut self, language: &str, text: &str) {
        let fence = block_mark::fence_around(text);
        let language = language.split(|c: char| c.is_whitespace() || c == '`').next().unwrap_or_default();
        self.begin(BlockBefore::Other);
        for words in [&fence, language, "\n", text.trim_end_matches('\n'), "\n", &fence] {
            self.out.put(words);
        }
        self.end();
    }

    fn note(&mut self, label: &str, blocks: &[Block], depth: usize) {
        self.begin(BlockBefore::Other);
        self.out.put(&block_mark::note_start(label));
        let mut is_first = true;
        for words in blocks.iter().filter_map(Block::words).filter(|words| !words.is_blank()) {
            if !std::mem::take(&mut is_first) {
                self.out.put("\n\n");
                self.out.put(block_mark::NOTE_INDENT);
            }
            self.words(words, LineKind::Paragraph { prefix: block_mark::NOTE_INDENT });
        }
        self.end();
        let is_table = |block: &&Block| matches!(block, Block::Table(_));
        if depth < MAX_NESTED_BLOCKS {
            blocks.iter().filter(is_table).for_each(|table| self.push_inside(table, depth + 1));
        }
    }
}

fn is_blank(block: &Block) -> bool {
    match block {
        Block::Code { text, .. } => text.trim().is_empty(),
        Block::Table(table) => table.rows.is_empty(),
        Block::Note { .. } | Block::Rule => false,
        other => other.words().is_some_and(Words::is_blank),
    }
}

#[cfg(test)]
mod tests;
