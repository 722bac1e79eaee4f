//! Names of output files, and writing them completely or not at all.

use super::error::RagMdError;
use std::collections::HashSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The end of the name of every output.
const OUTPUT_SUFFIX: &str = ".rag.md";

/// Gives every document the name of its output, in the order of the requests.
#[derive(Debug)]
pub struct Names {
    folder: PathBuf,
    /// Names in use, in lower case: some file systems do not distinguish case.
    taken: HashSet<String>,
    /// Names of the documents so far, in the same way.
    documents: HashSet<String>,
}

/// The output of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Where the output is written.
    pub path: PathBuf,
    /// True if another document has the name that this one would have had.
    pub is_renamed: bool,
}

impl Names {
    /// Creates the names of a folder; none of them is the name of one of these documents.
    pub fn in_folder(folder: &Path, documents: &[&Path]) -> Names {
        let home = folder.canonicalize().ok();
        let inside = documents.iter().filter(|document| {
            let parent = document.canonicalize().ok().and_then(|path| path.parent().map(Path::to_path_buf));
            parent.is_some() && parent == home
        });
        let taken = inside.filter_map(|document| document.file_name()).map(key).collect();
        Names { folder: folder.to_owned(), taken, documents: HashSet::new() }
    }

    /// The output of the next document in `below` of the folder: `NAME.rag.md`; `NAME.EXTENSION.rag.md` if that is taken and the
    /// extension tells the two apart; else with numbers.
    pub fn next(&mut self, document: &Path, below: &Path) -> Named {
        let stem = document.file_stem().unwrap_or_else(|| "document".as_ref());
        let whole = document.file_name().unwrap_or(stem);
        let is_first_of_its_name = self.documents.insert(key(below.join(whole).as_os_str()));
        let with_extension = is_first_of_its_name.then(|| whole.to_owned());
        let numbered = (2..).map(|number| {
            let mut name = stem.to_owned();
            name.push(format!("-{number}"));
            name
        });
        let names = std::iter::once(stem.to_owned()).chain(with_extension).chain(numbered);
        let free = names.enumerate().find_map(|(at, mut name)| {
            name.push(OUTPUT_SUFFIX);
            let place = below.join(name);
            let is_free = self.taken.insert(key(place.as_os_str()));
            is_free.then(|| Named { path: self.folder.join(place), is_renamed: at > 0 })
        });
        free.expect("there are more numbers than documents")
    }
}

fn key(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

/// Creates the folder of the output.
pub(super) fn make_folder(folder: &Path) -> Result<(), RagMdError> {
    fs::create_dir_all(folder).map_err(|source| RagMdError::Unwritable { path: folder.to_owned(), source })
}

/// Writes the text of a document atomically. An earlier file stays until the new one is complete if it may be replaced, and
/// for good if not.
pub(super) fn write(path: &Path, text: &str, document: &Path, replace: bool) -> Result<(), RagMdError> {
    let failed = |source| RagMdError::Unwritable { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The user alone can read it, as all files that are made this way.
    let named = tempfile::Builder::new().prefix(".pensieve-").suffix(".part").tempfile_in(folder);
    let mut file = named.map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    // A file that is replaced keeps its permissions.
    if let Some(earlier) = fs::metadata(path).ok().filter(|_| replace) {
        file.as_file().set_permissions(earlier.permissions()).map_err(failed)?;
    }
    let persisted = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(drop).map_err(|error| match error.error.kind() {
        ErrorKind::AlreadyExists => occupied(path, document),
        _ => failed(error.error),
    })
}

/// Refuses an output that is there already, before its document is read.
pub(super) fn refuse_occupied(path: &Path, document: &Path) -> Result<(), RagMdError> {
    if path.exists() { Err(occupied(path, document)) } else { Ok(()) }
}

fn occupied(path: &Path, document: &Path) -> RagMdError {
    RagMdError::Occupied { path: path.to_owned(), document: document.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("c.rag.md");
        fs::write(&input, "x").unwrap();
        let mut names = Names::in_folder(folder.path(), &[&input]);
        let mut name = |document: &str| {
            let named = names.next(Path::new(document), Path::new(""));
            (named.path.file_name().unwrap().to_string_lossy().into_owned(), named.is_renamed)
        };
        assert_eq!(name("a.epub"), ("a.rag.md".to_owned(), false));
        assert_eq!(name("sub/A.docx"), ("A.docx.rag.md".to_owned(), true));
        assert_eq!(name("other/a.docx"), ("a-2.rag.md".to_owned(), true));
        assert_eq!(name("b.tar.gz"), ("b.tar.rag.md".to_owned(), false));
        assert_eq!(name("c.epub"), ("c.epub.rag.md".to_owned(), true));
    }

    #[test]
    fn a_text_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rag.md");
        let write = |path: &Path, text, replace| write(path, text, Path::new("a.epub"), replace);
        write(&path, "one", false).unwrap();
        assert!(matches!(write(&path, "two", false), Err(RagMdError::Occupied { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, "two", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("no/such"), "x", true).is_err());
    }
}
