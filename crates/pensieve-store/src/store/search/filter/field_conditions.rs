//! The documents that have a value: authors, dates, tags and the other fields of a query.
//!
//! Each condition becomes a set of documents once, before a search looks at its chunks: a pass over the values of the field,
//! of which each is compared once. What a document does not say, it has from where it is: an attachment its sender and its
//! date from the mail, a file its date from the file system.

use crate::store::query::{QueryField, QueryFilter, QueryNote, QueryTerm};
use crate::store::rows::sql::{Queries, id_list};
use crate::store::search::highlight::SearchPhrase;
use pensieve_text::text::dates::DateRange;
use pensieve_text::text::fields::{Field, doi_of, isbn_of, tag_of};
use pensieve_text::text::languages::language_code;
use rusqlite::Connection;
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// The documents that meet a condition on one field.
#[derive(Debug)]
pub(crate) struct FieldCondition {
    documents: FxHashSet<i64>,
    is_negated: bool,
    asked: (Field, String),
}

impl FieldCondition {
    /// The conditions of the filters on fields of documents.
    ///
    /// Cost: a pass over the values of each of these fields, for dates also one over the files.
    pub fn all(connection: &Connection, filters: &[QueryFilter]) -> rusqlite::Result<Vec<FieldCondition>> {
        let mut found: Vec<FieldCondition> = Vec::new();
        for filter in filters {
            let Some(field) = document_field(filter.field) else { continue };
            let documents = documents_with(connection, field, filter)?;
            let is_alternative = |known: &&mut FieldCondition| {
                known.asked.0 == field && !(known.is_negated || filter.is_negated || must_have_all(field))
            };
            match found.iter_mut().find(is_alternative) {
                Some(known) => known.documents.extend(documents),
                None => {
                    let asked = (field, filter.term.text.clone());
                    found.push(FieldCondition { documents, is_negated: filter.is_negated, asked });
                }
            }
        }
        Ok(found)
    }

    /// True for a file that meets the condition, with text of its own or that of its copy.
    pub fn allows(&self, file_id: i64, text_id: i64) -> bool {
        // A copy has the values of the file whose text it shares.
        let is_met = self.documents.contains(&file_id) || self.documents.contains(&text_id);
        is_met != self.is_negated
    }

    /// That no document meets it, and which values there are instead, where they are few.
    pub fn note(&self, connection: &Connection) -> rusqlite::Result<Option<QueryNote>> {
        if self.is_negated || !self.documents.is_empty() {
            return Ok(None);
        }
        let (field, value) = &self.asked;
        let sql = "SELECT DISTINCT value FROM document_fields WHERE field = ?1 ORDER BY value";
        let known: Vec<String> = match field {
            // Languages are few; authors would fill a page.
            Field::Language => connection.rows(sql, [field.as_str()], |row| row.get(0))?,
            _ => Vec::new(),
        };
        Ok(Some(QueryNote::NoValue { field: field.as_str(), value: value.clone(), known: known.join(", ") }))
    }
}

fn document_field(field: QueryField) -> Option<Field> {
    match field {
        QueryField::Document(field) => Some(field),
        QueryField::After | QueryField::Before => Some(Field::Date),
        _ => None,
    }
}

/// True for fields of which several filters must all be met; of others, one of several: a document may have two tags, and
/// hardly two languages.
fn must_have_all(field: Field) -> bool {
    matches!(field, Field::Title | Field::Subject | Field::Tag | Field::Date | Field::Modified)
}

/// How values are compared.
enum ValueTest {
    /// All of these words, in any order: `Smith, John`.
    Words(Vec<SearchPhrase>),
    Dates(DateRange),
    Tag(String),
    /// A part of the value.
    Part(String),
    Equal(String),
}

impl ValueTest {
    fn of(field: Field, filter: &QueryFilter) -> ValueTest {
        let term = &filter.term;
        let lower = term.text.trim().to_lowercase();
        match field {
            Field::Date | Field::Modified => {
                ValueTest::Dates(filter.field.dates(&term.text).unwrap_or_default())
            }
            Field::Tag => ValueTest::Tag(folded_tag(&tag_of(&term.text).unwrap_or_default())),
            Field::Language => ValueTest::Equal(language_code(&lower).unwrap_or(lower)),
            Field::Isbn => ValueTest::Equal(isbn_of(&lower).unwrap_or(lower)),
            Field::Doi => ValueTest::Equal(doi_of(&lower).unwrap_or(lower)),
            Field::Url => ValueTest::Part(lower),
            Field::Author | Field::From | Field::To if !term.is_exact => {
                let words: Vec<&str> = term.text.split_whitespace().collect();
                // Only the last word may be unfinished.
                let word = |(at, text): (usize, &&str)| {
                    let is_prefix = term.is_prefix && at + 1 == words.len();
                    SearchPhrase::of(&QueryTerm {
                        text: (*text).to_owned(),
                        is_prefix,
                        ..QueryTerm::default()
                    })
                };
                ValueTest::Words(words.iter().enumerate().map(word).collect())
            }
            _ => ValueTest::Words(vec![SearchPhrase::of(term)]),
        }
    }

    fn has(&self, value: &str) -> bool {
        match self {
            ValueTest::Words(words) => words.iter().all(|word| word.is_in(value)),
            ValueTest::Dates(range) => range.has(value),
            ValueTest::Tag(tag) => {
                let value = folded_tag(value);
                // `oil/lamp` is below `oil`, `oilcan` is not.
                value.strip_prefix(tag.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            ValueTest::Part(part) => value.to_lowercase().contains(part.as_str()),
            ValueTest::Equal(wanted) => value == wanted,
        }
    }
}

/// Tags that differ only in letters and in what joins their words are one.
fn folded_tag(tag: &str) -> String {
    tag.to_lowercase().replace(['-', '_'], " ")
}

/// The documents with a value that a filter asks for: those that have it and, of files without any value, those that
/// take it from the file system or from the document that they are in.
fn documents_with(
    connection: &Connection,
    field: Field,
    filter: &QueryFilter,
) -> rusqlite::Result<FxHashSet<i64>> {
    let test = ValueTest::of(field, filter);
    let (mut found, mut own) = (FxHashSet::default(), FxHashSet::default());
    // Equal values follow each other.
    let mut last: Option<(String, bool)> = None;
    let sql = "SELECT value, file_id FROM document_fields WHERE field = ?1 ORDER BY value";
    connection.each(sql, [field.as_str()], |row| {
        let value = row.get_ref(0)?.as_str()?;
        let is_met = match &last {
            Some((known, is_met)) if known == value => *is_met,
            _ => last.insert((value.to_owned(), test.has(value))).1,
        };
        let file_id = row.get(1)?;
        own.insert(file_id);
        if is_met {
            found.insert(file_id);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    // A document that says no date has that of its file.
    if matches!(field, Field::Date | Field::Modified) {
        let sql = "SELECT modification_date, file_id, CASE WHEN is_canonical THEN file_id ELSE duplicate_group_id END
                   FROM files WHERE processing_status = 'Processed' AND modification_date IS NOT NULL";
        connection.each(sql, [], |row| {
            if !own.contains(&row.get(2)?) {
                own.insert(row.get(1)?);
                if test.has(row.get_ref(0)?.as_str()?) {
                    found.insert(row.get(1)?);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
    // What a mail has attached was sent by whom and when it was.
    if matches!(field, Field::From | Field::To | Field::Date) {
        add_members(connection, &own, &mut found)?;
    }
    Ok(found)
}

/// Adds the members of found documents that have no value of their own.
fn add_members(
    connection: &Connection,
    own: &FxHashSet<i64>,
    found: &mut FxHashSet<i64>,
) -> rusqlite::Result<()> {
    let sql =
        "SELECT parent_file_id, file_id FROM files WHERE parent_file_id IS NOT NULL ORDER BY parent_file_id";
    let mut members: Vec<(i64, i64)> = connection.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    // A member of a member is found after its container.
    loop {
        let (inside, others): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(parent, _)| found.contains(parent));
        if inside.is_empty() {
            return Ok(());
        }
        members = others;
        let sql = "SELECT f.file_id, CASE WHEN f.is_canonical THEN f.file_id ELSE f.duplicate_group_id END
                   FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value";
        connection.each(sql, [id_list(inside.into_iter().map(|(_, member)| member))], |row| {
            let (file_id, text_id): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
            if !own.contains(&file_id) && !text_id.is_some_and(|text_id| own.contains(&text_id)) {
                found.insert(file_id);
            }
            Ok(ControlFlow::Continue(()))
        })?;
    }
}
