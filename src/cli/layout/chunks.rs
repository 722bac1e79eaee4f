//! The chunks of the units' own text, for the command and for the proofs: as `ingest` would store them, but for cleaning,
//! which the command leaves out, so that what is printed is what the page says.

use crate::config::Config;
use pensieve_text::chunk::{ChunkOptions, Chunker, EmittedText};
use pensieve_text::layout::{ChunkContents, LayoutBatch, LayoutUnit, UnitWriter};
use pensieve_text::model::{AuxKind, ChunkStrategy, LayoutLocator, LayoutRole, Locator, Segment, Span};
use pensieve_text::text::tokens::Tokenizer;

use crate::cli::{Failure, settings};

/// A chunk with what it contains.
pub(super) struct Chunk {
    pub(super) role: Option<LayoutRole>,
    pub(super) kind: Option<AuxKind>,
    pub(super) section: Option<u64>,
    pub(super) heading_path: Option<String>,
    /// As it is emitted: each AUX sentence in tags.
    pub(super) text: String,
    /// Tokens of the text without tags.
    pub(super) tokens: usize,
    pub(super) contents: ChunkContents,
    /// Pages and boxes, sentence by sentence.
    pub(super) laid: Option<LayoutLocator>,
}

/// The chunks of the batches of a layout.
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
        // Sections are never mixed, so that each can be cut alone.
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
    let laid = match segment.places.of(span) {
        Some(Locator::Layout(laid)) => Some(*laid),
        _ => None,
    };
    let EmittedText { contents, text } = EmittedText::of(segment, span);
    let (role, kind, section) =
        laid.as_ref().map_or((None, None, None), |laid| (laid.role, laid.kind, laid.section));
    Chunk { role, kind, section, heading_path, text, tokens, contents, laid }
}
