//! What a setting may hold, and how it is read from a file or from text.

use std::fmt;
use toml::de::DeValue;

/// What a key takes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `true` or `false`.
    Flag,
    /// A whole number within bounds.
    Count {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// A number of bytes, or text such as `512 MiB`.
    Size {
        /// The smallest.
        least: u64,
    },
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Some of some words.
    Choices(&'static [&'static str]),
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
}

/// A value that fits its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Count`] and [`Kind::Size`].
    Number(u64),
    /// Of [`Kind::Choice`] and [`Kind::Text`].
    Text(String),
    /// Of [`Kind::Choices`] and [`Kind::Texts`].
    Texts(Vec<String>),
}

/// Something that was written where a value belongs.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Number(i128),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Written>),
    /// Anything else, by the name of its type.
    Other(&'static str),
}

impl Written {
    /// What a TOML file says.
    pub fn from_toml(value: &DeValue<'_>) -> Written {
        match value {
            DeValue::Boolean(flag) => Written::Flag(*flag),
            DeValue::String(text) => Written::Text(text.to_string()),
            DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => Written::Number(number),
                Err(_) => Written::Other("a number out of range"),
            },
            // A list inside a list fits no key: it need not be followed, however deep it goes.
            DeValue::Array(items) => Written::List(items.iter().map(|item| flat(item.get_ref())).collect()),
            other => flat(other),
        }
    }

    /// What text from the environment or a flag says to a key of this kind.
    ///
    /// Lists are separated by commas, or written as in TOML where an element holds one.
    pub fn from_text(text: &str, kind: Kind) -> Written {
        match kind {
            Kind::Flag => match text {
                "true" | "1" => Written::Flag(true),
                "false" | "0" => Written::Flag(false),
                _ => Written::Text(text.to_owned()),
            },
            Kind::Count { .. } | Kind::Size { .. } => match text.trim().parse() {
                Ok(number) => Written::Number(number),
                Err(_) => Written::Text(text.to_owned()),
            },
            Kind::Choice(_) | Kind::Text => Written::Text(text.to_owned()),
            Kind::Choices(_) | Kind::Texts if text.trim_start().starts_with('[') => {
                match DeValue::parse(text) {
                    Ok(value) => Written::from_toml(value.get_ref()),
                    Err(_) => Written::Text(text.to_owned()),
                }
            }
            Kind::Choices(_) | Kind::Texts => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Written::List(items.map(|item| Written::Text(item.to_owned())).collect())
            }
        }
    }
}

fn flat(value: &DeValue<'_>) -> Written {
    match value {
        DeValue::Boolean(_) | DeValue::String(_) | DeValue::Integer(_) => Written::from_toml(value),
        DeValue::Float(_) => Written::Other("a number with a fraction"),
        DeValue::Datetime(_) => Written::Other("a date"),
        DeValue::Array(_) => Written::Other("a list"),
        DeValue::Table(_) => Written::Other("a table"),
    }
}

/// As error messages put it.
impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Written::Flag(flag) => write!(f, "{flag}"),
            Written::Number(number) => write!(f, "{number}"),
            Written::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
            Written::List(_) => f.write_str("a list"),
            Written::Other(name) => f.write_str(name),
        }
    }
}

impl Kind {
    /// The value that was written, if it fits.
    pub fn read(self, written: &Written) -> Option<Value> {
        match (self, written) {
            (Kind::Flag, Written::Flag(flag)) => Some(Value::Flag(*flag)),
            (Kind::Count { least, most }, Written::Number(number)) => {
                within(*number, least, most).map(Value::Number)
            }
            (Kind::Size { least }, Written::Number(number)) => {
                within(*number, least, MOST_BYTES).map(Value::Number)
            }
            (Kind::Size { least }, Written::Text(text)) => {
                parse_size(text).and_then(|size| within(size.into(), least, MOST_BYTES)).map(Value::Number)
            }
            (Kind::Choice(words), Written::Text(text)) => {
                words.contains(&text.as_str()).then(|| Value::Text(text.clone()))
            }
            (Kind::Text, Written::Text(text)) => Some(Value::Text(text.clone())),
            (Kind::Texts, Written::List(items)) => texts(items, |_| true),
            (Kind::Choices(words), Written::List(items)) => texts(items, |text| words.contains(&text)),
            _ => None,
        }
    }
}

/// SQLite counts in signed 64 bits, and so does everything that reads the database.
const MOST_BYTES: u64 = i64::MAX as u64;

fn within(number: i128, least: u64, most: u64) -> Option<u64> {
    u64::try_from(number).ok().filter(|number| (least..=most).contains(number))
}

fn texts(items: &[Written], fits: impl Fn(&str) -> bool) -> Option<Value> {
    let text = |item: &Written| match item {
        Written::Text(text) if fits(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().map(text).collect::<Option<Vec<String>>>().map(Value::Texts)
}

/// As error messages put it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Flag => f.write_str("true or false"),
            Kind::Count { least, most } => write!(f, "a whole number from {least} to {most}"),
            Kind::Size { least: 0 | 1 } => f.write_str("a number of bytes or a size such as \"512 MiB\""),
            Kind::Size { least } => {
                write!(f, "a number of bytes or a size such as \"512 MiB\", at least {}", Bytes(*least))
            }
            Kind::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Kind::Choices(words) => write!(f, "a list with some of {}", words.join(", ")),
            Kind::Text => f.write_str("a text"),
            Kind::Texts => f.write_str("a list of texts"),
        }
    }
}

/// Bytes of a size such as `512 MiB`, `2 GB`, `64k` or `4096`; `None` for anything else, and for what 64 bits cannot hold.
///
/// Units with an `i`, and single letters, count in 1024s, the others in 1000s.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor)?;
    number.checked_mul(factor)
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

/// A number of bytes, as [`parse_size`] reads it: in the largest unit that leaves no rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
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
            let text = Bytes(bytes).to_string();
            assert_eq!(parse_size(text.trim_end_matches("ytes")), Some(bytes), "{text}");
        }
    }

    #[test]
    fn text_becomes_what_the_key_takes() {
        let check = |kind: Kind, text: &str, expected: Option<Value>| {
            assert_eq!(kind.read(&Written::from_text(text, kind)), expected, "{text}");
        };
        let count = Kind::Count { least: 16, most: 1000 };
        check(count, "64", Some(Value::Number(64)));
        check(count, "15", None);
        check(count, "1001", None);
        check(count, "many", None);
        check(count, "-64", None);
        check(Kind::Flag, "1", Some(Value::Flag(true)));
        check(Kind::Flag, "false", Some(Value::Flag(false)));
        check(Kind::Flag, "maybe", None);
        check(Kind::Size { least: 0 }, "1 KiB", Some(Value::Number(1024)));
        check(Kind::Choice(&["a", "b"]), "b", Some(Value::Text("b".to_owned())));
        check(Kind::Choice(&["a", "b"]), "c", None);
        check(Kind::Texts, "*.md, *.txt", Some(Value::Texts(vec!["*.md".to_owned(), "*.txt".to_owned()])));
        check(Kind::Texts, "[\"a,b\"]", Some(Value::Texts(vec!["a,b".to_owned()])));
        check(Kind::Texts, "[1]", None);
        check(Kind::Texts, "[\"a", None);
        check(Kind::Choices(&["raw"]), "raw,rare", None);
        check(Kind::Texts, "", Some(Value::Texts(Vec::new())));
    }
}
