//! The corpus in numbers.

use super::{CorpusSettings, Store, StoreError};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a database holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Stats {
    /// Folders that it was made from.
    pub roots: Vec<String>,
    /// Everything that is counted.
    #[serde(flatten)]
    pub counts: Counts,
}

/// A corpus in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ToSchema)]
pub struct Counts {
    /// Living documents.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents whose bytes another one has.
    pub duplicates: u64,
    /// Their bytes.
    pub duplicate_bytes: u64,
    /// Of the documents, those that lie inside others: attachments, mails of mailboxes.
    pub members: u64,
    /// Documents whose clean text somebody should look at.
    pub needs_review: u64,
    /// Documents by what became of them.
    pub by_status: BTreeMap<String, u64>,
    /// Read documents by format.
    pub by_format: BTreeMap<String, FormatStats>,
    /// Different chunks.
    pub chunks: u64,
    /// Places of chunks in documents.
    pub sources: u64,
    /// Tokens of the different chunks.
    pub tokens: u64,
    /// Tokens that need not be stored: of copies of documents, and of chunks that stand in several places.
    pub tokens_saved: u64,
    /// Open problems by kind.
    pub errors: BTreeMap<String, u64>,
    /// What every chunk was cut with; null before the first run.
    pub settings: Option<CorpusSettings>,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// How and when the last run ended.
    pub last_run: Option<String>,
}

/// The documents of one format.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
#[schema(as = FormatCount)]
pub struct FormatStats {
    /// Documents.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Tokens of their texts.
    pub tokens: u64,
}

const TOKENS_SAVED: &str = "
    SELECT (SELECT coalesce(sum((n - 1) * estimated_tokens), 0) FROM
              (SELECT count(*) AS n, chunk_id FROM chunk_sources GROUP BY chunk_id HAVING n > 1) JOIN chunks USING(chunk_id))
         + (SELECT coalesce(sum(c.estimated_tokens), 0) FROM files f
            JOIN files c ON c.file_id = f.duplicate_group_id WHERE f.duplicate_status = 'duplicate')";

const PROBLEMS: &str = "SELECT error_type, count(*) FROM errors GROUP BY 1";

const TO_REVIEW: &str =
    "SELECT count(*) FROM text_versions WHERE variant = 'clean' AND is_current AND needs_review";

impl Store {
    /// Counts everything.
    ///
    /// Cost: a few passes over files, one over chunks and two over their places.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let settings = self.corpus_settings()?;
        let roots =
            self.column("SELECT path FROM roots ORDER BY root_id").map_err(|error| self.fail(error))?;
        let counts = self.counts(settings).map_err(|error| self.fail(error))?;
        Ok(Stats { roots, counts })
    }

    /// Open problems by kind.
    pub fn problems_by_kind(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        self.table(PROBLEMS).map_err(|error| self.fail(error))
    }

    fn number(&self, query: &str) -> rusqlite::Result<u64> {
        self.connection.query_row(query, [], |row| row.get::<_, i64>(0)).map(|number| number as u64)
    }

    fn counts(&self, settings: Option<CorpusSettings>) -> rusqlite::Result<Counts> {
        let one = |query: &str| self.number(query);
        let living = "file_type IN ('file', 'member') AND processing_status <> 'Deleted'";
        Ok(Counts {
            files: one(&format!("SELECT count(*) FROM files WHERE {living}"))?,
            bytes: one(&format!("SELECT coalesce(sum(size_bytes), 0) FROM files WHERE {living}"))?,
            duplicates: one("SELECT count(*) FROM files WHERE duplicate_status = 'duplicate'")?,
            duplicate_bytes: one(
                "SELECT coalesce(sum(size_bytes), 0) FROM files WHERE duplicate_status = 'duplicate'",
            )?,
            members: one(&format!("SELECT count(*) FROM files WHERE {living} AND file_type = 'member'"))?,
            needs_review: one(TO_REVIEW)?,
            by_status: self.table(&format!(
                "SELECT processing_status, count(*) FROM files WHERE {living} GROUP BY 1"
            ))?,
            by_format: self.formats()?,
            chunks: one("SELECT count(*) FROM chunks")?,
            sources: one("SELECT count(*) FROM chunk_sources")?,
            tokens: one("SELECT coalesce(sum(estimated_tokens), 0) FROM chunks")?,
            tokens_saved: one(TOKENS_SAVED)?,
            errors: self.table(PROBLEMS)?,
            settings,
            database_bytes: one("PRAGMA page_count")? * one("PRAGMA page_size")?,
            last_run: self
                .column("SELECT status || ' ' || coalesce(finished_at, started_at) FROM runs ORDER BY run_id DESC LIMIT 1")?
                .pop(),
        })
    }

    fn column(&self, query: &str) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection.prepare(query)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    }

    fn table(&self, query: &str) -> rusqlite::Result<BTreeMap<String, u64>> {
        let mut statement = self.connection.prepare(query)?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        rows.collect()
    }

    fn formats(&self) -> rusqlite::Result<BTreeMap<String, FormatStats>> {
        let mut statement = self.connection.prepare(
            "SELECT format, count(*), sum(size_bytes), coalesce(sum(estimated_tokens), 0) FROM files
             WHERE format IS NOT NULL AND processing_status = 'Processed' GROUP BY format",
        )?;
        let rows = statement.query_map([], |row| {
            let count = |at| row.get::<_, i64>(at).map(|number| number as u64);
            Ok((row.get(0)?, FormatStats { files: count(1)?, bytes: count(2)?, tokens: count(3)? }))
        })?;
        rows.collect()
    }
}
