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

/// One way to narrow a search or a list to some documents: a flag, a parameter, a field in queries.
#[derive(Debug, Clone, Copy)]
pub struct FilterParameter {
    /// Its name; of the flag too, unless that has another.
    pub name: &'static str,
    /// The name of its flag.
    pub flag: &'static str,
    /// Which documents are left, for people.
    pub about: &'static str,
    /// What its name does not say, for models, who pay for each word.
    pub hint: &'static str,
    /// What a value is, in the help of the flag.
    pub value: &'static str,
    /// True if several values are usual.
    pub takes_lists: bool,
}

impl FilterParameter {
    /// True for a filter whose value is a date.
    pub fn is_date(&self) -> bool {
        QueryField::named(self.name).is_some_and(QueryField::has_dates)
    }
}

const fn filter(
    name: &'static str,
    about: &'static str,
    hint: &'static str,
    value: &'static str,
) -> FilterParameter {
    FilterParameter { name, flag: name, about, hint, value, takes_lists: false }
}

/// Every filter, for all ways in.
pub const DOCUMENT_FILTERS: [FilterParameter; 9] = [
    FilterParameter {
        takes_lists: true,
        ..filter(
            "path",
            "Only below these paths: a pattern as in .gitignore, below the ingested folder; a leading ! excludes them.",
            "Patterns as in .gitignore: docs/**, *.md, !old/**",
            "GLOB",
        )
    },
    FilterParameter {
        flag: "type",
        takes_lists: true,
        ..filter(
            "format",
            "Only files of this format or extension.",
            "Formats or extensions: pdf, md",
            "NAME",
        )
    },
    filter(
        "author",
        "Only what this person wrote or sent: words of the name or address, in any order.",
        "",
        "NAME",
    ),
    filter("from", "Only mails from this person, with what is attached.", "Sender of a mail", "NAME"),
    filter("to", "Only mails to this person, with what is attached.", "", "NAME"),
    filter(
        "after",
        "Only documents from this day, month or year on: 2024-05-31, 2024-05, 2024.",
        "2024, 2024-05 or 2024-05-31",
        "DATE",
    ),
    filter("before", "Only documents before this day, month or year.", "", "DATE"),
    filter("tag", "Only documents with this tag, or with one below it; of several all.", "", "TAG"),
    filter("lang", "Only documents in this language: de, German.", "", "LANGUAGE"),
];

impl DocumentFilters {
    /// The filters that have values.
    ///
    /// # Errors
    /// A date is none.
    pub fn of<V: AsRef<str>>(values: impl Fn(&FilterParameter) -> Vec<V>) -> Result<DocumentFilters, NoDate> {
        let mut filters = DocumentFilters::default();
        for parameter in &DOCUMENT_FILTERS {
            values(parameter).iter().try_for_each(|value| filters.add(parameter.name, value.as_ref()))?;
        }
        Ok(filters)
    }

    /// Adds a value for a filter, or for another field of documents; words that end with `*` may go on.
    ///
    /// # Errors
    /// A date is none.
    pub fn add(&mut self, name: &'static str, value: &str) -> Result<(), NoDate> {
        let Some(field) = QueryField::named(name) else { return Ok(()) };
        match field {
            QueryField::Path => self.paths.push(value.to_owned()),
            QueryField::Format => self.formats.push(value.to_owned()),
            _ => self.add_field(name, field, value)?,
        }
        Ok(())
    }

    fn add_field(&mut self, name: &'static str, field: QueryField, value: &str) -> Result<(), NoDate> {
        if field.has_dates() && field.dates(value).is_none() {
            return Err(NoDate { name, value: value.to_owned() });
        }
        self.fields.push(filter_of(field, value));
        Ok(())
    }

    /// The filters of a query and these.
    pub(crate) fn with(&self, filters: &[QueryFilter]) -> Vec<QueryFilter> {
        let formats =
            self.formats.iter().map(|name| QueryTerm { text: name.clone(), ..QueryTerm::default() });
        let formats = formats.map(|term| QueryFilter { field: QueryField::Format, term, is_negated: false });
        formats.chain(self.fields.iter().cloned()).chain(filters.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filter_is_a_field_of_queries() {
        for filter in &DOCUMENT_FILTERS {
            assert!(QueryField::named(filter.name).is_some(), "{}", filter.name);
        }
        let dates = DOCUMENT_FILTERS.iter().filter(|filter| filter.is_date()).map(|filter| filter.name);
        assert_eq!(dates.collect::<Vec<_>>(), ["after", "before"]);
    }
}
