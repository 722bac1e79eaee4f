//! Parameters that several tools have.

use super::parameters::{ParameterKind, ToolParameter};

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
