//! From an outline to chunks: cuts what is too long, adds overlap and context, counts exactly.

use super::boundary::{Boundary, Edges};
use super::budget::{Choice, Places, Stretch};
use super::finer::{Field, Grain, first_start};
use super::{ChunkOptions, TextChunk};
use crate::model::Span;
use crate::text::tokens::{TokenCounter, TokenIndex};

/// What all chunks of one segment share.
pub(super) struct Packer<'a> {
    field: Field<'a>,
    counter: &'a mut TokenCounter,
    options: &'a ChunkOptions,
    levels: Vec<Level>,
    pieces: Vec<TextChunk>,
    /// First byte of the last chunk, overlap aside, and its end.
    last: Option<Span>,
}

/// Places of one grain, for one stretch and what it is cut into.
struct Level {
    grain: Grain,
    places: Places,
}

/// A stretch that waits to become a chunk or to be cut.
#[derive(Clone, Copy)]
struct Item {
    span: Span,
    /// True when no overlap belongs in front of it.
    is_fresh: bool,
    /// The level whose places cut it.
    level: usize,
}

impl<'a> Packer<'a> {
    /// A packer for a segment whose structure allows cuts at `marks`.
    pub(super) fn new(
        field: Field<'a>,
        marks: Vec<Boundary>,
        counter: &'a mut TokenCounter,
        options: &'a ChunkOptions,
    ) -> Self {
        let places = Places::new(marks);
        let levels = vec![Level { grain: Grain::Structure, places }];
        Packer { field, counter, options, levels, pieces: Vec::new(), last: None }
    }

    /// Cuts a span into chunks; the first gets no overlap from what was cut before.
    pub(super) fn pack(&mut self, span: Span) {
        let mut stack = vec![Item { span, is_fresh: true, level: 0 }];
        while let Some(item) = stack.pop() {
            self.levels.truncate(item.level + 1);
            let Some(span) = self.edges().trimmed(item.span, self.field.indent) else { continue };
            let item = Item { span, ..item };
            if self.emit(item) {
                continue;
            }
            match self.cut(item) {
                Some((choice, level)) => {
                    let mark = choice.mark;
                    stack.push(Item { span: Span::new(mark.at, span.end), is_fresh: mark.is_fresh, level });
                    stack.push(Item { span: Span::new(span.start, mark.at), level, ..item });
                }
                None => {
                    let tokens = self.count(item.span);
                    self.push(item.span, item.span.start, tokens, None);
                }
            }
        }
    }

    /// The chunks, in order.
    pub(super) fn finish(self) -> Vec<TextChunk> {
        self.pieces
    }

    fn edges(&self) -> Edges<'a> {
        self.field.edges
    }

    fn index(&self) -> &'a TokenIndex {
        self.field.index
    }

    /// Tokens of a span by the index, which is off by a few at most where a cut splits a token.
    fn estimate(&self, span: Span) -> usize {
        self.index().tokens_before(span.end).saturating_sub(self.index().tokens_before(span.start))
    }

    fn count(&mut self, span: Span) -> usize {
        self.counter.count_span(self.field.edges.text(), self.field.index, span)
    }

    /// Makes a chunk of a stretch if it fits. Overlap gives way before the stretch is cut: it is a courtesy.
    fn emit(&mut self, item: Item) -> bool {
        let size = self.options.size;
        let estimate = self.estimate(item.span);
        if estimate > size + size / 8 + 8 {
            return false;
        }
        let outline = self.field.outline;
        let context = outline.held_at(item.span.start).and_then(|held| held.context.as_deref());
        let room = size.saturating_sub(context.map_or(0, |context| self.counter.count(context) + 2));
        if !item.is_fresh && context.is_none() && estimate < room {
            let start = self.overlap_start(item.span, self.options.overlap.min(room - estimate));
            let tokens = self.count(Span::new(start, item.span.end));
            if tokens <= room {
                self.push(item.span, start, tokens, None);
                return true;
            }
        }
        let tokens = self.count(item.span);
        if tokens <= room {
            self.push(item.span, item.span.start, tokens, context.map(str::to_owned));
        }
        tokens <= room
    }

    /// Writes a chunk down.
    fn push(&mut self, core: Span, start: usize, tokens: usize, context: Option<String>) {
        let heading_path = self.field.outline.path_at(core.start).map(str::to_owned);
        self.pieces.push(TextChunk { span: Span::new(start, core.end), tokens, heading_path, context });
        self.last = Some(core);
    }

    /// Tokens that a chunk is planned to hold: its overlap and what the estimate may be off are left free. Room for a
    /// header is rounded, so that another column name leaves the rows where they are.
    fn full(&self, item: &Item) -> usize {
        let size = self.options.size;
        let context = self.field.outline.held_at(item.span.start).and_then(|held| held.context.as_deref());
        let taken =
            context.map_or(self.options.overlap / 2, |context| (context.len() / 4).next_power_of_two());
        size.saturating_sub(taken + size / 128 + 1).max(size / 4).max(1)
    }

    /// The best place to cut a stretch that does not fit, looked for at finer and finer grains until none of the next
    /// could be better; with the level that has it. `None` when it is one scalar value, or one grapheme that fits.
    fn cut(&mut self, item: Item) -> Option<(Choice, usize)> {
        let span = item.span;
        let tokens = (self.index().tokens_before(span.start), self.index().tokens_before(span.end));
        let stretch = Stretch { bytes: (span.start, span.end), tokens, full: self.full(&item) };
        let is_held = self.field.outline.held_at(span.start).is_some_and(|held| held.span.end >= span.end);
        let mut level = item.level;
        loop {
            let here = &mut self.levels[level];
            let best = here.places.best(&stretch);
            let mut next = here.grain.finer();
            if next == Some(Grain::SomeGraphemes) && stretch.len() < 16 * stretch.full {
                next = Some(Grain::Graphemes);
            }
            let Some(grain) = next else { return best.map(|choice| (choice, level)) };
            let hope = grain.best(is_held).worth();
            if let Some(choice) = best.filter(|choice| choice.score >= hope || grain == Grain::Scalars) {
                return Some((choice, level));
            }
            if grain == Grain::Scalars && self.count(span) <= self.options.size {
                return None;
            }
            let coarse = self.levels[level].places.inside(stretch.bytes);
            let places = Places::new(self.field.places(span, grain, coarse));
            level += 1;
            self.levels.push(Level { grain, places });
        }
    }

    /// Where a chunk starts that repeats the end of the one before: with the last whole sentences, or else with the
    /// last clauses, that fit in so many tokens. What starts in the middle of a clause helps nobody.
    fn overlap_start(&mut self, core: Span, overlap: usize) -> usize {
        let Some(last) = self.last.filter(|last| overlap > 0 && last.end <= core.start) else {
            return core.start;
        };
        let end = self.index().tokens_before(core.start);
        let reaches = |tokens: usize| end.saturating_sub(tokens) <= overlap;
        let marks = self.levels[0].places.inside((last.start, core.start));
        let mut starts: Vec<usize> = Vec::new();
        for mark in marks.iter().rev().take_while(|mark| reaches(mark.tokens)) {
            starts.push(mark.at);
            if mark.is_fresh {
                break;
            }
        }
        let is_held = self.field.outline.held_at(last.end.saturating_sub(1)).is_some();
        if starts.is_empty() && !is_held {
            starts.extend(self.overlap_words(last, core.start, overlap, marks.is_empty()));
        }
        for &start in starts.iter().rev() {
            if start < last.end && self.count(Span::new(start, last.end)) <= overlap {
                return start;
            }
        }
        core.start
    }

    /// The start of a part of a sentence: a clause, or in text without sentences (`any_word`) a word.
    fn overlap_words(&self, last: Span, end: usize, overlap: usize, any_word: bool) -> Option<usize> {
        let text = self.edges().text();
        let reach = self.index().byte_at_token(self.index().tokens_before(end).saturating_sub(overlap));
        let from = (reach.max(last.start)..end).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
        first_start(text, Span::new(from, end), any_word).filter(|&at| self.edges().allows(at))
    }
}
