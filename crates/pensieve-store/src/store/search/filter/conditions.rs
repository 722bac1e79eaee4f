//! The conditions of a query on the places of a chunk: path, format, headings.
//!
//! A chunk is found when one of its places meets all conditions. The copies of a file are places too: a pattern that
//! matches a copy finds the chunks, though they are stored with the file that was read.

use super::document_filters::DocumentFilters;
use super::field_conditions::FieldCondition;
use crate::scan::PathPatterns;
use crate::store::places::chunk_place::{ChunkPlace, FileCopy, extension};
use crate::store::query::{Expression, QueryField, QueryFilter, QueryNote, QueryTerm, Script, expression};
use crate::store::rows::sql::Queries;
use crate::store::search::highlight::SearchPhrase;
use rusqlite::Connection;
use rustc_hash::FxHashSet;
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Conditions on the places of a chunk.
#[derive(Debug)]
pub(crate) struct PlaceConditions {
    paths: PathPatterns,
    formats: Vec<String>,
    other_formats: Vec<String>,
    fields: Vec<FieldCondition>,
    headings: Vec<(SearchPhrase, bool)>,
    /// The same as a query for any of them.
    heading_words: Expression,
    /// The chunks that it finds, once they were looked up.
    with_heading_words: OnceCell<FxHashSet<i64>>,
    /// Whether and how the text is folded, and if that is to be left out.
    folded: Vec<(String, bool)>,
    /// All files that meet the conditions on files, once they were looked up.
    pub allowed_files: OnceCell<FxHashSet<i64>>,
}

/// A file, by one of its names.
pub(crate) struct FileName<'f> {
    pub file_id: i64,
    /// The file that has its text.
    pub text_id: i64,
    pub path: &'f str,
    pub extension: &'f str,
    pub format: Option<&'f str>,
}

/// A name of a place's file: its own, or that of a copy.
enum MatchedName {
    Own,
    Copy(usize),
}

/// The conditions that no file so far has met.
pub(crate) struct UnmetConditions<'c> {
    conditions: &'c PlaceConditions,
    has_path: bool,
    named: FxHashSet<&'c str>,
    known: BTreeSet<String>,
}

impl UnmetConditions<'_> {
    pub fn add_file(&mut self, file: &FileName<'_>) {
        self.has_path = self.has_path || self.conditions.paths.choose(file.path);
        let asked = self.conditions.formats.iter().map(String::as_str);
        self.named.extend(asked.filter(|name| file.format == Some(name) || file.extension == *name));
        if let Some(format) = file.format.filter(|format| !self.known.contains(*format)) {
            self.known.insert(format.to_owned());
        }
    }

    pub fn notes(self) -> Vec<QueryNote> {
        let known: Vec<String> = self.known.into_iter().collect();
        let missing = self.conditions.formats.iter().filter(|name| !self.named.contains(name.as_str()));
        let formats = missing.map(|name| QueryNote::NoFormat { name: name.clone(), known: known.join(", ") });
        formats.chain((!self.has_path).then_some(QueryNote::NoPath)).collect()
    }
}

impl PlaceConditions {
    /// The filters of the query and those of the options. A place must meet one of several paths, one of several
    /// formats, and all headings.
    ///
    /// # Errors
    /// The fields of documents cannot be read.
    ///
    /// Cost: that of the conditions on fields.
    pub fn new(
        connection: &Connection,
        filters: &[QueryFilter],
        documents: &DocumentFilters,
    ) -> rusqlite::Result<PlaceConditions> {
        let filters = documents.with(filters);
        let of = |field: QueryField, is_negated: bool| {
            let chosen =
                move |filter: &&QueryFilter| filter.field == field && filter.is_negated == is_negated;
            filters.iter().filter(chosen).map(|filter| filter.term.text.clone())
        };
        let mut paths = documents.paths.clone();
        paths.extend(of(QueryField::Path, false));
        // Not what is excluded: `-path:!old` is `path:old`.
        paths.extend(of(QueryField::Path, true).map(|path| match path.strip_prefix('!') {
            Some(wanted) => wanted.to_owned(),
            None => format!("!{path}"),
        }));
        // `.pdf` and `PDF` are what people type.
        let plain = |name: String| name.trim_start_matches('.').to_lowercase();
        let headings = filters.iter().filter(|filter| filter.field == QueryField::Heading);
        let word =
            // `^` is about the beginning of a heading, not of the chunk.
            |filter: &QueryFilter| Expression::Term(QueryTerm { is_first: false, ..filter.term.clone() });
        let heading_words = Expression::Any(headings.clone().map(word).collect());
        let folded = filters.iter().filter(|filter| filter.field == QueryField::Folded);
        Ok(PlaceConditions {
            folded: folded.map(|filter| (filter.term.text.clone(), filter.is_negated)).collect(),
            paths: PathPatterns::new(&paths),
            formats: of(QueryField::Format, false).map(plain).collect(),
            other_formats: of(QueryField::Format, true).map(plain).collect(),
            fields: FieldCondition::all(connection, &filters)?,
            headings: headings.map(|filter| (SearchPhrase::of(&filter.term), filter.is_negated)).collect(),
            heading_words,
            with_heading_words: OnceCell::new(),
            allowed_files: OnceCell::new(),
        })
    }

    /// True when there is no condition.
    pub fn is_empty(&self) -> bool {
        !self.has_file_conditions() && self.headings.is_empty() && self.folded.is_empty()
    }

    /// True if there are conditions on how text is folded.
    pub fn has_fold_conditions(&self) -> bool {
        !self.folded.is_empty()
    }

    /// True if a locator meets the conditions on how its text is folded.
    pub fn allow_fold(&self, locator: Option<&Value>) -> bool {
        let fold = locator.and_then(|locator| locator["folded"].as_str());
        self.folded.iter().all(|(wanted, is_negated)| {
            let is_met = match wanted.as_str() {
                "no" => fold.is_none(),
                "yes" => fold.is_some(),
                kind => fold == Some(kind),
            };
            is_met != *is_negated
        })
    }

    /// True if there are conditions on headings.
    pub fn has_heading_conditions(&self) -> bool {
        !self.headings.is_empty()
    }

    /// True if there are conditions on paths, formats or fields.
    pub fn has_file_conditions(&self) -> bool {
        !(self.paths.is_empty()
            && self.formats.is_empty()
            && self.other_formats.is_empty()
            && self.fields.is_empty())
    }

    pub fn allow_file(&self, file: &FileName<'_>) -> bool {
        let is_named = |name: &String| file.format == Some(name) || file.extension == name;
        (self.formats.is_empty() || self.formats.iter().any(is_named))
            && !self.other_formats.iter().any(is_named)
            && self.fields.iter().all(|field| field.allows(file.file_id, file.text_id))
            && self.paths.choose(file.path)
    }

    /// What is to be said of conditions on fields that no document meets.
    pub fn field_notes(&self, connection: &Connection) -> rusqlite::Result<Vec<QueryNote>> {
        self.fields.iter().filter_map(|field| field.note(connection).transpose()).collect()
    }

    /// True if a chunk has words that are asked for in headings.
    ///
    /// Cost: two queries of the search tables for the first chunk.
    pub fn has_heading_words(&self, connection: &Connection, chunk_id: i64) -> rusqlite::Result<bool> {
        if let Some(chunks) = self.with_heading_words.get() {
            return Ok(chunks.contains(&chunk_id));
        }
        let mut chunks = FxHashSet::default();
        let tables = [("chunks_fts", Script::Spaced), ("chunks_fts_unspaced", Script::Unspaced)];
        for (table, script) in tables {
            let sql = format!("SELECT rowid FROM {table} WHERE {table} MATCH ?1");
            let words = expression(&self.heading_words, script);
            chunks.extend(connection.rows(&sql, [words], |row| row.get::<_, i64>(0))?);
        }
        Ok(self.with_heading_words.get_or_init(|| chunks).contains(&chunk_id))
    }

    /// True if headings, as one text, meet the conditions on them.
    pub fn allow_heading(&self, headings: &str) -> bool {
        self.headings.iter().all(|(phrase, is_negated)| phrase.is_in(headings) != *is_negated)
    }

    /// Moves the places that meet the conditions to the front, each with a name that meets them.
    pub fn sort(&self, places: &mut [ChunkPlace]) {
        // Places are in the order of paths already.
        if self.is_empty() {
            return;
        }
        places.sort_by_cached_key(|place| {
            self.name_in(place).is_none()
                || !self.allow_heading(place.at.heading_path.as_deref().unwrap_or_default())
                || !self.allow_fold(place.at.locator_value().as_ref())
        });
        for place in places {
            if let Some(MatchedName::Copy(copy)) = self.name_in(place) {
                place.swap_with_copy(copy);
            }
        }
    }

    /// The first name of a place's file that meets the conditions.
    fn name_in(&self, place: &ChunkPlace) -> Option<MatchedName> {
        let format = place.format.as_deref();
        let text_id = place.file_id;
        let own = FileName {
            file_id: text_id,
            text_id,
            path: &place.relative_path,
            extension: extension(&place.path),
            format,
        };
        if self.allow_file(&own) {
            return Some(MatchedName::Own);
        }
        let is_met = |copy: &FileCopy| {
            self.allow_file(&FileName {
                file_id: copy.file_id,
                text_id,
                path: &copy.relative_path,
                extension: &copy.extension,
                format,
            })
        };
        place.duplicates.iter().position(is_met).map(MatchedName::Copy)
    }

    /// The conditions on files, before any file was checked.
    pub fn unmet(&self) -> UnmetConditions<'_> {
        UnmetConditions {
            conditions: self,
            has_path: self.paths.is_empty(),
            named: FxHashSet::default(),
            known: BTreeSet::new(),
        }
    }
}
