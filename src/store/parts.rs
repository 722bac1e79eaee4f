//! Several databases as one [`Store`]: its own connection is that of a catalogue, and its partitions have the texts and chunks.
//!
//! Questions about files are answered by the catalogue, which has no texts and chunks at all. Questions about a text go to the
//! partition that has it, where temporary views give its rows the ids of the corpus ([`super::shards`]). Whatever is about
//! all chunks is gathered.

use super::sql::Queries;
use super::{Store, StoreError};
use std::slice;

impl Store {
    /// The databases with texts and chunks, in order: itself, or its partitions.
    pub fn databases(&self) -> &[Store] {
        if self.parts.is_empty() { slice::from_ref(self) } else { &self.parts }
    }

    /// True if it is several databases that are one corpus.
    pub fn is_divided(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The number of the database with the text of a file; the first one if none has it.
    pub(super) fn content_part(&self, file_id: i64) -> Result<usize, StoreError> {
        if self.parts.is_empty() {
            return Ok(0);
        }
        let sql = "SELECT part FROM contents WHERE file_id = ?1";
        let part = self.ask(|connection| connection.first(sql, [file_id], |row| row.get::<_, i64>(0)))?;
        Ok(part.unwrap_or(0) as usize)
    }

    /// The database with the text of a file; the first one, which knows that it has none, if none has it.
    pub(super) fn content_store(&self, file_id: i64) -> Result<&Store, StoreError> {
        Ok(&self.databases()[self.content_part(file_id)?])
    }

    /// True if every partition is still read as it was when the corpus was opened. An interrupted statement may have ended
    /// that.
    pub fn has_snapshots(&self) -> bool {
        self.parts.iter().all(|part| !part.connection.is_autocommit())
    }
}
