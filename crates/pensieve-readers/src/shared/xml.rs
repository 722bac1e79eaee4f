//! XML as readers need it: elements by their local names, text with its place, broken markup repaired.
//!
//! Nothing is fetched and no entity of a DTD is expanded: names of HTML entities become their characters, any other
//! `&name;` stays as it is. What is not well-formed is repaired: elements that overlap or stay open are closed, an
//! end tag without its start tag is ignored, a `<` that begins no tag is text. Every start event has its end event.
//! What cannot be repaired ends the stream early, and [`XmlReader::broken`] returns the reason; events before it stay
//! valid.

use crate::limits::xml::{MAX_CLOSED_BY_END_TAG, MAX_ELEMENT_DEPTH, MAX_VAIN_READS};
use crate::markdown::Words;
use html5ever::data::NAMED_ENTITIES;
use pensieve_text::model::{Locator, Span};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;

/// The cost of a `<` that begins no tag, in wasted bytes.
const LONE_SIGN_COST: usize = 2;

/// The start tag of an element.
#[derive(Debug, Clone)]
pub(crate) struct XmlTag<'x> {
    start: BytesStart<'x>,
    /// The byte offset of its `<` in the text.
    pub at: usize,
}

impl XmlTag<'_> {
    /// Its name without prefix.
    pub fn name(&self) -> &str {
        local(self.start.name().into_inner())
    }

    /// Its prefix, empty if there is none.
    pub fn prefix(&self) -> &str {
        self.start.name().into_inner().rsplit_once(':').map_or("", |(prefix, _)| prefix)
    }

    /// The value of an attribute by its name without prefix, with references resolved. Of two prefixes with the same name
    /// the first counts; [`XmlTag::exact`] distinguishes them.
    pub fn get(&self, name: &str) -> Option<String> {
        self.attributes().find(|(key, _)| local(key) == name).map(|(_, value)| value)
    }

    /// The value of an attribute by its name with prefix.
    pub fn exact(&self, name: &str) -> Option<String> {
        self.attributes().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// All attributes, with their prefixes; broken ones are left out.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, String)> + '_ {
        let mut all = self.start.html_attributes();
        all.with_checks(false);
        all.flatten().map(|attribute| (attribute.key.into_inner(), unescape(&attribute.value).into_owned()))
    }
}

/// An event of the reader.
#[derive(Debug, Clone)]
pub(crate) enum XmlEvent<'x> {
    /// An element begins.
    Start(XmlTag<'x>),
    /// An element ends; its name without prefix. Empty elements have this event too.
    End(&'x str),
    /// Characters with references resolved, and the bytes of the text that they come from. Without references both have
    /// the same length.
    Text {
        /// The characters.
        text: Cow<'x, str>,
        /// Their first byte.
        at: usize,
        /// Their bytes.
        len: usize,
    },
}

/// A pull reader over a decoded text in memory.
pub(crate) struct XmlReader<'x> {
    source: &'x str,
    reader: Reader<&'x [u8]>,
    /// Where the text of `reader` begins in `source`.
    base: usize,
    /// The names of the open elements.
    open: Vec<&'x str>,
    /// How many of them are to be closed before anything else.
    closing: usize,
    /// Bytes that were read without result.
    wasted: usize,
    has_ended: bool,
    broken: Option<String>,
}

impl<'x> XmlReader<'x> {
    /// A reader of `source`.
    pub fn new(source: &'x str) -> XmlReader<'x> {
        let base = bom_len(source);
        XmlReader {
            source,
            reader: reader_of(&source[base..]),
            base,
            open: Vec::new(),
            closing: 0,
            wasted: 0,
            has_ended: false,
            broken: None,
        }
    }

    /// What is broken in the text, if anything.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// How many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The byte of the text where the last event ends.
    pub fn position(&self) -> usize {
        (self.base + self.reader.buffer_position() as usize).min(self.source.len())
    }

    /// Skips to the end of the element that began last.
    pub fn pass(&mut self) {
        let outer = self.outer_depth();
        while self.next_inside(outer).is_some() {}
    }

    /// How many elements are open around the one that began last: what [`XmlReader::next_inside`] needs.
    pub fn outer_depth(&self) -> usize {
        self.depth().saturating_sub(1)
    }

    /// The next event inside an element that has this many around it, or its end; then `None`.
    pub fn next_inside(&mut self, outer: usize) -> Option<XmlEvent<'x>> {
        if self.depth() > outer { self.next() } else { None }
    }

    /// The next element that begins inside an element that has this many around it.
    pub fn next_tag_inside(&mut self, outer: usize) -> Option<XmlTag<'x>> {
        loop {
            if let XmlEvent::Start(tag) = self.next_inside(outer)? {
                return Some(tag);
            }
        }
    }

    /// The characters inside the element that began last, without markup.
    pub fn text_inside(&mut self) -> String {
        let outer = self.outer_depth();
        let mut inside = String::new();
        while let Some(event) = self.next_inside(outer) {
            if let XmlEvent::Text { text, .. } = event {
                inside.push_str(&text);
            }
        }
        inside
    }

    /// Ends the stream, with an end for every open element.
    fn stop(&mut self, why: Option<&str>) {
        self.has_ended = true;
        self.closing = self.open.len();
        if let Some(why) = why {
            self.broken.get_or_insert_with(|| why.to_owned());
        }
    }

    /// Closes an element and those that are open inside it; `false` if there is no such element.
    fn close(&mut self, name: &str) -> bool {
        let inner = self.open.iter().rev().take(MAX_CLOSED_BY_END_TAG).position(|open| *open == name);
        self.closing = inner.map_or(0, |inner| inner + 1);
        if inner != Some(0) {
            self.broken.get_or_insert_with(|| format!("`</{name}>` closes another element"));
        }
        inner.is_some()
    }

    /// Continues after the `<` at `at`, which begins no tag; `false` if that costs too much.
    fn restart(&mut self, at: usize, cost: usize, why: &str) -> bool {
        self.wasted += cost;
        self.base = at + 1 + bom_len(self.source.get(at + 1..).unwrap_or_default());
        match self.source.get(self.base..) {
            Some(rest) if self.wasted / MAX_VAIN_READS <= self.source.len() => {
                self.reader = reader_of(rest);
                self.broken.get_or_insert_with(|| why.to_owned());
                true
            }
            _ => {
                self.stop(Some(why));
                false
            }
        }
    }
}

/// The length of byte-order marks at the start. `quick-xml` skips one without counting it, so it never sees one.
fn bom_len(source: &str) -> usize {
    source.len() - source.trim_start_matches('\u{feff}').len()
}

fn reader_of(source: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(source);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    reader
}

impl<'x> Iterator for XmlReader<'x> {
    type Item = XmlEvent<'x>;

    fn next(&mut self) -> Option<XmlEvent<'x>> {
        loop {
            if self.closing > 0 {
                self.closing -= 1;
                return self.open.pop().map(XmlEvent::End);
            }
            if self.has_ended {
                return None;
            }
            let at = self.base + self.reader.buffer_position() as usize;
            if is_lone_sign(self.source, at) && self.restart(at, LONE_SIGN_COST, "a `<` begins no tag") {
                return Some(XmlEvent::Text { text: Cow::Borrowed("<"), at, len: 1 });
            }
            let event = self.reader.read_event();
            let end = self.base + self.reader.buffer_position() as usize;
            let raw = self.source.get(at..end).unwrap_or_default();
            let text = |text: Cow<'x, str>| Some(XmlEvent::Text { text, at, len: end - at });
            match event {
                Ok(Event::Start(start)) => {
                    if self.open.len() >= MAX_ELEMENT_DEPTH {
                        self.stop(Some("elements lie too deep in each other"));
                        continue;
                    }
                    self.open.push(name_in(raw));
                    return Some(XmlEvent::Start(XmlTag { start, at }));
                }
                Ok(Event::Empty(start)) => {
                    self.open.push(name_in(raw));
                    self.closing = 1;
                    return Some(XmlEvent::Start(XmlTag { start, at }));
                }
                Ok(Event::End(_)) => {
                    self.close(name_in(raw));
                }
                Ok(Event::Text(_)) => return text(Cow::Borrowed(raw)),
                Ok(Event::GeneralRef(_)) => return text(unescape(raw)),
                Ok(Event::CData(inside)) => {
                    let at = at + "<![CDATA[".len();
                    let text = inside.into_inner();
                    return Some(XmlEvent::Text { len: text.len(), text, at });
                }
                Ok(Event::Eof) => {
                    let is_open = !self.open.is_empty();
                    self.stop(is_open.then_some("the text ends inside an element"));
                }
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => {}
                Err(error) => {
                    self.restart(at, self.source.len() - at, &error.to_string());
                }
            }
        }
    }
}

/// True for a `<` that is text, not markup.
fn is_lone_sign(source: &str, at: usize) -> bool {
    let rest = source.get(at..).unwrap_or_default();
    rest.starts_with('<') && !rest.starts_with("<!") && !rest.starts_with("<?") && !begins_tag(rest)
}

/// True if a name follows `<` or `</`.
fn begins_tag(raw: &str) -> bool {
    let name = raw.strip_prefix('<').map(|name| name.strip_prefix('/').unwrap_or(name));
    name.and_then(|name| name.chars().next()).is_some_and(|c| c.is_alphabetic() || c == '_' || c == ':')
}

/// The local name in `<p:name attr>`, `</p:name>` or `<p:name/>`.
fn name_in(raw: &str) -> &str {
    let name = raw.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/')).unwrap_or(name.len());
    local(&name[..end])
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The lines of a decoded text.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineIndex {
    newlines: Vec<usize>,
}

impl LineIndex {
    /// The lines of a whole text.
    pub fn new(text: &str) -> LineIndex {
        LineIndex { newlines: memchr::memchr_iter(b'\n', text.as_bytes()).collect() }
    }

    /// The lines of a span.
    pub fn of(&self, span: Span) -> Locator {
        let line = |at: usize| 1 + self.newlines.partition_point(|&newline| newline < at) as u64;
        Locator::Lines { first: line(span.start), last: line(span.end.saturating_sub(1).max(span.start)) }
    }

    /// The lines of words, if any of them have a place in the text.
    pub fn of_words(&self, words: &Words) -> Option<Locator> {
        span_of(words).map(|span| self.of(span))
    }
}

/// The span from the first of these words to the last.
pub(crate) fn span_of(words: &Words) -> Option<Span> {
    let spans = words.0.iter().filter_map(|run| run.source);
    spans.reduce(|all, span| Span::new(all.start.min(span.start), all.end.max(span.end)))
}

/// Resolves references by number and by the names of HTML, which include the five of XML; others stay as they are.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        resolved.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(40).position(|byte| byte == b';');
        let known = end.and_then(|end| Some((reference(&rest[1..=end])?, end + 1)));
        let (c, len) = known.unwrap_or(('&', 1));
        resolved.push(c);
        rest = &rest[len..];
    }
    resolved.push_str(rest);
    Cow::Owned(resolved)
}

/// The character of a reference, from what follows its `&` to its semicolon.
fn reference(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        let &(first, second) = NAMED_ENTITIES.get(name)?;
        return char::from_u32(first).filter(|_| second == 0);
    };
    let number = number.trim_end_matches(';');
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|&c| c != '\0')
}

#[cfg(test)]
mod tests;
