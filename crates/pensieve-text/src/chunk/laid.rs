//! Laid out pages: windows of whole sentences over a section's MAIN text, each repeating the last sentences of the one
//! before, then its AUX, kind by kind. The reader has written down where sections and sentences stand, as places of the
//! text; nothing is guessed here, and text that was cut once is cut the same way again without its source.
//!
//! Only a sentence that is longer than a window is cut finer, by the packing that all strategies share.

use super::boundary::{Edges, Indent};
use super::finer::Field;
use super::heading::Headings;
use super::outline::Outline;
use super::packing::Packer;
use super::{ChunkOptions, TextChunk};
use crate::layout::WindowOptions;
use crate::model::{AuxKind, LayoutLocator, LayoutRole, Locator, Segment, Span};
use crate::text::tokens::{TokenCounter, TokenIndex};

/// Sentences by which a window may end earlier for the sake of the overlap of the next.
const EARLIER: usize = 3;

/// A window that ends earlier is filled to this part at least, in percent.
const FILLED: usize = 70;

/// What is carried from the segments of a document to the next.
#[derive(Debug, Default)]
pub(super) struct State {
    headings: Headings,
}

/// A sentence with what follows it up to the next.
struct Sentence<'s> {
    span: Span,
    laid: Option<&'s LayoutLocator>,
}

/// What must not be mixed in a chunk.
type Kind = (Option<LayoutRole>, Option<u64>, Option<AuxKind>);

fn kind_of(sentence: &Sentence<'_>) -> Kind {
    sentence.laid.map_or((None, None, None), |laid| (laid.role, laid.section, laid.kind))
}

/// The chunks of a segment.
pub(super) fn pieces(
    segment: &Segment,
    index: &TokenIndex,
    counter: &mut TokenCounter,
    options: &ChunkOptions,
    state: &mut State,
) -> Vec<TextChunk> {
    let edges = Edges::new(&segment.text, &segment.map);
    let sentences = sentences(segment, edges);
    let mut pieces = Vec::new();
    for group in sentences.chunk_by(|a, b| kind_of(a) == kind_of(b)) {
        for heading in group.iter().filter(|sentence| sentence.laid.is_some_and(|laid| laid.level > 0)) {
            let level = heading.laid.map_or(1, |laid| usize::from(laid.level));
            state.headings.enter(level, &segment.text[heading.span.range()]);
        }
        let overlap = if kind_of(&group[0]).0 == Some(LayoutRole::Aux) { 0 } else { options.windows.overlap };
        let windows = WindowOptions { overlap, ..options.windows }.under(options.size);
        let spans: Vec<Span> = group.iter().map(|sentence| sentence.span).collect();
        let path = state.headings.path();
        let mut cutter = Cutter { edges, index, counter, windows, path, spans: &spans, pieces: &mut pieces };
        cutter.cut();
    }
    pieces
}

/// The sentences of a segment, by their places; what lies between two belongs to the first of them.
fn sentences<'s>(segment: &'s Segment, edges: Edges<'_>) -> Vec<Sentence<'s>> {
    let mut found: Vec<(Sentence<'s>, u64)> = Vec::new();
    for (span, locator) in &segment.places.0 {
        let laid = match locator {
            Locator::Layout(laid) => Some(&**laid),
            _ => None,
        };
        let number = laid.map_or(u64::MAX, |laid| laid.sentence);
        let next = Sentence { span: *span, laid };
        let goes_on = found.last().is_some_and(|(last, known)| {
            kind_of(last) == kind_of(&next) && (*known == number || !edges.allows(span.start))
        });
        match found.last_mut() {
            Some((last, _)) if goes_on => last.span.end = span.end,
            _ => found.push((next, number)),
        }
    }
    let mut sentences: Vec<Sentence<'s>> = found.into_iter().map(|(sentence, _)| sentence).collect();
    let ends: Vec<usize> =
        sentences.iter().skip(1).map(|sentence| sentence.span.start).chain([segment.text.len()]).collect();
    sentences.iter_mut().zip(ends).for_each(|(sentence, end)| sentence.span.end = end);
    match sentences.first_mut() {
        Some(first) => first.span.start = 0,
        None => sentences.push(Sentence { span: Span::new(0, segment.text.len()), laid: None }),
    }
    sentences
}

/// Cuts sentences of one kind.
struct Cutter<'a, 'c> {
    edges: Edges<'a>,
    index: &'a TokenIndex,
    counter: &'c mut TokenCounter,
    windows: WindowOptions,
    path: Option<String>,
    spans: &'c [Span],
    pieces: &'c mut Vec<TextChunk>,
}

impl Cutter<'_, '_> {
    fn cut(&mut self) {
        let mut next = 0;
        let mut before = 0;
        while next < self.spans.len() {
            let mut first = self.overlap_start(before, next);
            let mut end = self.fill(first, next);
            while end == next && first < next {
                // The overlap gives way before the sentence does.
                first += 1;
                end = self.fill(first, next);
            }
            if end == next {
                self.cut_sentence(next);
                end = next + 1;
                before = end;
            } else {
                end = self.earlier(first, next, end);
                self.push(first, end);
                before = first + 1;
            }
            next = end;
        }
    }

    /// The text of sentences, without blanks at its ends.
    fn span(&self, first: usize, end: usize) -> Option<Span> {
        let whole = Span::new(self.spans[first].start, self.spans[end - 1].end);
        self.edges.trimmed(whole, Indent::KeepWide)
    }

    fn tokens(&mut self, first: usize, end: usize) -> usize {
        match self.span(first, end) {
            Some(span) => self.counter.count_span(self.edges.text(), self.index, span),
            None => 0,
        }
    }

    fn estimate(&self, first: usize, end: usize) -> usize {
        let (from, to) = (self.spans[first].start, self.spans[end - 1].end);
        self.index.tokens_before(to).saturating_sub(self.index.tokens_before(from))
    }

    /// The first sentence of a window that begins with `next`: as many from before as the overlap holds, but never the
    /// whole window before, nor one that was cut.
    fn overlap_start(&mut self, before: usize, next: usize) -> usize {
        let overlap = self.windows.overlap;
        let mut first = next;
        while first > before && overlap > 0 && self.estimate(first - 1, next) <= overlap + 4 {
            first -= 1;
        }
        while first < next && self.tokens(first, next) > overlap {
            first += 1;
        }
        first
    }

    /// Behind the last sentence that fits into a window from `first` on, which holds `next` at least; `next` itself where
    /// not even that fits.
    fn fill(&mut self, first: usize, next: usize) -> usize {
        let window = self.windows.window;
        let mut end = next;
        while end < self.spans.len() && self.estimate(first, end + 1) <= window + 8 {
            end += 1;
        }
        while end > next && self.tokens(first, end) > window {
            end -= 1;
        }
        end
    }

    /// An end a little earlier, where the next window could repeat nothing after the last sentence but something there.
    fn earlier(&mut self, first: usize, next: usize, end: usize) -> usize {
        if self.windows.min_overlap == 0 || end == self.spans.len() {
            return end;
        }
        let least = self.windows.window * FILLED / 100;
        for candidate in (next + 1..=end).rev().take(EARLIER + 1) {
            let start = self.overlap_start(first + 1, candidate);
            let repeated = if start < candidate { self.tokens(start, candidate) } else { 0 };
            let is_full = candidate == end || self.estimate(first, candidate) >= least;
            if repeated >= self.windows.min_overlap && is_full {
                return candidate;
            }
        }
        end
    }

    fn push(&mut self, first: usize, end: usize) {
        if let Some(span) = self.span(first, end) {
            let tokens = self.tokens(first, end);
            self.pieces.push(TextChunk { span, tokens, heading_path: self.path.clone(), context: None });
        }
    }

    /// A sentence that is longer than a window.
    fn cut_sentence(&mut self, at: usize) {
        let outline = Outline { paths: vec![(0, self.path.clone())], ..Outline::default() };
        let field =
            Field { edges: self.edges, index: self.index, outline: &outline, indent: Indent::KeepWide };
        let options = ChunkOptions {
            size: self.windows.window,
            overlap: 0,
            strategy: super::StrategyChoice::Auto,
            windows: self.windows,
        };
        let mut packer = Packer::new(field, Vec::new(), self.counter, &options);
        packer.pack(self.spans[at]);
        self.pieces.extend(packer.finish());
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Chunker, StrategyChoice};
    use super::*;
    use crate::model::ChunkStrategy;
    use crate::text::tokens::Tokenizer;

    /// A segment of sentences: section, role, kind, level, text.
    fn segment(sentences: &[(u64, LayoutRole, Option<AuxKind>, u8, &str)]) -> Segment {
        let mut segment = Segment::default();
        for (at, (section, role, kind, level, text)) in sentences.iter().enumerate() {
            if at > 0 {
                segment.text.push_str(if *level > 0 { "\n\n" } else { " " });
            }
            let start = segment.text.len();
            segment.text.push_str(text);
            let laid = LayoutLocator {
                role: Some(*role),
                kind: *kind,
                section: Some(*section),
                level: *level,
                sentence: at as u64,
                spots: vec![(1, [0.0, at as f32, 10.0, at as f32 + 1.0])],
            };
            segment.places.push(Span::new(start, segment.text.len()), Locator::Layout(Box::new(laid)));
        }
        segment
    }

    fn cut(segment: &Segment, size: usize, windows: WindowOptions) -> Vec<TextChunk> {
        let options = ChunkOptions { size, overlap: 10, strategy: StrategyChoice::Auto, windows };
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let pieces = Chunker::new(&options, ChunkStrategy::Layout, counter).cut(segment);
        let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut covered = 0;
        for piece in &pieces {
            assert_eq!(piece.tokens, counter.count(&segment.text[piece.span.range()]));
            assert!(piece.tokens <= size.min(windows.window));
            assert!(segment.text[covered..piece.span.start.max(covered)].trim().is_empty());
            covered = covered.max(piece.span.end);
        }
        assert!(segment.text[covered..].trim().is_empty());
        pieces
    }

    #[test]
    fn windows_repeat_whole_sentences_and_cross_no_section() {
        let long = "This sentence has exactly ten tokens in it, surely.";
        let mut all = vec![(1, LayoutRole::Main, None, 1, "One")];
        all.extend([(1, LayoutRole::Main, None, 0, long); 9]);
        all.push((1, LayoutRole::Aux, Some(AuxKind::Caption), 0, "Figure 1 A picture."));
        all.push((1, LayoutRole::Aux, Some(AuxKind::Table), 0, "| a | b |"));
        all.push((2, LayoutRole::Main, None, 2, "Two"));
        all.push((2, LayoutRole::Main, None, 0, long));
        let segment = segment(&all);
        let windows = WindowOptions { window: 50, overlap: 24, min_overlap: 10 };
        let pieces = cut(&segment, 512, windows);
        let paths: Vec<_> = pieces.iter().map(|piece| piece.heading_path.as_deref().unwrap()).collect();
        assert_eq!(paths.last(), Some(&"One > Two"));
        let of = |piece: &TextChunk| &segment.text[piece.span.range()];
        let aux: Vec<&str> = pieces.iter().map(of).filter(|text| !text.contains("sentence")).collect();
        assert_eq!(aux, ["Figure 1 A picture.", "| a | b |"]);
        assert!(
            of(pieces.last().unwrap()).starts_with("Two\n\n")
                || of(pieces.last().unwrap()).starts_with("Two ")
        );
        assert!(pieces[0].span.overlaps(pieces[1].span));
        let shared = &segment.text[pieces[1].span.start..pieces[0].span.end];
        assert_eq!(shared.matches("sentence").count(), 2);
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_finer() {
        let long = "word ".repeat(300);
        let all =
            [(1, LayoutRole::Main, None, 0, "Short one."), (1, LayoutRole::Main, None, 0, long.as_str())];
        let pieces = cut(&segment(&all), 64, WindowOptions::default());
        assert!(pieces.len() > 4);
    }

    #[test]
    fn text_without_places_is_cut_all_the_same() {
        let text = "Nothing is known of this text. It is cut all the same. ".repeat(30);
        let segment = Segment { text, ..Segment::default() };
        assert!(cut(&segment, 64, WindowOptions::default()).len() > 3);
    }
}
