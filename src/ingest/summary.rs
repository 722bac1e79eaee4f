//! A run in numbers: for people, for `--json`, for `runs`.

use super::counts::DocumentCounts;
use super::timings::SlowestFiles;
use pensieve_text::model::DocumentKind;
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
pub struct IngestSummary {
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
    /// What was done.
    #[serde(flatten)]
    pub done: DocumentCounts,
    /// Bytes that were read to hash them.
    pub bytes_hashed: u64,
    /// Wall time.
    pub seconds: f64,
    /// Wall time of each phase.
    pub phases: BTreeMap<&'static str, f64>,
    /// Time of the stages of reading, added up over all threads.
    pub stages: BTreeMap<&'static str, f64>,
    /// Files of the root whose text needs a review.
    pub needs_review: u64,
    /// The run's row in `runs`; none of a dry run.
    pub run_id: Option<i64>,
    /// What of it was done with attachments.
    #[serde(skip)]
    pub attachments: DocumentCounts,
    /// The files that took longest.
    #[serde(skip)]
    pub slowest: SlowestFiles,
    /// The user stopped the run; the next one goes on.
    pub interrupted: bool,
    /// Nothing was written.
    pub dry_run: bool,
    /// What a real run would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<PlanLine>>,
}

impl IngestSummary {
    /// Counts something that a document came to, which may be an attachment.
    pub(super) fn count(&mut self, kind: DocumentKind, count: impl Fn(&mut DocumentCounts)) {
        count(&mut self.done);
        if kind == DocumentKind::Attachment {
            count(&mut self.attachments);
        }
    }

    /// Share of the text's tokens that were stored already, 0 to 1; overlap between chunks counts against it.
    pub fn share_saved(&self) -> f64 {
        match self.done.tokens_in {
            0 => 0.0,
            tokens => (1.0 - self.done.tokens_kept as f64 / tokens as f64).max(0.0),
        }
    }

    /// Share of the chunks that were there already, 0 to 1.
    pub fn dedup_rate(&self) -> f64 {
        match self.done.chunks {
            0 => 0.0,
            chunks => 1.0 - self.done.unique_chunks as f64 / chunks as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_an_empty_run_are_zero() {
        let summary = IngestSummary::default();
        assert_eq!((summary.share_saved(), summary.dedup_rate()), (0.0, 0.0));
    }
}
