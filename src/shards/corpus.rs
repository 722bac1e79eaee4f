//! [`Corpus`]: a database by itself, or several as one.

use crate::store::{Store, StoreError};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// One database, or several that make one corpus.
#[derive(Debug)]
pub struct Corpus {
    store: Store,
    /// The folder of the catalogue of several; it goes after the connections.
    _folder: Option<Arc<TempDir>>,
}

impl Deref for Corpus {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

impl Corpus {
    /// Opens one database for reading.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn of_one(path: &Path) -> Result<Corpus, StoreError> {
        Ok(Corpus { store: Store::open_for_reading(path)?, _folder: None })
    }

    /// The corpus of a catalogue in a folder.
    pub(super) fn of_catalog(store: Store, folder: Arc<TempDir>) -> Corpus {
        Corpus { store, _folder: Some(folder) }
    }

    /// The store, to set its deadline.
    pub fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }
}
