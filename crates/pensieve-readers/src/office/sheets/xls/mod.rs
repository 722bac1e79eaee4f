//! Old Excel workbooks: `.xls` of every edition from Excel 2 (1987) to 2003, and what else goes by that name.
//!
//! Owns telling apart what `.xls` may be (a compound file, bare records, XML of 2003, a page, a newer workbook), and the
//! records of all editions. Refuses macros, pivot tables, embedded objects. Sources: [MS-XLS]; for the older editions
//! the OpenOffice.org documentation of the Excel file format, chapters 4 to 6.

mod biff;
mod book;
mod cells;
mod notes;
mod text;

use super::grid::{Aside, Grid};
use super::{xlsx, xml2003};
use crate::settings::ReadSettings;
use crate::shared::ole::{self, Compound};
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html;
use biff::{Origin, Stream};
use book::Book;
use pensieve_text::model::{Document, Problem, ProblemKind, ReviewReason, ReviewReasonKind};
use std::io::Read;

/// A page under this name is read whole; the limit is that of pages.
const LARGEST_PAGE: u64 = 16 << 20;

/// Reads a workbook, or whatever has its name.
///
/// # Errors
/// `Encrypted`, `Damaged` where there is no workbook inside, `SizeLimit`.
pub fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let head = head(source)?;
    if Compound::is_compound(&head) {
        return read_compound(source, settings, sink);
    }
    if head.starts_with(b"PK") {
        return xlsx::read(source, settings, sink);
    }
    if biff::begins_records(&head) {
        let size = source.size();
        let stream = Stream::new(Origin::File(source.file()?));
        return read_records(stream, size, Document::default(), settings, sink);
    }
    if xml2003::is_here(&head) {
        return xml2003::read(source, settings, sink);
    }
    let is_text = !head.contains(&0) && head.trim_ascii_start().first() == Some(&b'<');
    if is_text && source.size() <= LARGEST_PAGE {
        return Ok(html::read_page(&source.bytes()?, &settings.html));
    }
    Err(Problem::new(ProblemKind::Damaged, "no workbook: the file begins like none"))
}

/// True when the file begins as a compound file does.
pub(super) fn is_compound(source: &mut DocumentSource<'_>) -> Result<bool, Problem> {
    Ok(Compound::is_compound(&head(source)?))
}

fn head(source: &mut DocumentSource<'_>) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    let read = source.file()?.take(4096).read_to_end(&mut head);
    read.map_err(|error| Problem::new(ProblemKind::Io, format!("cannot read: {error}")))?;
    Ok(head)
}

/// Reads a workbook in a compound file. Newer workbooks are there too, when they are encrypted.
///
/// # Errors
/// As [`read`].
pub(super) fn read_compound(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let size = source.size();
    let mut compound = Compound::open(source)?;
    if compound.find("EncryptedPackage").is_some() {
        return Err(Problem::new(ProblemKind::Encrypted, "the workbook is encrypted with a password"));
    }
    let entry = ["Workbook", "Book"].iter().find_map(|name| compound.find(name));
    let entry = entry
        .or_else(|| compound.entries().iter().position(|entry| matches!(&*entry.name, "Workbook" | "Book")));
    let Some(entry) = entry else {
        return Err(Problem::new(ProblemKind::Damaged, "the compound file has no workbook stream"));
    };
    let mut document = Document { metadata: ole::metadata(&mut compound), ..Document::default() };
    let damage = compound.damage().to_vec();
    if !damage.is_empty() {
        document
            .review_reasons
            .push(ReviewReason::new(ReviewReasonKind::RepairedStructure, damage.join(", ")));
    }
    read_records(Stream::new(Origin::Compound(Box::new(compound), entry)), size, document, settings, sink)
}

fn read_records(
    mut stream: Stream<'_>,
    size: u64,
    mut document: Document,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut book = Book::read(&mut stream)?;
    let hidden = book.sheets.iter().filter(|sheet| sheet.is_hidden);
    document.metadata.extend(hidden.map(|sheet| ("hidden_sheet".to_owned(), sheet.name.clone())));
    let mut grid = Grid::new(sink, size, Aside::Metadata);
    book.read_sheets(&mut stream, settings.office.comments, &mut grid)?;
    document.problems.append(&mut book.problems);
    grid.finish()?.into_document(document)
}

#[cfg(test)]
mod tests;
