//! The state of a writer while it writes a file.

use super::content::chunk_lines::ChunkLines;
use super::members::FormerUids;
use pensieve_text::model::{ContentHash, ContentHasher};
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
    /// True if nothing of its content was stored before: there is nothing to replace.
    pub is_blank: bool,
    /// True if it is known that no other file has its bytes.
    pub is_unique: bool,
    pub raw: SegmentsInProgress,
    pub clean: SegmentsInProgress,
    pub added: AddedChunks,
    /// Its copied chunks so far, for its digest.
    pub chunk_lines: ChunkLines,
}

/// The segments of one text so far.
#[derive(Clone, Default)]
pub(super) struct SegmentsInProgress {
    pub count: usize,
    /// Over their stored maps.
    pub maps: ContentHasher,
}

impl RowInProgress {
    pub fn new(file_id: i64) -> RowInProgress {
        RowInProgress {
            file_id,
            is_blank: false,
            is_unique: false,
            raw: SegmentsInProgress::default(),
            clean: SegmentsInProgress::default(),
            added: AddedChunks::default(),
            chunk_lines: ChunkLines::default(),
        }
    }

    /// SHA-256 over the maps that were stored with a variant.
    pub fn maps_hash(&self, variant: &str) -> ContentHash {
        let segments = if variant == "raw" { &self.raw } else { &self.clean };
        segments.maps.clone().finish()
    }
}

impl TaskInProgress {
    /// The rows that are being written.
    pub fn file_ids(&self) -> impl Iterator<Item = i64> + '_ {
        [Some(&self.row), self.member.as_ref()].into_iter().flatten().map(|row| row.file_id)
    }

    pub fn innermost(&mut self) -> &mut RowInProgress {
        self.member.as_mut().unwrap_or(&mut self.row)
    }
}
