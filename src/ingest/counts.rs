//! What a run has done with documents, in numbers: for all of them, and once more for attachments alone.

use pensieve_store::store::{AddedChunks, Outcome, TaskKind};
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

#[cfg(test)]
mod tests {
    use super::*;
    use pensieve_text::model::ProblemKind;

    #[test]
    fn a_file_counts_by_what_was_done_again() {
        let done = ProcessingStatus::Processed;
        let clean = TaskKind::Clean { raw: "r".to_owned() };
        let recall = TaskKind::Recall { version: "v".to_owned() };
        let one = DocumentCounts { processed: 1, bytes: 7, ..DocumentCounts::default() };
        for (kind, status, expected) in [
            (TaskKind::Read, done, one.clone()),
            (clean.clone(), done, DocumentCounts { cleaned: 1, ..one.clone() }),
            (recall, done, DocumentCounts { recalled: 1, ..one.clone() }),
            (TaskKind::Chunk, done, DocumentCounts { rechunked: 1, ..one.clone() }),
            (clean, ProcessingStatus::Error, DocumentCounts { processed: 0, ..one }),
        ] {
            let mut counts = DocumentCounts::default();
            counts.count_file(&kind, status, 7);
            assert_eq!(counts, expected, "{kind:?}");
        }
    }

    #[test]
    fn the_texts_of_a_run_add_up() {
        let mut counts = DocumentCounts::default();
        let problem = |kind| Problem::new(kind, "x");
        let problems =
            vec![problem(ProblemKind::Io), problem(ProblemKind::Io), problem(ProblemKind::Timeout)];
        let with_text = Outcome { tokens: Some(11), problems, ..Outcome::default() };
        counts.count_text(&with_text, AddedChunks { chunks: 5, new_chunks: 3, new_tokens: 7 });
        counts.count_text(&Outcome { tokens: Some(20), ..Outcome::default() }, AddedChunks::default());
        counts.count_text(&Outcome::default(), AddedChunks { chunks: 50, new_chunks: 30, new_tokens: 70 });
        let by_kind = [(ProblemKind::Io, 2), (ProblemKind::Timeout, 1)];
        let expected = DocumentCounts {
            errors: 3,
            errors_by_kind: by_kind.map(|(kind, count)| (kind.as_str().to_owned(), count)).into(),
            chunks: 55,
            unique_chunks: 33,
            tokens_in: 31,
            tokens_kept: 77,
            ..DocumentCounts::default()
        };
        assert_eq!(counts, expected);
    }
}
