//! A run in numbers: for people, for `--json`, for `runs`.

use super::counts::DocumentCounts;
use super::rereads::Rereads;
use super::timings::SlowestFiles;
use pensieve_store::scan::ToolFolderCounts;
use pensieve_store::store::FileTotals;
use pensieve_text::model::{DocumentKind, ProcessingStatus};
use serde::Serialize;
use std::collections::BTreeMap;

/// One line of a dry run's plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanLine {
    /// `new`, `changed`, `renamed`, `deleted`, `duplicate`; of unchanged files `read` (again, since a setting has changed, it is
    /// forced, or it failed before), `clean` and `chunk` (again, from stored text), `recall` (an older clean text).
    pub what: &'static str,
    /// Relative path in stored form.
    pub path: String,
    /// Of new and changed files, the status that a run will give them as far as a scan can know: `Pending` for one that a
    /// reader must look at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<ProcessingStatus>,
}

/// What a run found and did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct IngestSummary {
    /// Files on disk that the database did not know.
    pub new: u64,
    /// Files whose bytes have changed.
    pub changed: u64,
    /// Unchanged files.
    pub unchanged: u64,
    /// Files found under a new path.
    pub renamed: u64,
    /// Files that no longer exist.
    pub deleted: u64,
    /// Files below folders that could not be read; what was read of them before is kept.
    pub unreachable: u64,
    /// Files that were tried again with the same bytes.
    pub retried: u64,
    /// Names of the list that were not read: missing, left out, or outside of the root.
    #[serde(skip_serializing_if = "is_zero")]
    pub list_faults: u64,
    /// Files of this root that are not deleted.
    pub files: u64,
    /// Different contents among them.
    pub unique: u64,
    /// Files with the same bytes as another file.
    pub duplicates: u64,
    /// Files that are not documents, or wait for a converter.
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
    /// Time of the stages of reading, summed over all threads.
    pub stages: BTreeMap<&'static str, f64>,
    /// Archives of the root that are not read because the settings do not request it.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_archives: u64,
    /// Files that were left where they are because they hold secrets.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_secrets: u64,
    /// Folders of tools that were left out, by the pattern.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tool_folders: ToolFolderCounts,
    /// In the first run over a folder, files that were read with a dot before their name or that of a folder.
    #[serde(skip_serializing_if = "is_zero")]
    pub hidden: u64,
    /// Files of the root whose text needs a review.
    pub needs_review: u64,
    /// The run's row in `runs`; `None` for a dry run.
    pub run_id: Option<i64>,
    /// The part of `done` that concerns attachments.
    #[serde(skip)]
    pub attachments: DocumentCounts,
    /// Files that were read again.
    #[serde(skip)]
    pub rereads: Rereads,
    /// The files that took longest.
    #[serde(skip)]
    pub slowest: SlowestFiles,
    /// True if the user stopped the run; the next one continues it.
    pub interrupted: bool,
    /// True if nothing was written.
    pub dry_run: bool,
    /// True for a dry run if a run would stop, because most files are gone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mass_deletion: bool,
    /// The plan of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Vec<PlanLine>>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl IngestSummary {
    /// Takes over the counts of the files of the root.
    pub(super) fn count_files(&mut self, totals: &FileTotals) {
        self.files = totals.files;
        self.unique = totals.unique;
        self.duplicates = totals.duplicates;
        self.skipped = totals.skipped;
    }

    /// Counts a result of a document, and once more if it is an attachment.
    pub(super) fn count(&mut self, kind: DocumentKind, count: impl Fn(&mut DocumentCounts)) {
        count(&mut self.done);
        if kind == DocumentKind::Attachment {
            count(&mut self.attachments);
        }
    }

    /// Share of the text's tokens that were already stored, 0 to 1; overlap between chunks reduces it.
    pub fn share_saved(&self) -> f64 {
        match self.done.tokens_in {
            0 => 0.0,
            tokens => (1.0 - self.done.tokens_kept as f64 / tokens as f64).max(0.0),
        }
    }

    /// Share of the chunks that were already stored, 0 to 1.
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
