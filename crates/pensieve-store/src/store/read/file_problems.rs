//! What is wrong with files, one row for each: problems of reading and reasons for a review in one view, by what they cost.
//!
//! Since which run a problem is known, and whether a person has accepted it, stands in `meta` by a key of document and kind,
//! because rows of `errors` are replaced whenever a file is tried again.

use super::problems::ProblemQueries;
use crate::store::database::error::StoreError;
use crate::store::database::meta;
use crate::store::rows::sql::Queries;
use pensieve_text::model::{ContentHash, ProcessingStatus, ReviewReasonKind};
use pensieve_text::names;
use rusqlite::{Connection, Row};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

names! {
    /// What a problem costs.
    ProblemSeverity {
        /// The corpus has no text of the file.
        Lost = "lost",
        /// It has a part of the text, or characters that are not right.
        Partly = "partly",
        /// Nothing is missing: something was mended, left out on purpose, or kept from an earlier reading.
        Repaired = "repaired",
    }
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemReason {
    /// The type of the problem, or the reason for a review.
    pub kind: String,
    /// The message.
    pub message: String,
    #[serde(skip)]
    severity: ProblemSeverity,
    #[serde(skip)]
    key: String,
}

/// What is wrong with one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileProblem {
    /// The worst of its reasons.
    pub severity: ProblemSeverity,
    /// Below its root; absolute for what is below none.
    pub path: String,
    /// The root.
    pub root: Option<String>,
    /// It was not there when the run before the last one over this root had ended.
    #[serde(rename = "new")]
    pub is_new: bool,
    /// A person has accepted it.
    #[serde(rename = "accepted")]
    pub is_accepted: bool,
    /// Everything that is wrong.
    pub reasons: Vec<ProblemReason>,
}

/// How many files have open problems that nobody has accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ProblemCounts {
    /// Files without any text.
    pub lost: u64,
    /// Files with a part of it.
    pub partly: u64,
    /// Files of which nothing is missing.
    pub repaired: u64,
    /// Those among them that are new.
    pub new: u64,
}

impl ProblemCounts {
    /// Counts what nobody has accepted.
    pub fn of<'p>(problems: impl IntoIterator<Item = &'p FileProblem>) -> ProblemCounts {
        let mut counts = ProblemCounts::default();
        for problem in problems.into_iter().filter(|problem| !problem.is_accepted) {
            counts.new += u64::from(problem.is_new);
            *match problem.severity {
                ProblemSeverity::Lost => &mut counts.lost,
                ProblemSeverity::Partly => &mut counts.partly,
                ProblemSeverity::Repaired => &mut counts.repaired,
            } += 1;
        }
        counts
    }

    /// All of them.
    pub fn all(&self) -> u64 {
        self.lost + self.partly + self.repaired
    }
}

/// The key in `meta` for the run in which each open problem was first seen.
const FIRST_SEEN: &str = "problem_runs";

/// The key in `meta` for problems that a person has accepted.
const ACCEPTED: &str = "accepted_problems";

/// A problem that was there before runs were noted.
const BEFORE_ALL_RUNS: i64 = 0;

/// A reason with its file.
struct FoundReason {
    root: Option<(i64, String)>,
    path: String,
    reason: ProblemReason,
}

impl ProblemQueries<'_> {
    /// What is wrong, file by file: the worst first, then by root and path.
    ///
    /// Cost: one pass over problems and over the current versions of texts.
    pub fn by_file(&self) -> Result<Vec<FileProblem>, StoreError> {
        let found = self.found()?;
        let (first_seen, accepted, last_runs) = self
            .0
            .ask(|connection| Ok((first_seen(connection)?, accepted(connection)?, last_runs(connection)?)))?;
        let mut files: BTreeMap<(Option<i64>, String), FileProblem> = BTreeMap::new();
        for FoundReason { root, path, reason } in found {
            let (root_id, root) = root.unzip();
            let last = root.as_ref().and_then(|root| last_runs.get(root)).or(last_runs.values().max());
            let since = first_seen.as_ref().map(|seen| seen.get(&reason.key).copied().unwrap_or(i64::MAX));
            let is_new = since.zip(last).is_some_and(|(since, last)| since >= *last);
            let is_accepted = accepted.contains(&reason.key);
            let file = files.entry((root_id, path.clone())).or_insert_with(|| FileProblem {
                severity: reason.severity,
                path,
                root,
                is_new: false,
                is_accepted: true,
                reasons: Vec::new(),
            });
            file.severity = file.severity.min(reason.severity);
            file.is_new |= is_new && !is_accepted;
            file.is_accepted &= is_accepted;
            if !file.reasons.iter().any(|other| other.message == reason.message) {
                file.reasons.push(reason);
            }
        }
        let mut files: Vec<FileProblem> = files.into_values().collect();
        // Stable: by root and path within one severity.
        files.sort_by_key(|file| file.severity);
        Ok(files)
    }

    /// Before a run: notes problems that were there before runs were noted, so that they do not look new.
    pub fn note_before_first_run(&self) -> Result<(), StoreError> {
        match self.0.ask(first_seen)? {
            Some(_) => Ok(()),
            None => self.note_run(BEFORE_ALL_RUNS),
        }
    }

    /// After a run: notes that problems which nobody has seen are of this run, and forgets those that are gone.
    pub fn note_run(&self, run_id: i64) -> Result<(), StoreError> {
        let open: BTreeSet<String> = self.found()?.into_iter().map(|found| found.reason.key).collect();
        self.0.ask(|connection| {
            let before = first_seen(connection)?.unwrap_or_default();
            let since = |key: &String| before.get(key).copied().unwrap_or(run_id);
            let now: BTreeMap<&String, i64> = open.iter().map(|key| (key, since(key))).collect();
            meta::set(connection, FIRST_SEEN, &serde_json::json!(now).to_string())?;
            let accepted: BTreeSet<String> = accepted(connection)?.intersection(&open).cloned().collect();
            set_accepted(connection, &accepted)
        })
    }

    /// Accepts problems, or takes that back.
    pub fn accept(&self, problems: &[FileProblem], is_accepted: bool) -> Result<(), StoreError> {
        let keys = problems.iter().flat_map(|problem| &problem.reasons).map(|reason| reason.key.clone());
        self.0.ask(|connection| {
            let mut all = accepted(connection)?;
            match is_accepted {
                true => all.extend(keys),
                false => keys.for_each(|key| {
                    all.remove(&key);
                }),
            }
            set_accepted(connection, &all)
        })
    }

    fn found(&self) -> Result<Vec<FoundReason>, StoreError> {
        self.0.ask(|connection| {
            let mut found = connection.rows(ERRORS, [], failed)?;
            for reviewed in connection.rows(REVIEWS, [], reviewed)? {
                found.extend(reviewed);
            }
            Ok(found)
        })
    }
}

/// A loose problem is below the root with the longest path that begins its own.
const ERRORS: &str = "
    SELECT r.root_id, r.path, coalesce(f.relative_path, substr(e.path, length(rtrim(r.path, '/')) + 2), e.path),
           coalesce(f.doc_uid, e.path), e.error_type, e.error_message, f.processing_status, f.settings_hash IS NULL
    FROM errors e LEFT JOIN files f USING(file_id)
    LEFT JOIN roots r ON r.root_id = coalesce(f.root_id,
        (SELECT root_id FROM roots
         WHERE substr(e.path, 1, length(rtrim(path, '/')) + 1) = rtrim(path, '/') || '/'
         ORDER BY length(path) DESC LIMIT 1))
    ORDER BY r.root_id, 3, e.error_id";

const REVIEWS: &str = "
    SELECT r.root_id, r.path, f.relative_path, f.doc_uid, v.review_reasons, v.char_length
    FROM text_versions v JOIN files f USING(file_id) JOIN roots r USING(root_id)
    WHERE v.variant = 'clean' AND v.is_current AND v.needs_review
    ORDER BY r.root_id, f.relative_path";

fn failed(row: &Row<'_>) -> rusqlite::Result<FoundReason> {
    let kind: String = row.get(4)?;
    let status = row.get::<_, Option<String>>(6)?;
    let is_processed = status.as_deref() == Some(ProcessingStatus::Processed.as_str());
    let severity = match is_processed {
        false => ProblemSeverity::Lost,
        // The text of an earlier reading of the same bytes.
        true if row.get(7)? => ProblemSeverity::Repaired,
        true => ProblemSeverity::Partly,
    };
    let key = key_of(&row.get::<_, String>(3)?, &kind);
    found(row, ProblemReason { kind, message: row.get(5)?, severity, key })
}

fn reviewed(row: &Row<'_>) -> rusqlite::Result<Vec<FoundReason>> {
    let reasons: Vec<serde_json::Value> = serde_json::from_str(row.get_ref(4)?.as_str()?).unwrap_or_default();
    let (uid, has_text): (String, bool) = (row.get(3)?, row.get::<_, i64>(5)? > 0);
    let text = |reason: &serde_json::Value, name: &str| reason[name].as_str().unwrap_or_default().to_owned();
    reasons
        .iter()
        .map(|reason| {
            let kind = text(reason, "reason");
            let (severity, key) = (severity_of(&kind, has_text), key_of(&uid, &kind));
            found(row, ProblemReason { kind, message: text(reason, "detail"), severity, key })
        })
        .collect()
}

fn found(row: &Row<'_>, reason: ProblemReason) -> rusqlite::Result<FoundReason> {
    let root_id: Option<i64> = row.get(0)?;
    let root = root_id.map(|root_id| Ok::<_, rusqlite::Error>((root_id, row.get(1)?))).transpose()?;
    Ok(FoundReason { root, path: row.get(2)?, reason })
}

/// What a reason for a review costs, with and without text.
fn severity_of(kind: &str, has_text: bool) -> ProblemSeverity {
    use ReviewReasonKind::*;
    match ReviewReasonKind::from_name(kind) {
        Some(RepairedStructure | Boilerplate | HiddenText) if has_text => ProblemSeverity::Repaired,
        _ if has_text => ProblemSeverity::Partly,
        // What is hidden on purpose is not lost.
        Some(HiddenText | Boilerplate) => ProblemSeverity::Repaired,
        _ => ProblemSeverity::Lost,
    }
}

/// The same problem has the same key in every run, also after the file was renamed.
fn key_of(document: &str, kind: &str) -> String {
    format!("{:016x}", ContentHash::of(format!("{document}\0{kind}").as_bytes()).prefix())
}

fn first_seen(connection: &Connection) -> rusqlite::Result<Option<BTreeMap<String, i64>>> {
    Ok(meta::get(connection, FIRST_SEEN)?.and_then(|text| serde_json::from_str(&text).ok()))
}

fn accepted(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let stored = meta::get(connection, ACCEPTED)?;
    Ok(stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

fn set_accepted(connection: &Connection, keys: &BTreeSet<String>) -> rusqlite::Result<()> {
    match keys.is_empty() {
        true => meta::remove(connection, ACCEPTED),
        false => meta::set(connection, ACCEPTED, &serde_json::json!(keys).to_string()),
    }
}

/// The last run that read each root.
fn last_runs(connection: &Connection) -> rusqlite::Result<BTreeMap<String, i64>> {
    let sql = "SELECT root, max(run_id) FROM runs
               WHERE json_extract(settings, '$.command') = 'ingest' GROUP BY root";
    Ok(connection.rows(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect())
}
