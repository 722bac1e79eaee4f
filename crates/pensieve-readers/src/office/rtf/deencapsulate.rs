//! Unpacks HTML that a mail program packed into RTF. Format: [MS-OXRTFEX] sections 2.1 and 3.1: tags are in
//! `\*\htmltag` groups, words between them, and RTF-only content between `\htmlrtf` and `\htmlrtf0`.

use super::token::{RtfToken, RtfTokens};
use crate::limits::rtf::{MAX_GROUP_DEPTH, MAX_HTML_FONTS};
use crate::shared::codepage;
use std::collections::HashMap;

/// The state that a group inherits from the one around it.
#[derive(Clone, Copy)]
struct GroupState {
    is_skipped: bool,
    is_tag: bool,
    is_rtf_only: bool,
    is_fonts: bool,
    font: Option<i32>,
    fallback: u8,
}

/// The HTML inside RTF; `None` if there is none.
pub(crate) fn deencapsulate(bytes: &[u8]) -> Option<String> {
    let head = &bytes[..bytes.len().min(4096)];
    memchr::memmem::find(head, b"\\fromhtml1")?;
    let mut unpacker = HtmlUnpacker {
        html: String::with_capacity(bytes.len() / 2),
        group: GroupState {
            is_skipped: false,
            is_tag: false,
            is_rtf_only: false,
            is_fonts: false,
            font: None,
            fallback: 1,
        },
        groups: Vec::new(),
        too_deep: 0,
        pending: Vec::new(),
        skip: 0,
        high: None,
        is_starred: false,
        code_page: codepage::WESTERN,
        fonts: HashMap::new(),
        font: 0,
        default_font: 0,
    };
    RtfTokens::new(bytes).for_each(|token| unpacker.token(token));
    unpacker.flush();
    Some(unpacker.html)
}

struct HtmlUnpacker {
    html: String,
    group: GroupState,
    groups: Vec<GroupState>,
    too_deep: usize,
    pending: Vec<u8>,
    skip: usize,
    high: Option<u16>,
    is_starred: bool,
    code_page: u32,
    fonts: HashMap<i32, u32>,
    font: i32,
    default_font: i32,
}

impl HtmlUnpacker {
    fn token(&mut self, token: RtfToken<'_>) {
        match token {
            RtfToken::Open if self.too_deep > 0 || self.groups.len() >= MAX_GROUP_DEPTH => self.too_deep += 1,
            RtfToken::Close if self.too_deep > 0 => self.too_deep -= 1,
            _ if self.too_deep > 0 => {}
            RtfToken::Open => {
                self.flush();
                (self.skip, self.is_starred) = (0, false);
                self.groups.push(self.group);
            }
            RtfToken::Close => {
                self.flush();
                (self.skip, self.is_starred) = (0, false);
                if let Some(outer) = self.groups.pop() {
                    self.group = outer;
                }
            }
            RtfToken::Word(name, parameter) => self.word(name, parameter),
            RtfToken::Symbol(symbol) => self.symbol(symbol),
            RtfToken::Hex(byte) => self.bytes(&[byte]),
            RtfToken::Text(text) => self.bytes(text),
        }
    }

    fn word(&mut self, name: &[u8], parameter: Option<i32>) {
        if self.skip > 0 && name != b"u" {
            self.skip -= 1;
            return;
        }
        let is_starred = std::mem::take(&mut self.is_starred);
        if name == b"u" {
            return self.unicode(parameter.unwrap_or(0));
        }
        self.flush();
        match (name, parameter) {
            (b"htmltag", _) => {
                (self.group.is_tag, self.group.is_skipped, self.group.is_rtf_only) = (true, false, false);
            }
            (b"htmlrtf", value) => self.group.is_rtf_only = value != Some(0),
            (b"fonttbl", _) => self.group.is_fonts = true,
            (b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"mhtmltag" | b"pntext" | b"listtext", _) => {
                self.group.is_skipped = true;
            }
            (b"f", Some(font)) if self.group.is_fonts => self.font = font,
            (b"f", font) => self.group.font = font,
            (b"fcharset", Some(charset)) => {
                if let Some(page) = u8::try_from(charset).ok().and_then(codepage::of_charset)
                    && self.fonts.len() < MAX_HTML_FONTS
                {
                    self.fonts.insert(self.font, page);
                }
            }
            (b"ansicpg", Some(page)) => self.code_page = page.max(0) as u32,
            (b"deff", Some(font)) => self.default_font = font,
            (b"uc", Some(count)) => self.group.fallback = count.clamp(0, 255) as u8,
            (b"par" | b"line", _) => self.put("\r\n"),
            (b"tab", _) => self.put("\t"),
            (b"lquote", _) => self.put("\u{2018}"),
            (b"rquote", _) => self.put("\u{2019}"),
            (b"ldblquote", _) => self.put("\u{201c}"),
            (b"rdblquote", _) => self.put("\u{201d}"),
            (b"bullet", _) => self.put("\u{2022}"),
            (b"endash", _) => self.put("\u{2013}"),
            (b"emdash", _) => self.put("\u{2014}"),
            _ if is_starred => self.group.is_skipped = true,
            _ => {}
        }
    }

    fn unicode(&mut self, number: i32) {
        self.skip = usize::from(self.group.fallback);
        self.flush_bytes();
        let unit = (number & 0xffff) as u16;
        let c = match (self.high.take(), unit) {
            (_, 0xd800..=0xdbff) => {
                self.high = Some(unit);
                return;
            }
            (Some(high), 0xdc00..=0xdfff) => char::decode_utf16([high, unit]).next().and_then(Result::ok),
            _ => char::from_u32(u32::from(unit)),
        };
        let mut buffer = [0; 4];
        self.put(c.unwrap_or('\u{fffd}').encode_utf8(&mut buffer));
    }

    fn symbol(&mut self, symbol: u8) {
        match symbol {
            _ if self.skip > 0 => self.skip -= 1,
            b'*' => self.is_starred = true,
            b'\\' | b'{' | b'}' => self.bytes(&[symbol]),
            b'~' => {
                self.flush();
                self.put("&nbsp;");
            }
            b'_' => {
                self.flush();
                self.put("&#8209;");
            }
            b'-' => {
                self.flush();
                self.put("&shy;");
            }
            _ => {}
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        self.pending.extend_from_slice(&bytes[skipped..]);
    }

    fn flush(&mut self) {
        self.high = None;
        self.flush_bytes();
    }

    fn flush_bytes(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let font = self.group.font.unwrap_or(self.default_font);
        // Tags are in the code page of the document, whatever the font.
        let own = self.fonts.get(&font).copied().filter(|_| !self.group.is_tag);
        self.put(&codepage::decode(own.unwrap_or(self.code_page), &pending));
    }

    fn put(&mut self, text: &str) {
        let GroupState { is_skipped, is_rtf_only, is_fonts, .. } = self.group;
        if !is_skipped && !is_rtf_only && !is_fonts {
            self.html.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_words_come_out_and_rtf_stays() {
        let rtf = b"{\\rtf1\\ansi\\ansicpg1251\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\r\n\
            {\\*\\generator x;}{\\*\\htmltag64}{\\*\\htmltag19 <html>}{\\*\\htmltag64 <p>}\\htmlrtf {\\f0 \\htmlrtf0 \
            \\'cf\\u8211\\'96 a\\{b\\htmlrtf \\par}\\htmlrtf0 {\\*\\htmltag72 </p>\\par}{\\*\\mhtmltag84 x}}";
        assert_eq!(deencapsulate(rtf).as_deref(), Some("<html><p>П– a{b</p>\r\n"));
        assert_eq!(deencapsulate(b"{\\rtf1 words}"), None);
    }

    fn check(body: &str, expected: &str) {
        let rtf = format!("{{\\rtf1\\ansi\\fromhtml1 {body}}}");
        assert_eq!(deencapsulate(rtf.as_bytes()).as_deref(), Some(expected), "{body}");
    }

    #[test]
    fn words_stand_for_characters() {
        check("a\\par b\\line c\\tab d", "a\r\nb\r\nc\td");
        check("\\lquote a\\rquote\\ldblquote b\\rdblquote", "‘a’“b”");
        check("\\bullet a\\endash b\\emdash c\\other d", "•a–b—cd");
        check("\\\\a\\{b\\}c\\~d\\_e\\-f\\:g", "\\a{b}c&nbsp;d&#8209;e&shy;fg");
    }

    #[test]
    fn groups_that_are_no_html_are_left_out() {
        for name in
            ["colortbl", "stylesheet", "info", "pict", "mhtmltag", "pntext", "listtext", "fonttbl", "*\\x"]
        {
            check(&format!("a{{\\{name} b{{c}}}}d"), "ad");
        }
        check("a{\\x b}{\\* \\x c}d", "ab d");
        check("a{\\*{b}c}d", "abcd");
        check("a{\\*}\\x b", "ab");
        check("a{\\pict{\\*\\htmltag <b>}x}c", "a<b>c");
        check("a\\htmlrtf b\\htmlrtf0 c\\htmlrtf1 d\\htmlrtf0 e{\\htmlrtf f}g", "aceg");
        check("a\\htmlrtf{\\*\\htmltag <b>}b\\htmlrtf0 c", "a<b>c");
    }

    #[test]
    fn bytes_are_read_in_the_code_page_of_their_font() {
        let fonts = "\\ansicpg1253{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2 C;}{\\f3\\fcharset999 D;}}";
        for (body, expected) in [
            ("\\'cf", "Ï"),
            ("\\f1\\'cf\\f2\\'cf\\f3\\'cf", "ПΟΟ"),
            ("{\\f1\\'cf}\\'cf\\f1\\'cf\\f\\'cf", "ПÏПÏ"),
            ("\\deff1\\'cf\\deff2\\'cf", "ПΟ"),
            // Tags are in the code page of the document.
            ("\\f1{\\*\\htmltag \\'cf}\\'cf", "ΟП"),
            ("\\ansicpg1251\\f2\\'cf\\ansicpg\\'cf", "ПП"),
        ] {
            check(&format!("{fonts}{body}"), expected);
        }
    }

    #[test]
    fn numbers_have_replacements() {
        for (body, expected) in [
            ("\\u233?a", "éa"),
            ("\\uc2\\u233??a", "éa"),
            ("\\uc0\\u233?", "é?"),
            ("\\uc-1\\u233?", "é?"),
            ("\\u233\\'e8a", "éa"),
            ("\\uc2\\u233\\~\\tab a", "éa"),
            ("\\uc2\\u233\\u234 abc", "éêc"),
            ("\\uc2\\u233?{a}b", "éab"),
            ("\\uc2{\\u233?}ab", "éab"),
            ("{\\uc2}\\u233?a", "éa"),
            ("\\uc0\\u-10179\\u-8704", "😀"),
            ("\\uc0\\u-10179 a\\u-8704", "a😀"),
            ("\\uc0\\u-10179\\tab\\u-8704", "\t\u{fffd}"),
            ("\\uc0\\u-10179\\u233", "é"),
            ("\\uc1\\u-10179?\\u-8704?a", "😀a"),
            ("\\uc0\\u", "\0"),
        ] {
            check(body, expected);
        }
        check(&format!("\\uc300\\u233 {}b", "a".repeat(255)), "éb");
    }

    #[test]
    fn groups_too_deep_are_skipped() {
        let deep = |groups: usize| format!("a{}b{}c", "{".repeat(groups), "}".repeat(groups));
        check(&deep(MAX_GROUP_DEPTH - 1), "abc");
        check(&deep(MAX_GROUP_DEPTH), "ac");
        check(&deep(MAX_GROUP_DEPTH + 2), "ac");
    }

    #[test]
    fn fonts_beyond_the_limit_have_the_code_page_of_the_document() {
        let fonts = |count: usize| -> String {
            let rows: String = (1..=count).map(|number| format!("{{\\f{number}\\fcharset204 A;}}")).collect();
            format!("{{\\fonttbl{rows}}}\\f{count}\\'cf")
        };
        check(&fonts(MAX_HTML_FONTS), "П");
        check(&fonts(MAX_HTML_FONTS + 1), "Ï");
    }

    #[test]
    fn the_mark_is_near_the_start() {
        let html = |before: usize| {
            let rtf = format!("{}\\fromhtml1 a", " ".repeat(before));
            deencapsulate(rtf.as_bytes())
        };
        let mark = "\\fromhtml1".len();
        assert!(html(4096 - mark).is_some());
        assert_eq!(html(4096 - mark + 1), None);
    }
}
