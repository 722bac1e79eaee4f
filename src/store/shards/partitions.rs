//! Several databases as one corpus: partitions, and a catalogue that says which of their files count, under which names.
//!
//! The catalogue has the rows of `files` and `roots` that a merge would write, and where the content of each file is. It is
//! attached to the connection of every partition, where temporary views hide the tables of the partition: `files` and
//! `roots` are those of the corpus, and `chunk_sources` has the places that count, by the ids of the corpus. So a query
//! about chunks and places is the same for a partition as for a whole database.

use crate::store::search::search_parts;
use crate::store::sql::Queries;
use crate::store::{Fingerprint, SearchOptions, SearchResults, Store, StoreError};
use rusqlite::Connection;
use std::path::PathBuf;

/// Partitions of one corpus.
#[derive(Debug)]
pub struct PartitionSet {
    catalog: Store,
    pub(super) parts: Vec<Store>,
}

impl PartitionSet {
    /// Opens the partitions of a complete catalogue, in the order of their numbers.
    ///
    /// # Errors
    /// A partition cannot be read.
    pub fn open(catalog: Store, paths: &[PathBuf]) -> Result<PartitionSet, StoreError> {
        let name = catalog.path.to_string_lossy().into_owned();
        let open = |(number, path): (usize, &PathBuf)| {
            let part = Store::open_for_reading(path)?;
            part.ask(|connection| {
                connection.run("ATTACH ?1 AS corpus", [&name])?;
                connection.execute_batch(&views(number))
            })?;
            Ok(part)
        };
        let parts = paths.iter().enumerate().map(open).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(PartitionSet { catalog, parts })
    }

    /// The databases, in order.
    pub fn parts(&self) -> &[Store] {
        &self.parts
    }

    /// Runs several queries on one snapshot of each partition.
    pub fn at_one_moment<T, E: From<StoreError>>(&self, read: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let snapshots = self.parts.iter().map(|part| part.ask(Connection::unchecked_transaction));
        let snapshots = snapshots.collect::<Result<Vec<_>, StoreError>>()?;
        let result = read();
        // Nothing was written: dropping the transactions rolls them back.
        drop(snapshots);
        result
    }

    /// Ranked hits by words, best first; ranks and order are those of the merged database.
    ///
    /// # Errors
    /// The query is invalid, or the partitions have no search tables.
    ///
    /// Cost: that of a search in each partition, and for the first one a pass over the hashes of all chunks.
    pub fn search(&self, options: &SearchOptions) -> Result<SearchResults, StoreError> {
        search_parts(&self.parts, options)
    }

    /// The fingerprint of the corpus.
    ///
    /// # Errors
    /// The catalogue cannot be read.
    pub fn fingerprint(&self) -> Result<Fingerprint, StoreError> {
        self.catalog.listings().fingerprint()
    }
}

fn views(part: usize) -> String {
    format!(
        "CREATE TEMP VIEW files AS SELECT * FROM corpus.files;
         CREATE TEMP VIEW roots AS SELECT * FROM corpus.roots;
         CREATE TEMP VIEW chunk_sources AS
           SELECT s.chunk_id, c.file_id, s.start_index, s.end_index, s.chunking_strategy, s.source_start, s.source_end,
                  s.source_exact, s.locator, s.heading_path, s.context
           FROM main.chunk_sources s JOIN corpus.contents c ON c.part = {part} AND c.source_id = s.file_id"
    )
}
