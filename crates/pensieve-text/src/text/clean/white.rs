//! White space as each kind of text understands it: which characters it is, and which bytes give it away.

use crate::model::{Span, TextKind};

/// What a character of white space is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum White {
    /// Spaces and tabs.
    Blank,
    /// What ends a line.
    LineEnd,
    /// What ends a paragraph: two line ends in one.
    ParagraphEnd,
}

impl White {
    /// What `c` is in a text of this kind; none where it is content.
    pub(super) fn of(kind: TextKind, c: char) -> Option<White> {
        let is_running = matches!(kind, TextKind::Prose | TextKind::Markup);
        match c {
            ' ' | '\t' => Some(White::Blank),
            '\n' | '\r' | '\u{85}' => Some(White::LineEnd),
            // Lines of code and rows of data are not broken where their own readers would not break them: U+2028 may
            // stand in a string, a vertical tab in a cell.
            '\u{b}' | '\u{c}' => Some(if is_running { White::LineEnd } else { White::Blank }),
            '\u{2028}' if is_running => Some(White::LineEnd),
            '\u{2029}' if is_running => Some(White::ParagraphEnd),
            c if kind == TextKind::Prose && c.is_whitespace() => Some(White::Blank),
            _ => None,
        }
    }
}

/// The pieces of a gap: runs of blanks, and line ends one by one.
#[derive(Clone)]
pub(super) struct Whites<'a> {
    kind: TextKind,
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Whites<'a> {
    /// The pieces of `span` of `text`, up to the first that is content.
    pub(super) fn new(kind: TextKind, text: &'a str, span: Span) -> Whites<'a> {
        Whites { kind, text, at: span.start, end: span.end }
    }
}

impl Iterator for Whites<'_> {
    type Item = (Span, White);

    fn next(&mut self) -> Option<(Span, White)> {
        let rest = &self.text[self.at..self.end];
        let first = rest.chars().next()?;
        let white = White::of(self.kind, first)?;
        let len = match white {
            White::Blank => {
                let is_blank = |c| White::of(self.kind, c) == Some(White::Blank);
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

/// Bytes of prose that a rule of white space must look at: two in a row, or an unusual one.
pub(super) fn prose_flag(before: u8, here: u8) -> bool {
    let is_white = |byte| (byte == b' ') | (byte == b'\n');
    is_white(before) & is_white(here) | (here == b'\t') | is_odd_line_end(here) | may_be_space(before, here)
}

/// Each line end of markup: what follows may be a fence.
pub(super) fn markup_flag(before: u8, here: u8) -> bool {
    (b'\n'..=b'\r').contains(&here) | (before == 0xC2) & (here == 0x85) | (before == 0xE2) & (here == 0x80)
}

/// Blanks before a line end, and unusual line ends.
pub(super) fn code_flag(before: u8, here: u8) -> bool {
    let is_blank = (before == b' ') | (before == b'\t');
    is_blank & (here == b'\n') | data_flag(before, here)
}

/// Unusual line ends.
pub(super) fn data_flag(before: u8, here: u8) -> bool {
    is_odd_line_end(here) | (before == 0xC2) & (here == 0x85)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_taken_apart() {
        let text = "x \t\r\n\r\u{85}\u{2029}\u{a0} y";
        let pieces = |kind| {
            let whites = Whites::new(kind, text, Span::new(1, text.len()));
            whites.map(|(span, white)| (span.len(), white)).collect::<Vec<_>>()
        };
        use White::*;
        let start = [(2, Blank), (2, LineEnd), (1, LineEnd), (2, LineEnd)];
        assert_eq!(pieces(TextKind::Code), start);
        assert_eq!(pieces(TextKind::Markup), [&start[..], &[(3, ParagraphEnd)]].concat());
        assert_eq!(pieces(TextKind::Prose), [&start[..], &[(3, ParagraphEnd), (3, Blank)]].concat());
    }

    #[test]
    fn every_white_space_but_the_plain_ones_is_flagged() {
        type Flag = fn(u8, u8) -> bool;
        let flags: [(TextKind, Flag); 4] = [
            (TextKind::Prose, prose_flag),
            (TextKind::Markup, markup_flag),
            (TextKind::Code, code_flag),
            (TextKind::Data, data_flag),
        ];
        for (kind, flag) in flags {
            for c in ('\0'..=char::MAX).filter(|&c| White::of(kind, c).is_some() && !" \t\n".contains(c)) {
                let mut bytes = [b'x'; 5];
                c.encode_utf8(&mut bytes[1..]);
                let hits =
                    (1..1 + c.len_utf8()).filter(|&at| flag(bytes[at - 1], bytes[at])).collect::<Vec<_>>();
                let expected = if c.is_ascii() { 1 } else { 2 };
                assert_eq!(hits, [expected], "{kind:?} {c:?}");
            }
        }
        assert!(prose_flag(b'x', b'\t') && prose_flag(b' ', b' ') && !prose_flag(b'x', b' '));
        assert!(code_flag(b'\t', b'\n') && !code_flag(b' ', b' ') && markup_flag(b'x', b'\n'));
    }
}
