//! The one stored form of a moment: UTC ISO-8601 with milliseconds.

use jiff::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

/// The stored form of seconds and nanoseconds since 1970; values outside of the calendar become the nearest date in it.
pub fn stored_time(seconds: i64, nanoseconds: u32) -> String {
    let clamped = seconds.clamp(Timestamp::MIN.as_second() + 1, Timestamp::MAX.as_second() - 1);
    let moment =
        Timestamp::new(clamped, nanoseconds.min(999_999_999) as i32).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{moment:.3}")
}

/// Seconds and nanoseconds since 1970, now.
pub fn now() -> (i64, u32) {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => (since.as_secs() as i64, since.subsec_nanos()),
        Err(before) => (-(before.duration().as_secs() as i64), 0),
    }
}

/// Now, in the stored form.
pub fn stored_now() -> String {
    let (seconds, nanoseconds) = now();
    stored_time(seconds, nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_milliseconds_and_no_moment_panics() {
        assert_eq!(stored_time(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(stored_time(1_577_934_245, 123_456_789), "2020-01-02T03:04:05.123Z");
        assert_eq!(stored_time(-1, 0), "1969-12-31T23:59:59.000Z");
        for extreme in [i64::MIN, i64::MAX] {
            assert!(stored_time(extreme, u32::MAX).ends_with('Z'));
        }
    }

    #[test]
    fn now_is_the_time_of_the_system() {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
        let (seconds, nanoseconds) = now();
        assert!((since..since + 60).contains(&seconds) && nanoseconds < 1_000_000_000);
        let stored = stored_now();
        assert!(stored >= stored_time(since, 0) && stored < stored_time(since + 60, 0), "{stored}");
    }
}
