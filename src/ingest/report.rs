//! The report of a run as JSON: its counts, how much of the corpus has text, what failed, what needs a review, and
//! where the time went. Attachments are counted apart from documents. The schema is `docs/report.schema.json`.

use super::report_scope::ReportScope;
use super::timings::SlowestFiles;
use pensieve_store::store::{CoverageRow, FailedFile, ReviewRow, RunRow, Store, StoreError};
use pensieve_text::format::document_kind;
use pensieve_text::model::{DocumentKind, FileType, ProcessingStatus};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Maximum number of items of a list in the report, beside its full length; `errors` and `review` print all of them.
const MAX_LISTED_ITEMS: usize = 10_000;

/// Counts of a run that exclude files inside documents.
const ON_DISK: &[&str] = &["new", "changed", "unchanged", "renamed", "deleted", "retried", "bytes_hashed"];

/// The version of the report's schema.
const SCHEMA_VERSION: u32 = 1;

/// The facts of a run.
#[derive(Debug)]
pub struct RunFacts<'r> {
    /// `ingest` or `clean`.
    pub command: &'static str,
    /// Its number.
    pub run_id: i64,
    /// The root that the run worked on; `None` for all roots.
    pub root: Option<(i64, String)>,
    /// Its counts, as `--json` prints them.
    pub counts: Value,
    /// The counts for attachments; `counts` includes them.
    pub attachments: Value,
    /// Its slowest files.
    pub slowest: &'r SlowestFiles,
}

/// Counts of files.
#[derive(Debug, Default, Serialize)]
struct Coverage {
    /// Files that are not deleted.
    files: u64,
    /// Those that are documents: some format reads them.
    documents: u64,
    /// Documents whose clean text is not empty, their own or that of an equal file.
    with_text: u64,
    /// Share of the documents that have text, 0 to 1; 1 if there are no documents.
    share: f64,
    duplicates: u64,
    bytes: u64,
    by_status: BTreeMap<&'static str, u64>,
    by_format: BTreeMap<String, FormatCoverage>,
}

/// Counts of the files of one format.
#[derive(Debug, Default, Serialize)]
struct FormatCoverage {
    files: u64,
    with_text: u64,
    share: f64,
    errors: u64,
    bytes: u64,
    tokens: u64,
}

/// A list of limited length.
#[derive(Debug, Default)]
struct CappedList {
    total: u64,
    items: Vec<Value>,
}

impl CappedList {
    fn add(&mut self, item: &impl Serialize) {
        self.total += 1;
        if self.items.len() < MAX_LISTED_ITEMS {
            self.items.extend(serde_json::to_value(item));
        }
    }
}

/// The report about documents, or about attachments.
#[derive(Debug, Default)]
struct ReportSection {
    coverage: Coverage,
    failures: CappedList,
    review: CappedList,
}

impl ReportSection {
    fn cover(&mut self, row: &CoverageRow) {
        let coverage = &mut self.coverage;
        coverage.files += row.files;
        coverage.bytes += row.bytes;
        *coverage.by_status.entry(row.status.as_str()).or_default() += row.files;
        if row.is_duplicate {
            coverage.duplicates += row.files;
        }
        let Some(format) = &row.format else { return };
        let with_text = if row.has_text { row.files } else { 0 };
        coverage.documents += row.files;
        coverage.with_text += with_text;
        let of = coverage.by_format.entry(format.clone()).or_default();
        of.files += row.files;
        of.with_text += with_text;
        of.errors += if row.status == ProcessingStatus::Error { row.files } else { 0 };
        of.bytes += row.bytes;
        of.tokens += row.tokens;
    }

    /// Replaces the run's counts of files on disk by those of the files in this report.
    fn count(&self, counts: &mut Map<String, Value>) {
        let coverage = &self.coverage;
        let skipped = coverage.by_status.iter().filter(|(status, _)| status.starts_with("Skipped"));
        let known = [
            ("files", coverage.files),
            ("unique", coverage.files - coverage.duplicates),
            ("duplicates", coverage.duplicates),
            ("skipped", skipped.map(|(_, files)| files).sum()),
            ("needs_review", self.review.total),
        ];
        let of_disk = ON_DISK.iter().map(|name| (*name, 0));
        for (name, number) in known.into_iter().chain(of_disk) {
            if let Some(count) = counts.get_mut(name) {
                *count = number.into();
            }
        }
    }

    fn into_map(mut self) -> Map<String, Value> {
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        self.coverage.share = share(self.coverage.with_text, self.coverage.documents);
        for format in self.coverage.by_format.values_mut() {
            format.share = share(format.with_text, format.files);
        }
        let mut map = Map::new();
        map.insert("coverage".to_owned(), serde_json::to_value(self.coverage).unwrap_or_default());
        map.insert("failures_total".to_owned(), self.failures.total.into());
        map.insert("failures".to_owned(), Value::Array(self.failures.items));
        map.insert("review_total".to_owned(), self.review.total.into());
        map.insert("review".to_owned(), Value::Array(self.review.items));
        map
    }
}

/// What the reports of one run are made from.
#[derive(Debug)]
pub struct RunReporter<'r> {
    facts: RunFacts<'r>,
    run: RunRow,
    covered: Vec<CoverageRow>,
}

impl<'r> RunReporter<'r> {
    /// Reads the state of the corpus after the run.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn new(store: &Store, facts: RunFacts<'r>) -> Result<RunReporter<'r>, StoreError> {
        let run = store.runs().get(facts.run_id)?;
        let covered = store.reports().coverage(facts.root.as_ref().map(|(id, _)| *id))?;
        Ok(RunReporter { facts, run, covered })
    }

    /// The report on a part of the corpus.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn report(&self, store: &Store, part: ReportScope) -> Result<Value, StoreError> {
        let (mut documents, mut attachments) = (ReportSection::default(), ReportSection::default());
        for row in &self.covered {
            section(row.file_type, row.mime.as_deref(), &mut documents, &mut attachments).cover(row);
        }
        let root = self.facts.root.as_ref().map(|(id, path)| (*id, path.as_str()));
        store.reports().failures(root, &mut |failed: FailedFile| {
            let section = section(failed.file_type, failed.mime.as_deref(), &mut documents, &mut attachments);
            section.failures.add(&failed);
        })?;
        store.reports().reviews(root.map(|(id, _)| id), &mut |reviewed: ReviewRow| {
            let section =
                section(reviewed.file_type, reviewed.mime.as_deref(), &mut documents, &mut attachments);
            section.review.add(&reviewed);
            true
        })?;
        let mut report = self.head(part);
        match part {
            ReportScope::All => {
                report.extend(documents.into_map());
                report.insert("attachments".to_owned(), Value::Object(attachments.into_map()));
            }
            ReportScope::Documents => {
                less(&mut report, &self.facts.attachments);
                report.insert("needs_review".to_owned(), documents.review.total.into());
                report.extend(documents.into_map());
            }
            ReportScope::Attachments => {
                attachments.count(&mut report);
                report.extend(self.facts.attachments.as_object().cloned().unwrap_or_default());
                report.extend(attachments.into_map());
            }
        }
        Ok(Value::Object(report))
    }

    /// The beginning of every report of the run: its counts, and where its time went.
    fn head(&self, part: ReportScope) -> Map<String, Value> {
        let mut map = self.facts.counts.as_object().cloned().unwrap_or_default();
        let name = match part {
            ReportScope::All => "all",
            ReportScope::Documents => "documents",
            ReportScope::Attachments => "attachments",
        };
        map.insert("report".to_owned(), SCHEMA_VERSION.into());
        map.insert("part".to_owned(), name.into());
        map.insert("command".to_owned(), self.facts.command.into());
        map.insert("run".to_owned(), json!(self.run));
        map.insert("slowest".to_owned(), json!(self.facts.slowest.files(part)));
        map
    }
}

/// Subtracts counts from those that include them.
fn less(counts: &mut Map<String, Value>, part: &Value) {
    for (name, taken) in part.as_object().into_iter().flatten() {
        match (counts.get_mut(name), taken) {
            (Some(Value::Object(inner)), Value::Object(_)) => {
                less(inner, taken);
                inner.retain(|_, count| *count != 0);
            }
            (Some(count), Value::Number(taken)) => {
                let (whole, taken) = (count.as_u64().unwrap_or(0), taken.as_u64().unwrap_or(0));
                *count = whole.saturating_sub(taken).into();
            }
            _ => {}
        }
    }
}

fn section<'s>(
    file_type: FileType,
    mime: Option<&str>,
    documents: &'s mut ReportSection,
    attachments: &'s mut ReportSection,
) -> &'s mut ReportSection {
    match document_kind(file_type, mime) {
        DocumentKind::Attachment => attachments,
        DocumentKind::Document | DocumentKind::Mail => documents,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(format: Option<&str>, has_text: bool, files: u64) -> CoverageRow {
        CoverageRow {
            file_type: FileType::File,
            mime: None,
            format: format.map(str::to_owned),
            status: ProcessingStatus::Processed,
            has_text,
            is_duplicate: false,
            files,
            bytes: 10,
            tokens: 1,
        }
    }

    #[test]
    fn counts_of_a_part_are_subtracted_and_those_of_a_kind_that_become_zero_go() {
        let counts = json!({
            "new": 5, "chunks": 1, "command": "ingest", "errors_by_kind": { "Io": 3, "Damaged": 1, "Timeout": 2 },
        });
        let mut counts = counts.as_object().cloned().unwrap();
        less(
            &mut counts,
            &json!({ "new": 2, "chunks": 4, "other": 1, "errors_by_kind": { "Io": 1, "Damaged": 1 } }),
        );
        let expected = json!({ "new": 3, "chunks": 0, "command": "ingest", "errors_by_kind": { "Io": 2, "Timeout": 2 } });
        assert_eq!(Value::Object(counts), expected);
    }

    #[test]
    fn coverage_is_the_share_of_documents_with_text() {
        let mut section = ReportSection::default();
        for row in [row(Some("pdf"), true, 3), row(Some("pdf"), false, 1), row(None, false, 6)] {
            section.cover(&row);
        }
        let map = Value::Object(section.into_map());
        assert_eq!((&map["coverage"]["files"], &map["coverage"]["share"]), (&json!(10), &json!(0.75)));
        assert_eq!(map["coverage"]["by_format"]["pdf"]["with_text"], 3);
        assert_eq!(ReportSection::default().into_map()["coverage"]["share"], 1.0);
    }
}
