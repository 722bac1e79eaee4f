//! The values that a setting accepts, and how they are parsed.

use std::fmt;
use toml::Value;
use toml::de::DeValue;

/// The values that a key accepts.
#[derive(Debug, Clone, Copy)]
pub enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds.
    Count {
        /// The smallest.
        min: u64,
        /// The largest.
        max: u64,
    },
    /// A number from 0 on, also with a fraction.
    Amount,
    /// A number of bytes, or text such as `512 MiB`.
    Size {
        /// The smallest.
        min: u64,
    },
    /// A number of runs, or text such as `30 runs`.
    Runs,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any of these words.
    Choices(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
}

/// The value of a parsed file without its positions. A whole number that does not fit into 64 bits becomes infinity,
/// which no key accepts.
pub fn from_toml(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Float(f64::INFINITY),
        },
        DeValue::Float(number) => Value::Float(number.as_str().replace('_', "").parse().unwrap_or(f64::NAN)),
        DeValue::Datetime(date) => Value::Datetime(*date),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| from_toml(item.get_ref())).collect()),
        // No key accepts a table, so its content does not matter.
        DeValue::Table(_) => Value::Table(toml::Table::new()),
    }
}

/// A value in the form used by error messages.
pub fn described(value: &Value) -> String {
    match value {
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::String(text) => format!("\"{}\"", text.escape_debug()),
        Value::Float(number) if !number.is_finite() => "a number out of range".to_owned(),
        Value::Float(_) => "a number with a fraction".to_owned(),
        Value::Datetime(_) => "a date".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table".to_owned(),
    }
}

impl ValueKind {
    /// Converts text from the environment or a flag to a value of this kind.
    ///
    /// Lists are separated by commas, or written as in TOML if an element contains a comma.
    pub fn from_text(self, text: &str) -> Value {
        let as_text = || Value::String(text.to_owned());
        match self {
            ValueKind::Flag => match text {
                "true" | "1" => Value::Boolean(true),
                "false" | "0" => Value::Boolean(false),
                _ => as_text(),
            },
            ValueKind::Count { .. } | ValueKind::Size { .. } | ValueKind::Runs => {
                text.trim().parse().map_or_else(|_| as_text(), Value::Integer)
            }
            ValueKind::Amount => text.trim().parse().map_or_else(|_| as_text(), Value::Float),
            ValueKind::Choice(_) | ValueKind::Text => as_text(),
            ValueKind::Choices(_) | ValueKind::Texts if text.trim_start().starts_with('[') => {
                DeValue::parse(text).map_or_else(|_| as_text(), |value| from_toml(value.get_ref()))
            }
            ValueKind::Choices(_) | ValueKind::Texts => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Value::Array(items.map(|item| Value::String(item.to_owned())).collect())
            }
        }
    }

    /// The value in its stored form, if the key accepts it: sizes become numbers.
    pub fn accept(self, value: Value) -> Result<Value, Value> {
        let number = match (self, &value) {
            (ValueKind::Size { .. }, Value::String(text)) => parse_size(text),
            (ValueKind::Runs, Value::String(text)) => parse_runs(text),
            _ => None,
        };
        let number = number.and_then(|number| i64::try_from(number).ok());
        let value = number.map_or(value, Value::Integer);
        let value = match (self, &value) {
            (ValueKind::Amount, Value::Integer(number)) => Value::Float(*number as f64),
            _ => value,
        };
        match self.takes(&value) {
            true => Ok(value),
            false => Err(value),
        }
    }

    fn takes(self, value: &Value) -> bool {
        let all = |items: &[Value], fits: &dyn Fn(&str) -> bool| {
            items.iter().all(|item| item.as_str().is_some_and(fits))
        };
        match (self, value) {
            (ValueKind::Flag, Value::Boolean(_)) | (ValueKind::Text, Value::String(_)) => true,
            (ValueKind::Count { min, max }, Value::Integer(number)) => {
                u64::try_from(*number).is_ok_and(|number| (min..=max).contains(&number))
            }
            (ValueKind::Size { min }, Value::Integer(number)) => {
                u64::try_from(*number).is_ok_and(|number| number >= min)
            }
            (ValueKind::Runs, Value::Integer(number)) => *number >= 0,
            (ValueKind::Amount, Value::Float(number)) => number.is_finite() && *number >= 0.0,
            (ValueKind::Choice(words), Value::String(text)) => words.contains(&text.as_str()),
            (ValueKind::Choices(words), Value::Array(items)) => all(items, &|text| words.contains(&text)),
            (ValueKind::Texts, Value::Array(items)) => all(items, &|_| true),
            _ => false,
        }
    }
}

/// The form used by error messages.
impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueKind::Flag => f.write_str("true or false"),
            ValueKind::Count { min, max } => write!(f, "a whole number from {min} to {max}"),
            ValueKind::Amount => f.write_str("a number from 0 on"),
            ValueKind::Size { min: 0 | 1 } => f.write_str("a number of bytes or a size such as \"512 MiB\""),
            ValueKind::Size { min } => {
                write!(f, "a number of bytes or a size such as \"512 MiB\", at least {}", ByteSize(*min))
            }
            ValueKind::Runs => f.write_str("a number of runs such as \"30 runs\""),
            ValueKind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            ValueKind::Choices(words) => write!(f, "a list with some of {}", words.join(", ")),
            ValueKind::Text => f.write_str("a text"),
            ValueKind::Texts => f.write_str("a list of texts"),
        }
    }
}

/// The number of bytes in a size such as `512 MiB`, `2 GB`, `64k` or `4096`; `None` for anything else, and for more
/// than 64 bits.
///
/// Units with an `i`, and single letters, are powers of 1024, the others powers of 1000.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)?;
    number.checked_mul(factor)
}

/// The number in `30 runs`, `1 run` or `30`; `None` for anything else.
fn parse_runs(text: &str) -> Option<u64> {
    let text = text.trim();
    let number = text.strip_suffix("runs").or_else(|| text.strip_suffix("run")).unwrap_or(text);
    number.trim().parse().ok()
}

const UNITS: &[(&str, u64)] = &[
    ("", 1),
    ("b", 1),
    ("k", 1 << 10),
    ("kib", 1 << 10),
    ("kb", 1000),
    ("m", 1 << 20),
    ("mib", 1 << 20),
    ("mb", 1_000_000),
    ("g", 1 << 30),
    ("gib", 1 << 30),
    ("gb", 1_000_000_000),
    ("t", 1 << 40),
    ("tib", 1 << 40),
    ("tb", 1_000_000_000_000),
];

/// A number of bytes, displayed as [`parse_size`] reads it: in the largest unit that divides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        match units.into_iter().find(|(_, factor)| self.0 > 0 && self.0.is_multiple_of(*factor)) {
            Some((name, factor)) => write!(f, "{} {name}", self.0 / factor),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_unit() {
        let check = |text: &str, expected: Option<u64>| assert_eq!(parse_size(text), expected, "{text}");
        check("512 MiB", Some(512 << 20));
        check("512mib", Some(512 << 20));
        check("  4096 ", Some(4096));
        check("2 GB", Some(2_000_000_000));
        check("64k", Some(64 << 10));
        check("1 TiB", Some(1 << 40));
        check("", None);
        check("MiB", None);
        check("-1", None);
        check("1.5 GiB", None);
        check("12 parsecs", None);
        check("99999999999 TiB", None);
        check("123456789012345678901234567890", None);
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        for bytes in [0, 1, 1023, 1 << 10, 64 << 20, 512 << 20, 3 << 30, 1_000_000] {
            let text = ByteSize(bytes).to_string();
            assert_eq!(parse_size(text.trim_end_matches("ytes")), Some(bytes), "{text}");
        }
    }

    #[test]
    fn text_becomes_what_the_key_takes() {
        let check = |kind: ValueKind, text: &str, expected: Option<Value>| {
            assert_eq!(kind.accept(kind.from_text(text)).ok(), expected, "{text}");
        };
        let texts =
            |items: &[&str]| Some(Value::Array(items.iter().map(|item| Value::from(*item)).collect()));
        let count = ValueKind::Count { min: 16, max: 1000 };
        check(count, "64", Some(Value::Integer(64)));
        check(count, "16", Some(Value::Integer(16)));
        check(count, "1000", Some(Value::Integer(1000)));
        check(count, "15", None);
        check(count, "1001", None);
        check(count, "many", None);
        check(count, "-64", None);
        check(ValueKind::Flag, "1", Some(Value::Boolean(true)));
        check(ValueKind::Flag, "false", Some(Value::Boolean(false)));
        check(ValueKind::Flag, "maybe", None);
        check(ValueKind::Amount, "0.02", Some(Value::Float(0.02)));
        check(ValueKind::Amount, "3", Some(Value::Float(3.0)));
        check(ValueKind::Amount, "-1", None);
        check(ValueKind::Amount, "inf", None);
        check(ValueKind::Size { min: 0 }, "1 KiB", Some(Value::Integer(1024)));
        check(ValueKind::Size { min: 1024 }, "1 KiB", Some(Value::Integer(1024)));
        check(ValueKind::Size { min: 1025 }, "1 KiB", None);
        check(ValueKind::Size { min: 0 }, "16 EB", None);
        check(ValueKind::Size { min: 0 }, "9999999 TiB", None);
        check(ValueKind::Runs, "30 runs", Some(Value::Integer(30)));
        check(ValueKind::Runs, "1 run", Some(Value::Integer(1)));
        check(ValueKind::Runs, "7", Some(Value::Integer(7)));
        check(ValueKind::Runs, "-7", None);
        check(ValueKind::Runs, "a week", None);
        check(ValueKind::Choice(&["a", "b"]), "b", Some(Value::from("b")));
        check(ValueKind::Choice(&["a", "b"]), "c", None);
        check(ValueKind::Texts, "*.md, *.txt", texts(&["*.md", "*.txt"]));
        check(ValueKind::Texts, "[\"a,b\"]", texts(&["a,b"]));
        check(ValueKind::Texts, "[1]", None);
        check(ValueKind::Texts, "[\"a", None);
        check(ValueKind::Choices(&["raw"]), "raw,rare", None);
        check(ValueKind::Texts, "", texts(&[]));
    }
}
