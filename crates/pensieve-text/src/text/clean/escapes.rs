//! The rule `escapes`: `\u00f6` in data is the letter that it means, so that words are found by their letters.
//!
//! Message files of Java and JSON escape letters outside of ASCII (Java Language Specification section 3.3, RFC 8259
//! section 7). Only letters and signs are put in their place: a quotation mark, a line end or a mark without width would
//! change what the data says.

use crate::model::Segment;
use crate::text::edits::Edits;

/// `\ud83d\ude00`: the longest escape.
const MAX_ESCAPE_BYTES: usize = 12;

/// Replaces escapes by their characters.
#[derive(Debug, Default)]
pub(super) struct EscapesStep {
    /// Backslashes at the end of the text so far, with what may be their escape.
    held: Segment,
}

impl EscapesStep {
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let mut text = std::mem::take(&mut self.held);
        text.append(segment);
        let end = settled_end(&text.text);
        if end < text.text.len() {
            self.held = text.split_off(end);
        }
        replaced(text)
    }

    pub(super) fn finish(&mut self) -> Segment {
        replaced(std::mem::take(&mut self.held))
    }
}

/// The end of the text in which no later text changes an escape: before backslashes near the end.
fn settled_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let tail = bytes.len().saturating_sub(MAX_ESCAPE_BYTES);
    let Some(last) = memchr::memrchr(b'\\', &bytes[tail..]).map(|at| tail + at) else { return bytes.len() };
    let run_start = |at: usize| at - bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
    let start = run_start(last);
    let before = start.saturating_sub(6);
    // The first half of a pair stands before its second half.
    let is_half = matches!(
        &bytes[before..start],
        [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'A' | b'b' | b'B', _, _]
    );
    if is_half { run_start(before) } else { start }
}

fn replaced(segment: Segment) -> Segment {
    let text = segment.text.as_str();
    let mut edits = Edits::default();
    let mut at = 0;
    for found in memchr::memmem::find_iter(text.as_bytes(), b"\\u") {
        if found < at {
            continue;
        }
        let run = text.as_bytes()[at..found].iter().rev().take_while(|byte| **byte == b'\\').count();
        if run % 2 == 1 {
            continue;
        }
        if let Some((letter, length)) = character(&text[found..]).filter(|(letter, _)| is_shown(*letter)) {
            // The bytes of the source are not the letter, so that a citation of them is not exact.
            edits.replace(found, found + length, letter.encode_utf8(&mut [0; 4]));
            at = found + length;
        }
    }
    edits.apply(segment)
}

/// The character of the escape that a text begins with, and the bytes of the escape.
fn character(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
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
        for cut in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let mut whole = Segment {
                text: text.to_owned(),
                map: SpanMap::identity(text.len(), 0),
                ..Segment::default()
            };
            let rest = if cut < text.len() { whole.split_off(cut) } else { Segment::default() };
            let mut step = EscapesStep::default();
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
    }
}
