//! Open shards, a bounded number at a time.

use crate::store::database::error::StoreError;
use crate::store::database::open::Store;
use std::collections::VecDeque;
use std::path::PathBuf;

/// Shards that are open at a time; each has a page cache of 2 MiB.
const MAX_OPEN: usize = 48;

/// Any number of shards, of which those used last are open.
#[derive(Debug)]
pub struct ShardPool {
    paths: Vec<PathBuf>,
    /// The shard used last is at the end.
    open: VecDeque<(usize, Store)>,
}

impl ShardPool {
    /// The shards at these paths; none is opened yet.
    pub fn new(paths: Vec<PathBuf>) -> ShardPool {
        ShardPool { paths, open: VecDeque::new() }
    }

    /// The number of shards.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// The path of a shard.
    pub fn path(&self, shard: usize) -> &PathBuf {
        &self.paths[shard]
    }

    /// A shard for reading.
    ///
    /// # Errors
    /// It is no database, or cannot be read.
    pub fn get(&mut self, shard: usize) -> Result<&Store, StoreError> {
        let at = self.open.iter().position(|(number, _)| *number == shard);
        let store = match at.and_then(|at| self.open.remove(at)) {
            Some((_, store)) => store,
            None => {
                if self.open.len() >= MAX_OPEN {
                    self.open.pop_front();
                }
                let store = Store::open_for_reading(&self.paths[shard])?;
                // One transaction for all questions: each of its own would lock the file anew.
                store.ask(|connection| connection.execute_batch("BEGIN"))?;
                store
            }
        };
        self.open.push_back((shard, store));
        let (_, store) = self.open.back().expect("a shard was just added");
        Ok(store)
    }
}
