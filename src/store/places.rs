//! The places of chunks: files, copies of files, documents inside documents.

use super::Store;
use rusqlite::Row;
use serde::Serialize;
use std::collections::HashMap;
use std::mem::swap;

/// Between a document and what it holds, in names for people.
pub const INSIDE: &str = " » ";

/// One place of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChunkPlace {
    /// How outsiders name the file.
    pub doc_uid: String,
    /// Its path below its root, for people: `notes/a.md`, and of a document inside another
    /// `mail.eml » 2 » report.pdf`.
    pub name: String,
    /// Its path below its root, in stored form.
    pub relative_path: String,
    /// Absolute path in stored form.
    pub path: String,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// First byte in the clean text of that file.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// Source bytes, where the format has them.
    pub source: Option<(usize, usize)>,
    /// True when those bytes, decoded and normalised, are the chunk.
    pub source_exact: Option<bool>,
    /// Lines, pages, cells, as JSON.
    pub locator: Option<serde_json::Value>,
    /// Headings above it.
    pub heading_path: Option<String>,
    /// Words that belong before it.
    pub context: Option<String>,
    /// Other files with the same bytes, by path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<Twin>,
    #[serde(skip)]
    pub(super) file_id: i64,
}

impl ChunkPlace {
    /// The absolute path, for people.
    pub fn full_name(&self) -> String {
        full_name(&self.path, &self.relative_path, &self.name)
    }

    /// Tells the place by one of its copies, and its own file as a copy.
    pub(super) fn show_as(&mut self, copy: usize) {
        let extension = extension(&self.path).to_owned();
        let twin = &mut self.duplicates[copy];
        swap(&mut self.doc_uid, &mut twin.doc_uid);
        swap(&mut self.name, &mut twin.name);
        swap(&mut self.relative_path, &mut twin.relative_path);
        swap(&mut self.path, &mut twin.path);
        twin.extension = extension;
        self.duplicates.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// The extension of a path, without the dot.
pub(super) fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// A file with the bytes of another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Twin {
    /// How outsiders name the file.
    pub doc_uid: String,
    /// As in [`ChunkPlace`].
    pub name: String,
    /// As in [`ChunkPlace`].
    pub relative_path: String,
    /// As in [`ChunkPlace`].
    pub path: String,
    #[serde(skip)]
    pub(super) extension: String,
}

impl Twin {
    /// The absolute path, for people.
    pub fn full_name(&self) -> String {
        full_name(&self.path, &self.relative_path, &self.name)
    }
}

fn full_name(path: &str, relative: &str, name: &str) -> String {
    format!("{}{name}", path.strip_suffix(relative).unwrap_or_default())
}

/// A document inside another: its container, where it lies in there, and its own name.
struct Inside {
    parent: i64,
    member: String,
    filename: String,
}

fn inside(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Inside>> {
    Ok(match row.get::<_, Option<i64>>(at)? {
        Some(parent) => Some(Inside {
            parent,
            member: row.get::<_, Option<String>>(at + 1)?.unwrap_or_default(),
            filename: row.get(at + 2)?,
        }),
        None => None,
    })
}

/// Ids as a JSON array, which SQLite reads as a table.
pub(super) fn id_list(ids: impl IntoIterator<Item = i64>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    format!("[{}]", ids.join(","))
}

impl Store {
    /// Every place of some chunks, each list by path, with all copies of the files.
    ///
    /// Cost: a fixed number of queries, however many chunks and places there are.
    pub(super) fn places_of(&self, chunks: &[i64]) -> rusqlite::Result<HashMap<i64, Vec<ChunkPlace>>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT s.chunk_id, f.file_id, f.doc_uid, f.relative_path, f.full_filepath, f.format, s.start_index,
                    s.end_index, s.source_start, s.source_end, s.source_exact, s.locator, s.heading_path, s.context,
                    f.parent_file_id, f.member, f.filename, f.duplicate_status = 'canonical'
             FROM json_each(?1) j CROSS JOIN chunk_sources s ON s.chunk_id = j.value JOIN files f USING(file_id)
             ORDER BY f.full_filepath, s.start_index",
        )?;
        let mut found: HashMap<i64, Vec<ChunkPlace>> = HashMap::new();
        let mut shared = Vec::new();
        let mut members = Vec::new();
        let mut rows = statement.query([id_list(chunks.iter().copied())])?;
        while let Some(row) = rows.next()? {
            let place = chunk_place(row)?;
            if let Some(inside) = inside(row, 14)? {
                members.push((place.file_id, inside));
            }
            if row.get::<_, Option<bool>>(17)?.unwrap_or(false) {
                shared.push(place.file_id);
            }
            found.entry(row.get(0)?).or_default().push(place);
        }
        let names = self.member_names(members)?;
        let twins = self.twins_of(shared)?;
        for place in found.values_mut().flatten() {
            if let Some(name) = names.get(&place.file_id) {
                place.name.clone_from(name);
            }
            if let Some(twins) = twins.get(&place.file_id) {
                place.duplicates.clone_from(twins);
            }
        }
        Ok(found)
    }

    /// The other files of the groups of some canonical files.
    pub(super) fn twins_of(&self, mut files: Vec<i64>) -> rusqlite::Result<HashMap<i64, Vec<Twin>>> {
        let mut found: HashMap<i64, Vec<Twin>> = HashMap::new();
        files.sort_unstable();
        files.dedup();
        if files.is_empty() {
            return Ok(found);
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT f.file_id, d.file_id, d.doc_uid, d.relative_path, d.full_filepath, d.file_extension,
                    d.parent_file_id, d.member, d.filename
             FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value
             JOIN files d ON d.hash = f.hash AND d.file_id <> f.file_id AND d.processing_status <> 'Deleted'
             ORDER BY d.full_filepath",
        )?;
        let mut members = Vec::new();
        let mut ids: HashMap<i64, Vec<i64>> = HashMap::new();
        let mut rows = statement.query([id_list(files)])?;
        while let Some(row) = rows.next()? {
            let (canonical, own): (i64, i64) = (row.get(0)?, row.get(1)?);
            let relative_path: String = row.get(3)?;
            if let Some(inside) = inside(row, 6)? {
                members.push((own, inside));
            }
            ids.entry(canonical).or_default().push(own);
            found.entry(canonical).or_default().push(Twin {
                doc_uid: row.get(2)?,
                name: relative_path.clone(),
                relative_path,
                path: row.get(4)?,
                extension: row.get(5)?,
            });
        }
        let names = self.member_names(members)?;
        for (canonical, twins) in &mut found {
            for (twin, id) in twins.iter_mut().zip(&ids[canonical]) {
                if let Some(name) = names.get(id) {
                    twin.name.clone_from(name);
                }
            }
        }
        Ok(found)
    }

    /// Names for people of documents inside documents.
    ///
    /// Cost: one query for each level at which documents lie inside each other.
    fn member_names(&self, members: Vec<(i64, Inside)>) -> rusqlite::Result<HashMap<i64, String>> {
        let mut known: HashMap<i64, Inside> = HashMap::new();
        let mut outer: HashMap<i64, String> = HashMap::new();
        let mut asked: Vec<i64> = members.iter().map(|(_, inside)| inside.parent).collect();
        let wanted: Vec<i64> = members.iter().map(|(id, _)| *id).collect();
        known.extend(members);
        while !asked.is_empty() {
            asked.retain(|id| !known.contains_key(id) && !outer.contains_key(id));
            asked.sort_unstable();
            asked.dedup();
            let mut statement = self.connection.prepare_cached(
                "SELECT f.file_id, f.parent_file_id, f.member, f.filename, f.relative_path
                 FROM json_each(?1) j CROSS JOIN files f ON f.file_id = j.value",
            )?;
            let mut rows = statement.query([id_list(std::mem::take(&mut asked))])?;
            while let Some(row) = rows.next()? {
                match inside(row, 1)? {
                    Some(inside) => {
                        asked.push(inside.parent);
                        known.insert(row.get(0)?, inside);
                    }
                    None => {
                        outer.insert(row.get(0)?, row.get(4)?);
                    }
                }
            }
        }
        Ok(wanted.into_iter().map(|id| (id, member_name(id, &known, &outer))).collect())
    }

    /// How people name a file: its path below its root, and of a document inside another `mail.eml » 2 » report.pdf`.
    pub fn name_of(&self, file_id: i64) -> Result<String, super::StoreError> {
        let read = || -> rusqlite::Result<String> {
            let mut statement = self.connection.prepare_cached(
                "SELECT relative_path, parent_file_id, member, filename FROM files WHERE file_id = ?1",
            )?;
            let (path, inside): (String, _) =
                statement.query_row([file_id], |row| Ok((row.get(0)?, inside(row, 1)?)))?;
            let Some(inside) = inside else { return Ok(path) };
            Ok(self.member_names(vec![(file_id, inside)])?.remove(&file_id).unwrap_or(path))
        };
        read().map_err(|error| self.fail(error))
    }
}

fn member_name(id: i64, known: &HashMap<i64, Inside>, outer: &HashMap<i64, String>) -> String {
    let mut parts = Vec::new();
    let mut at = id;
    while let Some(inside) = known.get(&at) {
        parts.push(inside.filename.as_str());
        parts.push(inside.member.as_str());
        at = inside.parent;
    }
    parts.extend(outer.get(&at).map(String::as_str));
    parts.reverse();
    parts.join(INSIDE)
}

fn chunk_place(row: &Row<'_>) -> rusqlite::Result<ChunkPlace> {
    let source: (Option<i64>, Option<i64>) = (row.get(8)?, row.get(9)?);
    let locator: Option<String> = row.get(11)?;
    let relative_path: String = row.get(3)?;
    Ok(ChunkPlace {
        file_id: row.get(1)?,
        doc_uid: row.get(2)?,
        name: relative_path.clone(),
        relative_path,
        path: row.get(4)?,
        format: row.get(5)?,
        start: row.get::<_, i64>(6)? as usize,
        end: row.get::<_, i64>(7)? as usize,
        source: source.0.zip(source.1).map(|(start, end)| (start as usize, end as usize)),
        source_exact: row.get(10)?,
        locator: locator.and_then(|json| serde_json::from_str(&json).ok()),
        heading_path: row.get(12)?,
        context: row.get(13)?,
        duplicates: Vec::new(),
    })
}
