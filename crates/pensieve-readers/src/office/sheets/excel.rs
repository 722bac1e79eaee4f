//! Selects the reader for an Excel workbook: file names reveal little about the content.
//!
//! Programs write compound files, bare records, XML of 2003, web pages and newer workbooks as `.xls`; files named
//! `.xlsx` may also be compound files, which are encrypted or old workbooks.

use super::{xls, xlsx, xml2003};
use crate::limits::sheets::MAX_PAGE_BYTES;
use crate::settings::ReadSettings;
use crate::shared::ole::Compound;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html;
use pensieve_text::model::{Document, Problem, ProblemKind};
use std::io::Read;

/// Reads a workbook, or another kind of file that is named `.xls`.
///
/// # Errors
/// `Encrypted`, `Damaged` if there is no workbook inside, `SizeLimit`.
pub(crate) fn read_xls(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let head = head(source)?;
    if Compound::is_compound(&head) {
        return xls::read_compound(source, settings, sink);
    }
    if head.starts_with(b"PK") {
        return xlsx::read(source, settings, sink);
    }
    if xls::begins_records(&head) {
        return xls::read_bare(source, settings, sink);
    }
    if xml2003::begins_workbook(&head) {
        return xml2003::read(source, settings, sink);
    }
    let is_text = !head.contains(&0) && head.trim_ascii_start().first() == Some(&b'<');
    if is_text && source.size() <= MAX_PAGE_BYTES {
        return Ok(html::read_page(&source.bytes()?, &settings.html));
    }
    Err(Problem::new(ProblemKind::Damaged, "no workbook: the file begins like none"))
}

/// Reads a workbook in a package, or an old one in a compound file.
///
/// # Errors
/// `Encrypted`, `Damaged` if the package has no directory or no workbook, `SizeLimit`.
pub(crate) fn read_xlsx(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    if Compound::is_compound(&head(source)?) {
        return xls::read_compound(source, settings, sink);
    }
    xlsx::read(source, settings, sink)
}

fn head(source: &mut DocumentSource<'_>) -> Result<Vec<u8>, Problem> {
    let mut head = Vec::new();
    let read = source.file()?.take(4096).read_to_end(&mut head);
    read.map_err(|error| Problem::new(ProblemKind::Io, format!("cannot read: {error}")))?;
    Ok(head)
}
