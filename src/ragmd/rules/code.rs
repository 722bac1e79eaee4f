//! Code in a line, between backticks, which no rule changes: it is laid aside as a sign that no text has, and put back.
//!
//! A span is what CommonMark 0.31 calls a code span, as far as it ends in the line in which it begins.

use super::parts;

/// Around the number of a span: noncharacters, which texts lose before.
pub(super) const SIGNS: [char; 2] = ['\u{fdd2}', '\u{fdd3}'];

/// A text with signs for its spans of code, and these.
pub(super) fn lay_aside(text: &str) -> (String, Vec<&str>) {
    let mut masked = String::with_capacity(text.len());
    let mut spans = Vec::new();
    for (part, is_code) in parts(text) {
        match is_code {
            true => masked.push_str(part),
            false => part.split_inclusive('\n').for_each(|line| mask_line(line, &mut masked, &mut spans)),
        }
    }
    (masked, spans)
}

fn mask_line<'t>(line: &'t str, masked: &mut String, spans: &mut Vec<&'t str>) {
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let before = &rest[..at];
        let is_escaped = before.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
        let ticks = rest[at..].bytes().take_while(|&byte| byte == b'`').count();
        let end = if is_escaped { None } else { closing(&rest[at + ticks..], ticks) };
        masked.push_str(before);
        let next = match end {
            Some(end) => {
                masked.push_str(&format!("{}{}{}", SIGNS[0], spans.len(), SIGNS[1]));
                spans.push(&rest[at..at + ticks + end]);
                at + ticks + end
            }
            None => {
                masked.push_str(&rest[at..at + ticks]);
                at + ticks
            }
        };
        rest = &rest[next..];
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

/// The text with its spans in their places.
pub(super) fn put_back(masked: &str, spans: &[&str]) -> String {
    let mut text = String::with_capacity(masked.len());
    let mut parts = masked.split(SIGNS[0]);
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (number, rest) = part.split_once(SIGNS[1]).unwrap_or_default();
        let span = number.parse().ok().and_then(|number: usize| spans.get(number));
        text.push_str(span.copied().unwrap_or_default());
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let (masked, spans) = lay_aside(text);
        assert_eq!(spans, expected, "of {text}");
        assert!(expected.iter().all(|span| !masked.contains(span)), "{masked}");
        assert_eq!(put_back(&masked, &spans), text);
    }

    #[test]
    fn code_in_a_line_is_laid_aside_and_put_back() {
        check("a `b` c ``d ` e`` `f", &["`b`", "``d ` e``"]);
        check("\\`a` `b`", &["` `"]);
        check("\\\\`a`", &["`a`"]);
        check("a ` b\nc ` d", &[]);
        check("```\n`a`\n```\n`b`", &["`b`"]);
        check("`", &[]);
    }
}
