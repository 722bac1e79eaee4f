//! Marks of transcribers for illustrations, italics and notes, which plain text cannot show.

use crate::model::Segment;
use crate::text::edits::Edits;

/// Which marks are removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranscriberMarkOptions {
    /// Remove `[Illustration: ...]` with its caption.
    pub drop_illustrations: bool,
    /// Remove the signs of `_italics_`; the words stay.
    pub drop_italics: bool,
    /// Remove the marks of notes after words: `word[12]`, `word.[A]`.
    pub drop_notes: bool,
}

/// The longest label of a note.
const MAX_NOTE_BYTES: usize = 4;

/// The longest caption; a longer bracket is no illustration.
const MAX_CAPTION_BYTES: usize = 3000;

/// Removes marks and makes every line end `\n`; the map still leads to the source.
pub fn drop_transcriber_marks(segment: Segment, options: &TranscriberMarkOptions) -> Segment {
    let text = &segment.text;
    let mut edits = Edits::default();
    let mut at = 0;
    while let Some(by) = text.as_bytes()[at..].iter().position(|byte| matches!(byte, b'\r' | b'[' | b'_')) {
        let found = at + by;
        let note = || note_end(text, found).filter(|_| options.drop_notes);
        at = match text.as_bytes()[found] {
            b'\r' => line_end(text, found, &mut edits),
            b'[' => match note() {
                Some(end) => {
                    edits.loss(found, end);
                    end
                }
                None if options.drop_illustrations => illustration(text, found, &mut edits),
                None => found + 1,
            },
            b'_' if options.drop_italics => underscores(text, found, &mut edits),
            _ => found + 1,
        };
    }
    edits.apply(segment)
}

fn line_end(text: &str, at: usize, edits: &mut Edits) -> usize {
    if text[at..].starts_with("\r\n") {
        edits.blank(at, at + 1);
    } else {
        edits.unit(at, at + 1, "\n");
    }
    at + 1
}

/// The end of the mark of a note that begins at `at`: a number, a capital or a star in brackets, directly after a word
/// or its punctuation. A bracket before a letter is part of a word, and one at the start of a line begins the note.
fn note_end(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].chars().next_back().filter(|c| !c.is_whitespace() && *c != '[')?;
    let label = &text[at + 1..at + 1 + text[at + 1..].find(']')?];
    let is_number =
        !label.is_empty() && label.len() <= MAX_NOTE_BYTES && label.bytes().all(|byte| byte.is_ascii_digit());
    let is_sign = label.len() == 1 && (label == "*" || label.bytes().all(|byte| byte.is_ascii_uppercase()));
    let end = at + label.len() + 2;
    let is_inside = text[end..].starts_with(char::is_alphabetic);
    (before != '_' || is_number).then_some(()).filter(|()| (is_number || is_sign) && !is_inside).map(|()| end)
}

/// Removes the illustration that may begin at `at`. If it has lines of its own, as many blank lines after it are
/// removed as precede it, so that the larger of the two gaps stays.
fn illustration(text: &str, at: usize, edits: &mut Edits) -> usize {
    let rest = text[at + 1..].trim_start_matches(['_', '*']);
    let name = rest.get(..12).is_some_and(|name| name.eq_ignore_ascii_case("illustration"));
    let closed = if name { closing(&text[at..]) } else { None };
    let Some(end) = closed.map(|len| at + len) else { return at + 1 };
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |before| before + 1);
    let line_end = text[end..].find(['\n', '\r']).map_or(text.len(), |by| end + by);
    if !text[line..at].trim().is_empty() || !text[end..line_end].trim().is_empty() {
        edits.loss(at, end);
        return end;
    }
    let before = text[text[..line].trim_end().len()..line].lines().count().saturating_sub(1);
    let mut next = after_line(text, line_end);
    for _ in 0..before {
        let following = after_line(text, next);
        if !text[next..following].trim().is_empty() {
            break;
        }
        next = following;
    }
    edits.loss(at, next);
    next
}

/// The start of the line after the line of `at`.
fn after_line(text: &str, at: usize) -> usize {
    match text[at..].find(['\n', '\r']).map(|by| at + by) {
        Some(end) if text[end..].starts_with("\r\n") => end + 2,
        Some(end) => end + 1,
        None => text.len(),
    }
}

/// Bytes up to the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().take(MAX_CAPTION_BYTES) {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at + 1),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A single underscore marks italics; several are a blank to fill in.
fn underscores(text: &str, at: usize, edits: &mut Edits) -> usize {
    let len = text[at..].bytes().take_while(|byte| *byte == b'_').count();
    if len == 1 {
        edits.loss(at, at + 1);
    }
    at + len
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, SpanMap};

    fn check(text: &str, expected: &str) {
        let options =
            TranscriberMarkOptions { drop_illustrations: true, drop_italics: true, drop_notes: true };
        let map = SpanMap::identity(text.len(), 0);
        let left =
            drop_transcriber_marks(Segment { text: text.to_owned(), map, ..Segment::default() }, &options);
        assert_eq!(left.text, expected);
        for (at, c) in left.text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            let source =
                left.map.source(Span::new(at, at + c.len_utf8())).expect("every letter has a source");
            assert_eq!(&text[source.start..source.end], c.to_string());
        }
    }

    #[test]
    fn marks_go_and_gaps_stay() {
        check("one\r\n\r\n[Illustration: A [small] dog.\r\nBarking.]\r\n\r\ntwo", "one\n\ntwo");
        check("one\n\n[Illustration]\n\n\n\nTWO", "one\n\n\n\nTWO");
        check("one [Illustration] two", "one  two");
        check("one\n\n[Illustration]", "one\n\n");
        check("[Illustrated by nobody\n\nx", "[Illustrated by nobody\n\nx");
        check("a _very_ old ____ form_", "a very old ____ form");
        check("a\rb", "a\nb");
    }

    #[test]
    fn only_the_requested_marks_are_removed() {
        let options =
            TranscriberMarkOptions { drop_illustrations: false, drop_italics: false, drop_notes: false };
        let text = "[Illustration] _so_\n";
        let left = drop_transcriber_marks(Segment { text: text.to_owned(), ..Segment::default() }, &options);
        assert_eq!(left.text, text);
    }

    #[test]
    fn marks_of_notes_go_and_other_brackets_stay() {
        check("Pope[22] said.[A] So", "Pope said. So");
        check("locks[104]", "locks");
        for text in ["[3] A note.", "a [3] b", "a[i]b", "x[12]y", "[12]", "word[sic]"] {
            check(text, text);
        }
    }
}
