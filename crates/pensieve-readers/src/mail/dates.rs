//! Dates of mails as ISO 8601 with their offset. Format: RFC 5322 section 3.3 and its obsolete forms, the dates of
//! `ctime`, and ISO 8601 itself, which some programs write.

/// A date of a mail, however it is written; `None` if no day, month and year are found.
pub(super) fn iso_date(text: &str) -> Option<String> {
    let text = text.split('(').next().unwrap_or_default();
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .take(12)
        .collect();
    iso_already(&words).or_else(|| by_words(&words))
}

/// A date as a moment: UTC, ISO 8601 with milliseconds. A date without an offset is taken as UTC; `None` for a date
/// that does not exist.
pub(super) fn utc_date(text: &str) -> Option<String> {
    let mut date = iso_date(text)?;
    if date.len() == "2005-02-23T18:20:17".len() {
        date.push('Z');
    }
    let moment: jiff::Timestamp = date.parse().ok()?;
    Some(format!("{moment:.3}"))
}

/// `2005-02-23T18:20:17Z`, `2005-02-23 18:20:17 +0100`.
fn iso_already(words: &[&str]) -> Option<String> {
    let first = words.first()?;
    let (date, time) = first.split_once(['T', 't']).map_or((*first, None), |(date, time)| (date, Some(time)));
    let mut numbers = date.split('-');
    let year = numbers.next()?.parse().ok().filter(|year: &u32| *year > 999)?;
    let month = numbers.next()?.parse().ok()?;
    let day = numbers.next()?.parse().ok()?;
    let time = time.or_else(|| words.get(1).copied()).unwrap_or("00:00:00");
    let split = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let zone = match (&time[split..], words.last()) {
        ("", Some(last)) if words.len() > 1 => offset(last),
        (zone, _) => offset(zone),
    };
    written(year, month, day, clock(&time[..split])?, zone)
}

/// Day, month, year, time and zone, each recognised by its shape.
fn by_words(words: &[&str]) -> Option<String> {
    let (mut day, mut month, mut year, mut time, mut zone) = (None, None, None, None, None);
    let split = words.iter().flat_map(|word| {
        word.split('-').filter(|_| is_dashed(word)).chain(Some(*word).filter(|_| !is_dashed(word)))
    });
    for word in split {
        if word.contains(':') && time.is_none() {
            let end = word.find(['+', '-']).unwrap_or(word.len());
            time = clock(&word[..end]);
            zone = zone.or_else(|| offset(&word[end..]));
        } else if let Some(found) = month_of(word).filter(|_| month.is_none()) {
            month = Some(found);
        } else if word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit()) {
            let number: u32 = word.parse().ok()?;
            match (day, year, word.len()) {
                (None, _, 1 | 2) => day = Some(number),
                (_, None, 2) => year = Some(if number < 50 { 2000 + number } else { 1900 + number }),
                (_, None, 3) => year = Some(1900 + number),
                (_, None, 4) => year = Some(number),
                _ => {}
            }
        } else if time.is_some() {
            zone = zone.or_else(|| offset(word));
        }
    }
    written(year?, month?, day?, time.unwrap_or_default(), zone)
}

/// `23-Feb-2005`.
fn is_dashed(word: &str) -> bool {
    word.matches('-').count() == 2 && word.starts_with(|c: char| c.is_ascii_digit())
}

fn month_of(word: &str) -> Option<u32> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = word.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().position(|month| *month == start).map(|at| at as u32 + 1)
}

fn clock(text: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = text.split([':', '.']).map(|number| number.parse::<u32>().ok());
    let (hour, minute) = (numbers.next()??, numbers.next()??);
    let second = numbers.next().flatten().unwrap_or(0);
    (hour < 24 && minute < 60 && second <= 60).then_some((hour, minute, second))
}

/// Minutes east of Greenwich.
fn offset(zone: &str) -> Option<i32> {
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let sign = match zone.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => {
            return match zone.to_ascii_uppercase().as_str() {
                "GMT" | "UTC" | "UT" | "Z" => Some(0),
                "EDT" => Some(-240),
                "EST" | "CDT" => Some(-300),
                "CST" | "MDT" => Some(-360),
                "MST" | "PDT" => Some(-420),
                "PST" => Some(-480),
                "BST" | "CET" | "MET" => Some(60),
                "CEST" | "MEST" | "EET" => Some(120),
                "EEST" | "MSK" => Some(180),
                "JST" | "KST" => Some(540),
                _ => None,
            };
        }
    };
    let number: i32 = digits.get(..4).unwrap_or(&digits).parse().ok()?;
    let minutes = if digits.len() <= 2 { number * 60 } else { number / 100 * 60 + number % 100 };
    (minutes < 24 * 60).then_some(sign * minutes)
}

fn written(year: u32, month: u32, day: u32, time: (u32, u32, u32), zone: Option<i32>) -> Option<String> {
    let is_date = (1900..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    let (hour, minute, second) = time;
    let zone = match zone {
        None => String::new(),
        Some(0) => "Z".to_owned(),
        Some(offset) => {
            let sign = if offset < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", offset.abs() / 60, offset.abs() % 60)
        }
    };
    is_date.then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(iso_date(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn dates_are_read_in_every_form() {
        check("Wed, 23 Feb 2005 18:20:17 -0400 (AST)", Some("2005-02-23T18:20:17-04:00"));
        check("Wed, 11 Feb 98 11:51 CST", Some("1998-02-11T11:51:00-06:00"));
        check("7 Feb 2003 00:00:00 GMT", Some("2003-02-07T00:00:00Z"));
        check("Wed Feb 23 18:20:17 2005", Some("2005-02-23T18:20:17"));
        check("Mon, 23-Feb-2005 18:20:17 +0530", Some("2005-02-23T18:20:17+05:30"));
        check("2005-02-23T18:20:17Z", Some("2005-02-23T18:20:17Z"));
        check("2005-02-23 18:20:17 +0100", Some("2005-02-23T18:20:17+01:00"));
    }

    #[test]
    fn moments_are_utc() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(utc_date(text).as_deref(), expected, "{text}");
        check("Wed, 23 Feb 2005 18:20:17 -0400", Some("2005-02-23T22:20:17.000Z"));
        check("Thu, 31 Dec 1998 23:59:60 +0000", Some("1998-12-31T23:59:59.000Z"));
        check("Wed Feb 23 18:20:17 2005", Some("2005-02-23T18:20:17.000Z"));
        check("31 Feb 2005 18:20:17 +0000", None);
    }

    #[test]
    fn what_is_no_date_is_none() {
        check("", None);
        check("soon", None);
        check("Wed, 99 Feb 2005 18:20:17", None);
        check("1999999999999 Feb \u{e9}\u{e9} 12:00", None);
    }

    #[test]
    fn zones_are_known_by_their_letters() {
        for (zone, hours) in [
            ("UT", "Z"),
            ("UTC", "Z"),
            ("Z", "Z"),
            ("EDT", "-04:00"),
            ("EST", "-05:00"),
            ("CDT", "-05:00"),
            ("MDT", "-06:00"),
            ("MST", "-07:00"),
            ("PDT", "-07:00"),
            ("PST", "-08:00"),
            ("BST", "+01:00"),
            ("CET", "+01:00"),
            ("MET", "+01:00"),
            ("CEST", "+02:00"),
            ("mest", "+02:00"),
            ("EET", "+02:00"),
            ("EEST", "+03:00"),
            ("MSK", "+03:00"),
            ("JST", "+09:00"),
            ("KST", "+09:00"),
            ("+2", "+02:00"),
            ("+0000", "Z"),
            ("-1159", "-11:59"),
            ("XYZ", ""),
            ("+9999", ""),
        ] {
            check(&format!("7 Feb 2003 01:02:03 {zone}"), Some(&format!("2003-02-07T01:02:03{hours}")));
        }
    }

    #[test]
    fn dates_at_the_ends_of_their_ranges() {
        check("1 Jan 1900 00:00:00 +0000", Some("1900-01-01T00:00:00Z"));
        check("31 Dec 9999 23:59:60 +0000", Some("9999-12-31T23:59:60Z"));
        check("31 Dec 2003 24:00:00 +0000", Some("2003-12-31T00:00:00"));
        check("31 Dec 2003 23:60:00 +0000", Some("2003-12-31T00:00:00"));
        check("0 Dec 2003 23:00:00 +0000", None);
        check("32 Dec 2003 23:00:00 +0000", None);
        check("2 Dec 69 23:00:00 +0000", Some("1969-12-02T23:00:00Z"));
        check("2 Dec 05 23:00 +0000", Some("2005-12-02T23:00:00Z"));
    }
}
