//! The database and the files beside it: a run writes them, and must not notice that.

#[cfg(target_os = "linux")]
use pensieve_isolate::platform::name_from_bytes;
use pensieve_isolate::platform::stat_at_path;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

/// Names of our own files, and the folders that they are in.
#[derive(Debug, Default)]
pub(super) struct OwnFiles {
    folders: HashSet<(u64, u64)>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "no events name a file there"))]
    names: HashSet<OsString>,
}

impl OwnFiles {
    /// Those at these paths; folders are known by device and inode.
    pub fn of(paths: &[PathBuf]) -> OwnFiles {
        let folder = |path: &PathBuf| stat_at_path(path.parent()?).ok().map(|found| found.identity());
        OwnFiles {
            folders: paths.iter().filter_map(folder).collect(),
            names: paths.iter().filter_map(|path| path.file_name()).map(OsString::from).collect(),
        }
    }

    /// True if the folder with this device and inode contains one of them.
    pub fn has_folder(&self, identity: (u64, u64)) -> bool {
        self.folders.contains(&identity)
    }

    /// True if one of them has this name.
    #[cfg(target_os = "linux")]
    pub fn has_name(&self, name: &[u8]) -> bool {
        self.names.contains(&*name_from_bytes(name))
    }
}
