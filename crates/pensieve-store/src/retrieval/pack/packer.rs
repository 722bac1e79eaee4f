//! [`Packer`]: the spans that were chosen, and what they cost.
//!
//! Costs are estimates: the tokens of each part counted by itself, in the form that it has in the output. The whole is
//! counted when it is written.

use super::options::PackOptions;
use super::piece::PackPiece;
use super::reader::TextReader;
use super::render;
use super::shingles::KnownShingles;
use crate::store::{ChunkPlace, Citation, DocumentText, Store, StoreError};
use pensieve_text::text::tokens::TokenCounter;
use std::collections::BTreeSet;
use std::ops::Range;

/// Passages with at most this many bytes between them become one: that costs less than another frame.
const MAX_GAP_BYTES: usize = 160;
/// Text of which this share is in the pack already adds nothing.
const KNOWN_SHARE: f64 = 0.8;
/// While the frames of the pieces take more than this part of the budget, no further piece is added as long as those that
/// are there can grow: about 13 pieces in 4,000 tokens, so that words are at least 85 % of a pack.
const MAX_FRAME_PART: f64 = 0.12;
/// After so many hits in a row that do not fit, no further hit is tried.
const MAX_MISSES: usize = 20;
/// With fewer tokens left no further hit is tried.
const MIN_LEFT: usize = 24;
/// Text of fewer bytes next to a passage may repeat a heading or a line of a table.
const MAX_REPEATED_BYTES: usize = 80;
/// A run of so many words that the pack has already is not paid for again: the shortest passage of a ledger of repetition.
const PASSAGE_WORDS: usize = 50;
/// What is left of a span between such passages is a piece if it has so many bytes.
const MIN_REST_BYTES: usize = 200;

/// A part of a document that the pack contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Passage {
    /// Bytes of the clean text.
    pub span: Range<usize>,
    /// The part of it that was found by the best hit.
    pub core: Range<usize>,
    /// The rank of that hit; no two passages have the same.
    pub rank: usize,
    /// Tokens of what surrounds the text in the output.
    pub frame: usize,
}

/// A document with its passages.
#[derive(Debug)]
pub(super) struct PackedDocument<'s> {
    /// Its text.
    pub text: DocumentText<'s>,
    /// In the order of the text; they neither touch nor overlap.
    pub passages: Vec<Passage>,
}

/// What became of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AddResult {
    /// It is in the pack.
    Added,
    /// The pack has these words already.
    Known,
    /// It costs more tokens than are left.
    TooLarge,
    /// The document or the pack has as many pieces as it may have.
    TooMany,
}

/// Chooses spans within a budget.
pub(super) struct Packer<'s> {
    pub store: &'s Store,
    pub options: &'s PackOptions,
    pub counter: TokenCounter,
    pub reader: TextReader,
    /// In the order of their best hits.
    pub documents: Vec<PackedDocument<'s>>,
    /// Tokens so far.
    pub used: usize,
    /// True as long as pieces are better grown than added where there are many.
    pub limits_frames: bool,
    /// Hits in a row that did not fit.
    pub misses: usize,
    known: KnownShingles,
    /// Documents with text that was left out because the pack has it already.
    pub repeating: BTreeSet<usize>,
}

impl<'s> Packer<'s> {
    /// A packer of an empty pack, which takes `used` tokens.
    pub fn new(store: &'s Store, options: &'s PackOptions, counter: TokenCounter, used: usize) -> Packer<'s> {
        let (reader, known) = (TextReader::default(), KnownShingles::default());
        Packer {
            store,
            options,
            counter,
            reader,
            documents: Vec::new(),
            used,
            limits_frames: true,
            misses: 0,
            known,
            repeating: BTreeSet::new(),
        }
    }

    /// The tokens that are left.
    pub fn left(&self) -> usize {
        self.options.budget.saturating_sub(self.used)
    }

    /// True if another hit may fit.
    pub fn has_room(&self) -> bool {
        self.left() >= MIN_LEFT && self.misses < MAX_MISSES && !self.has_many_frames()
    }

    /// The tokens of a text in its form in the output.
    pub fn cost(&mut self, text: &str) -> usize {
        self.counter.count(&render::text_form(text, self.options.format))
    }

    /// The tokens of a piece at a place, without its text.
    pub fn frame_cost(&mut self, place: &ChunkPlace) -> Result<usize, StoreError> {
        let mut piece = PackPiece::new(String::new(), place.clone(), self.options.hides_paths);
        (piece.number, piece.citation) = (100, self.short(place)?.to_string());
        Ok(self.counter.count(&render::piece(&piece, self.options.format)))
    }

    /// The short citation of a place.
    pub fn short(&self, place: &ChunkPlace) -> Result<Citation, StoreError> {
        Ok(place.citation.shortened(self.store.documents().short_uid(&place.doc_uid)?))
    }

    /// The document of a place, which is added without passages if it is new; `None` if it has no text any more.
    pub fn document(&mut self, place: &ChunkPlace) -> Result<Option<usize>, StoreError> {
        let is_it = |known: &PackedDocument<'_>| known.text.document.doc_uid == place.doc_uid;
        if let Some(at) = self.documents.iter().position(is_it) {
            return Ok(Some(at));
        }
        let Some(text) = self.store.documents().clean_text(&place.doc_uid)? else { return Ok(None) };
        let is_copy = |known: &PackedDocument<'_>| known.text.document.text_id == text.document.text_id;
        if let Some(at) = self.documents.iter().position(is_copy) {
            return Ok(Some(at));
        }
        self.documents.push(PackedDocument { text, passages: Vec::new() });
        Ok(Some(self.documents.len() - 1))
    }

    /// Adds a span to a document, joined with the passages that it touches.
    pub fn add(&mut self, document: usize, added: Passage) -> Result<AddResult, StoreError> {
        let max_pieces = self.options.max_per_document.unwrap_or(usize::MAX);
        let PackedDocument { text, passages } = &self.documents[document];
        let touched = touched(passages, &added.span);
        if touched.is_empty() && (passages.len() >= max_pieces || self.has_many_frames()) {
            return Ok(AddResult::TooMany);
        }
        let old = &passages[touched.clone()];
        let union = union(old, &added.span);
        let new_parts = uncovered(old, &union);
        let mut texts = Vec::with_capacity(new_parts.len());
        for part in new_parts {
            let words = self.reader.words(text, part.clone())?;
            let runs = self.known.runs(&words, PASSAGE_WORDS);
            if !runs.is_empty() {
                let rest = rest(&words, &runs, &part, old);
                self.repeating.insert(document);
                let Some(span) = rest else { return Ok(AddResult::Known) };
                let core = added.core.start.max(span.start)..added.core.end.min(span.end);
                let core = if core.start < core.end { core } else { span.clone() };
                return self.add(document, Passage { span, core, ..added });
            }
            texts.push(words);
        }
        let new_text = texts.concat();
        let is_small = !old.is_empty() && new_text.len() <= MAX_REPEATED_BYTES;
        if new_text.trim().is_empty() {
            return Ok(AddResult::Known);
        }
        if !is_small && self.known.share(&new_text) >= KNOWN_SHARE {
            self.repeating.insert(document);
            return Ok(AddResult::Known);
        }
        let saved: usize = old.iter().skip(1).map(|passage| passage.frame).sum();
        let best = old.iter().min_by_key(|passage| passage.rank).unwrap_or(&added);
        let joined = Passage { span: union, ..best.clone() };
        let cost = texts.iter().map(|text| self.cost(text)).sum::<usize>()
            + if touched.is_empty() { added.frame } else { 0 };
        if self.used + cost > self.options.budget.saturating_add(saved) {
            return Ok(AddResult::TooLarge);
        }
        self.used = (self.used + cost).saturating_sub(saved);
        texts.iter().for_each(|text| self.known.add(text));
        self.documents[document].passages.splice(touched, [joined]);
        Ok(AddResult::Added)
    }

    fn has_many_frames(&self) -> bool {
        let passages = self.documents.iter().flat_map(|document| &document.passages);
        let frames: usize = passages.map(|passage| passage.frame).sum();
        self.limits_frames && frames as f64 > MAX_FRAME_PART * self.options.budget as f64
    }

    /// The ranks of all passages, best first.
    pub fn ranks(&self) -> Vec<usize> {
        let passages = self.documents.iter().flat_map(|document| &document.passages);
        let mut ranks: Vec<usize> = passages.map(|passage| passage.rank).collect();
        ranks.sort_unstable();
        ranks
    }

    /// The document and the position in it of the passage with a rank, if it has not been joined to a better one.
    pub fn find(&self, rank: usize) -> Option<(usize, usize)> {
        self.documents.iter().enumerate().find_map(|(document, packed)| {
            let at = packed.passages.iter().position(|passage| passage.rank == rank)?;
            Some((document, at))
        })
    }
}

/// What is left of a part of a document without the runs that are known: what goes on from the passages before or after it, else
/// the longest rest.
fn rest(
    words: &str,
    runs: &[Range<usize>],
    part: &Range<usize>,
    passages: &[Passage],
) -> Option<Range<usize>> {
    let starts = [0].into_iter().chain(runs.iter().map(|run| run.end));
    let ends = runs.iter().map(|run| run.start).chain([words.len()]);
    // Two runs overlap where one shingle between them is new.
    let mut rests = starts.zip(ends).filter(|(start, end)| start < end);
    let follows = passages.iter().any(|passage| passage.span.end == part.start);
    let precedes = passages.iter().any(|passage| passage.span.start == part.end);
    let (start, end) = match (follows, precedes) {
        (true, true) => None,
        (true, false) => rests.next().filter(|(start, _)| *start == 0),
        (false, true) => rests.last().filter(|(_, end)| *end == words.len()),
        (false, false) => {
            rests.max_by_key(|(start, end)| end - start).filter(|(start, end)| end - start >= MIN_REST_BYTES)
        }
    }?;
    // A run ends with a word: what follows it begins with the marks after that.
    let start = if start > 0 { start + words[start..end].find(char::is_alphanumeric)? } else { start };
    let end = if end < words.len() { start + words[start..end].trim_end().len() } else { end };
    (start < end).then(|| part.start + start..part.start + end)
}

/// The passages that a span overlaps or nearly touches.
fn touched(passages: &[Passage], span: &Range<usize>) -> Range<usize> {
    let first = passages.partition_point(|passage| passage.span.end + MAX_GAP_BYTES < span.start);
    let last = passages.partition_point(|passage| passage.span.start <= span.end + MAX_GAP_BYTES);
    first..last.max(first)
}

fn union(passages: &[Passage], span: &Range<usize>) -> Range<usize> {
    let start = passages.first().map_or(span.start, |first| first.span.start.min(span.start));
    let end = passages.last().map_or(span.end, |last| last.span.end.max(span.end));
    start..end
}

/// The parts of a span that no passage has.
fn uncovered(passages: &[Passage], span: &Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut at = span.start;
    for passage in passages {
        parts.push(at..passage.span.start);
        at = passage.span.end;
    }
    parts.push(at..span.end);
    parts.retain(|part| part.start < part.end);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{corpus, only_uid};
    use pensieve_text::text::tokens::Tokenizer;

    fn passage(span: Range<usize>, rank: usize, frame: usize) -> Passage {
        Passage { core: span.clone(), span, rank, frame }
    }

    fn passages(spans: &[Range<usize>]) -> Vec<Passage> {
        spans.iter().enumerate().map(|(rank, span)| passage(span.clone(), rank, 9)).collect()
    }

    #[test]
    fn passages_with_little_between_them_touch() {
        let known = passages(&[100..200, 900..1000]);
        let check = |span: Range<usize>, expected: Range<usize>| {
            assert_eq!(touched(&known, &span), expected, "{span:?}");
        };
        check(360..365, 0..1);
        check(361..365, 1..1);
        check(700..740, 1..2);
        check(700..739, 1..1);
        check(360..740, 0..2);
        check(1160..1200, 1..2);
        check(1161..1200, 2..2);
        check(0..1, 0..1);
        assert_eq!(touched(&[], &(5..9)), 0..0);
    }

    #[test]
    fn spans_are_joined_and_only_what_is_new_is_read() {
        let known = passages(&[100..200, 500..600]);
        assert_eq!(union(&known, &(150..550)), 100..600);
        assert_eq!(union(&known, &(50..700)), 50..700);
        assert_eq!(union(&[], &(5..9)), 5..9);
        assert_eq!(uncovered(&known, &(50..700)), [50..100, 200..500, 600..700]);
        assert_eq!(uncovered(&known, &(100..600)), [200..500; 1]);
        assert_eq!(uncovered(&[], &(5..9)), [5..9; 1]);
    }

    #[test]
    fn what_is_left_goes_on_from_a_passage_or_is_the_longest() {
        let words = "x".repeat(1000);
        let check = |runs: &[Range<usize>], passages: &[Passage], expected: Option<Range<usize>>| {
            assert_eq!(rest(&words, runs, &(100..1100), passages), expected, "{runs:?}");
        };
        let (before, after) = (passages(&[0..100; 1]), passages(&[1100..1200; 1]));
        check(&[300..400, 398..500], &[], Some(600..1100));
        check(&[300..400, 398..500], &before, Some(100..400));
        check(&[300..400, 398..500], &after, Some(600..1100));
        check(&[0..400, 398..1000], &before, None);
        check(&[0..400, 398..1000], &after, None);
        check(&[100..950; 1], &[], None);
        check(&[300..400; 1], &passages(&[0..100, 1100..1200]), None);
    }

    /// A text of forty paragraphs of different words, 16 bytes from the start of one to that of the next.
    fn paragraphs() -> String {
        (0..40).map(|n| format!("word{n:02} line{:02}\n\n", n * 7 % 40)).collect::<Vec<_>>().concat()
    }

    /// What becomes of spans that are added one after the other, and the tokens of the pack.
    fn added(
        store: &Store,
        options: &PackOptions,
        spans: &[Range<usize>],
    ) -> (Vec<AddResult>, usize, Vec<Passage>) {
        let counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let mut packer = Packer::new(store, options, counter, 3);
        // One frame is more of such budgets than frames may be.
        packer.limits_frames = false;
        let text = store.documents().clean_text(&only_uid(store)).unwrap().unwrap();
        packer.documents.push(PackedDocument { text, passages: Vec::new() });
        let add =
            |(rank, span): (usize, &Range<usize>)| packer.add(0, passage(span.clone(), rank, 9)).unwrap();
        let results = spans.iter().enumerate().map(add).collect();
        (results, packer.used, packer.documents.remove(0).passages)
    }

    #[test]
    fn a_span_is_added_if_its_tokens_and_its_frame_fit() {
        use AddResult::{Added, Known, TooLarge, TooMany};
        let store = corpus(&[("a.txt", &[&paragraphs()])]);
        let added = |options: &PackOptions, spans: &[Range<usize>]| added(&store, options, spans);
        let (first, second, between) = (0..13, 320..333, 13..320);
        let (results, used, found) = added(&PackOptions::default(), &[first.clone(), second.clone()]);
        assert_eq!((results, found.len()), (vec![Added; 2], 2));
        let cost = added(&PackOptions::default(), std::slice::from_ref(&first)).1 - 3;
        let fits = |budget: usize, spans: &[Range<usize>]| {
            added(&PackOptions { budget, ..PackOptions::default() }, spans).0
        };
        assert_eq!(fits(3 + cost, &[first.clone(), second.clone()]), [Added, TooLarge]);
        assert_eq!(fits(2 + cost, std::slice::from_ref(&first)), [TooLarge]);
        assert_eq!(fits(used, &[first.clone(), second.clone()]), [Added, Added]);
        assert_eq!(fits(used - 1, &[first.clone(), second.clone()]), [Added, TooLarge]);
        // What joins two passages saves a frame, and the best rank stays.
        let all = [first.clone(), second.clone(), between];
        let (results, joined, found) = added(&PackOptions::default(), &all);
        assert_eq!(
            (results, found),
            (vec![Added; 3], vec![Passage { core: 0..13, ..passage(0..333, 0, 9) }])
        );
        assert_eq!(fits(joined, &all), [Added; 3]);
        assert_eq!(fits(joined - 1, &all), [Added, Added, TooLarge]);
        assert_eq!(fits(999, &[first.clone(), 2..9]), [Added, Known]);
        let one = PackOptions { max_per_document: Some(1), ..PackOptions::default() };
        assert_eq!(added(&one, &[first, second, 16..29]).0, [Added, TooMany, Added]);
    }

    #[test]
    fn a_packer_knows_what_is_left_and_where_its_passages_are() {
        let store = corpus(&[("a.txt", &["one"])]);
        let counter = || Tokenizer::named("cl100k_base").unwrap().counter();
        let options = PackOptions { budget: 100, ..PackOptions::default() };
        let of = |used: usize| {
            let packer = Packer::new(&store, &options, counter(), used);
            (packer.left(), packer.has_room())
        };
        assert_eq!((of(76), of(77), of(101)), ((24, true), (23, false), (0, false)));
        let mut packer = Packer::new(&store, &options, counter(), 0);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        for ranks in [[3, 0], [1, 2]] {
            let passages = ranks.map(|rank| passage(rank..rank + 1, rank, 9)).to_vec();
            packer.documents.push(PackedDocument { text: text.clone(), passages });
        }
        assert_eq!(packer.ranks(), [0, 1, 2, 3]);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|rank| packer.find(rank)),
            [Some((0, 1)), Some((1, 0)), Some((1, 1)), Some((0, 0)), None]
        );
    }
}
