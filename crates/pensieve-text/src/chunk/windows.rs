//! Pages with layout: windows of whole sentences over a section's MAIN text, each repeating the last sentences of the
//! previous one, then its AUX, kind by kind. The reader stored sections and sentences as places of the text, so nothing
//! is guessed here, and stored text is cut in the same way again without its source.
//!
//! A section that consists of its heading alone, such as the number of a chapter above its title, is cut together with
//! the section after it, so that no chunk is a heading alone.
//!
//! Only a sentence that is longer than a window is cut finer, by the packer that all strategies share.

use super::boundary::{CutConstraints, IndentPolicy};
use super::fine_boundaries::SegmentView;
use super::heading_path::HeadingPath;
use super::options::{ChunkOptions, StrategyChoice};
use super::outline::SegmentOutline;
use super::packer::ChunkPacker;
use super::text_chunk::TextChunk;
use crate::layout::WindowOptions;
use crate::model::{AuxKind, LayoutLocator, LayoutRole, Locator, Segment, Span};
use crate::text::tokens::{TokenCounter, TokenIndex};

/// Maximum sentences by which a window may end earlier to give the next one an overlap.
const MAX_SENTENCES_EARLIER: usize = 3;

/// Minimum fill of a window that ends earlier, in percent.
const MIN_FILL_PERCENT: usize = 70;

/// Tokens of headings that may be a chunk of their own; fewer join the section after them.
const MIN_TITLE_TOKENS: usize = 20;

/// A sentence, together with the text up to the next one.
struct LayoutSentence<'s> {
    span: Span,
    /// Its own text, without what is between it and others.
    own: Span,
    laid: Option<&'s LayoutLocator>,
}

impl LayoutSentence<'_> {
    fn is_heading(&self) -> bool {
        self.laid.is_some_and(|laid| laid.role == Some(LayoutRole::Main) && laid.level > 0)
    }
}

/// Role, section and kind of AUX: the sentences of a chunk agree in all three, but for headings without words of their
/// own, which are with the section after them.
type SentenceKey = (Option<LayoutRole>, Option<u64>, Option<AuxKind>);

fn key_of(sentence: &LayoutSentence<'_>) -> SentenceKey {
    sentence.laid.map_or((None, None, None), |laid| (laid.role, laid.section, laid.kind))
}

/// The chunks of a segment; `headings` is the path that is kept from segment to segment.
pub(super) fn chunks(
    segment: &Segment,
    index: &TokenIndex,
    counter: &mut TokenCounter,
    options: &ChunkOptions,
    headings: &mut HeadingPath,
) -> Vec<TextChunk> {
    let constraints = CutConstraints::new(&segment.text, &segment.map);
    let sentences = sentences(segment, constraints);
    let mut chunks = Vec::new();
    for group in groups(&sentences, index) {
        for heading in group.iter().filter(|sentence| sentence.is_heading()) {
            let level = heading.laid.map_or(1, |laid| usize::from(laid.level));
            headings.enter(level, segment.text[heading.own.range()].trim_start_matches('#'));
        }
        // Captions, notes and rows do not go on from each other.
        let overlap = if key_of(&group[0]).0 == Some(LayoutRole::Aux) { 0 } else { options.windows.overlap };
        let windows = WindowOptions { overlap, ..options.windows }.under(options.size);
        let spans: Vec<Span> = group.iter().map(|sentence| sentence.span).collect();
        let path = headings.path();
        let mut cutter =
            WindowCutter { constraints, index, counter, windows, path, spans: &spans, chunks: &mut chunks };
        cutter.cut();
    }
    chunks
}

/// The sentences that are cut together.
fn groups<'g, 's>(sentences: &'g [LayoutSentence<'s>], index: &TokenIndex) -> Vec<&'g [LayoutSentence<'s>]> {
    let mut groups = Vec::new();
    let (mut first, mut end) = (0, 0);
    let mut keyed = sentences.chunk_by(|a, b| key_of(a) == key_of(b)).peekable();
    while let Some(group) = keyed.next() {
        end += group.len();
        let is_title = group.iter().all(LayoutSentence::is_heading);
        let goes_on = is_title && keyed.peek().is_some_and(|next| key_of(&next[0]).0 == key_of(&group[0]).0);
        let (from, to) = (sentences[first].span.start, sentences[end - 1].span.end);
        let tokens = index.tokens_before(to).saturating_sub(index.tokens_before(from));
        if !goes_on || tokens >= MIN_TITLE_TOKENS {
            groups.push(&sentences[first..end]);
            first = end;
        }
    }
    groups
}

/// The sentences of a segment, by their places. White space between two sentences belongs to the first; a mark of pages
/// belongs to the second, since pages begin with MAIN text, and AUX has nothing around its sentences.
fn sentences<'s>(segment: &'s Segment, constraints: CutConstraints<'_>) -> Vec<LayoutSentence<'s>> {
    let mut found: Vec<(LayoutSentence<'s>, u64)> = Vec::new();
    for (span, locator) in &segment.places.0 {
        let laid = match locator {
            Locator::Layout(laid) => Some(&**laid),
            _ => None,
        };
        let number = laid.map_or(u64::MAX, |laid| laid.sentence);
        let next = LayoutSentence { span: *span, own: *span, laid };
        let goes_on = found.last().is_some_and(|(last, known)| {
            // A sentence whose end splits a grapheme cannot be separated from the next.
            key_of(last) == key_of(&next) && (*known == number || !constraints.allows(span.start))
        });
        match found.last_mut() {
            Some((last, _)) if goes_on => (last.span.end, last.own.end) = (span.end, span.end),
            _ => found.push((next, number)),
        }
    }
    let mut sentences: Vec<LayoutSentence<'s>> = found.into_iter().map(|(sentence, _)| sentence).collect();
    for at in 1..sentences.len() {
        let (end, start) = (sentences[at - 1].span.end, sentences[at].span.start);
        let between = &segment.text[end..start.max(end)];
        let border = start - between.trim_start().len();
        (sentences[at - 1].span.end, sentences[at].span.start) = (border, border);
    }
    sentences.last_mut().into_iter().for_each(|last| last.span.end = segment.text.len());
    match sentences.first_mut() {
        Some(first) => first.span.start = 0,
        None => {
            let span = Span::new(0, segment.text.len());
            sentences.push(LayoutSentence { span, own: span, laid: None });
        }
    }
    sentences
}

/// Cuts sentences with one key.
struct WindowCutter<'a, 'c> {
    constraints: CutConstraints<'a>,
    index: &'a TokenIndex,
    counter: &'c mut TokenCounter,
    windows: WindowOptions,
    path: Option<String>,
    spans: &'c [Span],
    chunks: &'c mut Vec<TextChunk>,
}

impl WindowCutter<'_, '_> {
    fn cut(&mut self) {
        let mut next = 0;
        let mut before = 0;
        while next < self.spans.len() {
            let mut first = self.overlap_start(before, next);
            let mut end = self.fill(first, next);
            while end == next && first < next {
                // The overlap is shortened before the sentence is cut.
                first += 1;
                end = self.fill(first, next);
            }
            if end == next {
                self.cut_sentence(next);
                end = next + 1;
                before = end;
            } else {
                end = self.earlier_end(first, next, end);
                self.push(first, end);
                before = first + 1;
            }
            next = end;
        }
    }

    /// The text of some sentences, without white space at its ends.
    fn span(&self, first: usize, end: usize) -> Option<Span> {
        let whole = Span::new(self.spans[first].start, self.spans[end - 1].end);
        self.constraints.trimmed(whole, IndentPolicy::KeepWide)
    }

    fn tokens(&mut self, first: usize, end: usize) -> usize {
        match self.span(first, end) {
            Some(span) => self.counter.count_span(self.constraints.text(), self.index, span),
            None => 0,
        }
    }

    fn estimate(&self, first: usize, end: usize) -> usize {
        let (from, to) = (self.spans[first].start, self.spans[end - 1].end);
        self.index.tokens_before(to).saturating_sub(self.index.tokens_before(from))
    }

    /// The first sentence of a window that continues at `next`: it repeats as many earlier sentences as fit into the
    /// overlap, but never the whole window before nor a sentence that was cut.
    fn overlap_start(&mut self, before: usize, next: usize) -> usize {
        let overlap = self.windows.overlap;
        let mut first = next;
        // The estimate may be a few tokens too high; the exact count decides below.
        while first > before && overlap > 0 && self.estimate(first - 1, next) <= overlap + 4 {
            first -= 1;
        }
        while first < next && self.tokens(first, next) > overlap {
            first += 1;
        }
        first
    }

    /// The index after the last sentence of a window that starts at sentence `first`. The sentences before `next` are
    /// always in it; from `next` on, as many as fit.
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

    /// An end up to a few sentences earlier, if only that gives the next window an overlap.
    fn earlier_end(&mut self, first: usize, next: usize, end: usize) -> usize {
        if self.windows.min_overlap == 0 || end == self.spans.len() {
            return end;
        }
        let least = self.windows.window * MIN_FILL_PERCENT / 100;
        for candidate in (next + 1..=end).rev().take(MAX_SENTENCES_EARLIER + 1) {
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
            self.chunks.push(TextChunk { span, tokens, heading_path: self.path.clone(), context: None });
        }
    }

    /// Cuts a sentence that is longer than a window.
    fn cut_sentence(&mut self, at: usize) {
        let outline = SegmentOutline { paths: vec![(0, self.path.clone())], ..SegmentOutline::default() };
        let view = SegmentView {
            constraints: self.constraints,
            index: self.index,
            outline: &outline,
            indent: IndentPolicy::KeepWide,
        };
        let options = ChunkOptions {
            size: self.windows.window,
            overlap: 0,
            strategy: StrategyChoice::Auto,
            windows: self.windows,
        };
        let mut packer = ChunkPacker::new(view, Vec::new(), self.counter, &options);
        packer.pack(self.spans[at]);
        self.chunks.extend(packer.finish());
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
                ocr: false,
            };
            segment.places.push(Span::new(start, segment.text.len()), Locator::Layout(Box::new(laid)));
        }
        segment
    }

    fn cut(segment: &Segment, size: usize, windows: WindowOptions) -> Vec<TextChunk> {
        let options = ChunkOptions { size, overlap: 10, strategy: StrategyChoice::Auto, windows };
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let chunks = Chunker::new(&options, ChunkStrategy::Layout, counter).cut(segment);
        let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut covered = 0;
        for chunk in &chunks {
            assert_eq!(chunk.tokens, counter.count(&segment.text[chunk.span.range()]));
            assert!(chunk.tokens <= size.min(windows.window));
            assert!(segment.text[covered..chunk.span.start.max(covered)].trim().is_empty());
            covered = covered.max(chunk.span.end);
        }
        assert!(segment.text[covered..].trim().is_empty());
        chunks
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
        let chunks = cut(&segment, 512, windows);
        let paths: Vec<_> = chunks.iter().map(|chunk| chunk.heading_path.as_deref().unwrap()).collect();
        assert_eq!(paths.last(), Some(&"One > Two"));
        let of = |chunk: &TextChunk| &segment.text[chunk.span.range()];
        let aux: Vec<&str> = chunks.iter().map(of).filter(|text| !text.contains("sentence")).collect();
        assert_eq!(aux, ["Figure 1 A picture.", "| a | b |"]);
        assert!(
            of(chunks.last().unwrap()).starts_with("Two\n\n")
                || of(chunks.last().unwrap()).starts_with("Two ")
        );
        assert!(chunks[0].span.overlaps(chunks[1].span));
        let shared = &segment.text[chunks[1].span.start..chunks[0].span.end];
        assert_eq!(shared.matches("sentence").count(), 2);
    }

    #[test]
    fn a_heading_without_words_of_its_own_joins_the_section_after_it() {
        let check = |sentences: &[(u64, LayoutRole, Option<AuxKind>, u8, &str)], expected: &[&str]| {
            let segment = segment(sentences);
            let chunks = cut(&segment, 512, WindowOptions::default());
            let found: Vec<String> =
                chunks.iter().map(|chunk| segment.text[chunk.span.range()].replace("\n\n", " ")).collect();
            assert_eq!(found, expected);
        };
        let main = |section, level, text| (section, LayoutRole::Main, None, level, text);
        let aux = |section, text| (section, LayoutRole::Aux, Some(AuxKind::Table), 0, text);
        check(
            &[main(1, 1, "Chapter 5"), main(2, 1, "On Ice"), main(2, 0, "It is cold."), main(3, 1, "End")],
            &["Chapter 5 On Ice It is cold.", "End"],
        );
        // A table is no text of a section, and a section with words is complete.
        check(&[main(1, 1, "Contents"), aux(1, "| a |"), main(2, 1, "One")], &["Contents", "| a |", "One"]);
        check(&[main(1, 1, "One"), main(1, 0, "Words."), main(2, 1, "Two")], &["One Words.", "Two"]);
        let long =
            "A heading of so many words that it says by itself what it is about, and so on, and even more";
        check(&[main(1, 1, long), main(2, 1, "One"), main(2, 0, "Words.")], &[long, "One Words."]);
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_finer() {
        let long = "word ".repeat(300);
        let all =
            [(1, LayoutRole::Main, None, 0, "Short one."), (1, LayoutRole::Main, None, 0, long.as_str())];
        let chunks = cut(&segment(&all), 64, WindowOptions::default());
        assert!(chunks.len() > 4);
    }

    #[test]
    fn text_without_places_is_cut_all_the_same() {
        let text = "Nothing is known of this text. It is cut all the same. ".repeat(30);
        let segment = Segment { text, ..Segment::default() };
        assert!(cut(&segment, 64, WindowOptions::default()).len() > 3);
    }

    /// Sentences of so many tokens, each of one letter: the letters of each chunk.
    fn windows_of(lengths: &[usize], window: usize, overlap: usize, min_overlap: usize) -> Vec<String> {
        let texts: Vec<String> =
            ('a'..).zip(lengths).map(|(c, length)| vec![c.to_string(); *length].join(" ")).collect();
        let sentences: Vec<_> =
            texts.iter().map(|text| (1, LayoutRole::Main, None, 0, text.as_str())).collect();
        let segment = segment(&sentences);
        let chunks = cut(&segment, 512, WindowOptions { window, overlap, min_overlap });
        let letters = |chunk: &TextChunk| {
            let mut letters: Vec<char> =
                segment.text[chunk.span.range()].chars().filter(|c| *c != ' ').collect();
            letters.dedup();
            letters.into_iter().collect()
        };
        chunks.iter().map(letters).collect()
    }

    #[test]
    fn windows_are_filled_with_whole_sentences() {
        let check = |lengths: &[usize], window, expected: &[&str]| {
            assert_eq!(windows_of(lengths, window, 0, 0), expected, "{lengths:?} {window}");
        };
        check(&[10, 10, 10, 10], 30, &["abc", "d"]);
        check(&[10, 10, 10, 10], 29, &["ab", "cd"]);
        check(&[10, 10, 10, 10], 40, &["abcd"]);
        check(&[30, 5], 30, &["a", "b"]);
        check(&[30, 5], 35, &["ab"]);
        check(&[5, 31, 5], 30, &["a", "b", "b", "c"]);
        check(&[61, 5], 30, &["a", "a", "a", "b"]);
    }

    #[test]
    fn windows_repeat_what_fits_into_the_overlap() {
        let check = |lengths: &[usize], window, overlap, expected: &[&str]| {
            assert_eq!(windows_of(lengths, window, overlap, 0), expected, "{lengths:?} {window} {overlap}");
        };
        check(&[10; 5], 30, 10, &["abc", "cde"]);
        check(&[10; 5], 30, 9, &["abc", "de"]);
        check(&[5; 10], 30, 10, &["abcdef", "efghij"]);
        check(&[5; 10], 30, 14, &["abcdef", "efghij"]);
        check(&[10; 6], 30, 14, &["abc", "cde", "ef"]);
        check(&[20, 10, 25], 30, 10, &["ab", "c"]);
        check(&[20, 10, 20], 30, 10, &["ab", "bc"]);
        check(&[10, 10, 31, 10], 30, 10, &["ab", "c", "c", "d"]);
        check(&[4, 26, 4, 26], 30, 14, &["ab", "cd"]);
        check(&[26, 4, 26, 4], 30, 14, &["ab", "bc", "d"]);
        check(&[10, 20, 10, 20], 30, 14, &["ab", "cd"]);
    }

    #[test]
    fn a_window_ends_earlier_if_only_that_gives_an_overlap() {
        let check = |lengths: &[usize], min_overlap, expected: &[&str]| {
            assert_eq!(windows_of(lengths, 40, 10, min_overlap), expected, "{lengths:?} {min_overlap}");
        };
        check(&[10, 10, 8, 12, 10], 8, &["abc", "cde"]);
        check(&[10, 10, 8, 12, 10], 9, &["abcd", "e"]);
        check(&[10, 10, 8, 12, 10], 0, &["abcd", "e"]);
        check(&[12, 8, 8, 12, 10], 8, &["abc", "cde"]);
        check(&[11, 8, 8, 13, 10], 8, &["abcd", "e"]);
        check(&[10, 10, 8, 12], 8, &["abcd"]);
        check(&[20, 8, 4, 4, 4, 30], 8, &["abcde", "def"]);
        check(&[20, 9, 11, 30], 8, &["ab", "bc", "d"]);
    }

    #[test]
    fn titles_of_twenty_tokens_are_chunks_of_their_own() {
        let check = |words: usize, expected: usize| {
            let title = vec!["a"; words].join(" ");
            let main = |section, level, text| (section, LayoutRole::Main, None, level, text);
            let segment = segment(&[main(1, 1, title.as_str()), main(2, 1, "One"), main(2, 0, "Words.")]);
            assert_eq!(cut(&segment, 512, WindowOptions::default()).len(), expected, "{words}");
        };
        check(17, 1);
        check(19, 2);
        check(20, 2);
    }
}
