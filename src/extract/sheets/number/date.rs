//! Serial numbers of days as dates and times.

/// What the serial number 0 stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) enum Epoch {
    /// 31 December 1899, with a 29 February 1900 that never was.
    #[default]
    Year1900,
    /// 1 January 1904, as on old Macintosh computers.
    Year1904,
}

/// A moment, taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
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

/// The first serial number behind 31 December 9999.
const END: f64 = 2_958_466.0;

/// Ten-thousandths of a second in a day.
const DAY: i64 = 864_000_000;

/// The moment of a serial number, rounded to so many digits of a second; `None` where spreadsheets know no date.
pub(super) fn moment(serial: f64, epoch: Epoch, digits: u32) -> Option<Moment> {
    let serial = match epoch {
        Epoch::Year1900 => serial,
        Epoch::Year1904 => serial + 1462.0,
    };
    if !(0.0..END).contains(&serial) {
        return None;
    }
    let unit = 10_i64.pow(4_u32.saturating_sub(digits));
    let rounded = (serial * DAY as f64 / unit as f64).round() as i64 * unit;
    let (days, time) = (rounded.div_euclid(DAY), rounded.rem_euclid(DAY));
    let (year, month, day) = match days {
        0 => (1900, 1, 0),
        60 => (1900, 2, 29),
        // Days since 1970-01-01; before the day that never was they are one off.
        days => civil(days - 25_569 + i64::from(days < 60)),
    };
    let seconds = time / 10_000;
    Some(Moment {
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

/// Year, month and day from days since 1970-01-01 in the Gregorian calendar.
fn civil(days: i64) -> (i64, usize, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, usize::try_from(month).unwrap_or(1), day)
}

/// The serial number, counted from 1900, of a moment such as `2024-01-15T12:30:00.000`.
pub(in super::super) fn serial_of(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let mut seconds = 0.0;
    for (part, unit) in time.trim_end_matches('Z').split(':').zip([3600.0, 60.0, 1.0]) {
        seconds += part.parse::<f64>().unwrap_or(0.0) * unit;
    }
    let days = days_of(year, month, day) + 25_569;
    let days = if days <= 60 { days - 1 } else { days };
    Some(days as f64 + seconds / 86_400.0)
}

/// Days since 1970-01-01 of a day in the Gregorian calendar.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}
