//! The state of a writer while it writes a file.

use super::members::FormerUids;
use std::collections::HashMap;

/// The chunks that one file added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AddedChunks {
    /// Chunks of the file.
    pub chunks: u64,
    /// Chunks that no file had before.
    pub new_chunks: u64,
    /// Tokens of the new chunks.
    pub new_tokens: u64,
}

/// The file that is being written.
pub(super) struct TaskInProgress {
    pub row: RowInProgress,
    /// Rows of the members so far, by their paths; only members that own their content.
    pub members: HashMap<String, i64>,
    /// The former uids of the members.
    pub former: FormerUids,
    /// The member that is being written.
    pub member: Option<RowInProgress>,
    /// True if the task works on stored text and can be reverted until it ends.
    pub can_revert: bool,
}

/// A row whose content is being written.
pub(super) struct RowInProgress {
    pub file_id: i64,
    pub raw_segments: usize,
    pub clean_segments: usize,
    pub added: AddedChunks,
}

impl RowInProgress {
    pub fn new(file_id: i64) -> RowInProgress {
        RowInProgress { file_id, raw_segments: 0, clean_segments: 0, added: AddedChunks::default() }
    }
}

impl TaskInProgress {
    pub fn innermost(&mut self) -> &mut RowInProgress {
        self.member.as_mut().unwrap_or(&mut self.row)
    }
}
