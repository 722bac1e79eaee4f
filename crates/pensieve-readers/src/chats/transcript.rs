//! Transcripts of WhatsApp: lines that begin with a date, a time and a name, in the form of the phone's country.
//!
//! `[31/12/2025, 23:59:59] Ann: text` (iOS), `12/31/25, 11:59 PM - Ann: text` (Android). A line without a date goes on.

use super::conversation::{Conversation, Message};
use crate::markdown::{TextRun, Words};
use pensieve_text::model::Span;

/// Longer names are words with a colon.
const MAX_NAME_CHARS: usize = 60;

/// Signs that direct the writing, which iOS puts before lines and names.
const DIRECTIONS: [char; 6] = ['\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}', '\u{2068}', '\u{2069}'];

/// The beginning of a message.
#[derive(Debug, Clone, PartialEq)]
struct LineStamp {
    date: [u32; 3],
    /// Whether the year is first.
    year_first: bool,
    hour: u32,
    minute: u32,
    /// Date and time as they are written.
    written: Span,
    /// Where the rest of the line begins.
    end: usize,
}

/// Which part of a date comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DateOrder {
    DayFirst,
    MonthFirst,
    Unknown,
}

/// Reads the messages of a transcript.
pub(super) fn read(source: &str) -> Conversation {
    let mut messages: Vec<Message> = Vec::new();
    let mut stamps: Vec<LineStamp> = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let words = line.trim_end();
        match stamp(words) {
            Some(stamp) => {
                messages.push(message(words, &stamp, at));
                stamps.push(LineStamp {
                    written: Span::new(at + stamp.written.start, at + stamp.written.end),
                    ..stamp
                });
            }
            None => {
                if let Some(last) = messages.last_mut().filter(|_| !words.is_empty()) {
                    last.text.push_plain("\n");
                    last.text.push(run(words, 0..words.len(), at));
                }
            }
        }
        at += line.len();
    }
    let order = order_of(&stamps);
    for (message, stamp) in messages.iter_mut().zip(&stamps) {
        message.time = time(stamp, order, &source[stamp.written.range()]);
    }
    Conversation { messages, ..Conversation::default() }
}

fn run(line: &str, range: std::ops::Range<usize>, at: usize) -> TextRun {
    let source = Some(Span::new(at + range.start, at + range.end));
    TextRun { text: line[range].to_owned(), source, ..TextRun::default() }
}

fn message(line: &str, stamp: &LineStamp, at: usize) -> Message {
    let rest = &line[stamp.end..];
    let name = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|name| (name, "")));
    let name = name.filter(|(name, _)| name.chars().count() <= MAX_NAME_CHARS);
    let Some((name, _)) = name else {
        return Message { text: Words(vec![run(line, stamp.end..line.len(), at)]), ..Message::default() };
    };
    let text = (stamp.end + name.len() + 2).min(line.len());
    let skipped = name.len() - name.trim_start_matches(DIRECTIONS).len();
    Message {
        author: Words(vec![run(line, stamp.end + skipped..stamp.end + name.len(), at)]),
        text: Words(vec![run(line, text..line.len(), at)]),
        ..Message::default()
    }
}

/// Whether days or months are first: a number over twelve is a day.
fn order_of(stamps: &[LineStamp]) -> DateOrder {
    let is_over = |part: usize| stamps.iter().any(|stamp| !stamp.year_first && stamp.date[part] > 12);
    match (is_over(0), is_over(1)) {
        (true, false) => DateOrder::DayFirst,
        (false, true) => DateOrder::MonthFirst,
        _ => DateOrder::Unknown,
    }
}

/// `2025-12-31 23:59`; as it is written if nothing says what is the day.
fn time(stamp: &LineStamp, order: DateOrder, written: &str) -> String {
    let [first, second, third] = stamp.date;
    let (year, month, day) = match order {
        _ if stamp.year_first => (first, second, third),
        DateOrder::DayFirst => (third, second, first),
        DateOrder::MonthFirst => (third, first, second),
        DateOrder::Unknown if first == second => (third, first, second),
        DateOrder::Unknown => return written.replace(['\u{202f}', '\u{a0}'], " "),
    };
    let year = if year < 100 { year + 2000 } else { year };
    format!("{year}-{month:02}-{day:02} {:02}:{:02}", stamp.hour, stamp.minute)
}

/// A reader of the parts of a stamp.
struct StampReader<'l> {
    line: &'l str,
    at: usize,
}

impl StampReader<'_> {
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.at += self.rest().len() - self.rest().trim_start_matches(is_skipped).len();
    }

    fn skip_spaces(&mut self) {
        self.skip(|c| c.is_whitespace() || DIRECTIONS.contains(&c));
    }

    fn take(&mut self, words: &[&str]) -> Option<usize> {
        let lower: String = self.rest().chars().take(8).collect::<String>().to_lowercase();
        let found = words.iter().position(|word| lower.starts_with(word))?;
        self.at += words[found].len();
        Some(found)
    }

    fn number(&mut self, most: usize) -> Option<(u32, usize)> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number = self.rest()[..digits].parse().ok().filter(|_| digits <= most)?;
        self.at += digits;
        Some((number, digits))
    }
}

/// Halves of the day before and after the time; those at odd places are after noon.
const HALVES_BEFORE: &[&str] = &["上午", "下午", "오전", "오후", "午前", "午後"];
const HALVES_AFTER: &[&str] = &["am", "pm", "a.m.", "p.m.", "a. m.", "p. m."];

/// The stamp that a line begins with.
fn stamp(line: &str) -> Option<LineStamp> {
    let mut reader = StampReader { line, at: 0 };
    reader.skip(|c| DIRECTIONS.contains(&c) || c == '\u{feff}');
    let has_bracket = reader.take(&["["]).is_some();
    let start = reader.at;
    let (first, digits) = reader.number(4)?;
    let separators: &[&str] = &["/", ".", "-"];
    let mut parts = [first, 0, 0];
    for part in &mut parts[1..] {
        reader.take(separators)?;
        reader.skip_spaces();
        *part = reader.number(4)?.0;
    }
    reader.take(&["."]);
    reader.take(&[","]);
    reader.skip_spaces();
    let before = reader.take(HALVES_BEFORE);
    reader.skip_spaces();
    let (mut hour, _) = reader.number(2)?;
    reader.take(&[":", "."])?;
    let (minute, _) = reader.number(2)?;
    if reader.take(&[":", "."]).is_some() {
        reader.number(2)?;
    }
    let end_of_time = reader.at;
    reader.skip_spaces();
    let half = before.or_else(|| reader.take(HALVES_AFTER));
    let end_of_time = if half.is_some() && before.is_none() { reader.at } else { end_of_time };
    match half.map(|half| half % 2) {
        Some(1) if hour < 12 => hour += 12,
        Some(0) if hour == 12 => hour = 0,
        _ => {}
    }
    reader.skip_spaces();
    match has_bracket {
        true => reader.take(&["]"])?,
        false => reader.take(&["-", "–"])?,
    };
    reader.skip_spaces();
    let year_first = digits == 4;
    let [year, month, day] = if year_first { parts } else { [parts[2], parts[0], parts[1]] };
    let is_date = (1..=31).contains(&month) && (1..=31).contains(&day) && (month <= 12 || day <= 12);
    let is_time = hour < 24 && minute < 60 && (year < 100 || (1990..2100).contains(&year));
    (is_date && is_time).then_some(LineStamp {
        date: parts,
        year_first,
        hour,
        minute,
        written: Span::new(start, end_of_time),
        end: reader.at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_forms_of_many_countries() {
        for (line, expected) in [
            ("[31/12/2025, 23:59:59] Ann: x", Some("2025-12-31 23:59")),
            ("\u{200e}[31.12.25, 23:59:59] Ann: \u{200e}x", Some("2025-12-31 23:59")),
            ("31/12/2025, 23:59 - Ann: x", Some("2025-12-31 23:59")),
            ("12/31/25, 11:59\u{202f}PM - Ann: x", Some("2025-12-31 23:59")),
            ("12/31/25, 12:05 am – Ann: x", Some("2025-12-31 00:05")),
            ("31/12/25, 11:59 p. m. - Ann: x", Some("2025-12-31 23:59")),
            ("[2025/12/31 下午11:59:59] Ann: x", Some("2025-12-31 23:59")),
            ("2025. 12. 31. 오후 11:59 - Ann: x", Some("2025-12-31 23:59")),
            ("2025-12-31, 23.59 - Ann: x", Some("2025-12-31 23:59")),
            ("[01/02/2025, 23:59:59] Ann: x", Some("01/02/2025, 23:59:59")),
            ("[02/02/2025, 23:59:59] Ann: x", Some("2025-02-02 23:59")),
            ("31/12/2025 was a day", None),
            ("99/99/2025, 23:59 - Ann: x", None),
            ("12:30 - lunch", None),
        ] {
            let found = read(line);
            let time = found.messages.first().map(|message| message.time.as_str());
            assert_eq!(time, expected, "of {line}");
        }
    }
}
