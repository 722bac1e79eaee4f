//! The places of chunks: files, copies of files, documents inside documents.

use super::citation::Citation;
use super::repetition::{self, PlaceRepetition};
use crate::store::rows::member_names::{MemberLocation, member_names};
use crate::store::rows::place_columns::{PlaceColumns, place_columns};
use crate::store::rows::sql::{Queries, id_list};
use rusqlite::{Connection, Row};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::mem::swap;
use std::ops::ControlFlow;

/// One place of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChunkPlace {
    /// The public id of the file.
    pub doc_uid: String,
    /// Its path below its root, for people: `notes/a.md`, or `mail.eml » 2 » report.pdf` for a member.
    pub name: String,
    /// Its path below its root, in stored form.
    pub relative_path: String,
    /// Absolute path in stored form.
    pub path: String,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// Where it is there, and what belongs to it.
    #[serde(flatten)]
    pub at: PlaceColumns,
    /// The citation of the words.
    pub citation: Citation,
    /// The title of the document, where it was asked for and is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its authors, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// What earlier documents have of it, where a ledger of repetition is kept.
    #[serde(flatten)]
    pub repetition: Option<PlaceRepetition>,
    /// The table that it is in, `t12`, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Other files with the same bytes, by path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<FileCopy>,
    /// The row that has the text.
    #[serde(skip)]
    pub file_id: i64,
    /// The root of the file.
    #[serde(skip)]
    pub root_id: i64,
    /// How the text was cut.
    #[serde(skip)]
    pub strategy: String,
}

/// A place as `export` and `changes` print it: the source bytes also as two numbers of their own.
#[derive(Serialize)]
struct PrintedPlace<'p> {
    #[serde(flatten)]
    place: &'p ChunkPlace,
    source_start: Option<usize>,
    source_end: Option<usize>,
}

impl PrintedPlace<'_> {
    fn of(place: &ChunkPlace) -> PrintedPlace<'_> {
        let (source_start, source_end) = place.at.source.map(|source| (source.start, source.end)).unzip();
        PrintedPlace { place, source_start, source_end }
    }
}

/// Prints a place as `export` and `changes` do.
pub(crate) fn print_place<S: Serializer>(place: &ChunkPlace, serializer: S) -> Result<S::Ok, S::Error> {
    PrintedPlace::of(place).serialize(serializer)
}

/// Prints a list of places as `export` does.
pub(crate) fn print_places<S: Serializer>(places: &[ChunkPlace], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(places.iter().map(PrintedPlace::of))
}

impl ChunkPlace {
    /// The absolute path, for people.
    pub fn full_name(&self) -> String {
        full_name(&self.path, &self.relative_path, &self.name)
    }

    /// Names the place after one of its copies, and lists the original file as a copy.
    pub(crate) fn swap_with_copy(&mut self, index: usize) {
        let extension = extension(&self.path).to_owned();
        let copy = &mut self.duplicates[index];
        swap(&mut self.doc_uid, &mut copy.doc_uid);
        swap(&mut self.name, &mut copy.name);
        swap(&mut self.relative_path, &mut copy.relative_path);
        swap(&mut self.path, &mut copy.path);
        swap(&mut self.root_id, &mut copy.root_id);
        copy.extension = extension;
        self.citation.doc_uid.clone_from(&self.doc_uid);
        self.duplicates.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// The extension of a path, without the dot.
pub(crate) fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// A file with the same bytes as another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileCopy {
    #[serde(skip)]
    pub(crate) file_id: i64,
    /// The public id of the file.
    pub doc_uid: String,
    /// See [`ChunkPlace`].
    pub name: String,
    /// See [`ChunkPlace`].
    pub relative_path: String,
    /// See [`ChunkPlace`].
    pub path: String,
    /// The root of the file.
    #[serde(skip)]
    pub root_id: i64,
    #[serde(skip)]
    pub(crate) extension: String,
}

impl FileCopy {
    /// The absolute path, for people.
    pub fn full_name(&self) -> String {
        full_name(&self.path, &self.relative_path, &self.name)
    }
}

fn full_name(path: &str, relative: &str, name: &str) -> String {
    format!("{}{name}", path.strip_suffix(relative).unwrap_or_default())
}

/// All places of the given chunks, each list sorted by path, with all copies of the files. A chunk is given by its row
/// and the hash of its content.
///
/// Cost: a fixed number of queries, however many chunks and places there are.
pub(crate) fn places_of(
    connection: &Connection,
    chunks: &[(i64, &str)],
) -> rusqlite::Result<HashMap<i64, Vec<ChunkPlace>>> {
    let sql = format!(
        "SELECT {PLACE_COLUMNS}
         FROM json_each(?1) j CROSS JOIN chunk_sources s ON s.chunk_id = j.value JOIN files f USING(file_id)
         ORDER BY f.full_filepath, s.start_index"
    );
    let mut found: HashMap<i64, Vec<ChunkPlace>> = HashMap::new();
    let mut names = PlaceNames::default();
    let hashes: HashMap<i64, &str> = chunks.iter().copied().collect();
    connection.each(&sql, [id_list(chunks.iter().map(|(id, _)| *id))], |row| {
        let chunk_id = row.get(0)?;
        let place = names.read_place(row, 0, hashes.get(&chunk_id).copied().unwrap_or_default())?;
        found.entry(chunk_id).or_default().push(place);
        Ok(ControlFlow::Continue(()))
    })?;
    names.fill_in(connection, found.values_mut().flatten())?;
    Ok(found)
}

/// What [`PlaceNames::read_place`] reads, of `chunk_sources s` and `files f`.
pub(crate) const PLACE_COLUMNS: &str = concat!(
    "s.chunk_id, f.file_id, f.doc_uid, f.relative_path, f.full_filepath, f.format, f.parent_file_id, f.member, f.filename,
     f.duplicate_status = 'canonical', ",
    place_columns!(),
    ", f.root_id, s.chunking_strategy"
);

/// Reads places row by row; the names of members and copies are looked up for all of them together.
#[derive(Default)]
pub(crate) struct PlaceNames {
    members: Vec<(i64, MemberLocation)>,
    /// Files that have copies.
    shared: Vec<i64>,
}

impl PlaceNames {
    /// The place in a row whose [`PLACE_COLUMNS`] begin at column `first`.
    pub(crate) fn read_place(
        &mut self,
        row: &Row<'_>,
        first: usize,
        content_hash: &str,
    ) -> rusqlite::Result<ChunkPlace> {
        let place = chunk_place(row, first, content_hash)?;
        if let Some(location) = MemberLocation::read(row, first + 6)? {
            self.members.push((place.file_id, location));
        }
        if row.get::<_, Option<bool>>(first + 9)?.unwrap_or(false) {
            self.shared.push(place.file_id);
        }
        Ok(place)
    }

    /// Gives the places that were read the names of their members and their copies.
    pub(crate) fn fill_in<'p>(
        self,
        connection: &Connection,
        places: impl Iterator<Item = &'p mut ChunkPlace>,
    ) -> rusqlite::Result<()> {
        let names = member_names(connection, self.members)?;
        let copies = copies_of(connection, self.shared)?;
        let places: Vec<&mut ChunkPlace> = places.collect();
        let spans: Vec<_> =
            places.iter().map(|place| (place.file_id, place.at.start..place.at.end)).collect();
        for (place, entry) in places.into_iter().zip(repetition::of_places(connection, &spans)?) {
            place.repetition = entry;
            if let Some(name) = names.get(&place.file_id) {
                place.name.clone_from(name);
            }
            if let Some(copies) = copies.get(&place.file_id) {
                place.duplicates.clone_from(copies);
            }
        }
        Ok(())
    }
}

/// The other files in the groups of the given canonical files, by path.
pub(crate) fn copies_of(
    connection: &Connection,
    mut files: Vec<i64>,
) -> rusqlite::Result<HashMap<i64, Vec<FileCopy>>> {
    let sql = "SELECT f.file_id, d.file_id, d.doc_uid, d.relative_path, d.full_filepath, d.file_extension,
                      d.parent_file_id, d.member, d.filename, d.root_id
               FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value
               JOIN files d ON d.hash = f.hash AND d.file_id <> f.file_id AND d.processing_status <> 'Deleted'
               ORDER BY d.full_filepath";
    files.sort_unstable();
    files.dedup();
    if files.is_empty() {
        return Ok(HashMap::new());
    }
    let (mut copies, mut members) = (Vec::new(), Vec::new());
    connection.each(sql, [id_list(files)], |row| {
        let (canonical, own): (i64, i64) = (row.get(0)?, row.get(1)?);
        if let Some(location) = MemberLocation::read(row, 6)? {
            members.push((own, location));
        }
        copies.push((canonical, own, file_copy(row)?));
        Ok(ControlFlow::Continue(()))
    })?;
    let names = member_names(connection, members)?;
    let mut found: HashMap<i64, Vec<FileCopy>> = HashMap::new();
    for (canonical, own, mut copy) in copies {
        if let Some(name) = names.get(&own) {
            copy.name.clone_from(name);
        }
        found.entry(canonical).or_default().push(copy);
    }
    Ok(found)
}

fn file_copy(row: &Row<'_>) -> rusqlite::Result<FileCopy> {
    let relative_path: String = row.get(3)?;
    Ok(FileCopy {
        file_id: row.get(1)?,
        doc_uid: row.get(2)?,
        name: relative_path.clone(),
        relative_path,
        path: row.get(4)?,
        extension: row.get(5)?,
        root_id: row.get(9)?,
    })
}

fn chunk_place(row: &Row<'_>, first: usize, content_hash: &str) -> rusqlite::Result<ChunkPlace> {
    let relative_path: String = row.get(first + 3)?;
    let doc_uid: String = row.get(first + 2)?;
    let at = PlaceColumns::read(row, first + 10)?;
    Ok(ChunkPlace {
        file_id: row.get(first + 1)?,
        root_id: row.get(first + 18)?,
        strategy: row.get(first + 19)?,
        citation: Citation::of_chunk(&doc_uid, at.start..at.end, content_hash),
        doc_uid,
        name: relative_path.clone(),
        relative_path,
        path: row.get(first + 4)?,
        format: row.get(first + 5)?,
        at,
        title: None,
        author: None,
        repetition: None,
        table: None,
        duplicates: Vec::new(),
    })
}
