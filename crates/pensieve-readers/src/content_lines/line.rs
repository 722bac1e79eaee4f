//! Content lines: `group.NAME;PARAMETER=x:value`, joined where they are folded, each character with its place.

use crate::markdown::{TextRun, Words};
use pensieve_text::model::Span;
use std::ops::Range;

/// A line with its continuations. RFC 5545 section 3.1: a line that begins with a blank continues the one before.
#[derive(Debug, Default)]
pub(super) struct ContentLine {
    text: String,
    /// Where its physical lines begin: in `text`, and in the source.
    pieces: Vec<(usize, usize)>,
    /// In upper case, without group.
    pub name: String,
    /// In lower case; empty if there is none.
    pub group: String,
    /// Names in upper case; a bare value of vCard 2.1 has the name `TYPE`.
    parameters: Vec<(String, String)>,
    value_at: usize,
}

/// The content lines of a text. A line without a name continues the one before too: programs wrap lines without the blank.
pub(super) fn content_lines(source: &str) -> impl Iterator<Item = ContentLine> + '_ {
    let mut physical = physical_lines(source).peekable();
    std::iter::from_fn(move || {
        let (at, first) = physical.find(|(_, line)| !line.trim().is_empty())?;
        let mut line = ContentLine::default();
        line.add(first, at);
        line.split_name();
        while let Some((at, next)) = physical.peek().copied() {
            if let Some(rest) = next.strip_prefix([' ', '\t']) {
                line.add(rest, at + 1);
            } else if line.is_quoted_printable() && line.text.ends_with('=') {
                line.text.pop();
                line.add(next, at);
            } else if !next.trim().is_empty() && name_end(next).is_none() && !line.name.is_empty() {
                line.add(next, at);
            } else {
                break;
            }
            physical.next();
        }
        Some(line)
    })
}

/// Lines with their first byte, without line ends.
fn physical_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    source.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

/// The byte after the name of a property, if the line begins with one.
fn name_end(line: &str) -> Option<usize> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    let end = line.bytes().position(|byte| !is_name(byte)).filter(|end| *end > 0)?;
    matches!(line.as_bytes()[end], b':' | b';').then_some(end)
}

impl ContentLine {
    fn add(&mut self, piece: &str, at: usize) {
        self.pieces.push((self.text.len(), at));
        self.text.push_str(piece);
    }

    /// Finds name and parameters. A parameter may be folded too, so that folded heads are read again later.
    fn split_name(&mut self) {
        let Some(end) = name_end(&self.text) else { return };
        let full = &self.text[..end];
        let (group, name) = full.rsplit_once('.').unwrap_or(("", full));
        (self.group, self.name) = (group.to_ascii_lowercase(), name.to_ascii_uppercase());
        self.read_parameters(end);
    }

    fn read_parameters(&mut self, mut at: usize) {
        self.parameters.clear();
        while self.text.as_bytes().get(at) == Some(&b';') {
            let end = parameter_end(&self.text, at + 1);
            let (name, value) =
                self.text[at + 1..end].split_once('=').unwrap_or(("TYPE", &self.text[at + 1..end]));
            self.parameters.push((name.trim().to_ascii_uppercase(), value.replace('"', "")));
            at = end;
        }
        self.value_at = (at + 1).min(self.text.len());
    }

    /// The line with the parameters that a fold had cut.
    pub fn whole(mut self) -> ContentLine {
        if let Some(end) = name_end(&self.text).filter(|_| self.pieces.len() > 1) {
            self.read_parameters(end);
        }
        self
    }

    /// The first parameter of this name.
    pub fn parameter<'l>(&'l self, name: &'l str) -> Option<&'l str> {
        self.parameters(name).next()
    }

    /// All parameters of this name.
    pub fn parameters<'l>(&'l self, name: &'l str) -> impl Iterator<Item = &'l str> + 'l {
        self.parameters.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The value as it is written.
    pub fn value(&self) -> &str {
        &self.text[self.value_at..]
    }

    fn has_encoding(&self, names: &[&str]) -> bool {
        let bare = self.parameters("TYPE");
        self.parameters("ENCODING")
            .chain(bare)
            .any(|value| names.iter().any(|name| value.eq_ignore_ascii_case(name)))
    }

    pub fn is_quoted_printable(&self) -> bool {
        self.has_encoding(&["QUOTED-PRINTABLE"])
    }

    /// True for bytes: pictures, sounds, keys.
    pub fn is_base64(&self) -> bool {
        let head = self.value().get(..self.value().len().min(200)).unwrap_or_default();
        self.has_encoding(&["B", "BASE64"])
            || head.trim_start().starts_with("data:") && head.contains(";base64,")
    }

    /// Adds a part of the value to words, each physical line as the run that it is.
    pub fn push(&self, part: Range<usize>, words: &mut Words) {
        let part = self.value_at + part.start..self.value_at + part.end;
        for (at, (start, source)) in self.pieces.iter().enumerate() {
            let end = self.pieces.get(at + 1).map_or(self.text.len(), |next| next.0);
            let (from, to) = (part.start.max(*start), part.end.min(end));
            if let Some(text) = self.text.get(from..to).filter(|text| !text.is_empty()) {
                let at = source + from - start;
                let source = Some(Span::new(at, at + text.len()));
                words.push(TextRun { text: text.to_owned(), source, ..TextRun::default() });
            }
        }
    }

    /// Other words for the whole value, with its place.
    pub fn replaced(&self, text: String) -> Words {
        let source = self.pieces.iter().rev().find(|piece| piece.0 <= self.value_at);
        let source = source.map(|(start, at)| at + self.value_at - start);
        let source = source.map(|at| Span::new(at, at + self.value().len().min(self.text.len())));
        // A source of the same length would be taken for the same words.
        let source = source.filter(|span| span.len() != text.len());
        Words(vec![TextRun { text, source, ..TextRun::default() }])
    }
}

/// The end of the parameter at `at`: the `;` or `:` outside of quotation marks.
fn parameter_end(text: &str, at: usize) -> usize {
    let mut is_quoted = false;
    let rest = text[at..].bytes().position(|byte| {
        is_quoted ^= byte == b'"';
        !is_quoted && matches!(byte, b';' | b':')
    });
    rest.map_or(text.len(), |rest| at + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(&str, &str)]) {
        let found: Vec<(String, String)> = content_lines(source)
            .map(ContentLine::whole)
            .map(|line| (line.name.clone(), line.value().to_owned()))
            .collect();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "of {source}");
    }

    #[test]
    fn folded_lines_are_one() {
        check("SUMMARY:light\r\n house\r\nA:b", &[("SUMMARY", "lighthouse"), ("A", "b")]);
        check("A;X=\"1:2;3\":v\n\n", &[("A", "v")]);
        check("A;CN=\"long\n er\":v\n", &[("A", "v")]);
        check(
            "item1.email:x@y\nwrapped without a blank\nB:c",
            &[("EMAIL", "x@ywrapped without a blank"), ("B", "c")],
        );
        check("N;ENCODING=QUOTED-PRINTABLE:a=\nb:c=\n\nD:e", &[("N", "ab:c"), ("D", "e")]);
        check("", &[]);
    }
}
