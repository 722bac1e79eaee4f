//! The chunks of the units' own text, for the command and for the proofs: as `ingest` would store them, but without
//! cleaning, so that the output shows the text of the page.

use crate::config::Config;
use pensieve_text::chunk::{ChunkOptions, Chunker, EmittedText};
use pensieve_text::layout::{ChunkContents, LayoutBatch, LayoutUnit, UnitWriter};
use pensieve_text::model::{AuxKind, ChunkStrategy, LayoutLocator, LayoutRole, Locator, Segment, Span};
use pensieve_text::text::tokens::Tokenizer;

use crate::cli::shared::failure::Failure;
use crate::cli::shared::settings;

/// A chunk with what it contains.
pub(super) struct Chunk {
    pub(super) role: Option<LayoutRole>,
    pub(super) kind: Option<AuxKind>,
    pub(super) section: Option<u64>,
    pub(super) heading_path: Option<String>,
    /// The text as emitted: each AUX sentence in tags.
    pub(super) text: String,
    /// Tokens of the text without tags.
    pub(super) tokens: usize,
    pub(super) contents: ChunkContents,
    /// Pages and boxes, one for each sentence.
    pub(super) locator: Option<LayoutLocator>,
}

/// Cuts the batches of a layout into chunks.
pub(super) fn of(parts: &[LayoutBatch], config: &Config) -> Result<Vec<Chunk>, Failure> {
    let tokenizer = Tokenizer::named(&config.tokenizer_model).map_err(|error| Failure::Usage {
        message: error.to_string(),
        hint: "see `tokenizer_model` in `pensieve init`".to_owned(),
    })?;
    let options: ChunkOptions = settings::chunk(config);
    let mut chunker = Chunker::new(&options, ChunkStrategy::Layout, tokenizer.counter());
    chunker.start_document(None);
    let mut writer = UnitWriter::without_page_breaks();
    let mut chunks = Vec::new();
    for units in parts.iter().flat_map(|part| sections(&part.units)) {
        // A chunk never spans two sections, so each can be cut alone.
        let mut segment = Segment::default();
        writer.write(units, &mut segment);
        for piece in chunker.cut(&segment) {
            chunks.push(chunk(&segment, piece.span, piece.tokens, piece.heading_path));
        }
    }
    Ok(chunks)
}

fn sections(units: &[LayoutUnit]) -> impl Iterator<Item = &[LayoutUnit]> {
    units.chunk_by(|a, b| a.key.section_seq == b.key.section_seq)
}

fn chunk(segment: &Segment, span: Span, tokens: usize, heading_path: Option<String>) -> Chunk {
    let locator = match segment.places.of(span) {
        Some(Locator::Layout(locator)) => Some(*locator),
        _ => None,
    };
    let EmittedText { contents, text } = EmittedText::of(segment, span);
    let (role, kind, section) =
        locator.as_ref().map_or((None, None, None), |found| (found.role, found.kind, found.section));
    Chunk { role, kind, section, heading_path, text, tokens, contents, locator }
}
