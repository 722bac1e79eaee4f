//! The corpus in numbers.

use super::{Store, StoreError};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a database holds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Stats {
    /// Folders that it was made from.
    pub roots: Vec<String>,
    /// Living files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files whose bytes another file has.
    pub duplicates: u64,
    /// Their bytes.
    pub duplicate_bytes: u64,
    /// Of the files, those that lie inside others: attachments, mails of mailboxes.
    pub members: u64,
    /// Files whose clean text somebody should look at.
    pub needs_review: u64,
    /// Files by what became of them.
    pub by_status: BTreeMap<String, u64>,
    /// Read files by format.
    pub by_format: BTreeMap<String, FormatStats>,
    /// Different chunks.
    pub chunks: u64,
    /// Places of chunks in files.
    pub sources: u64,
    /// Tokens of the different chunks.
    pub tokens: u64,
    /// Tokens that need not be stored: of copies of files, and of chunks that stand in several places.
    pub tokens_saved: u64,
    /// Open problems by kind.
    pub errors: BTreeMap<String, u64>,
    /// Tokenizer, ceiling and overlap.
    pub settings: BTreeMap<String, String>,
    /// Size of the database in bytes.
    pub database_bytes: u64,
    /// How the last run ended.
    pub last_run: Option<String>,
}

/// The files of one format.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct FormatStats {
    /// Files.
    pub files: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Tokens of their texts.
    pub tokens: u64,
}

const TOKENS_SAVED: &str = "
    SELECT (SELECT coalesce(sum((n - 1) * estimated_tokens), 0) FROM
              (SELECT count(*) AS n, chunk_id FROM chunk_sources GROUP BY chunk_id HAVING n > 1) JOIN chunks USING(chunk_id))
         + (SELECT coalesce(sum(c.estimated_tokens), 0) FROM files f
            JOIN files c ON c.file_id = f.duplicate_group_id WHERE f.duplicate_status = 'duplicate')";

const TO_REVIEW: &str =
    "SELECT count(*) FROM text_versions WHERE variant = 'clean' AND is_current AND needs_review";

impl Store {
    /// Counts everything.
    ///
    /// Cost: a few passes over files, one over chunks and two over their places.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        self.count_all().map_err(|error| self.fail(error))
    }

    /// Tokens that the database need not hold: of copies of files, and of chunks that stand in several places.
    ///
    /// Cost: one pass over the places of chunks.
    pub fn tokens_saved(&self) -> Result<u64, StoreError> {
        self.number(TOKENS_SAVED).map_err(|error| self.fail(error))
    }

    fn number(&self, query: &str) -> rusqlite::Result<u64> {
        self.connection.query_row(query, [], |row| row.get::<_, i64>(0)).map(|number| number as u64)
    }

    fn count_all(&self) -> rusqlite::Result<Stats> {
        let one = |query: &str| self.number(query);
        let living = "file_type IN ('file', 'member') AND processing_status <> 'Deleted'";
        Ok(Stats {
            roots: self.column("SELECT path FROM roots ORDER BY root_id")?,
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
            errors: self.table("SELECT error_type, count(*) FROM errors GROUP BY 1")?,
            settings: self.settings()?,
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

    fn settings(&self) -> rusqlite::Result<BTreeMap<String, String>> {
        let mut statement = self.connection.prepare(
            "SELECT key, value FROM meta
             WHERE key IN ('tokenizer_model', 'chunk_size', 'chunk_overlap', 'clean_version')",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
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
