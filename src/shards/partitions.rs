//! Partitions: databases that stay apart and make one corpus, as a merge of them would.

use super::check::check;
use super::error::MergeError;
use super::merge::Merging;
use crate::store::{PartitionSet, ShardPool, Store};
use pensieve_text::model::Observer;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Several databases as one corpus.
#[derive(Debug)]
pub struct Partitions {
    set: PartitionSet,
    /// The folder of the catalogue; it goes after the connections.
    _folder: TempDir,
}

impl Deref for Partitions {
    type Target = PartitionSet;

    fn deref(&self) -> &PartitionSet {
        &self.set
    }
}

/// Joins databases: decides, as [`merge`](super::merge::merge) does, which of their files count and under which names,
/// and writes that into a temporary catalogue. Their order is the order of the roots.
///
/// # Errors
/// The databases do not fit together, or one cannot be read; the temporary folder cannot be written.
///
/// Cost: a row on disk for each file, none for texts and chunks; memory does not depend on the number of files.
pub fn join_partitions(paths: &[PathBuf], observer: &dyn Observer) -> Result<Partitions, MergeError> {
    let mut shards = ShardPool::new(paths.to_vec());
    let input = check(&mut shards)?;
    let folder = temporary_folder()?;
    let mut catalog = Store::create_anew(&folder.path().join("catalog.db"))?;
    let merging = Merging { input: &input, identity: "", is_resumed: false, observer };
    merging.write_catalog(&mut catalog, &mut shards)?;
    Ok(Partitions { set: PartitionSet::open(catalog, paths)?, _folder: folder })
}

/// A folder where SQLite keeps its temporary files too.
fn temporary_folder() -> Result<TempDir, MergeError> {
    let place = std::env::var_os("SQLITE_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let made = tempfile::Builder::new().prefix("pensieve-").tempdir_in(&place);
    made.map_err(|source| MergeError::Io { path: Path::new(&place).to_path_buf(), source })
}
