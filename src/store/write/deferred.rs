//! Work that is put off until the commit.
//!
//! Every commit is consistent, but not every moment within a transaction has to be: chunks that have lost a place, and
//! files that follow another in a group of duplicates, are noted when something happens to them and brought in order
//! once, however often it happens. Without that, ten thousand equal files that go one by one cost ten thousand looks at
//! ten thousand rows.

use super::chunks::ChunkWriter;
use pensieve_text::model::ContentHash;
use std::collections::BTreeSet;

/// What a writer puts off until the next commit.
#[derive(Debug, Default)]
pub(super) struct DeferredWrites {
    /// Writes chunks, and notes those that may have no place left.
    pub chunks: ChunkWriter,
    /// Contents whose rows after the first may be out of date.
    pub groups: BTreeSet<ContentHash>,
}

impl DeferredWrites {
    pub fn new(chunks: ChunkWriter) -> DeferredWrites {
        DeferredWrites { chunks, groups: BTreeSet::new() }
    }
}
