//! What a run has done with documents, in numbers: for all of them, and once more for attachments alone.

use crate::store::{AddedChunks, Outcome, TaskKind};
use pensieve_text::model::{Problem, ProcessingStatus};
use serde::Serialize;
use std::collections::BTreeMap;

/// Documents of a run, counted by result.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct DocumentCounts {
    /// Open problems.
    pub errors: u64,
    /// Open problems by kind.
    pub errors_by_kind: BTreeMap<String, u64>,
    /// Files that were read, cleaned or chunked in this run.
    pub processed: u64,
    /// Those that were cleaned from stored raw text.
    pub cleaned: u64,
    /// Those whose stored clean text was made current again.
    pub recalled: u64,
    /// Those whose stored clean text was only cut again.
    pub rechunked: u64,
    /// Documents inside files that were read: attachments, mails.
    pub members: u64,
    /// Bytes of the files that were read.
    pub bytes: u64,
    /// Chunks of the files of this run.
    pub chunks: u64,
    /// Chunks that were not stored before.
    pub unique_chunks: u64,
    /// Tokens of the texts of this run.
    pub tokens_in: u64,
    /// Tokens of the chunks that were not stored before.
    pub tokens_kept: u64,
}

impl DocumentCounts {
    /// Counts one problem.
    pub fn count_problem(&mut self, problem: &Problem) {
        self.errors += 1;
        *self.errors_by_kind.entry(problem.kind.as_str().to_owned()).or_default() += 1;
    }

    /// Counts the result of one document.
    pub(super) fn count_text(&mut self, outcome: &Outcome, added: AddedChunks) {
        outcome.problems.iter().for_each(|problem| self.count_problem(problem));
        self.chunks += added.chunks;
        self.unique_chunks += added.new_chunks;
        self.tokens_in += outcome.tokens.unwrap_or(0);
        self.tokens_kept += added.new_tokens;
    }

    /// Counts one file of the run, and how much of it was redone.
    pub(super) fn count_file(&mut self, kind: &TaskKind, status: ProcessingStatus, bytes: u64) {
        self.bytes += bytes;
        if status != ProcessingStatus::Processed {
            return;
        }
        self.processed += 1;
        match kind {
            TaskKind::Clean { .. } => self.cleaned += 1,
            TaskKind::Recall { .. } => self.recalled += 1,
            TaskKind::Chunk => self.rechunked += 1,
            TaskKind::Read | TaskKind::Replace { .. } => {}
        }
    }
}
