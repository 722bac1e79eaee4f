//! A list of entries: a scan then looks at these and at the folders above them, and at nothing else.

use std::ffi::CString;

/// Paths relative to the scanned folder.
///
/// Each names one entry; a folder in it stands for its own row, not for what it contains. Where symlinks are followed, a
/// link to a folder is one if paths below it are listed, or if it has a slash at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedPaths {
    /// Sorted, with NUL in the place of slashes: what is below a folder comes directly after it.
    keys: Vec<Vec<u8>>,
}

impl ListedPaths {
    /// The list of these paths, in exact bytes.
    pub fn new(paths: impl IntoIterator<Item = Vec<u8>>) -> ListedPaths {
        let mut keys: Vec<Vec<u8>> = paths.into_iter().map(|path| key(&path)).collect();
        keys.sort_unstable();
        keys.dedup();
        ListedPaths { keys }
    }

    /// True if the list has this path.
    pub fn contains(&self, path: &[u8]) -> bool {
        let mut key = key(path);
        if self.keys.binary_search(&key).is_ok() {
            return true;
        }
        key.push(0);
        self.keys.binary_search(&key).is_ok()
    }

    /// True if the list has entries below this folder, or the folder with a slash at its end.
    pub fn enters(&self, folder: &[u8]) -> bool {
        let mut key = key(folder);
        key.push(0);
        self.from(&key).next().is_some_and(|found| found.starts_with(&key))
    }

    /// The paths, without slashes at their ends; one may come twice.
    pub fn iter(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.keys.iter().map(|key| {
            let key = key.strip_suffix(b"\0").unwrap_or(key);
            key.iter().map(|byte| if *byte == 0 { b'/' } else { *byte }).collect()
        })
    }

    /// The names in a folder that the list has, or that lead to what it has; `prefix` is the path of the folder with a
    /// slash at its end.
    pub(super) fn names_in(&self, prefix: &[u8]) -> Vec<CString> {
        let start = key(prefix);
        let mut names: Vec<CString> = Vec::new();
        for found in self.from(&start).take_while(|found| found.starts_with(&start)) {
            let name = found[start.len()..].split(|byte| *byte == 0).next().unwrap_or_default();
            if !name.is_empty() && names.last().is_none_or(|last| last.as_bytes() != name) {
                names.extend(CString::new(name));
            }
        }
        names
    }

    fn from(&self, key: &[u8]) -> impl Iterator<Item = &Vec<u8>> {
        self.keys[self.keys.partition_point(|other| other.as_slice() < key)..].iter()
    }
}

fn key(path: &[u8]) -> Vec<u8> {
    path.iter().map(|byte| if *byte == b'/' { 0 } else { *byte }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(paths: &[&str]) -> ListedPaths {
        ListedPaths::new(paths.iter().map(|path| path.as_bytes().to_vec()))
    }

    #[test]
    fn names_lead_from_folder_to_folder() {
        let list = list(&["a/x", "a-b", "a", "d/e/f", "empty/", "a/x"]);
        let names = |prefix: &str| -> Vec<String> {
            list.names_in(prefix.as_bytes()).into_iter().map(|name| name.into_string().unwrap()).collect()
        };
        assert_eq!(names(""), ["a", "a-b", "d", "empty"]);
        assert_eq!(
            (names("a/"), names("d/"), names("d/e/")),
            (vec!["x".into()], vec!["e".into()], vec!["f".into()])
        );
        assert_eq!((names("empty/").len(), names("e/").len()), (0, 0));
        for (path, is_listed, is_entered) in [
            ("a", true, true),
            ("a-b", true, false),
            ("d", false, true),
            ("d/e", false, true),
            ("d/e/f", true, false),
            ("empty", true, true),
            ("emp", false, false),
        ] {
            assert_eq!(
                (list.contains(path.as_bytes()), list.enters(path.as_bytes())),
                (is_listed, is_entered),
                "{path}"
            );
        }
        assert_eq!(list.iter().last().unwrap(), b"empty");
    }
}
