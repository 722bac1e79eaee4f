//! The rules `controls` and `soft_hyphens`: remove invisible characters that carry no content.
//!
//! In `clean_v0` these are NUL, which truncates values in many programs, and inner byte-order marks. `clean_v1` adds
//! the other control characters (with the rest of a terminal's escape sequences and with letters that are printed over each
//! other), U+200B, U+2060 to U+2064,
//! overrides of direction, and what shows nothing where it stands: joiners between letters that do not join, letters of the tag
//! block outside of flags (UTS #51, ED-14a), a variation selector after another. They part words that a reader sees as one,
//! and carry text that nobody sees.
//! The rule runs before normalisation, so that a letter and its accent are joined even with a stray mark between them;
//! otherwise cleaning clean text would change it again. Later rules handle tabs, line ends and page breaks. Other
//! joiners and bidi marks are content: Persian, Indic scripts and emoji need them. A soft hyphen says where a word may be divided,
//! and hides it from search; only one at the end of a line is needed, by the rule that joins the lines.

use super::byte_scanner::ByteScanner;
use super::options::{CleanOptions, CleanVersion};
use super::rules::CleanRule;
use super::white_space_kinds::WhiteSpaceKind;
use crate::model::{Segment, SpanMap, TextKind};
use crate::text::edits::Edits;
use crate::text::normalize::UnicodeForm;
use std::ops::Range;

const SOFT_HYPHEN: char = '\u{ad}';

/// Parameters of a terminal's control sequence, at most.
// Without a limit, all digits and signs after a broken escape would go.
const MAX_PARAMETER_BYTES: usize = 32;

/// A title or an address for a terminal, at most. So many bytes are held back at the end of a segment; common servers refuse
/// addresses from four times as many on.
const MAX_STRING_BYTES: usize = 2_048;

/// Moves back by a letter: what follows is printed over it.
const BACKSPACE: char = '\u{8}';
const ESCAPE: char = '\u{1b}';

/// Letters of the tag block in a flag, at most: a country and a part of it.
const MAX_FLAG_TAGS: u8 = 6;

/// Removes invisible characters.
#[derive(Debug)]
pub(super) struct ControlsStep {
    form: UnicodeForm,
    /// True for control characters and other invisible ones.
    takes_controls: bool,
    takes_soft_hyphens: bool,
    /// True for NUL and byte-order marks.
    takes_nul: bool,
    /// The kind of text by which later rules tell line ends from blanks.
    white_kind: TextKind,
    /// True if a later rule makes form feeds line ends.
    breaks_at_pages: bool,
    /// What the next characters decide about, at the end of the text so far.
    held: Segment,
    /// The last character that stays.
    before: Option<char>,
    /// The number of letters of the tag block in a flag at the end of the text so far.
    flag_tags: u8,
    /// True if the text so far ends in a removed byte-order mark.
    after_mark: bool,
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
            before: None,
            flag_tags: 0,
            after_mark: false,
            removed: 0,
        }
    }

    /// The text without invisible characters. What the next characters decide about is held back.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        let mut text = std::mem::take(&mut self.held);
        text.append(segment);
        let end = self.decided(&text.text);
        self.held = text.split_off(end);
        self.settle(text)
    }

    /// The end of the text of which no later character decides.
    fn decided(&self, text: &str) -> usize {
        let waits = |c: char| match c {
            SOFT_HYPHEN => self.takes_soft_hyphens,
            // A low line may be printed under the letter after it.
            BACKSPACE | '_' => self.takes_controls,
            _ => is_joiner(c) && self.takes_controls,
        };
        let end = text.trim_end_matches(waits).len();
        let mut at = end.saturating_sub(MAX_STRING_BYTES + 4);
        while let Some(by) =
            memchr::memchr(ESCAPE as u8, &text.as_bytes()[at..end]).filter(|_| self.takes_controls)
        {
            at += by;
            match escape_sequence(&text[at..]) {
                EscapeSequence::Whole(length) if at + length <= end => at += length,
                _ => return at,
            }
        }
        end
    }

    /// What was held back.
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
        let mut at = 0;
        while let Some(hit) = hits.next(at) {
            // Characters of more bytes are found at their second one.
            let start = if bytes[hit] < 0x80 { hit } else { hit - 1 };
            let Some(c) = text[start..].chars().next() else { break };
            self.resume(text, at, start, &mut edits);
            self.pass(&text[at..start]);
            let done = at;
            at = start + c.len_utf8();
            if c == '\u{feff}' && self.takes_nul || c == SOFT_HYPHEN && self.is_idle(&text[at..]) {
                edits.blank(start, at);
                self.after_mark = true;
                continue;
            }
            self.after_mark = false;
            if c == '\0' && self.takes_nul
                || self.takes_controls && (is_removed(c) || self.is_stray(c, &text[at..]))
            {
                let lost = self.lost_with(c, &text[done..], start - done);
                at = done + lost.end;
                edits.loss(done + lost.start, at);
            } else {
                self.pass(&text[start..at]);
            }
        }
        self.resume(text, at, text.len(), &mut edits);
        self.pass(&text[at..]);
        edits
    }

    /// Text stays as it is.
    fn pass(&mut self, text: &str) {
        let Some(last) = text.chars().next_back() else { return };
        self.flag_tags = if is_tag(last) && last != END_OF_FLAG { self.flag_tags + 1 } else { 0 };
        self.before = Some(last);
    }

    /// True for an invisible character that means nothing between the last one that stays and `rest`.
    fn is_stray(&self, c: char, rest: &str) -> bool {
        let joins = |other: Option<char>| other.is_some_and(|other| !is_unjoined(other));
        match c {
            _ if is_joiner(c) => !joins(self.before) && !joins(rest.chars().find(|c| !is_joiner(*c))),
            END_OF_FLAG => self.flag_tags == 0,
            _ if is_tag(c) => {
                !(self.before == Some(BLACK_FLAG) || (1..MAX_FLAG_TAGS).contains(&self.flag_tags))
            }
            _ => is_variation_selector(c) && self.before.is_some_and(is_variation_selector),
        }
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

    /// What goes with a character at `start` of the text after the last change: the rest of an escape sequence, one of two letters that are printed over each
    /// other to make them bold, a low line under a letter (`N\bN`, `_\bN` in the pages of `man`).
    fn lost_with(&self, c: char, text: &str, start: usize) -> Range<usize> {
        let end = start + c.len_utf8();
        match c {
            ESCAPE if self.takes_controls => match escape_sequence(&text[start..]) {
                EscapeSequence::Whole(length) | EscapeSequence::Open(length) => start..start + length,
            },
            BACKSPACE if self.takes_controls => match text[end..].chars().next() {
                Some(next)
                    if self.before == Some(next)
                        || next == '_' && self.before.is_some_and(|c| !c.is_whitespace()) =>
                {
                    start..end + next.len_utf8()
                }
                Some(_) if text[..start].ends_with('_') => start - 1..end,
                _ => start..end,
            },
            _ => start..end,
        }
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

/// A text without control characters and other invisible ones, for texts whose places nobody asks for. Soft hyphens stay.
pub fn without_controls(text: &str) -> String {
    let options = CleanOptions::default();
    let mut step = ControlsStep::new(&options, TextKind::Prose, options.form);
    step.takes_soft_hyphens = false;
    let map = SpanMap::identity(text.len(), 0);
    let mut clean = step.push(Segment { text: text.to_owned(), map, ..Segment::default() });
    clean.append(step.finish());
    clean.text
}

/// What a text that begins with ESC has to do with a terminal, in bytes.
enum EscapeSequence {
    Whole(usize),
    /// More of the text would show whether it is longer.
    Open(usize),
}

/// The escape sequence at the beginning of a text: control sequences such as colours (ECMA-48, 5.4), control strings such as titles and
/// addresses (5.6), character sets (ECMA-35, 14) and private ones that save the cursor. Of anything else it is ESC alone.
fn escape_sequence(text: &str) -> EscapeSequence {
    use EscapeSequence::{Open, Whole};
    let bytes = text.as_bytes();
    let Some(kind) = bytes.get(1) else { return Open(1) };
    let rest = &bytes[2..];
    match kind {
        b'[' => match rest.iter().take(MAX_PARAMETER_BYTES).position(|byte| !(0x20..0x40).contains(byte)) {
            Some(at) => Whole(2 + at + usize::from((0x40..0x7f).contains(&rest[at]))),
            None if rest.len() < MAX_PARAMETER_BYTES => Open(bytes.len()),
            None => Whole(2 + MAX_PARAMETER_BYTES),
        },
        b']' | b'P' | b'X' | b'^' | b'_' => {
            let end = rest.iter().take(MAX_STRING_BYTES).position(|byte| *byte < 0x20);
            match end.map(|at| (at, &rest[at..])) {
                // xterm ends it by BEL, the standard by ESC and a backslash.
                Some((at, [7, ..])) => Whole(3 + at),
                Some((at, [0x1b, b'\\', ..])) => Whole(4 + at),
                Some((_, [0x1b])) => Open(1),
                None if rest.len() < MAX_STRING_BYTES => Open(1),
                _ => Whole(1),
            }
        }
        b'(' | b')' | b'*' | b'+' | b'#' | b'%' => match rest.first() {
            None => Open(1),
            Some(set) if set.is_ascii_alphanumeric() || *set == b'@' => Whole(3),
            Some(_) => Whole(1),
        },
        b'7' | b'8' | b'=' | b'>' => Whole(2),
        _ => Whole(1),
    }
}

/// The emoji before the letters of a flag, and the tag after them.
const BLACK_FLAG: char = '\u{1f3f4}';
const END_OF_FLAG: char = '\u{e007f}';

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_tag(c: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&c)
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// True for characters that neither join their neighbours nor keep apart what would: those of Latin, Greek, Cyrillic, of the
/// scripts of East Asia, and of what is made of them (compatibility characters, which are normalised later), punctuation.
fn is_unjoined(c: char) -> bool {
    matches!(c,
        '\0'..'\u{530}' | '\u{1d00}'..'\u{2190}' | '\u{2460}'..'\u{2500}' | '\u{2c60}'..'\u{2c80}' | '\u{2e80}'..'\u{a4d0}'
        | '\u{a720}'..'\u{a800}' | '\u{ab30}'..'\u{ab70}' | '\u{ac00}'..'\u{fb13}' | '\u{fe10}'..'\u{fe1a}'
        | '\u{fe30}'..'\u{fe70}' | '\u{feff}'..'\u{fff0}' | '\u{1d400}'..'\u{1d800}' | '\u{1f100}'..'\u{1f1e6}'
        | '\u{20000}'..'\u{40000}')
}

/// True for characters that `clean_v1` removes wherever they stand.
pub(super) fn is_removed(c: char) -> bool {
    match c {
        // Tabs, line ends and page breaks belong to later rules.
        '\t'..='\r' | '\u{85}' => false,
        '\u{200b}' | '\u{202d}' | '\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => true,
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
    let is_far = (before == 0xEF) & ((here == 0xBB) | (here == 0xB8)) | (before == 0xF3) & (here == 0xA0);
    is_low | (here == 0x7f) | is_high | is_far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Span;

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
        check("a\u{202e}b\u{2061}c\u{2064}", "abc", false);
        let content = "\u{645}\u{6cc}\u{200c}\u{62e}c\u{200f}d\u{efff}\u{fefe}e\u{915}\u{94d}\u{200d}\u{937}f\u{2066}g\u{2028}“”";
        check(content, content, true);
        check("", "", true);
    }

    #[test]
    fn what_shows_nothing_where_it_stands_goes() {
        check("gar\u{200c}de\u{200d}n", "garden", false);
        check("\u{200d}a\u{200c}", "a", true);
        check("a\u{200d}\u{200c}b", "ab", false);
        let kept = "👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥 \u{645}\u{200c} ab";
        check(kept, kept, true);
        let flag = "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
        check(flag, flag, true);
        check(&format!("a\u{e0041}b{flag}\u{e0041}\u{e007f}"), &format!("ab{flag}"), false);
        check(
            "🏴\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}",
            "🏴\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}",
            true,
        );
        check("☺\u{fe0f}\u{fe00}\u{e0101}a\u{fe0f}", "☺\u{fe0f}a\u{fe0f}", false);
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
    fn escape_sequences_of_a_terminal_go() {
        check("\u{1b}[1;31mred\u{1b}[0m", "red", true);
        check("a\u{1b}[Kb\u{1b}[?25lc", "abc", false);
        check("a\u{1b}]x\u{1b}\nb", "a]x\nb", false);
        check("a\u{1b}[é\u{1b}[", "aé", false);
        // A title, a link, a set of characters, a saved cursor.
        check("\u{1b}]0;~/src\u{7}$ ls", "$ ls", true);
        check("a \u{1b}]8;;http://é.org\u{1b}\\link\u{1b}]8;;\u{1b}\\ b", "a link b", false);
        check("\u{1b}(B\u{1b}[mplain\u{1b}7\u{1b}=", "plain", true);
        check("a\u{1b}b \u{1b}(, \u{1b}P \u{1b}", "ab (, P ", false);
        let long = "x".repeat(MAX_STRING_BYTES);
        let options = CleanOptions::default();
        let mut rule = ControlsStep::new(&options, TextKind::Prose, UnicodeForm::Nfkc);
        let text = format!("\u{1b}]{long}\u{7}");
        let map = SpanMap::identity(text.len(), 0);
        assert_eq!(rule.push(Segment { text, map, ..Segment::default() }).text, format!("]{long}"));
    }

    #[test]
    fn letters_that_are_printed_over_each_other_are_one() {
        check("N\u{8}NA\u{8}A\u{8}A _\u{8}f_\u{8}é", "NA fé", false);
        check("f\u{8}_o\u{8}_ _\u{8}N\u{8}N", "fo N", false);
        check("__init__ a\u{8}b _\u{8}", "__init__ ab _", false);
    }

    #[test]
    fn a_mark_that_kept_an_accent_apart_shows() {
        check("e\u{feff}\u{301}", "e\u{301}", false);
        check("e\u{feff}\u{feff}é", "eé", true);
    }
}
