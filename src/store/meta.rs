//! Facts about the database as a whole.

use super::{Store, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use utoipa::ToSchema;

/// The settings that one database has once: every chunk in it was cut with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CorpusSettings {
    /// Name of the encoding.
    #[serde(rename = "tokenizer_model")]
    pub tokenizer: String,
    /// Ceiling of a chunk in tokens.
    pub chunk_size: usize,
    /// Overlap in tokens.
    pub chunk_overlap: usize,
    /// The current clean version: of files that a partial `clean` has not reached yet, the next one.
    pub clean_version: String,
    /// A rollback has made it so; only `clean --version` changes it.
    #[serde(rename = "clean_version_pinned")]
    pub is_pinned: bool,
}

/// The mark of a clean version that a rollback has pinned.
const PIN: &str = "clean_version_pinned";

pub(super) fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

pub(super) fn set(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO meta(key, value) VALUES(?1, ?2)
             ON CONFLICT(key) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value",
        )?
        .execute(params![key, value])?;
    Ok(())
}

pub(super) fn remove(connection: &Connection, key: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM meta WHERE key = ?1", [key])?;
    Ok(())
}

impl Store {
    /// The settings that the chunks were cut with; `None` in a new database.
    pub fn corpus_settings(&self) -> Result<Option<CorpusSettings>, StoreError> {
        let value = |key| get(&self.connection, key).map_err(|error| self.fail(error));
        let (Some(tokenizer), Some(size), Some(overlap), Some(clean_version)) = (
            value("tokenizer_model")?,
            value("chunk_size")?,
            value("chunk_overlap")?,
            value("clean_version")?,
        ) else {
            return Ok(None);
        };
        let number = |text: String| {
            text.parse().map_err(|_| StoreError::Damaged {
                path: self.path.clone(),
                detail: format!("meta holds `{text}` where a number belongs"),
            })
        };
        Ok(Some(CorpusSettings {
            tokenizer,
            chunk_size: number(size)?,
            chunk_overlap: number(overlap)?,
            clean_version,
            is_pinned: value(PIN)?.is_some(),
        }))
    }

    /// Keeps the settings for later runs.
    pub fn set_corpus_settings(&self, settings: &CorpusSettings) -> Result<(), StoreError> {
        let put = |key, value: &str| set(&self.connection, key, value).map_err(|error| self.fail(error));
        put("tokenizer_model", &settings.tokenizer)?;
        put("chunk_size", &settings.chunk_size.to_string())?;
        put("chunk_overlap", &settings.chunk_overlap.to_string())?;
        put("clean_version", &settings.clean_version)?;
        match settings.is_pinned {
            true => put(PIN, "rollback"),
            false => remove(&self.connection, PIN).map_err(|error| self.fail(error)),
        }
    }

    /// When this root's last finished scan began: seconds and nanoseconds since 1970.
    pub fn last_scan(&self, root_id: i64) -> Result<Option<(i64, u32)>, StoreError> {
        let text =
            get(&self.connection, &format!("scan_started:{root_id}")).map_err(|error| self.fail(error))?;
        Ok(text.and_then(|text| {
            let (seconds, nanoseconds) = text.split_once('.')?;
            Some((seconds.parse().ok()?, nanoseconds.parse().ok()?))
        }))
    }

    /// Remembers when the scan that has just been stored began.
    pub fn set_last_scan(&self, root_id: i64, started: (i64, u32)) -> Result<(), StoreError> {
        set(&self.connection, &format!("scan_started:{root_id}"), &format!("{}.{}", started.0, started.1))
            .map_err(|error| self.fail(error))
    }

    /// True when the search table is kept.
    pub fn has_search(&self) -> Result<bool, StoreError> {
        Ok(get(&self.connection, "fts").map_err(|error| self.fail(error))?.as_deref() != Some("off"))
    }
}
