//! Systems without inotify: nothing is watched, so that folders are polled.

use super::{FolderEvents, own_files::OwnFiles};
use pensieve_isolate::platform::Errno;
use std::path::Path;
use std::time::Duration;

/// No watches at all.
#[derive(Debug)]
pub(super) enum FolderWatches {}

impl FolderWatches {
    /// # Errors
    /// Always.
    pub fn new() -> Result<FolderWatches, Errno> {
        Err(Errno::NOSYS)
    }

    /// Never called.
    pub fn add(&self, _path: &Path, _has_own_files: bool) -> Result<(), Errno> {
        match *self {}
    }

    /// Never called.
    pub fn drop_others(&self) -> usize {
        match *self {}
    }

    /// Never called.
    pub fn wait(&self, _longest: Duration) {
        match *self {}
    }

    /// Never called.
    pub fn read(&self, _own: &OwnFiles) -> FolderEvents {
        match *self {}
    }
}

/// Not asked, since nothing is watched.
pub(super) fn is_remote(_folder: &Path) -> bool {
    true
}
