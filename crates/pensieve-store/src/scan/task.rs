//! What the threads of a walk share, and the tasks that they pass to each other.

use super::folder::{Folder, FolderLocation, NameBuffer};
use super::rules::{IgnoreRuleList, IgnoreRules};
use super::tool_folders::ToolFolders;
use super::{ScanEntry, ScanOptions};
use pensieve_isolate::platform::{FileStat, stat_at_path};
use pensieve_text::model::Problem;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A file that is never reported, by the identity of its folder, so that it is recognised under any path.
pub(super) struct ExcludedFile {
    pub folder: (u64, u64),
    pub name: OsString,
}

impl ExcludedFile {
    pub fn of(path: &Path) -> Option<ExcludedFile> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = stat_at_path(parent.unwrap_or(Path::new("."))).ok()?;
        Some(ExcludedFile { folder: folder.identity(), name: path.file_name()?.to_owned() })
    }
}

/// What a task works on.
pub(super) enum TaskTarget {
    /// A folder to be opened and listed.
    Closed(FolderLocation),
    /// An open folder to be listed.
    Open(Arc<Folder>),
    /// Names of a folder that is being listed by another task.
    Batch(Arc<Folder>, NameBuffer),
}

/// The work of one folder, or of a batch of its entries.
pub(super) struct FolderTask {
    pub at: TaskTarget,
    /// The depth of its entries.
    pub depth: usize,
    pub identity: (u64, u64),
    pub rules: Arc<IgnoreRules>,
    /// An include pattern selects the folder, and with it everything below.
    pub included: bool,
    /// An ignore file asks for the folder, and with it for everything below.
    pub wished: bool,
}

/// A symlink to a folder that waits to be followed.
pub(super) struct PendingLink {
    pub entry: ScanEntry,
    /// The metadata of the link itself; the entry has that of the folder.
    pub link_stat: FileStat,
    pub place: FolderLocation,
    pub rules: Arc<IgnoreRules>,
    pub included: bool,
    pub wished: bool,
}

/// What the threads of a walk share.
pub(super) struct Walker<'a> {
    pub options: &'a ScanOptions,
    pub include: IgnoreRuleList,
    pub exclude: IgnoreRuleList,
    pub tool_folders: ToolFolders,
    pub left_out: Vec<ExcludedFile>,
    pub each: &'a (dyn Fn(ScanEntry) + Sync),
    pub on_problem: &'a (dyn Fn(String, Problem) + Sync),
    pub stop: &'a (dyn Fn() -> bool + Sync),
    pub links: Mutex<BTreeMap<PathBuf, PendingLink>>,
    /// Visited folders; recorded only if symlinks are followed.
    pub visited: Mutex<HashSet<(u64, u64)>>,
}
