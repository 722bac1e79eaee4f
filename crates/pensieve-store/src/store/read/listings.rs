//! The whole corpus in a fixed order.

use super::change_cursor::ChangesSince;
use super::changes::{ChangeRow, ChangesWanted, changes};
use super::export::{ExportRow, export};
use super::fingerprint;
use crate::store::database::error::StoreError;
use crate::store::database::journal;
use crate::store::database::open::Store;
use crate::store::rows::fingerprint::Fingerprint;
use crate::store::vectors::VectorModel;

/// Passes over the whole corpus.
pub struct CorpusListings<'s>(pub(crate) &'s Store);

impl CorpusListings<'_> {
    /// Passes every chunk once to `each`, in the order of its first place: root, path, position; `each` returns false
    /// to stop. Chunks have their vectors by a model, if one is given.
    ///
    /// Cost: one sorted pass over the places; a few hundred chunks in memory at a time.
    pub fn export(
        &self,
        vectors: Option<&VectorModel>,
        each: &mut dyn FnMut(ExportRow) -> bool,
    ) -> Result<(), StoreError> {
        self.0.ask(|connection| export(connection, vectors, each))
    }

    /// Passes what an outside index must do to `each`, at most as many rows as are wanted and a last one; `each` returns
    /// false to stop.
    ///
    /// Call it within [`Store::at_one_moment`].
    ///
    /// Cost: proportional to the rows; a few hundred in memory at a time.
    ///
    /// # Errors
    /// There was no such run yet, or the database cannot be read.
    pub fn changes(
        &self,
        wanted: &ChangesWanted,
        each: &mut dyn FnMut(ChangeRow) -> bool,
    ) -> Result<(), StoreError> {
        if let ChangesSince::Run(run) = &wanted.since {
            let last = self.0.ask(journal::last_run)?;
            if *run > last {
                return Err(StoreError::NoRun { path: self.0.path().to_path_buf(), run: *run, last });
            }
        }
        self.0.ask(|connection| changes(connection, wanted, each))
    }

    /// The logical content of the corpus as one hash: same tree, same settings, same fingerprint.
    ///
    /// Cost: one pass over the rows of files, whose digests are stored; at most 32 MiB of memory.
    pub fn fingerprint(&self) -> Result<Fingerprint, StoreError> {
        fingerprint::fingerprint(self.0)
    }
}
