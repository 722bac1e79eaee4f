//! Work that is deferred until the commit.
//!
//! Every commit must be consistent, but not every moment within a transaction: chunks that lost a place, and files that
//! follow another in a group of duplicates, are noted at each change and updated once, however many changes there were.
//! Otherwise, deleting ten thousand equal files one by one would read ten thousand rows ten thousand times.

use super::chunks::ChunkWriter;
use crate::store::database::changed_files::ChangedFiles;
use pensieve_text::model::ContentHash;
use std::collections::BTreeSet;

/// The work that a writer defers until the next commit.
#[derive(Default)]
pub(crate) struct DeferredWrites {
    /// Writes chunks, and notes those that may have no places left.
    pub chunks: ChunkWriter,
    /// Hashes of the groups whose rows after the first may be out of date.
    pub groups: BTreeSet<ContentHash>,
    /// Rows of `files` whose digests may be out of date.
    pub changed_files: ChangedFiles,
}

impl DeferredWrites {
    pub fn new(chunks: ChunkWriter, changed_files: ChangedFiles) -> DeferredWrites {
        DeferredWrites { chunks, groups: BTreeSet::new(), changed_files }
    }
}
