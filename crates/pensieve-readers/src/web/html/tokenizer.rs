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
pub(super) enum RawText {
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
                let own = self.entities.decode(&self.source[start..end]);
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
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

fn attribute_text(raw: &str) -> String {
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
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let mut tokenizer = HtmlTokenizer::new(source);
        let mut seen = String::new();
        while let Some(token) = tokenizer.next(false) {
            match token {
                HtmlToken::Start(tag) => {
                    seen.push_str(&format!("<{}", tag.name));
                    for (name, value) in &tag.attributes {
                        seen.push_str(&format!(" {name}={value}"));
                    }
                    seen.push_str(if tag.self_closing { "/>" } else { ">" });
                    match tag.name.as_str() {
                        "script" => tokenizer.enter_raw(RawText::Script, "script"),
                        "title" => tokenizer.enter_raw(RawText::Referenced, "title"),
                        _ => {}
                    }
                }
                HtmlToken::End(name) => seen.push_str(&format!("</{name}>")),
                HtmlToken::Text(text_token) => seen.push_str(&format!("[{}]", text_token.resolve(source))),
                HtmlToken::Null => seen.push('0'),
                HtmlToken::Doctype => seen.push('!'),
            }
        }
        assert_eq!(seen, expected, "of {source}");
    }

    #[test]
    fn tags_and_text() {
        check("<!DOCTYPE html><p>a<br/>b</P >", "!<p>[a]<br/>[b]</p>");
        check("a < b <3 </ x> <!-- c --> d", "[a ][<][ b ][<][3 ][ ][ d]");
        check("<p class=\"a&amp;b\" id='x' onclick=z lang=en/>t", "<p class=a&b id=x lang=en/>[t]");
        check("<p id=1 id=2 hidden>", "<p id=1 hidden=>");
        check("x<p class=", "[x]");
        check("<?xml version='1'?>x", "[x]");
    }

    #[test]
    fn references_are_pieces_of_their_own() {
        check("a&amp;b &nosuch; &copy 1", "[a][&][b ][&][nosuch; ][©][ 1]");
    }

    #[test]
    fn raw_text_ends_at_its_own_tag() {
        check("<script>if (a<b) '</p>'</script>x", "<script>[if (a<b) '</p>']</script>[x]");
        check(
            "<script><!-- <script> </script> --> y</script>x",
            "<script>[<!-- <script> </script> --> y]</script>[x]",
        );
        check("<title>a<b>&lt;</title>", "<title>[a<b>][<]</title>");
        check("<script>a", "<script>[a]");
        check("a\0<title>\0</title>", "[a]0<title>[\u{fffd}]</title>");
    }

    #[test]
    fn comments_end_as_browsers_end_them() {
        check("<!-->a<!--->b<!-- -- > --!>c<!-- never", "[a][b][c]");
    }

    /// The tokens of a source, each text with its place; what follows a tag is raw if `raw` says so of its name.
    fn tokens(
        mut tokenizer: HtmlTokenizer<'_>,
        with_cdata: bool,
        raw: impl Fn(&str) -> Option<RawText>,
    ) -> String {
        let source = tokenizer.source;
        let mut seen = Vec::new();
        while let Some(token) = tokenizer.next(with_cdata) {
            seen.push(match token {
                HtmlToken::Start(tag) => {
                    if let Some(raw) = raw(&tag.name) {
                        tokenizer.enter_raw(raw, &tag.name);
                    }
                    let attributes: String =
                        tag.attributes.iter().map(|(name, value)| format!(" {name}={value:?}")).collect();
                    format!("<{}{attributes}{}>", tag.name, if tag.self_closing { "/" } else { "" })
                }
                HtmlToken::End(name) => format!("</{name}>"),
                HtmlToken::Text(text) => format!("{}@{}", text.resolve(source), text.span.start),
                HtmlToken::Null => "NUL".to_owned(),
                HtmlToken::Doctype => "DOCTYPE".to_owned(),
            });
            assert!(seen.len() < 10_000, "of {source}");
        }
        seen.join("|")
    }

    #[track_caller]
    fn check_tokens(source: &str, expected: &str) {
        assert_eq!(tokens(HtmlTokenizer::new(source), false, |_| None), expected, "of {source:?}");
    }

    #[test]
    fn what_begins_no_tag_is_text() {
        check_tokens("", "");
        check_tokens("a<", "a@0|<@1");
        check_tokens("a</", "a@0|<@1|/@2");
        check_tokens("<1>", "<@0|1>@1");
        check_tokens("a</>b</ b>c</1>d", "a@0|b@4|c@10|d@15");
        check_tokens("a\0b\0", "a@0|NUL|b@2|NUL");
        check_tokens("a&", "a@0|&@1");
        check_tokens("<p", "");
        check_tokens("x</p", "x@0");
        check_tokens("é<p>ü", "é@0|<p>|ü@5");
    }

    #[test]
    fn attributes_have_values_of_every_form() {
        for (source, expected) in [
            ("<p id=a>", "<p id=\"a\">"),
            ("<p\n\tID = 'a>b'\r\x0clang=\"c d\"x>", "<p id=\"a>b\" lang=\"c d\">"),
            ("<p id>x", "<p id=\"\">|x@6"),
            ("<p id lang=b>", "<p id=\"\" lang=\"b\">"),
            ("<p id = lang=b>", "<p id=\"lang=b\">"),
            ("<p =id id=b>", "<p id=\"b\">"),
            ("<p id=a/b lang=c>", "<p id=\"a/b\" lang=\"c\">"),
            ("<p id=''>", "<p id=\"\">"),
            ("<p id='a'lang='b'>", "<p id=\"a\" lang=\"b\">"),
            ("<p id=a id=b ID=c>", "<p id=\"a\">"),
            ("<p onclick=a id=b>", "<p id=\"b\">"),
            ("<p id=&lt;&eacute;>", "<p id=\"<é\">"),
            ("<br/>", "<br/>"),
            ("<br id=a />", "<br id=\"a\"/>"),
            ("<br id=a/>", "<br id=\"a/\">"),
            ("<br / >", "<br>"),
            ("<br/ id=a>", "<br id=\"a\">"),
            ("<br/id=a>", "<br id=\"a\">"),
            ("<br id/>x", "<br id=\"\"/>|x@8"),
            ("</P id='>' >x", "</p>|x@12"),
            ("<p id='a", ""),
            ("<p id='a>b</p>c", ""),
            ("<p id=", ""),
            ("<p id=a", ""),
            ("<p id ", ""),
            ("<p id", ""),
        ] {
            check_tokens(source, expected);
        }
    }

    #[test]
    fn values_of_attributes_have_a_length() {
        assert_eq!(attribute_text("data:image/png;base64,AAAA"), "data:");
        assert_eq!(attribute_text("é"), "é");
        let long = |len: usize| "x".repeat(len);
        assert_eq!(attribute_text(&long(MAX_ATTRIBUTE_BYTES)), long(MAX_ATTRIBUTE_BYTES));
        assert_eq!(attribute_text(&long(MAX_ATTRIBUTE_BYTES + 1)), long(MAX_ATTRIBUTE_BYTES));
        let wide = format!("{}漢漢", long(MAX_ATTRIBUTE_BYTES - 4));
        assert_eq!(attribute_text(&wide), format!("{}漢", long(MAX_ATTRIBUTE_BYTES - 4)));
    }

    #[test]
    fn declarations_and_comments_are_no_text() {
        for (source, expected) in [
            ("<!DOCTYPE>x", "DOCTYPE|x@10"),
            ("<!doctype", "DOCTYPE"),
            ("<!doctyp>x", "x@9"),
            ("<!doctyp", ""),
            ("<!>x", "x@3"),
            ("<?php a ?>x", "x@10"),
            ("<?php a", ""),
            ("<!DOCTYPE html [<!ENTITY a 'b>'>]>x", "DOCTYPE|x@34"),
            ("<!DOCTYPE html><p id=']'>x", "DOCTYPE|<p id=\"]\">|x@25"),
            ("<!DOCTYPE html [a>x", "DOCTYPE|x@18"),
            ("<!-->a", "a@5"),
            ("<!--->a", "a@6"),
            ("<!---->a", "a@7"),
            ("<!--a--!>b-->c", "b-->c@9"),
            ("<!--a--!b-->c", "c@12"),
            ("<!--a--b-->c", "c@11"),
            ("<!--a--->b", "b@9"),
            ("<!--a---b-->c", "c@12"),
            ("<!--a-->", ""),
            ("<!--a--", ""),
            ("<!--", ""),
            ("<![CDATA[a<b]]>c", "c@15"),
        ] {
            check_tokens(source, expected);
        }
        let subset = |len: usize| format!("<!DOCTYPE [{}>]>x", "y".repeat(len));
        check_tokens(&subset(MAX_SUBSET_BYTES - 3), &format!("DOCTYPE|x@{}", MAX_SUBSET_BYTES + 11));
        check_tokens(&subset(MAX_SUBSET_BYTES - 2), &format!("DOCTYPE|]>x@{}", MAX_SUBSET_BYTES + 10));
    }

    #[test]
    fn sections_of_characters_are_text_where_they_may_be() {
        for (source, expected) in [
            ("<![CDATA[a<b]]>c", "a<b@9|c@15"),
            ("x<![CDATA[]]>c", "x@0|c@13"),
            ("<![CDATA[a]] >c", "a]] >c@9"),
            ("<![CDATA[a]]>", "a@9"),
            ("<![CDATA[", ""),
            ("<![cdata[a]]>b", "b@13"),
        ] {
            assert_eq!(tokens(HtmlTokenizer::new(source), true, |_| None), expected, "of {source}");
        }
    }

    #[test]
    fn raw_text_goes_on_to_the_end_of_its_element() {
        let check = |raw: RawText, source: &str, expected: &str| {
            let raw_of = |name: &str| (name == "raw").then_some(raw);
            assert_eq!(tokens(HtmlTokenizer::new(source), false, raw_of), expected, "{raw:?} {source}");
        };
        use RawText::{Literal, Plain, Referenced};
        check(Literal, "a<raw>b<i>&lt;</rawx></RAW >c", "a@0|<raw>|b<i>&lt;</rawx>@6|</raw>|c@28");
        check(Referenced, "<raw>b&lt;<i></raw>&lt;", "<raw>|b@5|<@6|<i>@10|</raw>|<@19");
        check(Literal, "<raw>&lt;b</raw>", "<raw>|&lt;b@5|</raw>");
        check(Literal, "<raw></raw>c", "<raw>|</raw>|c@11");
        check(Literal, "<raw>b</raw", "<raw>|b</raw@5");
        check(Literal, "<raw>b\0</raw/>", "<raw>|b@5|\u{fffd}@6|</raw>");
        check(Plain, "<raw>b</raw><i>&lt;", "<raw>|b</raw><i>&lt;@5");
        check(Literal, "<raw>b</raw>&lt;<i>", "<raw>|b@5|</raw>|<@12|<i>");
    }

    #[test]
    fn scripts_end_where_browsers_end_them() {
        for (script, len) in [
            ("a</script>b", 1),
            ("</script>", 0),
            ("a</SCRIPT\n>b", 1),
            ("a</scripts></script>", 11),
            ("a</script", 9),
            ("a", 1),
            ("<!-- a --></script>", 10),
            ("<!-- </script>", 5),
            ("<!--<script></script></script>", 21),
            ("<!--<script x></script></script>", 23),
            ("<!--<scripts></script></script>", 13),
            ("<script></script></script>", 8),
            ("<!--<script>--></script>", 15),
            ("-->a</script>", 4),
            ("<!--<script>a</script>b", 13),
            ("<!-- --><script></script></script>", 16),
            ("<!--></script>", 5),
            ("<!--a", 5),
            ("a - b < c</script>", 9),
        ] {
            assert_eq!(script_len(script.as_bytes()), len, "of {script}");
        }
    }

    #[test]
    fn entities_of_the_page_expand_to_no_more_than_it_may_have() {
        let value = "v".repeat(1000);
        let declared = format!("<!DOCTYPE p [<!ENTITY a \"{value}\">]>");
        let entities = super::super::dialect::PageDialect::of_chapter(&declared).entities;
        let check = |references: usize, expanded: usize| {
            let source = "&a;".repeat(references);
            let tokenizer = HtmlTokenizer::new(&source).with_entities(entities.clone());
            let found = tokens(tokenizer, false, |_| None);
            assert_eq!(found.matches(&value).count(), expanded, "of {references}");
            assert_eq!(found.matches("&@").count(), references - expanded, "of {references}");
        };
        check(2, 2);
        check(SMALL_ENTITY_BYTES / 1000, SMALL_ENTITY_BYTES / 1000);
        // Sixty-five of 1000 bytes are 65 000, and the page may have its own bytes more than 65 536.
        check(154, 65);
        check(155, 66);
    }
}
