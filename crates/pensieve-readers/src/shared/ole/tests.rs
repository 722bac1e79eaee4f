//! Tests with small compound files, one idea each.

use super::properties::PropertySet;
use super::testing::{compound, compound_of, entry};
use super::*;
use std::io::Cursor;

fn opened(bytes: &[u8], check: impl FnOnce(Result<Compound<'_>, Problem>)) {
    let mut file = Cursor::new(bytes);
    check(Compound::over(&mut file, bytes.len() as u64));
}

#[test]
fn streams_are_found_by_name_and_read_whole_or_in_part() {
    let text: Vec<u8> = (0..6000u32).map(|at| at as u8).collect();
    let file = compound(&[("WordDocument", &text), ("1Table", b"table")]);
    opened(&file, |compound| {
        let mut compound = compound.expect("opens");
        let entry = compound.find("worddocument").expect("is there");
        assert_eq!(compound.read(entry).expect("reads"), text);
        assert_eq!(compound.read_range(entry, 500, 100).expect("reads"), text[500..600]);
        assert_eq!(compound.read_range(entry, 5990, 100).expect("reads"), text[5990..]);
        assert!(compound.read_path("1Table").expect("reads").expect("is there").starts_with(b"table\0"));
        assert_eq!(compound.read_path("nothing"), Ok(None));
        assert!(compound.damage().is_empty());
    });
}

#[test]
fn a_cut_file_gives_what_is_there() {
    let file = compound(&[("A", &[7; 5000])]);
    opened(&file[..file.len() - 1024], |compound| {
        let mut compound = compound.expect("opens");
        assert_eq!(compound.read(1).map(|bytes| bytes.len()), Ok(4096));
        assert_eq!(compound.damage(), ["the stream `A` is cut: 4096 of 5000 bytes"]);
    });
    opened(&file[..600], |compound| assert!(compound.is_err()));
    opened(b"\xd0\xcf\x11\xe0", |compound| assert!(compound.is_err()));
}

#[test]
fn chains_and_trees_that_go_round_end() {
    let mut file = compound(&[("A", &[7; 5000]), ("B", &[8; 10])]);
    // The first stream begins in sector 2, which now points to itself; each entry is the right neighbour of the
    // other.
    file[512 + 8..512 + 12].copy_from_slice(&2u32.to_le_bytes());
    file[1024 + 256 + 72..1024 + 256 + 76].copy_from_slice(&1u32.to_le_bytes());
    opened(&file, |compound| {
        let mut compound = compound.expect("opens");
        assert_eq!(compound.children(0), [1, 2]);
        assert_eq!(compound.read(1).map(|bytes| bytes.len()), Ok(512));
        assert_eq!(compound.damage(), ["the stream `A` is cut: 512 of 5000 bytes"]);
    });
}

/// Places in a file of [`compound`]: the allocation table and the first entry after the root.
const TABLE: usize = 512;
const ENTRY: usize = 1024 + 128;

#[test]
fn wrong_bytes_that_locate_nothing_cost_nothing() {
    let wrong: &[(&str, usize, &[u8])] = &[
        ("minor version", 24, &[0xff, 0xff]),
        ("version", 26, &[2, 0]),
        ("mark of the byte order", 28, &[0, 0]),
        ("size of a sector", 30, &[10, 0]),
        ("size of a mini sector", 32, &[0, 0]),
        ("sectors of the directory", 40, &[7]),
        ("sectors of the table", 44, &[0]),
        ("largest stream in the mini stream", 56, &[0, 0]),
        ("first sector of the mini table", 60, &[0, 0, 0, 0]),
        ("sectors of the mini table", 64, &[9]),
        ("first further sector of the table", 68, &[0, 0, 0, 0]),
        ("further sectors of the table", 72, &[9]),
        ("free sector that points to a used one", TABLE + 4 * 127, &[3, 0, 0, 0]),
        ("a slash in a name", ENTRY, b"/"),
        ("an exclamation mark in a name", ENTRY, b"!"),
        ("names out of order", ENTRY, b"W\0X\0Y\0Z\0Z\0"),
        ("length of a name without its end", ENTRY + 128 + 64, &[8]),
        ("length of a name", ENTRY + 128 + 64, &[0xff, 0xff]),
        ("colour", ENTRY + 67, &[7]),
        ("child of a stream", ENTRY + 76, &[2, 0, 0, 0]),
        ("upper half of a size", ENTRY + 128 + 124, &[1, 2, 3, 4]),
        ("kind of the root", ENTRY - 128 + 66, &[2]),
    ];
    let text = [5; 6000];
    for (what, at, bytes) in wrong {
        let mut file = compound(&[("A", &[7; 10]), ("Text", &text)]);
        file[*at..at + bytes.len()].copy_from_slice(bytes);
        opened(&file, |compound| {
            let mut compound = compound.expect(what);
            assert_eq!(compound.read_path("Text").expect(what).as_deref(), Some(&text[..]), "{what}");
            assert!(compound.damage().is_empty(), "{what}");
        });
    }
}

#[test]
fn files_of_version_4_have_larger_sectors_and_sizes() {
    let mut file = compound_of(4096, &[("A", &[7; 5000])]);
    opened(&file, |compound| {
        let mut compound = compound.expect("opens");
        assert_eq!(compound.read(1), Ok(vec![7; 5000]));
        assert!(compound.damage().is_empty());
    });
    file[2 * 4096 + 128 + 124] = 1;
    opened(&file, |compound| assert_eq!(compound.expect("opens").entries()[1].size, (1 << 32) + 5000));
}

#[test]
fn small_streams_are_made_of_sectors_of_the_mini_stream() {
    let mini: Vec<u8> = (0..8u8).flat_map(|at| [at; 64]).collect();
    let table: Vec<u8> = [9u32, 0xffff_fffe, 9, 1].iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut file = compound(&[("M", &mini), ("S", b""), ("T", &table)]);
    // `M` (sectors 2 to 9) becomes the mini stream, `T` (from sector 18) its table, `S` has 100 bytes from its sector 3.
    for (at, number) in [(1024 + 116, 2u32), (60, 18), (ENTRY + 128 + 116, 3), (ENTRY + 128 + 120, 100)] {
        file[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    opened(&file, |compound| {
        let mut compound = compound.expect("opens");
        assert_eq!(compound.read_path("S"), Ok(Some([[3; 64], [1; 64]].concat()[..100].to_vec())));
        assert_eq!(compound.read_range(2, 60, 10), Ok(vec![3, 3, 3, 3, 1, 1, 1, 1, 1, 1]));
    });
}

#[test]
fn the_table_of_a_large_file_goes_on_after_the_header() {
    // Sectors 0 to 108 and 110 are the table, 109 lists the last one, whose first sectors are the directory.
    let first = 109 * 128;
    let mut file = compound(&[]);
    let mut set = |at: usize, number: usize| {
        file.resize(file.len().max(at + 512), 0);
        file[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
    };
    (0..109).for_each(|at| set(76 + 4 * at, at));
    set(48, first);
    set(68, 109);
    set(512 * 110, 110);
    set(512 * 110 + 508, 0xffff_fffe);
    set(512 * 111, first + 1);
    set(512 * 111 + 4, 0xffff_fffe);
    file.resize(512 * (first + 1), 0);
    file.extend([entry("Root Entry", 5, 0xffff_fffe, 0, 4), vec![0; 384]].concat());
    file.extend([entry("Far", 2, 5, 4096, 0), vec![0; 384]].concat());
    opened(&file, |compound| assert_eq!(compound.expect("opens").find("Far"), Some(4)));
}

#[test]
fn entries_that_were_overwritten_are_damage() {
    let whole = compound(&[("A", &[7; 5000]), ("B", &[8; 10])]);
    opened(&whole, |found| assert!(found.unwrap().damage().is_empty()));
    for entry in [ENTRY - 128, ENTRY + 128] {
        let mut file = whole.clone();
        file[entry..entry + 128].fill(0);
        opened(&file, |found| {
            let lost = "entries of the directory are lost, and the streams that they name";
            assert_eq!(found.unwrap().damage(), [lost]);
        });
    }
}

#[test]
fn lost_entries_belong_to_the_root() {
    // Nothing links to the storage, its stream and the other stream; an unused entry is between them.
    let rows = [
        entry("Root Entry", 5, 0, 0, 0),
        entry("Inside", 2, 0, 0, 0),
        entry("Lost", 2, 0, 0, 0),
        entry("Unused", 0, 0, 0, 0),
        entry("Storage", 1, 0, 0, 1),
    ];
    let directory = Directory::parse(&rows.concat(), false);
    assert_eq!(directory.children, [vec![4, 2], vec![], vec![], vec![], vec![1]]);
    assert_eq!(directory.entries[1].parent, 4);
    assert!(Directory::parse(&[], false).entries.is_empty());
}

#[test]
fn nested_storages_cost_no_more_than_others_and_are_left_out_above_a_depth() {
    let name = "a".repeat(31);
    let storages = 20_000;
    let rows = (0..storages).flat_map(|at| entry(&name, 1, 0, 0, at + 1));
    let rows: Vec<u8> = rows.chain(entry("Workbook", 2, 0, 0, 0)).collect();
    let directory = Directory::parse(&rows, false);
    assert!(directory.is_too_deep);
    assert_eq!(directory.children[MAX_STORAGE_DEPTH - 1], [MAX_STORAGE_DEPTH]);
    assert!(directory.children[MAX_STORAGE_DEPTH..].iter().all(Vec::is_empty));
    assert_eq!(directory.entries[storages as usize].parent, storages as usize - 1);
}

#[test]
fn times_are_dates_of_our_age() {
    assert_eq!(filetime_to_iso(131_000_000_000_000_000).as_deref(), Some("2016-02-15T08:53:20Z"));
    assert_eq!(filetime_to_iso(600_000_000), None);
    assert_eq!(filetime_to_iso(u64::MAX), None);
}

#[test]
fn a_property_set_gives_texts_in_its_code_page() {
    let mut set = vec![0; 48];
    set[44] = 48;
    let mut section: Vec<u8> = Vec::new();
    for number in [0u32, 2, 1, 24, 2, 32] {
        section.extend(number.to_le_bytes());
    }
    section.extend([2u32, 1251, 30, 3].iter().flat_map(|number| number.to_le_bytes()));
    section.extend(b"\xcf\xf0\0\0");
    set.extend(section);
    let set = PropertySet::parse(&set);
    assert_eq!(set.code_page, Some(1251));
    assert_eq!(set.text(2), Some("Пр"));
    assert_eq!(PropertySet::parse(b""), PropertySet::default());
}
