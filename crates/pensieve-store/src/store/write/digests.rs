//! Writes the digests of all files that the open transaction changed.

use super::content::deferred::DeferredWrites;
use crate::store::places::repetition;
use crate::store::rows::digests::{self, KnownContent};
use rusqlite::Connection;

/// Changed rows beyond which their digests are written before the commit, while their pages are still in memory.
const MAX_CHANGED_ROWS: usize = 4096;

impl DeferredWrites {
    /// Writes the digests of all changed files; runs before every commit.
    ///
    /// Cost: one look-up per changed row; of files whose content changed, also their texts and details.
    pub fn settle_digests(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        self.settle_rows(connection)?;
        let changed = self.chunks.changed.take();
        if !changed.is_empty() {
            repetition::mark_changed(connection)?;
        }
        for (file_id, content) in changed {
            digests::update(connection, file_id, content)?;
        }
        self.changed_files.take();
        Ok(())
    }

    /// The same for the rows alone, if there are many. No savepoint may be open: a return to it would revert digests of
    /// rows that changed before it.
    pub fn settle_many_rows(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        match self.changed_files.len() > MAX_CHANGED_ROWS {
            true => self.settle_rows(connection),
            false => Ok(()),
        }
    }

    /// Writes the digests of changed rows whose content did not change.
    fn settle_rows(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let rows = self.changed_files.take();
        if !rows.is_empty() {
            repetition::mark_changed(connection)?;
        }
        for file_id in rows {
            if !self.chunks.changed.contains(file_id) {
                digests::update(connection, file_id, KnownContent::Unchanged)?;
            }
        }
        // Writing the digests changed the rows once more.
        self.changed_files.take();
        Ok(())
    }
}
