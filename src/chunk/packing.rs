//! From an outline to chunks: cuts what is too long, adds overlap and context, counts exactly.

use super::boundary::{Edges, Indent};
use super::budget::{Choice, Places, Stretch};
use super::finer::{Field, Grain, first_word};
use super::{ChunkOptions, Piece};
use crate::model::Span;
use crate::text::tokens::{Counter, TokenIndex};

/// What all chunks of one segment share.
pub(super) struct Packer<'a> {
    field: Field<'a>,
    counter: &'a mut Counter,
    options: &'a ChunkOptions,
    indent: Indent,
    levels: Vec<Level>,
    pieces: Vec<Piece>,
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
    /// A packer for a segment.
    pub(super) fn new(field: Field<'a>, counter: &'a mut Counter, options: &'a ChunkOptions, indent: Indent) -> Self {
        let places = Places::new(field.outline.marks.clone());
        let levels = vec![Level { grain: Grain::Structure, places }];
        Packer { field, counter, options, indent, levels, pieces: Vec::new(), last: None }
    }

    /// Cuts a span into chunks; the first gets no overlap from what was cut before.
    pub(super) fn pack(&mut self, span: Span) {
        let mut stack = vec![Item { span, is_fresh: true, level: 0 }];
        while let Some(item) = stack.pop() {
            self.levels.truncate(item.level + 1);
            let Some(span) = self.edges().trimmed(item.span, self.indent) else { continue };
            let item = Item { span, ..item };
            if self.emit(item, self.options.overlap) {
                continue;
            }
            match self.cut(item) {
                Some((choice, level)) => {
                    let mark = choice.mark;
                    stack.push(Item { span: Span::new(mark.at, span.end), is_fresh: mark.is_fresh, level });
                    stack.push(Item { span: Span::new(span.start, mark.at), level, ..item });
                }
                None => self.push(item.span, item.span.start, None),
            }
        }
    }

    /// The chunks, in order.
    pub(super) fn finish(self) -> Vec<Piece> {
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
    fn emit(&mut self, item: Item, overlap: usize) -> bool {
        let size = self.options.size;
        let estimate = self.estimate(item.span);
        if estimate > size + size / 8 + 8 {
            return false;
        }
        let outline = self.field.outline;
        let context = outline.held_at(item.span.start).and_then(|held| held.context.as_deref());
        let room = size.saturating_sub(context.map_or(0, |context| self.counter.count(context) + 2));
        let start = if item.is_fresh || context.is_some() || estimate >= room {
            item.span.start
        } else {
            self.overlap_start(item.span, overlap.min(room - estimate))
        };
        if start < item.span.start && self.fits(Span::new(start, item.span.end), room) {
            self.push(item.span, start, None);
            return true;
        }
        let fits = self.fits(item.span, room);
        if fits {
            self.push(item.span, item.span.start, context.map(str::to_owned));
        }
        fits
    }

    fn fits(&mut self, span: Span, room: usize) -> bool {
        self.estimate(span) <= room + room / 8 + 8 && self.count(span) <= room
    }

    /// Writes a chunk down.
    fn push(&mut self, core: Span, start: usize, context: Option<String>) {
        let span = Span::new(start, core.end);
        let tokens = self.count(span);
        let heading_path = self.field.outline.path_at(core.start).map(str::to_owned);
        self.pieces.push(Piece { span, tokens, heading_path, context });
        self.last = Some(core);
    }

    /// Tokens that a chunk is planned to hold: its overlap and what the estimate may be off are left free.
    fn full(&self, item: &Item) -> usize {
        let size = self.options.size;
        let context = self.field.outline.held_at(item.span.start).and_then(|held| held.context.as_deref());
        let taken = context.map_or(self.options.overlap / 2, |context| context.len() / 4);
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
    /// last clause or words, that fit in so many tokens.
    fn overlap_start(&mut self, core: Span, overlap: usize) -> usize {
        let Some(last) = self.last.filter(|last| overlap > 0 && last.end <= core.start) else { return core.start };
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
            starts.extend(self.overlap_words(last, core.start, overlap));
        }
        for &start in starts.iter().rev() {
            if start < last.end && self.count(Span::new(start, last.end)) <= overlap {
                return start;
            }
        }
        core.start
    }

    fn overlap_words(&self, last: Span, end: usize, overlap: usize) -> Option<usize> {
        let text = self.edges().text();
        let reach = self.index().byte_at_token(self.index().tokens_before(end).saturating_sub(overlap));
        let mut from = reach.max(last.start);
        while from < end && !text.is_char_boundary(from) {
            from += 1;
        }
        first_word(text, Span::new(from.min(end), end)).filter(|&at| self.edges().allows(at))
    }
}
