//! Packages that are whole, cut, altered or hostile.

use super::testing::package;
use super::*;
use crate::limits::archive::{MAX_DIRECTORY_BYTES, MAX_ENTRIES};
use pensieve_text::model::Document;

const RECORD: &[u8; 4] = b"PK\x01\x02";
const END: &[u8; 4] = b"PK\x05\x06";

fn with<T>(bytes: &[u8], look: impl FnOnce(Result<Archive<'_>, Problem>) -> T) -> (T, Document) {
    let mut file = io::Cursor::new(bytes);
    let mut source = DocumentSource::new(&mut file, "x.zip").unwrap();
    let seen = look(Archive::open(&mut source));
    let mut document = Document::default();
    source.report(&mut document);
    (seen, document)
}

fn read(bytes: &[u8], name: &str) -> (Result<String, Problem>, Document) {
    let (found, document) = with(bytes, |archive| archive.and_then(|mut archive| archive.read(name)));
    (found.map(|bytes| String::from_utf8(bytes).unwrap()), document)
}

/// Checks an entry of a package about which there is nothing to report.
fn check(bytes: &[u8], name: &str, expected: &str) {
    assert_eq!(read(bytes, name), (Ok(expected.to_owned()), Document::default()), "of {name}");
}

/// Checks an entry of a package that was repaired, and the reason to review it.
fn check_repaired(bytes: &[u8], name: &str, expected: &str, detail: &str) {
    let (found, document) = read(bytes, name);
    assert_eq!(found, Ok(expected.to_owned()), "of {name}");
    assert_eq!(document.review_reasons, [ReviewReason::repaired(detail)]);
    assert_eq!(document.problems, []);
}

fn fails(bytes: &[u8], name: &str) -> ProblemKind {
    read(bytes, name).0.unwrap_err().kind
}

fn message(bytes: &[u8], name: &str) -> String {
    read(bytes, name).0.unwrap_err().message
}

/// The same package with another name of the same length.
fn renamed(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = memchr::memmem::find_iter(&bytes, from).collect();
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to));
    bytes
}

fn changed(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    [&bytes[..at], new, &bytes[at + new.len()..]].concat()
}

fn find(bytes: &[u8], magic: &[u8]) -> usize {
    memchr::memmem::find(bytes, magic).unwrap()
}

fn find_end(bytes: &[u8]) -> usize {
    memchr::memmem::rfind(bytes, END).unwrap()
}

fn with_count(bytes: &[u8], count: u16) -> Vec<u8> {
    changed(bytes, find_end(bytes) + 8, &[count.to_le_bytes(), count.to_le_bytes()].concat())
}

/// An end record.
fn end(count: u16, length: u32, offset: u32) -> Vec<u8> {
    let numbers =
        [&count.to_le_bytes()[..], &count.to_le_bytes(), &length.to_le_bytes(), &offset.to_le_bytes()];
    [END, &[0; 4], &numbers.concat()[..], &[0; 2]].concat()
}

/// A directory of so many records with names of this length, and its end.
fn directory(count: usize, name_bytes: u16) -> Vec<u8> {
    let record = [RECORD, &[0; 24][..], &name_bytes.to_le_bytes(), &[0; 16]].concat();
    let records = [record, vec![b'n'; usize::from(name_bytes)]].concat().repeat(count);
    let end = end(count as u16, records.len() as u32, 0);
    [records, end].concat()
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
    let older = package(&[("a", b"111"), ("b", b"222")]);
    check(&[b"MZ some program", &bytes[..]].concat(), "b", "two");
    check(&[&bytes[..], &[7; 3000]].concat(), "b", "two");
    check(&[&older[..], &bytes].concat(), "b", "two");
    let comment = [&b"a comment like "[..], &end(0, 0, 0), b"."].concat();
    let with_comment = changed(&bytes, bytes.len() - 2, &(comment.len() as u16).to_le_bytes());
    check(&[with_comment, comment].concat(), "b", "two");
}

#[test]
fn a_package_that_was_cut_short_is_refused() {
    let bytes = package(&[("a", b"one"), ("b", b"two"), ("c", &[b'x'; 4000])]);
    let no_end = "the package has no directory: it was cut short, or is no ZIP package";
    assert_eq!(message(&bytes[..find(&bytes, RECORD)], "a"), no_end);
    assert_eq!(message(&bytes[..find_end(&bytes) + 21], "a"), no_end);
    assert_eq!(message(b"no package at all", "a"), no_end);
    assert_eq!(message(b"", "a"), no_end);
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
fn a_wrong_count_loses_nothing() {
    let bytes = package(&[("a", b"one"), ("b", b"two"), ("c", b"three")]);
    for count in [0, 1, 2, 3] {
        check(&with_count(&bytes, count), "a", "one");
        check(&with_count(&bytes, count), "c", "three");
    }
    let detail = "the package has 3 entries, and the end of its directory counts 4";
    check_repaired(&with_count(&bytes, 4), "c", "three", detail);
}

#[test]
fn a_directory_that_breaks_off_is_completed_from_the_headers_of_its_entries() {
    let bytes = package(&[("a", b"one"), ("b", b"two"), ("c", b"three")]);
    let broken = "the directory of the package is damaged: entries are found by their own headers";
    let records: Vec<usize> = memchr::memmem::find_iter(&bytes, RECORD).collect();
    for &record in &records {
        let bytes = changed(&bytes, record, b"xxxx");
        check_repaired(&bytes, "a", "one", broken);
        check_repaired(&bytes, "c", "three", broken);
    }
    // Neither length nor place of the directory is right.
    let lost = changed(&bytes, find_end(&bytes) + 12, &[0xee; 8]);
    check_repaired(&lost, "c", "three", broken);
    let uncounted = with_count(&changed(&bytes, records[1], b"xxxx"), 0);
    check_repaired(&uncounted, "c", "three", broken);
}

#[test]
fn entries_that_are_not_where_the_directory_says_are_found() {
    let bytes = package(&[("a", b"one"), ("b", b"two")]);
    let detail = "the directory of the package points to wrong places";
    for place in [[3, 0, 0, 0], [0xfe; 4]] {
        let moved = changed(&bytes, find(&bytes, RECORD) + 42, &place);
        check_repaired(&moved, "a", "one", detail);
        check(&moved, "b", "two");
    }
    let gone = changed(&changed(&bytes, 0, b"xxxx"), find(&bytes, RECORD) + 42, &[3]);
    assert_eq!(message(&gone, "a"), "`a` is not where the package says");
}

#[test]
fn entries_that_are_lost_are_a_problem() {
    let bytes = package(&[("a", b"one"), ("b", b"two"), ("c", b"three")]);
    let at = find(&bytes, b"PK\x03\x04\x14\0\0\0\x08\0");
    let bytes = changed(&changed(&bytes, find(&bytes, RECORD), b"xxxx"), at, b"xxxx");
    let (found, document) = read(&bytes, "c");
    let detail = "the directory of the package is damaged: 2 of 3 entries are found";
    assert_eq!(found, Ok("three".to_owned()));
    assert_eq!(document.problems, [Problem::new(ProblemKind::Damaged, detail)]);
    assert_eq!(document.review_reasons, [ReviewReason::skipped(detail)]);
    let none = [b"no entry"[..].to_vec(), end(2, 9, 9)].concat();
    assert_eq!(
        message(&none, "a"),
        "the directory of the package is damaged, and no entry is found without it"
    );
    assert_eq!(message(&end(0, 0, 0), "a"), "the package has no `a`");
}

#[test]
fn the_last_of_several_headers_with_one_name_counts() {
    let inner = package(&[("inside", b"no entry of the package")]);
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in [("x1", &b"old"[..]), ("x2", b"new"), ("z", &inner)] {
        zip.start_file(name, stored).unwrap();
        io::Write::write_all(&mut zip, content).unwrap();
    }
    let mut bytes = renamed(zip.finish().unwrap().into_inner(), b"x1", b"x2");
    // The last three records are those of the package; the one before is that of the package inside.
    let mut records: Vec<usize> = memchr::memmem::find_iter(&bytes, RECORD).collect();
    for lost in records.split_off(1) {
        bytes[lost] = b'x';
        with(&bytes, |archive| assert_eq!(archive.unwrap().read("x2").unwrap(), b"new"));
    }
    with(&bytes, |archive| assert_eq!(archive.unwrap().names(), ["x2", "x2", "z"]));
}

#[test]
fn malformed_extra_fields_and_wrong_lengths_do_not_matter() {
    let bytes = package(&[("a", b"some words and some more words"), ("b", b"two")]);
    let record = find(&bytes, RECORD);
    for extra in [&b"\x99\x99\xff\0ab"[..], b"UT\x05\0\x03ab", b"UT\x01\0\x03", b"\x01\0\x01\0a", b"\0"] {
        let field = [extra.len() as u8, 0];
        let with_field = [&changed(&bytes, record + 30, &field)[..record + 47], extra, &bytes[record + 47..]];
        let with_field = with_field.concat();
        let length = (find_end(&with_field) - record) as u32;
        let with_field = changed(&with_field, find_end(&with_field) + 12, &length.to_le_bytes());
        check(&with_field, "a", "some words and some more words");
        check(&with_field, "b", "two");
    }
    for length in [0, bytes[record + 20] - 8, 255] {
        check(&changed(&bytes, record + 20, &[length]), "a", "some words and some more words");
    }
}

#[test]
fn what_cannot_be_unpacked_says_why() {
    let bytes = package(&[("a", b"some words")]);
    let record = find(&bytes, RECORD);
    let changed = |at: usize, value: u8| changed(&bytes, at, &[value]);
    assert_eq!(fails(&changed(record + 10, 9), "a"), ProblemKind::ExtractionFailed);
    for (method, name) in [(9, "Deflate64"), (14, "LZMA"), (77, "method 77")] {
        let expected = format!("`a` is packed with {name}, which is not read");
        assert_eq!(message(&changed(record + 10, method), "a"), expected);
    }
    let impossible = "`a` is said to be larger than its packed bytes can become";
    assert_eq!(message(&changed(record + 27, 0x7f), "a"), impossible);
    assert_eq!(message(&changed(record + 10, 99), "a"), "`a` is encrypted with AES");
    assert_eq!(fails(&changed(record + 8, 1), "a"), ProblemKind::Encrypted);
    assert_eq!(fails(&changed(6, 1), "a"), ProblemKind::Encrypted);
    assert_eq!(fails(&changed(record + 16, 0), "a"), ProblemKind::Damaged);
    assert_eq!(message(&changed(record + 16, 0), "a"), "`a` cannot be unpacked: its checksum is wrong");
    let cut = [&bytes[..35], &bytes[record..]].concat();
    assert!(message(&cut, "a").starts_with("`a` cannot be unpacked: "), "{}", message(&cut, "a"));
}

#[test]
fn a_stored_entry_without_a_length_is_refused() {
    // Its lengths are after its data (flag 8), and the directory that repeats them is lost.
    let header = [&b"PK\x03\x04\x14\0\x08\0\0\0"[..], &[0; 16], &[1, 0, 0, 0], b"awords"].concat();
    let bytes = [header, end(1, 9, 9)].concat();
    assert_eq!(message(&bytes, "a"), "`a` is stored with an unknown length");
}

#[test]
fn a_package_with_the_wide_form_of_the_end_is_read() {
    let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    let large = zip::write::SimpleFileOptions::default().large_file(true);
    for (name, content) in [("a", b"one"), ("b", b"two")] {
        zip.start_file(name, large).unwrap();
        io::Write::write_all(&mut zip, content).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let (start, at) = (find(&bytes, RECORD) as u64, find_end(&bytes));
    let numbers = [2, 2, at as u64 - start, start].map(u64::to_le_bytes).concat();
    let wide = [&b"PK\x06\x06"[..], &44u64.to_le_bytes(), &[0; 12], &numbers].concat();
    let locator = [&b"PK\x06\x07"[..], &[0; 4], &(at as u64).to_le_bytes(), &[1, 0, 0, 0]].concat();
    let narrow = end(u16::MAX, u32::MAX, u32::MAX);
    let bytes = [&bytes[..at], &wide, &locator, &narrow].concat();
    check(&bytes, "b", "two");
    check(&[b"MZ some program", &bytes[..]].concat(), "b", "two");
}

#[test]
fn bombs_end_at_the_limit() {
    let bytes = package(&[("a", &vec![0; MAX_ENTRY_BYTES as usize + 1])]);
    assert_eq!(fails(&bytes, "a"), ProblemKind::SizeLimit);
    let opened = |bytes: &[u8]| with(bytes, |archive| archive.map(|archive| archive.names().len())).0;
    let refused = |bytes: &[u8]| opened(bytes).map_err(|problem| (problem.kind, problem.message));
    let too_many = "the package has more than 65536 entries";
    let too_large = "the directory of the package is larger than 16777216 bytes";
    let size = |message: &str| Err((ProblemKind::SizeLimit, message.to_owned()));
    assert_eq!(opened(&directory(MAX_ENTRIES, 1)), Ok(MAX_ENTRIES));
    assert_eq!(refused(&directory(MAX_ENTRIES + 1, 1)), size(too_many));
    let longest = MAX_DIRECTORY_BYTES as usize >> 16;
    assert_eq!(opened(&directory(longest, u16::MAX - 45)), Ok(longest));
    assert_eq!(refused(&directory(longest + 1, u16::MAX - 45)), size(too_large));

    let header = |name_bytes: u16| {
        let header = [&b"PK\x03\x04"[..], &[0; 22], &name_bytes.to_le_bytes(), &[0; 2]].concat();
        [header, vec![b'n'; usize::from(name_bytes)]].concat()
    };
    let searched = |header: Vec<u8>, count: usize| refused(&[header.repeat(count), end(1, 9, 9)].concat());
    assert_eq!(searched(header(1), MAX_ENTRIES), Ok(MAX_ENTRIES));
    assert_eq!(searched(header(1), MAX_ENTRIES + 1), size(too_many));
    assert_eq!(searched(header(u16::MAX - 29), longest), Ok(longest));
    assert_eq!(searched(header(u16::MAX - 29), longest + 1), size(too_large));
    let both = [header(1), directory(MAX_ENTRIES, 1)].concat();
    assert_eq!(refused(&with_count(&changed(&both, find_end(&both) + 12, &[9; 8]), 1)), Ok(1));
}
