//! Code in a line, between backticks, and what stands behind a backslash, neither of which any rule changes: they are laid
//! aside as signs that no text has, and put back.
//!
//! A span is what CommonMark 0.31 calls a code span, as far as it ends in the line in which it begins. A backslash hides
//! the punctuation of ASCII behind it (section 2.4), so that `\\[^0-9]` is a text and no reference to a note.

use super::fenced::fenced_parts;

/// Around the number of a span: noncharacters, which texts lose before.
const AROUND: [char; 2] = ['\u{1fffe}', '\u{1ffff}'];

/// The first of the noncharacters that stand for a backslash and one of the 32 signs of punctuation each.
const FIRST_ESCAPE: u32 = 0xfdd0;

/// The signs of punctuation, in order.
const PUNCTUATION: &[u8; 32] = b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/// True for the signs that this module puts in.
pub(super) fn is_sign(c: char) -> bool {
    AROUND.contains(&c) || (FIRST_ESCAPE..FIRST_ESCAPE + 32).contains(&u32::from(c))
}

/// What stands for a backslash and a sign of punctuation.
pub(super) fn escape_of(sign: u8) -> Option<char> {
    let number = PUNCTUATION.iter().position(|&known| known == sign)?;
    char::from_u32(FIRST_ESCAPE + number as u32)
}

/// A text with signs for its spans of code, and these.
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
                masked.push_str(&format!("{}{}{}", AROUND[0], spans.len(), AROUND[1]));
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

/// Behind the first run of so many backticks.
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

/// The text with its spans and backslashes in their places.
pub(super) fn unmask_code(masked: &str, spans: &[&str]) -> String {
    let mut text = String::with_capacity(masked.len());
    let mut rest = masked;
    while let Some(at) = rest.find(is_sign) {
        text.push_str(&rest[..at]);
        let mut behind = rest[at..].chars();
        let sign = behind.next().unwrap_or_default();
        rest = behind.as_str();
        if sign == AROUND[0] {
            let (number, after) = rest.split_once(AROUND[1]).unwrap_or_default();
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
    fn code_in_a_line_is_laid_aside_and_unmask_code() {
        check("a `b` c ``d ` e`` `f", &["`b`", "``d ` e``"]);
        check("\\`a` `b`", &["` `"]);
        check("\\\\`a`", &["`a`"]);
        check("a ` b\nc ` d", &[]);
        check("```\n`a`\n```\n`b`", &["`b`"]);
        check("`", &[]);
        check("\\[^0-9] \\{#a} \\a \\", &[]);
        assert!(!mask_code("\\[").0.contains('['));
    }
}
