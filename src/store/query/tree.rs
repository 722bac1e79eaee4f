//! A query as a tree.
//!
//! [`super::lexer`] and [`super::parser`] make it of text, [`super::fts`] makes an FTS5 expression of it. Nothing that a
//! person types reaches SQLite in another way.

use super::error::QueryNote;

/// A query that was understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Query {
    /// What the words of a chunk must be; `None` where only filters were given.
    pub expression: Option<Expression>,
    /// What its places must be.
    pub filters: Vec<QueryFilter>,
    /// What may have been meant otherwise.
    pub notes: Vec<QueryNote>,
}

/// Terms and operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expression {
    /// One word, or words that follow each other.
    Term(QueryTerm),
    /// Terms with at most `distance` words between them.
    Near {
        /// At least two.
        terms: Vec<QueryTerm>,
        /// Words between.
        distance: usize,
    },
    /// At least one of them.
    Any(Vec<Expression>),
    /// All of the first, none of the second.
    All {
        /// At least one.
        wanted: Vec<Expression>,
        /// Possibly none.
        unwanted: Vec<Expression>,
    },
}

impl Expression {
    /// Every term that a hit may hold, in order: what is highlighted.
    pub fn wanted_terms(&self) -> Vec<&QueryTerm> {
        match self {
            Expression::Term(term) => vec![term],
            Expression::Near { terms, .. } => terms.iter().collect(),
            Expression::Any(parts) | Expression::All { wanted: parts, .. } => {
                parts.iter().flat_map(Expression::wanted_terms).collect()
            }
        }
    }
}

/// A word or a phrase; characters other than letters and digits only separate words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct QueryTerm {
    /// As it was typed, without the operators of the language.
    pub text: String,
    /// The last word is the beginning of one.
    pub is_prefix: bool,
    /// It begins the chunk.
    pub is_first: bool,
}

/// A property of a place that a query can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryField {
    /// The text itself.
    Content,
    /// The headings above it.
    Heading,
    /// The path below the root.
    Path,
    /// The row of the format table that read the file, or its extension.
    Format,
}

/// Every field by its names; the first is the one that messages use.
pub(crate) const FIELDS: &[(QueryField, &[&str])] = &[
    (QueryField::Content, &["content", "text"]),
    (QueryField::Heading, &["heading", "headings", "heading_path"]),
    (QueryField::Path, &["path", "file"]),
    (QueryField::Format, &["format", "type", "ext"]),
];

impl QueryField {
    /// The field of this name.
    pub fn named(name: &str) -> Option<QueryField> {
        FIELDS.iter().find(|(_, names)| names.contains(&name)).map(|(field, _)| *field)
    }
}

/// A condition on the places of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryFilter {
    /// What the condition is on.
    pub field: QueryField,
    /// What it must be.
    pub term: QueryTerm,
    /// True where it must not be that.
    pub is_negated: bool,
}
