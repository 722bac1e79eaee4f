//! Does all deferred work before a commit.

use super::content::deferred::DeferredWrites;
use super::groups::{DuplicateGroups, Recipes};
use super::threads;
use rusqlite::Connection;

impl DeferredWrites {
    /// Updates duplicates, detached chunks, threads and digests; runs before every commit.
    ///
    /// Cost: one pass over each noted group, one look-up per detached chunk and changed file.
    pub fn flush(&mut self, connection: &Connection, recipes: &dyn Recipes) -> rusqlite::Result<()> {
        while let Some(hash) = self.groups.pop_first() {
            DuplicateGroups::new(connection, recipes, self).settle_followers(&hash)?;
        }
        self.chunks.sweep(connection)?;
        threads::settle(connection)?;
        self.settle_digests(connection)
    }
}
