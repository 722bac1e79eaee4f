//! Parameters that several tools have.

use super::error::ToolError;
use super::parameters::ToolArguments;
use super::parameters::{ParameterKind, ToolParameter};
use pensieve_store::store::{DOCUMENT_FILTERS, DocumentFilters, FilterParameter, SearchMode};

/// The database.
pub const CORPUS: ToolParameter =
    ToolParameter { name: "corpus", about: "Default: all", kind: ParameterKind::Text };

/// What a question is compared with.
pub const MODE: ToolParameter = ToolParameter {
    name: "mode",
    about: "Compare words, meaning (vectors) or both (hybrid)",
    kind: ParameterKind::OneOf(&SearchMode::NAMES),
};

/// Which documents: what a name does not say is said here.
pub const FILTERS: &[ToolParameter] = &{
    let mut all = [CORPUS; DOCUMENT_FILTERS.len()];
    let mut at = 0;
    while at < all.len() {
        let FilterParameter { name, hint, takes_lists, .. } = DOCUMENT_FILTERS[at];
        let kind = if takes_lists { ParameterKind::Texts } else { ParameterKind::TextOrTexts };
        all[at] = ToolParameter { name, about: hint, kind };
        at += 1;
    }
    all
};

/// The conditions on documents of a call.
///
/// # Errors
/// A date is none.
pub fn document_filters(arguments: &ToolArguments) -> Result<DocumentFilters, ToolError> {
    DocumentFilters::of(|filter| arguments.texts(filter.name))
        .map_err(|error| ToolError::new(error.to_string()))
}
