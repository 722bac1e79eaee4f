//! Reads PDF: a text layer over `hayro-syntax`, which parses the file. Pages become spans of text. The spans are laid
//! out into running prose and the material beside it ([`pensieve_text::layout`]), or become lines in reading order
//! and paragraphs. Annotations and form fields contribute their visible values. Nothing is drawn, no image is
//! decoded, no action is followed, no file or address is opened. Source: ISO 32000-2:2020.

mod accents;
mod annotations;
mod budget;
mod decoder;
mod document;
mod embedded;
mod expansion;
mod file_end;
mod font;
mod geometry;
mod inline_images;
mod interpreter;
mod layers;
mod layout;
mod metadata;
mod open_span;
mod outline;
mod pages;
mod pages_without_text;
mod prescan;
mod recognized;
mod shapes;
mod spans;
mod stream_search;
mod strings;
mod structure;
mod visibility;

use crate::limits::pdf::SEGMENT_BYTES;
use crate::settings::{OcrPass, ReadSettings};
use crate::source::{DocumentSink, DocumentSource};
use budget::DocumentBudget;
use embedded::EmbeddedFiles;
pub use layout::{LayoutVisitor, lay_out};
use pages::{PageReader, PageText};
pub use pages_without_text::PAGE_WITHOUT_TEXT;
use pensieve_text::model::{Document, Problem, Segment, TextKind};
use recognized::RecognizedPages;

/// Reads a PDF file: paragraphs in reading order, each placed by page and box; a form feed ends each page.
///
/// # Errors
/// `Encrypted` if none of the passwords opens it, `Damaged` if no page can be found.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    if settings.ocr == OcrPass::Find {
        return pages_without_text::find_pages(source, settings);
    }
    if settings.pdf.layout {
        return layout::read(source, settings, sink);
    }
    let mut budget = DocumentBudget::new();
    let mut bytes = source.bytes()?;
    let damage = file_end::settle(&mut bytes);
    let pdf = document::open(bytes, &settings.pdf.passwords, &budget.decoder)?;
    let mut document = document::document_of(&pdf, &budget.decoder, TextKind::Prose);
    let recognized = RecognizedPages::new(settings);
    let mut pages = PageReader::new(&pdf, &mut budget, &recognized);
    let mut text = Segment::default();
    let mut has_text = false;
    while let Some(page) = pages.next_text() {
        has_text |= add(&mut text, page);
        if text.text.len() >= SEGMENT_BYTES {
            sink.text(std::mem::take(&mut text))?;
        }
    }
    let (counts, hidden) = (pages.counts(), pages.take_hidden());
    let files = EmbeddedFiles::read(&pdf, &budget.decoder);
    document::note_losses(&mut document, &counts, has_text, damage.as_deref());
    files.note_losses(&mut document);
    hidden.note(&mut document);
    files.members.into_iter().try_for_each(|file| sink.member(file))?;
    document.text = text;
    Ok(document)
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

#[cfg(test)]
mod tests;
