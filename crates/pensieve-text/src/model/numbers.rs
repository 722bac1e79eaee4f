//! Numbers as people read them, in one form on the terminal and on pages.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 file`, `2 files`: for words whose plural ends in s.
pub fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Bytes in millions, as `12.3`.
pub fn mega(bytes: u64) -> String {
    let tenths = (bytes.saturating_add(50_000)) / 100_000;
    format!("{}.{}", count(tenths / 10), tenths % 10)
}

/// Bytes in the unit that suits them: `812 B`, `4.2 kB`, `1.3 GB`.
pub fn bytes(number: u64) -> String {
    let mut size = number as f64;
    let mut unit = "B";
    for larger in ["kB", "MB", "GB", "TB"] {
        if size < 999.5 {
            break;
        }
        (size, unit) = (size / 1000.0, larger);
    }
    match unit {
        "B" => format!("{number} B"),
        _ if size < 9.95 => format!("{size:.1} {unit}"),
        _ => format!("{size:.0} {unit}"),
    }
}

/// A share from 0 to 1 as `12.3 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share.clamp(0.0, 1.0) * 100.0)
}

/// The rate of a count over a time, per second; 0 for no time.
pub fn rate(amount: u64, time: Duration) -> f64 {
    match time.as_secs_f64() {
        seconds if seconds > 0.0 => amount as f64 / seconds,
        _ => 0.0,
    }
}

/// A time as `4.2 s`, `3:07` or `1:02:03`.
pub fn time(time: Duration) -> String {
    match time.as_secs() {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        _ => clock(time),
    }
}

/// A time as `0:07`, `3:07` or `1:02:03`.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!((count(0).as_str(), count(999).as_str(), count(1000).as_str()), ("0", "999", "1,000"));
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(
            (counted(1, "file"), counted(2000, "file")),
            ("1 file".to_owned(), "2,000 files".to_owned())
        );
        assert_eq!((mega(0), mega(1_250_000_000)), ("0.0".to_owned(), "1,250.0".to_owned()));
        assert_eq!(
            (mega(49_999), mega(950_000), mega(u64::MAX).len()),
            ("0.0".to_owned(), "1.0".to_owned(), 20)
        );
        assert_eq!((percent(0.1234), percent(7.0)), ("12.3 %".to_owned(), "100.0 %".to_owned()));
    }

    #[test]
    fn bytes_have_the_unit_that_suits_them() {
        let check = |number, expected: &str| assert_eq!(bytes(number), expected);
        check(0, "0 B");
        check(999, "999 B");
        check(1_000, "1.0 kB");
        check(12_345, "12 kB");
        check(999_999, "1.0 MB");
        check(u64::MAX, "18446744 TB");
    }

    #[test]
    fn times_read_well() {
        let check =
            |seconds: f64, expected: &str| assert_eq!(time(Duration::from_secs_f64(seconds)), expected);
        check(0.04, "0.0 s");
        check(4.25, "4.2 s");
        check(60.0, "1:00");
        check(3723.9, "1:02:03");
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(rate(10, Duration::ZERO), 0.0);
    }

    #[test]
    fn rates_are_per_second() {
        assert_eq!(rate(10, Duration::from_secs(4)), 2.5);
        assert_eq!(rate(3, Duration::from_millis(500)), 6.0);
        assert_eq!((bytes(9_940), bytes(9_960)), ("9.9 kB".to_owned(), "10 kB".to_owned()));
        assert_eq!((bytes(999_499), bytes(999_500)), ("999 kB".to_owned(), "1.0 MB".to_owned()));
        assert_eq!(time(Duration::from_secs(3600)), "1:00:00");
        assert_eq!((percent(-1.0), percent(0.5)), ("0.0 %".to_owned(), "50.0 %".to_owned()));
    }
}
