//! Documents for the HTTP API and the commands: found by `doc_uid`, with metadata, copies and members.
//!
//! A document is a file on disk or a member, but not a folder, symlink or special file. A duplicate has no text of its
//! own: format, tokens and text are those of its canonical file.

use super::document_names::{DocumentName, NAME, NamedRow, complete_names};
use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::places::chunk_place::ChunkPlace;
use crate::store::places::citation::MIN_UID_DIGITS;
use crate::store::rows::document_fields;
use crate::store::rows::hidden_text::{self, HiddenRow};
use crate::store::rows::member_names::shown_name;
use crate::store::rows::sql::{Queries, count};
use pensieve_text::text::fields::Field;
use rusqlite::{Connection, Row};
use serde::{Serialize, Serializer};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use utoipa::ToSchema;

/// Maximum copies or members in one answer.
const MAX_NAMES: usize = 1000;

/// A document as in lists.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = DocumentSummary)]
pub struct DocumentRow {
    /// Its row.
    #[serde(skip)]
    #[schema(ignore)]
    pub file_id: i64,
    /// The row that has its text: its own, or that of its canonical file.
    #[serde(skip)]
    #[schema(ignore)]
    pub text_id: i64,
    /// The identifier of the document: stable across edits, renames and new ingests.
    pub doc_uid: String,
    /// Number of the root that contains it.
    pub root_id: i64,
    /// Path below that root; of a document inside another, after the path of that one.
    pub relative_path: String,
    /// The path for people: `mail.eml » 2 » report.pdf`.
    pub name: String,
    /// Absolute path; only if the server was started with `--show-paths`.
    #[serde(rename = "full_filepath", skip_serializing_if = "String::is_empty")]
    pub full_path: String,
    /// Last part of the path.
    pub filename: String,
    /// Lower case, without the dot.
    #[serde(rename = "file_extension")]
    pub extension: String,
    /// `file`, or `member` for a document inside another.
    #[serde(rename = "file_type", serialize_with = "file_type")]
    #[schema(value_type = String)]
    pub is_member: bool,
    /// Bytes.
    #[serde(rename = "size_bytes")]
    pub size: u64,
    /// SHA-256 of the bytes.
    pub hash: Option<String>,
    /// When it was last changed, UTC.
    #[serde(rename = "modification_date")]
    pub modified: Option<String>,
    /// MIME type by content and name.
    #[serde(rename = "mime_type")]
    pub mime: Option<String>,
    /// The format that it was read as.
    pub format: Option<String>,
    /// The encoding of the source.
    #[serde(skip)]
    #[schema(ignore)]
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    #[serde(skip)]
    #[schema(ignore)]
    pub extractor: Option<String>,
    /// The result of processing it.
    #[serde(rename = "processing_status")]
    pub status: String,
    /// The reason, if it is not `Processed`.
    #[serde(rename = "status_reason")]
    pub reason: Option<String>,
    /// `unique`, `canonical` or `duplicate`.
    pub duplicate_status: Option<String>,
    /// Of a duplicate: the document that is read instead.
    #[serde(rename = "canonical_doc_uid")]
    pub canonical_uid: Option<String>,
    /// Tokens of the clean text.
    #[serde(rename = "estimated_tokens")]
    pub tokens: Option<u64>,
    /// The text should be checked before anyone relies on it.
    pub needs_review: bool,
}

fn file_type<S: Serializer>(is_member: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if *is_member { "member" } else { "file" })
}

/// By what documents can be told apart in a list of hits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFacets {
    /// Its path below its root.
    pub relative_path: String,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// When it was last modified.
    pub modified: Option<String>,
    /// What is known of it.
    pub fields: Vec<(Field, String)>,
}

/// What [`document`] reads. `f` is the file, `c` its canonical file, `v` the current clean text.
pub(super) const COLUMNS: &str = "f.file_id, coalesce(c.file_id, f.file_id), f.doc_uid, f.root_id, f.relative_path, f.full_filepath,
     f.filename, f.file_extension, f.file_type = 'member', f.size_bytes, f.hash, f.modification_date, f.mime_type,
     coalesce(f.format, c.format), coalesce(f.encoding, c.encoding), coalesce(f.extractor, c.extractor),
     f.processing_status, f.status_reason, f.duplicate_status, c.doc_uid,
     coalesce(f.estimated_tokens, c.estimated_tokens), coalesce(v.needs_review, 0)";

pub(super) const TABLES: &str = "files f
     LEFT JOIN files c ON f.duplicate_status = 'duplicate' AND c.file_id = f.duplicate_group_id
     LEFT JOIN text_versions v ON v.file_id = coalesce(c.file_id, f.file_id) AND v.variant = 'clean' AND v.is_current";

pub(super) fn document(row: &Row<'_>) -> rusqlite::Result<DocumentRow> {
    Ok(DocumentRow {
        file_id: row.get(0)?,
        text_id: row.get(1)?,
        doc_uid: row.get(2)?,
        root_id: row.get(3)?,
        relative_path: row.get(4)?,
        full_path: row.get(5)?,
        name: row.get(4)?,
        filename: row.get(6)?,
        extension: row.get(7)?,
        is_member: row.get(8)?,
        size: count(row, 9)?,
        hash: row.get(10)?,
        modified: row.get(11)?,
        mime: row.get(12)?,
        format: row.get(13)?,
        encoding: row.get(14)?,
        extractor: row.get(15)?,
        status: row.get::<_, Option<String>>(16)?.unwrap_or_default(),
        reason: row.get(17)?,
        duplicate_status: row.get(18)?,
        canonical_uid: row.get(19)?,
        tokens: row.get::<_, Option<i64>>(20)?.map(|tokens| tokens as u64),
        needs_review: row.get(21)?,
    })
}

/// Documents and what belongs to them.
pub struct DocumentQueries<'s>(pub(crate) &'s Store);

impl DocumentQueries<'_> {
    /// The document with this name.
    pub fn get(&self, doc_uid: &str) -> Result<Option<DocumentRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE f.doc_uid = ?1 AND f.file_type IN ('file', 'member')"
        );
        self.0.ask(|connection| {
            let row = connection.first(&sql, [doc_uid], document)?;
            row.map(|row| with_name(connection, row)).transpose()
        })
    }

    /// How the documents with these public ids can be told apart.
    pub fn facets<'u>(
        &self,
        uids: impl Iterator<Item = &'u str>,
    ) -> Result<HashMap<String, DocumentFacets>, StoreError> {
        let sql = "SELECT f.relative_path, coalesce(f.format, c.format), f.modification_date, coalesce(c.file_id, f.file_id)
                   FROM files f LEFT JOIN files c
                     ON f.duplicate_status = 'duplicate' AND c.file_id = f.duplicate_group_id
                   WHERE f.doc_uid = ?1";
        let read = |connection: &Connection, row: &Row<'_>| {
            Ok(DocumentFacets {
                relative_path: row.get(0)?,
                format: row.get(1)?,
                modified: row.get(2)?,
                fields: document_fields::of_file(connection, row.get(3)?)?,
            })
        };
        let mut known = HashMap::new();
        for uid in uids {
            if !known.contains_key(uid)
                && let Some(facets) =
                    self.0.ask(|connection| connection.first(sql, [uid], |row| read(connection, row)))?
            {
                known.insert(uid.to_owned(), facets);
            }
        }
        Ok(known)
    }

    /// The documents whose public ids begin so: the one with this id, or those with at least 8 digits of it.
    pub fn with_uid(&self, beginning: &str) -> Result<Vec<DocumentRow>, StoreError> {
        if let Some(row) = self.get(beginning)? {
            return Ok(vec![row]);
        }
        if beginning.len() < MIN_UID_DIGITS {
            return Ok(Vec::new());
        }
        let sql = "SELECT doc_uid FROM files WHERE doc_uid BETWEEN ?1 AND ?1 || '~'
                   AND file_type IN ('file', 'member') ORDER BY doc_uid LIMIT 16";
        let uids: Vec<String> =
            self.0.ask(|connection| connection.rows(sql, [beginning], |row| row.get(0)))?;
        uids.iter().filter_map(|uid| self.get(uid).transpose()).collect()
    }

    /// The shortest beginning of a document's public id, of at least 8 digits, that no other row has.
    pub fn short_uid<'u>(&self, doc_uid: &'u str) -> Result<&'u str, StoreError> {
        let sql = "SELECT (SELECT max(doc_uid) FROM files WHERE doc_uid < ?1),
                          (SELECT min(doc_uid) FROM files WHERE doc_uid > ?1)";
        let others: [Option<String>; 2] =
            self.0.ask(|connection| connection.one(sql, [doc_uid], |row| Ok([row.get(0)?, row.get(1)?])))?;
        let common = |other: &String| other.bytes().zip(doc_uid.bytes()).take_while(|(a, b)| a == b).count();
        let shared = others.iter().flatten().map(common).max().unwrap_or(0);
        Ok(doc_uid.get(..MIN_UID_DIGITS.max(shared + 1)).unwrap_or(doc_uid))
    }

    /// Gives places what is known of their documents: title and authors.
    pub fn add_titles<'p>(&self, places: impl Iterator<Item = &'p mut ChunkPlace>) -> Result<(), StoreError> {
        let sql = "SELECT f.doc_uid, m.key, m.value FROM json_each(?1) j CROSS JOIN files f ON f.doc_uid = j.value
             CROSS JOIN metadata m ON m.file_id = CASE f.duplicate_status WHEN 'duplicate' THEN f.duplicate_group_id
                  ELSE f.file_id END AND m.key IN ('title', 'author') ORDER BY m.rowid";
        let places: Vec<&mut ChunkPlace> = places.collect();
        let uids: BTreeSet<&str> = places.iter().map(|place| place.doc_uid.as_str()).collect();
        if uids.is_empty() {
            return Ok(());
        }
        let uids = serde_json::json!(uids).to_string();
        let mut found: HashMap<(String, bool), String> = HashMap::new();
        self.0.ask(|connection| {
            connection.each(sql, [uids], |row| {
                let (is_title, value) = (row.get_ref(1)?.as_str()? == "title", row.get::<_, String>(2)?);
                let known = found.entry((row.get(0)?, is_title)).or_default();
                match known.as_str() {
                    "" => *known = value,
                    // A document has one title, and may have several authors.
                    _ if is_title => {}
                    _ => *known = format!("{known}, {value}"),
                }
                Ok(ControlFlow::Continue(()))
            })
        })?;
        for place in places {
            place.title = found.get(&(place.doc_uid.clone(), true)).cloned();
            place.author = found.get(&(place.doc_uid.clone(), false)).cloned();
        }
        Ok(())
    }

    /// Title, author, language, ... of a row, in the order found.
    pub fn metadata_of(&self, file_id: i64) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT key, value FROM metadata WHERE file_id = ?1 ORDER BY rowid";
        self.0.ask(|connection| connection.rows(sql, [file_id], |row| Ok((row.get(0)?, row.get(1)?))))
    }

    /// What nobody can see in a document, in its order.
    pub fn hidden_text_of(&self, file_id: i64) -> Result<Vec<HiddenRow>, StoreError> {
        self.0.ask(|connection| hidden_text::of_file(connection, file_id))
    }

    /// The other living documents with the bytes of a row, by path.
    pub fn copies_of(&self, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        let condition = "f.hash = (SELECT hash FROM files WHERE file_id = ?1) AND f.file_id <> ?1
             AND f.processing_status IS NOT 'Deleted' ORDER BY f.full_filepath";
        self.names(condition, file_id)
    }

    /// The documents directly inside a document, in the order of their places.
    pub fn members_of(&self, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        self.names("f.parent_file_id = ?1 ORDER BY f.file_id", file_id)
    }

    /// The document that contains a member.
    pub fn parent_of(&self, file_id: i64) -> Result<Option<DocumentName>, StoreError> {
        let condition = "f.file_id = (SELECT parent_file_id FROM files WHERE file_id = ?1)";
        Ok(self.names(condition, file_id)?.into_iter().next())
    }

    fn names(&self, condition: &str, file_id: i64) -> Result<Vec<DocumentName>, StoreError> {
        let sql = format!("SELECT {NAME} FROM files f WHERE {condition} LIMIT {MAX_NAMES}");
        self.0.ask(|connection| {
            let mut rows = connection.rows(&sql, [file_id], |row| NamedRow::read(row, 0))?;
            complete_names(connection, rows.iter_mut())?;
            Ok(rows.into_iter().map(|row| row.document).collect())
        })
    }
}

pub(super) fn with_name(connection: &Connection, mut row: DocumentRow) -> rusqlite::Result<DocumentRow> {
    if row.is_member {
        row.name = shown_name(connection, row.file_id)?;
    }
    Ok(row)
}
