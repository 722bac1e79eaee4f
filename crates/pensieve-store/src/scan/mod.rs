//! The scan: every entry below a folder with its metadata.
//!
//! It reads names, metadata and ignore files. It changes nothing below the folder, opens no FIFO, socket or device,
//! follows symlinks only if the options say so, and does not decide what is new, changed or a duplicate.

mod explain;
mod file_list;
mod folder;
mod listed;
mod look;
mod path;
mod patterns;
mod queue;
mod rules;
mod tool_folders;
mod task;
mod walk;

pub use explain::{explain, is_wished};
pub use file_list::FileList;
pub use listed::ListedPaths;
pub use path::{path_from_stored, stored_path};
pub use patterns::PathPatterns;
pub use rules::{IgnoreRule, is_ignore_file};
pub use tool_folders::ToolFolderCounts;
pub use walk::walk;

use crate::exit::command_error;
use pensieve_isolate::files::FileStat;
use pensieve_readers::settings::HiddenTextPolicy;
use pensieve_text::model::FileType;
use pensieve_text::names;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The keys of `[scan]`, which `default.toml` explains: which entries a scan reports, and what is a document among them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the comments of default.toml say what each key means")]
pub struct ScanOptions {
    pub hidden: bool,
    pub follow_symlinks: bool,
    pub ignore_files: bool,
    /// The walk reports larger files all the same; the caller skips them.
    pub max_file_size: u64,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub tool_folders: Vec<String>,
    pub svg: bool,
    pub archives: bool,
    pub secrets: bool,
    pub hidden_text: HiddenTextPolicy,
    pub check: ChangeCheck,
    /// Only these entries and the folders above them are looked at.
    #[serde(skip)]
    pub listed: Option<Arc<ListedPaths>>,
    /// Number of threads; 0 means one per core.
    #[serde(skip)]
    pub threads: usize,
}

names! {
    /// Which metadata must be equal for an entry to count as unchanged.
    ChangeCheck {
        /// As `Full`, without the inode if the file system does not keep inode numbers stable.
        Auto = "auto",
        /// Size, mtime, ctime and inode.
        Full = "full",
        /// Size and mtime.
        Mtime = "mtime",
    }
}

impl ScanOptions {
    /// The size up to which a file is a document, if there is one.
    pub fn max_size(&self) -> Option<u64> {
        Some(self.max_file_size).filter(|size| *size > 0)
    }
}

/// The defaults of `default.toml`, without its folders of tools.
#[cfg(test)]
impl Default for ScanOptions {
    fn default() -> ScanOptions {
        ScanOptions {
            hidden: true,
            follow_symlinks: false,
            ignore_files: true,
            max_file_size: 0,
            include: Vec::new(),
            exclude: Vec::new(),
            tool_folders: Vec::new(),
            svg: false,
            archives: false,
            secrets: false,
            hidden_text: HiddenTextPolicy::LeaveOut,
            check: ChangeCheck::Auto,
            listed: None,
            threads: 0,
        }
    }
}

/// One entry below the scanned folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanEntry {
    /// Relative to the scanned folder, exact bytes.
    pub relative: PathBuf,
    /// The same in its stored form.
    pub path: String,
    /// The exact bytes, if the stored form differs from them.
    pub path_bytes: Option<Vec<u8>>,
    /// Its type; of a followed symlink, that of the target.
    pub file_type: FileType,
    /// Its metadata; of a followed symlink, that of the target.
    pub stat: FileStat,
    /// The target of a symlink, followed or not, as written there, in stored form.
    pub symlink_target: Option<String>,
    /// 1 for the children of the scanned folder.
    pub depth: usize,
    /// Its own name begins with a dot.
    pub hidden: bool,
    /// An ignore file asks for it with `!`, so that it is read even if it holds secrets.
    pub is_wished: bool,
}

impl ScanError {
    /// The folder to be scanned cannot be opened.
    pub fn unopened(path: &Path, error: std::io::Error) -> ScanError {
        let path = path.to_owned();
        match error.kind() {
            std::io::ErrorKind::NotFound => ScanError::Missing { path },
            std::io::ErrorKind::NotADirectory => ScanError::NotAFolder { path },
            _ => ScanError::Unreadable { path, source: error },
        }
    }
}

/// Why a scan failed as a whole.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// There is nothing at the path.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The folder that was to be scanned.
        path: PathBuf,
    },
    /// The path is not a folder.
    #[error("`{}` is not a folder", path.display())]
    NotAFolder {
        /// The folder that was to be scanned.
        path: PathBuf,
    },
    /// The folder may not be read.
    #[error("cannot read `{}`", path.display())]
    Unreadable {
        /// The folder that was to be scanned.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// The kernel makes up the files of the folder.
    #[error("`{}` is in the file system {name}, which describes the running system and has no documents", path.display())]
    Synthetic {
        /// The folder that was to be scanned.
        path: PathBuf,
        /// The name of the file system.
        name: &'static str,
    },
    /// The process has no more descriptors or memory: what was reported is not the whole tree.
    #[error("the scan ran out of descriptors or memory at `{path}`")]
    Exhausted {
        /// Where, in stored form.
        path: String,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
    /// The caller stopped it: what was reported is not the whole tree.
    #[error("the scan was stopped")]
    Stopped,
}

command_error! { ScanError {
    Missing | NotAFolder | Unreadable | Synthetic | Exhausted | Stopped => Input;
} }
