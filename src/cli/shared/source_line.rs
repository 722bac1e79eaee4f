//! The source of a chunk as text: file, lines or page, headings.

use super::terminal;
use pensieve_store::store::ChunkPlace;
use pensieve_text::model::locator_words;

/// Maximum number of copies of a file that are named.
const MAX_COPIES: usize = 3;

/// `/notes/a.md  lines 10-24  Guide > Install  (also /notes/b.md)`
pub fn source_line(source: &ChunkPlace) -> String {
    let mut parts = vec![terminal::line(&source.full_name()).into_owned()];
    let locator = source.at.locator_value();
    parts
        .extend(locator.map(|locator| terminal::line(&locator_words(&locator, "-").join("  ")).into_owned()));
    parts.extend(source.at.heading_path.as_deref().map(|path| terminal::line(path).into_owned()));
    if !source.duplicates.is_empty() {
        let named = source.duplicates.iter().take(MAX_COPIES).map(|copy| copy.full_name());
        let mut others: Vec<_> = named.map(|name| terminal::line(&name).into_owned()).collect();
        if source.duplicates.len() > MAX_COPIES {
            others.push(format!("{} more", source.duplicates.len() - MAX_COPIES));
        }
        parts.push(format!("(also {})", others.join(", ")));
    }
    parts.join("  ")
}
