//! Chunks with a place that meets the conditions of a query.

pub(super) mod conditions;
pub(super) mod document_filters;
pub(super) mod field_conditions;

use super::ranked::RankedChunk;
use crate::store::query::QueryNote;
use crate::store::rows::sql::{Queries, id_list};
use conditions::{FileName, PlaceConditions};
use pensieve_text::chunk::{HeadingSyntax, heading_titles};
use pensieve_text::format::{Format, by_name};
use pensieve_text::model::TextKind;
use rusqlite::{Connection, Row};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// Up to this many matches, the files of their places are looked up one by one: that takes two milliseconds, a pass over all
/// files of a large database ten times as long.
const MAX_CHECKED_BY_PLACE: usize = 1_024;

/// What a step costs in places that are read in the order of files: looking one up reads a page for nearly each, and a file
/// needs a statement.
// Measured with 470,000 places in 23,000 files: .1, 1.7 and 5 microseconds.
const LOOK_UP_READS: usize = 16;
const FILE_READS: usize = 50;

/// The chunks, out of the given ones, with a place that meets the conditions.
///
/// Cost: for few chunks, a check of each of their places; for many, one pass over the files, and over the chunks of
/// the files that meet the conditions or of those that do not, whichever are fewer.
pub(super) fn allowed(
    connection: &Connection,
    chunks: &[i64],
    conditions: &PlaceConditions,
) -> rusqlite::Result<FxHashSet<i64>> {
    if chunks.len() <= MAX_CHECKED_BY_PLACE {
        return allowed_by_place(connection, chunks, conditions);
    }
    let sql = "SELECT max(chunk_id), (SELECT count(*) FROM files) FROM chunks";
    let (all, files): (Option<i64>, i64) = connection.one(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let (all, files) = (all.unwrap_or(0) as usize, (files as usize).max(1));
    let allowed_files = all_allowed_files(connection, conditions)?.len().min(files);
    // Chunks are spread evenly enough over files to choose the shortest way.
    let inside = all * allowed_files / files;
    let outside = all - inside;
    let by_place = chunks.len() * LOOK_UP_READS;
    let by_files = inside + allowed_files * FILE_READS;
    // Of the chunks in other files each has to be looked up.
    let by_others = outside + (files - allowed_files) * FILE_READS + by_place * outside / all.max(1);
    let has_only_file_conditions = !conditions.has_heading_conditions() && !conditions.has_fold_conditions();
    if has_only_file_conditions && by_others < by_place.min(by_files) {
        return allowed_by_others(connection, chunks, conditions);
    }
    if by_place < by_files {
        return allowed_by_place(connection, chunks, conditions);
    }
    let wanted: FxHashSet<i64> = chunks.iter().copied().collect();
    let mut allowed = FxHashSet::default();
    each_allowed(connection, conditions, &mut |chunk_id| {
        if wanted.contains(&chunk_id) {
            allowed.insert(chunk_id);
        }
    })?;
    Ok(allowed)
}

/// The same by the files that do not meet the conditions: a chunk that is in none of them needs no look.
fn allowed_by_others(
    connection: &Connection,
    chunks: &[i64],
    conditions: &PlaceConditions,
) -> rusqlite::Result<FxHashSet<i64>> {
    let files = all_allowed_files(connection, conditions)?;
    let mut allowed: FxHashSet<i64> = chunks.iter().copied().collect();
    let mut open = Vec::new();
    for file_id in connection.rows("SELECT file_id FROM files", [], |row| row.get::<_, i64>(0))? {
        if !files.contains(&file_id) {
            each_allowed_of(connection, file_id, conditions, &mut |chunk_id| {
                if allowed.remove(&chunk_id) {
                    open.push(chunk_id);
                }
            })?;
        }
    }
    allowed.extend(allowed_by_place(connection, &open, conditions)?);
    Ok(allowed)
}

fn allowed_by_place(
    connection: &Connection,
    chunks: &[i64],
    conditions: &PlaceConditions,
) -> rusqlite::Result<FxHashSet<i64>> {
    let headings = if conditions.has_heading_conditions() { "s.heading_path" } else { "NULL" };
    // A locator is parsed for each place, so it is read only where it is asked for.
    let locator = if conditions.has_fold_conditions() { "s.locator" } else { "NULL" };
    let sql = format!(
        "SELECT s.chunk_id, s.file_id, {headings}, s.start_index, s.end_index, {locator}
         FROM json_each(?1) j CROSS JOIN chunk_sources s ON s.chunk_id = j.value"
    );
    let mut places: Vec<(i64, i64)> = Vec::new();
    let mut headings = PlaceHeadings::new(connection, conditions);
    connection.each(&sql, [id_list(chunks.iter().copied())], |row| {
        let (chunk_id, file_id) = (row.get(0)?, row.get(1)?);
        if has_allowed_fold(conditions, row)? && headings.are_allowed(file_id, row)? {
            places.push((chunk_id, file_id));
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let some;
    let files = match conditions.allowed_files.get() {
        Some(all) => all,
        None => {
            let among: FxHashSet<i64> = places.iter().map(|(_, file)| *file).collect();
            some = allowed_files(connection, Some(among), conditions)?;
            &some
        }
    };
    Ok(places.into_iter().filter(|(_, file)| files.contains(file)).map(|(chunk, _)| chunk).collect())
}

/// All files with content that meet the conditions, looked up once for a search.
fn all_allowed_files<'c>(
    connection: &Connection,
    conditions: &'c PlaceConditions,
) -> rusqlite::Result<&'c FxHashSet<i64>> {
    if let Some(known) = conditions.allowed_files.get() {
        return Ok(known);
    }
    let found = allowed_files(connection, None, conditions)?;
    Ok(conditions.allowed_files.get_or_init(|| found))
}

/// Files with content that meet the conditions under one of their names: among all files, or among the given ones.
fn allowed_files(
    connection: &Connection,
    among: Option<FxHashSet<i64>>,
    conditions: &PlaceConditions,
) -> rusqlite::Result<FxHashSet<i64>> {
    if let Some(among) = among.as_ref().filter(|_| !conditions.has_file_conditions()) {
        return Ok(among.clone());
    }
    let mut allowed = FxHashSet::default();
    each_name(connection, among, &mut |file| {
        // One of a file's names is enough.
        if conditions.allow_file(file) {
            allowed.insert(file.text_id);
        }
    })?;
    Ok(allowed)
}

/// Passes every name of files with content to `each`: of all files, or of the given ones.
fn each_name(
    connection: &Connection,
    among: Option<FxHashSet<i64>>,
    each: &mut dyn FnMut(&FileName<'_>),
) -> rusqlite::Result<()> {
    // `?1 IS NULL` takes the value that only the other statement needs.
    let sql = match among {
        Some(_) => {
            "SELECT f.file_id, n.relative_path, n.file_extension, f.format, n.file_id
             FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value
             CROSS JOIN files n ON n.hash = f.hash AND n.processing_status = 'Processed'"
        }
        // Most files are no copies, and a look-up for each would take as long as the pass itself.
        None => {
            "SELECT iif(n.is_canonical, n.file_id, n.duplicate_group_id), n.relative_path, n.file_extension,
                    iif(n.is_canonical, n.format, (SELECT format FROM files WHERE file_id = n.duplicate_group_id)),
                    n.file_id
             FROM files n WHERE n.processing_status = 'Processed' AND ?1 IS NULL"
        }
    };
    connection.each(sql, [among.map(id_list)], |row| {
        each(&FileName {
            text_id: row.get(0)?,
            path: row.get_ref(1)?.as_str()?,
            extension: row.get_ref(2)?.as_str()?,
            format: row.get_ref(3)?.as_str_or_null()?,
            file_id: row.get(4)?,
        });
        Ok(ControlFlow::Continue(()))
    })
}

/// Notes on conditions that no file meets, to explain an empty result.
///
/// Cost: one pass over the files.
pub(super) fn unmet_notes(
    connection: &Connection,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<QueryNote>> {
    if !conditions.has_file_conditions() {
        return Ok(Vec::new());
    }
    let mut unmet = conditions.unmet();
    each_name(connection, None, &mut |file| unmet.add_file(file))?;
    let mut notes = unmet.notes();
    notes.extend(conditions.field_notes(connection)?);
    Ok(notes)
}

/// Passes the chunks of all files that meet the conditions to `each`, file by file. A chunk may be passed several times.
fn each_allowed(
    connection: &Connection,
    conditions: &PlaceConditions,
    each: &mut dyn FnMut(i64),
) -> rusqlite::Result<()> {
    let files = all_allowed_files(connection, conditions)?.iter();
    files.copied().try_for_each(|file_id| each_allowed_of(connection, file_id, conditions, each))
}

/// The files with content that meet the conditions, by path.
fn files_in_order(
    connection: &Connection,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<(String, i64)>> {
    let allowed = all_allowed_files(connection, conditions)?;
    let sql = "SELECT full_filepath, file_id FROM files";
    let mut files: Vec<(String, i64)> = connection.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    files.retain(|(_, file)| allowed.contains(file));
    files.sort_unstable();
    Ok(files)
}

/// Passes the chunks of a file whose headings meet the conditions to `each`.
fn each_allowed_of(
    connection: &Connection,
    file_id: i64,
    conditions: &PlaceConditions,
    each: &mut dyn FnMut(i64),
) -> rusqlite::Result<()> {
    // Without headings, ends and locators, the index alone is enough: seven times as fast as with the rows.
    let (heading, end) = match conditions.has_heading_conditions() {
        true => ("heading_path", "end_index"),
        false => ("NULL", "NULL"),
    };
    let locator = if conditions.has_fold_conditions() { "locator" } else { "NULL" };
    let sql = format!(
        "SELECT chunk_id, file_id, {heading}, start_index, {end}, {locator} FROM chunk_sources
         WHERE file_id = ?1 ORDER BY start_index, chunk_id"
    );
    let mut headings = PlaceHeadings::new(connection, conditions);
    connection.each(&sql, [file_id], |row| {
        if has_allowed_fold(conditions, row)? && headings.are_allowed(file_id, row)? {
            each(row.get(0)?);
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Tests a row with the locator of a place in column 5.
fn has_allowed_fold(conditions: &PlaceConditions, row: &Row<'_>) -> rusqlite::Result<bool> {
    if !conditions.has_fold_conditions() {
        return Ok(true);
    }
    let locator = row.get_ref(5)?.as_str_or_null()?.and_then(|json| serde_json::from_str(json).ok());
    Ok(conditions.allow_fold(locator.as_ref()))
}

/// The headings of places: those above a chunk, and those inside it, which stand above most of its text where it begins
/// with front matter, a badge or an introduction, or has several short sections.
struct PlaceHeadings<'c> {
    connection: &'c Connection,
    conditions: &'c PlaceConditions,
    /// Paths of headings that were compared.
    known: FxHashMap<String, bool>,
    file: FileHeadings,
}

/// Where the headings inside of one file's chunks are.
#[derive(Default)]
struct FileHeadings {
    file_id: i64,
    /// Its sections by their beginnings; formats that are read as they are have none.
    sections: Vec<(i64, String)>,
    /// How its text writes headings, if there are no sections.
    syntax: Option<Option<HeadingSyntax>>,
}

impl FileHeadings {
    fn read(connection: &Connection, file_id: i64) -> rusqlite::Result<FileHeadings> {
        let sql = "SELECT start_index, label FROM sections WHERE file_id = ?1 ORDER BY start_index";
        let sections: Vec<(i64, String)> =
            connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sql = "SELECT format FROM files WHERE file_id = ?1";
        let format: Option<String> = connection.first(sql, [file_id], |row| row.get(0))?.flatten();
        // Where the reader stored sections, the text need not be searched for headings.
        let format = format.and_then(|name| by_name(&name)).filter(|_| sections.is_empty());
        let has_headings = |format: &&Format| format.headings.is_some() || format.kind == TextKind::Markup;
        let syntax = format.filter(has_headings).map(|format| format.headings);
        Ok(FileHeadings { file_id, sections, syntax })
    }

    /// The labels of the sections that begin in a span.
    fn labels(&self, start: i64, end: i64) -> impl Iterator<Item = &str> {
        let first = self.sections.partition_point(|(at, _)| *at < start);
        let inside = self.sections[first..].iter().take_while(move |(at, _)| *at < end);
        inside.map(|(_, label)| label.as_str())
    }
}

impl<'c> PlaceHeadings<'c> {
    fn new(connection: &'c Connection, conditions: &'c PlaceConditions) -> PlaceHeadings<'c> {
        let (known, file) = (FxHashMap::default(), FileHeadings::default());
        PlaceHeadings { connection, conditions, known, file }
    }

    /// Tests a row with the chunk, the heading path, and the beginning and the end of a place in columns 0 and 2 to 4.
    fn are_allowed(&mut self, file_id: i64, row: &Row<'_>) -> rusqlite::Result<bool> {
        let above = row.get_ref(2)?.as_str_or_null()?.unwrap_or_default();
        if !self.conditions.has_heading_conditions() {
            return Ok(true);
        }
        if self.file.file_id != file_id {
            self.file = FileHeadings::read(self.connection, file_id)?;
        }
        let mut all = above.to_owned();
        // A line end keeps a phrase from matching over two headings.
        self.file.labels(row.get(3)?, row.get(4)?).for_each(|label| all.extend(["\n", label]));
        if let Some(syntax) = self.file.syntax {
            self.add_titles(row.get(0)?, syntax, &mut all)?;
        }
        if let Some(is_allowed) = self.known.get(&all) {
            return Ok(*is_allowed);
        }
        let is_allowed = self.conditions.allow_heading(&all);
        self.known.insert(all, is_allowed);
        Ok(is_allowed)
    }

    /// Adds the headings in the content of a chunk, if it has words that are asked for.
    fn add_titles(
        &self,
        chunk_id: i64,
        syntax: Option<HeadingSyntax>,
        all: &mut String,
    ) -> rusqlite::Result<()> {
        if !self.conditions.has_heading_words(self.connection, chunk_id)? {
            return Ok(());
        }
        let sql = "SELECT content FROM chunks WHERE chunk_id = ?1";
        self.connection.each(sql, [chunk_id], |row| {
            let titles = heading_titles(row.get_ref(0)?.as_str()?, syntax);
            titles.iter().for_each(|title| all.extend(["\n", title]));
            Ok(ControlFlow::Continue(()))
        })
    }
}

/// Every chunk with a place that meets the conditions, in the order of paths: the result of a query without words.
pub(super) fn in_order(
    connection: &Connection,
    conditions: &PlaceConditions,
) -> rusqlite::Result<Vec<RankedChunk>> {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for (_, file_id) in files_in_order(connection, conditions)? {
        each_allowed_of(connection, file_id, conditions, &mut |chunk_id| {
            // A chunk with several places stands at its first one.
            if seen.insert(chunk_id) {
                found.push(RankedChunk { chunk_id, score: 0.0 });
            }
        })?;
    }
    Ok(found)
}
