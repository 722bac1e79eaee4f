//! The flag that adds databases to the one of a command.

use super::Failure;
use crate::shards::Corpus;
use clap::Args;
use std::path::{Path, PathBuf};

/// Further databases of the same corpus.
#[derive(Debug, Args)]
pub(super) struct PartitionArgs {
    /// Another database that has a part of the same corpus, as in `a.db --partition b.db`; may be given several times. All
    /// of them together answer as the database that `pensieve merge` would make of them.
    #[arg(long = "partition", value_name = "DB")]
    partitions: Vec<PathBuf>,
}

impl PartitionArgs {
    /// Opens a database, with the others if there are any.
    ///
    /// # Errors
    /// A database cannot be read, or they do not fit together.
    pub(super) fn open(&self, database: &Path) -> Result<Corpus, Failure> {
        Ok(Corpus::open(&self.paths(database))?)
    }

    /// The paths of all databases.
    pub(super) fn paths(&self, database: &Path) -> Vec<PathBuf> {
        std::iter::once(database.to_path_buf()).chain(self.partitions.iter().cloned()).collect()
    }

    /// The other databases.
    pub(super) fn given(&self) -> &[PathBuf] {
        &self.partitions
    }

    /// True if there are several databases.
    pub(super) fn are_given(&self) -> bool {
        !self.partitions.is_empty()
    }
}
