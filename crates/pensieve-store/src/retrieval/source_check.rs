//! [`SourceCheck`]: whether a file on disk is still the one that was read.

use crate::store::{FileState, Store, StoreError};
use pensieve_isolate::files;
use pensieve_isolate::platform::{FileStat, stat_at_path};
use pensieve_text::model::numbers::counted;
use std::io::{self, ErrorKind};

/// A touched file of more bytes is not read again to compare it: that would take seconds.
const MAX_COMPARED_BYTES: u64 = 1 << 30;

/// Whether a file on disk is still the one that was read; of a document inside another, the outermost file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceCheck {
    /// `None` if that is not known.
    pub is_unchanged: Option<bool>,
    /// Why it has changed, or why that is not known.
    pub reason: Option<String>,
}

impl SourceCheck {
    fn changed(reason: impl Into<String>) -> SourceCheck {
        SourceCheck { is_unchanged: Some(false), reason: Some(reason.into()) }
    }

    fn unknown(reason: impl Into<String>) -> SourceCheck {
        SourceCheck { is_unchanged: None, reason: Some(reason.into()) }
    }

    fn unchanged() -> SourceCheck {
        SourceCheck { is_unchanged: Some(true), reason: None }
    }
}

/// Compares the file on disk with its row: by size and time, and where only the time differs by its bytes.
///
/// Cost: one look at the file; a touched file is read.
pub fn check_source(store: &Store, file_id: i64) -> Result<SourceCheck, StoreError> {
    let Some(file) = store.files().container_of(file_id)? else { return Ok(SourceCheck::default()) };
    Ok(match stat_at_path(&file.location) {
        Ok(found) => compare(&file, &found),
        Err(error) => missing(&error),
    })
}

fn missing(error: &io::Error) -> SourceCheck {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            SourceCheck::changed("the file is no longer on disk")
        }
        _ => SourceCheck::unknown(format!("the file cannot be looked at: {error}")),
    }
}

fn compare(file: &FileState, found: &FileStat) -> SourceCheck {
    if !file.location.is_file() {
        return SourceCheck::changed("the file is no regular file any more");
    }
    if found.size != file.size {
        let (then, now) = (counted(file.size, "byte"), counted(found.size, "byte"));
        return SourceCheck::changed(format!("the file had {then} when it was read and has {now} now"));
    }
    if (found.mtime_s, found.mtime_ns) == file.mtime {
        return SourceCheck::unchanged();
    }
    if found.size > MAX_COMPARED_BYTES {
        return SourceCheck::unknown("the file was written after it was read, and is too large to compare");
    }
    match files::identify(&file.location, found) {
        Ok(now) if Some(now.hash) == file.hash => SourceCheck::unchanged(),
        Ok(_) => SourceCheck::changed("the file has other bytes of the same number"),
        Err(problem) => SourceCheck::unknown(format!("the file cannot be compared: {}", problem.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{corpus, execute, texts};
    use pensieve_text::model::ContentHash;

    #[test]
    fn a_file_that_cannot_be_looked_at_may_be_unchanged() {
        let check = |kind: ErrorKind, expected: Option<bool>| {
            assert_eq!(missing(&io::Error::from(kind)).is_unchanged, expected, "{kind}");
        };
        check(ErrorKind::NotFound, Some(false));
        check(ErrorKind::NotADirectory, Some(false));
        check(ErrorKind::PermissionDenied, None);
    }

    #[test]
    fn a_file_is_compared_by_its_kind_its_size_its_time_and_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "one").unwrap();
        let found = stat_at_path(&path).unwrap();
        let store = corpus(&[("a.txt", &["one"])]);
        let file_id = texts(&store, "SELECT CAST(file_id AS TEXT) FROM files")[0].parse().unwrap();
        let stored = store.files().container_of(file_id).unwrap().unwrap();
        let file = FileState {
            location: path.clone(),
            size: 3,
            mtime: (found.mtime_s, found.mtime_ns),
            hash: Some(ContentHash::of(b"other")),
            ..stored
        };
        let touched = FileState { mtime: (1, 2), ..file.clone() };
        let changed = SourceCheck::changed;
        assert_eq!(compare(&file, &found), SourceCheck::unchanged());
        assert_eq!(compare(&touched, &found), changed("the file has other bytes of the same number"));
        let same = FileState { hash: Some(ContentHash::of(b"one")), ..touched.clone() };
        assert_eq!(compare(&same, &found), SourceCheck::unchanged());
        let smaller = FileState { size: 1, ..same };
        let words = "the file had 1 byte when it was read and has 3 bytes now";
        assert_eq!(compare(&smaller, &found), changed(words));
        let of_folder = FileState { location: folder.path().to_owned(), ..file };
        assert_eq!(compare(&of_folder, &found), changed("the file is no regular file any more"));
        let large = FileStat { size: MAX_COMPARED_BYTES + 1, ..found };
        let unknown = "the file was written after it was read, and is too large to compare";
        let as_large = FileState { size: MAX_COMPARED_BYTES + 1, ..touched };
        assert_eq!(compare(&as_large, &large), SourceCheck::unknown(unknown));
        execute(&store, "DELETE FROM files");
        assert_eq!(check_source(&store, file_id).unwrap(), SourceCheck::default());
    }
}
