//! The outcome of reading a file, and the rows that follow from it: the file's own, its versions, metadata, problems.

use super::binder::Binder;
use super::content::changed_content::ChangedContent;
use super::content::chunk_lines::ChunkLines;
use super::progress::RowInProgress;
use super::review::review_reasons_json;
use super::{content, mails};
use crate::store::rows::digests::{DetailTables, VersionLines};
use crate::store::rows::sql::Queries;
use crate::store::rows::time::stored_now;
use crate::store::rows::{document_fields, hidden_text};
use pensieve_text::model::{
    ContentHash, DocumentSection, HiddenPassage, MailFacts, Problem, ProcessingStatus, ReviewReason,
    ReviewReasonKind,
};
use pensieve_text::text::facts::TextFacts;
use pensieve_text::text::review::{ReviewEvidence, merge_review_reasons};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, params};

/// How reading a file ended.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The processing status of the file; `None` is a bug.
    pub status: Option<ProcessingStatus>,
    /// Why it is not `Processed`.
    pub reason: Option<String>,
    /// The row of the format table that read it.
    pub format: Option<String>,
    /// The encoding of the source.
    pub encoding: Option<String>,
    /// MIME type.
    pub mime: Option<String>,
    /// Reader or converter with its version.
    pub extractor: Option<String>,
    /// Tokens of the clean text.
    pub tokens: Option<u64>,
    /// The settings that the result depends on.
    pub settings_hash: Option<String>,
    /// Title, author and so on.
    pub metadata: Vec<(String, String)>,
    /// Text that nobody can see.
    pub hidden_text: Vec<HiddenPassage>,
    /// For mails, the facts for threads and pages.
    pub mail: Option<Box<MailFacts>>,
    /// The problems found.
    pub problems: Vec<Problem>,
    /// Why a person should review the text.
    pub review_reasons: Vec<ReviewReason>,
    /// The texts that were stored.
    pub versions: Vec<VersionRow>,
    /// The version of a stored clean text that was only cut again, and why a person should review it now.
    pub recut: Option<(String, Vec<ReviewReason>)>,
    /// The digest over its chunks, if they were all added; else they are read back.
    pub chunk_lines: Option<ChunkLines>,
    /// The sections of the clean text; `None` if the text is unchanged.
    pub sections: Option<Vec<DocumentSection>>,
    /// True if the source was not read, so its stored problems stay.
    pub keeps_problems: bool,
}

impl Outcome {
    /// The tables in which the details of a file are that had none before.
    pub(super) fn detail_tables(&self) -> DetailTables {
        DetailTables {
            metadata: !self.metadata.is_empty(),
            hidden_text: !self.hidden_text.is_empty(),
            sections: self.sections.as_ref().is_some_and(|sections| !sections.is_empty()),
            mail: self.mail.is_some(),
            problems: self.keeps_problems || !self.problems.is_empty(),
        }
    }
}

/// The version of all raw texts: what readers make is never rewritten.
pub const RAW_VERSION: &str = "raw_v1";

/// One row of `text_versions`.
#[derive(Debug, Clone)]
pub struct VersionRow {
    /// `raw` or `clean`.
    pub variant: &'static str,
    /// `raw_v1`, `clean_v0`.
    pub version: String,
    /// SHA-256 of the whole text.
    pub sha256: ContentHash,
    /// Its length in bytes.
    pub bytes: usize,
    /// Its length in characters.
    pub chars: usize,
    /// Why a person should review it, in addition to the review reasons of its reader.
    pub review: Vec<ReviewReason>,
    /// The counts that reasons with a threshold follow from, of clean text.
    pub review_counts: Option<ReviewEvidence>,
    /// What clean text says of its document.
    pub facts: TextFacts,
}

/// Stores an open problem.
pub(super) fn insert_problem(
    connection: &Connection,
    file_id: Option<i64>,
    run_id: i64,
    path: &str,
    problem: &Problem,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO errors(file_id, run_id, path, timestamp, error_type, error_message)
               VALUES(?1, ?2, ?3, ?4, ?5, ?6)";
    let values = params![file_id, run_id, path, stored_now(), problem.kind.as_str(), problem.message];
    connection.run(sql, values).map(drop)
}

/// Writes all results of reading a file except its texts and chunks; returns the lines of its versions.
pub(super) fn write_outcome(
    connection: &Connection,
    row: &RowInProgress,
    outcome: &Outcome,
    run_id: i64,
    changed: &mut ChangedContent,
) -> rusqlite::Result<VersionLines> {
    let file_id = row.file_id;
    write_row(connection, file_id, outcome)?;
    let mut versions: Vec<&VersionRow> = outcome.versions.iter().collect();
    versions.sort_by_key(|version| (version.variant, &version.version));
    let mut lines = VersionLines::default();
    for version in versions {
        write_version(connection, row, version, outcome, &mut lines)?;
    }
    if let Some((version, review_reasons)) = &outcome.recut {
        connection.run(
            "UPDATE text_versions SET needs_review = ?3, review_reasons = ?4
             WHERE file_id = ?1 AND variant = 'clean' AND version = ?2 AND review_reasons <> ?4",
            params![file_id, version, !review_reasons.is_empty(), review_reasons_json(review_reasons)],
        )?;
    }
    for (key, value) in &outcome.metadata {
        let sql = "INSERT INTO metadata(file_id, key, value) VALUES(?1, ?2, ?3)";
        connection.run(sql, params![file_id, key, value])?;
    }
    hidden_text::write(connection, file_id, &outcome.hidden_text)?;
    if let Some(mail) = &outcome.mail {
        mails::write_mail(connection, file_id, mail)?;
    }
    if let Some(sections) = &outcome.sections {
        if !row.is_blank {
            content::drop_sections(connection, file_id)?;
        }
        content::write_sections(connection, file_id, sections)?;
    }
    let says_nothing = outcome.versions.iter().all(|version| version.facts.is_empty());
    if !(row.is_blank && outcome.metadata.is_empty() && says_nothing) {
        document_fields::write(connection, file_id)?;
    }
    write_problems(connection, file_id, outcome, run_id, changed)?;
    Ok(lines)
}

fn write_row(connection: &Connection, file_id: i64, outcome: &Outcome) -> rusqlite::Result<()> {
    let sql = "UPDATE files SET processing_status = ?2, status_reason = ?3, format = ?4, encoding = ?5,
                      mime_type = coalesce(?6, mime_type), extractor = ?7, estimated_tokens = ?8, settings_hash = ?9
               WHERE file_id = ?1";
    let values = params![
        file_id,
        outcome.status.map(ProcessingStatus::as_str),
        outcome.reason,
        outcome.format,
        outcome.encoding,
        outcome.mime,
        outcome.extractor,
        outcome.tokens.map(|tokens| tokens as i64),
        outcome.settings_hash,
    ];
    connection.run(sql, values).map(drop)
}

/// Writes the problems of a file, each once.
fn write_problems(
    connection: &Connection,
    file_id: i64,
    outcome: &Outcome,
    run_id: i64,
    changed: &mut ChangedContent,
) -> rusqlite::Result<()> {
    if !outcome.keeps_problems {
        content::drop_problems(connection, file_id, changed)?;
    }
    if outcome.problems.is_empty() {
        return Ok(());
    }
    changed.note(file_id);
    let sql = "SELECT full_filepath FROM files WHERE file_id = ?1";
    let path: String = connection.one(sql, [file_id], |row| row.get(0))?;
    for problem in &outcome.problems {
        connection.run(
            "DELETE FROM errors WHERE file_id = ?1 AND (error_type, error_message) = (?2, ?3)",
            params![file_id, problem.kind.as_str(), problem.message],
        )?;
        insert_problem(connection, Some(file_id), run_id, &path, problem)?;
    }
    Ok(())
}

fn write_version(
    connection: &Connection,
    row: &RowInProgress,
    version: &VersionRow,
    outcome: &Outcome,
    lines: &mut VersionLines,
) -> rusqlite::Result<()> {
    let review_reasons = merge_review_reasons(&outcome.review_reasons, &version.review);
    let sql =
        "INSERT INTO text_versions(file_id, variant, version, is_current, sha256, byte_length, char_length,
                                   needs_review, review_reasons, extractor, settings_hash, created_at, maps_sha256,
                                   review_counts, text_facts)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
         ON CONFLICT(file_id, variant, version) DO UPDATE SET
           (is_current, sha256, byte_length, char_length, needs_review, review_reasons, extractor, settings_hash,
            created_at, maps_sha256, review_counts, text_facts) =
           (excluded.is_current, excluded.sha256, excluded.byte_length, excluded.char_length, excluded.needs_review,
            excluded.review_reasons, excluded.extractor, excluded.settings_hash, excluded.created_at,
            excluded.maps_sha256, excluded.review_counts, excluded.text_facts)";
    let [sha256, maps] = [version.sha256, row.maps_hash(version.variant)].map(|hash| hash.to_hex());
    let (reasons, created_at) = (review_reasons_json(&review_reasons), stored_now());
    let number = |number: usize| ValueRef::Integer(number as i64);
    let flag = |is_true: bool| ValueRef::Integer(i64::from(is_true));
    let fields = [
        version.variant.into(),
        version.version.as_str().into(),
        flag(true),
        sha256.as_str().into(),
        number(version.bytes),
        number(version.chars),
        flag(!review_reasons.is_empty()),
        reasons.as_str().into(),
        text_or_null(outcome.extractor.as_deref()),
        text_or_null(outcome.settings_hash.as_deref()),
        created_at.as_str().into(),
        maps.as_str().into(),
    ];
    let mut statement = connection.prepare_cached(sql)?;
    let mut binder = Binder::new(&mut statement);
    binder.add(row.file_id)?;
    fields.iter().try_for_each(|field| binder.add(ToSqlOutput::Borrowed(*field)))?;
    // No part of the digests: what follows from them is, or follows from the text.
    binder.add(review_counts_json(version, &outcome.review_reasons))?;
    binder.add((!version.facts.is_empty()).then(|| serde_json::json!(version.facts).to_string()))?;
    statement.raw_execute()?;
    lines.add(&fields);
    Ok(())
}

fn text_or_null(text: Option<&str>) -> ValueRef<'_> {
    text.map_or(ValueRef::Null, ValueRef::from)
}

/// The counts of a text as JSON. Replaced characters that its reader reports are its reader's to judge.
fn review_counts_json(version: &VersionRow, of_reader: &[ReviewReason]) -> Option<String> {
    let mut counts = version.review_counts.clone()?;
    if of_reader.iter().any(|reason| reason.kind == ReviewReasonKind::ReplacedCharacters) {
        counts.replaced = 0;
    }
    Some(serde_json::json!(counts).to_string())
}
