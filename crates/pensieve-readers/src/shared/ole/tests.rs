//! Tests with small compound files, one idea each.

use super::properties::PropertySet;
use super::testing::compound;
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
fn files_whose_chains_or_trees_go_round_are_refused() {
    let mut file = compound(&[("A", &[7; 5000]), ("B", &[8; 10])]);
    // The first stream begins in sector 2, which now points to itself; each entry is the right neighbour of the
    // other.
    file[512 + 8..512 + 12].copy_from_slice(&2u32.to_le_bytes());
    file[1024 + 256 + 72..1024 + 256 + 76].copy_from_slice(&1u32.to_le_bytes());
    opened(&file, |compound| assert!(compound.is_err()));
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
