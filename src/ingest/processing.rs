//! From raw text to stored parts: clean, cut, count, hash, pack. Each thread has one processor for one document at a
//! time.

use super::recipes::StageRecipes;
use super::text_profile::TextProfile;
use pensieve_store::store::{
    ChunkLines, ChunkRow, PackedSegment, PlaceColumns, RAW_VERSION, TextPacker, TextVariant, VersionRow,
};
use pensieve_text::chunk::{Chunker, TextChunk, layout_violations, strategy_name};
use pensieve_text::format::Format;
use pensieve_text::layout::LayoutViolation;
use pensieve_text::model::{
    ChunkStrategy, ContentHash, ContentHasher, DocumentSection, LineCursor, Locator, ReviewReason,
    ReviewReasonKind, Segment,
};
use pensieve_text::text::clean::Cleaner;
use pensieve_text::text::contents::SectionList;
use pensieve_text::text::facts::{FactFinder, TextFacts};
use pensieve_text::text::folds::FoldFinder;
use pensieve_text::text::review::{ReviewEvidence, merge_review_reasons};
use pensieve_text::text::segmenter::Segmenter;
use pensieve_text::text::tokens::TokenCounter;
use std::collections::BTreeMap;
use std::ops::DerefMut;
use std::sync::Arc;
use std::time::Instant;

/// A part of a processed document, in order.
#[derive(Debug)]
pub(super) enum ProcessedPart {
    /// A segment of stored text.
    Text(PackedSegment),
    /// Chunks of the preceding segment.
    Chunks { strategy: Arc<str>, rows: Vec<ChunkRow> },
}

/// Which texts of a document are stored anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeptTexts {
    pub raw: bool,
    pub clean: bool,
}

/// The result of processing a document.
#[derive(Debug, Default)]
pub(super) struct ProcessedDocument {
    pub versions: Vec<VersionRow>,
    /// The sections of the clean text, if the document has contents.
    pub sections: Vec<DocumentSection>,
    pub tokens: u64,
    /// The digest over its chunks.
    pub chunk_lines: ChunkLines,
    /// The violations found in its chunks.
    pub violations: Vec<LayoutViolation>,
}

/// Receives the parts; returns false to stop the document.
pub(super) type PartSink<'e> = &'e mut dyn FnMut(ProcessedPart) -> bool;

/// Turns documents into parts.
pub(super) struct TextProcessor<'c> {
    recipes: &'c StageRecipes<'c>,
    packer: TextPacker,
    counter: TokenCounter,
    chunkers: BTreeMap<ChunkStrategy, (Chunker, Arc<str>)>,
}

impl<'c> TextProcessor<'c> {
    pub fn new(recipes: &'c StageRecipes<'c>) -> std::io::Result<TextProcessor<'c>> {
        let counter = recipes.tokenizer.counter();
        Ok(TextProcessor { recipes, packer: TextPacker::new()?, counter, chunkers: BTreeMap::new() })
    }

    /// Begins a document.
    pub fn begin(&mut self, shape: TextProfile, keep: KeptTexts) -> DocumentProcessing<'c, &mut Self> {
        DocumentProcessing::new(self, shape, keep)
    }

    fn start(&mut self, strategy: ChunkStrategy, format: &Format) {
        let (options, tokenizer) = (&self.recipes.chunk, self.recipes.tokenizer);
        let (chunker, _) = self.chunkers.entry(strategy).or_insert_with(|| {
            let name = strategy_name(strategy, options);
            (Chunker::new(options, strategy, tokenizer.counter()), Arc::from(name))
        });
        chunker.start_document(format.headings);
    }
}

impl<'c, D: DerefMut<Target = TextProcessor<'c>>> DocumentProcessing<'c, D> {
    /// Begins a document with a processor that is borrowed, or kept until the end.
    pub fn new(mut processor: D, shape: TextProfile, keep: KeptTexts) -> DocumentProcessing<'c, D> {
        let TextProfile { format, kind, strategy } = shape;
        processor.start(strategy, format);
        DocumentProcessing {
            folds: (strategy == ChunkStrategy::Markdown).then(FoldFinder::default),
            cleaner: shape.cleaner(&processor.recipes.clean),
            clean_version: processor.recipes.clean.version(),
            processor,
            strategy,
            keep,
            evidence: ReviewEvidence::default(),
            facts: FactFinder::new(format.name, kind),
            raw: Tally::default(),
            clean: Tally::default(),
            raw_segments: Segmenter::new(),
            clean_segments: Segmenter::new(),
            held: None,
            tokens: 0,
            chunk_lines: ChunkLines::default(),
            sections: SectionList::default(),
            violations: Vec::new(),
        }
    }
}

/// Length and hash of a text that streams through.
#[derive(Default)]
struct Tally {
    bytes: usize,
    chars: usize,
    hasher: ContentHasher,
    known: Option<ContentHash>,
}

impl Tally {
    fn take(&mut self, text: &str) {
        self.hasher.update(text.as_bytes());
        self.advance(text);
    }

    fn advance(&mut self, text: &str) {
        self.bytes += text.len();
        self.chars += count_chars(text);
    }

    fn version(self, variant: TextVariant, version: &str) -> VersionRow {
        VersionRow {
            variant: variant.as_str(),
            version: version.to_owned(),
            sha256: self.known.unwrap_or_else(|| self.hasher.finish()),
            bytes: self.bytes,
            chars: self.chars,
            review: Vec::new(),
            review_counts: None,
            facts: TextFacts::default(),
        }
    }
}

/// Number of characters; the standard count is fast on ASCII too.
fn count_chars(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

/// One document that is being processed.
pub(super) struct DocumentProcessing<'c, D: DerefMut<Target = TextProcessor<'c>>> {
    processor: D,
    /// Finds what a reader of Markdown does not see at once.
    folds: Option<FoldFinder>,
    cleaner: Cleaner,
    clean_version: &'static str,
    strategy: ChunkStrategy,
    keep: KeptTexts,
    evidence: ReviewEvidence,
    /// Reads what the clean text says of its document.
    facts: FactFinder,
    raw: Tally,
    clean: Tally,
    raw_segments: Segmenter,
    clean_segments: Segmenter,
    /// The first raw segment, kept back: a short text that cleaning does not change is packed and hashed only once.
    held: Option<Segment>,
    tokens: u64,
    chunk_lines: ChunkLines,
    sections: SectionList,
    violations: Vec<LayoutViolation>,
}

impl<'c, D: DerefMut<Target = TextProcessor<'c>>> DocumentProcessing<'c, D> {
    /// Processes the next segment of raw text; returns false when the receiver wants no more.
    pub fn push(&mut self, raw: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        if self.keep.raw {
            for segment in self.raw_segments.push(raw.clone()) {
                if !self.store_raw(segment, emit)? {
                    return Ok(false);
                }
            }
        }
        let begun = Instant::now();
        self.evidence.note_raw(&raw);
        let clean = self.cleaner.push(raw);
        self.processor.recipes.timings.add_clean(begun.elapsed());
        self.push_clean(clean, emit)
    }

    /// Processes the next segment of clean text.
    fn push_clean(&mut self, mut clean: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        if clean.text.is_empty() {
            return Ok(true);
        }
        if let Some(folds) = &mut self.folds {
            folds.mark(&mut clean);
        }
        self.evidence.note_clean(&clean.text);
        for segment in self.clean_segments.push(clean) {
            if !self.store_clean(segment, emit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Cuts a stored segment of clean text again, as it is.
    pub fn push_stored(&mut self, segment: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        self.cut(segment, emit)
    }

    /// Sets the size of the document's file in bytes.
    pub fn of_file(mut self, bytes: u64) -> Self {
        self.evidence.file_bytes = bytes;
        self
    }

    /// Ends the document, and gives the processor back.
    pub fn finish(mut self, emit: PartSink<'_>) -> std::io::Result<(ProcessedDocument, D)> {
        let begun = Instant::now();
        let rest = self.cleaner.finish();
        self.processor.recipes.timings.add_clean(begun.elapsed());
        self.push_clean(rest, emit)?;
        let last_clean = self.clean_segments.finish();
        let last_raw = if self.keep.raw { self.raw_segments.finish() } else { None };
        let alone = self.held.is_none() && self.raw.bytes == 0 && self.clean.bytes == 0;
        match (last_raw, last_clean) {
            (Some(raw), Some(clean)) if alone && raw.text == clean.text => {
                self.store_both(raw, clean, emit)?
            }
            (raw, clean) => {
                if let Some(raw) = raw {
                    self.store_raw(raw, emit)?;
                }
                self.release_held(emit)?;
                if let Some(clean) = clean {
                    self.store_clean(clean, emit)?;
                }
            }
        }
        let sections = self.sections.finish(self.clean.bytes);
        let mut versions = Vec::new();
        if self.keep.raw {
            versions.push(self.raw.version(TextVariant::Raw, RAW_VERSION));
        }
        if self.keep.clean {
            let findings = self.cleaner.report();
            (self.evidence.raw_bytes, self.evidence.removed_bytes) =
                (findings.raw_bytes, findings.removed_bytes());
            let own = self.evidence.review_reasons(self.processor.recipes.review());
            let own = merge_review_reasons(&own, &review_reasons_of(&self.violations));
            let review = merge_review_reasons(&self.cleaner.review_reasons(), &own);
            let version = self.clean.version(TextVariant::Clean, self.clean_version);
            let (review_counts, facts) = (Some(self.evidence), self.facts.finish());
            versions.push(VersionRow { review, review_counts, facts, ..version });
        }
        let DocumentProcessing { tokens, chunk_lines, violations, processor, .. } = self;
        Ok((ProcessedDocument { versions, sections, tokens, chunk_lines, violations }, processor))
    }

    /// Stores raw and clean text that are equal: one frame, one hash.
    fn store_both(&mut self, raw: Segment, clean: Segment, emit: PartSink<'_>) -> std::io::Result<()> {
        self.raw.advance(&raw.text);
        self.facts.read(&clean.text);
        let hash = ContentHash::of(raw.text.as_bytes());
        (self.raw.known, self.clean.known) = (Some(hash), Some(hash));
        let part = self.processor.packer.pack(TextVariant::Raw, 0, 0, &raw)?;
        let copy = self.processor.packer.pack_like(&part, TextVariant::Clean, &clean)?;
        if emit(ProcessedPart::Text(part)) && (!self.keep.clean || emit(ProcessedPart::Text(copy))) {
            self.cut(clean, emit)?;
        }
        Ok(())
    }

    fn store_raw(&mut self, segment: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        if self.held.is_none() && self.raw.bytes == 0 {
            self.held = Some(segment);
            return Ok(true);
        }
        Ok(self.release_held(emit)? && self.emit_raw(&segment, emit)?)
    }

    fn release_held(&mut self, emit: PartSink<'_>) -> std::io::Result<bool> {
        match self.held.take() {
            Some(segment) => self.emit_raw(&segment, emit),
            None => Ok(true),
        }
    }

    fn emit_raw(&mut self, segment: &Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        let part = self.processor.packer.pack(TextVariant::Raw, self.raw.bytes, self.raw.chars, segment)?;
        self.raw.take(&segment.text);
        Ok(emit(ProcessedPart::Text(part)))
    }

    fn store_clean(&mut self, segment: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        if self.keep.clean {
            self.facts.read(&segment.text);
            let part = self.processor.packer.pack(
                TextVariant::Clean,
                self.clean.bytes,
                self.clean.chars,
                &segment,
            )?;
            if !emit(ProcessedPart::Text(part)) {
                return Ok(false);
            }
            self.clean.hasher.update(segment.text.as_bytes());
        }
        self.cut(segment, emit)
    }

    /// Cuts a segment of clean text that begins at the current position, and advances the position.
    fn cut(&mut self, segment: Segment, emit: PartSink<'_>) -> std::io::Result<bool> {
        let processor = &mut *self.processor;
        let Some((chunker, name)) = processor.chunkers.get_mut(&self.strategy) else { return Ok(true) };
        let begun = Instant::now();
        let index = processor.counter.index(&segment.text);
        let pieces = chunker.cut_indexed(&segment, &index);
        self.tokens += index.total() as u64;
        if self.strategy == ChunkStrategy::Layout {
            self.violations.extend(layout_violations(&segment, &pieces, self.clean.bytes));
        }
        let rows = chunk_rows(&segment, self.clean.bytes, pieces);
        processor.recipes.timings.add_chunk(begun.elapsed());
        self.sections.add(&segment, self.clean.bytes);
        let strategy = Arc::clone(name);
        let tokenizer = processor.recipes.tokenizer.name();
        rows.iter().for_each(|chunk| self.chunk_lines.add(chunk, &strategy, tokenizer));
        self.clean.advance(&segment.text);
        Ok(rows.is_empty() || emit(ProcessedPart::Chunks { strategy, rows }))
    }
}

/// The violations in the chunks of a text, as a review reason.
pub(super) fn review_reasons_of(violations: &[LayoutViolation]) -> Vec<ReviewReason> {
    violations
        .first()
        .map(|first| ReviewReason::new(ReviewReasonKind::LayoutAudit, first.to_string()))
        .into_iter()
        .collect()
}

/// The rows of chunks, in order, for a segment that begins at `base` of its text.
fn chunk_rows(segment: &Segment, base: usize, pieces: Vec<TextChunk>) -> Vec<ChunkRow> {
    let (mut starts, mut ends) = (LineCursor::default(), LineCursor::default());
    let mut rows = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let span = piece.span;
        let content = segment.text[span.range()].to_owned();
        let locator = Locator::or_lines(segment.places.of(span), || {
            let first = starts.line_at(segment, span.start)?;
            let last = ends.line_at(segment, span.end.saturating_sub(1))?;
            Some((first, last))
        });
        rows.push(ChunkRow {
            hash: ContentHash::of(content.as_bytes()),
            content,
            tokens: piece.tokens,
            place: PlaceColumns {
                start: base + span.start,
                end: base + span.end,
                source: segment.map.source(span),
                locator: locator.map(|locator| locator.to_json()),
                heading_path: piece.heading_path,
                context: piece.context,
            },
        });
    }
    rows
}
