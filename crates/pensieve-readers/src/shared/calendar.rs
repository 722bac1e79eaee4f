//! Days of the Gregorian calendar, which formats count from different epochs.

use jiff::Span;
use jiff::civil::Date;

const EPOCH: Date = Date::constant(1970, 1, 1);

/// The date this many days after 1 January 1970; `None` outside of the years -9999 to 9999.
pub(crate) fn date_of(days: i64) -> Option<Date> {
    EPOCH.checked_add(Span::new().try_days(days).ok()?).ok()
}

pub(crate) fn days_of(date: Date) -> i64 {
    EPOCH.until(date).map_or(0, |span| i64::from(span.get_days()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_the_same_in_both_directions() {
        let check = |days: i64, expected: &str| {
            let date = date_of(days).unwrap();
            assert_eq!((date.to_string().as_str(), days_of(date)), (expected, days));
        };
        check(0, "1970-01-01");
        check(-1, "1969-12-31");
        check(11_016, "2000-02-29");
        check(2_932_896, "9999-12-31");
        assert_eq!((date_of(2_932_897), date_of(i64::MAX)), (None, None));
    }
}
