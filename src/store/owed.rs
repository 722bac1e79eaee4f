//! What the open transaction still owes before its commit.
//!
//! Every commit is true, but not every moment within a transaction has to be: chunks that have lost a place, and files
//! that follow another in a group of duplicates, are noted when something happens to them and brought in order once,
//! however often it happens. Without that, ten thousand equal files that go one by one cost ten thousand looks at ten
//! thousand rows.

use super::chunks::Chunks;
use super::dedup::ChunkTable;
use super::groups::{self, Recipes};
use super::mails;
use pensieve_text::model::ContentHash;
use rusqlite::Connection;
use std::collections::BTreeSet;

/// What one who writes carries to the next commit.
#[derive(Debug, Default)]
pub(super) struct Owed {
    /// Chunks that may have no place any more.
    pub chunks: Chunks,
    /// Contents of which rows beside the first may tell what was true before.
    groups: BTreeSet<ContentHash>,
}

impl Owed {
    /// With the table of a load, where one is open.
    pub fn new(table: Option<ChunkTable>) -> Owed {
        Owed { chunks: Chunks::new(table), groups: BTreeSet::new() }
    }

    /// The followers of a group have to be looked at.
    pub fn note_group(&mut self, hash: &ContentHash) {
        self.groups.insert(*hash);
    }

    /// Brings everything in order; to be called before every commit.
    ///
    /// Cost: one look at each group that was noted, one look-up a loose chunk.
    pub fn pay(&mut self, connection: &Connection, recipes: &dyn Recipes) -> rusqlite::Result<()> {
        while let Some(hash) = self.groups.pop_first() {
            groups::settle_followers(connection, &hash, recipes, self)?;
        }
        self.chunks.sweep(connection)?;
        mails::settle(connection)
    }
}
