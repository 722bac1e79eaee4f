//! The corpus in numbers.

use super::file_problems::ProblemCounts;
use super::problems::ProblemQueries;
use crate::store::database::error::StoreError;
use crate::store::database::meta::{CorpusSettings, MetaTable};
use crate::store::database::open::Store;
use crate::store::rows::sql::{Queries, count};
use crate::store::vectors::{ModelVectors, VectorTable};
use rusqlite::Connection;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The content of a database in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CorpusStats {
    /// The ingested folders.
    pub roots: Vec<String>,
    /// The counts.
    #[serde(flatten)]
    pub counts: CorpusCounts,
}

/// A corpus in numbers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, ToSchema)]
#[schema(as = CorpusCounts)]
pub struct CorpusCounts {
    /// Living documents.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents with the same bytes as another one.
    pub duplicates: u64,
    /// Their bytes.
    pub duplicate_bytes: u64,
    /// Documents inside others: attachments, mails of mailboxes.
    pub members: u64,
    /// Documents whose clean text a person should review.
    pub needs_review: u64,
    /// Documents by processing status.
    pub by_status: BTreeMap<String, u64>,
    /// Documents that were read, by format.
    pub by_format: BTreeMap<String, FormatStats>,
    /// Different chunks.
    pub chunks: u64,
    /// Places of chunks in documents.
    pub sources: u64,
    /// Tokens of the different chunks.
    pub tokens: u64,
    /// Tokens that are not stored again: of copies of documents, and of chunks that occur in several places.
    pub tokens_saved: u64,
    /// The vectors of each model.
    pub vectors: Vec<ModelVectors>,
    /// Open problems by kind.
    pub errors: BTreeMap<String, u64>,
    /// The settings that the chunks were cut with; null before the first run.
    pub settings: Option<CorpusSettings>,
    /// Bytes of the database.
    pub database_bytes: u64,
    /// How and when the last run ended.
    pub last_run: Option<String>,
}

/// A corpus in four numbers, as a run reports it at its end.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct CorpusState {
    /// Living documents.
    pub files: u64,
    /// Different chunks.
    pub chunks: u64,
    /// Tokens of their texts; a copy has none of its own.
    pub tokens: u64,
    /// Documents with open problems.
    pub problems: u64,
    /// Those by what they cost.
    #[serde(flatten)]
    pub by_severity: ProblemCounts,
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

/// The number of documents of one format that have one status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatStatus {
    /// The row of the format table; `None` for documents that were not read.
    pub format: Option<String>,
    /// Their processing status.
    pub status: String,
    /// The number of documents.
    pub files: u64,
}

/// Living documents.
const LIVING: &str = "file_type IN ('file', 'member') AND processing_status <> 'Deleted'";

const TOKENS_SAVED: &str = "
    SELECT (SELECT coalesce(sum((n - 1) * estimated_tokens), 0) FROM
              (SELECT count(*) AS n, chunk_id FROM chunk_sources GROUP BY chunk_id HAVING n > 1) JOIN chunks USING(chunk_id))
         + (SELECT coalesce(sum(c.estimated_tokens), 0) FROM files f
            JOIN files c ON c.file_id = f.duplicate_group_id WHERE f.duplicate_status = 'duplicate')";

/// Counts over the corpus.
pub struct Statistics<'s>(pub(crate) &'s Store);

impl Statistics<'_> {
    /// Counts what a run reports at its end.
    ///
    /// Cost: one pass over files, one over the keys of chunks, and that of [`ProblemQueries::by_file`].
    pub fn state(&self) -> Result<CorpusState, StoreError> {
        let by_severity = ProblemCounts::of(&ProblemQueries(self.0).by_file()?);
        let files = format!("SELECT count(*), coalesce(sum(estimated_tokens), 0) FROM files WHERE {LIVING}");
        self.0.ask(|connection| {
            let (files, tokens) = connection.one(&files, [], |row| Ok((count(row, 0)?, count(row, 1)?)))?;
            let chunks = connection.one("SELECT count(*) FROM chunks", [], |row| count(row, 0))?;
            Ok(CorpusState { files, chunks, tokens, problems: by_severity.all(), by_severity })
        })
    }

    /// Counts everything.
    ///
    /// Cost: a few passes over files, one over chunks, two over their places, one over the keys of vectors.
    pub fn corpus(&self) -> Result<CorpusStats, StoreError> {
        let settings = MetaTable(self.0).corpus_settings()?;
        let errors = ProblemQueries(self.0).counts()?;
        let vectors = VectorTable(self.0).models()?;
        let sql = "SELECT path FROM roots ORDER BY root_id";
        let roots = self.0.ask(|connection| connection.rows(sql, [], |row| row.get(0)))?;
        let counts = self.0.ask(counts)?;
        Ok(CorpusStats { roots, counts: CorpusCounts { settings, errors, vectors, ..counts } })
    }

    /// Living documents by format and status; duplicates have the format of their canonical file.
    pub fn by_format_and_status(&self) -> Result<Vec<FormatStatus>, StoreError> {
        let sql = "SELECT coalesce(f.format, c.format), f.processing_status, count(*) FROM files f
                   LEFT JOIN files c ON f.duplicate_status = 'duplicate' AND c.file_id = f.duplicate_group_id
                   WHERE f.file_type IN ('file', 'member') AND f.processing_status <> 'Deleted'
                   GROUP BY 1, 2 ORDER BY 1, 2";
        self.0.ask(|connection| {
            connection.rows(sql, [], |row| {
                Ok(FormatStatus { format: row.get(0)?, status: row.get(1)?, files: count(row, 2)? })
            })
        })
    }
}

/// All counts except those of open problems and vectors.
fn counts(connection: &Connection) -> rusqlite::Result<CorpusCounts> {
    let number = |sql: &str| connection.one(sql, [], |row| count(row, 0));
    let copies = "FROM files WHERE duplicate_status = 'duplicate'";
    let last_run =
        "SELECT status || ' ' || coalesce(finished_at, started_at) FROM runs ORDER BY run_id DESC LIMIT 1";
    Ok(CorpusCounts {
        files: number(&format!("SELECT count(*) FROM files WHERE {LIVING}"))?,
        bytes: number(&format!("SELECT coalesce(sum(size_bytes), 0) FROM files WHERE {LIVING}"))?,
        duplicates: number(&format!("SELECT count(*) {copies}"))?,
        duplicate_bytes: number(&format!("SELECT coalesce(sum(size_bytes), 0) {copies}"))?,
        members: number(&format!("SELECT count(*) FROM files WHERE {LIVING} AND file_type = 'member'"))?,
        needs_review: number(
            "SELECT count(*) FROM text_versions WHERE variant = 'clean' AND is_current AND needs_review",
        )?,
        by_status: by_status(connection)?,
        by_format: by_format(connection)?,
        chunks: number("SELECT count(*) FROM chunks")?,
        sources: number("SELECT count(*) FROM chunk_sources")?,
        tokens: number("SELECT coalesce(sum(estimated_tokens), 0) FROM chunks")?,
        tokens_saved: number(TOKENS_SAVED)?,
        database_bytes: number("PRAGMA page_count")? * number("PRAGMA page_size")?,
        last_run: connection.first(last_run, [], |row| row.get(0))?,
        ..CorpusCounts::default()
    })
}

fn by_status(connection: &Connection) -> rusqlite::Result<BTreeMap<String, u64>> {
    let sql = format!("SELECT processing_status, count(*) FROM files WHERE {LIVING} GROUP BY 1");
    let rows = connection.rows(&sql, [], |row| Ok((row.get(0)?, count(row, 1)?)))?;
    Ok(rows.into_iter().collect())
}

fn by_format(connection: &Connection) -> rusqlite::Result<BTreeMap<String, FormatStats>> {
    let sql = "SELECT format, count(*), sum(size_bytes), coalesce(sum(estimated_tokens), 0) FROM files
               WHERE format IS NOT NULL AND processing_status = 'Processed' GROUP BY format";
    let rows = connection.rows(sql, [], |row| {
        Ok((
            row.get(0)?,
            FormatStats { files: count(row, 1)?, bytes: count(row, 2)?, tokens: count(row, 3)? },
        ))
    })?;
    Ok(rows.into_iter().collect())
}
