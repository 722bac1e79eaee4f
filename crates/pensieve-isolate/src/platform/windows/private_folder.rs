//! The private folder of a program: how much it wrote there, and how the folder goes.

use crate::limits::process::{ENTRY_BYTES, MAX_FOLDER_DEPTH};
use std::io;
use std::path::{Path, PathBuf};

/// What a program has written into its private folder.
pub(crate) struct PrivateFolderUsage {
    folder: Option<PathBuf>,
    /// Bytes that were there before the program started: the document itself.
    before: u64,
}

impl PrivateFolderUsage {
    /// A folder as it is before the program starts.
    ///
    /// # Errors
    /// None here.
    pub(crate) fn new(folder: Option<&Path>) -> io::Result<PrivateFolderUsage> {
        let before = folder.and_then(|folder| bytes_below(folder, u64::MAX, 0)).unwrap_or_default();
        Ok(PrivateFolderUsage { folder: folder.map(Path::to_path_buf), before })
    }

    /// True if the program has written more than so many bytes, with those of files that it deleted and still has open.
    pub(crate) fn exceeds(&self, limit: u64, deleted: u64) -> bool {
        let Some(folder) = &self.folder else { return false };
        let most = limit.saturating_add(self.before);
        bytes_below(folder, most, 0).is_none_or(|bytes| bytes.saturating_add(deleted) > most)
    }
}

/// Bytes of everything below a folder, counted until they are more than `most`; `None` if it cannot be looked through.
/// Every entry counts, so that many empty files are not free; links are not followed.
fn bytes_below(folder: &Path, most: u64, depth: usize) -> Option<u64> {
    let mut sum = 0u64;
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let Ok(found) = entry.metadata() else { continue };
        sum = sum.saturating_add(ENTRY_BYTES.max(found.len()));
        if found.is_dir() {
            if depth == MAX_FOLDER_DEPTH {
                return None;
            }
            sum = sum.saturating_add(bytes_below(&entry.path(), most, depth + 1)?);
        }
        if sum > most {
            break;
        }
    }
    Some(sum)
}

/// Removes a folder with everything in it.
///
/// # Errors
/// The system refuses to remove an entry; most of the rest may be gone.
pub(crate) fn remove_folder(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)
}
