//! XML as a stream of tokens: for sheets whose XML is larger than the memory of a reader.
//!
//! Finds the bounds of tags, texts and sections, in a buffer that never grows beyond one token of
//! [`MAX_TOKEN_BYTES`]; a longer text comes in segments. Resolves no entity of a DTD and reads nothing external.
//! Decodes UTF-8, UTF-16 and declared encodings of one byte. XML that is not well-formed ends the stream, and
//! [`XmlStream::broken`] returns the reason. Source: XML 1.0, fifth edition.
//!
//! The other readers of XML use `quick-xml` on parts in memory ([`crate::shared::xml`]); here it is not a
//! replacement. Its buffered reader takes 1.27 s for the tokens of a sheet of a million rows (248 MB); this one takes
//! 0.75 s, so reading the whole workbook (2.4 s) would be 21 % slower; a reader for each tag of a window in memory
//! takes 1.40 s. It keeps a token of any length and the names of all open elements in memory, ends at bytes that are
//! not UTF-8, and needs a decoder before it for the other encodings: the limits and the tolerance would need as much
//! code around it.

mod tag;

pub(super) use tag::{StreamTag, local, resolve};

use crate::limits::sheets::MAX_TOKEN_BYTES;
use memchr::{memchr, memmem};
use pensieve_text::text::decode::{Encoding, decode_slice};
use std::io::{ErrorKind, Read};

/// Bytes that are read at once.
const BLOCK_BYTES: usize = 64 << 10;

/// Bytes in which an XML declaration ends, if there is one.
const MAX_DECLARATION_BYTES: usize = 200;

/// A token. Names are without prefix; texts are as written, with unresolved references ([`resolve`]).
#[derive(Debug, Clone, Copy)]
pub(super) enum XmlToken<'b> {
    /// An element begins.
    Start(StreamTag<'b>),
    /// An element ends. Empty elements have this event too.
    End(&'b [u8]),
    /// Characters with unresolved references.
    Text(&'b [u8]),
    /// Characters of a CDATA section.
    Verbatim(&'b [u8]),
}

/// A pull reader over a stream.
pub(super) struct XmlStream<R> {
    source: R,
    buffer: Vec<u8>,
    at: usize,
    is_at_end: bool,
    has_begun: bool,
    /// The name of an empty element whose end comes next.
    ends_next: Option<(usize, usize)>,
    utf16: Option<Utf16State>,
    /// The declared encoding, if each of its bytes is a character.
    single_byte: Option<Encoding>,
    broken: Option<String>,
    depth: usize,
}

/// The incomplete bytes and units that one block of UTF-16 leaves for the next.
#[derive(Debug, Clone, Copy, Default)]
struct Utf16State {
    is_big: bool,
    odd: Option<u8>,
    high: Option<u16>,
}

/// The position of a token in the buffer.
enum TokenRange {
    Start { name: (usize, usize), end: usize, is_empty: bool },
    End { name: (usize, usize) },
    Text { start: usize, end: usize },
    Verbatim { start: usize, end: usize },
}

impl<R: Read> XmlStream<R> {
    pub fn new(source: R) -> XmlStream<R> {
        XmlStream {
            source,
            buffer: Vec::new(),
            at: 0,
            is_at_end: false,
            has_begun: false,
            ends_next: None,
            utf16: None,
            single_byte: None,
            broken: None,
            depth: 0,
        }
    }

    /// Why the stream ended before its document did, if it did.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// The next token.
    pub fn next(&mut self) -> Option<XmlToken<'_>> {
        if let Some((start, end)) = self.ends_next.take() {
            self.depth = self.depth.saturating_sub(1);
            return Some(XmlToken::End(&self.buffer[start..end]));
        }
        let found = self.find()?;
        let buffer = &self.buffer;
        Some(match found {
            TokenRange::Start { name, end, is_empty } => {
                self.depth += 1;
                if is_empty {
                    self.ends_next = Some(without_prefix(buffer, name));
                }
                let (start, stop) = without_prefix(buffer, name);
                XmlToken::Start(StreamTag {
                    name: &buffer[start..stop],
                    depth: self.depth,
                    attributes: &buffer[name.1..end],
                })
            }
            TokenRange::End { name } => {
                self.depth = self.depth.saturating_sub(1);
                let (start, stop) = without_prefix(buffer, name);
                XmlToken::End(&buffer[start..stop])
            }
            TokenRange::Text { start, end } => XmlToken::Text(&buffer[start..end]),
            TokenRange::Verbatim { start, end } => XmlToken::Verbatim(&buffer[start..end]),
        })
    }

    /// The characters inside the element that began last, without markup; about `max_bytes` of them.
    pub fn text_inside(&mut self, max_bytes: usize) -> String {
        let mut text = String::new();
        let outer = self.depth.saturating_sub(1);
        while self.depth > outer {
            match self.next() {
                Some(XmlToken::Text(raw)) if text.len() < max_bytes => text.push_str(&resolve(raw)),
                Some(XmlToken::Verbatim(raw)) if text.len() < max_bytes => {
                    text.push_str(&String::from_utf8_lossy(raw))
                }
                Some(_) => {}
                None => break,
            }
        }
        text
    }

    /// Skips to the end of the element that began last.
    pub fn skip_element(&mut self) {
        let outer = self.depth.saturating_sub(1);
        while self.depth > outer && self.next().is_some() {}
    }

    fn find(&mut self) -> Option<TokenRange> {
        loop {
            if self.at == self.buffer.len() && !self.fill() {
                if self.depth > 0 {
                    self.stop("the text ends inside an element");
                }
                return None;
            }
            if self.buffer[self.at] != b'<' {
                return Some(self.text());
            }
            // The longest beginning that is needed to determine the kind of token.
            while self.buffer.len() - self.at < 9 && self.fill() {}
            let here = &self.buffer[self.at..];
            match here {
                _ if here.starts_with(b"<!--") => self.skip_to(b"-->", 4)?,
                _ if here.starts_with(b"<![CDATA[") => {
                    let start = 9;
                    let length = self.search(b"]]>", start)?;
                    let begin = self.at + start;
                    self.at = begin + length + 3;
                    return Some(TokenRange::Verbatim { start: begin, end: begin + length });
                }
                _ if here.starts_with(b"<?") => self.skip_to(b"?>", 2)?,
                _ if here.starts_with(b"<!") => self.skip_declaration()?,
                _ => return self.tag(),
            }
        }
    }

    /// Everything up to the next `<`.
    fn text(&mut self) -> TokenRange {
        let mut seen = 0;
        loop {
            let start = self.at;
            match memchr(b'<', &self.buffer[start + seen..]) {
                Some(length) => {
                    self.at = start + seen + length;
                    return TokenRange::Text { start, end: self.at };
                }
                None if self.buffer.len() - start > MAX_TOKEN_BYTES => {
                    let end = start + whole_character_length(&self.buffer[start..]);
                    self.at = end;
                    return TokenRange::Text { start, end };
                }
                None => {
                    seen = self.buffer.len() - start;
                    if !self.fill() {
                        self.at = self.buffer.len();
                        return TokenRange::Text { start: self.at - seen, end: self.at };
                    }
                }
            }
        }
    }

    fn tag(&mut self) -> Option<TokenRange> {
        let mut seen = 1;
        let mut quote = None;
        loop {
            let here = &self.buffer[self.at..];
            while let Some(&byte) = here.get(seen) {
                match quote {
                    Some(open) => match memchr(open, &here[seen..]) {
                        Some(length) => {
                            seen += length;
                            quote = None;
                        }
                        None => {
                            seen = here.len();
                            break;
                        }
                    },
                    None if byte == b'>' => return Some(self.tag_of(seen)),
                    None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
                    None => {}
                }
                seen += 1;
            }
            self.more("a tag")?;
        }
    }

    /// The tag whose `>` is `length` bytes after its `<`.
    fn tag_of(&mut self, length: usize) -> TokenRange {
        let start = self.at + 1;
        let mut end = self.at + length;
        self.at = end + 1;
        let is_end = self.buffer[start..end].first() == Some(&b'/');
        let is_empty = !is_end && end > start && self.buffer[end - 1] == b'/';
        if is_empty {
            end -= 1;
        }
        let name = start + usize::from(is_end);
        let length = self.buffer[name..end].iter().position(u8::is_ascii_whitespace).unwrap_or(end - name);
        match is_end {
            true => TokenRange::End { name: (name, name + length) },
            false => TokenRange::Start { name: (name, name + length), end, is_empty },
        }
    }

    fn skip_to(&mut self, end: &[u8], from: usize) -> Option<()> {
        let mut from = from;
        loop {
            let here = self.buffer.get(self.at + from..).unwrap_or_default();
            if let Some(length) = memmem::find(here, end) {
                self.at += from + length + end.len();
                return Some(());
            }
            // The searched bytes are dropped: a comment may be longer than a token.
            self.at = self.buffer.len().saturating_sub(end.len()).max(self.at);
            from = 0;
            if !self.fill() {
                self.stop("a comment or instruction has no end");
                return None;
            }
        }
    }

    fn search(&mut self, end: &[u8], from: usize) -> Option<usize> {
        let mut seen = from;
        loop {
            let here = self.buffer.get(self.at + seen..).unwrap_or_default();
            if let Some(length) = memmem::find(here, end) {
                return Some(seen - from + length);
            }
            seen = (self.buffer.len() - self.at).saturating_sub(end.len()).max(from);
            self.more("a section")?;
        }
    }

    /// Skips a document type, which may contain declarations in brackets.
    fn skip_declaration(&mut self) -> Option<()> {
        let mut seen = 2;
        let mut depth = 0_usize;
        loop {
            while let Some(byte) = self.buffer.get(self.at + seen) {
                seen += 1;
                match byte {
                    b'[' => depth += 1,
                    b']' => depth = depth.saturating_sub(1),
                    b'>' if depth == 0 => {
                        self.at += seen;
                        return Some(());
                    }
                    _ => {}
                }
            }
            self.more("a declaration")?;
        }
    }

    /// Reads more of a token, which must not become too long.
    fn more(&mut self, what: &str) -> Option<()> {
        if self.buffer.len() - self.at > MAX_TOKEN_BYTES {
            self.stop(&format!("{what} is longer than {MAX_TOKEN_BYTES} bytes"));
            return None;
        }
        if !self.fill() {
            self.stop(&format!("the text ends inside {what}"));
            return None;
        }
        Some(())
    }

    fn stop(&mut self, why: &str) {
        self.broken.get_or_insert_with(|| why.to_owned());
        self.is_at_end = true;
        self.at = self.buffer.len();
    }

    /// Moves the unused bytes to the start of the buffer and reads the next block after them.
    fn fill(&mut self) -> bool {
        if self.is_at_end {
            return false;
        }
        self.buffer.drain(..self.at);
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        self.at = 0;
        let before = self.buffer.len();
        loop {
            let length = self.buffer.len();
            self.buffer.resize(length + BLOCK_BYTES, 0);
            let read = self.source.read(&mut self.buffer[length..]);
            self.buffer.truncate(length + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.is_at_end = true,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.broken.get_or_insert_with(|| error.to_string());
                    self.is_at_end = true;
                }
            }
            if is_first && self.buffer.len() < MAX_DECLARATION_BYTES && !self.is_at_end {
                continue;
            }
            if is_first {
                self.begin();
            }
            if self.utf16.is_some() {
                self.transcode(before);
            } else if let Some(encoding) = self.single_byte {
                let raw = self.buffer.split_off(before);
                self.buffer.extend(decode_slice(encoding, &raw).unwrap_or_default().into_bytes());
            }
            if self.buffer.len() > before || self.is_at_end {
                return self.buffer.len() > before;
            }
        }
    }

    /// Looks for a byte-order mark, or for `<` in two bytes.
    fn begin(&mut self) {
        if self.buffer.starts_with(b"\xef\xbb\xbf") {
            self.buffer.drain(..3);
        } else if self.buffer.starts_with(b"\xff\xfe") || self.buffer.starts_with(b"<\0") {
            self.utf16 = Some(Utf16State::default());
        } else if self.buffer.starts_with(b"\xfe\xff") || self.buffer.starts_with(b"\0<") {
            self.utf16 = Some(Utf16State { is_big: true, ..Utf16State::default() });
        } else {
            self.single_byte = declared(&self.buffer);
        }
    }

    /// Replaces the UTF-16 in the buffer after `from` by UTF-8.
    fn transcode(&mut self, from: usize) {
        let Some(state) = self.utf16.as_mut() else { return };
        let raw = self.buffer.split_off(from);
        let bytes = state.odd.take().into_iter().chain(raw);
        let mut units = Vec::with_capacity(BLOCK_BYTES / 2 + 1);
        units.extend(state.high.take());
        let mut first = None;
        for byte in bytes {
            match first.take() {
                None => first = Some(byte),
                Some(one) if state.is_big => units.push(u16::from_be_bytes([one, byte])),
                Some(one) => units.push(u16::from_le_bytes([one, byte])),
            }
        }
        state.odd = first;
        if let Some(&last) = units.last()
            && (0xd800..0xdc00).contains(&last)
            && !self.is_at_end
        {
            state.high = units.pop();
        }
        let mut coded = [0; 4];
        for c in char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)) {
            if c != '\u{feff}' {
                self.buffer.extend_from_slice(c.encode_utf8(&mut coded).as_bytes());
            }
        }
    }
}

/// The encoding in an XML declaration, if each of its bytes is a character, so that blocks can be decoded one by one.
fn declared(start: &[u8]) -> Option<Encoding> {
    let declaration = start.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let name =
        StreamTag { name: b"", depth: 0, attributes: declaration }.get("encoding")?.to_ascii_lowercase();
    let is_single_byte = ["iso-8859-", "windows-125", "cp125", "latin", "koi8", "macintosh"]
        .iter()
        .any(|start| name.starts_with(start));
    Encoding::from_name(&name).filter(|_| is_single_byte)
}

fn without_prefix(buffer: &[u8], (start, end): (usize, usize)) -> (usize, usize) {
    (end - local(&buffer[start..end]).len(), end)
}

/// The length of a text without a cut character or reference at its end.
fn whole_character_length(text: &[u8]) -> usize {
    let tail = text.len().saturating_sub(12);
    let end = memchr::memrchr(b'&', &text[tail..]).map_or(text.len(), |at| tail + at);
    let back = (0..3).find(|back| text.get(end - back).is_none_or(|byte| byte & 0xc0 != 0x80));
    match end - back.unwrap_or(0) {
        0 => text.len(),
        end => end,
    }
}

#[cfg(test)]
mod tests;
