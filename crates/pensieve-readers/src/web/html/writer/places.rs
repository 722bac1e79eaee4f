//! The end of writing: from blocks to the lines of the source that they came from.

use super::{Block, Break, Writer};
use pensieve_text::model::{Locator, LocatorMap, Segment, Span, SpanMap};

impl Writer<'_> {
    /// Ends the last line.
    pub fn finish(mut self) -> Written {
        if !self.text.is_empty() {
            self.put("\n");
        }
        Written { text: self.text, map: self.map.finish(), blocks: self.blocks }
    }
}

impl Writer<'_> {
    /// True where a stretch may end: no line is open, and no rule waits for what it divides.
    pub fn is_between(&self) -> bool {
        !self.line_is_open && !self.rule_waits
    }

    /// Ends a stretch that another one follows, with the break that waits between them.
    pub fn finish_stretch(mut self) -> Written {
        let is_paragraph = self.pending == Some(Break::Paragraph);
        if is_paragraph && !self.text.is_empty() {
            self.put("\n");
        }
        self.finish()
    }
}

/// What was written; needs neither the page nor its tree any more, which are as large.
#[derive(Debug)]
pub(in super::super) struct Written {
    text: String,
    map: SpanMap,
    blocks: Vec<Block>,
}

impl Written {
    /// The text with its map through the decoding to the bytes of the page, and the lines of each block.
    pub fn segment(self, decoded: &Segment) -> Segment {
        let lines = LineIndex::new(decoded);
        let ends = self.blocks.iter().skip(1).map(|block| block.out).chain([self.text.len()]);
        let mut places = Vec::with_capacity(self.blocks.len());
        for (block, end) in self.blocks.iter().zip(ends) {
            if block.first > block.last || end <= block.out {
                continue;
            }
            if let (Some(first), Some(last)) = (lines.line_at(block.first), lines.line_at(block.last)) {
                places.push((Span::new(block.out, end), Locator::Lines { first, last }));
            }
        }
        drop(lines);
        let map = self.map.through(&decoded.map);
        Segment { text: self.text, map, lines: Vec::new(), places: LocatorMap(places), ..Segment::default() }
    }
}

/// Looks up lines in any order.
struct LineIndex<'a> {
    decoded: &'a Segment,
    newlines: Vec<usize>,
}

impl LineIndex<'_> {
    fn new(decoded: &Segment) -> LineIndex<'_> {
        LineIndex { decoded, newlines: memchr::memchr_iter(b'\n', decoded.text.as_bytes()).collect() }
    }

    fn line_at(&self, at: usize) -> Option<u64> {
        let passed = self.decoded.lines.partition_point(|anchor| anchor.out <= at);
        let anchor = self.decoded.lines[..passed].last()?;
        let until = |place: usize| self.newlines.partition_point(|&newline| newline < place);
        Some(anchor.line + (until(at) - until(anchor.out)) as u64)
    }
}
