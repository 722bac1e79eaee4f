//! Parameters that several tools have.

use super::error::ToolError;
use super::parameters::ToolArguments;
use super::parameters::{ParameterKind, ToolParameter};
use crate::store::{DocumentFilters, FIELD_FILTERS, SearchMode};

/// The database.
pub const CORPUS: ToolParameter =
    ToolParameter { name: "corpus", about: "Default: all", kind: ParameterKind::Text };

/// Documents by path.
pub const PATH: ToolParameter = ToolParameter {
    name: "path",
    about: "Patterns as in .gitignore: docs/**, *.md, !old/**",
    kind: ParameterKind::Texts,
};

/// Documents by format.
pub const FORMAT: ToolParameter =
    ToolParameter { name: "format", about: "Formats or extensions: pdf, md", kind: ParameterKind::Texts };

/// What a question is compared with.
pub const MODE: ToolParameter = ToolParameter {
    name: "mode",
    about: "Compare words, meaning (vectors) or both (hybrid)",
    kind: ParameterKind::OneOf(&SearchMode::NAMES),
};

/// Documents by who wrote them, when, and so on: what a name does not say is said here.
pub const AUTHOR: ToolParameter = field(0, "");
pub const FROM: ToolParameter = field(1, "Sender of a mail");
pub const TO: ToolParameter = field(2, "");
pub const AFTER: ToolParameter = field(3, "2024, 2024-05 or 2024-05-31");
pub const BEFORE: ToolParameter = field(4, "");
pub const TAG: ToolParameter = field(5, "");
pub const LANG: ToolParameter = field(6, "");

const fn field(at: usize, about: &'static str) -> ToolParameter {
    ToolParameter { name: FIELD_FILTERS[at], about, kind: ParameterKind::TextOrTexts }
}

/// The conditions on documents of a call.
///
/// # Errors
/// A date is none.
pub fn document_filters(arguments: &ToolArguments) -> Result<DocumentFilters, ToolError> {
    let mut filters = DocumentFilters::new(arguments.texts(PATH.name), arguments.texts(FORMAT.name));
    for name in FIELD_FILTERS {
        for value in arguments.texts(name) {
            filters.add(name, &value).map_err(|error| ToolError::new(error.to_string()))?;
        }
    }
    Ok(filters)
}
