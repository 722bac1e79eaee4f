//! Parameters that several tools have.

use super::parameters::{ParameterKind, ToolParameter};
use crate::store::SearchMode;

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
