//! Dates as people write them.

/// Which number of `3/4/2021` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum DateOrder {
    /// As in the United States.
    #[default]
    MonthFirst,
    /// As nearly everywhere else.
    DayFirst,
}

/// A date, and whether its numbers can be read in one way only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenDate {
    pub iso: String,
    /// The order that only this date has, if it has numbers alone and one of them is above 12.
    pub order: Option<DateOrder>,
}

/// Longer texts are no dates.
const MAX_DATE_BYTES: usize = 36;

/// Names of months, from January on, in English, German, French, Spanish, Italian, Portuguese and Dutch.
const MONTHS: [&str; 12] = [
    "january januar jänner janvier enero gennaio janeiro januari",
    "february februar février fevrier febrero febbraio fevereiro februari",
    "march märz maerz mars marzo março marco maart mrz",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août aout agosto augustus",
    "september septembre septiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre decembre diciembre dicembre dezembro",
];

/// True for a text that may be a date: a digit, and a separator or letters.
pub(super) fn is_date_like(text: &str) -> bool {
    text.len() <= MAX_DATE_BYTES && text.len() >= 6 && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

/// Reads a date; `None` for anything that is not wholly one.
pub(super) fn parse_date(text: &str, order: DateOrder) -> Option<WrittenDate> {
    let text = text.trim().trim_matches('*');
    let (date, time) = with_time(text);
    let mut parts = Vec::with_capacity(3);
    let mut rest = date;
    while let Some(c) = rest.chars().next() {
        let is_digit = c.is_ascii_digit();
        if !is_digit && !c.is_alphabetic() {
            if !matches!(c, ' ' | '-' | '/' | '.' | ',' | '‑') {
                return None;
            }
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let is_part = |c: char| if is_digit { c.is_ascii_digit() } else { c.is_alphabetic() };
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(length);
        rest = after;
        // Between numbers: `2021年3月4日`, `4 de março de 2021`, `March 4th`.
        let is_filler =
            matches!(part, "年" | "月" | "日" | "de" | "del" | "of" | "st" | "nd" | "rd" | "th" | "er");
        if !is_filler || parts.is_empty() {
            parts.push(part);
        }
    }
    let number = |part: &str| part.parse::<u32>().ok();
    let has_digit = |part: &str| part.as_bytes()[0].is_ascii_digit();
    let (year, month, day, known) = match parts[..] {
        [a, b, c] if has_digit(a) && has_digit(b) && has_digit(c) => {
            // With points the day is first everywhere.
            numeric(a, b, c, if date.contains('.') { DateOrder::DayFirst } else { order })?
        }
        [a, b, c] if has_digit(a) && has_digit(c) && !has_digit(b) => {
            (year_of(c)?, month_of(b)?, number(a)?, None)
        }
        [a, b, c] if !has_digit(a) && has_digit(b) && has_digit(c) => {
            (year_of(c)?, month_of(a)?, number(b)?, None)
        }
        [a, b] if !has_digit(a) && has_digit(b) && b.len() == 4 => {
            return Some(WrittenDate { iso: format!("{:04}-{:02}", year_of(b)?, month_of(a)?), order: None });
        }
        _ => return None,
    };
    if !(1..=12).contains(&month) || !(1..=days_in(year, month)).contains(&day) {
        return None;
    }
    Some(WrittenDate { iso: format!("{year:04}-{month:02}-{day:02}{time}"), order: known })
}

/// The date and the time of day as ISO writes it.
fn with_time(text: &str) -> (&str, String) {
    let Some(colon) = text.find(':') else { return (text, String::new()) };
    let hour = text[..colon].rfind(|c: char| !c.is_ascii_digit());
    let Some(hour) = hour else { return (text, String::new()) };
    let time: Vec<&str> = text[hour + 1..].trim_end_matches(['Z', 'z']).split(':').collect();
    let is_pair =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let seconds =
        time.get(2).map(|part| part.split_once('.').map_or(*part, |(whole, _)| whole)).unwrap_or("00");
    if !time[..2.min(time.len())].iter().all(&is_pair) || !is_pair(&seconds) || time.len() > 3 {
        return (text, String::new());
    }
    (text[..hour].trim_end_matches(','), format!("T{:0>2}:{:0>2}:{seconds:0>2}", time[0], time[1]))
}

fn numeric(a: &str, b: &str, c: &str, order: DateOrder) -> Option<(u32, u32, u32, Option<DateOrder>)> {
    let number = |part: &str| part.parse::<u32>().ok().filter(|_| part.len() <= 4);
    let (first, second, third) = (number(a)?, number(b)?, number(c)?);
    if a.len() == 4 {
        return Some((first, second, third, None));
    }
    let known = match (first > 12, second > 12) {
        (true, false) => Some(DateOrder::DayFirst),
        (false, true) => Some(DateOrder::MonthFirst),
        _ => None,
    };
    let year = year_of(c)?;
    Some(match known.unwrap_or(order) {
        DateOrder::DayFirst => (year, second, first, known),
        DateOrder::MonthFirst => (year, first, second, known),
    })
}

/// A year of four digits, or of two since 1970.
fn year_of(text: &str) -> Option<u32> {
    let year: u32 = text.parse().ok()?;
    match text.len() {
        4 => Some(year).filter(|year| (1000..=2999).contains(year)),
        2 => Some(if year >= 70 { 1900 + year } else { 2000 + year }),
        _ => None,
    }
}

fn month_of(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let is_name = |month: &str| month.split(' ').any(|known| known.starts_with(&name));
    let at = MONTHS.iter().position(|month| name.chars().count() >= 3 && is_name(month))?;
    Some(at as u32 + 1)
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_form() {
        let check = |text: &str, expected: &str| {
            let date = parse_date(text, DateOrder::MonthFirst);
            assert_eq!(date.map(|date| date.iso).as_deref(), Some(expected), "{text}");
        };
        for (text, expected) in [
            ("2021-03-04", "2021-03-04"),
            ("2021/3/4", "2021-03-04"),
            ("3/4/2021", "2021-03-04"),
            ("13.4.2021", "2021-04-13"),
            ("March 4, 2021", "2021-03-04"),
            ("4 March 2021", "2021-03-04"),
            ("4. März 2021", "2021-03-04"),
            ("4-Mar-21", "2021-03-04"),
            ("Dec. 31, 2018", "2018-12-31"),
            ("Mar 2021", "2021-03"),
            ("4 de março de 2021", "2021-03-04"),
            ("2021年3月4日", "2021-03-04"),
            ("2021-03-04 10:00", "2021-03-04T10:00:00"),
            ("2021-03-04T10:00:05Z", "2021-03-04T10:00:05"),
            ("3.4.2021", "2021-04-03"),
            ("1er août 1999", "1999-08-01"),
        ] {
            check(text, expected);
        }
        assert_eq!(parse_date("3/4/2021", DateOrder::DayFirst).unwrap().iso, "2021-04-03");
        for none in ["30/2/2021", "2021", "1.2.3", "10:30", "Q1 2021", "12 apples 2021", "31.04.2021"] {
            assert_eq!(parse_date(none, DateOrder::DayFirst), None, "{none}");
        }
    }
}
