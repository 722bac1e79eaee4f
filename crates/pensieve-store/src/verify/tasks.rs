//! The proof in tasks that can be done side by side, in the order in which their results are told.

use crate::store::{FileState, Store, StoreError};
use pensieve_text::model::Observer;
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// One part of the proof.
pub(super) enum ProofTask {
    /// A law that SQL alone can check, by its number.
    Law(usize),
    /// Chunks, by their ids.
    Chunks(RangeInclusive<i64>),
    /// A file with its text.
    File(Box<FileState>),
    /// The digests of files, by their ids.
    Digests(RangeInclusive<i64>),
}

/// Ids of chunks, or of files with digests, in one task: some milliseconds of work.
const IDS: i64 = 1024;

/// The kinds of tasks, one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ProofStage {
    Laws,
    Chunks,
    Files,
    Digests,
    End,
}

/// The tasks that are left.
pub(super) struct ProofTasks {
    stage: ProofStage,
    laws: usize,
    last_chunk: i64,
    last_file: i64,
    /// Where the stage is: the next law, or the last id that was given out.
    at: i64,
    files: VecDeque<FileState>,
}

impl ProofTasks {
    /// All of them.
    pub fn new(store: &Store) -> Result<ProofTasks, StoreError> {
        let (last_chunk, last_file) = store.laws().last_ids()?;
        let laws = store.laws().number_of_laws()?;
        Ok(ProofTasks { stage: ProofStage::Laws, laws, last_chunk, last_file, at: 0, files: VecDeque::new() })
    }

    /// The next task, with the share of the proof that is done with it; `None` at the end, or once it is interrupted.
    pub fn next(
        &mut self,
        store: &Store,
        observer: &dyn Observer,
    ) -> Result<Option<(ProofTask, f64)>, StoreError> {
        loop {
            let is_stopped =
                observer.interrupted() && !matches!(self.stage, ProofStage::Laws | ProofStage::Chunks);
            let found = match self.stage {
                ProofStage::End => return Ok(None),
                _ if is_stopped => return Ok(None),
                ProofStage::Laws => self.next_law(),
                ProofStage::Chunks => self.next_ids(self.last_chunk).map(ProofTask::Chunks),
                ProofStage::Files => self.next_file(store)?,
                ProofStage::Digests => self.next_ids(self.last_file).map(ProofTask::Digests),
            };
            if let Some(task) = found {
                return Ok(Some((task, self.share())));
            }
            (self.stage, self.at) = (self.stage.after(), 0);
        }
    }

    fn next_law(&mut self) -> Option<ProofTask> {
        let number = self.at as usize;
        self.at += 1;
        (number < self.laws).then_some(ProofTask::Law(number))
    }

    fn next_ids(&mut self, last: i64) -> Option<RangeInclusive<i64>> {
        let ids = self.at + 1..=(self.at + IDS).min(last);
        self.at = *ids.end();
        (!ids.is_empty()).then_some(ids)
    }

    fn next_file(&mut self, store: &Store) -> Result<Option<ProofTask>, StoreError> {
        if self.files.is_empty() {
            self.files = store.laws().processed_files(self.at)?.into();
        }
        let Some(file) = self.files.pop_front() else { return Ok(None) };
        self.at = file.file_id;
        Ok(Some(ProofTask::File(Box::new(file))))
    }

    /// The share of the proof that is behind. What the stages take was measured on mixed corpora.
    fn share(&self) -> f64 {
        let (before, own, last) = match self.stage {
            ProofStage::Laws => (0.0, 0.15, self.laws as i64),
            ProofStage::Chunks => (0.15, 0.3, self.last_chunk),
            ProofStage::Files => (0.45, 0.4, self.last_file),
            ProofStage::Digests => (0.85, 0.15, self.last_file),
            ProofStage::End => (1.0, 0.0, 1),
        };
        before + own * (self.at as f64 / last.max(1) as f64).min(1.0)
    }
}

impl ProofStage {
    fn after(self) -> ProofStage {
        match self {
            ProofStage::Laws => ProofStage::Chunks,
            ProofStage::Chunks => ProofStage::Files,
            ProofStage::Files => ProofStage::Digests,
            ProofStage::Digests | ProofStage::End => ProofStage::End,
        }
    }
}
