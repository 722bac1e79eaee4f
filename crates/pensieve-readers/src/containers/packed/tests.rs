//! Packed files and packed archives.

use super::super::tar::testing::{archive, entry};
use super::super::testing::{EntryCollector, check, read_into};
use super::*;
use crate::source::ReadFormat;
use flate2::Compression;
use flate2::read::GzEncoder;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    GzEncoder::new(bytes, Compression::default()).read_to_end(&mut packed).unwrap();
    packed
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    bzip2::read::BzEncoder::new(bytes, bzip2::Compression::new(1)).read_to_end(&mut packed).unwrap();
    packed
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// `words\n` packed with xz 5.4.
const XZ: &[u8] = include_bytes!("words.xz");

#[test]
fn a_packed_file_is_one_document() {
    check(read_gzip, "notes.txt.gz", &gzip(b"words"), &["notes.txt: words"], &[]);
    check(read_bzip2, "notes.txt.bz2", &bzip2(b"words"), &["notes.txt: words"], &[]);
    check(read_zstd, "notes.txt.zst", &zstd(b"words"), &["notes.txt: words"], &[]);
    check(read_xz, "notes.txt.xz", XZ, &["notes.txt: words\n"], &[]);
    check(read_gzip, "empty.gz", &gzip(b""), &["empty: "], &[]);
}

#[test]
fn a_packed_archive_is_the_archive() {
    let tar = archive(&[entry(b"a.txt", b'0', b"one"), entry(b"b/c.txt", b'0', b"two")]);
    let expected = ["a.txt: one", "b/c.txt: two"];
    let packings: [(ReadFormat, Vec<u8>); 3] =
        [(read_gzip, gzip(&tar)), (read_bzip2, bzip2(&tar)), (read_zstd, zstd(&tar))];
    for (reader, packed) in packings {
        check(reader, "backup", &packed, &expected, &[]);
        let mut sink = EntryCollector { room: 2, ..EntryCollector::default() };
        read_into(&mut sink, reader, "backup", &packed).unwrap();
        assert_eq!(sink.lines, ["a.txt: 3 bytes streamed", "b/c.txt: 3 bytes streamed"]);
    }
}

#[test]
fn the_name_loses_its_last_extension() {
    let check = |name: &str, expected: &str| assert_eq!(unpacked_name(name), expected);
    check("dump.sql.gz", "dump.sql");
    check("DUMP.SQL.GZ", "DUMP.SQL");
    check("a.tgz", "a.tar");
    check("map.svgz", "map.svg");
    check("data.bin", "data.bin");
    check(".gz", ".gz");
    check("x", "x");
}

#[test]
fn what_is_damaged_is_read_as_far_as_it_goes() {
    let words = "some words and more of them, none of which come twice: 1 2 3 4 5 6 7 8 9\n";
    let whole = gzip(words.repeat(2000).as_bytes());
    let mut sink = EntryCollector::default();
    read_into(&mut sink, read_gzip, "a.txt.gz", &whole[..whole.len() - 9]).unwrap();
    assert!(sink.lines[0].starts_with("a.txt: some words"), "{}", &sink.lines[0][..50]);
    assert!(sink.lines[0].contains("[Damaged: cannot be unpacked to its end: "));
    check(
        read_gzip,
        "a.gz",
        &[gzip(b"one"), b"rest".to_vec()].concat(),
        &["a: one[Damaged: cannot be unpacked to its end: bytes that are not packed follow its end]"],
        &[],
    );
    let mut sink = EntryCollector::default();
    read_into(&mut sink, read_gzip, "a.gz", b"\x1f\x8b\x08nonsense").unwrap();
    assert!(sink.lines[0].starts_with("a: [Damaged: "), "{}", sink.lines[0]);
}

#[test]
fn a_bomb_ends_at_the_limit() {
    let packed = gzip(&vec![0; 1 << 20]);
    let mut sink = EntryCollector { unpackable: 1 << 16, ..EntryCollector::default() };
    let document = read_into(&mut sink, read_gzip, "zeros.gz", &packed).unwrap();
    assert_eq!(sink.lines, ["zeros: [SizeLimit: too much]"]);
    assert_eq!(document.problems.len(), 1);
}
