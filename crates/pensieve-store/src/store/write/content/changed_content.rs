//! Files whose content changed in the open transaction, until their digests are written.

use crate::store::rows::digest_lines::LineHasher;
use crate::store::rows::digests::{FirstDetails, KnownContent};
use std::collections::BTreeMap;

/// Files with changed content, and what is known of it.
#[derive(Default)]
pub(crate) struct ChangedContent(BTreeMap<i64, KnownContent>);

impl ChangedContent {
    /// Notes that rows of a file changed; its digests are computed from all of them.
    pub fn note(&mut self, file_id: i64) {
        self.0.insert(file_id, KnownContent::Changed);
    }

    /// Notes a file whose content was written from the first chunk to the last, as these lines; with its details, if it had
    /// none before.
    pub fn note_chunks(&mut self, file_id: i64, chunks: LineHasher, first: Option<FirstDetails>) {
        let known = match first {
            Some(first) => KnownContent::First(chunks, Box::new(first)),
            None => KnownContent::Chunks(chunks),
        };
        self.0.insert(file_id, known);
    }

    /// True if the file is noted.
    pub fn contains(&self, file_id: i64) -> bool {
        self.0.contains_key(&file_id)
    }

    /// The noted files; none is noted afterwards.
    pub fn take(&mut self) -> BTreeMap<i64, KnownContent> {
        std::mem::take(&mut self.0)
    }
}
