//! Which documents a search or a list is about, as flags and parameters say it.

use crate::store::query::{QueryField, QueryFilter, QueryTerm, filter_of};
use thiserror::Error;

/// Conditions on documents: paths, formats, and what is known of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentFilters {
    /// Patterns in the syntax of ignore files, on paths below the roots: one of them must match. A pattern with `!` before
    /// it excludes.
    pub paths: Vec<String>,
    /// Formats or extensions: a document must have one of them.
    pub formats: Vec<String>,
    fields: Vec<QueryFilter>,
}

/// A value that no document can have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{value}` is no date; write a year, a month or a day: 2024, 2024-05, 2024-05-31")]
pub struct NoDate {
    /// The filter.
    pub name: &'static str,
    value: String,
}

/// The filters on what is known of documents: the names of flags and parameters, and of the fields in queries.
pub const FIELD_FILTERS: [&str; 7] = ["author", "from", "to", "after", "before", "tag", "lang"];

impl DocumentFilters {
    /// Only these paths and formats.
    pub fn new(paths: Vec<String>, formats: Vec<String>) -> DocumentFilters {
        DocumentFilters { paths, formats, fields: Vec::new() }
    }

    /// Adds a value for one of [`FIELD_FILTERS`]; words that end with `*` may go on.
    ///
    /// # Errors
    /// A date is none.
    pub fn add(&mut self, name: &'static str, value: &str) -> Result<(), NoDate> {
        let Some(field) = QueryField::named(name) else { return Ok(()) };
        if field.has_dates() && field.dates(value).is_none() {
            return Err(NoDate { name, value: value.to_owned() });
        }
        self.fields.push(filter_of(field, value));
        Ok(())
    }

    /// The filters of a query and these.
    pub(super) fn with(&self, filters: &[QueryFilter]) -> Vec<QueryFilter> {
        let formats =
            self.formats.iter().map(|name| QueryTerm { text: name.clone(), ..QueryTerm::default() });
        let formats = formats.map(|term| QueryFilter { field: QueryField::Format, term, is_negated: false });
        formats.chain(self.fields.iter().cloned()).chain(filters.iter().cloned()).collect()
    }
}
