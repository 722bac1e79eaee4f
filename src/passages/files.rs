//! Files of a collection: where they lie, and how they are written so that a kill leaves the old one or the new one.

use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folders of a collection.
#[derive(Debug, Clone)]
pub struct CollectionFolder {
    out: PathBuf,
}

impl CollectionFolder {
    /// A collection in this folder.
    pub fn new(out: &Path) -> CollectionFolder {
        CollectionFolder { out: out.to_owned() }
    }

    /// Texts as they came.
    pub fn raw(&self) -> PathBuf {
        self.out.join("raw").join("gutenberg")
    }

    /// The text of a work as it came.
    pub fn raw_file(&self, stem: &str) -> PathBuf {
        self.raw().join(format!("{stem}.txt"))
    }

    /// What was made.
    pub fn processed(&self) -> PathBuf {
        self.out.join("processed")
    }

    /// The clean text of a work.
    pub fn book_file(&self, stem: &str) -> PathBuf {
        self.processed().join("books").join(format!("{stem}.txt"))
    }
}

/// Writes a file whole: beside its place first, then renamed. One that has these bytes already is left alone.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut beside = path.file_name().unwrap_or_default().to_owned();
    beside.push(".part");
    let beside = folder.join(beside);
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

/// A value as JSON that people can read, with a line end.
pub fn pretty(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Values as JSON, one a line.
pub fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for value in values {
        serde_json::to_writer(&mut bytes, &value).map_err(io::Error::from)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}
