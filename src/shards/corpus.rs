//! [`Corpus`]: what is asked about a whole corpus, whether one database has it or several.

use super::error::MergeError;
use super::partitions::{Partitions, join_partitions};
use crate::store::{ExportRow, Fingerprint, Store, StoreError, VectorModel};
use pensieve_text::model::{Observer, ProgressEvent};
use std::path::PathBuf;
use std::slice;

/// One database, or several that make one corpus.
#[derive(Debug)]
pub enum Corpus {
    /// A database by itself.
    Whole(Box<Store>),
    /// Partitions.
    Parts(Box<Partitions>),
}

/// Nobody watches how partitions are joined.
struct Unobserved;

impl Observer for Unobserved {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}
}

impl Corpus {
    /// Opens a database for reading, or several as partitions.
    ///
    /// # Errors
    /// A database cannot be read, or they do not fit together.
    ///
    /// Cost: for partitions a temporary row for each of their files.
    pub fn open(paths: &[PathBuf]) -> Result<Corpus, MergeError> {
        match paths {
            [path] => Ok(Corpus::Whole(Box::new(Store::open_for_reading(path)?))),
            _ => Ok(Corpus::Parts(Box::new(join_partitions(paths, &Unobserved)?))),
        }
    }

    /// The databases, in order.
    pub fn databases(&self) -> &[Store] {
        match self {
            Corpus::Whole(store) => slice::from_ref(store),
            Corpus::Parts(parts) => parts.parts(),
        }
    }

    /// The logical content as one hash: that of one database with all files.
    ///
    /// # Errors
    /// A database cannot be read.
    pub fn fingerprint(&self) -> Result<Fingerprint, StoreError> {
        match self {
            Corpus::Whole(store) => store.listings().fingerprint(),
            Corpus::Parts(parts) => parts.fingerprint(),
        }
    }

    /// Passes every chunk once to `each`, with all its places, in the order of its first place: root, path, position;
    /// `each` returns false to stop. Chunks have their vectors by a model, if one is given.
    ///
    /// # Errors
    /// A database cannot be read.
    ///
    /// Cost: one sorted pass over the places; a few hundred chunks in memory at a time. With several databases, one look-up
    /// more for each chunk and each of the others.
    pub fn export(
        &self,
        vectors: Option<&VectorModel>,
        each: &mut dyn FnMut(ExportRow) -> bool,
    ) -> Result<(), StoreError> {
        match self {
            Corpus::Whole(store) => store.listings().export(vectors, each),
            Corpus::Parts(parts) => parts.export(vectors, each),
        }
    }

    /// Runs several queries on one snapshot of each database, whatever is written meanwhile.
    pub fn at_one_moment<T, E: From<StoreError>>(
        &self,
        read: impl FnOnce(&Corpus) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Corpus::Whole(store) => store.at_one_moment(|_| read(self)),
            Corpus::Parts(parts) => parts.at_one_moment(|| read(self)),
        }
    }
}
