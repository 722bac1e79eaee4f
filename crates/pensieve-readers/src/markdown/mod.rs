//! Markdown from blocks: one way of writing for every reader of office formats, books and mail.
//!
//! Owns blank lines, list indentation, emphasis that hugs its words, tables, escapes, notes, and the places and spans
//! of what is written. Knows no format.

mod block;
pub(crate) mod escape;
mod inline;
mod plain;
mod rows;
mod table;

pub use block::{Block, ItemMarker, Table, TableCell, TableRow, TextRun, TextStyle, Words};
pub use plain::{page_of_markdown, plain_of_markdown};
pub use rows::StreamedTable;

use inline::Line;
use pensieve_text::model::{Locator, LocatorMap, MapBuilder, Segment, Span};

/// Bytes of text after which a reader of large documents hands over what it has ([`MarkdownDraft::take`]).
pub const SEGMENT_BYTES: usize = 256 << 10;

/// Tables, notes and items inside each other; what lies deeper is written flat.
const DEEPEST: usize = 8;

/// Writes blocks one after the other.
#[derive(Debug)]
pub struct MarkdownDraft {
    text: String,
    map: MapBuilder,
    is_mapped: bool,
    places: LocatorMap,
    place: Option<Locator>,
    /// Widths of the markers of the items that are open.
    indents: Vec<usize>,
    before: Option<Before>,
    has_more_before: bool,
    /// Bytes that tables may still add to what their cells hold.
    filling: usize,
}

/// What the last block was, as far as the blank line behind it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Item,
    Quote,
    Other,
}

impl Default for MarkdownDraft {
    fn default() -> MarkdownDraft {
        MarkdownDraft::new()
    }
}

impl MarkdownDraft {
    /// An empty draft of a document whose text stands nowhere contiguous (a package, a binary format).
    pub fn new() -> MarkdownDraft {
        MarkdownDraft {
            text: String::new(),
            map: MapBuilder::new(0),
            is_mapped: false,
            places: LocatorMap::default(),
            place: None,
            indents: Vec::new(),
            before: None,
            has_more_before: false,
            filling: table::MOST_FILLING,
        }
    }

    /// An empty draft of a document that is text itself: runs tell where they stand in the decoded source.
    pub fn mapped() -> MarkdownDraft {
        MarkdownDraft { is_mapped: true, ..MarkdownDraft::new() }
    }

    /// From here on blocks stand at this place of the source.
    pub fn place(&mut self, place: Option<Locator>) {
        self.place = place;
    }

    /// Bytes written and not taken.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// True where nothing is written, or everything was taken.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes a block. Blocks without words leave nothing.
    pub fn push(&mut self, block: &Block) {
        self.push_inside(block, 0);
    }

    /// Writes Markdown that is made already, such as that of a page inside a document.
    pub fn push_markdown(&mut self, markdown: &str) {
        let markdown = markdown.trim_matches(['\n', '\r']);
        if !markdown.trim().is_empty() {
            self.begin(Before::Other);
            self.put(markdown);
            self.end();
        }
    }

    /// Hands over what is written so far, for readers of what is too large to be held. What is pushed later follows
    /// it; the document's own map is not kept then.
    pub fn take(&mut self) -> Segment {
        let has_more_before = self.has_more_before || !self.text.is_empty();
        let next = MarkdownDraft {
            is_mapped: self.is_mapped,
            place: self.place.clone(),
            indents: self.indents.clone(),
            before: self.before,
            has_more_before,
            filling: self.filling,
            ..MarkdownDraft::new()
        };
        std::mem::replace(self, next).into_segment()
    }

    /// The whole text.
    pub fn finish(self) -> Segment {
        self.into_segment()
    }

    /// The whole text of a mapped draft, with its map through that of the decoded source.
    pub fn finish_mapped(self, decoded: &Segment) -> Segment {
        let mut segment = self.into_segment();
        let is_blank = |gap: Span| decoded.text.get(gap.range()).is_some_and(|gap| gap.trim().is_empty());
        segment.map = segment.map.with_losses(&segment.text, is_blank).through(&decoded.map);
        segment
    }

    fn into_segment(self) -> Segment {
        let map = if self.is_mapped { self.map.finish() } else { MapBuilder::new(0).finish() };
        Segment { text: self.text, map, lines: Vec::new(), places: self.places, ..Segment::default() }
    }

    fn push_inside(&mut self, block: &Block, depth: usize) {
        if is_blank(block) {
            return;
        }
        match block {
            Block::Heading { level, words } => {
                const MARKS: [&str; 6] = ["# ", "## ", "### ", "#### ", "##### ", "###### "];
                self.begin(Before::Other);
                self.put(MARKS[usize::from(*level).clamp(1, 6) - 1]);
                self.words(words, Line::Heading);
                self.end();
            }
            Block::Paragraph(words) => {
                self.begin(Before::Other);
                self.words(words, Line::Paragraph { prefix: "" });
                self.end();
            }
            Block::Quote(words) => {
                self.begin(Before::Quote);
                self.put("> ");
                self.words(words, Line::Paragraph { prefix: "> " });
                self.end();
            }
            Block::Item { depth, marker, words } => self.item(usize::from(*depth), marker.as_ref(), words),
            Block::Code { language, text } => self.code(language, text),
            Block::Table(table) => self.table(table, depth),
            Block::Note { label, blocks } => self.note(label, blocks, depth),
            Block::Rule => {
                self.begin(Before::Other);
                self.put("---");
                self.end();
            }
        }
    }

    /// Divides a block from what stands before it.
    fn begin(&mut self, kind: Before) {
        if kind != Before::Item {
            self.indents.clear();
        }
        let start = self.text.len();
        if start > 0 || self.has_more_before {
            match (self.before, kind) {
                (None, _) => {}
                (Some(Before::Item), Before::Item) => {}
                (Some(Before::Quote), Before::Quote) => self.put(">\n"),
                _ => self.put("\n"),
            }
        }
        self.before = Some(kind);
    }

    fn end(&mut self) {
        while self.text.ends_with(' ') && !self.is_mapped {
            self.text.pop();
        }
        self.put("\n");
        self.placed();
    }

    /// Gives the place that holds to what was written since the last one.
    fn placed(&mut self) {
        let start = self.places.0.last().map_or(0, |(span, _)| span.end);
        if let Some(place) = self.place.clone() {
            self.places.push(Span::new(start, self.text.len()), place);
        }
    }

    fn item(&mut self, depth: usize, marker: Option<&ItemMarker>, words: &Words) {
        let Some(marker) = marker else {
            let indent = " ".repeat(self.indents.iter().take(depth + 1).sum());
            let indents = self.indents.clone();
            self.begin(Before::Other);
            self.indents = indents;
            self.put(&indent);
            self.words(words, Line::Paragraph { prefix: &indent });
            self.end();
            self.before = Some(Before::Item);
            return;
        };
        let is_plain = |number: &str| {
            let digits = number.trim_end_matches(['.', ')']);
            digits.len() + 1 == number.len()
                && digits.len() < 10
                && digits.bytes().all(|b| b.is_ascii_digit())
        };
        let (mark, label) = match marker {
            ItemMarker::Bullet => ("- ".to_owned(), ""),
            ItemMarker::Number(number) if is_plain(number) => (format!("{number} "), ""),
            ItemMarker::Number(number) => ("- ".to_owned(), number.as_str()),
        };
        self.begin(Before::Item);
        self.indents.truncate(depth.min(DEEPEST));
        let indent = " ".repeat(self.indents.iter().sum());
        self.indents.push(mark.len());
        self.put(&indent);
        self.put(&mark);
        if !label.is_empty() {
            self.put(label);
            self.put(" ");
        }
        let inner = " ".repeat(self.indents.iter().sum());
        self.words(words, Line::Paragraph { prefix: &inner });
        self.end();
    }

    fn code(&mut self, language: &str, text: &str) {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        self.begin(Before::Other);
        self.put(&fence);
        self.put(language.split(|c: char| c.is_whitespace() || c == '`').next().unwrap_or_default());
        self.put("\n");
        self.put(text.trim_end_matches('\n'));
        self.put("\n");
        self.put(&fence);
        self.end();
    }

    fn note(&mut self, label: &str, blocks: &[Block], depth: usize) {
        self.begin(Before::Other);
        self.put(&format!("[^{label}]: "));
        let mut is_first = true;
        for words in blocks.iter().flat_map(flat_words).filter(|words| !words.is_blank()) {
            if !std::mem::take(&mut is_first) {
                self.put("\n\n    ");
            }
            self.words(words, Line::Paragraph { prefix: "    " });
        }
        self.end();
        let is_table = |block: &&Block| matches!(block, Block::Table(_));
        if depth < DEEPEST {
            blocks.iter().filter(is_table).for_each(|table| self.push_inside(table, depth + 1));
        }
    }

    fn put(&mut self, text: &str) {
        // A map that nobody asks for would take more memory than the text.
        match (self.is_mapped, text.trim_start().is_empty()) {
            (false, _) => {}
            (true, true) => self.map.insert_blank(text.len()),
            (true, false) => self.map.insert(text.len()),
        }
        self.text.push_str(text);
    }
}

/// The words of a block that is no table.
fn flat_words(block: &Block) -> Option<&Words> {
    match block {
        Block::Heading { words, .. } | Block::Item { words, .. } => Some(words),
        Block::Paragraph(words) | Block::Quote(words) => Some(words),
        Block::Code { .. } | Block::Table(_) | Block::Note { .. } | Block::Rule => None,
    }
}

fn is_blank(block: &Block) -> bool {
    match block {
        Block::Code { text, .. } => text.trim().is_empty(),
        Block::Table(table) => table.rows.is_empty(),
        Block::Note { .. } | Block::Rule => false,
        other => flat_words(other).is_some_and(Words::is_blank),
    }
}

#[cfg(test)]
mod tests;
