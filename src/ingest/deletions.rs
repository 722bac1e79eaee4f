//! What is missing is not always deleted: a folder may be unreadable for a while, a disk may not be mounted.

use pensieve_store::store::FileState;
use pensieve_text::model::{FileType, Problem, ProblemKind};
use std::collections::HashMap;

/// A root with fewer files may lose most of them in one run.
const MANY_FILES: u64 = 100;

/// True if so many files of a root are gone that their disk may be: all of them, or more than half of many.
pub(super) fn is_mass(deleted: u64, known: u64) -> bool {
    deleted > 0 && (deleted == known || known >= MANY_FILES && deleted * 2 > known)
}

/// Folders that could not be read or listed as a whole, with the number of known files below each.
#[derive(Debug, Default)]
pub(super) struct UnreadFolders(HashMap<String, u64>);

impl UnreadFolders {
    /// The folders among the paths with problems.
    pub fn of(problems: &[(String, Problem)]) -> UnreadFolders {
        let unread = problems.iter().filter(|(_, problem)| problem.kind != ProblemKind::Vanished);
        UnreadFolders(unread.map(|(path, _)| (path.clone(), 0)).collect())
    }

    /// True if an entry that was not found is below one of them, so that it may still be there.
    pub fn keep(&mut self, old: &FileState) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let path = &old.relative_path;
        // The path of the root is empty.
        let ends = [0].into_iter().chain(memchr::memchr_iter(b'/', path.as_bytes()));
        let Some(folder) = ends.map(|end| &path[..end]).find(|folder| self.0.contains_key(*folder)) else {
            return false;
        };
        let files = self.0.entry(folder.to_owned()).or_default();
        *files += u64::from(old.file_type == FileType::File);
        true
    }

    /// The number of files that are kept.
    pub fn kept(&self) -> u64 {
        self.0.values().sum()
    }

    /// Adds what is kept to the problems.
    pub fn describe(&self, problems: &mut [(String, Problem)]) {
        for (path, problem) in problems {
            if let Some(files) = self.0.get(path).filter(|files| **files > 0) {
                problem.message += &format!("; what was read before is kept ({files} files)");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_many_files_or_all_of_few_are_a_mass() {
        for (deleted, known) in [(1, 1), (99, 99), (51, 100), (1000, 1000)] {
            assert!(is_mass(deleted, known), "{deleted} of {known}");
        }
        for (deleted, known) in [(0, 0), (0, 5), (98, 99), (50, 100)] {
            assert!(!is_mass(deleted, known), "{deleted} of {known}");
        }
    }
}
