//! A run in numbers: for people, for `--json`, for `runs`.

use super::spent::Slowest;
use crate::model::{Problem, ProcessingStatus};
use crate::store::TaskKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// One line of a dry run's plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanLine {
    /// `new`, `changed`, `renamed`, `deleted`, `duplicate`.
    pub what: &'static str,
    /// Relative path in stored form.
    pub path: String,
}

/// What a run found and did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Files on disk that the database did not know.
    pub new: u64,
    /// Files whose bytes are others than before.
    pub changed: u64,
    /// Files that are as they were.
    pub unchanged: u64,
    /// Files that were found under a new name.
    pub renamed: u64,
    /// Files that are no longer there.
    pub deleted: u64,
    /// Files that were tried again with the same bytes.
    pub retried: u64,
    /// Living files of this root.
    pub files: u64,
    /// Different contents among them.
    pub unique: u64,
    /// Files whose bytes another file has.
    pub duplicates: u64,
    /// Files that are no documents, or wait for a converter.
    pub skipped: u64,
    /// Open problems.
    pub errors: u64,
    /// Open problems by kind.
    pub errors_by_kind: BTreeMap<String, u64>,
    /// Files that were read, cleaned or chunked in this run.
    pub processed: u64,
    /// Those of them that were cleaned from stored raw text.
    pub cleaned: u64,
    /// Those whose stored clean text was made current again.
    pub recalled: u64,
    /// Those whose stored clean text was only cut again.
    pub rechunked: u64,
    /// Documents inside files that were read: attachments, mails.
    pub members: u64,
    /// Bytes of the files that were read.
    pub bytes: u64,
    /// Bytes that were read to hash them.
    pub bytes_hashed: u64,
    /// Chunks of the files of this run.
    pub chunks: u64,
    /// Those that no file had before.
    pub unique_chunks: u64,
    /// Tokens of the texts of this run.
    pub tokens_in: u64,
    /// Tokens of the chunks that no file had before.
    pub tokens_kept: u64,
    /// Wall time.
    pub seconds: f64,
    /// Wall time of each phase.
    pub phases: BTreeMap<&'static str, f64>,
    /// Time of the stages of reading, added up over all threads.
    pub stages: BTreeMap<&'static str, f64>,
    /// Files of the root whose text somebody should look at.
    pub needs_review: u64,
    /// The run's row in `runs`; none of a dry run.
    pub run_id: Option<i64>,
    /// The files that took longest.
    #[serde(skip)]
    pub slowest: Slowest,
    /// The user stopped the run; the next one goes on.
    pub interrupted: bool,
    /// Nothing was written.
    pub dry_run: bool,
    /// What a real run would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<PlanLine>>,
}

impl Summary {
    /// Counts one problem.
    pub fn count_problem(&mut self, problem: &Problem) {
        self.errors += 1;
        *self.errors_by_kind.entry(problem.kind.as_str().to_owned()).or_default() += 1;
    }

    /// Counts one file that the run dealt with.
    pub fn count_file(&mut self, status: ProcessingStatus, bytes: u64) {
        if status == ProcessingStatus::Processed {
            self.processed += 1;
        }
        self.bytes += bytes;
    }

    /// Counts one file that was made anew from stored text, by how much of it.
    pub fn count_kind(&mut self, kind: &TaskKind) {
        match kind {
            TaskKind::Clean { .. } => self.cleaned += 1,
            TaskKind::Recall { .. } => self.recalled += 1,
            TaskKind::Chunk => self.rechunked += 1,
            TaskKind::Read | TaskKind::Replace { .. } => {}
        }
    }

    /// Share of the text's tokens that were stored already, 0 to 1; overlap between chunks counts against it.
    pub fn share_saved(&self) -> f64 {
        match self.tokens_in {
            0 => 0.0,
            tokens => (1.0 - self.tokens_kept as f64 / tokens as f64).max(0.0),
        }
    }

    /// Share of the chunks that were there already, 0 to 1.
    pub fn dedup_rate(&self) -> f64 {
        match self.chunks {
            0 => 0.0,
            chunks => 1.0 - self.unique_chunks as f64 / chunks as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_an_empty_run_are_zero() {
        let summary = Summary::default();
        assert_eq!((summary.share_saved(), summary.dedup_rate()), (0.0, 0.0));
    }
}
