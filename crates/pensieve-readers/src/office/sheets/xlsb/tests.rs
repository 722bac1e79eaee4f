//! Small parts of one idea each.

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
