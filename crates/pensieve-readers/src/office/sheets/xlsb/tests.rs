//! Small parts of one idea each.

use super::*;

#[test]
fn records_that_promise_more_than_there_is_end_the_part() {
    let part: &[u8] = &[19, 0xff, 0xff, 0xff, 0x7f, 1, 2];
    assert!(read_strings(part, &mut SharedStrings::default()).is_some());
    assert_eq!(read_strings(&[19, 5, 0, 0xff, 0xff, 0xff, 0xff][..], &mut SharedStrings::default()), None);
}
