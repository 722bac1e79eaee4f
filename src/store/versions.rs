//! Versions of a file's texts: which are stored, which is current, and for which files somebody should look.
//!
//! `is_current` is a fact of each file: after a partial `clean` some files have the new version as the current one and
//! others still the old. Chunks, search and citations stand on the current clean text of their file, always.

use super::texts::stored_review_reasons;
use super::{Store, StoreError, Variant};
use pensieve_text::model::{ContentHash, FileType, ReviewReason};
use rusqlite::{Connection, Row, params};

/// A row of `text_versions`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredVersion {
    /// Raw or clean.
    pub variant: Variant,
    /// `raw_v1`, `clean_v1`.
    pub version: String,
    /// Chunks, search and the plain `text` command use it.
    pub is_current: bool,
    /// SHA-256 of the text.
    pub sha256: ContentHash,
    /// Bytes.
    pub bytes: usize,
    /// Characters.
    pub chars: usize,
    /// The settings that it depends on.
    pub settings_hash: Option<String>,
    /// Why somebody should look at it.
    pub review_reasons: Vec<ReviewReason>,
}

/// A file with stored text, as far as a choice among files needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextOwner {
    /// Its row.
    pub file_id: i64,
    /// Relative path in stored form.
    pub relative_path: String,
    /// On disk or inside another.
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
    let variant = if row.get_ref(0)?.as_str()? == "raw" { Variant::Raw } else { Variant::Clean };
    Ok(StoredVersion {
        variant,
        version: row.get(1)?,
        is_current: row.get(2)?,
        sha256: row.get_ref(3)?.as_str()?.parse().unwrap_or(ContentHash([0; 32])),
        bytes: row.get::<_, i64>(4)? as usize,
        chars: row.get::<_, i64>(5)? as usize,
        settings_hash: row.get(6)?,
        review_reasons: stored_review_reasons(row.get_ref(7)?.as_str()?),
    })
}

impl Store {
    /// Every stored version of a file's texts: clean before raw, then by name.
    pub fn versions_of(&self, file_id: i64) -> Result<Vec<StoredVersion>, StoreError> {
        let read = || -> rusqlite::Result<Vec<StoredVersion>> {
            let mut statement = self.connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM text_versions WHERE file_id = ?1 ORDER BY variant, version"
            ))?;
            let rows = statement.query_map([file_id], stored_version)?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// Hands over every file with stored text, by root and path.
    ///
    /// Cost: one sorted pass over `files`.
    pub fn text_owners(&self, each: &mut dyn FnMut(TextOwner)) -> Result<(), StoreError> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare(
                "SELECT file_id, relative_path, file_type, file_extension, format, mime_type, size_bytes FROM files
                 WHERE is_canonical AND processing_status = 'Processed' ORDER BY root_id, relative_path",
            )?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                each(TextOwner {
                    file_id: row.get(0)?,
                    relative_path: row.get(1)?,
                    file_type: FileType::from_name(row.get_ref(2)?.as_str()?).unwrap_or(FileType::File),
                    extension: row.get(3)?,
                    format: row.get(4)?,
                    mime: row.get(5)?,
                    size: row.get::<_, i64>(6)? as u64,
                });
            }
            Ok(())
        };
        read().map_err(|error| self.fail(error))
    }

    /// The versions that are stored of a variant, by name, each with its number of files.
    pub fn version_names(&self, variant: Variant) -> Result<Vec<(String, u64)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, u64)>> {
            let mut statement = self.connection.prepare(
                "SELECT version, count(*) FROM text_versions WHERE variant = ?1 GROUP BY 1 ORDER BY 1",
            )?;
            let rows = statement
                .query_map([variant.as_str()], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
            rows.collect()
        };
        read().map_err(|error| self.fail(error))
    }

    /// True when some file has this version stored.
    pub fn has_version(&self, variant: Variant, version: &str) -> Result<bool, StoreError> {
        self.connection
            .prepare("SELECT 1 FROM text_versions WHERE variant = ?1 AND version = ?2 LIMIT 1")
            .and_then(|mut statement| statement.exists(params![variant.as_str(), version]))
            .map_err(|error| self.fail(error))
    }
}

/// Makes a stored clean version the current one of its file.
pub(super) fn make_current(connection: &Connection, file_id: i64, version: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE text_versions SET is_current = (version = ?2)
             WHERE file_id = ?1 AND variant = 'clean' AND is_current <> (version = ?2)",
        )?
        .execute(params![file_id, version])?;
    Ok(())
}

/// Removes one stored version of a file's texts; another one that was current no longer is.
pub(super) fn drop_version(connection: &Connection, file_id: i64, version: &str) -> rusqlite::Result<()> {
    for table in ["texts", "text_maps", "text_versions"] {
        connection
            .prepare_cached(&format!(
                "DELETE FROM {table} WHERE file_id = ?1 AND variant = 'clean' AND version = ?2"
            ))?
            .execute(params![file_id, version])?;
    }
    make_current(connection, file_id, version)
}
