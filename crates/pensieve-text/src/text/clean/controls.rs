//! The rules `controls` and `soft_hyphens`: remove invisible characters that carry no content.
//!
//! In `clean_v0` these are NUL, which truncates values in many programs, and inner byte-order marks. `clean_v1` adds
//! the other control characters (with the rest of a terminal's colour codes, ECMA-48 section 5.4), U+200B and U+2060.
//! The rule runs before normalisation, so that a letter and its accent are joined even with a stray mark between them;
//! otherwise cleaning clean text would change it again. Later rules handle tabs, line ends and page breaks. Joiners and
//! bidi marks are content: Persian, Indic scripts and emoji need them. A soft hyphen says where a word may be divided,
//! and hides it from search; only one at the end of a line is needed, by the rule that joins the lines.

use super::byte_scanner::ByteScanner;
use super::options::{CleanOptions, CleanVersion};
use super::rules::CleanRule;
use super::white_space_kinds::WhiteSpaceKind;
use crate::model::{Segment, TextKind};
use crate::text::edits::Edits;
use crate::text::normalize::UnicodeForm;

const SOFT_HYPHEN: char = '\u{ad}';

/// The longest terminal escape sequence that is recognised.
const MAX_ESCAPE_BYTES: u8 = 32;

/// Removes invisible characters.
#[derive(Debug)]
pub(super) struct ControlsStep {
    form: UnicodeForm,
    /// True for control characters, U+200B and U+2060.
    takes_controls: bool,
    takes_soft_hyphens: bool,
    /// True for NUL and byte-order marks.
    takes_nul: bool,
    /// The kind of text by which later rules tell line ends from blanks.
    white_kind: TextKind,
    /// True if a later rule makes form feeds line ends.
    breaks_at_pages: bool,
    /// A soft hyphen at the end of the text so far.
    held: Segment,
    /// True if the text so far ends in a removed byte-order mark.
    after_mark: bool,
    /// The number of characters of an escape sequence at the end of the text so far; 0 outside of a sequence.
    in_code: u8,
    removed: usize,
}

impl ControlsStep {
    pub(super) fn new(options: &CleanOptions, kind: TextKind, form: UnicodeForm) -> ControlsStep {
        let takes_nul = options.has_rule(CleanRule::Controls, kind);
        ControlsStep {
            form,
            takes_controls: takes_nul && options.version != CleanVersion::V0,
            takes_soft_hyphens: options.has_rule(CleanRule::SoftHyphens, kind),
            takes_nul,
            white_kind: options.white_space_kind(kind),
            breaks_at_pages: kind == TextKind::Prose && options.has_rule(CleanRule::PageBreaks, kind),
            held: Segment::default(),
            after_mark: false,
            in_code: 0,
            removed: 0,
        }
    }

    /// The text without invisible characters. A soft hyphen at its end is held back.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let mut text = std::mem::take(&mut self.held);
        text.append(segment);
        if self.takes_soft_hyphens && text.text.ends_with(SOFT_HYPHEN) {
            self.held = text.split_off(text.text.len() - SOFT_HYPHEN.len_utf8());
        }
        self.settle(text)
    }

    /// The soft hyphen that was held back.
    pub(super) fn finish(&mut self) -> Segment {
        let rest = std::mem::take(&mut self.held);
        self.settle(rest)
    }

    fn settle(&mut self, segment: Segment) -> Segment {
        let edits = match self.takes_controls || self.takes_soft_hyphens {
            true => self.scan(&segment.text, is_hit_v1),
            false => self.scan(&segment.text, is_hit_v0),
        };
        self.removed += edits.lost();
        edits.apply(segment)
    }

    /// The number of removed bytes, without those of byte-order marks.
    pub(super) fn removed(&self) -> usize {
        self.removed
    }

    fn scan(&mut self, text: &str, is_hit: impl Fn(u8, u8) -> bool) -> Edits {
        let bytes = text.as_bytes();
        let mut edits = Edits::default();
        let mut hits = ByteScanner::new(bytes, is_hit);
        let mut at = self.code(text, 0, &mut edits);
        while let Some(hit) = hits.next(at) {
            let start = if bytes[hit] < 0x80 { hit } else { hit - 1 };
            let Some(c) = text[start..].chars().next() else { break };
            self.resume(text, at, start, &mut edits);
            at = start + c.len_utf8();
            if c == '\u{feff}' && self.takes_nul || c == SOFT_HYPHEN && self.is_idle(&text[at..]) {
                edits.blank(start, at);
                self.after_mark = true;
                continue;
            }
            self.after_mark = false;
            if c == '\0' && self.takes_nul || self.takes_controls && is_removed(c) {
                edits.loss(start, at);
                self.in_code = u8::from(c == '\u{1b}' && self.takes_controls);
                at = self.code(text, at, &mut edits);
            }
        }
        self.resume(text, at, text.len(), &mut edits);
        edits
    }

    /// True for a soft hyphen before `rest`, unless clean text has a line end there.
    fn is_idle(&self, rest: &str) -> bool {
        let is_line_end = |c| {
            let white = WhiteSpaceKind::of(self.white_kind, c);
            c == '\u{c}' && self.breaks_at_pages || white.is_some_and(|white| white != WhiteSpaceKind::Blank)
        };
        let next = rest.chars().next();
        self.takes_soft_hyphens && next.map_or(!self.held.text.is_empty(), |next| !is_line_end(next))
    }

    /// Removes the rest of an escape sequence that continues at `at`, and returns its end.
    fn code(&mut self, text: &str, at: usize, edits: &mut Edits) -> usize {
        let mut end = at;
        while self.in_code > 0 {
            let Some(&byte) = text.as_bytes().get(end) else { break };
            let goes_on = match self.in_code {
                1 => byte == b'[',
                _ => (0x20..0x7f).contains(&byte),
            };
            let is_last = self.in_code > 1 && byte >= 0x40 || self.in_code == MAX_ESCAPE_BYTES;
            self.in_code = if goes_on && !is_last { self.in_code + 1 } else { 0 };
            end += usize::from(goes_on);
        }
        if end > at {
            edits.loss(at, end);
        }
        end
    }

    /// Text continues at `at`. If a byte-order mark was removed and the next character composes with the one before the
    /// mark, the normalised source differs from the text; the map records that.
    fn resume(&mut self, text: &str, at: usize, end: usize, edits: &mut Edits) {
        let Some(next) = text[at..end].chars().next() else { return };
        if std::mem::take(&mut self.after_mark) && !self.form.is_plain(next) {
            edits.loss(at, at);
        }
    }
}

/// True for characters that `clean_v1` removes.
pub(super) fn is_removed(c: char) -> bool {
    match c {
        '\t'..='\r' | '\u{85}' => false,
        '\u{200b}' | '\u{2060}' | '\u{feff}' => true,
        c => c.is_control(),
    }
}

fn is_hit_v0(before: u8, here: u8) -> bool {
    (here == 0) | (before == 0xEF) & (here == 0xBB)
}

fn is_hit_v1(before: u8, here: u8) -> bool {
    let is_low = (here < 0x20) & !(b'\t'..=b'\r').contains(&here);
    let is_high = (before == 0xC2) & ((here < 0xA0) | (here == 0xAD))
        | (before == 0xE2) & ((here == 0x80) | (here == 0x81));
    is_low | (here == 0x7f) | is_high | (before == 0xEF) & (here == 0xBB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, SpanMap};

    fn check_version(version: CleanVersion, text: &str, expected: &str, is_exact: bool) {
        for cut in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            let options = CleanOptions { version, ..CleanOptions::default() };
            let mut rule = ControlsStep::new(&options, TextKind::Prose, UnicodeForm::Nfkc);
            let mut whole = Segment::default();
            for (from, to) in [(0, cut), (cut, text.len())] {
                let map = SpanMap::identity(to - from, from);
                whole.append(rule.push(Segment {
                    text: text[from..to].to_owned(),
                    map,
                    ..Segment::default()
                }));
            }
            whole.append(rule.finish());
            assert_eq!(whole.text, expected, "{text:?} cut at {cut}");
            let all = whole.map.source(Span::new(0, expected.len()));
            assert_eq!(all.is_none_or(|source| source.exact), is_exact, "{text:?} cut at {cut}");
        }
    }

    fn check(text: &str, expected: &str, is_exact: bool) {
        check_version(CleanVersion::V1, text, expected, is_exact);
    }

    #[test]
    fn the_oldest_recipe_takes_nul_and_marks() {
        let check = |text, expected, is_exact| check_version(CleanVersion::V0, text, expected, is_exact);
        check("a\0b\0c", "abc", false);
        check("a\u{1b}[1m\u{7f}\u{80}\u{9f}\u{200b}c", "a\u{1b}[1m\u{7f}\u{80}\u{9f}\u{200b}c", true);
    }

    #[test]
    fn removed_characters_are_losses_except_byte_order_marks() {
        check("a\0b\u{8}\u{7f}c", "abc", false);
        check("a\u{1b}b\u{80}\u{9f}c", "abc", false);
        check("a\u{200b}b\u{2060}c", "abc", false);
        check("a\u{feff}b\u{feff}", "ab", true);
        check("a\t\r\n\u{b}\u{c}\u{85}é\u{a0}", "a\t\r\n\u{b}\u{c}\u{85}é\u{a0}", true);
        let content = "a\u{200d}bc\u{200f}d\u{efff}\u{fefe}e\u{200c}f\u{2066}g\u{2028}\u{2061}“”";
        check(content, content, true);
        check("", "", true);
    }

    #[test]
    fn soft_hyphens_go_except_at_line_ends() {
        check("Donau\u{ad}dampf\u{ad}schiff", "Donaudampfschiff", true);
        check("exam\u{ad}\nple\u{ad}\r\na\u{ad}", "exam\u{ad}\nple\u{ad}\r\na\u{ad}", true);
        check("a\u{ad}\u{ad}\n", "a\u{ad}\n", true);
        check("a\u{ad} b", "a b", true);
        check("e\u{ad}\u{301}", "e\u{301}", false);
        let code = ControlsStep::new(&CleanOptions::default(), TextKind::Code, UnicodeForm::Nfkc);
        assert!(!code.takes_soft_hyphens && code.takes_controls);
    }

    #[test]
    fn colours_of_a_terminal_go() {
        check("\u{1b}[1;31mred\u{1b}[0m", "red", true);
        check("a\u{1b}[Kb\u{1b}[?25lc", "abc", false);
        check("a\u{1b}]x\u{1b}\nb", "a]x\nb", false);
        check("a\u{1b}[é\u{1b}[", "aé", false);
    }

    #[test]
    fn a_mark_that_kept_an_accent_apart_shows() {
        check("e\u{feff}\u{301}", "e\u{301}", false);
        check("e\u{feff}\u{feff}é", "eé", true);
    }
}
