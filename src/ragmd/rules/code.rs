//! Code spans and backslash escapes, which no rule changes: each is replaced by characters that do not occur in text,
//! and restored afterwards.
//!
//! A span is a code span of CommonMark 0.31 that ends on the line on which it begins. A backslash escapes the ASCII
//! punctuation after it (section 2.4), so that `\\[^0-9]` is text and not a reference to a note.

use super::fenced::fenced_parts;

/// Delimiters around the number of a span: noncharacters, which are removed from texts earlier.
const SPAN_DELIMITERS: [char; 2] = ['\u{1fffe}', '\u{1ffff}'];

/// The first of 32 noncharacters, each for a backslash and one punctuation character.
const FIRST_ESCAPE: u32 = 0xfdd0;

/// The characters of ASCII punctuation, in order.
const PUNCTUATION: &[u8; 32] = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// True for the characters that this module inserts.
pub(super) fn is_sign(c: char) -> bool {
    SPAN_DELIMITERS.contains(&c) || (FIRST_ESCAPE..FIRST_ESCAPE + 32).contains(&u32::from(c))
}

/// The replacement of a backslash and the punctuation character `sign`.
pub(super) fn escape_of(sign: u8) -> Option<char> {
    let number = PUNCTUATION.iter().position(|&known| known == sign)?;
    char::from_u32(FIRST_ESCAPE + number as u32)
}

/// Replaces code spans and escapes; returns the masked text and the spans.
pub(super) fn mask_code(text: &str) -> (String, Vec<&str>) {
    let mut masked = String::with_capacity(text.len());
    let mut spans = Vec::new();
    for (part, is_code) in fenced_parts(text) {
        match is_code {
            true => masked.push_str(part),
            false => part.split_inclusive('\n').for_each(|line| mask_line(line, &mut masked, &mut spans)),
        }
    }
    (masked, spans)
}

fn mask_line<'t>(line: &'t str, masked: &mut String, spans: &mut Vec<&'t str>) {
    let mut rest = line;
    while let Some(at) = memchr::memchr2(b'`', b'\\', rest.as_bytes()) {
        masked.push_str(&rest[..at]);
        let sign = &rest[at..];
        let ticks = sign.bytes().take_while(|&byte| byte == b'`').count();
        let escape = sign.as_bytes().get(1).copied().filter(|_| ticks == 0).and_then(escape_of);
        let end = if ticks > 0 { closing(&sign[ticks..], ticks) } else { None };
        let len = match (escape, end) {
            (Some(escape), _) => {
                masked.push(escape);
                2
            }
            (None, Some(end)) => {
                masked.push_str(&format!("{}{}{}", SPAN_DELIMITERS[0], spans.len(), SPAN_DELIMITERS[1]));
                spans.push(&sign[..ticks + end]);
                ticks + end
            }
            (None, None) => {
                masked.push_str(&sign[..ticks.max(1)]);
                ticks.max(1)
            }
        };
        rest = &sign[len..];
    }
    masked.push_str(rest);
}

/// The end of the first run of exactly `ticks` backticks.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let length = text[start..].bytes().take_while(|&byte| byte == b'`').count();
        at = start + length;
        if length == ticks {
            return Some(at);
        }
    }
    None
}

/// Restores the spans and the escapes.
pub(super) fn unmask_code(masked: &str, spans: &[&str]) -> String {
    let mut text = String::with_capacity(masked.len());
    let mut rest = masked;
    while let Some(at) = rest.find(is_sign) {
        text.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        let sign = chars.next().unwrap_or_default();
        rest = chars.as_str();
        if sign == SPAN_DELIMITERS[0] {
            let (number, after) = rest.split_once(SPAN_DELIMITERS[1]).unwrap_or_default();
            let span = number.parse().ok().and_then(|number: usize| spans.get(number));
            text.push_str(span.copied().unwrap_or_default());
            rest = after;
        } else if let Some(&sign) = PUNCTUATION.get(u32::from(sign).wrapping_sub(FIRST_ESCAPE) as usize) {
            text.extend(['\\', char::from(sign)]);
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let (masked, spans) = mask_code(text);
        assert_eq!(spans, expected, "of {text}");
        assert!(expected.iter().all(|span| !masked.contains(span)), "{masked}");
        assert_eq!(unmask_code(&masked, &spans), text);
    }

    #[test]
    fn code_spans_are_masked_and_restored() {
        check("a `b` c ``d ` e`` `f", &["`b`", "``d ` e``"]);
        check("\\`a` `b`", &["` `"]);
        check("\\\\`a`", &["`a`"]);
        check("a ` b\nc ` d", &[]);
        check("```\n`a`\n```\n`b`", &["`b`"]);
        check("`", &[]);
        check("\\[^0-9] \\{#a} \\a \\", &[]);
        assert!(!mask_code("\\[").0.contains('['));
    }

    #[test]
    fn every_escape_is_masked_and_comes_back() {
        for (number, sign) in PUNCTUATION.iter().enumerate() {
            let text = format!("a\\{} b", char::from(*sign));
            let (masked, spans) = mask_code(&text);
            assert_eq!(masked, format!("a{} b", char::from_u32(0xfdd0 + number as u32).unwrap()));
            assert_eq!((unmask_code(&masked, &spans), spans.len()), (text, 0));
        }
        assert_eq!((escape_of(b'a'), escape_of(b' ')), (None, None));
        let signs = ['\u{fdcf}', '\u{fdd0}', '\u{fdef}', '\u{fdf0}', '\u{1fffd}', '\u{1fffe}', '\u{1ffff}'];
        assert_eq!(signs.map(is_sign), [false, true, true, false, false, true, true]);
    }

    #[test]
    fn a_span_ends_with_as_many_backticks_as_it_begins_with() {
        let check = |text: &str, ticks: usize, expected: Option<usize>| {
            assert_eq!(closing(text, ticks), expected, "{text} {ticks}");
        };
        check("a`b", 1, Some(2));
        check("a``b`c", 1, Some(5));
        check("a`b``c", 2, Some(5));
        check("a```b", 2, None);
        check("", 1, None);
        check("a ``` b", 3, Some(5));
        assert_eq!(mask_code("a ``b` c"), ("a ``b` c".to_owned(), Vec::new()));
        assert_eq!(mask_code("`a` ``b``").1, ["`a`", "``b``"]);
    }
}
