//! Old Excel workbooks: `.xls` of every version from Excel 2 (1987) to 2003.
//!
//! Owns the records of all versions; leaves out macros, pivot tables, embedded objects. Sources: [MS-XLS]; for the older
//! versions the OpenOffice.org documentation of the Excel file format, chapters 4 to 6.
//!
//! The crate `calamine` (0.38) is not a replacement. It returns the value of a cell without its style, so `$1,234.50`
//! becomes `1234.5` and `1/15/2024` becomes `45306`: of 16 readable workbooks of the corpora, three lose the form of
//! their numbers (1,860 words), and no workbook gains text. It has neither comments, nor text boxes, nor titles of
//! charts, opens no file of Excel 2 to 4, keeps the whole stream and a dense table of every sheet in memory (a sheet
//! with a cell in each of two corners takes 65,536 rows of 256 cells), and fails as a whole at one record that it
//! cannot read.

mod biff;
mod book;
mod cells;
mod fields;
mod notes;
mod sheets;

use super::grid::SheetGrid;
use crate::settings::ReadSettings;
use crate::shared::ole::{self, Compound};
use crate::source::{DocumentSink, DocumentSource};
use biff::{BiffSource, BiffStream};
use book::XlsWorkbook;
use pensieve_text::model::{Document, Problem, ProblemKind};

/// Reads a workbook in a compound file. Encrypted newer workbooks are compound files too.
///
/// # Errors
/// `Encrypted`, `Damaged` if there is no workbook inside.
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
        document.note_repaired(damage.join(", "));
    }
    read_records(
        BiffStream::new(BiffSource::Compound(Box::new(compound), entry)),
        size,
        document,
        settings,
        sink,
    )
}

/// True when a file begins with the first record of a workbook.
pub(super) fn begins_records(head: &[u8]) -> bool {
    biff::begins_records(head)
}

/// Reads a workbook whose records are the file, as Excel 2 to 4 wrote them.
///
/// # Errors
/// As [`read_compound`].
pub(super) fn read_bare(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let size = source.size();
    let stream = BiffStream::new(BiffSource::File(source.file()?));
    read_records(stream, size, Document::default(), settings, sink)
}

fn read_records(
    mut stream: BiffStream<'_>,
    size: u64,
    mut document: Document,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut book = XlsWorkbook::read(&mut stream)?;
    let hidden = book.sheets.iter().filter(|sheet| sheet.is_hidden);
    document.metadata.extend(hidden.map(|sheet| ("hidden_sheet".to_owned(), sheet.name.clone())));
    let mut grid = SheetGrid::new(sink, size);
    sheets::read_sheets(&mut book, &mut stream, settings.office.comments, &mut grid)?;
    document.problems.append(&mut book.problems);
    grid.finish()?.into_document(document)
}

#[cfg(test)]
mod tests;
