//! Makes chunks from an outline: cuts spans that are too long, adds overlap and context, counts exactly.

use super::best_cut::{BoundarySet, ScoredBoundary, UncutSpan};
use super::boundary::{Boundary, CutConstraints};
use super::fine_boundaries::{Granularity, SegmentView, first_start};
use super::options::ChunkOptions;
use super::outline::OverlapStart;
use super::text_chunk::TextChunk;
use crate::model::Span;
use crate::text::tokens::{TokenCounter, TokenIndex};

/// Packs one segment into chunks.
pub(super) struct ChunkPacker<'a> {
    view: SegmentView<'a>,
    counter: &'a mut TokenCounter,
    options: &'a ChunkOptions,
    levels: Vec<BoundaryLevel>,
    chunks: Vec<TextChunk>,
    /// The last chunk without its overlap.
    last: Option<Span>,
}

/// The boundaries of one granularity inside one span.
struct BoundaryLevel {
    granularity: Granularity,
    boundaries: BoundarySet,
}

/// A span that becomes a chunk or is cut further.
#[derive(Clone, Copy)]
struct PendingSpan {
    span: Span,
    /// True if no overlap may precede it.
    is_fresh: bool,
    /// The level whose boundaries cut it.
    level: usize,
}

impl<'a> ChunkPacker<'a> {
    /// A packer for a segment whose structure allows cuts at `boundaries`.
    pub(super) fn new(
        view: SegmentView<'a>,
        boundaries: Vec<Boundary>,
        counter: &'a mut TokenCounter,
        options: &'a ChunkOptions,
    ) -> Self {
        let boundaries = BoundarySet::new(boundaries);
        let levels = vec![BoundaryLevel { granularity: Granularity::Structure, boundaries }];
        ChunkPacker { view, counter, options, levels, chunks: Vec::new(), last: None }
    }

    /// Cuts a span into chunks; the first chunk gets no overlap from the text before the span.
    pub(super) fn pack(&mut self, span: Span) {
        let mut stack = vec![PendingSpan { span, is_fresh: true, level: 0 }];
        while let Some(item) = stack.pop() {
            self.levels.truncate(item.level + 1);
            let Some(span) = self.constraints().trimmed(item.span, self.view.indent) else { continue };
            let item = PendingSpan { span, ..item };
            if self.emit(item) {
                continue;
            }
            match self.cut(item) {
                Some((choice, level)) => {
                    let boundary = choice.boundary;
                    stack.push(PendingSpan {
                        span: Span::new(boundary.at, span.end),
                        is_fresh: boundary.is_fresh,
                        level,
                    });
                    stack.push(PendingSpan { span: Span::new(span.start, boundary.at), level, ..item });
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
        self.chunks
    }

    fn constraints(&self) -> CutConstraints<'a> {
        self.view.constraints
    }

    fn index(&self) -> &'a TokenIndex {
        self.view.index
    }

    /// Tokens of a span by the index, which is off by a few if a cut splits a token.
    fn estimate(&self, span: Span) -> usize {
        self.index().tokens_before(span.end).saturating_sub(self.index().tokens_before(span.start))
    }

    fn count(&mut self, span: Span) -> usize {
        self.counter.count_span(self.view.constraints.text(), self.view.index, span)
    }

    /// Makes a chunk of a span if it fits. Overlap is dropped before the span is cut.
    fn emit(&mut self, item: PendingSpan) -> bool {
        let size = self.options.size;
        let estimate = self.estimate(item.span);
        // Far too long by the estimate, so nothing is counted.
        if estimate > size + size / 8 + 8 {
            return false;
        }
        let outline = self.view.outline;
        let context =
            outline.protected_at(item.span.start).and_then(|protected| protected.context.as_deref());
        // Two for the newline between the two, and for what it changes beside it.
        let room = size.saturating_sub(context.map_or(0, |context| self.counter.count(context) + 2));
        // The context says more than an overlap would.
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

    fn push(&mut self, core: Span, start: usize, tokens: usize, context: Option<String>) {
        let heading_path = self.view.outline.path_of(core).map(str::to_owned);
        self.chunks.push(TextChunk { span: Span::new(start, core.end), tokens, heading_path, context });
        self.last = Some(core);
    }

    /// The target size of a chunk in tokens, which leaves room for its overlap and for the error of the estimate.
    /// Room for a header is rounded, so that a changed column name does not move the rows.
    fn target_tokens(&self, item: &PendingSpan) -> usize {
        let size = self.options.size;
        let context = self
            .view
            .outline
            .protected_at(item.span.start)
            .and_then(|protected| protected.context.as_deref());
        let reserved =
            context.map_or(self.options.overlap / 2, |context| (context.len() / 4).next_power_of_two());
        // A header may be longer than a small chunk.
        size.saturating_sub(reserved + size / 128 + 1).max(size / 4).max(1)
    }

    /// The best place to cut a span that does not fit, and the level of that boundary. Tries finer and finer
    /// granularities until the next one cannot be better. `None` if the span is one scalar value, or one grapheme
    /// that fits.
    fn cut(&mut self, item: PendingSpan) -> Option<(ScoredBoundary, usize)> {
        let span = item.span;
        let tokens = (self.index().tokens_before(span.start), self.index().tokens_before(span.end));
        let uncut = UncutSpan { bytes: (span.start, span.end), tokens, full: self.target_tokens(&item) };
        let is_protected = self
            .view
            .outline
            .protected_at(span.start)
            .is_some_and(|protected| protected.span.end >= span.end);
        let mut level = item.level;
        loop {
            let here = &mut self.levels[level];
            let best = here.boundaries.best(&uncut);
            let mut next = here.granularity.finer();
            // Shorter runs are cheap enough to look at each grapheme.
            if next == Some(Granularity::SomeGraphemes) && uncut.len() < 16 * uncut.full {
                next = Some(Granularity::Graphemes);
            }
            let Some(granularity) = next else { return best.map(|choice| (choice, level)) };
            let best_possible = granularity.best_rank(is_protected).score();
            if let Some(choice) =
                best.filter(|choice| choice.score >= best_possible || granularity == Granularity::Scalars)
            {
                return Some((choice, level));
            }
            if granularity == Granularity::Scalars && self.count(span) <= self.options.size {
                return None;
            }
            let coarse = self.levels[level].boundaries.inside(uncut.bytes);
            let boundaries = BoundarySet::new(self.view.boundaries(span, granularity, coarse));
            level += 1;
            self.levels.push(BoundaryLevel { granularity, boundaries });
        }
    }

    /// The start of a chunk that repeats the end of the previous one: the last whole sentences, or else the last
    /// clauses, that fit into `overlap` tokens. An overlap that starts in the middle of a clause is useless.
    fn overlap_start(&mut self, core: Span, overlap: usize) -> usize {
        let Some(last) = self.last.filter(|last| overlap > 0 && last.end <= core.start) else {
            return core.start;
        };
        let end = self.index().tokens_before(core.start);
        let reaches = |tokens: usize| end.saturating_sub(tokens) <= overlap;
        let boundaries = self.levels[0].boundaries.inside((last.start, core.start));
        let mut starts: Vec<usize> = Vec::new();
        for boundary in boundaries.iter().rev().take_while(|boundary| reaches(boundary.tokens)) {
            if boundary.is_fresh || self.view.outline.overlap == OverlapStart::Boundary {
                starts.push(boundary.at);
            }
            if boundary.is_fresh {
                break;
            }
        }
        // The last words of a table or of code mean nothing without their beginning.
        let is_protected = self.view.outline.protected_at(last.end.saturating_sub(1)).is_some();
        if starts.is_empty() && !is_protected {
            starts.extend(self.overlap_words(last, core.start, overlap, boundaries.is_empty()));
        }
        for &start in starts.iter().rev() {
            if start < last.end && self.count(Span::new(start, last.end)) <= overlap {
                return start;
            }
        }
        core.start
    }

    /// The start of a clause inside a sentence, or of a word in text without sentences (`any_word`).
    fn overlap_words(&self, last: Span, end: usize, overlap: usize, any_word: bool) -> Option<usize> {
        let text = self.constraints().text();
        let reach = self.index().byte_at_token(self.index().tokens_before(end).saturating_sub(overlap));
        let from = (reach.max(last.start)..end).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
        first_start(text, Span::new(from, end), any_word).filter(|&at| self.constraints().allows(at))
    }
}
