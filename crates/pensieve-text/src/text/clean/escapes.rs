//! The rule `escapes`: `\u00f6` in data is the letter that it means, so that words are found by their letters; so are `\"{o}`
//! in TeX and `&#246;` in XML.
//!
//! Message files of Java and JSON escape letters outside of ASCII (Java Language Specification section 3.3, RFC 8259
//! section 7), XML has references of characters (XML 1.0, section 4.1), TeX accents and names of letters (the LaTeX
//! companion, table 3.1). Only letters and signs are put in their place: a quotation mark, a line end or a mark without width
//! would change what the data says.

use crate::model::Segment;
use crate::text::edits::Edits;
use unicode_normalization::char::compose;

/// How a text writes letters outside of ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EscapeSyntax {
    /// `\u00f6`
    Unicode,
    /// `\"{o}`
    Tex,
    /// `&#246;`
    Xml,
}

/// `\ud83d\ude00`: the longest escape.
const MAX_ESCAPE_BYTES: usize = 12;

/// The accents of TeX: the sign or letter after the backslash, and the character that combines.
const TEX_ACCENTS: &[(u8, char)] = &[
    (b'"', '\u{308}'),
    (b'\'', '\u{301}'),
    (b'.', '\u{307}'),
    (b'=', '\u{304}'),
    (b'H', '\u{30b}'),
    (b'^', '\u{302}'),
    (b'`', '\u{300}'),
    (b'c', '\u{327}'),
    (b'd', '\u{323}'),
    (b'k', '\u{328}'),
    (b'r', '\u{30a}'),
    (b'u', '\u{306}'),
    (b'v', '\u{30c}'),
    (b'~', '\u{303}'),
];

/// Letters that TeX has names for.
const TEX_LETTERS: &[(&str, char)] = &[
    ("AA", 'Å'),
    ("AE", 'Æ'),
    ("L", 'Ł'),
    ("O", 'Ø'),
    ("OE", 'Œ'),
    ("aa", 'å'),
    ("ae", 'æ'),
    ("l", 'ł'),
    ("o", 'ø'),
    ("oe", 'œ'),
    ("ss", 'ß'),
];

/// Replaces escapes by their characters.
#[derive(Debug)]
pub(super) struct EscapesStep {
    syntax: EscapeSyntax,
    /// What may be an escape at the end of the text so far.
    held: Segment,
}

impl EscapesStep {
    pub(super) fn new(syntax: EscapeSyntax) -> EscapesStep {
        EscapesStep { syntax, held: Segment::default() }
    }

    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let mut text = std::mem::take(&mut self.held);
        text.append(segment);
        let end = self.syntax.settled_end(&text.text);
        if end < text.text.len() {
            self.held = text.split_off(end);
        }
        replaced(text, self.syntax)
    }

    pub(super) fn finish(&mut self) -> Segment {
        replaced(std::mem::take(&mut self.held), self.syntax)
    }
}

impl EscapeSyntax {
    fn sign(self) -> u8 {
        if self == EscapeSyntax::Xml { b'&' } else { b'\\' }
    }

    /// The end of the text in which no later text changes an escape: before the last signs near the end.
    fn settled_end(self, text: &str) -> usize {
        let bytes = text.as_bytes();
        let tail = bytes.len().saturating_sub(MAX_ESCAPE_BYTES);
        let sign = self.sign();
        let run_start = |at: usize| at - bytes[..at].iter().rev().take_while(|byte| **byte == sign).count();
        // Escapes of TeX may stand inside of each other; those of Unicode come in pairs.
        if self != EscapeSyntax::Unicode {
            let inner = memchr::memchr(sign, &bytes[tail..]).map_or(bytes.len(), |at| run_start(tail + at));
            // The first one may be inside of another: the letter without its dot in `\"{\i}`.
            let before = inner.saturating_sub(3);
            let start =
                memchr::memchr(sign, &bytes[before..inner]).map_or(inner, |at| run_start(before + at));
            return start - usize::from(self == EscapeSyntax::Tex && bytes[..start].ends_with(b"{"));
        }
        let Some(last) = memchr::memrchr(sign, &bytes[tail..]).map(|at| tail + at) else {
            return bytes.len();
        };
        let start = run_start(last);
        let before = start.saturating_sub(6);
        // The first half of a pair stands before its second half.
        let is_half = matches!(
            &bytes[before..start],
            [b'\\', b'u' | b'U', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', _, _]
        );
        if is_half { run_start(before) } else { start }
    }

    /// The character of the escape that a text begins with, and the bytes of the escape.
    fn character(self, text: &str) -> Option<(char, usize)> {
        match self {
            EscapeSyntax::Unicode => unicode_escape(text),
            EscapeSyntax::Tex => tex_letter(text),
            EscapeSyntax::Xml => character_reference(text),
        }
    }
}

fn replaced(segment: Segment, syntax: EscapeSyntax) -> Segment {
    let text = segment.text.as_str();
    let mut edits = Edits::default();
    let mut at = 0;
    for found in memchr::memchr_iter(syntax.sign(), text.as_bytes()) {
        if found < at {
            continue;
        }
        let run = text.as_bytes()[at..found].iter().rev().take_while(|byte| **byte == b'\\').count();
        // After an odd number of backslashes the sign is text.
        if run % 2 == 1 {
            continue;
        }
        if let Some((letter, length)) =
            syntax.character(&text[found..]).filter(|(letter, _)| is_shown(*letter))
        {
            let (mut start, mut end) = (found, found + length);
            // A group around one letter holds it together.
            if syntax == EscapeSyntax::Tex && text[at..found].ends_with('{') && text[end..].starts_with('}') {
                (start, end) = (start - 1, end + 1);
            }
            // The bytes of the source are not the letter, so that a citation of them is not exact.
            edits.replace(start, end, letter.encode_utf8(&mut [0; 4]));
            at = end;
        }
    }
    edits.apply(segment)
}

/// `&#246;` or `&#xf6;`
fn character_reference(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix("&#")?;
    // The last character is `&#1114111;`; what is longer is none.
    let end = inside.bytes().take(MAX_ESCAPE_BYTES).position(|byte| byte == b';')?;
    let digits = &inside[..end];
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16)
        }
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse(),
        _ => return None,
    };
    Some((char::from_u32(code.ok()?)?, end + 3))
}

/// `\"{o}`, `\"o`, `\v s` or `\ss`
fn tex_letter(text: &str) -> Option<(char, usize)> {
    let inside = text.strip_prefix('\\')?;
    // Names have two letters at most; a third one makes another command of it.
    let name = &inside[..inside.bytes().take(3).take_while(u8::is_ascii_alphabetic).count()];
    if let Some((_, letter)) = TEX_LETTERS.iter().find(|(known, _)| *known == name) {
        let after = &inside[name.len()..];
        // A blank or an empty group ends the name.
        let end = if after.starts_with("{}") { 2 } else { usize::from(after.starts_with(' ')) };
        return Some((*letter, 1 + name.len() + end));
    }
    let sign = *inside.as_bytes().first()?;
    let (_, accent) = TEX_ACCENTS.iter().find(|(known, _)| *known == sign)?;
    let (base, length) = tex_argument(&inside[1..], sign.is_ascii_alphabetic())?;
    Some((compose(base, *accent)?, 2 + length))
}

/// The letter that an accent stands on, and its bytes. After an accent that is a letter a blank or a group begins it.
fn tex_argument(text: &str, is_after_letter: bool) -> Option<(char, usize)> {
    let (inside, before, after) = match text.strip_prefix('{') {
        Some(inside) => (inside, 1, 1),
        None => match text.strip_prefix(' ').filter(|_| is_after_letter) {
            Some(inside) => (inside, 1, 0),
            None => (Some(text).filter(|_| !is_after_letter)?, 0, 0),
        },
    };
    // The letters without their dots.
    let is_dotless = ["\\i", "\\j"].iter().any(|name| inside.starts_with(name));
    let letter = &inside[usize::from(is_dotless)..];
    let base = letter.chars().next().filter(char::is_ascii_alphabetic)?;
    let length = before + usize::from(is_dotless) + 1;
    (after == 0 || text[length..].starts_with('}')).then_some((base, length + after))
}

/// The character of `\u00f6`, or of a pair of them, at the beginning of a text, and the bytes of its escape. A large `U` has
/// eight digits in YAML, and four in Apple's lists of strings.
pub fn unicode_escape(text: &str) -> Option<(char, usize)> {
    let number = |digits: &str| {
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    // YAML first: eight digits begin like Apple's four.
    let wide = text.get(..10).and_then(|escape| escape.strip_prefix("\\U")).and_then(number);
    if let Some(letter) = wide.and_then(char::from_u32) {
        return Some((letter, 10));
    }
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(['\\'])?.strip_prefix(['u', 'U'])?;
        number(digits).and_then(|unit| u16::try_from(unit).ok())
    };
    let first = unit(0)?;
    if let Some(letter) = char::from_u32(first.into()) {
        return Some((letter, 6));
    }
    let pair = char::decode_utf16([first, unit(6)?]).next()?.ok()?;
    Some((pair, 12))
}

/// True for a character that is seen and is no syntax.
fn is_shown(letter: char) -> bool {
    let is_mark = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{ffff}');
    letter > '\u{a0}' && !letter.is_whitespace() && !is_mark
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SpanMap;

    fn check(text: &str, expected: &str) {
        check_syntax(EscapeSyntax::Unicode, text, expected);
    }

    fn check_syntax(syntax: EscapeSyntax, text: &str, expected: &str) {
        for cut in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let mut whole = Segment {
                text: text.to_owned(),
                map: SpanMap::identity(text.len(), 0),
                ..Segment::default()
            };
            let rest = if cut < text.len() { whole.split_off(cut) } else { Segment::default() };
            let mut step = EscapesStep::new(syntax);
            let mut clean = step.push(whole);
            clean.append(step.push(rest));
            clean.append(step.finish());
            assert_eq!(clean.text, expected, "of {text} cut at {cut}");
            for run in clean.map.runs().iter().filter(|run| run.exact) {
                assert_eq!(clean.text[run.out..run.out_end()], text[run.src..run.src_end()]);
            }
        }
    }

    #[test]
    fn letters_are_put_in_the_place_of_their_escapes() {
        check("a=M\\u00f6we\\u00DF", "a=Möweß");
        check("\"\\ud83d\\ude00 \\u4e2d\"", "\"😀 中\"");
        check("\\\\u00f6 \\\\\\u00f6", "\\\\u00f6 \\\\ö");
        check(
            "\\u0022 \\u000a \\u00a0 \\u200b \\ud83d \\u00f \\u",
            "\\u0022 \\u000a \\u00a0 \\u200b \\ud83d \\u00f \\u",
        );
        check("\\u00e9\\u00e9", "éé");
        check("M\\U00f6we \\U0001F600 \\U00f6cafe \\ud83d\\ude00", "Möwe 😀 öcafe 😀");
        check("C:\\Users \\U000 \\Ud83d", "C:\\Users \\U000 \\Ud83d");
    }

    #[test]
    fn accents_and_names_of_tex_are_letters() {
        let check = |text: &str, expected: &str| check_syntax(EscapeSyntax::Tex, text, expected);
        check("K\\\"{o}ln M{\\\"o}we M\\\"owe {\\\"{U}}ber", "Köln Möwe Möwe Über");
        check("caf\\'e na\\\"{\\i}ve fran\\c{c}ais \\v s \\v{S}koda", "café naïve français š Škoda");
        check("Stra\\ss e {\\O}re \\o{} \\AA ngstr\\\"om", "Straße Øre ø Ångström");
        check(
            "\\\\\"o \\over \\section{\\'x} \\cite{c} \\'{ab} \\c",
            "\\\\\"o \\over \\section{\\'x} \\cite{c} \\'{ab} \\c",
        );
    }

    #[test]
    fn references_of_characters_are_letters() {
        let check = |text: &str, expected: &str| check_syntax(EscapeSyntax::Xml, text, expected);
        check("<a>M&#246;we &#xF6;&#x1F600;</a>", "<a>Möwe ö😀</a>");
        check("&#60; &#10; &#xa0; &amp; &#x; &# &#246", "&#60; &#10; &#xa0; &amp; &#x; &# &#246");
    }
}
