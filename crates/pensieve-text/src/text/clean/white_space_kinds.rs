//! White space by kind of text: the characters that count as white space, and the bytes by which they are found.

use crate::model::{Span, TextKind};

/// The kind of a white space character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhiteSpaceKind {
    /// Spaces and tabs.
    Blank,
    /// A line end.
    LineEnd,
    /// The end of a paragraph, which counts as two line ends.
    ParagraphEnd,
}

impl WhiteSpaceKind {
    /// The kind of `c` in a text of this kind; `None` if it is content.
    pub(super) fn of(kind: TextKind, c: char) -> Option<WhiteSpaceKind> {
        let is_running = matches!(kind, TextKind::Prose | TextKind::Markup);
        match c {
            ' ' | '\t' => Some(WhiteSpaceKind::Blank),
            // NEL is a line end too (UAX 14).
            '\n' | '\r' | '\u{85}' => Some(WhiteSpaceKind::LineEnd),
            // Code and data are broken only where compilers and parsers break them: U+2028 may be part of a string, a
            // vertical tab part of a cell.
            '\u{b}' | '\u{c}' => {
                Some(if is_running { WhiteSpaceKind::LineEnd } else { WhiteSpaceKind::Blank })
            }
            '\u{2028}' if is_running => Some(WhiteSpaceKind::LineEnd),
            '\u{2029}' if is_running => Some(WhiteSpaceKind::ParagraphEnd),
            // Spaces of other widths mean nothing in running text; in markup and code they may.
            c if kind == TextKind::Prose && c.is_whitespace() => Some(WhiteSpaceKind::Blank),
            _ => None,
        }
    }
}

/// Iterates over the white space of a gap: runs of blanks, and single line ends.
#[derive(Clone)]
pub(super) struct WhiteSpaceRuns<'a> {
    kind: TextKind,
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> WhiteSpaceRuns<'a> {
    /// The white space of `span` of `text`, up to the first content.
    pub(super) fn new(kind: TextKind, text: &'a str, span: Span) -> WhiteSpaceRuns<'a> {
        WhiteSpaceRuns { kind, text, at: span.start, end: span.end }
    }
}

impl Iterator for WhiteSpaceRuns<'_> {
    type Item = (Span, WhiteSpaceKind);

    fn next(&mut self) -> Option<(Span, WhiteSpaceKind)> {
        let rest = &self.text[self.at..self.end];
        let first = rest.chars().next()?;
        let white = WhiteSpaceKind::of(self.kind, first)?;
        let len = match white {
            WhiteSpaceKind::Blank => {
                let is_blank = |c| WhiteSpaceKind::of(self.kind, c) == Some(WhiteSpaceKind::Blank);
                rest.len() - rest.trim_start_matches(is_blank).len()
            }
            _ if rest.starts_with("\r\n") => 2,
            _ => first.len_utf8(),
        };
        let span = Span::new(self.at, self.at + len);
        self.at = span.end;
        Some((span, white))
    }
}

/// Pairs that may begin a Unicode space: NEL, no-break space, ogham, the spaces and separators of U+2000, U+3000.
fn may_be_space(before: u8, here: u8) -> bool {
    (before == 0xC2) & ((here == 0x85) | (here == 0xA0))
        | (before == 0xE1) & (here == 0x9A)
        | (before == 0xE2) & ((here == 0x80) | (here == 0x81))
        | (before == 0xE3) & (here == 0x80)
}

fn is_odd_line_end(here: u8) -> bool {
    (0x0b..=b'\r').contains(&here)
}

/// Bytes of prose that the rule must examine: two white space characters in a row, or an unusual one.
pub(super) fn is_prose_hit(before: u8, here: u8) -> bool {
    let is_white = |byte| (byte == b' ') | (byte == b'\n');
    is_white(before) & is_white(here) | (here == b'\t') | is_odd_line_end(here) | may_be_space(before, here)
}

/// Each line end of markup, since a fence may follow.
pub(super) fn is_markup_hit(before: u8, here: u8) -> bool {
    (b'\n'..=b'\r').contains(&here) | (before == 0xC2) & (here == 0x85) | (before == 0xE2) & (here == 0x80)
}

/// Blanks before a line end, and unusual line ends.
pub(super) fn is_code_hit(before: u8, here: u8) -> bool {
    let is_blank = (before == b' ') | (before == b'\t');
    is_blank & (here == b'\n') | is_data_hit(before, here)
}

/// Unusual line ends.
pub(super) fn is_data_hit(before: u8, here: u8) -> bool {
    is_odd_line_end(here) | (before == 0xC2) & (here == 0x85)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_divided_into_runs_and_line_ends() {
        let text = "x \t\r\n\r\u{85}\u{2029}\u{a0} y";
        let pieces = |kind| {
            let whites = WhiteSpaceRuns::new(kind, text, Span::new(1, text.len()));
            whites.map(|(span, white)| (span.len(), white)).collect::<Vec<_>>()
        };
        use WhiteSpaceKind::*;
        let start = [(2, Blank), (2, LineEnd), (1, LineEnd), (2, LineEnd)];
        assert_eq!(pieces(TextKind::Code), start);
        assert_eq!(pieces(TextKind::Markup), [&start[..], &[(3, ParagraphEnd)]].concat());
        assert_eq!(pieces(TextKind::Prose), [&start[..], &[(3, ParagraphEnd), (3, Blank)]].concat());
    }

    #[test]
    fn every_white_space_but_the_plain_ones_is_flagged() {
        type HitTest = fn(u8, u8) -> bool;
        let flags: [(TextKind, HitTest); 4] = [
            (TextKind::Prose, is_prose_hit),
            (TextKind::Markup, is_markup_hit),
            (TextKind::Code, is_code_hit),
            (TextKind::Data, is_data_hit),
        ];
        for (kind, flag) in flags {
            for c in
                ('\0'..=char::MAX).filter(|&c| WhiteSpaceKind::of(kind, c).is_some() && !" \t\n".contains(c))
            {
                let mut bytes = [b'x'; 5];
                c.encode_utf8(&mut bytes[1..]);
                let hits =
                    (1..1 + c.len_utf8()).filter(|&at| flag(bytes[at - 1], bytes[at])).collect::<Vec<_>>();
                let expected = if c.is_ascii() { 1 } else { 2 };
                assert_eq!(hits, [expected], "{kind:?} {c:?}");
            }
        }
        assert!(is_prose_hit(b'x', b'\t') && is_prose_hit(b' ', b' ') && !is_prose_hit(b'x', b' '));
        assert!(is_code_hit(b'\t', b'\n') && !is_code_hit(b' ', b' ') && is_markup_hit(b'x', b'\n'));
    }
}
