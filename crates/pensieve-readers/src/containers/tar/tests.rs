//! Archives that are whole, cut, altered or hostile.

use super::super::testing::{EntryCollector, read_into};
use super::testing::{archive, entry, header, signed};
use crate::limits::containers::MAX_TAR_HEADER_BYTES;
use pensieve_text::model::ProblemKind;

#[track_caller]
fn check(bytes: &[u8], expected: &[&str], problems: &[&str]) {
    super::super::testing::check(super::read, "a.tar", bytes, expected, problems);
}

#[test]
fn files_are_documents_and_other_entries_are_listed() {
    let entries = [
        entry(b"notes/", b'5', b""),
        entry(b"notes/a.txt", b'0', b"one"),
        entry(b"old", 0, b"two"),
        header(b"link", b'2', b"../../etc/passwd", 0),
        header(b"hard", b'1', b"notes/a.txt", 3),
        header(b"tty", b'3', b"", 0),
        header(b"pipe", b'6', b"", 0),
        entry(b"caf\xe9", b'0', b""),
        entry(b"../x", b'0', b"three"),
        entry(b"notes/a.txt", b'0', b"four"),
    ];
    let expected = [
        "notes/a.txt: one",
        "old: two",
        "link: (a symbolic link to `../../etc/passwd`)",
        "hard: (a hard link to `notes/a.txt`)",
        "tty: (a character device)",
        "pipe: (a FIFO)",
        "caf\\xe9: ",
        "x: three",
        "#10/notes/a.txt: four",
    ];
    check(&archive(&entries), &expected, &[]);
}

#[test]
fn long_names_and_sizes_come_from_the_headers_before() {
    let pax = |records: &[u8]| entry(b"pax", b'x', records);
    let prefixed = signed({
        let mut block = header(b"c.txt", b'0', b"", 0);
        block[345..351].copy_from_slice(b"folder");
        block
    });
    let entries = [
        entry(b"././@LongLink", b'L', b"very/long/name.txt\0"),
        entry(b"short", b'0', b"one"),
        pax(b"24 path=caf\xc3\xa9/paxed.txt\n"),
        entry(b"short", b'0', b"two"),
        entry(b"glob", b'g', b"14 path=all.x\n"),
        entry(b"short", b'0', b"three"),
        pax(b"12 size=512\n"),
        signed({
            let mut block = header(b"sized", b'0', b"", 0);
            block.extend([b'x'; 512]);
            block
        }),
    ];
    let mut entries = entries.to_vec();
    entries.insert(0, prefixed);
    // The checksum of the last header was taken with its data.
    let sized = header(b"sized", b'0', b"", 0);
    let last = entries.len() - 1;
    entries[last] = [sized, vec![b'x'; 512]].concat();
    let long = format!("#9/all.x: {}", "x".repeat(512));
    let expected =
        ["folder/c.txt: ", "very/long/name.txt: one", "café/paxed.txt: two", "all.x: three", &long];
    let mut sink = EntryCollector::default();
    read_into(&mut sink, super::read, "a.tar", &archive(&entries)).unwrap();
    let places: Vec<&str> = sink.lines.iter().map(|line| line.split_once(": ").unwrap().1).collect();
    let contents: Vec<&str> = expected.iter().map(|line| line.split_once(": ").unwrap().1).collect();
    assert_eq!(places, contents);
    assert_eq!(&sink.lines[..4], &expected[..4]);
}

#[test]
fn sparse_files_and_parts_of_files_are_listed() {
    let sparse = {
        let mut block = header(b"holes", b'S', b"", 512);
        block[482] = 1;
        let mut more = vec![0; 512];
        more[504] = 1;
        [signed(block), more, vec![0; 512], vec![b'x'; 512]].concat()
    };
    let pax = entry(b"pax", b'x', b"22 GNU.sparse.major=1\n30 GNU.sparse.name=holes2.txt\n");
    let entries = [
        sparse,
        pax,
        entry(b"GNUSparseFile.0/holes2.txt", b'0', b"map"),
        entry(b"rest", b'M', b"more"),
        entry(b"a.txt", b'0', b"one"),
    ];
    let expected = [
        "holes: [ExtractionFailed: a sparse file, which is not read]",
        "holes2.txt: [ExtractionFailed: a sparse file, which is not read]",
        "rest: [ExtractionFailed: it began in another volume of the archive]",
        "a.txt: one",
    ];
    check(&archive(&entries), &expected, &[]);
}

#[test]
fn an_archive_that_was_cut_or_altered_gives_what_is_before() {
    let bytes = archive(&[entry(b"a", b'0', b"one"), entry(b"b", b'0', b"some more words")]);
    let cut = "the archive was cut short; what follows is missing";
    check(&bytes[..1024], &["a: one"], &[cut]);
    check(&bytes[..1300], &["a: one"], &[cut]);
    let end = "[Damaged: cannot be unpacked to its end: the archive ends before it]";
    check(&bytes[..1540], &["a: one", &format!("b: some{end}")], &[cut]);
    check(&bytes[..2048], &["a: one", "b: some more words"], &[cut]);
    check(&bytes[..2560], &["a: one", "b: some more words"], &[]);
    let mut altered = bytes.clone();
    altered[1024] = b'x';
    check(&altered, &["a: one"], &["a header is damaged; what follows is not read"]);
    check(
        &[bytes.clone(), bytes.clone()].concat(),
        &["a: one", "b: some more words", "#3/a: one", "#4/b: some more words"],
        &[],
    );
    let after = [bytes, vec![b'x'; 512]].concat();
    check(&after, &["a: one", "b: some more words"], &["what follows its end mark is not read"]);
    let mut sink = EntryCollector::default();
    let failure = read_into(&mut sink, super::read, "a.tar", &[b'x'; 2000]).unwrap_err();
    assert_eq!(failure.kind, ProblemKind::Damaged);
}

#[test]
fn bombs_end_at_the_limits() {
    let long =
        [header(b"x", b'L', b"", MAX_TAR_HEADER_BYTES as usize + 1), vec![b'n'; (1 << 20) + 512]].concat();
    let bytes = archive(&[long, entry(b"cut", b'0', b"one")]);
    check(&bytes, &["cut: one"], &["names of entries are too long and are cut"]);
    let bytes = archive(&[entry(b"a", b'0', &[b'a'; 600]), entry(b"b", b'0', b"two")]);
    let mut sink = EntryCollector { unpackable: 500, ..EntryCollector::default() };
    let document = read_into(&mut sink, super::read, "a.tar", &bytes).unwrap();
    assert_eq!(sink.lines, ["a: [SizeLimit: too much]"]);
    assert_eq!(document.problems[0].kind, ProblemKind::SizeLimit);
    let huge = signed({
        let mut block = header(b"huge", b'0', b"", 0);
        block[124..136].copy_from_slice(&[0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        block
    });
    let end = "[Damaged: cannot be unpacked to its end: the archive ends before it]";
    let cut = "the archive was cut short; what follows is missing";
    check(&huge, &[&format!("huge: {end}")], &[cut]);
}

#[test]
fn files_that_cannot_be_held_are_streamed_after_the_others() {
    let bytes = archive(&[entry(b"large", b'0', &[b'x'; 3000]), entry(b"small", b'0', b"one")]);
    let mut sink = EntryCollector { room: 1000, ..EntryCollector::default() };
    read_into(&mut sink, super::read, "a.tar", &bytes).unwrap();
    assert_eq!(sink.lines, ["small: one", "large: 3000 bytes streamed"]);
}
