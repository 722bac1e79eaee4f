//! Names of output files, and writing them whole or not at all.

use super::RagMdError;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the name of an output ends with.
const ENDING: &str = ".rag.md";

/// Gives every document its output, in the order in which they are asked for.
#[derive(Debug)]
pub struct Names {
    folder: PathBuf,
    /// Names that are given away, in lower case: some file systems know no other.
    taken: HashSet<String>,
}

/// The output of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Where it goes.
    pub path: PathBuf,
    /// Another document had the name that this one would have.
    pub is_renamed: bool,
}

impl Names {
    /// Names in a folder; none of them is that of one of these documents.
    pub fn in_folder(folder: &Path, documents: &[&Path]) -> Names {
        let home = folder.canonicalize().ok();
        let inside = documents.iter().filter(|document| {
            let parent = document.canonicalize().ok().and_then(|path| path.parent().map(Path::to_path_buf));
            parent.is_some() && parent == home
        });
        let taken = inside.filter_map(|document| document.file_name()).map(key).collect();
        Names { folder: folder.to_owned(), taken }
    }

    /// The output of the next document: `NAME.rag.md`, or `NAME-2.rag.md` where that is taken.
    pub fn next(&mut self, document: &Path) -> Named {
        let stem = document.file_stem().unwrap_or_else(|| "document".as_ref());
        let mut number = 1;
        loop {
            let mut name = OsString::from(stem);
            if number > 1 {
                name.push(format!("-{number}"));
            }
            name.push(ENDING);
            if self.taken.insert(key(&name)) {
                return Named { path: self.folder.join(name), is_renamed: number > 1 };
            }
            number += 1;
        }
    }
}

fn key(name: &std::ffi::OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

/// Makes the folder of the output.
pub(super) fn make_folder(folder: &Path) -> Result<(), RagMdError> {
    fs::create_dir_all(folder).map_err(|source| RagMdError::Unwritable { path: folder.to_owned(), source })
}

/// Writes a text under its name when it is whole; a text of before stays until then.
pub(super) fn write(path: &Path, text: &str) -> Result<(), RagMdError> {
    let failed = |source| RagMdError::Unwritable { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".pensieve-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
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
            let named = names.next(Path::new(document));
            (named.path.file_name().unwrap().to_string_lossy().into_owned(), named.is_renamed)
        };
        assert_eq!(name("a.epub"), ("a.rag.md".to_owned(), false));
        assert_eq!(name("sub/A.docx"), ("A-2.rag.md".to_owned(), true));
        assert_eq!(name("b.tar.gz"), ("b.tar.rag.md".to_owned(), false));
        assert_eq!(name("c.epub"), ("c-2.rag.md".to_owned(), true));
    }

    #[test]
    fn a_text_is_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rag.md");
        write(&path, "one").unwrap();
        write(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(&folder.path().join("no/such"), "x").is_err());
    }
}
