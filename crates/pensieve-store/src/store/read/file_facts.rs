//! What `why` reports: everything that the database knows about one file beyond its row.

use crate::store::rows::hidden_text::{self, HiddenRow};
use crate::store::rows::sql::{Queries, count};
use rusqlite::Connection;
use serde::Serialize;

/// The facts about one file's text, chunks, members and copies.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FileFacts {
    /// Its public id.
    pub doc_uid: String,
    /// Tokens of its clean text.
    pub tokens: Option<u64>,
    /// Characters of its clean text.
    pub characters: Option<u64>,
    /// The version of that text.
    pub version: Option<String>,
    /// The number of its chunks.
    pub chunks: u64,
    /// The number of its chunks that other files have too.
    pub shared_chunks: u64,
    /// The number of documents directly inside it.
    pub members: u64,
    /// Absolute paths of the other files with its bytes.
    pub copies: Vec<String>,
    /// Why a person should review the text, as stored: objects with `reason` and `detail`.
    pub review: Vec<serde_json::Value>,
    /// What nobody can see in the document, which its text does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden_text: Vec<HiddenRow>,
}

/// What is known of a file.
///
/// Cost: one look-up for each of its chunks and copies.
pub(super) fn file_facts(connection: &Connection, file_id: i64) -> rusqlite::Result<FileFacts> {
    let number = |sql: &str| connection.one(sql, [file_id], |row| count(row, 0));
    let row = "SELECT doc_uid, estimated_tokens FROM files WHERE file_id = ?1";
    let text = "SELECT version, char_length, review_reasons FROM text_versions
                WHERE file_id = ?1 AND variant = 'clean' AND is_current";
    let (doc_uid, tokens): (String, Option<i64>) =
        connection.one(row, [file_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let text = connection.first(text, [file_id], |row| {
        Ok((row.get::<_, String>(0)?, count(row, 1)?, row.get::<_, String>(2)?))
    })?;
    let (version, characters, reasons) = match text {
        Some((version, characters, reasons)) => (Some(version), Some(characters), reasons),
        None => (None, None, String::new()),
    };
    Ok(FileFacts {
        doc_uid,
        tokens: tokens.map(|tokens| tokens as u64),
        characters,
        version,
        chunks: number("SELECT count(*) FROM chunk_sources WHERE file_id = ?1")?,
        shared_chunks: number(
            "SELECT count(*) FROM chunk_sources s WHERE s.file_id = ?1 AND EXISTS
               (SELECT 1 FROM chunk_sources o WHERE o.chunk_id = s.chunk_id AND o.file_id <> ?1)",
        )?,
        members: number("SELECT count(*) FROM files WHERE parent_file_id = ?1")?,
        copies: copies(connection, file_id)?,
        review: serde_json::from_str(&reasons).unwrap_or_default(),
        hidden_text: hidden_text::of_file(connection, file_id)?,
    })
}

fn copies(connection: &Connection, file_id: i64) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT d.full_filepath FROM files f JOIN files d ON d.hash = f.hash AND d.file_id <> f.file_id
               WHERE f.file_id = ?1 AND f.processing_status <> 'Deleted' AND d.processing_status <> 'Deleted'
               ORDER BY d.full_filepath";
    connection.rows(sql, [file_id], |row| row.get(0))
}
