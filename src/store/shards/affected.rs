//! The documents of a corpus whose part in it may have changed because a document came, went, or has other bytes or another
//! path in one of the partitions.
//!
//! Three things bind documents of different partitions: equal bytes, of which one document is read; equal ids, of which
//! one document keeps it; and a container, of which the documents inside count if it does. What is found is what these
//! reach from a document, as it is now: rather too many than too few.

use super::partitions::PartitionQueries;
use crate::store::document_address::uid_of;
use crate::store::sql::Queries;
use crate::store::{StoreError, journal};
use rusqlite::{Row, params};
use std::collections::{BTreeMap, HashSet};

/// A row of a journal about a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentNote {
    /// The partition.
    pub part: usize,
    /// Its id there.
    pub doc_uid: String,
    /// The bytes that it had or has, if they are known.
    pub hash: Option<String>,
    /// The path that it had or has.
    pub relative_path: String,
}

impl DocumentNote {
    /// Reads the text of a row of the journal.
    pub fn parse(part: usize, doc_uid: &str, text: &str) -> DocumentNote {
        let (hash, path) = text.split_once(' ').unwrap_or((text, ""));
        let hash = Some(hash.to_owned()).filter(|hash| !hash.is_empty());
        DocumentNote { part, doc_uid: doc_uid.to_owned(), hash, relative_path: path.to_owned() }
    }
}

/// A document of a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AffectedDocument {
    /// Ids that it has or may have had in the corpus.
    pub uids: Vec<String>,
}

/// A row of `files` of a partition.
struct DocumentIdentity {
    doc_uid: String,
    relative_path: String,
    full_path: String,
    hash: Option<String>,
    is_canonical: bool,
}

impl DocumentIdentity {
    fn read(row: &Row<'_>) -> rusqlite::Result<DocumentIdentity> {
        Ok(DocumentIdentity {
            doc_uid: row.get(0)?,
            relative_path: row.get(1)?,
            full_path: row.get(2)?,
            hash: row.get(3)?,
            is_canonical: row.get(4)?,
        })
    }
}

/// What was found so far.
#[derive(Default)]
struct Search {
    /// By partition and row; true if the id of the document may have been another one.
    found: BTreeMap<(usize, i64), bool>,
    open: Vec<(usize, i64)>,
    hashes: HashSet<String>,
}

impl Search {
    fn add(&mut self, part: usize, file_id: i64, is_renamed: bool) {
        let known = self.found.get(&(part, file_id)).copied();
        if known.is_none() || (is_renamed && known == Some(false)) {
            self.found.insert((part, file_id), is_renamed);
            self.open.push((part, file_id));
        }
    }
}

impl PartitionQueries<'_> {
    /// The documents that a note is about or may affect, by partition and row.
    ///
    /// Cost: a few look-ups in each partition for each of them.
    pub(super) fn affected(
        &self,
        note: &DocumentNote,
    ) -> Result<BTreeMap<(usize, i64), AffectedDocument>, StoreError> {
        let mut search = Search::default();
        self.add_by_uid(&note.doc_uid, &mut search, Some(note.part))?;
        if let Some(hash) = &note.hash {
            self.add_by_hash(hash, &mut search)?;
        }
        while let Some((part, file_id)) = search.open.pop() {
            self.add_neighbours(part, file_id, &mut search)?;
        }
        let mut affected = BTreeMap::new();
        for ((part, file_id), is_renamed) in search.found {
            let Some(document) = self.identity(part, file_id)? else { continue };
            // The places of equal bytes are those of one document.
            if document.is_canonical {
                let (uid, path) = (&document.doc_uid, &document.relative_path);
                let uids = self.uids(part, uid, path, Some(&document.full_path), is_renamed)?;
                affected.insert((part, file_id), AffectedDocument { uids });
            }
        }
        Ok(affected)
    }

    fn identity(&self, part: usize, file_id: i64) -> Result<Option<DocumentIdentity>, StoreError> {
        let sql = "SELECT doc_uid, relative_path, full_filepath, hash, is_canonical FROM main.files
                   WHERE file_id = ?1";
        self.parts[part].ask(|connection| connection.first(sql, [file_id], DocumentIdentity::read))
    }

    fn add_neighbours(&self, part: usize, file_id: i64, search: &mut Search) -> Result<(), StoreError> {
        let Some(document) = self.identity(part, file_id)? else { return Ok(()) };
        if let Some(hash) = &document.hash {
            self.add_by_hash(hash, search)?;
        }
        let sql = "SELECT file_id FROM main.files WHERE parent_file_id = ?1";
        let inside: Vec<i64> =
            self.parts[part].ask(|connection| connection.rows(sql, [file_id], |row| row.get(0)))?;
        inside.into_iter().for_each(|member| search.add(part, member, false));
        if self.collides(part, &document.doc_uid, &document.relative_path)? {
            for uid in self.possible_uids(&document.doc_uid, &document.relative_path)? {
                self.add_by_uid(&uid, search, None)?;
            }
        }
        Ok(())
    }

    /// Adds the documents with an id; that of the partition `own` has it whatever the others have.
    fn add_by_uid(&self, uid: &str, search: &mut Search, own: Option<usize>) -> Result<(), StoreError> {
        let sql = "SELECT file_id FROM main.files WHERE doc_uid = ?1";
        for (number, part) in self.parts.iter().enumerate() {
            let found = part.ask(|connection| connection.first(sql, [uid], |row| row.get(0)))?;
            if let Some(file_id) = found {
                search.add(number, file_id, own != Some(number));
            }
        }
        Ok(())
    }

    fn add_by_hash(&self, hash: &str, search: &mut Search) -> Result<(), StoreError> {
        if !search.hashes.insert(hash.to_owned()) {
            return Ok(());
        }
        let sql = "SELECT file_id FROM main.files WHERE hash = ?1 AND is_canonical";
        for (number, part) in self.parts.iter().enumerate() {
            let found: Vec<i64> = part.ask(|connection| connection.rows(sql, [hash], |row| row.get(0)))?;
            found.into_iter().for_each(|file_id| search.add(number, file_id, false));
        }
        Ok(())
    }

    /// The ids that a document of a partition has or may have had in the corpus: its own, the one that it has there now,
    /// and every other one that it may have got because another document has or had its own.
    pub(super) fn uids(
        &self,
        part: usize,
        doc_uid: &str,
        relative_path: &str,
        full_path: Option<&str>,
        is_renamed: bool,
    ) -> Result<Vec<String>, StoreError> {
        if is_renamed || self.collides(part, doc_uid, relative_path)? {
            return self.possible_uids(doc_uid, relative_path);
        }
        let mut uids = vec![doc_uid.to_owned()];
        if let Some(full_path) = full_path {
            let sql = "SELECT doc_uid FROM files WHERE full_filepath = ?1 AND doc_uid <> ?2";
            let values = params![full_path, doc_uid];
            let now = self.catalog.ask(|connection| connection.first(sql, values, |row| row.get(0)))?;
            uids.extend(now);
        }
        Ok(uids)
    }

    /// True if another partition has or had a document with this id, or with that of a container around it.
    fn collides(&self, part: usize, doc_uid: &str, relative_path: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM main.files WHERE doc_uid = ?1";
        let above =
            relative_path.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &relative_path[..at]);
        let above: Vec<String> = above.map(|path| uid_of(path, 0)).collect();
        for (_, other) in self.parts.iter().enumerate().filter(|(number, _)| *number != part) {
            if other.ask(|connection| connection.has(sql, [doc_uid]))? {
                return Ok(true);
            }
            // Folders of one root are in many partitions, and contain no documents in this sense.
            let sql = "SELECT 1 FROM main.files WHERE doc_uid = ?1 AND file_type <> 'folder'";
            for uid in &above {
                if other.ask(|connection| connection.has(sql, [uid]))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// An id, and those that are made of a path as long as they are taken, with one more for each root.
    fn possible_uids(&self, doc_uid: &str, relative_path: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT 1 FROM main.files WHERE doc_uid = ?1";
        let mut uids = vec![doc_uid.to_owned()];
        let (mut number, mut free) = (0, 0);
        let roots = self.catalog.roots().all()?.len();
        while free <= roots {
            let uid = uid_of(relative_path, number);
            let mut is_taken = false;
            for part in self.parts {
                is_taken |= part.ask(|connection| connection.has(sql, [&uid]))?;
            }
            free += usize::from(!is_taken);
            number += 1;
            if !uids.contains(&uid) {
                uids.push(uid);
            }
        }
        Ok(uids)
    }

    /// The path of a document that has no row any more, from the journal of its partition.
    ///
    /// Cost: one pass over the journal.
    pub(super) fn noted_path(&self, part: usize, doc_uid: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT content_hash FROM main.changes WHERE doc_uid = ?1 AND start_index = ?2
                   ORDER BY seq DESC LIMIT 1";
        let values = params![doc_uid, journal::DOCUMENT];
        let text: Option<String> =
            self.parts[part].ask(|connection| connection.first(sql, values, |row| row.get(0)))?;
        Ok(text.map(|text| DocumentNote::parse(part, doc_uid, &text).relative_path))
    }
}
