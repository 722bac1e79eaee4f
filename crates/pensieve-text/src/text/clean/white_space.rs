//! The rules `line_ends`, `blanks` and `blank_lines`: bring white space into the form for the kind of text.
//!
//! A text consists of content and *gaps*, the runs of white space between. A gap is cleaned as a whole, by its own
//! bytes and its position. A gap at the end of the text so far is held back; the part of it that will be removed in
//! any case is removed at once, which bounds its size.

use super::byte_scanner::ByteScanner;
use super::options::CleanOptions;
use super::rules::CleanRule;
use super::shapes;
use super::white_space_kinds::{
    WhiteSpaceKind, WhiteSpaceRuns, is_code_hit, is_data_hit, is_markup_hit, is_prose_hit,
};
use crate::model::{Segment, Span, TextKind};
use crate::text::edits::Edits;
use crate::text::markdown::{self, CodeFence, LineStart};

/// The longest run of blanks in clean text of any kind, which bounds the held text. No wider table was seen.
const MAX_BLANKS: usize = 1 << 20;

/// Maximum consecutive line ends in clean text of any kind, for the same reason.
const MAX_LINE_ENDS: usize = 64 << 10;

/// From this length on, a held gap is shortened.
const MIN_SHORTENED_BYTES: usize = 64 << 10;

/// Whether a gap is before all content or after some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GapPosition {
    Start,
    Middle,
}

/// Cleans the white space of one text.
#[derive(Debug)]
pub(super) struct WhiteSpaceStep {
    kind: TextKind,
    max_line_ends: usize,
    /// True if line ends keep their form.
    keeps_line_ends: bool,
    held: Segment,
    /// True if tables and code in prose keep their columns; whole blocks are held back then.
    keeps_shapes: bool,
    /// True if the beginning of a block that is too long for a shape was returned.
    is_long: bool,
    /// True once some content was returned.
    is_started: bool,
    /// Markup: the open fence.
    fence: Option<CodeFence>,
    /// Markup: true if the current line is indented like code.
    is_indented: bool,
    /// Markup: bytes of the current line that were returned before the current text.
    line_before: usize,
}

impl WhiteSpaceStep {
    pub(super) fn new(options: &CleanOptions, kind: TextKind) -> WhiteSpaceStep {
        let limits = matches!(kind, TextKind::Prose | TextKind::Markup)
            && options.has_rule(CleanRule::BlankLines, kind);
        let max_line_ends = match limits {
            // One line end more than blank lines.
            true => options.max_blank_lines.saturating_add(1).min(MAX_LINE_ENDS),
            false => MAX_LINE_ENDS,
        };
        let kind = options.white_space_kind(kind);
        // Without blank lines there are no blocks in clean text.
        let keeps_shapes =
            kind == TextKind::Prose && max_line_ends > 1 && options.has_rule(CleanRule::Shapes, kind);
        WhiteSpaceStep {
            kind,
            max_line_ends,
            keeps_line_ends: !options.has_rule(CleanRule::LineEnds, kind),
            held: Segment::default(),
            keeps_shapes,
            is_long: false,
            is_started: false,
            fence: None,
            is_indented: false,
            line_before: 0,
        }
    }

    /// Returns the text that is final.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        self.held.append(segment);
        self.settle(false)
    }

    /// Returns the rest of the text.
    pub(super) fn finish(&mut self) -> Segment {
        self.settle(true)
    }

    fn settle(&mut self, is_last: bool) -> Segment {
        let mut all = shortened(std::mem::take(&mut self.held));
        let (shaped, complete) = self.shaped(&all.text, is_last);
        let rest = if complete < all.text.len() { all.split_off(complete) } else { Segment::default() };
        let mut pass = WhiteSpacePass { shaped, ..WhiteSpacePass::new(self, &all.text, is_last) };
        let settled = pass.run();
        let (edits, line_start) = (pass.edits, pass.line_start);
        self.line_before = match line_start {
            Some(start) => settled.saturating_sub(start),
            None => self.line_before + settled,
        };
        self.held = all.split_off(settled);
        self.held.append(rest);
        self.shorten_held();
        edits.apply(all)
    }

    /// The blocks whose shape must stay, and the end of the text in which later text changes nothing.
    fn shaped(&mut self, text: &str, is_last: bool) -> (Vec<Span>, usize) {
        if !self.keeps_shapes {
            return (Vec::new(), text.len());
        }
        let start = match self.is_long {
            true => match shapes::end_of_first_block(text) {
                Some(end) => end,
                None => return (Vec::new(), text.len()),
            },
            false => 0,
        };
        let end = if is_last { text.len() } else { start + shapes::end_of_blocks(&text[start..]) };
        let shaped = shapes::shaped_blocks(&text[..end], start);
        self.is_long = text[end..].trim().len() > shapes::MAX_SHAPED_BYTES;
        // The gap after a block stays whole: other steps may have inserted its white space as one unit.
        (
            shaped,
            if self.is_long {
                text.len()
            } else {
                text[..end].trim_end().len().max(usize::from(is_last) * end)
            },
        )
    }

    /// The number of held bytes.
    #[cfg(test)]
    pub(super) fn held_len(&self) -> usize {
        self.held.text.len()
    }

    /// True if blanks are content, and only line ends form a gap.
    fn keeps_blanks(&self) -> bool {
        self.kind == TextKind::Data || self.fence.is_some()
    }

    /// Shortens a long held gap by the part that will be removed in any case.
    fn shorten_held(&mut self) {
        let text = &self.held.text;
        if text.len() < MIN_SHORTENED_BYTES {
            return;
        }
        let whites = WhiteSpaceRuns::new(self.kind, text, Span::new(0, text.len()));
        let last = whites.clone().filter(|(_, white)| *white != WhiteSpaceKind::Blank).last();
        let last = last.map_or(0, |(span, _)| span.start);
        let is_gap = whites.clone().map(|(span, _)| span.len()).sum::<usize>() == text.len();
        let may_keep_all = self.fence.is_some() || self.is_indented;
        let most = if may_keep_all { MAX_LINE_ENDS } else { self.max_line_ends.max(2) };
        let (mut edits, mut line_ends) = (Edits::default(), 0);
        for (span, white) in whites.filter(|_| is_gap) {
            match white {
                // One blank is enough for a run, and those before the first line end may be a hard break.
                WhiteSpaceKind::Blank if self.kind == TextKind::Prose && span.start > 0 => {
                    edits.blank(span.start, span.end)
                }
                WhiteSpaceKind::Blank if self.kind == TextKind::Prose => {
                    edits.blank(span.start + text.chars().next().map_or(0, char::len_utf8), span.end);
                }
                WhiteSpaceKind::Blank if line_ends > 0 && span.start < last => {
                    edits.blank(span.start, span.end)
                }
                WhiteSpaceKind::Blank => {}
                _ if line_ends >= most && span.start < last => edits.blank(span.start, span.end),
                _ => line_ends += 1,
            }
        }
        let held = std::mem::take(&mut self.held);
        self.held = edits.apply(held);
    }
}

/// One pass over the current text.
struct WhiteSpacePass<'a> {
    state: &'a mut WhiteSpaceStep,
    text: &'a str,
    is_last: bool,
    edits: Edits,
    /// Where the current line begins, if it begins in this text.
    line_start: Option<usize>,
    /// Blocks of prose whose blanks stay inside and at the start of lines.
    shaped: Vec<Span>,
}

impl<'a> WhiteSpacePass<'a> {
    fn new(state: &'a mut WhiteSpaceStep, text: &'a str, is_last: bool) -> WhiteSpacePass<'a> {
        let edits = Edits::default();
        WhiteSpacePass { state, text, is_last, edits, line_start: None, shaped: Vec::new() }
    }

    /// Cleans each gap and returns the end of the final text.
    fn run(&mut self) -> usize {
        match self.state.kind {
            TextKind::Prose => self.run_with(is_prose_hit),
            TextKind::Markup => self.run_with(is_markup_hit),
            TextKind::Code => self.run_with(is_code_hit),
            TextKind::Data => self.run_with(is_data_hit),
        }
    }

    fn run_with(&mut self, flag: impl Fn(u8, u8) -> bool) -> usize {
        let text = self.text;
        let mut hits = ByteScanner::new(text.as_bytes(), flag);
        let mut at = self.gap_end(0);
        let position = if self.state.is_started { GapPosition::Middle } else { GapPosition::Start };
        if at == text.len() {
            return self.end(0, position);
        }
        if (at > 0 || position == GapPosition::Start) && !self.gap(Span::new(0, at), position) {
            return 0;
        }
        self.state.is_started = true;
        while let Some(hit) = hits.next(at) {
            let start = if text.as_bytes()[hit] < 0x80 { hit } else { hit - 1 };
            let first = text[start..].chars().next();
            if let Some(after) = self.after_simple_crlf(hit, at) {
                self.edits.blank(hit, hit + 1);
                at = after;
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
            if !self.gap(gap, GapPosition::Middle) {
                return gap.start;
            }
            at = gap.end;
        }
        self.end(at, GapPosition::Middle)
    }

    /// The fast path for CR LF between two lines of content, by far the most frequent gap of a text with CR LF.
    /// Returns the start of the next line. Markup does not use it, because it must examine each line.
    fn after_simple_crlf(&self, hit: usize, from: usize) -> Option<usize> {
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

    /// Cleans or holds back the gap at the end of the text; everything before `from` is final.
    fn end(&mut self, from: usize, position: GapPosition) -> usize {
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
        // A text keeps the line end of its last line, and no more.
        let most = if position == GapPosition::Start && start == 0 { 0 } else { 1 };
        let after = self.line_start(Span::new(start, len)).unwrap_or(start);
        self.line_ends(Span::new(start, after), most, false);
        self.edits.blank(after, len);
        len
    }

    /// Cleans a gap before content; returns false if more text is needed.
    fn gap(&mut self, gap: Span, position: GapPosition) -> bool {
        let new_line = self.line_start(gap).or((position == GapPosition::Start).then_some(gap.start));
        let (mut most, mut may_break) = (self.state.max_line_ends, false);
        if let Some(start) = new_line.filter(|_| self.state.kind == TextKind::Markup) {
            let head = markdown::line_start(&self.text.as_bytes()[start..], self.is_last);
            if head == LineStart::Open {
                return false;
            }
            let keeps_all = self.state.fence.is_some() || self.state.is_indented;
            self.state.is_indented = markdown::is_indented(&self.text.as_bytes()[start..gap.end]);
            if keeps_all && (self.state.fence.is_some() || self.state.is_indented) {
                most = MAX_LINE_ENDS;
            }
            may_break = position == GapPosition::Middle;
            self.enter_line(gap, start, head);
        }
        let most = if position == GapPosition::Start { 0 } else { most };
        let after = new_line.unwrap_or(gap.start);
        self.line_ends(Span::new(gap.start, after), most, may_break);
        self.blanks(Span::new(after, gap.end), position, new_line.is_some());
        true
    }

    /// Markup: a line begins at `start`, after `gap`.
    fn enter_line(&mut self, gap: Span, start: usize, head: LineStart) {
        let mut line_ends = WhiteSpaceRuns::new(self.state.kind, self.text, Span::new(gap.start, start))
            .filter(|(_, white)| *white != WhiteSpaceKind::Blank);
        // If no blank lines are kept, they must not count, or cleaning clean text would change it.
        let no_blanks = self.state.max_line_ends == 1;
        let is_single = line_ends.next().is_some() && (no_blanks || line_ends.next().is_none());
        let above = match self.line_start {
            _ if !is_single || self.state.fence.is_some() => 0,
            Some(above) => gap.start - above,
            None => self.state.line_before + gap.start,
        };
        self.state.fence = markdown::state_after(self.state.fence, head, above);
        self.line_start = Some(start);
    }

    /// Cleans the line ends of a gap and the blanks before them; keeps the first `max_kept` line ends.
    fn line_ends(&mut self, span: Span, max_kept: usize, may_break: bool) {
        let whites = WhiteSpaceRuns::new(self.state.kind, self.text, span);
        let mut line_ends = whites.clone().filter(|(_, white)| *white != WhiteSpaceKind::Blank);
        let is_single = line_ends.next().is_some_and(|(_, white)| white == WhiteSpaceKind::LineEnd);
        let may_break = may_break && is_single && line_ends.next().is_none();
        let mut kept = 0;
        for (run, white) in whites {
            match white {
                // Two spaces are a hard line break of Markdown (CommonMark 6.7).
                WhiteSpaceKind::Blank if may_break && self.text[run.range()].ends_with("  ") => {
                    self.edits.blank(run.start, run.end - 2);
                }
                WhiteSpaceKind::Blank => self.edits.blank(run.start, run.end),
                _ if kept >= max_kept => self.edits.blank(run.start, run.end),
                _ if self.state.keeps_line_ends => kept += 1,
                WhiteSpaceKind::LineEnd => {
                    kept += 1;
                    self.line_feed(run);
                }
                WhiteSpaceKind::ParagraphEnd => {
                    let feeds = &"\n\n"[..(max_kept - kept).min(2)];
                    kept += feeds.len();
                    self.edits.unit(run.start, run.end, feeds);
                }
            }
        }
    }

    /// A line end becomes a line feed. The LF of CR LF is kept, so that the map has one run for the line.
    fn line_feed(&mut self, run: Span) {
        match &self.text[run.range()] {
            "\n" => {}
            "\r\n" => self.edits.blank(run.start, run.start + 1),
            _ => self.edits.unit(run.start, run.end, "\n"),
        }
    }

    /// Code and data: a page break or vertical tab becomes a space.
    fn odd_blank(&mut self, at: usize) {
        if let Some("\u{b}" | "\u{c}") = self.text.get(at..at + 1) {
            self.edits.unit(at, at + 1, " ");
        }
    }

    /// Cleans blanks before content, at the beginning of a line or inside one.
    fn blanks(&mut self, span: Span, position: GapPosition, begin_line: bool) {
        let text = &self.text[span.range()];
        if self.state.kind != TextKind::Prose {
            return text
                .match_indices(['\u{b}', '\u{c}'])
                .for_each(|(at, _)| self.odd_blank(span.start + at));
        }
        if self.is_shaped(span.start) {
            return;
        }
        let mut rest = span.start;
        if let Some(first) = text.chars().next().filter(|_| !begin_line && position == GapPosition::Middle) {
            rest += first.len_utf8();
            if first != ' ' {
                self.edits.unit(span.start, rest, " ");
            }
        }
        self.edits.blank(rest, span.end);
    }

    /// True if the position is in a block whose shape stays.
    fn is_shaped(&self, at: usize) -> bool {
        let after = self.shaped.partition_point(|block| block.end <= at);
        self.shaped.get(after).is_some_and(|block| block.start <= at)
    }

    fn in_gap(&self, c: Option<char>) -> bool {
        let white = c.and_then(|c| WhiteSpaceKind::of(self.state.kind, c));
        white.is_some_and(|white| white != WhiteSpaceKind::Blank || !self.state.keeps_blanks())
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

    /// Where the line that follows a gap begins; `None` if the gap has no line end.
    fn line_start(&self, gap: Span) -> Option<usize> {
        let is_line_end =
            |c| WhiteSpaceKind::of(self.state.kind, c).is_some_and(|white| white != WhiteSpaceKind::Blank);
        let text = &self.text[gap.range()];
        let at = text.rfind(is_line_end)?;
        Some(gap.start + at + text[at..].chars().next().map_or(0, char::len_utf8))
    }
}

/// The segment with overlong runs of one kind of white space cut to their maximum. Such a run covers one of the probed
/// positions, so that a text without one costs nearly nothing.
fn shortened(segment: Segment) -> Segment {
    let bytes = segment.text.as_bytes();
    let class = |byte: u8| match byte {
        b'\n' => MAX_LINE_ENDS,
        b' ' | b'\t' | 0x0b | 0x0c => MAX_BLANKS,
        _ => 0,
    };
    let mut edits = Edits::default();
    let mut done = 0;
    for probe in (0..bytes.len()).step_by(MAX_LINE_ENDS / 2) {
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
