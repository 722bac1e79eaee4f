//! The clean text of one file with its page breaks marked, from stored raw text. Nothing is written.

use super::recipes::StageRecipes;
use super::settings::{IngestError, IngestSettings};
use pensieve_store::store::{FileState, Store, TextVariant};
use pensieve_text::format::by_name;
use pensieve_text::text::clean::CleanOptions;

/// Cleans the stored raw text of a file with the settings of the corpus, but with page markers, and passes it on
/// segment by segment. Returns false if there is no raw text.
///
/// # Errors
/// The settings are invalid, or the database cannot be read.
pub fn with_page_markers(
    settings: &IngestSettings,
    store: &Store,
    file: &FileState,
    each: &mut dyn FnMut(&str),
) -> Result<bool, IngestError> {
    let corpus = settings.corpus(Some(store))?;
    let recipes = StageRecipes::new(settings, &corpus)?;
    let versions = store.texts().versions_of(file.file_id)?;
    let raw = versions.iter().find(|stored| stored.variant == TextVariant::Raw && stored.is_current);
    let format = file.format.as_deref().and_then(by_name);
    let (Some(raw), Some(format)) = (raw, format) else { return Ok(false) };
    let shape = recipes.shape(format, recipes.document_kind(format, &file.extension, file.size));
    let options = CleanOptions { page_markers: true, ..recipes.clean.clone() };
    let mut cleaner = shape.cleaner(&options);
    store.text(file.file_id, TextVariant::Raw, &raw.version).each_segment(&mut |stored| {
        each(&cleaner.push(stored.segment).text);
        true
    })?;
    each(&cleaner.finish().text);
    Ok(true)
}
