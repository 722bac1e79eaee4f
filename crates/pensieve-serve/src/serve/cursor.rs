//! Opaque cursors: the row after which a page begins, so that rows that come and go shift nothing.
//!
//! Each list has a form of its own: a letter, then the key of the last row as numbers and hex. Any text of that form
//! is a valid cursor, even if no rows follow it; the form is a regular expression in the OpenAPI document. A cursor
//! contains nothing that a client may not see, so it is not signed.

use super::problem::{Kind, Problem};

/// A list with the form of its cursors.
#[derive(Debug, Clone, Copy)]
pub struct List {
    letter: char,
    fields: &'static [Field],
    /// The regular expression of its cursors.
    pub pattern: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Number,
    Text,
}

/// One part of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// An id or a position; at most fifteen digits.
    Number(u64),
    /// A path, a date, ...
    Text(String),
}

/// Documents: the root and the path below it.
pub const DOCUMENTS: List = List {
    letter: 'd',
    fields: &[Field::Number, Field::Text],
    pattern: "^d[0-9]{1,15}-([0-9a-f]{2}){0,5000}$",
};
/// Chunks of a document: the first byte and the row.
pub const CHUNKS: List =
    List { letter: 'c', fields: &[Field::Number, Field::Number], pattern: "^c[0-9]{1,15}-[0-9]{1,15}$" };
/// Hits: how many came before.
pub const HITS: List = List { letter: 's', fields: &[Field::Number], pattern: "^s[0-9]{1,15}$" };
/// Threads: date and name of the last one.
pub const THREADS: List = List {
    letter: 't',
    fields: &[Field::Text, Field::Text],
    pattern: "^t([0-9a-f]{2}){0,500}-([0-9a-f]{2}){0,500}$",
};
/// Mails of a thread: how many came before.
pub const MAILS: List = List { letter: 'm', fields: &[Field::Number], pattern: "^m[0-9]{1,15}$" };
/// Open problems: the row.
pub const PROBLEMS: List = List { letter: 'e', fields: &[Field::Number], pattern: "^e[0-9]{1,15}$" };

impl List {
    /// The cursor of a row by its key.
    pub fn write(&self, key: &[Key]) -> String {
        let parts = key.iter().map(|part| match part {
            Key::Number(number) => number.to_string(),
            Key::Text(text) => text.bytes().map(|byte| format!("{byte:02x}")).collect(),
        });
        format!("{}{}", self.letter, parts.collect::<Vec<_>>().join("-"))
    }

    /// The key of a cursor.
    ///
    /// # Errors
    /// It does not have the form of this list.
    pub fn read(&self, cursor: &str) -> Result<Vec<Key>, Problem> {
        self.parsed(cursor).ok_or_else(|| {
            let detail = "Give back `next_cursor` as it came, or leave `cursor` out to begin at the start.";
            Problem { parameter: Some("cursor"), ..Problem::new(Kind::BadCursor, detail) }
        })
    }

    /// The key of a cursor that is one number.
    pub fn read_number(&self, cursor: &str) -> Result<u64, Problem> {
        let key = self.read(cursor)?;
        Ok(key.into_iter().next().map_or(0, |part| part.number()))
    }

    fn parsed(&self, cursor: &str) -> Option<Vec<Key>> {
        let parts: Vec<&str> = cursor.strip_prefix(self.letter)?.split('-').collect();
        let read = |(part, field): (&&str, &Field)| match field {
            Field::Number => number(part).map(Key::Number),
            Field::Text => text(part).map(Key::Text),
        };
        let key: Option<Vec<Key>> = parts.iter().zip(self.fields).map(read).collect();
        key.filter(|_| parts.len() == self.fields.len())
    }
}

impl Key {
    /// The number; 0 for a text.
    pub fn number(&self) -> u64 {
        match self {
            Key::Number(number) => *number,
            Key::Text(_) => 0,
        }
    }

    /// The text; empty for a number.
    pub fn into_text(self) -> String {
        match self {
            Key::Number(_) => String::new(),
            Key::Text(text) => text,
        }
    }
}

fn number(part: &str) -> Option<u64> {
    let is_number = (1..=15).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    part.parse().ok().filter(|_| is_number)
}

/// Hex as text; bytes that are not UTF-8 are replaced, so that every cursor of the form is valid.
fn text(part: &str) -> Option<String> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase());
    let pairs = part.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> = pairs
        .map(|pair| match pair {
            [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
            _ => None,
        })
        .collect();
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back_in_their_own_list() {
        let key = [Key::Number(7), Key::Text("a/ä b.txt".into())];
        let cursor = DOCUMENTS.write(&key);
        assert_eq!(cursor, "d7-612fc3a420622e747874");
        assert_eq!(DOCUMENTS.read(&cursor).unwrap(), key);
        assert!(CHUNKS.read(&cursor).is_err() && THREADS.read(&cursor).is_err());
        assert_eq!(HITS.read_number("s20").unwrap(), 20);
        assert_eq!(DOCUMENTS.read("d1-ff").unwrap(), [Key::Number(1), Key::Text("\u{fffd}".into())]);
        for wrong in [
            "",
            "d",
            "d1",
            "d-61",
            "d1-6",
            "d1-6G",
            "d1-6A",
            "d1-61-61",
            "dx-61",
            "d1234567890123456-61",
            "d+1-61",
        ] {
            assert_eq!(DOCUMENTS.read(wrong).unwrap_err().kind, Kind::BadCursor, "{wrong}");
        }
    }
}
