//! ZIP archives that are whole, divided, encrypted or hostile.

use super::super::testing::{EntryCollector, read_into};
use crate::shared::archive::testing::package;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

#[track_caller]
fn check(bytes: &[u8], expected: &[&str], problems: &[&str]) {
    super::super::testing::check(super::read, "a.zip", bytes, expected, problems);
}

fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn places(bytes: &[u8], magic: &[u8]) -> Vec<usize> {
    memchr::memmem::find_iter(bytes, magic).collect()
}

const RECORD: &[u8] = b"PK\x01\x02";

#[test]
fn files_are_documents_and_links_are_listed() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_directory("notes/", options).unwrap();
    writer.start_file("notes/a.txt", options).unwrap();
    writer.write_all(b"one").unwrap();
    writer.add_symlink("link", "../../etc/passwd", options).unwrap();
    writer.start_file("../up.txt", options).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    check(&bytes, &["notes/a.txt: one", "link: (a symbolic link to `../../etc/passwd`)", "up.txt: "], &[]);
}

#[test]
fn entries_with_one_name_are_two_documents() {
    let bytes = stored(&[("x1", b"one"), ("x2", b"two")]);
    let mut bytes = bytes;
    for at in places(&bytes.clone(), b"x1") {
        bytes[at + 1] = b'2';
    }
    check(&bytes, &["x2: one", "#2/x2: two"], &[]);
}

#[test]
fn entries_that_cannot_be_read_say_why() {
    let bytes = package(&[("a", b"some words"), ("b", b"two")]);
    let record = places(&bytes, RECORD)[0];
    let with = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    check(&with(record + 8, 1), &["a: [Encrypted: `a` is encrypted with a password]", "b: two"], &[]);
    check(&with(record + 10, 99), &["a: [Encrypted: `a` is encrypted with AES]", "b: two"], &[]);
    let wrong = "a: some words[Damaged: cannot be unpacked to its end: its checksum is wrong]";
    check(&with(record + 16, 0), &[wrong, "b: two"], &[]);
    let method = "a: [ExtractionFailed: `a` is packed with Deflate64, which is not read]";
    check(&with(record + 10, 9), &[method, "b: two"], &[]);
    let end = bytes.len() - 22;
    let parts = "the last of 3 files of one archive; entries in the others are missing";
    check(&with(end + 4, 2), &["a: some words", "b: two"], &[parts]);
}

#[test]
fn entries_that_overlap_are_refused() {
    let mut bytes = stored(&[("a", b"one"), ("b", b"two")]);
    let records = places(&bytes, RECORD);
    // Both records point to the first entry.
    for at in 42..46 {
        bytes[records[1] + at] = bytes[records[0] + at];
    }
    let overlap = "b: [Damaged: its data overlap those of another entry]";
    check(&bytes, &["a: one", overlap], &[]);
}

#[test]
fn entries_packed_with_zstandard_are_read() {
    let mut bytes = stored(&[("a", &zstd::encode_all(&b"words"[..], 1).unwrap())]);
    let record = places(&bytes, RECORD)[0];
    bytes[record + 10] = 93;
    // The checksum is that of the unpacked words.
    let mut crc = flate2::Crc::new();
    crc.update(b"words");
    bytes[record + 16..record + 20].copy_from_slice(&crc.sum().to_le_bytes());
    check(&bytes, &["a: words"], &[]);
}

#[test]
fn files_that_cannot_be_held_are_streamed_after_the_others() {
    let bytes = package(&[("large", &[b'x'; 3000]), ("small", b"one")]);
    let mut sink = EntryCollector { room: 1000, ..EntryCollector::default() };
    read_into(&mut sink, super::read, "a.zip", &bytes).unwrap();
    assert_eq!(sink.lines, ["small: one", "large: 3000 bytes streamed"]);
}
