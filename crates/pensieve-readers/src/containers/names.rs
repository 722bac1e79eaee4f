//! Names of the entries of an archive as places of documents: without parts that lead out of it, each only once.

use crate::limits::containers::MAX_NAME_BYTES;
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The places that the entries of one archive have taken.
///
/// An entry whose place is taken, or is inside a file or around one, is put below a folder that is named after its
/// number: `#17/notes/a.txt`.
#[derive(Default)]
pub(super) struct EntryPlaces {
    files: HashSet<u64>,
    folders: HashSet<u64>,
}

impl EntryPlaces {
    /// The place of the entry with this number and path, and its file name.
    pub fn take(&mut self, path: &str, number: usize) -> (String, String) {
        let mut place = safe_path(path);
        let name = place.rsplit('/').next().unwrap_or_default().to_owned();
        if !self.is_free(&place) {
            place = format!("#{number}/{place}");
        }
        while !self.is_free(&place) {
            place.insert(0, '#');
        }
        self.files.insert(hash(&place));
        self.folders.extend(folders_of(&place).map(hash));
        (place, name)
    }

    fn is_free(&self, place: &str) -> bool {
        let own = hash(place);
        let is_inside = || folders_of(place).any(|folder| self.files.contains(&hash(folder)));
        !self.files.contains(&own) && !self.folders.contains(&own) && !is_inside()
    }
}

/// The folders around a place, the outermost first.
fn folders_of(place: &str) -> impl Iterator<Item = &str> {
    place.match_indices('/').filter_map(|(at, _)| place.get(..at))
}

fn hash(place: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.hash(&mut hasher);
    hasher.finish()
}

/// A path without root, `.`, `..`, empty parts and zeros; never empty.
fn safe_path(path: &str) -> String {
    let is_kept = |part: &&str| !matches!(*part, "" | "." | "..");
    let path = path.replace('\0', "\u{fffd}");
    let safe = path.split('/').filter(is_kept).collect::<Vec<_>>().join("/");
    let start = safe.ceil_char_boundary(safe.len().saturating_sub(MAX_NAME_BYTES));
    let safe = safe.get(start..).unwrap_or_default().trim_start_matches('/');
    if safe.is_empty() { "unnamed".to_owned() } else { safe.to_owned() }
}

/// The text of a name in UTF-8; other bytes are written `\xnn`.
pub(super) fn name_text(bytes: &[u8]) -> String {
    let mut name = String::new();
    for chunk in bytes.utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(name, "\\x{byte:02x}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_inside_the_archive() {
        let check = |path: &str, expected: &str| assert_eq!(safe_path(path), expected, "{path:?}");
        check("notes/a.txt", "notes/a.txt");
        check("./notes//a.txt", "notes/a.txt");
        check("/etc/passwd", "etc/passwd");
        check("../../etc/./passwd", "etc/passwd");
        check("..", "unnamed");
        check("", "unnamed");
        check("a\0b", "a\u{fffd}b");
        let long = format!("{}/{}.txt", "é".repeat(2000), "b".repeat(500));
        assert!(safe_path(&long).len() <= MAX_NAME_BYTES && safe_path(&long).ends_with(".txt"));
        assert_eq!(name_text(b"caf\xe9.txt"), "caf\\xe9.txt");
    }

    #[test]
    fn no_place_is_taken_twice_and_none_is_inside_a_file() {
        let mut places = EntryPlaces::default();
        let mut number = 0;
        let mut check = |path: &str, expected: &str| {
            number += 1;
            let (place, name) = places.take(path, number);
            assert_eq!((place.as_str(), name.as_str()), (expected, path.rsplit('/').next().unwrap()));
        };
        check("a/b.txt", "a/b.txt");
        check("a/b.txt", "#2/a/b.txt");
        check("a", "#3/a");
        check("a/b.txt/1/c.txt", "#4/a/b.txt/1/c.txt");
        check("#6/a", "#6/a");
        check("a", "##6/a");
    }
}
