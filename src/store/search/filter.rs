//! What a query asks of the places of a chunk: path, format, headings.
//!
//! A chunk is found when one of its places answers to everything that is asked. The copies of a file are places too: a
//! pattern that chooses a copy finds the chunks, though they are stored with the file that was read.

use super::highlight::Phrase;
use super::query::{Field, Filter, QueryNote};
use super::{Match, SearchOptions, Store};
use crate::scan::PathPatterns;
use crate::store::Twin;
use crate::store::places::{ChunkPlace, extension, id_list};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Up to so many matches their places are looked at; beyond, the files are gone through, and their chunks.
const FEW: usize = 4_096;

/// Everything that is asked of a place.
#[derive(Debug)]
pub(super) struct Conditions {
    paths: PathPatterns,
    formats: Vec<String>,
    other_formats: Vec<String>,
    headings: Vec<(Phrase, bool)>,
}

/// A file by one of its names.
struct Named<'f> {
    path: &'f str,
    extension: &'f str,
    format: Option<&'f str>,
}

/// A name of a place's file: that of the file which was read, or that of a copy.
enum Name {
    Own,
    Copy(usize),
}

/// What no file answers to, as far as the files have gone by.
struct Unmet<'c> {
    conditions: &'c Conditions,
    has_path: bool,
    named: FxHashSet<&'c str>,
    known: BTreeSet<String>,
}

impl Unmet<'_> {
    fn see(&mut self, file: &Named<'_>) {
        self.has_path = self.has_path || self.conditions.paths.choose(file.path);
        let asked = self.conditions.formats.iter().map(String::as_str);
        self.named.extend(asked.filter(|name| file.format == Some(name) || file.extension == *name));
        if let Some(format) = file.format.filter(|format| !self.known.contains(*format)) {
            self.known.insert(format.to_owned());
        }
    }

    fn notes(self) -> Vec<QueryNote> {
        let known: Vec<String> = self.known.into_iter().collect();
        let missing = self.conditions.formats.iter().filter(|name| !self.named.contains(name.as_str()));
        let formats = missing.map(|name| QueryNote::NoFormat { name: name.clone(), known: known.join(", ") });
        formats.chain((!self.has_path).then_some(QueryNote::NoPath)).collect()
    }
}

impl Conditions {
    /// The filters of the query and those of the options. Of several paths or formats one must answer; of headings all.
    pub fn new(filters: &[Filter], options: &SearchOptions) -> Conditions {
        let of = |field: Field, is_negated: bool| {
            let chosen = move |filter: &&Filter| filter.field == field && filter.is_negated == is_negated;
            filters.iter().filter(chosen).map(|filter| filter.term.text.clone())
        };
        let mut paths = options.paths.clone();
        paths.extend(of(Field::Path, false));
        paths.extend(of(Field::Path, true).map(|path| match path.strip_prefix('!') {
            Some(wanted) => wanted.to_owned(),
            None => format!("!{path}"),
        }));
        let plain = |name: String| name.trim_start_matches('.').to_lowercase();
        let listed = options.formats.iter().cloned().chain(of(Field::Format, false));
        let headings = filters.iter().filter(|filter| filter.field == Field::Heading);
        Conditions {
            paths: PathPatterns::new(&paths),
            formats: listed.map(plain).collect(),
            other_formats: of(Field::Format, true).map(plain).collect(),
            headings: headings.map(|filter| (Phrase::of(&filter.term), filter.is_negated)).collect(),
        }
    }

    /// True when nothing is asked.
    pub fn is_empty(&self) -> bool {
        !self.asks_files() && self.headings.is_empty()
    }

    fn asks_files(&self) -> bool {
        !(self.paths.is_empty() && self.formats.is_empty() && self.other_formats.is_empty())
    }

    fn allow_file(&self, file: &Named<'_>) -> bool {
        let is_named = |name: &String| file.format == Some(name) || file.extension == name;
        (self.formats.is_empty() || self.formats.iter().any(is_named))
            && !self.other_formats.iter().any(is_named)
            && self.paths.choose(file.path)
    }

    /// The same, for many places: most stand below a heading that was asked about before.
    fn allow_heading_again(&self, heading: Option<&str>, known: &mut FxHashMap<String, bool>) -> bool {
        if self.headings.is_empty() {
            return true;
        }
        let heading = heading.unwrap_or_default();
        known.get(heading).copied().unwrap_or_else(|| {
            let is_allowed = self.allow_heading(Some(heading));
            known.insert(heading.to_owned(), is_allowed);
            is_allowed
        })
    }

    fn allow_heading(&self, heading: Option<&str>) -> bool {
        let heading = heading.unwrap_or_default();
        self.headings.iter().all(|(phrase, is_negated)| phrase.is_in(heading) != *is_negated)
    }

    /// Puts the places that answer before the others, each under a name that answers.
    pub fn sort(&self, places: &mut [ChunkPlace]) {
        if self.is_empty() {
            return;
        }
        places.sort_by_cached_key(|place| {
            self.name_in(place).is_none() || !self.allow_heading(place.heading_path.as_deref())
        });
        for place in places {
            if let Some(Name::Copy(copy)) = self.name_in(place) {
                place.show_as(copy);
            }
        }
    }

    /// The first name of a place's file that answers.
    fn name_in(&self, place: &ChunkPlace) -> Option<Name> {
        let format = place.format.as_deref();
        let own = Named { path: &place.relative_path, extension: extension(&place.path), format };
        if self.allow_file(&own) {
            return Some(Name::Own);
        }
        let answers = |twin: &Twin| {
            self.allow_file(&Named { path: &twin.relative_path, extension: &twin.extension, format })
        };
        place.duplicates.iter().position(answers).map(Name::Copy)
    }

    /// What is asked for by path or format that no file answers to, file by file: why nothing is found.
    fn unmet(&self) -> Unmet<'_> {
        Unmet {
            conditions: self,
            has_path: self.paths.is_empty(),
            named: FxHashSet::default(),
            known: BTreeSet::new(),
        }
    }
}

impl Store {
    /// Those of some chunks that have a place to which the conditions answer.
    ///
    /// Cost: for few chunks, a look at each of their places; for many, one pass over the files and over the chunks of
    /// those that answer.
    pub(super) fn allowed(
        &self,
        chunks: &[i64],
        conditions: &Conditions,
    ) -> rusqlite::Result<FxHashSet<i64>> {
        match chunks.len() {
            0..=FEW => self.allowed_by_place(chunks, conditions),
            _ => {
                let wanted: FxHashSet<i64> = chunks.iter().copied().collect();
                let mut allowed = FxHashSet::default();
                self.each_allowed(conditions, &mut |chunk_id| {
                    if wanted.contains(&chunk_id) {
                        allowed.insert(chunk_id);
                    }
                })?;
                Ok(allowed)
            }
        }
    }

    fn allowed_by_place(&self, chunks: &[i64], conditions: &Conditions) -> rusqlite::Result<FxHashSet<i64>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.chunk_id, s.file_id, s.heading_path FROM json_each(?1) j
             CROSS JOIN chunk_sources s ON s.chunk_id = j.value",
        )?;
        let mut places = Vec::new();
        let mut known = FxHashMap::default();
        let mut rows = statement.query([id_list(chunks.iter().copied())])?;
        while let Some(row) = rows.next()? {
            if conditions.allow_heading_again(row.get_ref(2)?.as_str_or_null()?, &mut known) {
                places.push((row.get(0)?, row.get(1)?));
            }
        }
        let files: FxHashSet<i64> = places.iter().map(|(_, file): &(i64, i64)| *file).collect();
        let files = self.allowed_files(Some(files), conditions)?;
        Ok(places.into_iter().filter(|(_, file)| files.contains_key(file)).map(|(chunk, _)| chunk).collect())
    }

    /// Files with content that answer, by one of their names: of all, or of some.
    fn allowed_files(
        &self,
        among: Option<FxHashSet<i64>>,
        conditions: &Conditions,
    ) -> rusqlite::Result<FxHashMap<i64, String>> {
        let mut allowed = FxHashMap::default();
        if let Some(among) = among.as_ref().filter(|_| !conditions.asks_files()) {
            return Ok(among.iter().map(|file| (*file, String::new())).collect());
        }
        let mut statement = self.connection.prepare_cached(match among {
            Some(_) => {
                "SELECT f.file_id, n.relative_path, n.file_extension, f.format, f.full_filepath
                 FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value
                 CROSS JOIN files n ON n.hash = f.hash AND n.processing_status = 'Processed'"
            }
            None => {
                "SELECT f.file_id, n.relative_path, n.file_extension, f.format, f.full_filepath
                 FROM files n CROSS JOIN files f
                   ON f.file_id = CASE WHEN n.is_canonical THEN n.file_id ELSE n.duplicate_group_id END
                 WHERE n.processing_status = 'Processed' AND ?1 IS NULL"
            }
        })?;
        let mut rows = statement.query([among.map(id_list)])?;
        while let Some(row) = rows.next()? {
            let file_id: i64 = row.get(0)?;
            let named = Named {
                path: row.get_ref(1)?.as_str()?,
                extension: row.get_ref(2)?.as_str()?,
                format: row.get_ref(3)?.as_str_or_null()?,
            };
            if conditions.allow_file(&named) && !allowed.contains_key(&file_id) {
                allowed.insert(file_id, row.get(4)?);
            }
        }
        Ok(allowed)
    }

    /// Why nothing is found, where the files alone say so.
    ///
    /// Cost: one pass over the files.
    pub(super) fn unmet(&self, conditions: &Conditions) -> rusqlite::Result<Vec<QueryNote>> {
        if !conditions.asks_files() {
            return Ok(Vec::new());
        }
        let mut unmet = conditions.unmet();
        let mut statement = self.connection.prepare_cached(
            "SELECT n.relative_path, n.file_extension, f.format FROM files n CROSS JOIN files f
               ON f.file_id = CASE WHEN n.is_canonical THEN n.file_id ELSE n.duplicate_group_id END
             WHERE n.processing_status = 'Processed'",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            unmet.see(&Named {
                path: row.get_ref(0)?.as_str()?,
                extension: row.get_ref(1)?.as_str()?,
                format: row.get_ref(2)?.as_str_or_null()?,
            });
        }
        Ok(unmet.notes())
    }

    /// Hands over the chunks of all files that answer, file by file in the order of paths; some several times.
    fn each_allowed(&self, conditions: &Conditions, each: &mut dyn FnMut(i64)) -> rusqlite::Result<()> {
        let mut files: Vec<(String, i64)> =
            self.allowed_files(None, conditions)?.into_iter().map(|(file, path)| (path, file)).collect();
        files.sort_unstable();
        let asks_headings = !conditions.headings.is_empty();
        // Without headings the index alone answers.
        let mut statement = self.connection.prepare_cached(match asks_headings {
            true => {
                "SELECT chunk_id, heading_path FROM chunk_sources WHERE file_id = ?1
                 ORDER BY start_index, chunk_id"
            }
            false => {
                "SELECT chunk_id, NULL FROM chunk_sources WHERE file_id = ?1 ORDER BY start_index, chunk_id"
            }
        })?;
        let mut known = FxHashMap::default();
        for (_, file_id) in files {
            let mut rows = statement.query([file_id])?;
            while let Some(row) = rows.next()? {
                if conditions.allow_heading_again(row.get_ref(1)?.as_str_or_null()?, &mut known) {
                    each(row.get(0)?);
                }
            }
        }
        Ok(())
    }

    /// Every chunk with a place that answers, in the order of paths: what is found where no words are looked for.
    pub(super) fn in_order(&self, conditions: &Conditions) -> rusqlite::Result<Vec<Match>> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        self.each_allowed(conditions, &mut |chunk_id| {
            if seen.insert(chunk_id) {
                found.push(Match { chunk_id, score: 0.0 });
            }
        })?;
        Ok(found)
    }
}
