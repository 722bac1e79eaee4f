//! Dates as documents write them, as ISO 8601 with the precision that they have, and ranges of them.

/// A date as `2024`, `2024-05`, `2024-05-31` or with a time after `T`; `None` for what is no date, or may be one of two.
pub fn iso_date(text: &str) -> Option<String> {
    let text = text.trim();
    let numbers: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).take(3).collect();
    let first = text.find(|c: char| !c.is_ascii_digit());
    match (first, &numbers[..]) {
        (None, [year]) if year.len() == 4 => date(year, None, None),
        (None, [all]) if all.len() == 8 => date(&all[..4], Some(&all[4..6]), Some(&all[6..])),
        (Some(4), [year, rest @ ..]) if matches!(text.as_bytes()[4], b'-' | b'/' | b'.') => {
            let of = |at: usize| rest.get(at).copied();
            let day = of(1).filter(|_| text[5..].contains(['-', '/', '.']));
            let found = date(year, of(0), day)?;
            let time = text.get(10..).and_then(|rest| rest.strip_prefix(['T', 't', ' ']));
            let time = time.filter(|time| day.is_some() && time.starts_with(|c: char| c.is_ascii_digit()));
            Some(time.map_or(found.clone(), |time| format!("{found}T{}", time.replace(' ', ""))))
        }
        (Some(1 | 2), [a, b, year]) if year.len() == 4 && text[a.len()..].starts_with(['/', '.']) => {
            let value = |text: &str| text.parse().unwrap_or(0_u32);
            let is_american =
                text.to_ascii_lowercase().contains("am") || text.to_ascii_lowercase().contains("pm");
            // With slashes the day may stand first or second.
            let is_day_first = text[a.len()..].starts_with('.') || value(a) > 12 || a == b;
            match is_day_first {
                true => date(year, Some(b), Some(a)),
                false => date(year, Some(a), Some(b)).filter(|_| value(b) > 12 || is_american),
            }
        }
        _ => by_words(text),
    }
}

/// `December 2, 2025`, `Mon, 02 Jan 2006 15:04:05`, `May 2024`.
fn by_words(text: &str) -> Option<String> {
    let (mut year, mut month, mut day) = (None, None, None);
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-')).take(8) {
        let number =
            word.trim_end_matches(['.']).trim_end_matches("st").trim_end_matches("nd").trim_end_matches("rd");
        let number = number.trim_end_matches("th");
        match number.bytes().all(|byte| byte.is_ascii_digit()) {
            true if number.len() == 4 && year.is_none() => year = Some(number),
            true if matches!(number.len(), 1 | 2) && day.is_none() => day = Some(number),
            _ if month.is_none() => month = month_of(word),
            _ => {}
        }
    }
    date(year?, Some(&month?), day)
}

fn month_of(word: &str) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| {
        word.len() >= 3 && month.starts_with(&word) || word == "sept" && *month == "september"
    });
    Some((at? + 1).to_string())
}

fn date(year: &str, month: Option<&str>, day: Option<&str>) -> Option<String> {
    // Zeros stand for no date, and so do years that nobody can have written in.
    let mut out = year
        .parse()
        .ok()
        .filter(|year: &u32| (1000..=9999).contains(year))
        .map(|year| format!("{year:04}"))?;
    for (text, last) in [(month, 12), (day, 31)] {
        let Some(text) = text else { break };
        let number: u32 = text.parse().ok().filter(|number| (1..=last).contains(number))?;
        out.push_str(&format!("-{number:02}"));
    }
    Some(out)
}

/// A range of dates: from the first day of one to the last day of another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DateRange {
    first: Option<String>,
    last: Option<String>,
    /// The range ends before this date.
    before: Option<String>,
}

impl DateRange {
    /// `2024`, `2024-05..2024-07`, `2024..`, `..2024-05-31`, with years, months or days.
    pub fn parse(text: &str) -> Option<DateRange> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let bound = |text: &str| match text.trim() {
            "" => Some(None),
            text => plain_date(text).map(Some),
        };
        let range = DateRange { first: bound(first)?, last: bound(last)?, before: None };
        (range != DateRange::default()).then_some(range)
    }

    /// From this day, month or year on.
    pub fn after(date: &str) -> Option<DateRange> {
        Some(DateRange { first: Some(plain_date(date)?), ..DateRange::default() })
    }

    /// Up to the day before this day, month or year.
    pub fn before(date: &str) -> Option<DateRange> {
        Some(DateRange { before: Some(plain_date(date)?), ..DateRange::default() })
    }

    /// True if a date in ISO 8601 lies in the range; one without day or month lies at its beginning.
    pub fn has(&self, date: &str) -> bool {
        let is_up_to = |last: &String| date.get(..last.len()).unwrap_or(date) <= last.as_str();
        self.first.as_deref().is_none_or(|first| date >= first)
            && self.last.as_ref().is_none_or(is_up_to)
            && self.before.as_deref().is_none_or(|before| date < before)
    }
}

/// A date that a person gives: only years, months and days.
fn plain_date(text: &str) -> Option<String> {
    let is_plain = text.trim().bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    iso_date(text).filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_their_precision() {
        let check = |text: &str, expected: &str| {
            assert_eq!(iso_date(text).as_deref().unwrap_or_default(), expected, "{text}")
        };
        check("1882", "1882");
        check("2024-05", "2024-05");
        check(" 2024-5-1 ", "2024-05-01");
        check("20240531", "2024-05-31");
        check("2024/05/31", "2024-05-31");
        check("2024-05-31T10:00:00+02:00", "2024-05-31T10:00:00+02:00");
        check("2024-05-31 10:00:00 +0200", "2024-05-31T10:00:00+0200");
        check("31.05.2024", "2024-05-31");
        check("31/05/2024", "2024-05-31");
        check("05/31/2024", "2024-05-31");
        check("02/03/2023 05:17:31 AM", "2023-02-03");
        check("December 2, 2025", "2025-12-02");
        check("2nd Sept. 2025", "2025-09-02");
        check("Mon, 02 Jan 2006 15:04:05 GMT", "2006-01-02");
        check("May 2024", "2024-05");
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "soon",
            "02/03/2023",
            "0000-00-00",
            "2024-13-01",
            "2024-05-32",
            "12",
            "123456",
            "May",
            "June bug",
        ] {
            assert_eq!(iso_date(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_have_both_their_ends() {
        let check = |range: &str, inside: &[&str], outside: &[&str]| {
            let range = DateRange::parse(range).unwrap();
            inside.iter().for_each(|date| assert!(range.has(date), "{range:?} {date}"));
            outside.iter().for_each(|date| assert!(!range.has(date), "{range:?} {date}"));
        };
        check("2024..2025", &["2024", "2024-01-01", "2025-12-31T23:59:59Z"], &["2023-12-31", "2026"]);
        check("2024-05", &["2024-05-01", "2024-05-31T01:00:00"], &["2024", "2024-04-30", "2024-06-01"]);
        check("2024-05-31", &["2024-05-31", "2024-05-31T23:00:00"], &["2024-05-30", "2024-06-01"]);
        check("..2024-05-31", &["1900", "2024-05-31T23:00:00"], &["2024-06-01"]);
        check("2024-02..", &["2024-02-01", "2025"], &["2024-01-31", "2024"]);
        let (after, before) =
            (DateRange::after("2024-01-01").unwrap(), DateRange::before("2024-01-01").unwrap());
        for (date, is_after) in
            [("2024-01-01T00:00:00", true), ("2024-01-02", true), ("2023-12-31T23:59:59", false)]
        {
            assert_eq!((after.has(date), before.has(date)), (is_after, !is_after), "{date}");
        }
        for text in ["..", "soon..", "2024-13", "", "May 2024", "2024..x"] {
            assert_eq!(DateRange::parse(text), None, "{text}");
        }
    }
}
