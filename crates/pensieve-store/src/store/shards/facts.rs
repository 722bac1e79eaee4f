//! What must be known of a shard before anything is made of it.

use crate::store::database::error::StoreError;
use crate::store::database::meta::{self, CorpusSettings};
use crate::store::database::open::Store;
use crate::store::database::roots::Root;
use crate::store::database::schema::{SCHEMA_VERSION, schema_version};
use crate::store::rows::sql::{Queries, count};
use std::collections::BTreeMap;

/// A shard as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardFacts {
    /// The folders that its files are of.
    pub roots: Vec<Root>,
    /// The settings that its chunks were cut with.
    pub settings: Option<CorpusSettings>,
    /// True if it has search tables.
    pub has_search: bool,
    /// True if raw text is stored; `None` if it has no text.
    pub keeps_raw: Option<bool>,
    /// The settings of its results: by format and extension, an example each.
    pub recipes: BTreeMap<(Option<String>, String), RecipeExample>,
    /// Files that a run has yet to read.
    pub waiting: u64,
    /// True if its last run came to its end.
    pub is_finished: bool,
}

/// The settings of the results of one kind of file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipeExample {
    /// The settings.
    pub settings_hash: String,
    /// A file that was read with them.
    pub path: String,
}

/// Questions about a shard.
pub struct ShardQueries<'s>(pub(crate) &'s Store);

impl ShardQueries<'_> {
    /// Its schema, and the one that this program writes.
    pub fn schema(&self) -> Result<(i64, i64), StoreError> {
        Ok((self.0.ask(schema_version)?, SCHEMA_VERSION))
    }

    /// Everything that shards must have in common.
    ///
    /// Cost: one pass over its rows of `files`.
    pub fn facts(&self) -> Result<ShardFacts, StoreError> {
        let store = self.0;
        let waiting = "SELECT count(*) FROM files WHERE processing_status = 'Pending'
                         OR (processing_status = 'Processed' AND is_canonical AND settings_hash IS NULL)";
        let waiting = store.ask(|connection| connection.one(waiting, [], |row| count(row, 0)))?;
        Ok(ShardFacts {
            roots: store.roots().all()?,
            settings: store.meta().corpus_settings()?,
            has_search: store.meta().has_search()?,
            keeps_raw: self.keeps_raw()?,
            recipes: self.recipes()?,
            waiting,
            is_finished: self.is_finished()?,
        })
    }

    /// False while a run writes, and after one that did not come to its end.
    pub fn is_finished(&self) -> Result<bool, StoreError> {
        let last = "SELECT status FROM runs ORDER BY run_id DESC LIMIT 1";
        let last: Option<String> = self.0.ask(|connection| connection.first(last, [], |row| row.get(0)))?;
        Ok(!self.0.ask(meta::is_loading)? && last.as_deref() == Some("finished"))
    }

    fn keeps_raw(&self) -> Result<Option<bool>, StoreError> {
        let has = |condition: &str| {
            let sql = format!("SELECT 1 FROM text_versions WHERE {condition} LIMIT 1");
            self.0.ask(|connection| connection.has(&sql, []))
        };
        match has("variant = 'clean'")? {
            true => has("variant = 'raw'").map(Some),
            false => Ok(None),
        }
    }

    /// Settings of files with text. Results without text depend on fewer settings.
    fn recipes(&self) -> Result<BTreeMap<(Option<String>, String), RecipeExample>, StoreError> {
        let sql = "SELECT format, file_extension, settings_hash, min(relative_path) FROM files
                   WHERE is_canonical AND processing_status = 'Processed' AND settings_hash IS NOT NULL
                   GROUP BY 1, 2, 3";
        let rows = self.0.ask(|connection| {
            connection.rows(sql, [], |row| {
                let example = RecipeExample { settings_hash: row.get(2)?, path: row.get(3)? };
                Ok(((row.get(0)?, row.get(1)?), example))
            })
        })?;
        Ok(rows.into_iter().collect())
    }
}
