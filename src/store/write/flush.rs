//! Before a commit: everything that was put off is done.

use super::deferred::DeferredWrites;
use super::groups::{DuplicateGroups, Recipes};
use super::threads;
use rusqlite::Connection;

impl DeferredWrites {
    /// Brings followers, chunks and threads in order; runs before every commit.
    ///
    /// Cost: one look at each group that was noted, one look-up a detached chunk.
    pub fn flush(&mut self, connection: &Connection, recipes: &dyn Recipes) -> rusqlite::Result<()> {
        while let Some(hash) = self.groups.pop_first() {
            DuplicateGroups::new(connection, recipes, self).settle_followers(&hash)?;
        }
        self.chunks.sweep(connection)?;
        threads::settle(connection)
    }
}
