//! OpenDocument spreadsheets: `.ods`, `.ots`, and flat ones in one XML file, `.fods`.
//!
//! Owns the package and the parts around the sheets; their cells are in [`content`]. Values are as the file shows them:
//! OpenDocument stores the shown text of each cell. Leaves out macros, tracked deletions, linked sources. Source:
//! OpenDocument 1.3, part 2 (packages) and part 3, chapter 9 (tables).
//!
//! The crate `calamine` (0.38) is not a replacement: it returns the stored value if there is one, not the shown text,
//! so prices, dates and percentages lose their form; it has no comments, shapes and titles of charts; it reads
//! neither flat files nor packages without a manifest, and it reads the whole content into dense tables before the
//! first row.

mod content;

use super::grid::SheetGrid;
use super::row::clip_name;
use super::stream::{XmlStream, XmlToken};
use crate::limits::sheets::{MAX_CHART_TITLE_BYTES, MAX_CHART_TITLES, MAX_CHARTS};
use crate::settings::ReadSettings;
use crate::shared::archive::Archive;
use crate::source::{DocumentSink, DocumentSource};
use content::OdsContentReader;
use pensieve_text::model::{Document, Problem, ProblemKind};
use pensieve_text::text::decode::ZeroBlockSearch;
use std::io::{self, Read};

/// Reads a spreadsheet.
///
/// # Errors
/// `Encrypted`, `Damaged` if there is no package or no content in it.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let size = source.size();
    let mut head = [0; 2];
    let is_package = source.file()?.read(&mut head).is_ok_and(|count| count == 2 && head == *b"PK");
    let mut document = Document::default();
    let mut grid = SheetGrid::new(sink, size);
    let mut reader = OdsContentReader::new(settings.office.comments);
    if is_package {
        let mut archive = Archive::open(source)?;
        check_encryption(&mut archive)?;
        if let Ok(stream) = archive.stream("meta.xml") {
            reader.read(stream, &mut grid)?;
        }
        let objects = archive.names().iter().filter(|name| name.ends_with("/content.xml"));
        for name in objects.take(MAX_CHARTS).cloned().collect::<Vec<String>>() {
            let titles = archive.stream(&name).map(titles).unwrap_or_default();
            reader.objects.insert(name.trim_end_matches("/content.xml").to_owned(), titles);
        }
        let broken = reader.read(archive.stream("content.xml")?, &mut grid)?;
        document.problems.extend(broken.map(|why| cut("content.xml", &why)));
    } else {
        let mut file = ZeroSearchReader { file: source.file()?, search: ZeroBlockSearch::default() };
        let broken = reader.read(&mut file, &mut grid)?;
        if file.search.first().is_some() {
            document.note_damage("a block of the document is nothing but zeros");
        }
        if reader.is_empty() {
            return Err(Problem::new(ProblemKind::Damaged, "the file has no OpenDocument spreadsheet"));
        }
        document.problems.extend(broken.map(|why| cut("the document", &why)));
    }
    document.metadata = std::mem::take(&mut reader.metadata);
    document.problems.append(&mut reader.problems());
    grid.finish()?.into_document(document)
}

/// A file in which blocks of zeros are searched while it is read.
struct ZeroSearchReader<R> {
    file: R,
    search: ZeroBlockSearch,
}

impl<R: Read> Read for ZeroSearchReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.file.read(buffer)?;
        self.search.push(&buffer[..length]);
        Ok(length)
    }
}

fn cut(part: &str, why: &str) -> Problem {
    Problem::new(ProblemKind::Damaged, format!("`{part}` is cut: {why}"))
}

/// Refuses encrypted packages. The manifest names the encrypted parts; if one is encrypted, all are.
fn check_encryption(archive: &mut Archive<'_>) -> Result<(), Problem> {
    let Ok(stream) = archive.stream("META-INF/manifest.xml") else { return Ok(()) };
    let mut stream = XmlStream::new(stream);
    while let Some(token) = stream.next() {
        if matches!(token, XmlToken::Start(tag) if tag.name == b"encryption-data") {
            return Err(Problem::new(ProblemKind::Encrypted, "the spreadsheet is encrypted with a password"));
        }
    }
    Ok(())
}

/// The titles of a chart.
fn titles(source: impl Read) -> Vec<String> {
    let mut stream = XmlStream::new(source);
    let mut found = Vec::new();
    while let Some(token) = stream.next() {
        if let XmlToken::Start(tag) = token
            && matches!(tag.name, b"title" | b"subtitle")
            && found.len() < MAX_CHART_TITLES
        {
            found.push(clip_name(&stream.text_inside(MAX_CHART_TITLE_BYTES)));
        }
    }
    found
}

#[cfg(test)]
mod tests;
