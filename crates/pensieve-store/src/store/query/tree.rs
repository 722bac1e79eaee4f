//! A query as a tree.
//!
//! [`super::lexer`] and [`super::parser`] build it from text, [`super::fts`] turns it into an FTS5 expression. Text
//! that a person types reaches SQLite in no other way.

use super::error::QueryNote;
use pensieve_text::text::dates::DateRange;
use pensieve_text::text::fields::Field;

/// A parsed query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Query {
    /// The condition on the words of a chunk; `None` if only filters were given.
    pub expression: Option<Expression>,
    /// The conditions on its places.
    pub filters: Vec<QueryFilter>,
    /// Warnings about parts that may mean something else.
    pub notes: Vec<QueryNote>,
    /// True if it is only words, without operators, quotes and filters: a question, as a person types it.
    pub is_question: bool,
}

impl Query {
    /// The words of a query without operators and quotes, whatever its filters; `None` for other queries.
    pub fn plain_words(&self) -> Option<String> {
        let is_plain = |term: &QueryTerm| !(term.is_exact || term.is_prefix || term.is_first);
        let terms: Vec<&QueryTerm> = match self.expression.as_ref()? {
            Expression::Term(term) => vec![term],
            Expression::All { wanted, unwanted } if unwanted.is_empty() => {
                let terms = wanted.iter().map(|part| match part {
                    Expression::Term(term) => Some(term),
                    _ => None,
                });
                terms.collect::<Option<_>>()?
            }
            _ => return None,
        };
        let words: Vec<&str> = terms.iter().map(|term| term.text.as_str()).collect();
        terms.into_iter().all(is_plain).then(|| words.join(" "))
    }
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
        /// Maximum words between them.
        distance: usize,
    },
    /// At least one of them.
    Any(Vec<Expression>),
    /// All of `wanted`, none of `unwanted`.
    All {
        /// At least one.
        wanted: Vec<Expression>,
        /// May be empty.
        unwanted: Vec<Expression>,
    },
}

impl Expression {
    /// Every term that a hit may contain, in order; these are highlighted.
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
    /// The text as typed, without operators.
    pub text: String,
    /// True if the last word is only the beginning of a word.
    pub is_prefix: bool,
    /// True if it must be at the beginning of the chunk.
    pub is_first: bool,
    /// True if the user asked for exactly this text: it is in quotes or after `content:`.
    pub is_exact: bool,
    /// True for a word of the index: it ends where a word ends.
    pub is_whole: bool,
}

/// A property of a place that a query can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum QueryField {
    /// The text itself.
    Content,
    /// The headings above it.
    Heading,
    /// The path below the root.
    Path,
    /// The row of the format table that read the file, or its extension.
    Format,
    /// Whether and how the text is folded: `no`, `yes` or a kind.
    Folded,
    /// Documents from a date on.
    After,
    /// Documents before a date.
    Before,
    /// What is known of the document.
    Document(Field),
}

/// Every field by its names; the first is the one that messages use.
pub(crate) const FIELDS: &[(QueryField, &[&str])] = &[
    (QueryField::Content, &["content", "text"]),
    (QueryField::Heading, &["heading", "headings", "heading_path"]),
    (QueryField::Path, &["path", "file"]),
    (QueryField::Format, &["format", "type", "ext"]),
    (QueryField::Folded, &["folded"]),
    (QueryField::After, &["after"]),
    (QueryField::Before, &["before"]),
];

impl QueryField {
    /// The field of this name.
    pub fn named(name: &str) -> Option<QueryField> {
        let own = FIELDS.iter().find(|(_, names)| names.contains(&name)).map(|(field, _)| *field);
        own.or_else(|| Field::named(name).map(QueryField::Document))
    }

    /// The dates that a value of this field stands for; `None` for other fields, and for what is no date.
    pub fn dates(self, value: &str) -> Option<DateRange> {
        match self {
            QueryField::After => DateRange::after(value),
            QueryField::Before => DateRange::before(value),
            QueryField::Document(Field::Date | Field::Modified) => DateRange::parse(value),
            _ => None,
        }
    }

    /// True for a field whose values are dates.
    pub fn has_dates(self) -> bool {
        use QueryField::{After, Before, Document};
        matches!(self, After | Before | Document(Field::Date | Field::Modified))
    }

    /// True for a field whose value is words, with `*` for their continuation.
    pub fn has_words(self) -> bool {
        use Field::{Author, From, Subject, Title, To};
        matches!(self, QueryField::Content | QueryField::Heading)
            || matches!(self, QueryField::Document(Author | From | Subject | Title | To))
    }
}

/// A condition on the places of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryFilter {
    /// The field.
    pub field: QueryField,
    /// What the field must match.
    pub term: QueryTerm,
    /// True if the field must not match.
    pub is_negated: bool,
}
