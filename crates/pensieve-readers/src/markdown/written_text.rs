//! Text as it was written from a source: from its blocks to the lines that they came from.

use pensieve_text::model::{FoldKind, Locator, LocatorMap, Segment, Span, SpanMap, Visibility};

/// A block of the text, and the first and last byte of the source that it came from.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockOrigin {
    start: usize,
    first: usize,
    last: usize,
}

impl BlockOrigin {
    /// A block that begins at this byte of the text.
    pub fn new(start: usize) -> BlockOrigin {
        BlockOrigin { start, first: usize::MAX, last: 0 }
    }

    /// Adds what was copied from the source.
    pub fn add(&mut self, source: Span) {
        self.first = self.first.min(source.start);
        self.last = self.last.max(source.end - 1);
    }
}

/// What was written. It no longer needs the page and its tree, which are as large.
#[derive(Debug)]
pub(crate) struct WrittenText {
    text: String,
    map: SpanMap,
    blocks: Vec<BlockOrigin>,
    /// Bytes of the source that a person has to unfold, in order.
    folded: Vec<Span>,
}

impl WrittenText {
    pub(super) fn new(text: String, map: SpanMap, blocks: Vec<BlockOrigin>) -> WrittenText {
        WrittenText { text, map, blocks, folded: Vec::new() }
    }

    /// The same, with the bytes of the source that a person has to unfold, in order.
    pub fn folded_in(self, folded: Vec<Span>) -> WrittenText {
        WrittenText { folded, ..self }
    }

    /// True if it has no words.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The text with its map through the decoding to the bytes of the page, and the lines of each block.
    pub fn segment(self, decoded: &Segment) -> Segment {
        let places = self.places(decoded);
        let map = self.map.through(&decoded.map);
        Segment { text: self.text, map, lines: Vec::new(), places, ..Segment::default() }
    }

    fn places(&self, decoded: &Segment) -> LocatorMap {
        let lines = LineFinder::new(decoded);
        let ends = self.blocks.iter().skip(1).map(|block| block.start).chain([self.text.len()]);
        let mut places = Vec::with_capacity(self.blocks.len());
        for (block, end) in self.blocks.iter().zip(ends) {
            if block.first > block.last || end <= block.start {
                continue;
            }
            if let (Some(first), Some(last)) = (lines.line_at(block.first), lines.line_at(block.last)) {
                let place = Locator::Lines { first, last }.marked(self.fold_of(block));
                places.push((Span::new(block.start, end), place));
            }
        }
        LocatorMap(places)
    }

    /// Set for a block that begins in a folded part: a block rarely stands on both sides of its border.
    fn fold_of(&self, block: &BlockOrigin) -> Option<Visibility> {
        let after = self.folded.partition_point(|span| span.end <= block.first);
        let is_inside = self.folded.get(after).is_some_and(|span| span.start <= block.first);
        is_inside.then_some(Visibility::Folded(FoldKind::Accordion))
    }
}

/// Looks up lines in any order.
struct LineFinder<'a> {
    decoded: &'a Segment,
    newlines: Vec<usize>,
}

impl LineFinder<'_> {
    fn new(decoded: &Segment) -> LineFinder<'_> {
        LineFinder { decoded, newlines: memchr::memchr_iter(b'\n', decoded.text.as_bytes()).collect() }
    }

    fn line_at(&self, at: usize) -> Option<u64> {
        let passed = self.decoded.lines.partition_point(|anchor| anchor.out <= at);
        let anchor = self.decoded.lines[..passed].last()?;
        let until = |place: usize| self.newlines.partition_point(|&newline| newline < place);
        Some(anchor.line + (until(at) - until(anchor.out)) as u64)
    }
}
