//! A list of files as a user or `plan` writes it.

use super::listed::ListedPaths;
use super::path::{path_from_stored, stored_path};
use pensieve_isolate::platform::{name_from_bytes, path_bytes, path_from_bytes};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The entries that a run reads.
#[derive(Debug, Clone)]
pub struct FileList {
    /// Their paths, relative to the root.
    pub paths: Arc<ListedPaths>,
    /// Names that lead to nothing below the root, in stored form.
    pub outside: Vec<String>,
}

impl FileList {
    /// The list in these bytes: names end with NUL if there is any, otherwise with their line; they are relative to
    /// `root`, or absolute and below it.
    pub fn parse(bytes: &[u8], root: &Path) -> FileList {
        let mut outside = Vec::new();
        let paths = ListedPaths::new(names(bytes).into_iter().filter_map(|name| {
            let path = path_below(root, &name);
            outside.extend(path.is_none().then(|| stored_path(name.as_os_str()).0));
            path
        }));
        FileList { paths: Arc::new(paths), outside }
    }

    /// The listed paths in stored form.
    pub fn stored(&self) -> impl Iterator<Item = String> + '_ {
        self.paths.iter().map(|path| stored_path(path_from_bytes(path).as_os_str()).0)
    }

    /// True if this path, in stored form, is listed.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(&path_bytes(path_from_stored(path).as_os_str()))
    }

    /// True if this path, in stored form, is listed or leads to what is.
    pub fn touches(&self, path: &str) -> bool {
        let path = path_from_stored(path);
        let path = path_bytes(path.as_os_str());
        path.is_empty() || self.paths.contains(&path) || self.paths.enters(&path)
    }
}

fn names(bytes: &[u8]) -> Vec<PathBuf> {
    let end = if memchr::memchr(0, bytes).is_some() { 0 } else { b'\n' };
    let names = bytes.split(|byte| *byte == end).filter(|name| !name.is_empty());
    names.map(|name| PathBuf::from(name_from_bytes(name).into_owned())).collect()
}

/// The path relative to `root`, without `.` and doubled slashes; `None` if it does not lead to an entry below `root`.
fn path_below(root: &Path, name: &Path) -> Option<Vec<u8>> {
    let below = if name.is_absolute() { name.strip_prefix(root).ok()? } else { name };
    let mut path = Vec::new();
    for part in below.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => {
                path.extend((!path.is_empty()).then_some(b'/'));
                path.extend_from_slice(&path_bytes(part));
            }
            _ => return None,
        }
    }
    if path.is_empty() {
        return None;
    }
    path.extend(path_bytes(name.as_os_str()).ends_with(b"/").then_some(b'/'));
    Some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_root_or_nothing() {
        let check = |name: &str, expected: Option<&str>| {
            let found = path_below(Path::new("/r/t"), Path::new(name));
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{name}");
        };
        check("a/b", Some("a/b"));
        check("./a//b/.", Some("a/b"));
        check("a/", Some("a/"));
        check("/r/t/a", Some("a"));
        for outside in ["../a", "a/../b", "/r/tt/a", "/r/t", ".", ""] {
            check(outside, None);
        }
    }

    #[test]
    fn names_end_with_nul_or_line() {
        let check = |bytes: &str, expected: &[&str]| {
            assert_eq!(names(bytes.as_bytes()), expected.iter().map(Path::new).collect::<Vec<_>>());
        };
        check("a\nb\n\nc d", &["a", "b", "c d"]);
        check("a\nb\0c\0", &["a\nb", "c"]);
        check("one\0", &["one"]);
        check("", &[]);
    }

    #[test]
    fn a_list_knows_its_files_and_what_leads_to_them() {
        let list = FileList::parse(b"d/caf\xe9\0../x\0", Path::new("/r"));
        assert_eq!(
            (list.outside.clone(), list.stored().collect::<Vec<_>>()),
            (vec!["../x".to_owned()], vec!["d/caf\\xe9".to_owned()])
        );
        assert!(list.has("d/caf\\xe9") && !list.has("d"));
        assert!(list.touches("d") && list.touches("") && !list.touches("e"));
    }
}
