//! The tokens of a page; each text has the bytes that it came from.
//!
//! A WHATWG tokenizer over text in memory: it jumps from one `<` or `&` to the next instead of walking a state
//! machine character by character, and it keeps spans, which html5ever's own tokenizer does not. It never fails;
//! parse errors are repaired as the standard says and not reported. The tree builder requests raw text and scripts
//! through [`HtmlTokenizer::enter_raw`].

use super::attributes::kept_attribute;
use super::character_references;
use super::dialect::DeclaredEntities;
use crate::limits::web::{MAX_ATTRIBUTE_BYTES, MAX_SUBSET_BYTES, SMALL_ENTITY_BYTES};
use crate::markdown::SourceText;
use memchr::{memchr, memchr3, memmem};
use pensieve_text::model::Span;

/// A start tag.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct StartTag {
    /// Its name in lower case.
    pub name: String,
    /// The attributes of interest; of repeated names only the first.
    pub attributes: Vec<(&'static str, String)>,
    /// Written as `<name/>`.
    pub self_closing: bool,
}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum HtmlToken {
    /// `<name ...>`
    Start(StartTag),
    /// `</name>`
    End(String),
    /// Text between tags.
    Text(SourceText),
    /// A NUL character in text.
    Null,
    /// `<!doctype ...>`; only its presence matters.
    Doctype,
}

/// What the text after a start tag is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawText {
    /// Up to the end tag, character references decoded: `title`, `textarea`.
    Referenced,
    /// Up to the end tag, literally: `style`, `iframe`.
    Literal,
    /// A script, which may contain comments that contain scripts.
    Script,
    /// All that follows.
    Plain,
}

/// Reads tokens from a source.
#[derive(Debug)]
pub(super) struct HtmlTokenizer<'a> {
    source: &'a str,
    at: usize,
    /// Text up to here is raw.
    raw_until: usize,
    raw_references: bool,
    /// Names of which no end tag follows.
    unclosed: Vec<String>,
    entities: DeclaredEntities,
    /// Bytes that entities of the page may still expand to.
    growth: usize,
}

impl<'a> HtmlTokenizer<'a> {
    /// A tokenizer at the start of `source`.
    pub fn new(source: &'a str) -> HtmlTokenizer<'a> {
        let (entities, growth) = (DeclaredEntities::default(), source.len() + SMALL_ENTITY_BYTES);
        HtmlTokenizer {
            source,
            at: 0,
            raw_until: 0,
            raw_references: false,
            unclosed: Vec::new(),
            entities,
            growth,
        }
    }

    /// The same for a page that declares entities.
    pub fn with_entities(self, entities: DeclaredEntities) -> HtmlTokenizer<'a> {
        HtmlTokenizer { entities, ..self }
    }

    /// Reads what follows as raw text, up to the end tag of `name`.
    pub fn enter_raw(&mut self, raw: RawText, name: &str) {
        let rest = &self.source.as_bytes()[self.at..];
        let len = match raw {
            RawText::Plain => rest.len(),
            RawText::Script => script_len(rest),
            RawText::Referenced | RawText::Literal => end_tag(rest, name, 0).unwrap_or(rest.len()),
        };
        self.raw_until = self.at + len;
        self.raw_references = raw == RawText::Referenced;
    }

    /// True if an end tag of `name` follows. Without one an element of raw text has the rest of the page in it, also if
    /// it was written as an empty one (`<iframe/>`), which only XML knows.
    pub fn is_closed_later(&mut self, name: &str) -> bool {
        if self.unclosed.iter().any(|unclosed| unclosed == name) {
            return false;
        }
        let is_closed = end_tag(&self.source.as_bytes()[self.at..], name, 0).is_some();
        if !is_closed {
            self.unclosed.push(name.to_owned());
        }
        is_closed
    }

    /// The next token; `with_cdata` if `<![CDATA[` begins text (foreign elements, XHTML).
    pub fn next(&mut self, with_cdata: bool) -> Option<HtmlToken> {
        loop {
            let bytes = self.source.as_bytes();
            let first = *bytes.get(self.at)?;
            if self.at < self.raw_until {
                return Some(self.text(self.raw_until, self.raw_references, false));
            }
            if first != b'<' {
                return Some(self.text(self.source.len(), true, true));
            }
            match bytes.get(self.at + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => {
                    if let Some(token) = self.start_tag() {
                        return Some(token);
                    }
                }
                Some(b'/') if bytes.get(self.at + 2).is_some_and(u8::is_ascii_alphabetic) => {
                    if let Some(token) = self.end_tag() {
                        return Some(token);
                    }
                }
                Some(b'/') if bytes.get(self.at + 2).is_some() => self.bogus_comment(),
                Some(b'?') => self.bogus_comment(),
                Some(b'!') => {
                    if let Some(token) = self.declaration(with_cdata) {
                        return Some(token);
                    }
                }
                _ => {
                    let span = Span::new(self.at, self.at + 1);
                    self.at += 1;
                    return Some(HtmlToken::Text(SourceText { span, decoded: None }));
                }
            }
        }
    }

    /// The text that begins here and ends before `end`, the next reference or (`to_tag`) the next tag.
    fn text(&mut self, end: usize, references: bool, to_tag: bool) -> HtmlToken {
        let start = self.at;
        let bytes = &self.source.as_bytes()[start..end];
        match bytes[0] {
            0 => {
                self.at += 1;
                let decoded = Some("\u{fffd}".into());
                let text_token = SourceText { span: Span::new(start, self.at), decoded };
                return if to_tag { HtmlToken::Null } else { HtmlToken::Text(text_token) };
            }
            b'&' if references => {
                // Those of the page before those of HTML.
                let own = self.entities.decode(&self.source[start..end]);
                // A page could name a long value a million times.
                if let Some((len, value)) = own.filter(|(_, value)| value.len() <= self.growth) {
                    self.growth -= value.len();
                    self.at += len;
                    return HtmlToken::Text(SourceText {
                        span: Span::new(start, self.at),
                        decoded: Some(value.into()),
                    });
                }
                let (len, decoded) = character_references::decode(&self.source[start..end]);
                self.at += len;
                return HtmlToken::Text(SourceText { span: Span::new(start, self.at), decoded });
            }
            _ => {}
        }
        let stop = |byte| (byte == b'<' && to_tag) || (byte == b'&' && references) || byte == 0;
        let mut len = 1;
        while let Some(next) = memchr3(b'<', b'&', 0, &bytes[len..]) {
            len += next;
            if stop(bytes[len]) {
                break;
            }
            len += 1;
        }
        if len >= bytes.len() || !stop(bytes[len]) {
            len = bytes.len();
        }
        self.at += len;
        HtmlToken::Text(SourceText { span: Span::new(start, self.at), decoded: None })
    }

    /// A start tag; `None`, with the source used up, if it never ends.
    fn start_tag(&mut self) -> Option<HtmlToken> {
        self.at += 1;
        let mut tag = StartTag { name: self.name(), ..StartTag::default() };
        while self.attribute(&mut tag)? {}
        Some(HtmlToken::Start(tag))
    }

    fn end_tag(&mut self) -> Option<HtmlToken> {
        self.at += 2;
        let mut tag = StartTag { name: self.name(), ..StartTag::default() };
        while self.attribute(&mut tag)? {}
        Some(HtmlToken::End(tag.name))
    }

    fn name(&mut self) -> String {
        let rest = &self.source[self.at..];
        let len = rest
            .bytes()
            .position(|byte| is_space(byte) || byte == b'/' || byte == b'>')
            .unwrap_or(rest.len());
        self.at += len;
        rest[..len].to_ascii_lowercase()
    }

    /// Reads one attribute; false at the end of the tag, `None` at the end of the source.
    fn attribute(&mut self, tag: &mut StartTag) -> Option<bool> {
        let bytes = self.source.as_bytes();
        self.skip_space();
        match *bytes.get(self.at)? {
            b'>' => {
                self.at += 1;
                return Some(false);
            }
            b'/' => {
                self.at += 1;
                tag.self_closing = bytes.get(self.at) == Some(&b'>');
                return Some(true);
            }
            _ => {}
        }
        let start = self.at;
        self.at += 1;
        while !matches!(*bytes.get(self.at)?, b'=' | b'/' | b'>') && !is_space(bytes[self.at]) {
            self.at += 1;
        }
        let name = &self.source[start..self.at];
        self.skip_space();
        let mut value = Span::new(self.at, self.at);
        if *bytes.get(self.at)? == b'=' {
            self.at += 1;
            value = self.value()?;
        }
        if let Some(known) = kept_attribute(name)
            && !tag.attributes.iter().any(|(name, _)| *name == known)
        {
            tag.attributes.push((known, attribute_text(&self.source[value.range()])));
        }
        Some(true)
    }

    /// The place of an attribute's value, after the `=`.
    fn value(&mut self) -> Option<Span> {
        let bytes = self.source.as_bytes();
        self.skip_space();
        let quote = *bytes.get(self.at)?;
        if quote == b'"' || quote == b'\'' {
            let start = self.at + 1;
            let Some(len) = memchr(quote, &bytes[start..]) else {
                self.at = bytes.len();
                return None;
            };
            self.at = start + len + 1;
            return Some(Span::new(start, start + len));
        }
        let start = self.at;
        while *bytes.get(self.at)? != b'>' && !is_space(bytes[self.at]) {
            self.at += 1;
        }
        Some(Span::new(start, self.at))
    }

    fn skip_space(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !is_space(byte)).unwrap_or(rest.len());
    }

    /// `<!`: a comment, a doctype, a CDATA section.
    fn declaration(&mut self, with_cdata: bool) -> Option<HtmlToken> {
        let rest = &self.source.as_bytes()[self.at..];
        if rest.starts_with(b"<!--") {
            self.at += comment_len(rest);
            return None;
        }
        if with_cdata && rest.starts_with(b"<![CDATA[") {
            let start = self.at + 9;
            let len = memmem::find(&rest[9..], b"]]>");
            let end = len.map_or(self.source.len(), |len| start + len);
            self.at = (end + 3).min(self.source.len());
            let text_token = SourceText { span: Span::new(start, end), decoded: None };
            return (start < end).then_some(HtmlToken::Text(text_token));
        }
        if rest.len() < 9 || !rest[2..9].eq_ignore_ascii_case(b"doctype") {
            self.bogus_comment();
            return None;
        }
        self.at += subset_len(rest);
        self.bogus_comment();
        Some(HtmlToken::Doctype)
    }

    fn bogus_comment(&mut self) {
        let rest = &self.source.as_bytes()[self.at..];
        self.at += memchr(b'>', rest).map_or(rest.len(), |len| len + 1);
    }
}

/// HTML's white space.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

fn attribute_text(raw: &str) -> String {
    // Pictures in the page itself: only that it is one counts.
    let mut end = raw.len().min(if raw.starts_with("data:") { 5 } else { MAX_ATTRIBUTE_BYTES });
    while !raw.is_char_boundary(end) {
        end -= 1;
    }
    character_references::decode_all(&raw[..end])
}

/// Length of a doctype up to the end of its internal subset, which may contain `>`; 0 if it has none.
fn subset_len(rest: &[u8]) -> usize {
    let Some(start) = memchr::memchr2(b'[', b'>', rest).filter(|&at| rest[at] == b'[') else { return 0 };
    let near = &rest[start..rest.len().min(start + MAX_SUBSET_BYTES)];
    memchr(b']', near).map_or(0, |len| start + len)
}

/// Length of a comment that begins `<!--`.
fn comment_len(rest: &[u8]) -> usize {
    if rest[4..].starts_with(b">") {
        return 5;
    }
    if rest[4..].starts_with(b"->") {
        return 6;
    }
    let mut from = 4;
    while let Some(len) = memmem::find(&rest[from..], b"--") {
        let end = from + len + 2;
        match rest.get(end) {
            Some(b'>') => return end + 1,
            Some(b'!') if rest.get(end + 1) == Some(&b'>') => return end + 2,
            _ => from = end - 1,
        }
    }
    rest.len()
}

/// Where the next end tag of `name` begins, from `from` on.
fn end_tag(rest: &[u8], name: &str, from: usize) -> Option<usize> {
    memmem::find_iter(&rest[from..], b"</").map(|at| from + at).find(|&at| is_tag(&rest[at + 2..], name))
}

/// True if `rest` begins with the whole name of a tag.
fn is_tag(rest: &[u8], name: &str) -> bool {
    let len = name.len();
    rest.len() > len
        && rest[..len].eq_ignore_ascii_case(name.as_bytes())
        && (is_space(rest[len]) || matches!(rest[len], b'/' | b'>'))
}

/// Length of a script's text: inside `<!--`, a `<script` hides the next `</script`.
fn script_len(rest: &[u8]) -> usize {
    let (mut in_comment, mut in_inner) = (false, false);
    let mut at = 0;
    while let Some(step) = memchr::memchr2(b'<', b'-', &rest[at..]) {
        at += step;
        let here = &rest[at..];
        if here.starts_with(b"<!--") {
            in_comment = true;
            at += 3;
        } else if here.starts_with(b"-->") {
            (in_comment, in_inner) = (false, false);
        } else if in_comment && here[0] == b'<' && is_tag(&here[1..], "script") {
            in_inner = true;
        } else if here.starts_with(b"</") && is_tag(&here[2..], "script") {
            if !in_inner {
                return at;
            }
            in_inner = false;
        }
        at += 1;
    }
    // An unclosed comment must not swallow the page.
    if in_comment { end_tag(rest, "script", 0).unwrap_or(rest.len()) } else { rest.len() }
}

#[cfg(test)]
mod tests;
