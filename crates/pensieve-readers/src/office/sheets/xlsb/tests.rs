//! What is read here, held to small documents of one idea each.

use super::*;

#[test]
fn compact_numbers_are_integers_or_halves_of_doubles() {
    let integer = |number: i32, flags: u32| (number << 2) as u32 | flags;
    assert_eq!(compact_number(integer(-7, 2)), -7.0);
    assert_eq!(compact_number(integer(1234, 3)), 12.34);
    assert_eq!(compact_number((1.5_f64.to_bits() >> 32) as u32), 1.5);
}

#[test]
fn records_that_promise_more_than_there_is_end_the_part() {
    let part: &[u8] = &[19, 0xff, 0xff, 0xff, 0x7f, 1, 2];
    assert!(strings(part, &mut SharedStrings::default()).is_some());
    assert_eq!(strings(&[19, 5, 0, 0xff, 0xff, 0xff, 0xff][..], &mut SharedStrings::default()), None);
}
