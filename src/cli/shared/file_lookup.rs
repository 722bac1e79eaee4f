//! The files of a database that a path names, and the text of a file by its version.

use super::context::absolute;
use super::failure::Failure;
use pensieve_store::scan::stored_path;
use pensieve_store::store::{FileState, MEMBER_SEPARATOR, Store, StoredVersion};
use std::path::Path;

/// Maximum number of inner documents that are listed when the name matches none of them.
const MAX_LISTED_MEMBERS: usize = 5;

/// The files that a path names: by the path on disk, the path below the root, or the end of either.
pub fn all(store: &Store, file: &Path) -> Result<Vec<FileState>, Failure> {
    let (full, _) = stored_path(absolute(file).as_os_str());
    let (given, _) = stored_path(file.as_os_str());
    Ok(store.files().named(&full, given.trim_start_matches("./"))?)
}

/// The one file that a path names.
pub fn one(store: &Store, file: &Path) -> Result<FileState, Failure> {
    let mut found = all(store, file)?;
    match found.len() {
        0 => Err(none(store, file)?),
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

/// The failure for a path that names no file; if the path is inside a document, it lists what that document contains.
pub fn none(store: &Store, file: &Path) -> Result<Failure, Failure> {
    Ok(Failure::NoSuchFile {
        file: file.to_string_lossy().into_owned(),
        database: store.path().to_string_lossy().into_owned(),
        hint: match list_members(store, &file.to_string_lossy())? {
            Some(hint) => hint,
            None => {
                "give the path as it is on disk, the path below the ingested folder, or the end of either"
                    .to_owned()
            }
        },
    })
}

/// For `mail.eml » 4` without such a part: the innermost existing document of that name, and what it contains.
fn list_members(store: &Store, name: &str) -> Result<Option<String>, Failure> {
    let mut outer = name;
    while let Some((before, _)) = outer.rsplit_once(MEMBER_SEPARATOR) {
        outer = before;
        let [file] = &all(store, Path::new(outer))?[..] else { continue };
        let members = store.documents().members_of(store.files().canonical_of(file)?.file_id)?;
        let mut names: Vec<String> =
            members.iter().take(MAX_LISTED_MEMBERS).map(|member| format!("`{}`", member.name)).collect();
        if members.len() > MAX_LISTED_MEMBERS {
            names.push(format!("{} more", members.len() - MAX_LISTED_MEMBERS));
        }
        return Ok(Some(match members.is_empty() {
            true => format!("`{outer}` contains no documents"),
            false => format!("`{outer}` contains {}", names.join(", ")),
        }));
    }
    Ok(None)
}

/// The stored text of this version; without a name, the current one of a variant.
pub fn version<'v>(
    file: &FileState,
    versions: &'v [StoredVersion],
    name: Option<&str>,
    variant: &str,
) -> Result<&'v StoredVersion, Failure> {
    let is_meant = |stored: &&StoredVersion| match name {
        Some(name) => stored.version == name,
        None => stored.variant.as_str() == variant && stored.is_current,
    };
    versions.iter().find(is_meant).ok_or_else(|| no_text(file, variant, name, versions))
}

/// The failure for a missing text: which one, why, and which texts there are.
pub fn no_text(file: &FileState, variant: &str, name: Option<&str>, versions: &[StoredVersion]) -> Failure {
    let stored: Vec<&str> = versions.iter().map(|stored| stored.version.as_str()).collect();
    Failure::NoText {
        file: file.location.to_string_lossy().into_owned(),
        what: match name {
            Some(name) => format!("text of version `{name}`"),
            None => format!("{variant} text"),
        },
        reason: match (&file.reason, file.status) {
            _ if !stored.is_empty() => format!("stored are {}", stored.join(", ")),
            (Some(reason), _) => reason.clone(),
            (None, Some(status)) => status.to_string(),
            (None, None) => file.file_type.to_string(),
        },
    }
}
