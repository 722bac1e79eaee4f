//! What the text of a cell means: a number, a date, nothing, or words.
//!
//! Numbers are written in many ways: `(1,577)`, `1.234,50`, `$ -5`, `12.5 %*`, `1,234 (2)`. A form that can be read in two ways (`1,234`)
//! is read by the [`NumberStyle`] of its column. What is not wholly understood is text: a wrong number is worse than none.

use super::date::{DateOrder, is_date_like};
use std::borrow::Cow;

/// How ambiguous numbers of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NumberStyle {
    /// `1,234.5`
    #[default]
    Point,
    /// `1.234,5`
    Comma,
}

/// An exact number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number.
    Integer(i64),
    /// Any other, with at most 17 digits: more than a program prints of a float.
    Real(f64),
}

impl Number {
    /// As a float.
    pub fn as_f64(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Real(number) => number,
        }
    }
}

/// The value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum CellValue {
    /// Nothing, or a mark that stands for nothing, such as a dash.
    Empty,
    /// A number without its unit.
    Number(Number),
    /// A date as ISO 8601 writes it: `2021-03-04`, `2021-03`, `2021-03-04T10:00:00`.
    Date(String),
    /// Words.
    Text,
}

/// A number as it is written, before its digits are read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct WrittenNumber<'t> {
    digits: &'t str,
    is_negative: bool,
    exponent: i32,
    magnitude: i32,
    pub is_percent: bool,
    pub currency: Option<&'t str>,
    pub unit: Option<&'t str>,
}

/// What separates the parts of the digits of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separators {
    /// None, or they can be read in one way only, with this style.
    Known(Option<NumberStyle>),
    /// One point or comma before three digits.
    Either,
    /// A comma before four digits: decimals, or three and the raised number of a note, which a clean text does not raise.
    Raised,
}

/// Symbols and codes of currencies; longer ones first where one begins with another.
const CURRENCIES: &[&str] = &[
    "US$", "HK$", "NZ$", "CA$", "AU$", "MX$", "NT$", "C$", "A$", "R$", "S$", "$", "€", "£", "¥", "₹", "₩",
    "₽", "₺", "₫", "₪", "₴", "฿", "₦", "₱", "¢", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "RMB", "INR",
    "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "KRW", "SEK", "NOK", "DKK", "ISK", "PLN", "CZK", "HUF", "RON",
    "BGN", "RUB", "UAH", "TRY", "ILS", "AED", "SAR", "EGP", "ZAR", "BRL", "MXN", "ARS", "CLP", "COP", "THB",
    "IDR", "MYR", "PHP", "VND", "PKR", "Rs.", "Rs", "Rp", "zł", "Kč", "kr.", "kr", "Fr.", "Ft", "лв.", "лв",
    "руб.", "руб", "грн", "ریال", "ج.م.", "円", "元", "원",
];

/// Words after a number that multiply it, without a full stop, with the power of ten.
const MAGNITUDES: &[(&str, i32)] = &[
    ("thousand", 3),
    ("tsd", 3),
    ("tys", 3),
    ("тыс", 3),
    ("千", 3),
    ("천", 3),
    ("万", 4),
    ("萬", 4),
    ("만", 4),
    ("lakh", 5),
    ("lakhs", 5),
    ("million", 6),
    ("millions", 6),
    ("mio", 6),
    ("mn", 6),
    ("mln", 6),
    ("millionen", 6),
    ("млн", 6),
    ("百万", 6),
    ("crore", 7),
    ("crores", 7),
    ("億", 8),
    ("亿", 8),
    ("억", 8),
    ("billion", 9),
    ("billions", 9),
    ("bn", 9),
    ("mrd", 9),
    ("mld", 9),
    ("mlrd", 9),
    ("milliarden", 9),
    ("milliards", 9),
    ("млрд", 9),
    ("trillion", 12),
    ("tn", 12),
];

/// What stands for "no number".
const NOTHING: &[&str] = &[
    "-", "--", "---", "–", "—", "―", "−", "‐", "‑", "(-)", "(–)", "(—)", "n/a", "n.a.", "n. a.", "na", "nm",
    "n.m.", "n/m", "n.d.", "k.a.", "nil", "none", "null", "nan", "#n/a", "tbd", "?", "..", "...", "…", "·",
    "•",
];

/// Longer cells are words.
const MAX_NUMBER_BYTES: usize = 48;
/// Letters of a unit, at most: `kWh/m²`. What is longer are words.
const MAX_UNIT_CHARS: usize = 7;
/// Programs print a float with 17 digits at most, and these lead back to it; an integer has 18 exactly.
const MAX_REAL_DIGITS: usize = 17;
const MAX_INTEGER_DIGITS: usize = 18;

/// True for a cell that says that there is no number.
pub(super) fn is_nothing(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || is_currency_symbol(c)).trim();
    let text = text.trim_end_matches(['%', ' ']);
    text.len() <= 5 && NOTHING.iter().any(|nothing| text.eq_ignore_ascii_case(nothing))
}

fn is_currency_symbol(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₫' | '₪' | '₴' | '฿')
}

/// True for a cell that is a currency alone, which belongs to the number beside it.
pub(super) fn is_currency(text: &str) -> bool {
    CURRENCIES.contains(&text)
}

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CellStyle {
    pub numbers: NumberStyle,
    pub dates: DateOrder,
    /// True if a space may separate groups of digits; otherwise `860 784` are two numbers that share a cell.
    pub has_spaces: bool,
}

/// The value of a cell of a column with this style.
pub(super) fn cell_value(text: &str, style: CellStyle) -> CellValue {
    let text = text.trim();
    if text.is_empty() {
        return CellValue::Empty;
    }
    let plain = western(text);
    if let Some(number) = written(&plain).and_then(|number| number.value_in(style)) {
        return CellValue::Number(number);
    }
    if is_date_like(&plain)
        && let Some(date) = super::date::parse_date(&plain, style.dates)
    {
        return CellValue::Date(date.iso);
    }
    if is_nothing(text) { CellValue::Empty } else { CellValue::Text }
}

/// The first digits of scripts other than Latin.
const ZEROS: &str = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐０";

/// Digits of other scripts as those of ASCII, with their separators and without marks of direction; other text as it is.
pub(super) fn western(text: &str) -> Cow<'_, str> {
    let digit =
        |c: char| ZEROS.chars().find_map(|zero| char::from_digit((c as u32).checked_sub(zero as u32)?, 10));
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = |c: char| match c {
        '٫' => Some('.'),
        '٬' | '،' => Some(','),
        '٪' => Some('%'),
        '\u{200e}' | '\u{200f}' | '\u{61c}' => None,
        // No digit stands before those of Arabic.
        '٠'.. => digit(c).or(Some(c)),
        _ => Some(c),
    };
    if text.chars().all(|c| plain(c) == Some(c)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(plain).collect::<String>().trim().to_owned())
}

/// Reads the number of a cell, whatever the script of its digits.
pub(super) fn with_number<T>(text: &str, read: impl FnOnce(WrittenNumber<'_>) -> T) -> Option<T> {
    written(western(text).trim()).map(read)
}

/// True for four digits that are a year, rather than an amount, in a column of such: documents tell of the printed age and plan
/// for a century.
pub(super) fn is_year(digits: &str) -> bool {
    digits.len() == 4 && matches!(digits.parse(), Ok(1500..=2150))
}

/// Takes a number apart; `None` if anything of the text is left that no number has.
fn written(text: &str) -> Option<WrittenNumber<'_>> {
    if text.len() > MAX_NUMBER_BYTES || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut number = WrittenNumber::default();
    let (mut rest, mut is_in_brackets) = (without_emphasis(text), false);
    loop {
        rest = rest.trim_start();
        let c = rest.chars().next()?;
        match c {
            '(' if !is_in_brackets => is_in_brackets = true,
            '-' | '−' | '–' | '‑' | '△' | '▲' if !number.is_negative => number.is_negative = true,
            '+' => {}
            '%' if !number.is_percent => number.is_percent = true,
            '0'..='9' | '.' | ',' => break,
            _ => {
                let currency = CURRENCIES.iter().find(|name| rest.starts_with(**name))?;
                if number.currency.is_some() {
                    return None;
                }
                number.currency = Some(&rest[..currency.len()]);
                rest = &rest[currency.len()..];
                continue;
            }
        }
        rest = &rest[c.len_utf8()..];
    }
    let length = digits_length(rest);
    (number.digits, rest) = rest.split_at(length);
    if !number.digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    (number.exponent, rest) = exponent(rest);
    // No cents: `CHF 5.–`, `49,-`, `Rs 500/-`.
    if let Some(dash) = rest.strip_prefix(['.', ',', '/'])
        && matches!(dash, "-" | "–" | "—")
    {
        rest = "";
    }
    let mut is_closed = false;
    loop {
        let before = rest;
        rest = rest.trim_start();
        let is_apart = before.len() > rest.len();
        let Some(c) = rest.chars().next() else { break };
        rest = match c {
            '%' | '‰' if !number.is_percent => {
                number.is_percent = true;
                number.magnitude -= if c == '‰' { 1 } else { 0 };
                &rest[c.len_utf8()..]
            }
            ')' if is_in_brackets && !is_closed => {
                is_closed = true;
                &rest[1..]
            }
            '-' | '−' | '–' if rest.chars().count() == 1 && !number.is_negative => {
                number.is_negative = true;
                ""
            }
            _ => after_currency(rest, &mut number)
                .or_else(|| note_mark(rest, is_apart))
                .or_else(|| after_word(rest, is_apart, &mut number))?,
        };
    }
    if is_in_brackets {
        // `(1` is the number of an item that lost its bracket; `(1,577` is a number whose bracket stands in the next cell.
        if !is_closed && number.digits.len() < 3 {
            return None;
        }
        number.is_negative = true;
    }
    Some(number)
}

/// Without the marks of Markdown around the whole cell.
fn without_emphasis(text: &str) -> &str {
    let mut text = text;
    for mark in ["***", "**", "__", "~~", "*", "_", "`"] {
        if let Some(inner) = text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark)) {
            text = inner;
        }
    }
    text
}

/// The length of digits with their separators. A space or an apostrophe separates groups of three digits only.
fn digits_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut at = 0;
    loop {
        let c = text[at..].chars().next();
        match c {
            Some('0'..='9') => at += 1,
            Some('.' | ',') if is_digit(at + 1) => at += 1,
            Some(c @ (' ' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}')) => {
                let next = at + c.len_utf8();
                let is_group = at > 0 && (next..next + 3).all(is_digit) && !is_digit(next + 3);
                if !is_group {
                    return at;
                }
                at = next;
            }
            _ => return at,
        }
    }
}

fn exponent(text: &str) -> (i32, &str) {
    let rest = text.strip_prefix(['e', 'E']).or_else(|| {
        let times = text.trim_start().strip_prefix(['×', 'x', '·'])?.trim_start().strip_prefix("10")?;
        times.strip_prefix('^').or_else(|| times.starts_with(['-', '−']).then_some(times))
    });
    let Some(rest) = rest else { return (0, text) };
    let rest = rest.strip_prefix('{').unwrap_or(rest);
    let (sign, digits) = match rest.strip_prefix(['-', '−']) {
        Some(digits) => (-1, digits),
        None => (1, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    match digits[..length].parse::<i32>() {
        Ok(power) if length <= 2 => {
            (sign * power, digits[length..].strip_prefix('}').unwrap_or(&digits[length..]))
        }
        _ => (0, text),
    }
}

fn after_currency<'t>(rest: &'t str, number: &mut WrittenNumber<'t>) -> Option<&'t str> {
    let name = CURRENCIES.iter().find(|name| rest.starts_with(**name))?;
    let after = &rest[name.len()..];
    // That of the next column stands in the cell, too: `$ 14,082 $`.
    if number.currency == Some(*name) && after.trim().is_empty() {
        return Some(after);
    }
    if number.currency.is_some() || after.starts_with(char::is_alphanumeric) {
        return None;
    }
    number.currency = Some(&rest[..name.len()]);
    Some(after)
}

/// The text after the mark of a footnote: `*`, `†`, `^2`, `[a]`, ` (1)`, or a single letter behind the digits.
fn note_mark(rest: &str, is_apart: bool) -> Option<&str> {
    let is_key = |key: &str| {
        let is_number = key.len() <= 2 && key.bytes().all(|byte| byte.is_ascii_digit());
        !key.is_empty() && (is_number || key.len() == 1 && key.as_bytes()[0].is_ascii_lowercase())
    };
    let enclosed = |open: &str, close: char| {
        let (key, after) = rest.strip_prefix(open)?.split_once(close)?;
        is_key(key).then_some(after)
    };
    if let Some(after) = rest.strip_prefix(['*', '†', '‡', '§', '¶', '#']) {
        return Some(after);
    }
    if let Some(after) = rest.strip_prefix("\\*") {
        return Some(after);
    }
    if let Some(found) = enclosed("[", ']').or_else(|| enclosed("^(", ')')).or_else(|| enclosed("^{", '}')) {
        return Some(found);
    }
    if let Some(after) = rest.strip_prefix("[^") {
        return after.split_once(']').map(|(_, after)| after);
    }
    if let Some(after) = rest.strip_prefix('^') {
        let length = after.find(|c: char| !c.is_ascii_alphanumeric() && c != ',').unwrap_or(after.len());
        return after.get(length..).filter(|_| length > 0 && length <= 3);
    }
    if rest.starts_with("<sup>") {
        return rest.split_once("</sup>").map(|(_, after)| after);
    }
    // Digits in brackets next to the number are its uncertainty: `1.23(4)`.
    if is_apart || rest.as_bytes().get(1).is_some_and(u8::is_ascii_lowercase) && rest.starts_with('(') {
        return enclosed("(", ')');
    }
    let is_letter = matches!(rest.as_bytes(), [b'a'..=b'f']);
    is_letter.then_some("")
}

/// The text after a unit or a word that multiplies.
fn after_word<'t>(rest: &'t str, is_apart: bool, number: &mut WrittenNumber<'t>) -> Option<&'t str> {
    let word = &rest[..unit_length(rest)];
    let after = &rest[word.len()..];
    let lower = word.trim_end_matches('.').to_lowercase();
    if let Some((name, power)) = MAGNITUDES.iter().find(|(name, _)| {
        // What follows in scripts without spaces is a unit: `100万円`.
        *name == lower || !name.is_ascii() && name.chars().count() < 3 && rest.starts_with(name)
    }) {
        number.magnitude += power;
        return Some(if *name == lower { after } else { &rest[name.len()..] });
    }
    if matches!(lower.as_str(), "percent" | "pct" | "prozent") {
        number.is_percent = true;
        return Some(after);
    }
    if word.is_empty() || number.unit.is_some() {
        return None;
    }
    let has_currency = number.currency.is_some();
    number.magnitude += match word {
        "k" | "K" if has_currency || !is_apart => 3,
        "M" if has_currency || !is_apart => 6,
        "m" if has_currency => 6,
        "B" if has_currency || !is_apart => 9,
        "b" if has_currency => 9,
        _ => {
            // `2nd`, `3rd` and `1st` are no numbers with a unit, and `3 of` none at all.
            let is_ordinal = !is_apart && matches!(lower.as_str(), "st" | "nd" | "rd" | "th" | "");
            let is_last = matches!(after.trim(), "" | ")");
            // `10k/wuffs` is a name, `10km/h` a speed.
            let is_name = !is_apart && word.rsplit_once('/').is_some_and(|(_, per)| per.chars().count() > 3);
            if is_ordinal || is_name || word.chars().count() > MAX_UNIT_CHARS || !is_last {
                return None;
            }
            number.unit = Some(word);
            0
        }
    };
    Some(after)
}

/// The length of a unit: letters, with signs and powers between and behind them (`kWh/m²`, `m3`, `/kg`). `/4/21`, `Q2` and `x20`
/// are none, but parts of dates, periods and sizes.
fn unit_length(rest: &str) -> usize {
    let mut last = ' ';
    for (at, c) in rest.char_indices() {
        let is_letter = c.is_alphabetic() || matches!(c, '°' | 'µ' | '"' | '\'' | '′' | '″');
        let is_sign = matches!(c, '/' | '.' | '²' | '³' | '^') && (at > 0 || c == '/');
        let is_power = matches!(c, '2' | '3') && (last == '^' || last.is_lowercase());
        match c {
            _ if is_letter || is_sign || is_power => last = c,
            // More digits: no unit at all.
            _ if c.is_ascii_digit() => return 0,
            _ => return at,
        }
    }
    rest.len()
}

impl WrittenNumber<'_> {
    /// Whether its separators say how to read them.
    pub fn separators(&self) -> Separators {
        let points = self.digits.bytes().filter(|byte| *byte == b'.').count();
        let commas = self.digits.bytes().filter(|byte| *byte == b',').count();
        let is_spaced = self.digits.chars().any(|c| !matches!(c, '0'..='9' | '.' | ','));
        let style = |mark: u8| if mark == b'.' { NumberStyle::Point } else { NumberStyle::Comma };
        let other = |mark: u8| if mark == b'.' { NumberStyle::Comma } else { NumberStyle::Point };
        let (mark, count) = if points > 0 { (b'.', points) } else { (b',', commas) };
        match (points, commas) {
            (0, 0) => Separators::Known(None),
            (1.., 1..) => {
                let is_point = self.digits.rfind('.') > self.digits.rfind(',');
                Separators::Known(Some(if is_point { NumberStyle::Point } else { NumberStyle::Comma }))
            }
            _ if count > 1 => Separators::Known(Some(other(mark))),
            _ => {
                let (whole, part) = self.digits.split_once(mark as char).unwrap_or_default();
                let is_either = part.len() == 3
                    && (1..=3).contains(&whole.len())
                    && !whole.starts_with('0')
                    && !is_spaced;
                let is_raised = mark == b',' && part.len() == 4 && (1..=3).contains(&whole.len());
                match () {
                    () if is_either => Separators::Either,
                    () if is_raised && !whole.starts_with('0') && !is_spaced => Separators::Raised,
                    () => Separators::Known(Some(style(mark))),
                }
            }
        }
    }

    fn value_in(&self, style: CellStyle) -> Option<Number> {
        if self.has_spaces() && !style.has_spaces { None } else { self.value(style.numbers) }
    }

    /// True for a few digits with a point at most, which always have a value: most numbers of a file of records.
    pub fn is_plain(&self) -> bool {
        let marks = self.digits.bytes().filter(|byte| !byte.is_ascii_digit()).count();
        let is_short = self.digits.len() <= MAX_REAL_DIGITS && self.exponent == 0 && self.magnitude == 0;
        is_short && !self.digits.starts_with('0') && (marks == 0 || marks == 1 && self.digits.contains('.'))
    }

    /// True if a space separates groups of its digits.
    pub fn has_spaces(&self) -> bool {
        self.digits.contains(char::is_whitespace)
    }

    /// True if a mark separates groups of its digits, or may do so.
    pub fn has_groups(&self) -> bool {
        let marks = self.digits.bytes().filter(|byte| matches!(byte, b'.' | b',')).count();
        marks > 1 || self.separators() == Separators::Either
    }

    /// Its value; `None` if the digits are those of a code, a date or a version.
    pub fn value(&self, style: NumberStyle) -> Option<Number> {
        let style = match self.separators() {
            Separators::Known(known) => known.unwrap_or(style),
            Separators::Either | Separators::Raised => style,
        };
        let (mark, group) = if style == NumberStyle::Point { ('.', ',') } else { (',', '.') };
        let (whole, part) = self.digits.split_once(mark).unwrap_or((self.digits, ""));
        let mut groups = whole.split(|c: char| !c.is_ascii_digit());
        let first = groups.next().unwrap_or_default();
        let others: Vec<&str> = groups.collect();
        let is_grouped = others.iter().enumerate().all(|(at, digits)| {
            // Groups of two before the last one: 12,34,567.
            digits.len() == 3 || digits.len() == 2 && at + 1 < others.len()
        });
        let is_whole = first.len() <= 3 || others.is_empty();
        let has_other = whole.chars().any(|c| {
            !c.is_ascii_digit()
                && c != group
                && !matches!(c, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}' | '\u{2009}')
        });
        if !is_grouped || !is_whole || has_other || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // A code keeps its zeros: `00123`.
        let is_code = whole.len() > 1 && whole.starts_with('0');
        if is_code {
            return None;
        }
        let mut digits: String = whole.chars().filter(char::is_ascii_digit).collect();
        let power = self.exponent + self.magnitude - part.len() as i32;
        digits.push_str(part);
        let significant = digits.trim_start_matches('0').trim_end_matches('0').len();
        let sign = if self.is_negative { "-" } else { "" };
        if power >= 0 && digits.len() as i32 + power <= MAX_INTEGER_DIGITS as i32 {
            digits.extend(std::iter::repeat_n('0', power as usize));
            return format!("{sign}{digits}").parse().ok().map(Number::Integer);
        }
        (significant <= MAX_REAL_DIGITS)
            .then(|| format!("{sign}{digits}e{power}").parse().ok().map(Number::Real))?
    }

    /// True for four digits that may be a year.
    pub fn is_year(&self) -> bool {
        let is_plain =
            !self.is_percent && !self.is_negative && self.currency.is_none() && self.unit.is_none();
        is_plain && is_year(self.digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, style: NumberStyle) -> CellValue {
        cell_value(text, CellStyle { numbers: style, has_spaces: true, ..CellStyle::default() })
    }

    #[test]
    fn numbers_have_their_sign_and_lose_their_dress() {
        let check = |text: &str, expected: f64| match value(text, NumberStyle::Point) {
            CellValue::Number(number) => assert_eq!(number.as_f64(), expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        };
        for (text, expected) in [
            ("1577", 1577.0),
            ("(1,577)", -1577.0),
            ("−5", -5.0),
            ("5-", -5.0),
            ("-$5", -5.0),
            ("$(5)", -5.0),
            ("($5)", -5.0),
            ("$ (26)", -26.0),
            ("$ 5,363", 5363.0),
            ("36,000", 36000.0),
            ("12.5 %", 12.5),
            ("(1.3)%", -1.3),
            ("12.5*", 12.5),
            ("1,234 (1)", 1234.0),
            ("1,234^2", 1234.0),
            ("1,234[a]", 1234.0),
            ("12,34,567", 1234567.0),
            ("1'234.50", 1234.5),
            ("1 234 567", 1234567.0),
            ("1 234,5", 1234.5),
            ("**17**", 17.0),
            ("+3", 3.0),
            ("5 km", 5.0),
            ("3.5x", 3.5),
            ("€ 1.2 million", 1.2e6),
            ("$3.4M", 3.4e6),
            ("1.5e3", 1500.0),
            ("2.5E-03", 0.0025),
            ("0.123", 0.123),
            (".5", 0.5),
            ("٣٫٥", 3.5),
            ("12 €", 12.0),
            ("USD 12", 12.0),
            ("△1,000", -1000.0),
            ("1.234,50", 1234.5),
            ("12,5", 12.5),
            ("(1,577", -1577.0),
            ("3.4530000000000003", 3.4530000000000003),
            ("1,577(a)", 1577.0),
            ("(26.00 RON)", -26.0),
            ("%12", 12.0),
            ("$ 14,082 $", 14082.0),
            ("5 Prozent", 5.0),
            ("CHF 1'234.–", 1234.0),
            ("49,-", 49.0),
            ("Rs 1,50,000/-", 150000.0),
            ("Rp1,577", 1577.0),
            ("7B", 7e9),
            ("12K", 12000.0),
            ("5 тыс.", 5000.0),
            ("₹ 3 crore", 3e7),
            ("100万円", 1e6),
            ("3.4×10-3", 0.0034),
            ("5 m2", 5.0),
            ("€ 5/kg", 5.0),
            ("\u{200f}1٬577٫00 ج.م.\u{200f}", 1577.0),
            ("٥٪", 5.0),
            ("๑,๒๓๔", 1234.0),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn the_column_decides_what_can_be_read_in_two_ways() {
        assert_eq!(value("1.234", NumberStyle::Point), CellValue::Number(Number::Real(1.234)));
        assert_eq!(value("1.234", NumberStyle::Comma), CellValue::Number(Number::Integer(1234)));
        assert_eq!(value("1,234", NumberStyle::Comma), CellValue::Number(Number::Real(1.234)));
        assert_eq!(value("0,5", NumberStyle::Point), CellValue::Number(Number::Real(0.5)));
        assert_eq!(cell_value("860 784", CellStyle::default()), CellValue::Text);
        // Four decimals, or the raised number of a note that a clean text does not raise.
        assert_eq!(value("1,0823", NumberStyle::Comma), CellValue::Number(Number::Real(1.0823)));
        assert_eq!(value("1,5771", NumberStyle::Point), CellValue::Text);
    }

    #[test]
    fn what_is_no_number_is_text() {
        for text in [
            "00123",
            "555-1234",
            "10:30",
            "5-10",
            "1.2.3",
            "2nd",
            "Level 3",
            "3 of 4",
            "12.5 (3.2)",
            "1,23,4",
            "12345678901234567890.5",
            "(1",
            "A4",
            "12 angry men",
            "±5",
            "<5",
            "1/2",
            "3/4/211",
            "2021Q2",
            "10x20",
            "1.23(4)",
            "10k/wuffs",
        ] {
            assert_eq!(value(text, NumberStyle::Point), CellValue::Text, "{text}");
        }
        for text in ["", " ", "—", "$ —", "n/a", "--", "- %", "n. a.", "#N/A", "NaN", "(-)"] {
            assert_eq!(value(text, NumberStyle::Point), CellValue::Empty, "{text}");
        }
    }
}
