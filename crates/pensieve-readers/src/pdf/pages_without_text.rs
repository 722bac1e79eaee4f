//! Lists the pages of a PDF file whose text is only in their pictures.

use super::budget::DocumentBudget;
use super::document;
use super::file_end;
use super::pages::PageReader;
use super::recognized::RecognizedPages;
use crate::settings::ReadSettings;
use crate::source::DocumentSource;
use pensieve_text::model::{Document, Problem};

/// Name of a page without text, in the metadata of a document that only lists them: its number, width and height.
pub const PAGE_WITHOUT_TEXT: &str = "page_without_text";

/// Lists the pages that show something but have no text.
///
/// # Errors
/// As those of the reader of PDF files.
pub(super) fn find_pages(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
) -> Result<Document, Problem> {
    let mut budget = DocumentBudget::new();
    let mut bytes = source.bytes()?;
    file_end::settle(&mut bytes);
    let pdf = document::open(bytes, &settings.pdf.passwords, &budget.decoder)?;
    let mut document = Document::default();
    let nothing = RecognizedPages::default();
    let mut pages = PageReader::new(&pdf, &mut budget, &nothing);
    let mut unmapped = 0;
    while let Some(page) = pages.next_page() {
        let counted = std::mem::replace(&mut unmapped, pages.counts().unmapped);
        let shows_something = !page.shapes.is_empty() || unmapped > counted;
        if page.spans.is_empty() && shows_something {
            let value = format!("{} {} {}", page.number, page.width, page.height);
            document.metadata.push((PAGE_WITHOUT_TEXT.to_owned(), value));
        }
    }
    Ok(document)
}
