//! The golden documents, shared by the tests over them.

use std::fs;
use std::path::{Path, PathBuf};

/// `tests/golden`, with one folder for each format.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folder's name and the path of every golden document, sorted.
pub fn documents() -> Vec<(String, PathBuf)> {
    let mut documents = Vec::new();
    for format in fs::read_dir(folder()).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let name = format.file_name().into_string().unwrap();
        for path in fs::read_dir(format.path()).unwrap().flatten().map(|file| file.path()) {
            let is_document =
                path.extension().is_none_or(|extension| extension != "golden" && extension != "py");
            if is_document && path.is_file() {
                documents.push((name.clone(), path));
            }
        }
    }
    documents.sort();
    documents
}
