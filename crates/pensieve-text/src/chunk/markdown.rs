//! Markdown by lines: headings, fences, tables, lists, quotes, paragraphs.
//!
//! A scanner of lines, not a parser: it needs to know where blocks begin and what they are, never what is nested in
//! what, and so it is linear on any input. What is open at the end of a segment goes on in the next.

use super::boundary::Rank;
use super::chapters::Chapters;
use super::heading::Headings;
use super::lines::{Line, lines};
use super::outline::{Held, Marker, Outline};
use super::recursive::mark_paragraph;
use super::shape::{atx, is_delimiter, is_empty_quote, is_item, is_rule, underline};
use crate::model::Span;
use crate::text::fences::{FencePosition, FenceTracker};
use crate::text::tokens::TokenCounter;

/// Lines of front matter at most.
const FRONT_LINES: usize = 400;

/// What is carried from segment to segment.
#[derive(Debug, Default)]
pub(super) struct State {
    headings: Headings,
    /// A fence is open.
    fence: Option<FenceTracker>,
    /// A table goes on; with its header, if that is short enough.
    table: Option<Option<String>>,
    is_begun: bool,
}

/// What a block is, as far as its neighbours care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading(usize),
    Fence,
    Table,
    Item,
    Quote,
    Rule,
    Paragraph,
}

/// The outline of Markdown; `room` is how many tokens a table's header may have as context.
pub(super) fn outline(
    marker: Marker<'_>,
    chapters: &Chapters<'_>,
    state: &mut State,
    counter: &mut TokenCounter,
    room: usize,
) -> Outline {
    let text = marker.text();
    let lines = lines(text, Span::new(0, text.len()));
    let paths = vec![(0, state.headings.path())];
    let mut scan = Scan {
        text,
        lines: &lines,
        marker,
        chapters,
        state,
        counter,
        room,
        above: None,
        held: Vec::new(),
        paths,
        run: 1,
    };
    let mut next = scan.resume();
    while next < lines.len() {
        next = scan.block(next);
    }
    let Scan { marker, held, paths, .. } = scan;
    Outline { marks: marker.finish(), held, paths }
}

struct Scan<'a, 's> {
    text: &'a str,
    lines: &'s [Line],
    marker: Marker<'a>,
    chapters: &'s Chapters<'s>,
    state: &'s mut State,
    counter: &'s mut TokenCounter,
    room: usize,
    /// The block above and its last line.
    above: Option<(Kind, usize)>,
    held: Vec<Held>,
    paths: Vec<(usize, Option<String>)>,
    /// First of `paths` of the headings that follow each other downwards without text between.
    run: usize,
}

impl<'a> Scan<'a, '_> {
    fn words(&self, line: usize) -> &'a str {
        self.lines[line].words(self.text)
    }

    /// Goes on with what was open at the end of the segment before, or with the front matter of a document.
    fn resume(&mut self) -> usize {
        if let Some(fence) = self.state.fence {
            return self.fence_body(0, 0, fence);
        }
        if let Some(context) = self.state.table.take() {
            return self.table_rows(0, 0, context);
        }
        let Some(first) = self.lines.iter().position(|line| !line.is_blank()) else {
            return self.lines.len();
        };
        let is_begun = std::mem::replace(&mut self.state.is_begun, true);
        let mark = self.words(first);
        if is_begun || !matches!(mark, "---" | "+++") {
            return first;
        }
        let body = &self.lines[first + 1..(first + FRONT_LINES).min(self.lines.len())];
        let close =
            |line: &Line| line.words(self.text) == mark || (mark == "---" && line.words(self.text) == "...");
        match body.iter().position(close) {
            Some(by) => self.hold(first, first + by + 2, Kind::Fence),
            None => first,
        }
    }

    /// Reads one block, or a blank line; gives the line behind.
    fn block(&mut self, at: usize) -> usize {
        let line = self.lines[at];
        let words = self.words(at);
        if line.is_blank() {
            return at + 1;
        }
        if let Some((level, markup)) = self.heading_at(at) {
            let is_atx = words.starts_with('#') && atx(&line, self.text).is_some();
            return self.heading(at, level, markup, if is_atx { 1 } else { 2 });
        }
        self.begin_sections(at);
        if let Some(fence) = self.fence_at(at) {
            let kind = if is_item(words) { Kind::Item } else { Kind::Fence };
            self.mark(at, kind);
            let next = self.fence_body(at, at + 1, fence);
            self.above = Some((kind, next - 1));
            return next;
        }
        if self.is_table_at(at) {
            return self.table(at);
        }
        if is_rule(words) {
            self.mark(at, Kind::Rule);
            self.above = Some((Kind::Rule, at));
            return at + 1;
        }
        if line.indent >= 4 && !self.is_in_list() && self.above.is_none_or(|(_, last)| last + 1 < at) {
            return self.indented(at);
        }
        let kind = if is_item(words) || (self.is_in_list() && line.indent >= 2) {
            Kind::Item
        } else if words.starts_with('>') {
            Kind::Quote
        } else {
            Kind::Paragraph
        };
        self.running(at, kind)
    }

    /// Sections that begin at a line without a heading.
    fn begin_sections(&mut self, at: usize) {
        let start = self.lines[at].start;
        let end = self.lines.get(at + 1).map_or(self.text.len(), |line| line.start);
        let sections = self.chapters.sections_in(start, end);
        if sections.is_empty() {
            return;
        }
        sections.iter().for_each(|found| self.state.headings.enter_words(found.level, &found.label));
        self.run = self.paths.len();
        self.paths.push((start, self.state.headings.path()));
    }

    fn is_in_list(&self) -> bool {
        matches!(self.above, Some((Kind::Item, _)))
    }

    /// The fence that a line opens, perhaps behind the marks of a quote or an item.
    fn fence_at(&self, at: usize) -> Option<FenceTracker> {
        let line = |at: usize| &self.text[self.lines[at].start..self.lines[at].end];
        let mut fences = FenceTracker::default();
        // An underline of tildes is told by the line above.
        if at > 0 && self.above.is_none_or(|(kind, last)| last + 1 < at || kind == Kind::Paragraph) {
            fences.read(line(at - 1));
        }
        let was_open = fences.is_open();
        (!was_open && fences.read(line(at)) == FencePosition::Opens).then_some(fences)
    }

    fn heading_at(&self, at: usize) -> Option<(usize, &'a str)> {
        let line = &self.lines[at];
        if let Some(heading) = atx(line, self.text) {
            return Some(heading);
        }
        let words = self.words(at);
        let level = underline(self.lines.get(at + 1)?, self.text)?;
        let is_text = line.indent <= 3 && !words.starts_with('>') && !is_item(words) && !is_rule(words);
        let starts_block =
            self.above.is_none_or(|(kind, last)| last + 1 < at || matches!(kind, Kind::Heading(_)));
        (is_text && starts_block && self.fence_at(at).is_none()).then_some((level, words))
    }

    fn heading(&mut self, at: usize, level: usize, markup: &str, lines: usize) -> usize {
        self.mark(at, Kind::Heading(level));
        let (start, end) =
            (self.lines[at].start, self.lines.get(at + 1).map_or(self.text.len(), |line| line.start));
        // The contents have a word for it.
        let sections = self.chapters.sections_in(start, end);
        match sections.is_empty() {
            false => {
                sections.iter().for_each(|found| self.state.headings.enter_words(found.level, &found.label))
            }
            true => self.state.headings.enter(level, markup),
        }
        let path = self.state.headings.path();
        let goes_down = matches!(self.above, Some((Kind::Heading(above), _)) if above < level)
            && !self.chapters.is_cut(start);
        if !goes_down {
            self.run = self.paths.len();
        }
        for (_, above) in &mut self.paths[self.run..] {
            above.clone_from(&path);
        }
        self.paths.push((self.lines[at].start, path));
        self.above = Some((Kind::Heading(level), at + lines - 1));
        at + lines
    }

    /// Reads lines until the fence closes; `opening` is where the block started.
    fn fence_body(&mut self, opening: usize, from: usize, mut fence: FenceTracker) -> usize {
        let closing = (from..self.lines.len()).find(|&line| {
            let line = &self.lines[line];
            fence.read(&self.text[line.start..line.end]) == FencePosition::Closes
        });
        self.state.fence = closing.is_none().then_some(fence);
        let end = closing.map_or(self.lines.len(), |line| line + 1);
        self.hold_lines(opening, end, Kind::Fence, closing)
    }

    /// Keeps lines whole as one block.
    fn hold(&mut self, from: usize, end: usize, kind: Kind) -> usize {
        self.mark(from, kind);
        self.hold_lines(from, end, kind, Some(end - 1))
    }

    /// Keeps lines whole; a cut may fall between those that are neither the first two nor the closing one.
    fn hold_lines(&mut self, from: usize, end: usize, kind: Kind, closing: Option<usize>) -> usize {
        if from == end {
            return end;
        }
        for line in from + 2..closing.unwrap_or(end) {
            if !self.lines[line].is_blank() {
                let rank = if self.lines[line - 1].is_blank() { Rank::HeldBlank } else { Rank::Held };
                self.marker.mark(self.lines[line].start, rank, false);
            }
        }
        self.hold_span(from, end, None);
        self.above = Some((kind, end - 1));
        end
    }

    fn hold_span(&mut self, from: usize, end: usize, context: Option<String>) {
        let span = Span::new(self.lines[from].start, self.lines[end - 1].end.max(self.lines[from].start));
        self.held.push(Held { span, context });
    }

    /// A block of lines indented by four: code.
    fn indented(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        for line in at + 1..self.lines.len() {
            match &self.lines[line] {
                line if line.is_blank() => {}
                line if line.indent < 4 => break,
                _ => end = line + 1,
            }
        }
        self.hold(at, end, Kind::Fence)
    }

    fn is_table_at(&self, at: usize) -> bool {
        at + 1 < self.lines.len() && is_delimiter(self.words(at + 1)) && self.words(at).contains('|')
    }

    fn table(&mut self, at: usize) -> usize {
        self.mark(at, Kind::Table);
        let header = &self.text[self.lines[at].words..self.lines[at + 1].end];
        let is_short = header.len() <= self.room * 16 && self.counter.count(header) <= self.room;
        self.hold_span(at, at + 2, None);
        self.table_rows(at + 2, at + 3, is_short.then(|| header.to_owned()))
    }

    /// Reads the rows of a table from `at` on; a cut may fall before rows from `cuttable` on.
    fn table_rows(&mut self, at: usize, cuttable: usize, context: Option<String>) -> usize {
        let is_row = |line: &Line| !line.is_blank() && line.words(self.text).contains('|');
        let end = at + self.lines[at..].iter().take_while(|line| is_row(line)).count();
        for line in cuttable.max(1)..end {
            self.marker.mark(self.lines[line].start, Rank::Held, true);
        }
        if end == self.lines.len() {
            self.state.table = Some(context.clone());
        }
        if at < end {
            self.hold_span(at, end, context);
        }
        if end > 0 {
            self.above = Some((Kind::Table, end - 1));
        }
        end
    }

    /// A paragraph, quote or list item: running text up to the next block.
    fn running(&mut self, at: usize, kind: Kind) -> usize {
        self.mark(at, kind);
        let mut end = at + 1;
        while end < self.lines.len() && !self.starts_block(end, kind) {
            end += 1;
        }
        let mut from = at;
        for line in at + 1..end {
            if kind == Kind::Quote && is_empty_quote(self.words(line)) {
                mark_paragraph(&mut self.marker, &self.lines[from..line]);
                self.marker.mark(self.lines[line].start, Rank::Item, false);
                from = line;
            }
        }
        mark_paragraph(&mut self.marker, &self.lines[from..end]);
        self.above = Some((kind, end - 1));
        end
    }

    /// True when running text of a kind ends before a line.
    fn starts_block(&self, at: usize, kind: Kind) -> bool {
        let words = self.words(at);
        match words.as_bytes().first() {
            None => true,
            Some(b'#') if atx(&self.lines[at], self.text).is_some() => true,
            Some(b'`' | b'~' | b'>' | b'-' | b'*' | b'+' | b'0'..=b'9') if self.fence_at(at).is_some() => {
                true
            }
            Some(b'>') => kind != Kind::Quote,
            Some(b'-' | b'*' | b'_' | b'+' | b'0'..=b'9') if is_rule(words) || is_item(words) => true,
            _ => self.is_table_at(at),
        }
    }

    /// Marks the start of a block, by what it is and what stands above.
    fn mark(&mut self, at: usize, kind: Kind) {
        let Some((above, last)) = self.above else { return };
        let is_apart = last + 1 < at;
        let introduces = self.words(last).ends_with(':');
        let rank = match (above, kind) {
            (Kind::Heading(above), Kind::Heading(level)) if above < level => Rank::Line,
            (Kind::Heading(_), Kind::Heading(level)) => Rank::section(level),
            (Kind::Heading(_), _) => Rank::Held,
            (_, Kind::Heading(level)) => Rank::section(level),
            (Kind::Item, Kind::Item) if !is_item(self.words(at)) => Rank::SentenceLine,
            (Kind::Item, Kind::Item) if self.lines[at].indent >= 2 => Rank::DeepItem,
            (Kind::Item, Kind::Item) => Rank::Item,
            (Kind::Paragraph, Kind::Fence | Kind::Table | Kind::Item) if introduces => Rank::Line,
            _ if is_apart => Rank::Block,
            _ => Rank::SentenceLine,
        };
        let is_fresh = matches!(kind, Kind::Heading(_)) || matches!(above, Kind::Fence | Kind::Table);
        self.marker.mark(self.lines[at].start, rank, is_fresh);
    }
}

#[cfg(test)]
mod tests {
    use super::super::boundary::Edges;
    use super::*;
    use crate::model::SpanMap;
    use crate::text::tokens::Tokenizer;

    fn scan(text: &str, state: &mut State) -> Outline {
        let map = SpanMap::default();
        let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let index = counter.index(text);
        outline(Marker::new(Edges::new(text, &map), &index), &Chapters::default(), state, &mut counter, 64)
    }

    fn check(text: &str, expected: &[(&str, Rank)]) {
        let marks = scan(text, &mut State::default()).marks;
        let line = |at: usize| text[at..].lines().next().unwrap_or_default();
        let found: Vec<(&str, Rank)> = marks.iter().map(|mark| (line(mark.at), mark.rank)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn headings_of_both_kinds_lead_and_hold_their_text() {
        check(
            "Top\n===\n\n## A\n\ntext\n\nB\n---\ntext\n# C #\n",
            &[
                ("## A", Rank::Line),
                ("text", Rank::Held),
                ("B", Rank::Section2),
                ("text", Rank::Held),
                ("# C #", Rank::Section1),
            ],
        );
    }

    #[test]
    fn lists_are_cut_between_items() {
        check(
            "Intro:\n\n- one\n  - two\n\n  more\n- three\n\nAfter.\n",
            &[
                ("- one", Rank::Line),
                ("  - two", Rank::DeepItem),
                ("  more", Rank::SentenceLine),
                ("- three", Rank::Item),
                ("After.", Rank::Block),
            ],
        );
    }

    #[test]
    fn a_fence_may_open_an_item_or_stand_in_a_quote() {
        let text = "1. ```\n   # x\n   ```\n2. b\n\n> ```\n> # y\n> ```\n\n## A\n\n- c\n";
        let outline = scan(text, &mut State::default());
        let held: Vec<&str> = outline.held.iter().map(|held| &text[held.span.range()]).collect();
        assert_eq!(held, ["1. ```\n   # x\n   ```", "> ```\n> # y\n> ```"]);
        assert_eq!(outline.path_at(text.len() - 2), Some("A"));
    }

    #[test]
    fn front_matter_fences_and_tables_are_held() {
        let text = "---\ntitle: x\n# no heading\n---\n\n```\n# none\n\n# either\n```\n\n|a|b|\n|-|-|\n|1|2|\n|3|4|\n";
        let outline = scan(text, &mut State::default());
        assert!(outline.paths.iter().all(|(_, path)| path.is_none()));
        let held: Vec<&str> = outline.held.iter().map(|held| &text[held.span.range()]).collect();
        let expected = [
            "---\ntitle: x\n# no heading\n---",
            "```\n# none\n\n# either\n```",
            "|a|b|\n|-|-|",
            "|1|2|\n|3|4|",
        ];
        assert_eq!(held, expected);
        assert_eq!(outline.held[3].context.as_deref(), Some("|a|b|\n|-|-|"));
    }

    #[test]
    fn what_is_open_goes_on_in_the_next_segment() {
        let mut state = State::default();
        scan("# One\n\n## Two\n\n|a|b|\n|-|-|\n|1|2|\n", &mut state);
        let outline = scan("|3|4|\n|5|6|\n\ntext\n", &mut state);
        assert_eq!(outline.path_at(3), Some("One > Two"));
        assert_eq!(outline.held_at(8).and_then(|held| held.context.as_deref()), Some("|a|b|\n|-|-|"));
        assert_eq!(outline.held_at(14), None);
    }
}
