//! What the threads of a walk share, and the tasks that they pass to each other.

use super::folder::{Folder, FolderLocation, NameBuffer};
use super::rules::{IgnoreRuleList, IgnoreRules};
use super::{ScanEntry, ScanOptions};
use pensieve_readers::files::FileStat;
use pensieve_text::model::Problem;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A file that is never reported, by the identity of its folder: the same file whichever way leads to it.
pub(super) struct ExcludedFile {
    pub folder: (u64, u64),
    pub name: OsString,
}

impl ExcludedFile {
    pub fn of(path: &Path) -> Option<ExcludedFile> {
        use std::os::unix::fs::MetadataExt;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = std::fs::metadata(parent.unwrap_or(Path::new("."))).ok()?;
        Some(ExcludedFile { folder: (folder.dev(), folder.ino()), name: path.file_name()?.to_owned() })
    }
}

/// What a task is about.
pub(super) enum TaskTarget {
    /// A folder to be opened and listed.
    Closed(FolderLocation),
    /// A folder to be listed that is open already.
    Open(Arc<Folder>),
    /// Names of a folder that is being listed by another task.
    Batch(Arc<Folder>, NameBuffer),
}

/// A folder's worth of work, or a batch of it.
pub(super) struct FolderTask {
    pub at: TaskTarget,
    /// Of its entries.
    pub depth: usize,
    pub identity: (u64, u64),
    pub rules: Arc<IgnoreRules>,
    /// An include pattern selects the folder, and with it everything below.
    pub included: bool,
}

/// A symlink to a folder that waits to be followed.
pub(super) struct PendingLink {
    pub entry: ScanEntry,
    /// Of the link itself; the entry has that of the folder.
    pub link_stat: FileStat,
    pub place: FolderLocation,
    pub rules: Arc<IgnoreRules>,
    pub included: bool,
}

/// What the threads of a walk share.
pub(super) struct Walker<'a> {
    pub options: &'a ScanOptions,
    pub include: IgnoreRuleList,
    pub exclude: IgnoreRuleList,
    pub left_out: Vec<ExcludedFile>,
    pub each: &'a (dyn Fn(ScanEntry) + Sync),
    pub trouble: &'a (dyn Fn(String, Problem) + Sync),
    pub stop: &'a (dyn Fn() -> bool + Sync),
    pub links: Mutex<BTreeMap<PathBuf, PendingLink>>,
    /// Folders seen; kept only when symlinks are followed.
    pub visited: Mutex<HashSet<(u64, u64)>>,
}
