//! Serial numbers of days as dates and times.

use crate::shared::calendar::{date_of, days_of};
use jiff::civil::Date;

/// The day of serial number 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) enum DateEpoch {
    /// 31 December 1899, with a 29 February 1900 that never existed.
    #[default]
    Year1900,
    /// 1 January 1904, as on old Macintosh computers.
    Year1904,
}

/// A moment as its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateTimeParts {
    /// Whole days since the beginning of the calendar.
    pub days: i64,
    pub year: i64,
    pub month: usize,
    pub day: i64,
    /// 0 is Sunday.
    pub weekday: usize,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    /// Of a second, in ten-thousandths.
    pub fraction: i64,
}

/// The first serial number after 31 December 9999.
const END_SERIAL: f64 = 2_958_466.0;

/// Ten-thousandths of a second in a day.
const DAY_UNITS: i64 = 864_000_000;

/// The moment of a serial number, rounded to this many digits of a second; `None` if it is not a date in
/// spreadsheets.
pub(super) fn moment(serial: f64, epoch: DateEpoch, digits: u32) -> Option<DateTimeParts> {
    let serial = match epoch {
        DateEpoch::Year1900 => serial,
        DateEpoch::Year1904 => serial + 1462.0,
    };
    if !(0.0..END_SERIAL).contains(&serial) {
        return None;
    }
    let unit = 10_i64.pow(4_u32.saturating_sub(digits));
    let rounded = (serial * DAY_UNITS as f64 / unit as f64).round() as i64 * unit;
    let (days, time) = (rounded.div_euclid(DAY_UNITS), rounded.rem_euclid(DAY_UNITS));
    let (year, month, day) = match days {
        0 => (1900, 1, 0),
        60 => (1900, 2, 29),
        // Days since 1970-01-01; before the day that never existed they are one too few.
        days => {
            let date = date_of(days - 25_569 + i64::from(days < 60))?;
            (i64::from(date.year()), usize::try_from(date.month()).ok()?, i64::from(date.day()))
        }
    };
    let seconds = time / 10_000;
    Some(DateTimeParts {
        days,
        year,
        month,
        day,
        weekday: usize::try_from((days + 6).rem_euclid(7)).unwrap_or(0),
        hour: seconds / 3600,
        minute: seconds / 60 % 60,
        second: seconds % 60,
        fraction: time % 10_000,
    })
}

/// The serial number, counted from 1900, of a moment such as `2024-01-15T12:30:00.000`.
pub(in super::super) fn serial_of(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = date.splitn(3, '-');
    let year = parts.next()?.parse().ok().filter(|year| *year > 0)?;
    let date = Date::new(year, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?).ok()?;
    let mut seconds = 0.0;
    for (part, unit) in time.trim_end_matches('Z').split(':').zip([3600.0, 60.0, 1.0]) {
        seconds += part.parse::<f64>().unwrap_or(0.0) * unit;
    }
    let days = days_of(date) + 25_569;
    let days = if days <= 60 { days - 1 } else { days };
    Some(days as f64 + seconds / 86_400.0)
}
