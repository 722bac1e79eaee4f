//! One run at a time: an advisory lock on a file beside the database, which the system drops when the process ends.

use super::error::StoreError;
use pensieve_isolate::platform::{stat_at_path, stat_in_brief};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Held for as long as a run may write; dropped with the process, however it ends.
#[derive(Debug)]
pub(super) struct RunLock {
    file: File,
    path: PathBuf,
}

/// The path of the lock file: next to the database itself, even if `path` is a link to it.
pub fn lock_path(database: &Path) -> PathBuf {
    let real = database.canonicalize().unwrap_or_else(|_| database.to_path_buf());
    let mut name = real.into_os_string();
    name.push(".lock");
    PathBuf::from(name)
}

impl RunLock {
    /// Acquires the lock; [`StoreError::Locked`] if another run holds it.
    pub(super) fn acquire(database: &Path) -> Result<RunLock, StoreError> {
        let path = lock_path(database);
        loop {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(|error| refusal(database, error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Locked { path: database.to_path_buf() });
                }
                Err(TryLockError::Error(source)) => return Err(StoreError::Io { path, source }),
            }
            // A run that ended may have removed the file after it was opened and before it was locked here. A lock
            // on a file without a name protects nothing.
            if is_same_file(&file, &path) {
                return Ok(RunLock { file, path });
            }
        }
    }
}

fn refusal(database: &Path, error: std::io::Error) -> StoreError {
    let path = database.to_path_buf();
    match error.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly { path, reason: error.to_string() }
        }
        std::io::ErrorKind::StorageFull => StoreError::Full { path },
        _ => StoreError::Io { path, source: error },
    }
}

fn is_same_file(file: &File, path: &Path) -> bool {
    match (stat_in_brief(file), stat_at_path(path)) {
        (Ok(open), Ok(named)) => open.identity() == named.identity(),
        _ => false,
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_is_refused_until_the_first_ends() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let database = folder.path().join("corpus.db");
        let first = RunLock::acquire(&database).expect("nobody has it");
        assert!(matches!(RunLock::acquire(&database), Err(StoreError::Locked { .. })));
        drop(first);
        assert!(!lock_path(&database).exists());
        RunLock::acquire(&database).expect("free again");
    }
}
