//! The scan: every entry below a folder, what the system knows about it, and the hash of a file's bytes.
//!
//! It reads names, metadata and, where the caller asks, bytes. It changes nothing below the folder, opens no FIFO,
//! socket or device, follows no symlink unless told to, and decides nothing about what is new, changed or a duplicate.

mod explain;
mod folder;
mod look;
mod path;
mod patterns;
mod queue;
mod rules;
mod task;
mod walk;

pub use explain::explain;
pub use path::{path_from_stored, stored_path};
pub use patterns::PathPatterns;
pub use rules::IgnoreRule;
pub use walk::walk;

use pensieve_readers::files::FileStat;
use pensieve_text::model::FileType;
use std::path::PathBuf;

/// Which entries a scan reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanOptions {
    /// Dot files are read.
    pub hidden: bool,
    /// Symlinks are followed; a folder is still visited once.
    pub follow_symlinks: bool,
    /// Ignore files count.
    pub ignore_files: bool,
    /// Files larger than this are no documents. The walk reports them all the same: it is the caller who skips them.
    pub max_size: Option<u64>,
    /// Where there are any, only files that one of these gitignore-like patterns selects, or whose folder it selects.
    pub include: Vec<String>,
    /// What these gitignore-like patterns match is left out, whatever the ignore files say.
    pub exclude: Vec<String>,
    /// How many threads walk; 0 is one a core.
    pub threads: usize,
}

impl Default for ScanOptions {
    fn default() -> ScanOptions {
        ScanOptions {
            hidden: true,
            follow_symlinks: false,
            ignore_files: true,
            max_size: None,
            include: Vec::new(),
            exclude: Vec::new(),
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
    /// The exact bytes, where the stored form differs from them.
    pub path_bytes: Option<Vec<u8>>,
    /// What it is; a followed symlink is what it leads to.
    pub file_type: FileType,
    /// What the system knows about it; of a followed symlink, about what it leads to.
    pub stat: FileStat,
    /// Of a symlink, followed or not: its target as written, in stored form.
    pub symlink_target: Option<String>,
    /// 1 for the children of the scanned folder.
    pub depth: usize,
    /// Its own name begins with a dot.
    pub hidden: bool,
}

/// Why a scan could not be done at all.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// There is nothing at the path.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The folder that was to be scanned.
        path: PathBuf,
    },
    /// There is something else than a folder at the path.
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
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The process has no more descriptors or memory: what was seen is not the whole tree.
    #[error("the scan ran out of descriptors or memory at `{path}`")]
    Exhausted {
        /// Where, in stored form.
        path: String,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The caller stopped it: what was seen is not the whole tree.
    #[error("the scan was stopped")]
    Stopped,
}
