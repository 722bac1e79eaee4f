//! The file that a person means by a path, among the files of a database.

use super::{Failure, absolute};
use crate::scan::stored_path;
use crate::store::{FileState, Store};
use std::path::Path;

/// The files that answer to a path: as it is on disk, below its root, or by its end.
pub fn all(store: &Store, file: &Path) -> Result<Vec<FileState>, Failure> {
    let (full, _) = stored_path(absolute(file).as_os_str());
    let (given, _) = stored_path(file.as_os_str());
    Ok(store.files_named(&full, given.trim_start_matches("./"))?)
}

/// The one file that answers.
pub fn one(store: &Store, file: &Path) -> Result<FileState, Failure> {
    let mut found = all(store, file)?;
    match found.len() {
        0 => Err(Failure::NoSuchFile {
            file: file.to_string_lossy().into_owned(),
            database: store.path().to_string_lossy().into_owned(),
        }),
        1 => Ok(found.remove(0)),
        _ => Err(Failure::Ambiguous {
            file: file.to_string_lossy().into_owned(),
            candidates: found
                .iter()
                .take(5)
                .map(|file| file.location.to_string_lossy().into_owned())
                .collect(),
        }),
    }
}
