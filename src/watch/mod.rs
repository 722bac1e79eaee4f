//! Notices changes below a folder, and keeps a database up to date with it.
//!
//! Events only say *that* something has changed. What has changed is found by the comparison of a usual run, so that a
//! database that follows a folder has what a run over it would have. Every folder that a scan enters is watched, and no
//! other; where the system cannot do that, the folder is looked at again and again.

mod debounce;
#[cfg(target_os = "linux")]
mod inotify;
mod own_files;
#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod inotify;
mod watcher;

pub use watcher::{WatchState, Watcher};

use crate::ingest::{self, IngestError, IngestSettings, IngestSummary};
use pensieve_store::scan::ScanError;
use pensieve_store::store::StoreError;
use pensieve_text::model::Observer;

/// What events say about the watched folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct FolderEvents {
    /// An entry has changed.
    changed: bool,
    /// A scan may enter other folders than before.
    other_folders: bool,
}

/// Brings the database up to date; `None` if nothing that a run would store has changed, so that there was no run.
///
/// Documents that failed for lack of time or memory are not read again: each edit would wait for them.
///
/// # Errors
/// As for [`ingest::run`]. [`is_temporary`] tells which of them are a reason to wait.
pub fn update(
    settings: &IngestSettings,
    observer: &dyn Observer,
) -> Result<Option<IngestSummary>, IngestError> {
    if !ingest::has_changes(settings, observer)? {
        return Ok(None);
    }
    let settings = IngestSettings { retry_costly: false, ..settings.clone() };
    ingest::run(&settings, observer).map(Some)
}

/// True if the error may pass without anything done to this program: another run writes into the database, the folder
/// is not there at the moment, or most of its files are not.
pub fn is_temporary(error: &IngestError) -> bool {
    match error {
        IngestError::Store(error) => matches!(error, StoreError::Locked { .. }),
        IngestError::Input { .. } | IngestError::NotAFolder { .. } => true,
        IngestError::MassDeletion { .. } | IngestError::MassFailure { .. } => true,
        IngestError::Scan(error) => !matches!(error, ScanError::Exhausted { .. }),
        _ => false,
    }
}
