//! Facts about the database as a whole: the table `meta`.

use super::error::StoreError;
use super::open::Store;
use super::schema::LOAD_MARK;
use crate::store::rows::sql::Queries;
use pensieve_text::names;
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The settings of a whole database: every chunk in it was cut with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CorpusSettings {
    /// Name of the encoding.
    #[serde(rename = "tokenizer_model")]
    pub tokenizer: String,
    /// Maximum tokens of a chunk.
    pub chunk_size: usize,
    /// Overlap in tokens.
    pub chunk_overlap: usize,
    /// The current clean version. Files that a partial `clean` has not processed yet will get it next.
    pub clean_version: String,
    /// A rollback set this version; only `clean --version` changes it.
    #[serde(rename = "clean_version_pinned")]
    pub is_pinned: bool,
}

names! {
    /// How chunks are found that answer a question.
    #[derive(Default)]
    SearchMode {
        /// By their words.
        #[default]
        Words = "words",
        /// By their meaning: the chunks whose vectors are nearest to that of the question.
        Vectors = "vectors",
        /// By both; chunks that both find come first.
        Hybrid = "hybrid",
    }
}

/// The key that marks a clean version as pinned by a rollback.
const PIN: &str = "clean_version_pinned";

/// The key for the answers of converters.
const CONVERTER_VERSIONS: &str = "converter_versions";

/// The key for the settings that stored results depend on.
const RESULT_SETTINGS: &str = "result_settings";

/// The key for how many living rows of `files` there were after which run.
pub(crate) const ROWS: &str = "file_rows";

/// The key for how questions are answered.
const SEARCH_MODE: &str = "search_mode";

pub(crate) fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    connection.first("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
}

pub(crate) fn set(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO meta(key, value) VALUES(?1, ?2)
               ON CONFLICT(key) DO UPDATE SET value = excluded.value WHERE value IS NOT excluded.value";
    connection.run(sql, params![key, value]).map(drop)
}

pub(crate) fn remove(connection: &Connection, key: &str) -> rusqlite::Result<()> {
    connection.run("DELETE FROM meta WHERE key = ?1", [key]).map(drop)
}

/// True when the search tables are kept.
pub(crate) fn has_search(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(get(connection, "fts")?.as_deref() != Some("off"))
}

/// True while a first load is unfinished.
pub(crate) fn is_loading(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(get(connection, LOAD_MARK)?.is_some())
}

/// The key for the start time of a root's last finished scan.
pub(crate) fn scan_key(root_id: i64) -> String {
    format!("scan_started:{root_id}")
}

/// The table `meta`.
pub struct MetaTable<'s>(pub(crate) &'s Store);

impl MetaTable<'_> {
    /// The settings that the chunks were cut with; `None` in a new database.
    pub fn corpus_settings(&self) -> Result<Option<CorpusSettings>, StoreError> {
        let value = |key| self.0.ask(|connection| get(connection, key));
        let (Some(tokenizer), Some(size), Some(overlap), Some(clean_version)) = (
            value("tokenizer_model")?,
            value("chunk_size")?,
            value("chunk_overlap")?,
            value("clean_version")?,
        ) else {
            return Ok(None);
        };
        let number = |text: String| {
            text.parse().map_err(|_| self.0.damaged(format!("meta has `{text}` where a number belongs")))
        };
        Ok(Some(CorpusSettings {
            tokenizer,
            chunk_size: number(size)?,
            chunk_overlap: number(overlap)?,
            clean_version,
            is_pinned: value(PIN)?.is_some(),
        }))
    }

    /// Stores the settings for later runs.
    pub fn set_corpus_settings(&self, settings: &CorpusSettings) -> Result<(), StoreError> {
        self.0.ask(|connection| {
            set(connection, "tokenizer_model", &settings.tokenizer)?;
            set(connection, "chunk_size", &settings.chunk_size.to_string())?;
            set(connection, "chunk_overlap", &settings.chunk_overlap.to_string())?;
            set(connection, "clean_version", &settings.clean_version)?;
            match settings.is_pinned {
                true => set(connection, PIN, "rollback"),
                false => remove(connection, PIN),
            }
        })
    }

    /// The start time of this root's last finished scan: seconds and nanoseconds since 1970.
    pub fn last_scan(&self, root_id: i64) -> Result<Option<(i64, u32)>, StoreError> {
        let text = self.0.ask(|connection| get(connection, &scan_key(root_id)))?;
        Ok(text.and_then(|text| {
            let (seconds, nanoseconds) = text.split_once('.')?;
            Some((seconds.parse().ok()?, nanoseconds.parse().ok()?))
        }))
    }

    /// Stores the start time of the scan that has just been written.
    pub fn set_last_scan(&self, root_id: i64, started: (i64, u32)) -> Result<(), StoreError> {
        let moment = format!("{}.{}", started.0, started.1);
        self.0.ask(|connection| set(connection, &scan_key(root_id), &moment))
    }

    /// What converters answered when they were asked for their versions, by what identifies their files.
    pub fn converter_versions(&self) -> Result<BTreeMap<String, Option<String>>, StoreError> {
        let stored = self.0.ask(|connection| get(connection, CONVERTER_VERSIONS))?;
        // Without them programs are asked again.
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Stores the answers of converters for later runs.
    pub fn set_converter_versions(
        &self,
        answers: &BTreeMap<String, Option<String>>,
    ) -> Result<(), StoreError> {
        let text = serde_json::json!(answers).to_string();
        self.0.ask(|connection| set(connection, CONVERTER_VERSIONS, &text))
    }

    /// The settings of the last whole run that stored results depend on, by their names; `None` before there was one.
    pub fn result_settings(&self) -> Result<Option<BTreeMap<String, String>>, StoreError> {
        let stored = self.0.ask(|connection| get(connection, RESULT_SETTINGS))?;
        // They only explain what a run does, so that damaged ones are as good as none.
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Stores them for the next run.
    pub fn set_result_settings(&self, settings: &BTreeMap<String, String>) -> Result<(), StoreError> {
        let text = serde_json::json!(settings).to_string();
        self.0.ask(|connection| set(connection, RESULT_SETTINGS, &text))
    }

    /// How questions of this database are answered, if somebody chose.
    pub fn search_mode(&self) -> Result<Option<SearchMode>, StoreError> {
        let name = self.0.ask(|connection| get(connection, SEARCH_MODE))?;
        Ok(name.as_deref().and_then(SearchMode::from_name))
    }

    /// Stores how questions of this database are answered.
    pub fn set_search_mode(&self, mode: SearchMode) -> Result<(), StoreError> {
        self.0.ask(|connection| set(connection, SEARCH_MODE, mode.as_str()))
    }

    /// True when the search tables are kept.
    pub fn has_search(&self) -> Result<bool, StoreError> {
        self.0.ask(has_search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{execute, store};

    #[test]
    fn settings_are_read_as_they_were_stored() {
        let store = store();
        let meta = store.meta();
        assert_eq!(meta.corpus_settings().unwrap(), None);
        let settings = CorpusSettings {
            tokenizer: "o200k_base".to_owned(),
            chunk_size: 100,
            chunk_overlap: 7,
            clean_version: "clean_v3".to_owned(),
            is_pinned: true,
        };
        for is_pinned in [true, false] {
            let settings = CorpusSettings { is_pinned, ..settings.clone() };
            meta.set_corpus_settings(&settings).unwrap();
            assert_eq!(meta.corpus_settings().unwrap(), Some(settings));
        }
        execute(&store, "UPDATE meta SET value = 'x' WHERE key = 'chunk_overlap'");
        let error = meta.corpus_settings().unwrap_err().to_string();
        assert_eq!(error, "`memory.db` is damaged: meta has `x` where a number belongs");
        execute(&store, "DELETE FROM meta WHERE key = 'chunk_overlap'");
        assert_eq!(meta.corpus_settings().unwrap(), None);
    }

    #[test]
    fn facts_of_the_database_are_kept_by_key() {
        let store = store();
        let meta = store.meta();
        assert_eq!(meta.last_scan(1).unwrap(), None);
        meta.set_last_scan(1, (-5, 123)).unwrap();
        meta.set_last_scan(2, (6, 7)).unwrap();
        assert_eq!((meta.last_scan(1).unwrap(), meta.last_scan(2).unwrap()), (Some((-5, 123)), Some((6, 7))));
        assert!(meta.has_search().unwrap());
        set(&store.connection, "fts", "off").unwrap();
        assert!(!meta.has_search().unwrap());
        set(&store.connection, "fts", "on").unwrap();
        assert!(meta.has_search().unwrap());
    }
}
