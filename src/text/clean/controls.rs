//! The rule `controls`: NUL characters, which cut values short in many programs, and inner byte-order marks go.
//!
//! It stands before normalisation, so that a letter and its accent with a stray mark between them are joined at once;
//! else cleaning clean text would change it again. Tab, the line ends and the page break stay for the rule of white
//! space. Joiners, bidi marks and soft hyphens are content; other
//! control characters are no white space, and stay until a later recipe judges them.

use super::flags::Flags;
use crate::model::Segment;
use crate::text::edits::Edits;
use crate::text::normalize::UnicodeForm;

/// Leaves out NUL characters and byte-order marks.
#[derive(Debug)]
pub(super) struct Controls {
    form: UnicodeForm,
    /// True when the text so far ends in a byte-order mark that was left out.
    after_mark: bool,
}

impl Controls {
    pub(super) fn new(form: UnicodeForm) -> Controls {
        Controls { form, after_mark: false }
    }

    /// The text without them. Nothing is held back.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let edits = self.scan(&segment.text);
        edits.apply(segment)
    }

    fn scan(&mut self, text: &str) -> Edits {
        let bytes = text.as_bytes();
        let mut edits = Edits::default();
        let mut flags = Flags::new(bytes, |before, here| (here == 0) | (before == 0xEF) & (here == 0xBB));
        let mut at = 0;
        while let Some(hit) = flags.next(at) {
            let start = if bytes[hit] < 0x80 { hit } else { hit - 1 };
            let Some(c) = text[start..].chars().next() else { break };
            self.resume(text, at, start, &mut edits);
            at = start + c.len_utf8();
            match c {
                '\u{feff}' => {
                    edits.blank(start, at);
                    self.after_mark = true;
                }
                '\0' => {
                    edits.loss(start, at);
                    self.after_mark = false;
                }
                _ => self.after_mark = false,
            }
        }
        self.resume(text, at, text.len(), &mut edits);
        edits
    }

    /// Text goes on at `at`. Where a mark was left out and what follows would join what stands before it, the source
    /// normalised is no longer the text, and the map has to say so.
    fn resume(&mut self, text: &str, at: usize, end: usize, edits: &mut Edits) {
        let Some(next) = text[at..end].chars().next() else { return };
        if std::mem::take(&mut self.after_mark) && !self.form.is_plain(next) {
            edits.loss(at, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, SpanMap};

    fn check(text: &str, expected: &str, is_exact: bool) {
        for cut in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let mut rule = Controls::new(UnicodeForm::Nfkc);
            let mut whole = Segment::default();
            for (from, to) in [(0, cut), (cut, text.len())] {
                let map = SpanMap::identity(to - from, from);
                whole.append(rule.push(Segment {
                    text: text[from..to].to_owned(),
                    map,
                    ..Segment::default()
                }));
            }
            assert_eq!(whole.text, expected);
            let all = whole.map.source(Span::new(0, expected.len()));
            assert_eq!(all.is_none_or(|source| source.exact), is_exact, "{text:?} cut at {cut}");
        }
    }

    #[test]
    fn nul_goes_and_it_shows_and_marks_go_silently() {
        check("a\0b\0c", "abc", false);
        check("a\u{1b}\u{7f}\u{80}\u{9f}c", "a\u{1b}\u{7f}\u{80}\u{9f}c", true);
        check("a\u{feff}b\u{feff}", "ab", true);
        check("a\t\r\n\u{b}\u{c}\u{85}é\u{a0}", "a\t\r\n\u{b}\u{c}\u{85}é\u{a0}", true);
        check(
            "a\u{200d}b\u{ad}c\u{200f}d\u{efff}\u{fefe}",
            "a\u{200d}b\u{ad}c\u{200f}d\u{efff}\u{fefe}",
            true,
        );
        check("", "", true);
    }

    #[test]
    fn a_mark_that_kept_an_accent_apart_shows() {
        check("e\u{feff}\u{301}", "e\u{301}", false);
        check("e\u{feff}\u{feff}é", "eé", true);
    }
}
