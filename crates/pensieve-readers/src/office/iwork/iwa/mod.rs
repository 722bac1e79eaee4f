//! Documents of Pages, Numbers and Keynote since 2013: objects in Protocol Buffers, packed with Snappy.
//!
//! There is no specification; the format is known from the descriptors inside the programs, which several projects
//! have published (obriensp/iWorkFileFormat, psobot/keynote-parser, masaccio/numbers-parser, SheetJS/notes).

mod context;
mod document;
mod objects;
mod snappy;
mod table;
mod text;
mod wire;

use super::output::UnitWriter;
use crate::settings::ReadSettings;
use crate::shared::archive::Archive;
use crate::source::DocumentSink;
use document::read_document;
use objects::ObjectStore;
use pensieve_text::model::{Document, Problem, ProblemKind};

/// Reads a document whose index is in `folder` of a package.
///
/// # Errors
/// `Damaged` if nothing of the index can be read.
pub(super) fn read_index(
    archive: &mut Archive<'_>,
    folder: &str,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let store = ObjectStore::read(archive, folder);
    if store.is_empty() {
        return Err(Problem::new(ProblemKind::Damaged, "the document's index cannot be read"));
    }
    let mut output = UnitWriter::new(sink);
    let is_cut = read_document(&store, &settings.office, &mut output)?;
    let mut document = Document { text: output.finish(), ..Document::default() };
    if !store.broken.is_empty() {
        let message = match store.broken.as_slice() {
            [one] => format!("`{one}` is not whole"),
            [first, rest @ ..] => format!("`{first}` and {} more parts are not whole", rest.len()),
            [] => String::new(),
        };
        document.report(Problem::new(ProblemKind::Damaged, message));
    }
    if is_cut {
        document.note_skipped("parts of the document were not followed");
    }
    Ok(document)
}

#[cfg(test)]
mod tests;
