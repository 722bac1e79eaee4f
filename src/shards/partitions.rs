//! Partitions: databases that stay apart and make one corpus, as a merge of them would.

use super::check::check;
use super::corpus::Corpus;
use super::error::MergeError;
use super::merge::Merging;
use crate::store::{PartitionQueries, ShardPool, Store};
use pensieve_text::model::{Observer, ProgressEvent};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// How often a catalogue is begun anew because a database was written to meanwhile.
const MAX_TRIES: usize = 3;

/// The name of a catalogue in its folder.
const FILE_NAME: &str = "catalog.db";

/// What several databases make together at one moment: which of their files count, and under which names.
#[derive(Debug, Clone)]
pub struct Catalog {
    paths: Vec<PathBuf>,
    /// What each database was like.
    states: Vec<String>,
    folder: Arc<TempDir>,
}

/// Nobody watches how partitions are joined.
struct Unobserved;

impl Observer for Unobserved {
    fn on_event(&self, _event: &ProgressEvent<'_>) {}
}

impl Catalog {
    /// Joins databases: decides, as [`merge`](super::merge::merge) does, which of their files count and under which names,
    /// and writes that into a temporary catalogue. Their order is the order of the roots. Returns the corpus too.
    ///
    /// # Errors
    /// The databases do not fit together, or one cannot be read; the temporary folder cannot be written.
    ///
    /// Cost: some rows on disk for each file, none for texts and chunks; memory does not depend on the number of files.
    pub fn of(paths: &[PathBuf]) -> Result<(Catalog, Corpus), MergeError> {
        for _ in 0..MAX_TRIES {
            let catalog = Catalog::write(paths)?;
            if let Some(corpus) = catalog.open()? {
                return Ok((catalog, corpus));
            }
        }
        let reason = "it, or another one, was written to again and again".to_owned();
        Err(MergeError::Unfinished { path: paths[0].clone(), reason })
    }

    fn write(paths: &[PathBuf]) -> Result<Catalog, MergeError> {
        let mut shards = ShardPool::new(paths.to_vec());
        let states = (0..shards.len()).map(|shard| Ok(shards.get(shard)?.shard().state()?));
        let states = states.collect::<Result<Vec<String>, MergeError>>()?;
        let input = check(&mut shards)?;
        let folder = temporary_folder()?;
        let mut store = Store::create_anew(&folder.path().join(FILE_NAME))?;
        let merging = Merging { input: &input, identity: "", is_resumed: false, observer: &Unobserved };
        merging.write_catalog(&mut store, &mut shards)?;
        store.close()?;
        Ok(Catalog { paths: paths.to_vec(), states, folder: Arc::new(folder) })
    }

    /// Opens the corpus once more; `None` if a database was written to since.
    ///
    /// # Errors
    /// A database cannot be read.
    pub fn open(&self) -> Result<Option<Corpus>, MergeError> {
        let store = PartitionQueries::open(&self.folder.path().join(FILE_NAME), &self.paths)?;
        let is_current = self.is_of(store.databases())?;
        Ok(is_current.then(|| Corpus::of_catalog(store, Arc::clone(&self.folder))))
    }

    /// True if these databases are as they were.
    ///
    /// # Errors
    /// A database cannot be read.
    pub fn is_of(&self, databases: &[Store]) -> Result<bool, MergeError> {
        for (store, state) in databases.iter().zip(&self.states) {
            if store.shard().state()? != *state {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Corpus {
    /// Opens a database for reading, or several as partitions. These are read as they are now, whatever is written meanwhile.
    ///
    /// # Errors
    /// A database cannot be read, or they do not fit together.
    ///
    /// Cost: for partitions some temporary rows for each of their files.
    pub fn open(paths: &[PathBuf]) -> Result<Corpus, MergeError> {
        match paths {
            [path] => Ok(Corpus::of_one(path)?),
            _ => Ok(Catalog::of(paths)?.1),
        }
    }
}

/// A folder where SQLite keeps its temporary files too.
fn temporary_folder() -> Result<TempDir, MergeError> {
    let place = std::env::var_os("SQLITE_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let made = tempfile::Builder::new().prefix("pensieve-").tempdir_in(&place);
    made.map_err(|source| MergeError::Io { path: Path::new(&place).to_path_buf(), source })
}
