//! Rows as lines, and the digest over such lines: the form in which rows are hashed.
//!
//! A line is a name and its fields. Tabs separate the fields; tabs, line ends and backslashes inside a field are escaped,
//! so that different rows give different lines.

use pensieve_text::model::{ContentHash, ContentHasher};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use std::io::Write;
use std::ops::Range;

/// SHA-256 over lines that come one after the other.
#[derive(Clone, Default)]
pub(crate) struct LineHasher {
    hasher: ContentHasher,
    line: Vec<u8>,
    has_lines: bool,
}

impl LineHasher {
    /// Adds the line `name` with the given columns of a row.
    pub fn add_row(&mut self, name: &str, row: &Row<'_>, columns: Range<usize>) -> rusqlite::Result<()> {
        self.begin(name);
        for column in columns {
            self.field(row.get_ref(column)?);
        }
        self.end();
        Ok(())
    }

    /// Adds the line `name` with these fields.
    pub fn add(&mut self, name: &str, fields: &[ValueRef<'_>]) {
        self.begin(name);
        for field in fields {
            self.field(*field);
        }
        self.end();
    }

    /// The digest; `None` if there were no lines.
    pub fn finish(self) -> Option<ContentHash> {
        self.has_lines.then(|| self.hasher.finish())
    }

    fn begin(&mut self, name: &str) {
        self.line.clear();
        self.line.extend_from_slice(name.as_bytes());
    }

    fn field(&mut self, value: ValueRef<'_>) {
        let line = &mut self.line;
        line.push(b'\t');
        match value {
            ValueRef::Null => line.extend_from_slice(b"\\N"),
            ValueRef::Integer(number) => push_display(line, number),
            ValueRef::Real(number) => push_display(line, number),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => push_escaped(line, bytes),
        }
    }

    fn end(&mut self) {
        self.line.push(b'\n');
        self.hasher.update(&self.line);
        self.has_lines = true;
    }
}

fn push_display(line: &mut Vec<u8>, value: impl std::fmt::Display) {
    write!(line, "{value}").expect("a vector takes any bytes");
}

fn push_escaped(line: &mut Vec<u8>, bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\t' | b'\n' | b'\\')) {
        line.extend_from_slice(&rest[..at]);
        line.extend_from_slice(match rest[at] {
            b'\t' => b"\\t",
            b'\n' => b"\\n",
            _ => b"\\\\",
        });
        rest = &rest[at + 1..];
    }
    line.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_fields_give_different_digests() {
        let digest = |fields: &[ValueRef<'_>]| {
            let mut lines = LineHasher::default();
            lines.add("a", fields);
            lines.finish().unwrap()
        };
        let text = |text: &'static str| ValueRef::Text(text.as_bytes());
        let rows = [
            vec![text("x\ty")],
            vec![text("x"), text("y")],
            vec![text("x\\ty")],
            vec![text("x\ny")],
            vec![text("")],
            vec![ValueRef::Null],
            vec![ValueRef::Integer(-1)],
            vec![ValueRef::Real(0.5)],
            vec![],
        ];
        let digests: std::collections::BTreeSet<_> = rows.iter().map(|row| digest(row)).collect();
        assert_eq!(digests.len(), rows.len());
        assert_eq!(LineHasher::default().finish(), None);
        let expected = ContentHash::of(b"a\tx\\ty\\\\\t\\N\t7\n");
        assert_eq!(digest(&[text("x\ty\\"), ValueRef::Null, ValueRef::Integer(7)]), expected);
    }
}
