//! Files of a collection: their paths, and writing them so that a kill leaves either the old file or the new one.

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

    /// The folder of raw texts, as they were received.
    pub fn raw(&self) -> PathBuf {
        self.out.join("raw").join("gutenberg")
    }

    /// The raw text of a work.
    pub fn raw_file(&self, stem: &str) -> PathBuf {
        self.raw().join(format!("{stem}.txt"))
    }

    /// The folder of results.
    pub fn processed(&self) -> PathBuf {
        self.out.join("processed")
    }

    /// The clean book of a work.
    pub fn book_file(&self, stem: &str) -> PathBuf {
        self.processed().join("books").join(format!("{stem}.txt"))
    }
}

/// Writes a file atomically: to a temporary name, then renamed. A file that already has these bytes is left alone.
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

/// A value as indented JSON with a final line end.
pub fn pretty(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(io::Error::from)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Values as JSON lines.
pub fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for value in values {
        serde_json::to_writer(&mut bytes, &value).map_err(io::Error::from)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}
