//! Reads PDF: a text layer over `hayro-syntax`, which parses the file. Pages become spans of text, and those are laid out into
//! running prose and what stands beside it ([`pensieve_text::layout`]), or lines in reading order and paragraphs; annotations and form
//! fields give their visible values. Nothing is drawn,
//! no image is decoded, no action is followed, no file or address is opened. Source: ISO 32000-2:2020.

mod annotations;
mod budget;
mod decoder;
mod expansion;
mod font;
mod geometry;
mod interpret;
mod laid;
mod layers;
mod metadata;
mod open;
mod outline;
mod prescan;
mod render;
mod shapes;
mod spans;
mod strings;

use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use budget::Budget;
use decoder::StreamDecoder;
use hayro_font::hayro_syntax::Pdf;
pub use laid::{Reading, lay_out};
use pensieve_text::model::numbers::counted;
use pensieve_text::model::{Document, Problem, ReviewReason, ReviewReasonKind, Segment, TextKind};
use render::{PageText, Pages};

/// Bytes of text after which a stretch is handed over.
const HAND_OVER: usize = 256 << 10;

/// Share of glyphs without characters, in percent, from which on the text is doubtful.
const UNMAPPED_PERCENT: u64 = 1;

/// Reads a PDF file: paragraphs in reading order, each placed by page and box; a form feed ends each page.
///
/// # Errors
/// `Encrypted` where none of the passwords opens it, `Damaged` where no page can be found.
pub fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    if settings.pdf.layout {
        return laid::read(source, settings, sink);
    }
    let mut budget = Budget::new();
    let pdf = open::open(source.bytes()?, &settings.pdf.passwords, &budget.streams)?;
    let mut document = document_of(&pdf, &budget.streams);
    let mut pages = Pages::new(&pdf, &mut budget);
    let mut text = Segment::default();
    let mut has_text = false;
    while let Some(page) = pages.next_text() {
        has_text |= add(&mut text, page);
        if text.text.len() >= HAND_OVER {
            sink.text(std::mem::take(&mut text))?;
        }
    }
    document.review_reasons = review_reasons(&pages, has_text);
    document.text = text;
    Ok(document)
}

/// What the file says about itself, before any page is read.
fn document_of(pdf: &Pdf, streams: &StreamDecoder) -> Document {
    let mut document = Document { kind: Some(TextKind::Prose), ..Document::default() };
    document.metadata = metadata::read(pdf, streams);
    document.metadata.extend(outline::rows(pdf));
    document
}

/// Appends a page; true when it has text.
fn add(segment: &mut Segment, page: PageText) -> bool {
    let has_text = !page.text.is_empty();
    let by = segment.text.len();
    segment.text.push_str(&page.text);
    for (span, place) in page.places {
        segment.places.push(span.shifted(by), place);
    }
    if has_text {
        segment.text.push('\n');
    }
    segment.text.push('\u{c}');
    has_text
}

fn review_reasons(pages: &Pages<'_, '_>, has_text: bool) -> Vec<ReviewReason> {
    let seen = pages.seen();
    let mut review_reasons = Vec::new();
    let glyphs = seen.mapped + seen.unmapped;
    if seen.unmapped * 100 > glyphs * UNMAPPED_PERCENT {
        review_reasons.push(ReviewReason::new(
            ReviewReasonKind::UnmappedGlyphs,
            format!("{} of {glyphs} glyphs", seen.unmapped),
        ));
    }
    if seen.is_short {
        review_reasons.push(ReviewReason::new(
            ReviewReasonKind::SkippedParts,
            "pages or streams beyond the limits of one document",
        ));
    }
    if seen.unread_streams > 0 {
        review_reasons.push(ReviewReason::new(
            ReviewReasonKind::SkippedParts,
            format!("{} streams could not be read", seen.unread_streams),
        ));
    }
    if !has_text {
        let detail = match (seen.pages, seen.unmapped) {
            (0, _) => "no page can be read".to_owned(),
            (pages, 0) => format!("{} without text", counted(pages as u64, "page")),
            (_, _) => "no glyph of its text is known as a character".to_owned(),
        };
        review_reasons.push(ReviewReason::new(ReviewReasonKind::NoTextLayer, detail));
    }
    review_reasons
}

#[cfg(test)]
mod tests;
