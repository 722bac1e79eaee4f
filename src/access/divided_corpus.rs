//! [`DividedCorpus`]: the connections to several databases that are one corpus, and when they are replaced.
//!
//! Which files count is decided over all databases, in a catalogue. A catalogue is right for one state of each of them, so
//! every connection keeps reading that state, while runs write. When the databases have changed and none of them is being
//! written to, a new catalogue is made beside the old one, and new connections take over.

use crate::shards::{Catalog, Corpus, MergeError};
use crate::store::{Store, StoreError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Connections to several databases at most: all of them are open all the time.
pub(super) const MAX_READERS_OF_PARTS: u32 = 4;

/// The time between two looks at the databases.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Several databases that are one corpus.
pub(super) struct DividedCorpus {
    current: Mutex<CurrentCatalog>,
    is_renewing: AtomicBool,
}

struct CurrentCatalog {
    catalog: Catalog,
    /// The databases as they are now.
    databases: Vec<Store>,
    checked: Instant,
}

impl DividedCorpus {
    /// Joins databases, and opens connections to them.
    ///
    /// # Errors
    /// The databases do not fit together, or one of them cannot be read.
    pub(super) fn open(paths: &[PathBuf], count: usize) -> Result<(DividedCorpus, Vec<Corpus>), MergeError> {
        let (catalog, list) = join(paths, count)?;
        let databases = paths.iter().map(|path| Store::open_for_reading(path)).collect::<Result<_, _>>()?;
        let current = CurrentCatalog { catalog, databases, checked: Instant::now() };
        Ok((DividedCorpus { current: Mutex::new(current), is_renewing: AtomicBool::new(false) }, list))
    }

    /// One more connection to the state of the others.
    ///
    /// # Errors
    /// That state is gone, or a database cannot be read.
    pub(super) fn reopen(&self) -> Result<Corpus, StoreError> {
        let current = self.current();
        let gone = || StoreError::Locked { path: current.databases[0].path().to_path_buf() };
        match current.catalog.open() {
            Ok(Some(corpus)) => Ok(corpus),
            Ok(None) => Err(gone()),
            Err(MergeError::Store(error)) => Err(error),
            Err(_) => Err(gone()),
        }
    }

    /// True if the databases have changed and can be joined anew; the caller does so.
    pub(super) fn begins_to_renew(&self) -> bool {
        let Ok(mut current) = self.current.try_lock() else { return false };
        if current.checked.elapsed() < CHECK_INTERVAL || self.is_renewing.load(Ordering::Acquire) {
            return false;
        }
        current.checked = Instant::now();
        let is_finished = |store: &Store| store.shard().is_finished().unwrap_or(false);
        let has_changed = matches!(current.catalog.is_of(&current.databases), Ok(false));
        let is_due = has_changed && current.databases.iter().all(is_finished);
        is_due && !self.is_renewing.swap(true, Ordering::AcqRel)
    }

    /// Joins the databases as they are now; `None` if that is not possible, so that the old connections stay.
    pub(super) fn renew(&self, paths: &[PathBuf], count: usize) -> Option<Vec<Corpus>> {
        let joined = join(paths, count).ok();
        let list = joined.map(|(catalog, list)| {
            self.current().catalog = catalog;
            list
        });
        self.stop_renewing();
        list
    }

    /// The databases may be joined anew.
    pub(super) fn stop_renewing(&self) {
        self.is_renewing.store(false, Ordering::Release);
    }

    fn current(&self) -> MutexGuard<'_, CurrentCatalog> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A catalogue with connections to one state of its databases, ready to be searched.
fn join(paths: &[PathBuf], count: usize) -> Result<(Catalog, Vec<Corpus>), MergeError> {
    loop {
        let (catalog, first) = Catalog::of(paths)?;
        let mut list = vec![first];
        while list.len() < count {
            match catalog.open()? {
                Some(corpus) => list.push(corpus),
                None => break,
            }
        }
        if list.len() == count {
            list.iter().try_for_each(|corpus| corpus.prepare_search())?;
            return Ok((catalog, list));
        }
    }
}
