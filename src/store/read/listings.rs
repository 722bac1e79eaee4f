//! The whole corpus in a fixed order.

use super::export::{ExportRow, export};
use super::fingerprint::fingerprint;
use crate::store::{Store, StoreError};
use pensieve_text::model::ContentHash;

/// Passes over the whole corpus.
pub struct CorpusListings<'s>(pub(in crate::store) &'s Store);

impl CorpusListings<'_> {
    /// Passes every chunk once to `each`, in the order of its first place: root, path, position; `each` returns false
    /// to stop.
    ///
    /// Cost: one sorted pass over the places; a few hundred chunks in memory at a time.
    pub fn export(&self, each: &mut dyn FnMut(ExportRow) -> bool) -> Result<(), StoreError> {
        self.0.ask(|connection| export(connection, each))
    }

    /// The logical content of the corpus as one hash: same tree, same settings, same fingerprint.
    ///
    /// Cost: one sorted pass over files, sources and versions.
    pub fn fingerprint(&self) -> Result<ContentHash, StoreError> {
        self.0.ask(fingerprint)
    }
}
