//! [`ExportFolder`]: where the parts of an export go. They get their names together, when all of them are complete.

use super::ExportError;
use parquet::file::metadata::ParquetMetaDataReader;
use pensieve_isolate::platform::{flush_folder, open_folder};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The key in the metadata of a file by which an export knows its own parts.
pub(super) const EXPORT_KEY: &str = "pensieve.export";

/// A folder that holds one export, locked while it is written.
#[derive(Debug)]
pub(super) struct ExportFolder {
    path: PathBuf,
    /// Unlocked when it is closed.
    _lock: File,
    /// Parts of an earlier export.
    earlier: Vec<PathBuf>,
    /// Parts that were begun and have no name yet: part `n` is at place `n`.
    parts: Vec<PathBuf>,
}

/// The kinds of entries of such a folder.
#[derive(Debug, PartialEq, Eq)]
enum EntryKind {
    /// A part, by its name.
    Part,
    /// A part that was not complete when its export ended.
    Unfinished,
    /// Another Parquet file: readers of the folder would take it for a part.
    OtherParquet,
    /// Anything else.
    Other,
}

impl ExportFolder {
    /// Opens a folder, and creates it if it is not there. What a killed export left is removed.
    ///
    /// # Errors
    /// Another export writes into it; it has files and holds no earlier export; it cannot be read or written.
    pub(super) fn open(path: &Path) -> Result<ExportFolder, ExportError> {
        let failed = |source| ExportError::Unwritable { path: path.to_path_buf(), source };
        fs::create_dir_all(path).map_err(failed)?;
        let handle = open_folder(path).map_err(failed)?;
        // Some network file systems have no locks for folders: there, nothing is protected.
        if let Err(TryLockError::WouldBlock) = handle.try_lock() {
            return Err(ExportError::Busy { path: path.to_path_buf() });
        }
        let (earlier, unfinished) = earlier_parts(path)?;
        unfinished.iter().try_for_each(fs::remove_file).map_err(failed)?;
        Ok(ExportFolder { path: path.to_path_buf(), _lock: handle, earlier, parts: Vec::new() })
    }

    /// Creates the next part, under a name that readers of the folder leave out.
    pub(super) fn create_part(&mut self) -> Result<File, ExportError> {
        let path = self.path.join(format!(".{}.unfinished", part_name(self.parts.len())));
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = created.map_err(|source| ExportError::Unwritable { path: path.clone(), source })?;
        self.parts.push(path);
        Ok(file)
    }

    /// The path of the part that is being written.
    pub(super) fn current_part(&self) -> &Path {
        self.parts.last().unwrap_or(&self.path)
    }

    /// Gives the parts their names, in place of those of an earlier export. All of them are complete and on the disk.
    ///
    /// The earlier ones go first: at no moment the folder has parts of two exports.
    pub(super) fn publish(&mut self) -> Result<Vec<PathBuf>, ExportError> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| ExportError::Unwritable { path, source }
        };
        self.earlier.iter().try_for_each(|path| fs::remove_file(path).map_err(failed(path)))?;
        let mut published = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let path = self.path.join(part_name(number));
            fs::rename(part, &path).map_err(failed(&path))?;
            published.push(path);
        }
        self.parts.clear();
        // Some file systems cannot flush a folder; the files themselves are on the disk.
        let _ = flush_folder(&self.path);
        Ok(published)
    }
}

impl Drop for ExportFolder {
    /// Removes what is not complete.
    fn drop(&mut self) {
        for part in &self.parts {
            let _ = fs::remove_file(part);
        }
    }
}

/// The parts of an earlier export, and what a killed one left.
///
/// # Errors
/// There is another Parquet file, or there are files and none of them is of an export.
fn earlier_parts(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), ExportError> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<BTreeSet<PathBuf>>>())
        .map_err(|source| ExportError::Unwritable { path: folder.to_path_buf(), source })?;
    let (mut earlier, mut unfinished, mut other) = (Vec::new(), Vec::new(), None);
    for entry in entries {
        match kind_of(&entry) {
            EntryKind::Part => earlier.push(entry),
            EntryKind::Unfinished => unfinished.push(entry),
            EntryKind::OtherParquet => return Err(ExportError::Occupied { path: entry }),
            EntryKind::Other => other = other.or(Some(entry)),
        }
    }
    match other {
        Some(path) if earlier.is_empty() && unfinished.is_empty() => Err(ExportError::Occupied { path }),
        _ => Ok((earlier, unfinished)),
    }
}

/// The name of a part: `part-0000.parquet`.
fn part_name(number: usize) -> String {
    format!("part-{number:04}.parquet")
}

fn kind_of(path: &Path) -> EntryKind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_part = |name: &str| {
        let digits = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".parquet"));
        digits.is_some_and(|digits| digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let unfinished = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".unfinished"));
    match () {
        () if unfinished.is_some_and(is_part) => EntryKind::Unfinished,
        () if is_part(&name) && is_export(path).unwrap_or(false) => EntryKind::Part,
        () if name.ends_with(".parquet") => EntryKind::OtherParquet,
        () => EntryKind::Other,
    }
}

/// True if an export wrote the file.
fn is_export(path: &Path) -> io::Result<bool> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&File::open(path)?)?;
    let keys = metadata.file_metadata().key_value_metadata();
    Ok(keys.is_some_and(|keys| keys.iter().any(|pair| pair.key == EXPORT_KEY)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_files_of_others_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, is_refused: bool| {
            let path = folder.path().join("out").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "PAR1 words PAR1").unwrap();
            let opened = ExportFolder::open(&folder.path().join("out"));
            assert_eq!(matches!(opened, Err(ExportError::Occupied { .. })), is_refused, "{name}");
            assert_eq!(path.exists(), is_refused);
            drop(opened);
            fs::remove_dir_all(folder.path().join("out")).unwrap();
        };
        check("notes.txt", true);
        check("part-0000.parquet", true);
        check("data.parquet", true);
        check(".part-0001.parquet.unfinished", false);
    }

    #[test]
    fn one_export_at_a_time_and_none_that_is_half_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        let mut first = ExportFolder::open(&path).unwrap();
        assert!(matches!(ExportFolder::open(&path), Err(ExportError::Busy { .. })));
        first.create_part().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
        drop(first);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        let mut second = ExportFolder::open(&path).unwrap();
        second.create_part().unwrap();
        second.create_part().unwrap();
        let names = second.publish().unwrap();
        assert_eq!(names, [path.join("part-0000.parquet"), path.join("part-0001.parquet")]);
        drop(second);
        assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    }
}
