//! Values with parameters: `Content-Type`, `Content-Disposition`. Format: RFC 2045 section 5.1, RFC 2183, RFC 2231
//! (charsets, continuations), and encoded words inside quotes, which no standard allows and every program writes.

use super::encoded_words::{charset_text, header_text};
use crate::limits::mail::MAX_PARAMETERS;
use crate::shared::bytes::hex_escapes;

/// The segment number of a value that is not split.
const WHOLE: u32 = 0;

/// A value and its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct HeaderValue {
    /// What comes first, in lower case: `text/plain`, `attachment`.
    pub main: String,
    parameters: Vec<HeaderParameter>,
}

/// One `name=value`, or a segment of one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct HeaderParameter {
    name: String,
    /// [`WHOLE`], or one more than the number of the segment.
    segment: u32,
    is_extended: bool,
    value: Vec<u8>,
}

impl HeaderValue {
    /// Reads a value.
    pub fn parse(raw: &[u8]) -> HeaderValue {
        let mut segments = ParameterParts { raw, at: 0 };
        let main = segments.next().unwrap_or_default();
        let main = String::from_utf8_lossy(main.split(|byte| *byte == b'(').next().unwrap_or_default());
        let main: String = main.chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
        let mut value = HeaderValue { main: main.to_ascii_lowercase(), parameters: Vec::new() };
        for segment in segments.take(MAX_PARAMETERS) {
            value.parameters.extend(parameter(segment));
        }
        value.parameters.sort_by_key(|parameter| parameter.segment);
        value
    }

    /// A parameter, unquoted; blanks around it do not count.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        let found = self.parameters.iter().find(|parameter| parameter.name == name && !parameter.is_extended);
        found.map(|parameter| parameter.value.trim_ascii()).filter(|value| !value.is_empty())
    }

    /// A parameter that is a word of a standard: up to the first blank or comment.
    pub fn word(&self, name: &str) -> Option<String> {
        let value = self.text(name)?;
        let word = value.split([' ', '\t', '(', ',']).next().unwrap_or_default();
        Some(word.trim_matches(['\'', '"']).to_owned()).filter(|word| !word.is_empty())
    }

    /// A parameter that is text: decoded, put together from its segments.
    pub fn text(&self, name: &str) -> Option<String> {
        let named = || self.parameters.iter().filter(|parameter| parameter.name == name);
        let text = if named().any(|parameter| parameter.is_extended) {
            // The extended form is the better one where both are there.
            extended_text(named().filter(|parameter| parameter.is_extended || parameter.segment > WHOLE))
        } else if named().any(|parameter| parameter.segment > WHOLE) {
            let segments = named().filter(|parameter| parameter.segment > WHOLE);
            header_text(&segments.flat_map(|segment| segment.value.iter().copied()).collect::<Vec<u8>>())
        } else {
            header_text(&named().next()?.value)
        };
        Some(text).filter(|text| !text.trim().is_empty())
    }
}

/// The first segment may begin with a charset and a language, each ended by a quote.
fn extended_text<'p>(segments: impl Iterator<Item = &'p HeaderParameter>) -> String {
    let mut charset = None;
    let mut bytes = Vec::new();
    for (at, segment) in segments.enumerate() {
        let mut raw = segment.value.as_slice();
        let mut quotes = raw.splitn(3, |byte| *byte == b'\'');
        if at == 0
            && segment.is_extended
            && let (Some(name), Some(_), Some(rest)) = (quotes.next(), quotes.next(), quotes.next())
        {
            charset = std::str::from_utf8(name).ok().filter(|name| !name.is_empty());
            raw = rest;
        }
        match segment.is_extended {
            true => hex_escapes(raw, b'%', &mut bytes),
            false => bytes.extend_from_slice(raw),
        }
    }
    charset_text(&bytes, charset)
}

/// The bytes between semicolons, except those inside quotes.
struct ParameterParts<'r> {
    raw: &'r [u8],
    at: usize,
}

impl<'r> Iterator for ParameterParts<'r> {
    type Item = &'r [u8];

    fn next(&mut self) -> Option<&'r [u8]> {
        let rest = self.raw.get(self.at..).filter(|rest| !rest.is_empty())?;
        let mut in_quotes = false;
        let mut is_escaped = false;
        for (at, &byte) in rest.iter().enumerate() {
            match byte {
                _ if std::mem::take(&mut is_escaped) => {}
                b'\\' => is_escaped = in_quotes && matches!(rest.get(at + 1), Some(b'"' | b'\\')),
                b'"' => in_quotes = !in_quotes,
                b';' if !in_quotes => {
                    self.at += at + 1;
                    return Some(&rest[..at]);
                }
                _ => {}
            }
        }
        self.at = self.raw.len();
        Some(rest)
    }
}

fn parameter(segment: &[u8]) -> Option<HeaderParameter> {
    let equals = memchr::memchr(b'=', segment)?;
    let name = String::from_utf8_lossy(&segment[..equals]).trim().to_ascii_lowercase();
    let value = unquoted(segment[equals + 1..].trim_ascii());
    let (name, is_extended) = match name.strip_suffix('*') {
        Some(bare) => (bare.to_owned(), true),
        None => (name, false),
    };
    let (name, segment) = match name.rsplit_once('*').map(|(base, number)| (base, number.parse::<u32>())) {
        Some((base, Ok(number))) => (base.to_owned(), number.saturating_add(1)),
        _ => (name, WHOLE),
    };
    (!name.is_empty()).then_some(HeaderParameter { name, segment, is_extended, value })
}

/// The content of quotes. A backslash escapes only quotes and backslashes, because of Windows paths.
fn unquoted(value: &[u8]) -> Vec<u8> {
    let Some(rest) = value.strip_prefix(b"\"") else { return value.to_vec() };
    let mut out = Vec::with_capacity(rest.len());
    let mut bytes = rest.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' if matches!(bytes.peek(), Some(b'"' | b'\\')) => out.extend(bytes.next()),
            b'\r' | b'\n' => {}
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(raw: &str, name: &str, expected: Option<&str>) {
        assert_eq!(HeaderValue::parse(raw.as_bytes()).text(name).as_deref(), expected, "{raw}");
    }

    #[test]
    fn parameters_are_found() {
        let value =
            HeaderValue::parse(b" Text/Plain (a comment); charset=us-ascii (Plain); Boundary=\"a;b\\\"c\"");
        assert_eq!(value.main, "text/plain");
        assert_eq!(value.word("charset").as_deref(), Some("us-ascii"));
        assert_eq!(value.bytes("boundary"), Some(&b"a;b\"c"[..]));
        check("attachment; filename=my file.pdf", "filename", Some("my file.pdf"));
        check("attachment; filename=\"C:\\docs\\a.txt\"", "filename", Some("C:\\docs\\a.txt"));
    }

    #[test]
    fn names_in_other_charsets_and_in_pieces_are_put_together() {
        check("a; filename*=utf-8''caf%C3%A9.txt; filename=cafe.txt", "filename", Some("caf\u{e9}.txt"));
        check(
            "a; filename*0*=utf-8''caf%C3; filename*1*=%A9; filename*2=.txt",
            "filename",
            Some("caf\u{e9}.txt"),
        );
        check("a; filename*1=b.txt; filename*0=a", "filename", Some("ab.txt"));
        check("a; name=\"=?utf-8?q?caf=C3=A9?=.txt\"", "name", Some("caf\u{e9}.txt"));
        check("a; name=\"\"", "name", None);
    }
}
