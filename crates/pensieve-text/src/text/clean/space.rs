//! The rule `white_space`: line ends, runs of blanks, blank lines, as the kind of text wants them.
//!
//! The rule sees a text as content and *gaps*, the runs of white space between. A gap is settled as a whole, from its
//! own bytes and from where it stands; an open gap at the end of what is known is held back, as a text of its own
//! that shrinks while it grows: nothing of it is kept that would go anyway.

use super::flags::Flags;
use super::white::{White, Whites, code_flag, data_flag, markup_flag, prose_flag};
use super::{CleanOptions, CleanRule};
use crate::model::{Segment, Span, TextKind};
use crate::text::edits::Edits;
use crate::text::fences::{self, CodeFence, LineStart};

/// No run of blanks is longer than this in clean text, whatever the kind: without an end, what is held back would have
/// none. Wider tables than this were not met.
const MOST_BLANKS: usize = 1 << 20;

/// No more line ends than this follow each other, whatever the kind, for the same reason.
const MOST_LINE_ENDS: usize = 64 << 10;

/// A gap that is held back is tidied when it gets longer than this.
const TIDY_FROM: usize = 64 << 10;

/// Where a gap stands: before all content, or behind some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Middle,
}

/// Sets the white space of one text in order.
#[derive(Debug)]
pub(super) struct Space {
    kind: TextKind,
    max_line_ends: usize,
    /// Line ends stay what they are.
    keeps_line_ends: bool,
    held: Segment,
    /// True when some content was passed on.
    is_started: bool,
    /// Markup: the fence that is open.
    fence: Option<CodeFence>,
    /// Markup: the line at hand is indented like code.
    is_indented: bool,
    /// Markup: how much of the line at hand was passed on before the text at hand.
    line_before: usize,
}

impl Space {
    pub(super) fn new(options: &CleanOptions, kind: TextKind) -> Space {
        let limits =
            matches!(kind, TextKind::Prose | TextKind::Markup) && options.works(CleanRule::BlankLines, kind);
        let max_line_ends = match limits {
            true => options.max_blank_lines.saturating_add(1).min(MOST_LINE_ENDS),
            false => MOST_LINE_ENDS,
        };
        // In data blanks are content.
        let kind = if options.works(CleanRule::Blanks, kind) { kind } else { TextKind::Data };
        Space {
            kind,
            max_line_ends,
            keeps_line_ends: !options.works(CleanRule::LineEnds, kind),
            held: Segment::default(),
            is_started: false,
            fence: None,
            is_indented: false,
            line_before: 0,
        }
    }

    /// The text that is settled by now.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        self.held.append(segment);
        self.settle(false)
    }

    /// The rest.
    pub(super) fn finish(&mut self) -> Segment {
        self.settle(true)
    }

    fn settle(&mut self, is_last: bool) -> Segment {
        let mut all = shortened(std::mem::take(&mut self.held));
        let mut pass = Pass::new(self, &all.text, is_last);
        let settled = pass.run();
        let (edits, line_start) = (pass.edits, pass.line_start);
        self.line_before = match line_start {
            Some(start) => settled.saturating_sub(start),
            None => self.line_before + settled,
        };
        self.held = all.split_off(settled);
        self.tidy();
        edits.apply(all)
    }

    /// How much is held back.
    #[cfg(test)]
    pub(super) fn held_len(&self) -> usize {
        self.held.text.len()
    }

    /// True where blanks are content, and only line ends make a gap.
    fn keeps_blanks(&self) -> bool {
        self.kind == TextKind::Data || self.fence.is_some()
    }

    /// Shrinks a long gap that is held back by what goes in any case.
    fn tidy(&mut self) {
        let text = &self.held.text;
        if text.len() < TIDY_FROM {
            return;
        }
        let whites = Whites::new(self.kind, text, Span::new(0, text.len()));
        let last = whites.clone().filter(|(_, white)| *white != White::Blank).last();
        let last = last.map_or(0, |(span, _)| span.start);
        let is_gap = whites.clone().map(|(span, _)| span.len()).sum::<usize>() == text.len();
        let may_keep_all = self.fence.is_some() || self.is_indented;
        let most = if may_keep_all { MOST_LINE_ENDS } else { self.max_line_ends.max(2) };
        let (mut edits, mut line_ends) = (Edits::default(), 0);
        for (span, white) in whites.filter(|_| is_gap) {
            match white {
                // The first blank stands for all, and those before the first line end may be a hard break.
                White::Blank if self.kind == TextKind::Prose && span.start > 0 => {
                    edits.blank(span.start, span.end)
                }
                White::Blank if self.kind == TextKind::Prose => {
                    edits.blank(span.start + text.chars().next().map_or(0, char::len_utf8), span.end);
                }
                White::Blank if line_ends > 0 && span.start < last => edits.blank(span.start, span.end),
                White::Blank => {}
                _ if line_ends >= most && span.start < last => edits.blank(span.start, span.end),
                _ => line_ends += 1,
            }
        }
        let held = std::mem::take(&mut self.held);
        self.held = edits.apply(held);
    }
}

/// One pass over the text at hand.
struct Pass<'a> {
    state: &'a mut Space,
    text: &'a str,
    is_last: bool,
    edits: Edits,
    /// Where the line at hand begins, if it begins in this text.
    line_start: Option<usize>,
}

impl<'a> Pass<'a> {
    fn new(state: &'a mut Space, text: &'a str, is_last: bool) -> Pass<'a> {
        Pass { state, text, is_last, edits: Edits::default(), line_start: None }
    }

    /// Settles gap after gap and gives the end of the text that is settled.
    fn run(&mut self) -> usize {
        match self.state.kind {
            TextKind::Prose => self.run_with(prose_flag),
            TextKind::Markup => self.run_with(markup_flag),
            TextKind::Code => self.run_with(code_flag),
            TextKind::Data => self.run_with(data_flag),
        }
    }

    fn run_with(&mut self, flag: impl Fn(u8, u8) -> bool) -> usize {
        let text = self.text;
        let mut flags = Flags::new(text.as_bytes(), flag);
        let mut at = self.gap_end(0);
        let place = if self.state.is_started { Place::Middle } else { Place::Start };
        if at == text.len() {
            return self.end(0, place);
        }
        if (at > 0 || place == Place::Start) && !self.gap(Span::new(0, at), place) {
            return 0;
        }
        self.state.is_started = true;
        while let Some(hit) = flags.next(at) {
            let start = if text.as_bytes()[hit] < 0x80 { hit } else { hit - 1 };
            let first = text[start..].chars().next();
            if let Some(behind) = self.lone_crlf(hit, at) {
                self.edits.blank(hit, hit + 1);
                at = behind;
                continue;
            }
            if !self.in_gap(first) {
                at = start + first.map_or(1, char::len_utf8);
                self.odd_blank(start);
                continue;
            }
            let gap = Span::new(self.gap_start(start, at), self.gap_end(start));
            if gap.end == text.len() {
                break;
            }
            if !self.gap(gap, Place::Middle) {
                return gap.start;
            }
            at = gap.end;
        }
        self.end(at, Place::Middle)
    }

    /// CR LF between two lines of content, by far the most frequent gap of a text that has any: where what follows
    /// begins. Markup looks at each line.
    fn lone_crlf(&self, hit: usize, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        if self.state.kind == TextKind::Markup
            || self.state.keeps_line_ends
            || !bytes[hit..].starts_with(b"\r\n")
            || hit == from
        {
            return None;
        }
        let indent = match self.state.kind {
            TextKind::Prose => 0,
            _ => bytes[hit + 2..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count(),
        };
        let is_content = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_graphic);
        (is_content(hit - 1) && is_content(hit + 2 + indent)).then_some(hit + 2)
    }

    /// Settles or holds back the gap that ends the text; all before `from` is settled.
    fn end(&mut self, from: usize, place: Place) -> usize {
        let len = self.text.len();
        let mut start = len;
        if self.state.keeps_blanks() {
            start = from + self.text[from..].trim_end_matches([' ', '\t']).len();
            if self.is_last && start < len {
                return len;
            }
        }
        let start = self.gap_start(start, from);
        if !self.is_last {
            return start;
        }
        let most = if place == Place::Start && start == 0 { 0 } else { 1 };
        let behind = self.line_start(Span::new(start, len)).unwrap_or(start);
        self.line_ends(Span::new(start, behind), most, false);
        self.edits.blank(behind, len);
        len
    }

    /// Settles a gap before content. False: more text is needed.
    fn gap(&mut self, gap: Span, place: Place) -> bool {
        let new_line = self.line_start(gap).or((place == Place::Start).then_some(gap.start));
        let (mut most, mut may_break) = (self.state.max_line_ends, false);
        if let Some(start) = new_line.filter(|_| self.state.kind == TextKind::Markup) {
            let head = fences::head(&self.text.as_bytes()[start..], self.is_last);
            if head == LineStart::Open {
                return false;
            }
            let keeps_all = self.state.fence.is_some() || self.state.is_indented;
            self.state.is_indented = fences::is_indented(&self.text.as_bytes()[start..gap.end]);
            if keeps_all && (self.state.fence.is_some() || self.state.is_indented) {
                most = MOST_LINE_ENDS;
            }
            may_break = place == Place::Middle;
            self.enter_line(gap, start, head);
        }
        let most = if place == Place::Start { 0 } else { most };
        let behind = new_line.unwrap_or(gap.start);
        self.line_ends(Span::new(gap.start, behind), most, may_break);
        self.blanks(Span::new(behind, gap.end), place, new_line.is_some());
        true
    }

    /// Markup: a line begins at `start`, behind `gap`.
    fn enter_line(&mut self, gap: Span, start: usize, head: LineStart) {
        let mut line_ends = Whites::new(self.state.kind, self.text, Span::new(gap.start, start))
            .filter(|(_, white)| *white != White::Blank);
        // Where no blank line stays, none can tell either, or cleaning twice would not be cleaning once.
        let no_blanks = self.state.max_line_ends == 1;
        let is_single = line_ends.next().is_some() && (no_blanks || line_ends.next().is_none());
        let above = match self.line_start {
            _ if !is_single || self.state.fence.is_some() => 0,
            Some(above) => gap.start - above,
            None => self.state.line_before + gap.start,
        };
        self.state.fence = fences::after(self.state.fence, head, above);
        self.line_start = Some(start);
    }

    /// Settles the line ends of a gap and the blanks before them: the first `most` stay.
    fn line_ends(&mut self, span: Span, most: usize, may_break: bool) {
        let whites = Whites::new(self.state.kind, self.text, span);
        let mut line_ends = whites.clone().filter(|(_, white)| *white != White::Blank);
        let is_single = line_ends.next().is_some_and(|(_, white)| white == White::LineEnd);
        let may_break = may_break && is_single && line_ends.next().is_none();
        let mut kept = 0;
        for (piece, white) in whites {
            match white {
                White::Blank if may_break && self.text[piece.range()].ends_with("  ") => {
                    self.edits.blank(piece.start, piece.end - 2);
                }
                White::Blank => self.edits.blank(piece.start, piece.end),
                _ if kept >= most => self.edits.blank(piece.start, piece.end),
                _ if self.state.keeps_line_ends => kept += 1,
                White::LineEnd => {
                    kept += 1;
                    self.line_feed(piece);
                }
                White::ParagraphEnd => {
                    let feeds = &"\n\n"[..(most - kept).min(2)];
                    kept += feeds.len();
                    self.edits.unit(piece.start, piece.end, feeds);
                }
            }
        }
    }

    /// A line end becomes a line feed. Of CR LF the LF is kept as it is, so that the line goes on as one copy.
    fn line_feed(&mut self, piece: Span) {
        match &self.text[piece.range()] {
            "\n" => {}
            "\r\n" => self.edits.blank(piece.start, piece.start + 1),
            _ => self.edits.unit(piece.start, piece.end, "\n"),
        }
    }

    /// Code and data: a page break or vertical tab becomes a space.
    fn odd_blank(&mut self, at: usize) {
        if let Some("\u{b}" | "\u{c}") = self.text.get(at..at + 1) {
            self.edits.unit(at, at + 1, " ");
        }
    }

    /// Settles blanks before content, which begin a line or stand inside one.
    fn blanks(&mut self, span: Span, place: Place, begin_line: bool) {
        let text = &self.text[span.range()];
        if self.state.kind != TextKind::Prose {
            return text
                .match_indices(['\u{b}', '\u{c}'])
                .for_each(|(at, _)| self.odd_blank(span.start + at));
        }
        let mut rest = span.start;
        if let Some(first) = text.chars().next().filter(|_| !begin_line && place == Place::Middle) {
            rest += first.len_utf8();
            if first != ' ' {
                self.edits.unit(span.start, rest, " ");
            }
        }
        self.edits.blank(rest, span.end);
    }

    fn in_gap(&self, c: Option<char>) -> bool {
        let white = c.and_then(|c| White::of(self.state.kind, c));
        white.is_some_and(|white| white != White::Blank || !self.state.keeps_blanks())
    }

    /// The start of the gap that ends at `end`, not before `from`.
    fn gap_start(&self, end: usize, from: usize) -> usize {
        let before = &self.text[from..end];
        from + before.trim_end_matches(|c| self.in_gap(Some(c))).len()
    }

    /// The end of the gap that starts at `start`.
    fn gap_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        self.text.len() - rest.trim_start_matches(|c| self.in_gap(Some(c))).len()
    }

    /// Where the line that follows a gap begins; none where the gap has no line end.
    fn line_start(&self, gap: Span) -> Option<usize> {
        let is_line_end = |c| White::of(self.state.kind, c).is_some_and(|white| white != White::Blank);
        let text = &self.text[gap.range()];
        let at = text.rfind(is_line_end)?;
        Some(gap.start + at + text[at..].chars().next().map_or(0, char::len_utf8))
    }
}

/// The segment without what is too long of a run of one kind of white space. A run that long holds one of the places
/// that are looked at, so that this costs nothing where there is none.
fn shortened(segment: Segment) -> Segment {
    let bytes = segment.text.as_bytes();
    let class = |byte: u8| match byte {
        b'\n' => MOST_LINE_ENDS,
        b' ' | b'\t' | 0x0b | 0x0c => MOST_BLANKS,
        _ => 0,
    };
    let mut edits = Edits::default();
    let mut done = 0;
    for probe in (0..bytes.len()).step_by(MOST_LINE_ENDS / 2) {
        let most = class(bytes[probe]);
        if bytes.len() <= most || most == 0 || probe < done {
            continue;
        }
        let start = probe - bytes[done..probe].iter().rev().take_while(|&&byte| class(byte) == most).count();
        let end = probe + bytes[probe..].iter().take_while(|&&byte| class(byte) == most).count();
        if end - start > most {
            edits.blank(start + most, end);
        }
        done = end;
    }
    edits.apply(segment)
}
