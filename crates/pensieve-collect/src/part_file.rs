//! The file that a download is written to, and the note beside it from which the next request continues.

use crate::files;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is recorded of an interrupted download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartialDownload {
    /// Its address.
    pub url: String,
    /// Entity tag or date by which the server identifies the version.
    pub version: String,
}

/// A download that has not been accepted yet.
#[derive(Debug)]
pub struct PartFile {
    /// The bytes that have arrived.
    pub path: PathBuf,
    note: PathBuf,
}

impl PartFile {
    /// The files of a work in the folder of raw texts; nothing is created.
    pub fn new(folder: &Path, stem: &str) -> PartFile {
        PartFile {
            path: folder.join(format!(".{stem}.txt.part")),
            note: folder.join(format!(".{stem}.txt.part.json")),
        }
    }

    /// How many bytes have arrived.
    pub fn len(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |meta| meta.len())
    }

    /// The length of what has arrived from an address, if the server can tell whether the text has changed.
    pub fn partial(&self, url: &str) -> Option<(u64, PartialDownload)> {
        let partial: PartialDownload = serde_json::from_slice(&fs::read(&self.note).ok()?).ok()?;
        let len = self.len();
        (partial.url == url && len > 0).then_some((len, partial))
    }

    /// Prepares the file for a body that begins at `from`.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begin(&self, url: &str, from: u64, version: Option<&str>) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
        if from > 0 {
            return Ok(());
        }
        self.forget();
        let Some(version) = version else { return Ok(()) };
        let partial = PartialDownload { url: url.to_owned(), version: version.to_owned() };
        files::pretty(&partial).and_then(|bytes| files::write(&self.note, &bytes))
    }

    /// Removes the files.
    pub fn forget(&self) {
        let _ = fs::remove_file(&self.note);
        let _ = fs::remove_file(&self.path);
    }

    /// Returns everything that has arrived and removes the files.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn take(&self) -> io::Result<Vec<u8>> {
        let bytes = fs::read(&self.path)?;
        self.forget();
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_known_by_its_address_and_its_version() {
        let folder = tempfile::tempdir().unwrap();
        let part = PartFile::new(&folder.path().join("raw"), "a");
        let known = |url: &str| part.partial(url).map(|(len, partial)| (len, partial.version));
        assert_eq!((part.len(), known("http://a")), (0, None));
        part.begin("http://a", 0, Some("v1")).unwrap();
        assert_eq!(known("http://a"), None);
        fs::write(&part.path, "one").unwrap();
        assert_eq!((part.len(), known("http://a"), known("http://b")), (3, Some((3, "v1".to_owned())), None));
        part.begin("http://b", 3, Some("v2")).unwrap();
        assert_eq!(known("http://a"), Some((3, "v1".to_owned())));
        assert_eq!(part.take().unwrap(), b"one");
        assert_eq!((part.len(), known("http://a"), part.take().is_err()), (0, None, true));
        fs::write(&part.path, "two").unwrap();
        part.begin("http://a", 0, None).unwrap();
        assert_eq!((part.len(), known("http://a")), (0, None));
    }
}
