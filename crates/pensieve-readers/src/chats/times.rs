//! When a message was sent, as people write it: `2025-01-31 10:00`.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Larger numbers count milliseconds: as seconds they are after the year 5000.
const MAX_SECONDS: f64 = 1e11;

/// A time that is a number since 1970, in seconds or milliseconds, or in the form of ISO 8601; any other as it is.
pub(super) fn time(written: &str) -> String {
    if let Some(seconds) = seconds(written) {
        let seconds = if seconds > MAX_SECONDS { seconds / 1000.0 } else { seconds };
        let at = Timestamp::from_second(seconds as i64).ok();
        let civil = at.map(|at| at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string());
        return civil.unwrap_or_else(|| written.to_owned());
    }
    let is_iso = written.is_ascii() && written.len() >= 16 && matches!(written.as_bytes()[10], b'T' | b' ');
    match is_iso && written.as_bytes()[4] == b'-' {
        true => format!("{} {}", &written[..10], &written[11..16]),
        false => written.to_owned(),
    }
}

/// A number of seconds or milliseconds; years and other small numbers are none.
fn seconds(written: &str) -> Option<f64> {
    let is_number = written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    written.parse::<f64>().ok().filter(|seconds| is_number && (1e8..1e14).contains(seconds))
}

/// What orders times: numbers by size, ISO 8601 by its letters.
pub(super) fn is_later(one: &str, other: &str) -> bool {
    match (seconds(one), seconds(other)) {
        (Some(one), Some(other)) => one > other,
        _ => one.len() >= 10 && one.as_bytes().get(4) == Some(&b'-') && one > other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_forms_of_exports() {
        for (written, expected) in [
            ("1735689600.1", "2025-01-01 00:00"),
            ("1735689600", "2025-01-01 00:00"),
            ("1735689600123", "2025-01-01 00:00"),
            ("2025-01-31T10:00:59.123+01:00", "2025-01-31 10:00"),
            ("2025-01-31 10:00:59", "2025-01-31 10:00"),
            ("Tuesday at noon", "Tuesday at noon"),
            ("2025", "2025"),
        ] {
            assert_eq!(time(written), expected);
        }
        assert!(is_later("1735689601", "1735689600") && !is_later("5", "4"));
        assert!(is_later("2025-01-02T00:00:00", "2025-01-01T00:00:00") && !is_later("b", "a"));
    }
}
