//! Packages that are whole, cut, altered or hostile.

use super::testing::package;
use super::*;

const DIRECTORY_HEADER: &[u8; 4] = b"PK\x01\x02";

fn with<T>(bytes: &[u8], look: impl FnOnce(Result<Archive<'_>, Problem>) -> T) -> T {
    let mut file = io::Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "x.zip").unwrap();
    look(Archive::open(&mut source))
}

fn check(bytes: &[u8], name: &str, expected: &str) {
    let found = with(bytes, |archive| archive.and_then(|mut archive| archive.read(name)));
    assert_eq!(found.map(|bytes| String::from_utf8(bytes).unwrap()), Ok(expected.to_owned()), "of {name}");
}

fn fails(bytes: &[u8], name: &str) -> ProblemKind {
    with(bytes, |archive| archive.and_then(|mut archive| archive.read(name))).unwrap_err().kind
}

/// The same package with another name of the same length.
fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, from).collect();
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

#[test]
fn entries_are_found_by_name_in_any_case() {
    let bytes = package(&[("a/B.txt", b"one"), ("Cafe\u{301}", b"two"), ("x1", b"old"), ("x2", b"new")]);
    let bytes = renamed(bytes, b"x1", b"x2");
    check(&bytes, "a/B.txt", "one");
    check(&bytes, "/A/b.TXT", "one");
    check(&bytes, "caf\u{e9}", "two");
    check(&bytes, "x2", "new");
    assert_eq!(fails(&bytes, "y"), ProblemKind::Damaged);
}

#[test]
fn bytes_around_a_package_do_not_matter() {
    let bytes = package(&[("a", b"one"), ("b", b"two")]);
    check(&[b"MZ some program", &bytes[..]].concat(), "b", "two");
    check(&[&bytes[..], &[7; 3000]].concat(), "b", "two");
}

#[test]
fn a_package_that_was_cut_short_is_refused() {
    let bytes = package(&[("a", b"one"), ("b", b"two"), ("c", &[b'x'; 4000])]);
    let directory = memchr::memmem::find(&bytes, DIRECTORY_HEADER).unwrap();
    with(&bytes[..directory], |archive| assert!(archive.is_err()));
    for cut in 0..bytes.len() {
        with(&bytes[..cut], |archive| {
            let mut archive = archive.ok()?;
            let names = archive.names().to_vec();
            names.iter().for_each(|name| drop(archive.salvage(name)));
            Some(())
        });
    }
}

#[test]
fn what_cannot_be_unpacked_says_why() {
    let bytes = package(&[("a", b"some words")]);
    let directory = memchr::memmem::find(&bytes, DIRECTORY_HEADER).unwrap();
    let changed = |at: usize, value: u8| {
        let mut changed = bytes.clone();
        changed[at] = value;
        changed
    };
    assert_eq!(fails(&changed(directory + 10, 12), "a"), ProblemKind::ExtractionFailed);
    assert_eq!(fails(&changed(directory + 8, 1), "a"), ProblemKind::Encrypted);
    assert_eq!(fails(&changed(directory + 16, 0), "a"), ProblemKind::Damaged);
    assert_eq!(fails(&changed(directory + 42, 3), "a"), ProblemKind::Damaged);
    assert_eq!(fails(b"no package at all", "a"), ProblemKind::Damaged);
    assert_eq!(fails(b"", "a"), ProblemKind::Damaged);
}

#[test]
fn bombs_end_at_the_limit() {
    let bytes = package(&[("a", &vec![0; MAX_ENTRY_BYTES as usize + 1])]);
    assert_eq!(fails(&bytes, "a"), ProblemKind::SizeLimit);
    let headers = [&b"PK\x03\x04"[..], &[0; 22], &[1, 0, 0, 0], b"a"].concat().repeat(70_000);
    with(&headers, |archive| assert!(archive.is_err()));
}
