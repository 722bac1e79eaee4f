//! Values of properties: escaped text, quoted-printable, times, recurrences, addresses.

use super::line::ContentLine;
use crate::markdown::{TextRun, Words};
use crate::shared::bytes::hex_escapes;
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::fmt::Write;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Text with escapes.
    Text,
    /// The same in parts with semicolons between them: names, addresses, organisations.
    Parts,
    /// Nothing is escaped in it.
    Address,
    /// A day, or a day and a time.
    Time,
    /// A rule of recurrence.
    Rule,
    /// A person of a calendar.
    Person,
}

/// The words of a value.
pub(super) fn words(line: &ContentLine, kind: ValueKind) -> Words {
    match kind {
        ValueKind::Text => text(line, false).into_iter().reduce(joined).unwrap_or_default(),
        ValueKind::Parts => text(line, true).into_iter().reduce(joined).unwrap_or_default(),
        ValueKind::Address => {
            let mut words = Words::default();
            line.push(0..line.value().len(), &mut words);
            words
        }
        ValueKind::Time => line.replaced(times(line)),
        ValueKind::Rule => line.replaced(rule(line.value())),
        ValueKind::Person => line.replaced(person(line)),
    }
}

fn joined(mut one: Words, other: Words) -> Words {
    one.push_plain("\n");
    other.0.into_iter().for_each(|run| one.push(run));
    one
}

/// The paragraphs of a text: RFC 5545 section 3.3.11, RFC 6350 section 3.4. Two line ends separate two of them.
pub(super) fn paragraphs(line: &ContentLine) -> Vec<Words> {
    text(line, false)
}

/// The paragraphs of a text that may be in parts.
fn text(line: &ContentLine, has_parts: bool) -> Vec<Words> {
    if line.is_quoted_printable() {
        return quoted_paragraphs(line, has_parts);
    }
    let value = line.value();
    let mut all = vec![Words::default()];
    let (mut at, mut done, mut breaks) = (0, 0, 0);
    while let Some(found) = memchr::memchr2(b'\\', b';', &value.as_bytes()[at..]).map(|found| at + found) {
        let escaped = value.as_bytes().get(found + 1).copied();
        let is_escape = value.as_bytes()[found] == b'\\';
        if found > done {
            end_line(&mut all, &mut breaks);
            line.push(done..found, last(&mut all));
        }
        (done, at) = match (is_escape, escaped) {
            (true, Some(b'n' | b'N')) => {
                breaks += 1;
                (found + 2, found + 2)
            }
            // The sign after the backslash is text.
            (true, Some(b'\\' | b',' | b';' | b':' | b'"')) => (found + 1, found + 2),
            (true, _) => (found, found + 1),
            (false, _) if !has_parts => (found, found + 1),
            // An empty part leaves nothing.
            (false, _) => {
                separate(last(&mut all));
                (found + 1, found + 1)
            }
        };
    }
    if done < value.len() {
        end_line(&mut all, &mut breaks);
        line.push(done..value.len(), last(&mut all));
    }
    all.iter_mut().for_each(drop_last_separator);
    all
}

fn last(all: &mut [Words]) -> &mut Words {
    all.last_mut().expect("there is always a paragraph")
}

fn end_line(all: &mut Vec<Words>, breaks: &mut usize) {
    match *breaks {
        0 => {}
        1 => last(all).push_plain("\n"),
        _ => all.push(Words::default()),
    }
    *breaks = 0;
}

const SEPARATOR: &str = ", ";

fn separate(words: &mut Words) {
    let is_separated = words.0.last().is_none_or(|run| run.source.is_none() && run.text == SEPARATOR);
    if !is_separated {
        words.0.push(TextRun { text: SEPARATOR.to_owned(), ..TextRun::default() });
    }
}

fn drop_last_separator(words: &mut Words) {
    words.0.pop_if(|run| run.source.is_none() && run.text == SEPARATOR);
}

fn quoted_paragraphs(line: &ContentLine, has_parts: bool) -> Vec<Words> {
    let text = unquoted(line.value(), line.parameter("CHARSET"));
    let text = text.replace("\r\n", "\n");
    let parts = |text: &str| {
        text.split(|sign| sign == ';' && has_parts)
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(SEPARATOR)
    };
    text.split("\n\n").map(parts).filter(|part| !part.is_empty()).map(|part| line.replaced(part)).collect()
}

/// The characters of a quoted-printable value.
fn unquoted(value: &str, charset: Option<&str>) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    hex_escapes(value.as_bytes(), b'=', &mut bytes);
    let hints = EncodingHints { declared: charset, format: DeclarationFormat::None };
    decode_all(&bytes, &hints).0.text
}

/// Days and times as people sort them: `2026-03-01 10:00 UTC`.
fn times(line: &ContentLine) -> String {
    let zone = line.parameter("TZID").map(|zone| format!(" ({})", zone.trim_start_matches('/')));
    let all: Vec<String> = line.value().split(',').map(time).collect();
    format!("{}{}", all.join(SEPARATOR), zone.unwrap_or_default())
}

/// A time, a day or a period; anything else as it is.
fn time(value: &str) -> String {
    if let Some((start, end)) = value.split_once('/') {
        return format!("{} to {}", day_and_clock(start), day_and_clock(end));
    }
    day_and_clock(value)
}

fn day_and_clock(value: &str) -> String {
    let (day, clock) = value.trim().split_once(['T', 't']).unwrap_or((value.trim(), ""));
    let is_number =
        |text: &str, len: usize| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(day, 8) {
        return value.trim().to_owned();
    }
    let mut out = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]);
    let digits = clock.trim_end_matches(['Z', 'z']);
    if is_number(digits, 6) || is_number(digits, 4) {
        let _ = write!(out, " {}:{}", &digits[..2], &digits[2..4]);
        if let Some(seconds) = digits.get(4..).filter(|seconds| !matches!(*seconds, "" | "00")) {
            let _ = write!(out, ":{seconds}");
        }
    }
    if digits.len() < clock.len() {
        out.push_str(" UTC");
    }
    out
}

/// A rule in words: `FREQ=WEEKLY;BYDAY=MO;UNTIL=20260401` becomes `weekly, by day MO, until 2026-04-01`.
fn rule(value: &str) -> String {
    let part = |part: &str| {
        let (name, value) = part.split_once('=')?;
        Some(match name.to_ascii_uppercase().as_str() {
            "FREQ" => value.to_lowercase(),
            "UNTIL" => format!("until {}", time(value)),
            "COUNT" => format!("{value} times"),
            "INTERVAL" => format!("every {value}"),
            name if name.starts_with("BY") => {
                format!("by {} {}", name[2..].to_lowercase(), value.replace(',', " "))
            }
            _ => return None,
        })
    };
    value.split(';').filter_map(part).collect::<Vec<_>>().join(SEPARATOR)
}

/// `Bo Falk (bo@example.org), accepted`.
fn person(line: &ContentLine) -> String {
    let value = line.value().trim();
    let scheme = value.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
    let address = &value[scheme.map_or(0, str::len)..];
    let name = line.parameter("CN").map(str::trim).filter(|name| !name.is_empty() && *name != address);
    let mut out = match name {
        Some(name) => format!("{name} ({address})"),
        None => address.to_owned(),
    };
    if let Some(answer) =
        line.parameter("PARTSTAT").filter(|answer| !answer.eq_ignore_ascii_case("NEEDS-ACTION"))
    {
        let _ = write!(out, ", {}", answer.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content_lines::line::content_lines;

    fn check(source: &str, kind: ValueKind, expected: &str) {
        let line = content_lines(source).next().unwrap().whole();
        assert_eq!(words(&line, kind).to_plain(), expected, "of {source}");
    }

    #[test]
    fn values_are_read_as_people_write_them() {
        check("A:ink\\; and\\, paper\\\\ \\x", ValueKind::Text, "ink; and, paper\\ \\x");
        check("A:one\\ntwo\\N\\nthree", ValueKind::Text, "one\ntwo\nthree");
        check("A:b; c", ValueKind::Text, "b; c");
        check("ADR:;;Quay 4;Harbour;;;Norway", ValueKind::Parts, "Quay 4, Harbour, Norway");
        check("N;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=F6we;Ines", ValueKind::Parts, "Möwe, Ines");
        check("N;ENCODING=QUOTED-PRINTABLE:M=C3=\n=B6we", ValueKind::Text, "Möwe");
        check("D;TZID=Europe/Oslo:20260301T100000", ValueKind::Time, "2026-03-01 10:00 (Europe/Oslo)");
        check("D:20260301T100030Z,20260302", ValueKind::Time, "2026-03-01 10:00:30 UTC, 2026-03-02");
        check("D:20260301T10Z00/PT1H", ValueKind::Time, "2026-03-01 to PT1H");
        check("R:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", ValueKind::Rule, "weekly, by day MO WE, 3 times");
        check(
            "P;CN=\"Falk, Bo\";PARTSTAT=ACCEPTED:MAILTO:bo@example.org",
            ValueKind::Person,
            "Falk, Bo (bo@example.org), accepted",
        );
        check("U:https://example.org/a;b\\c", ValueKind::Address, "https://example.org/a;b\\c");
    }
}
