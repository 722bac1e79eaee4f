//! Versions of the texts of files: which are stored, which is current, and why a person should look at them.
//!
//! `is_current` is stored for each file: after a partial `clean`, the new version is current for some files and the old
//! one for others. Chunks, search and citations always point into the current clean text of their file.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count, offset};
use crate::store::rows::text_packing::TextVariant;
use pensieve_text::model::{ContentHash, FileType, ReviewReason, ReviewReasonKind};
use rusqlite::{Row, params};
use std::ops::ControlFlow;

/// A row of `text_versions`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredVersion {
    /// Raw or clean.
    pub variant: TextVariant,
    /// `raw_v1`, `clean_v1`.
    pub version: String,
    /// True if chunks, search and the plain `text` command use it.
    pub is_current: bool,
    /// SHA-256 of the text.
    pub sha256: ContentHash,
    /// Bytes.
    pub bytes: usize,
    /// Characters.
    pub chars: usize,
    /// The hash of the settings that it depends on.
    pub settings_hash: Option<String>,
    /// Why a person should review it.
    pub review_reasons: Vec<ReviewReason>,
}

/// A file with stored text, with the properties by which files are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOwner {
    /// Its row.
    pub file_id: i64,
    /// Relative path in stored form.
    pub relative_path: String,
    /// On disk, or inside another document.
    pub file_type: FileType,
    /// Extension, lower case.
    pub extension: String,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// MIME type.
    pub mime: Option<String>,
    /// Bytes of the file.
    pub size: u64,
}

/// Columns that [`stored_version`] reads.
const COLUMNS: &str =
    "variant, version, is_current, sha256, byte_length, char_length, settings_hash, review_reasons";

fn stored_version(row: &Row<'_>) -> rusqlite::Result<StoredVersion> {
    let variant = if row.get_ref(0)?.as_str()? == "raw" { TextVariant::Raw } else { TextVariant::Clean };
    Ok(StoredVersion {
        variant,
        version: row.get(1)?,
        is_current: row.get(2)?,
        sha256: row.get_ref(3)?.as_str()?.parse().unwrap_or(ContentHash([0; 32])),
        bytes: offset(row, 4)?,
        chars: offset(row, 5)?,
        settings_hash: row.get(6)?,
        review_reasons: stored_review_reasons(row.get_ref(7)?.as_str()?),
    })
}

/// The clean text of a document in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct CleanFacts {
    /// Which version is current.
    pub version: String,
    /// SHA-256 of the text.
    pub sha256: String,
    /// Its bytes.
    pub bytes: u64,
    /// Its characters.
    pub chars: u64,
    /// Why a person should review it, as JSON.
    pub review_reasons: String,
    /// When it was made.
    pub created_at: String,
}

/// How a file was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReaderFacts {
    /// The encoding of the source.
    pub encoding: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Why a person should review the text.
    pub review_reasons: Vec<ReviewReason>,
}

/// Parses the stored form of review reasons.
pub(crate) fn stored_review_reasons(reasons: &str) -> Vec<ReviewReason> {
    let reasons: Vec<serde_json::Value> = serde_json::from_str(reasons).unwrap_or_default();
    let reason = |reason: &serde_json::Value| {
        let kind = ReviewReasonKind::from_name(reason.get("reason")?.as_str()?)?;
        Some(ReviewReason::new(kind, reason.get("detail")?.as_str()?))
    };
    reasons.iter().filter_map(reason).collect()
}

/// Versions of texts.
pub struct TextQueries<'s>(pub(crate) &'s Store);

impl TextQueries<'_> {
    /// The current version of a text, if it is stored.
    pub fn current(&self, file_id: i64, variant: TextVariant) -> Result<Option<StoredVersion>, StoreError> {
        let sql =
            format!("SELECT {COLUMNS} FROM text_versions WHERE file_id = ?1 AND variant = ?2 AND is_current");
        self.0.ask(|connection| connection.first(&sql, params![file_id, variant.as_str()], stored_version))
    }

    /// Every stored version of a file's texts: clean before raw, then by name.
    pub fn versions_of(&self, file_id: i64) -> Result<Vec<StoredVersion>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM text_versions WHERE file_id = ?1 ORDER BY variant, version");
        self.0.ask(|connection| connection.rows(&sql, [file_id], stored_version))
    }

    /// The stored versions of a variant, by name, each with its number of files.
    pub fn version_names(&self, variant: TextVariant) -> Result<Vec<(String, u64)>, StoreError> {
        let sql = "SELECT version, count(*) FROM text_versions WHERE variant = ?1 GROUP BY 1 ORDER BY 1";
        self.0.ask(|connection| {
            connection.rows(sql, [variant.as_str()], |row| Ok((row.get(0)?, count(row, 1)?)))
        })
    }

    /// True if this version is stored for any file.
    pub fn has_version(&self, variant: TextVariant, version: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM text_versions WHERE variant = ?1 AND version = ?2 LIMIT 1";
        self.0.ask(|connection| connection.has(sql, params![variant.as_str(), version]))
    }

    /// Passes every file with stored text to `each`, by root and path.
    ///
    /// Cost: one sorted pass over `files`.
    pub fn owners(&self, each: &mut dyn FnMut(TextOwner)) -> Result<(), StoreError> {
        let sql = "SELECT file_id, relative_path, file_type, file_extension, format, mime_type, size_bytes FROM files
                   WHERE is_canonical AND processing_status = 'Processed' ORDER BY root_id, relative_path";
        self.0.ask(|connection| {
            connection.each(sql, [], |row| {
                each(TextOwner {
                    file_id: row.get(0)?,
                    relative_path: row.get(1)?,
                    file_type: FileType::from_name(row.get_ref(2)?.as_str()?).unwrap_or(FileType::File),
                    extension: row.get(3)?,
                    format: row.get(4)?,
                    mime: row.get(5)?,
                    size: count(row, 6)?,
                });
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    /// The current clean text of a row, in numbers.
    pub fn clean_facts(&self, file_id: i64) -> Result<Option<CleanFacts>, StoreError> {
        let sql =
            "SELECT version, sha256, byte_length, char_length, review_reasons, created_at FROM text_versions
                   WHERE file_id = ?1 AND variant = 'clean' AND is_current";
        self.0.ask(|connection| {
            connection.first(sql, [file_id], |row| {
                Ok(CleanFacts {
                    version: row.get(0)?,
                    sha256: row.get(1)?,
                    bytes: count(row, 2)?,
                    chars: count(row, 3)?,
                    review_reasons: row.get(4)?,
                    created_at: row.get(5)?,
                })
            })
        })
    }

    /// Encoding, extractor and review reasons of the reader of a file.
    pub fn content_facts(&self, file_id: i64) -> Result<ReaderFacts, StoreError> {
        let sql = "SELECT encoding, extractor, (SELECT review_reasons FROM text_versions v
                       WHERE v.file_id = f.file_id AND v.variant = 'raw' AND v.is_current)
                   FROM files f WHERE file_id = ?1";
        self.0.ask(|connection| {
            connection.one(sql, [file_id], |row| {
                let reasons: Option<String> = row.get(2)?;
                let review_reasons = stored_review_reasons(&reasons.unwrap_or_default());
                Ok(ReaderFacts { encoding: row.get(0)?, extractor: row.get(1)?, review_reasons })
            })
        })
    }
}
