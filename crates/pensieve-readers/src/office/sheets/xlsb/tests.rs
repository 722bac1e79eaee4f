//! Small parts of one idea each.

use super::super::testing::CollectingSink;
use super::*;

#[test]
fn records_that_promise_more_than_there_is_end_the_part() {
    let part: &[u8] = &[19, 0xff, 0xff, 0xff, 0x7f, 1, 2];
    assert!(read_strings(part, &mut SharedStrings::default()).is_some());
    assert_eq!(read_strings(&[19, 5, 0, 0xff, 0xff, 0xff, 0xff][..], &mut SharedStrings::default()), None);
}

#[test]
fn the_days_of_a_workbook_count_from_the_year_that_it_says() {
    let epoch = |flags: u8| read_workbook(&[0x99, 0x01, 4, flags, 0, 0, 0][..]).epoch;
    assert_eq!(epoch(0), DateEpoch::Year1900);
    assert_eq!(epoch(1), DateEpoch::Year1904);
    // Another flag of the same field.
    assert_eq!(epoch(2), DateEpoch::Year1900);
}

#[test]
fn links_of_cells_have_their_address() {
    let mut sink = CollectingSink(String::new());
    let mut grid = SheetGrid::new(&mut sink, 1000);
    grid.begin("S", false).unwrap();
    let number = |value: u32| value.to_le_bytes();
    let word = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        number(text.len() as u32).into_iter().chain(units).collect::<Vec<u8>>()
    };
    let record = |kind: &[u8], content: &[u8]| [kind, &[content.len() as u8], content].concat();
    let row = record(&[0], &[number(0), number(0), [0; 4], [0; 4]].concat());
    let cell = record(&[6], &[&number(0)[..], &number(0), &word("quay")].concat());
    let link = record(&[0xee, 3], &[&[0; 16][..], &word("rId1"), &word("")].concat());
    let cut = record(&[0xee, 3], &[0; 16]);
    let address_of = |id: &str| (id == "rId1").then(|| "https://quay.example".to_owned());
    find_lists(&[link, cut].concat()[..], address_of, &mut grid);
    let (styles, strings) = (CellStyles::default(), SharedStrings::default());
    let cells = CellContext { styles: &styles, strings: &strings };
    read_sheet(&[row, cell].concat()[..], &cells, &mut grid).unwrap();
    assert_eq!(grid.finish().unwrap().text.text, "## S\n\nquay (https://quay.example)\n");
}
