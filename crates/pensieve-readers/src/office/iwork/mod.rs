//! Pages, Numbers and Keynote documents of all versions: XML until 2009, IWA since 2013, as Markdown.
//!
//! Owns the choice between the forms of the package; the forms are read in [`iwork09`] and [`iwa`]. If only the
//! preview for other programs can be read, its text is used. The two modules name their sources.

mod cells;
mod grid;
mod iwa;
mod iwork09;
mod output;

use crate::limits::iwork::MAX_PART_BYTES;
use crate::office::odf::decode_xml;
use crate::pdf;
use crate::settings::ReadSettings;
use crate::shared::archive::Archive;
use crate::source::{DocumentSink, DocumentSource};
use flate2::read::MultiGzDecoder;
use output::UnitWriter;
use pensieve_text::model::{Document, Problem, ProblemKind};
use std::io::{Cursor, Read};

/// The parts of the older form that contain a document.
const OLD_PARTS: [&str; 6] =
    ["index.xml", "index.apxl", "presentation.apxl", "index.xml.gz", "index.apxl.gz", "presentation.apxl.gz"];

/// Reads a document of one of the three programs.
///
/// # Errors
/// `Encrypted`, or `Damaged` if no part of the package can be read.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut archive = Archive::open(source)?;
    if archive.has(".iwpv2") || archive.has(".iwph") {
        return Err(Problem::new(ProblemKind::Encrypted, "the document is encrypted with a password"));
    }
    // Folders that were packed with their own name have all entries one level deeper.
    let found = OLD_PARTS.iter().find_map(|part| find(&archive, part));
    if let Some(name) = found {
        return read_old(&mut archive, &name, settings, sink);
    }
    let folder = archive.names().iter().find_map(|name| {
        let end = name.find("Index/").filter(|_| name.ends_with(".iwa"))?;
        Some(name[..end + "Index/".len()].to_owned())
    });
    if let Some(folder) = folder {
        return iwa::read_index(&mut archive, &folder, settings, sink);
    }
    if let Some(name) = find(&archive, "Index.zip") {
        let index = archive.read(&name)?;
        let mut file = Cursor::new(index);
        let mut source = DocumentSource::new(&mut file, "Index.zip")?;
        let mut document = iwa::read_index(&mut Archive::open(&mut source)?, "Index/", settings, sink)?;
        source.report(&mut document);
        return Ok(document);
    }
    match find(&archive, "QuickLook/Preview.pdf") {
        Some(name) => read_preview(&mut archive, &name, settings, sink),
        None => Err(Problem::new(ProblemKind::Damaged, "the package has no document")),
    }
}

/// Reads the preview that the package has for other programs.
fn read_preview(
    archive: &mut Archive<'_>,
    name: &str,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut file = Cursor::new(archive.read(name)?);
    // A preview replaces an iWork document, so its text is chunked like that of the other forms, without the layout.
    let mut settings = settings.clone();
    settings.pdf.layout = false;
    let mut document = pdf::read(&mut DocumentSource::new(&mut file, "Preview.pdf")?, &settings, sink)?;
    document.note_repaired("the text is that of the preview");
    Ok(document)
}

/// The entry of this name, at the top or inside one folder.
fn find(archive: &Archive<'_>, name: &str) -> Option<String> {
    if archive.has(name) {
        return Some(name.to_owned());
    }
    let is_inside = |entry: &&String| {
        entry
            .strip_suffix(name)
            .and_then(|folder| folder.strip_suffix('/'))
            .is_some_and(|folder| !folder.contains('/'))
    };
    archive.names().iter().find(is_inside).cloned()
}

/// Reads the older form.
fn read_old(
    archive: &mut Archive<'_>,
    name: &str,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let (mut bytes, mut problem) = archive.salvage(name)?;
    if name.ends_with(".gz") {
        let mut unpacked = Vec::new();
        let read = MultiGzDecoder::new(&bytes[..]).take(MAX_PART_BYTES).read_to_end(&mut unpacked);
        if let Err(error) = read {
            problem =
                Some(Problem::new(ProblemKind::Damaged, format!("`{name}` cannot be unpacked: {error}")));
        }
        bytes = unpacked;
    }
    if let (true, Some(problem)) = (bytes.is_empty(), &problem) {
        return Err(problem.clone());
    }
    let (part, replaced) = decode_xml(bytes);
    let mut output = UnitWriter::new(sink);
    let found = iwork09::read_part(name, &part, &settings.office, &mut output)?;
    let mut document = Document { text: output.finish(), metadata: found.metadata, ..Document::default() };
    let broken =
        found.broken.map(|why| Problem::new(ProblemKind::Damaged, format!("`{name}` breaks off: {why}")));
    replaced.into_iter().chain(problem).chain(broken).for_each(|problem| document.report(problem));
    Ok(document)
}
