//! Markdown by lines: headings, fences, tables, lists, quotes, paragraphs.
//!
//! A scanner of lines, not a parser: it finds the beginning and the kind of each block, but not the nesting, and is
//! therefore linear on any input. A block that is open at the end of a segment continues in the next one.

use super::boundary::BoundaryRank;
use super::front_matter::{first_level, title_of};
use super::heading_path::HeadingPath;
use super::lines::{LineSpan, lines};
use super::markdown_lines::{
    atx_heading, is_empty_quote, is_list_item, is_table_delimiter, is_thematic_break, setext_level,
};
use super::outline::{BoundaryCollector, ProtectedSpan, SegmentOutline};
use super::recursive::mark_paragraph;
use super::section_borders::SectionBorders;
use crate::layout::is_table_caption;
use crate::model::Span;
use crate::text::markdown::{FencePosition, FenceTracker};
use crate::text::tokens::TokenCounter;

/// Lines of a caption, at most; what is longer is a paragraph. Three of full width are longer than a heading in a path can be.
const MAX_CAPTION_LINES: usize = 3;

/// Bytes of a line in bold that is a title, at most.
const MAX_TITLE_BYTES: usize = 120;

/// The level of captions of tables in paths: below all headings.
const CAPTION_LEVEL: usize = 7;

/// Maximum lines of front matter: a rule at the top of a text may have another one far below.
const MAX_FRONT_MATTER_LINES: usize = 400;

/// State that is kept from segment to segment.
#[derive(Debug, Default)]
pub(super) struct MarkdownState {
    headings: HeadingPath,
    /// The open fence.
    fence: Option<FenceTracker>,
    table: Option<OpenTable>,
    is_begun: bool,
}

/// A table whose rows go on.
#[derive(Debug, Clone)]
struct OpenTable {
    /// Its header, if that is short enough.
    header: Option<String>,
    /// The headings above it, with its caption.
    path: Option<String>,
}

/// The kinds of blocks that matter to their neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkdownBlock {
    Heading(usize),
    Fence,
    Table,
    ListItem,
    Quote,
    ThematicBreak,
    Paragraph,
}

/// The outline of Markdown. The header of a table of at most `max_header_tokens` is repeated as context.
pub(super) fn outline(
    collector: BoundaryCollector<'_>,
    borders: &SectionBorders<'_>,
    state: &mut MarkdownState,
    counter: &mut TokenCounter,
    max_header_tokens: usize,
) -> SegmentOutline {
    let text = collector.text();
    let lines = lines(text, Span::new(0, text.len()));
    let paths = vec![(0, state.headings.path())];
    let mut scan = MarkdownScanner {
        text,
        lines: &lines,
        collector,
        borders,
        state,
        counter,
        max_header_tokens,
        above: None,
        captioned: None,
        protected: Vec::new(),
        paths,
        run: 1,
    };
    let mut next = scan.resume();
    while next < lines.len() {
        next = scan.block(next);
    }
    let MarkdownScanner { collector, protected, paths, .. } = scan;
    SegmentOutline { boundaries: collector.finish(), protected, paths, ..SegmentOutline::default() }
}

struct MarkdownScanner<'a, 's> {
    text: &'a str,
    lines: &'s [LineSpan],
    collector: BoundaryCollector<'a>,
    borders: &'s SectionBorders<'s>,
    state: &'s mut MarkdownState,
    counter: &'s mut TokenCounter,
    max_header_tokens: usize,
    /// The block above and its last line.
    above: Option<(MarkdownBlock, usize)>,
    /// The header and the caption of the last table that has one.
    captioned: Option<(&'a str, &'a str)>,
    protected: Vec<ProtectedSpan>,
    paths: Vec<(usize, Option<String>)>,
    /// The first path of a run of headings, each deeper than the one before, without text between them.
    run: usize,
}

impl<'a> MarkdownScanner<'a, '_> {
    fn words(&self, line: usize) -> &'a str {
        self.lines[line].words(self.text)
    }

    /// Continues the block that was open at the end of the last segment, or skips the front matter of a document.
    fn resume(&mut self) -> usize {
        if let Some(fence) = self.state.fence {
            return self.fence_body(0, 0, fence);
        }
        if let Some(table) = self.state.table.take() {
            self.paths[0].1.clone_from(&table.path);
            return self.table_rows(0, 0, table);
        }
        let Some(first) = self.lines.iter().position(|line| !line.is_blank()) else {
            return self.lines.len();
        };
        let is_begun = std::mem::replace(&mut self.state.is_begun, true);
        let mark = self.words(first);
        if is_begun || !matches!(mark, "---" | "+++") {
            return first;
        }
        let body = &self.lines[first + 1..(first + MAX_FRONT_MATTER_LINES).min(self.lines.len())];
        let close = |line: &LineSpan| {
            line.words(self.text) == mark || (mark == "---" && line.words(self.text) == "...") // YAML ends so, too.
        };
        match body.iter().position(close) {
            Some(by) => {
                self.enter_title(first + 1, first + 1 + by);
                self.protect(first, first + by + 2, MarkdownBlock::Fence)
            }
            None => first,
        }
    }

    /// Makes the title in these lines of front matter the heading of a text whose first heading is not its title.
    fn enter_title(&mut self, first: usize, end: usize) {
        let Some(title) = title_of((first..end).map(|line| self.words(line))) else { return };
        let line = |at: usize| (at, &self.text[self.lines[at].start..self.lines[at].end]);
        let level_at = |at: usize| self.heading_at(at).map(|(level, _)| level);
        if first_level((end + 1..self.lines.len()).map(line), level_at) != Some(1) {
            self.state.headings.enter(1, title);
            self.paths[0].1 = self.state.headings.path();
        }
    }

    /// Reads one block or a blank line; returns the line after it.
    fn block(&mut self, at: usize) -> usize {
        let line = self.lines[at];
        let words = self.words(at);
        if line.is_blank() {
            return at + 1;
        }
        if let Some((level, markup)) = self.heading_at(at) {
            let is_atx = words.starts_with('#') && atx_heading(&line, self.text).is_some();
            return self.heading(at, level, markup, if is_atx { 1 } else { 2 });
        }
        self.begin_sections(at);
        if let Some(fence) = self.fence_at(at) {
            let kind = if is_list_item(words) { MarkdownBlock::ListItem } else { MarkdownBlock::Fence };
            self.add_boundary(at, kind);
            let next = self.fence_body(at, at + 1, fence);
            self.above = Some((kind, next - 1));
            return next;
        }
        if self.is_table_at(at) {
            return self.table(at);
        }
        if is_thematic_break(words) {
            self.add_boundary(at, MarkdownBlock::ThematicBreak);
            self.above = Some((MarkdownBlock::ThematicBreak, at));
            return at + 1;
        }
        if line.indent >= 4 && !self.is_in_list() && self.above.is_none_or(|(_, last)| last + 1 < at) {
            return self.indented(at);
        }
        let kind = if is_list_item(words) || (self.is_in_list() && line.indent >= 2) {
            MarkdownBlock::ListItem
        } else if words.starts_with('>') {
            MarkdownBlock::Quote
        } else {
            MarkdownBlock::Paragraph
        };
        self.running(at, kind)
    }

    /// Enters sections that begin at a line without a heading.
    fn begin_sections(&mut self, at: usize) {
        let start = self.lines[at].start;
        let end = self.lines.get(at + 1).map_or(self.text.len(), |line| line.start);
        let sections = self.borders.sections_in(start, end);
        if sections.is_empty() {
            return;
        }
        sections.iter().for_each(|found| self.state.headings.enter_words(found.level, &found.label));
        self.run = self.paths.len();
        self.paths.push((start, self.state.headings.path()));
    }

    fn is_in_list(&self) -> bool {
        matches!(self.above, Some((MarkdownBlock::ListItem, _)))
    }

    /// The fence that a line opens, perhaps after the marks of a quote or a list item.
    fn fence_at(&self, at: usize) -> Option<FenceTracker> {
        let line = |at: usize| &self.text[self.lines[at].start..self.lines[at].end];
        let mut fences = FenceTracker::default();
        // Tildes below a line may underline a title of reStructuredText instead of opening a fence: the line above tells.
        if at > 0 && self.above.is_none_or(|(kind, last)| last + 1 < at || kind == MarkdownBlock::Paragraph) {
            fences.read(line(at - 1));
        }
        let was_open = fences.is_open();
        (!was_open && fences.read(line(at)) == FencePosition::Opens).then_some(fences)
    }

    fn heading_at(&self, at: usize) -> Option<(usize, &'a str)> {
        let line = &self.lines[at];
        if let Some(heading) = atx_heading(line, self.text) {
            return Some(heading);
        }
        let words = self.words(at);
        let level = setext_level(self.lines.get(at + 1)?, self.text)?;
        let is_text =
            line.indent <= 3 && !words.starts_with('>') && !is_list_item(words) && !is_thematic_break(words);
        let starts_block =
            self.above.is_none_or(|(kind, last)| last + 1 < at || matches!(kind, MarkdownBlock::Heading(_)));
        (is_text && starts_block && self.fence_at(at).is_none()).then_some((level, words))
    }

    fn heading(&mut self, at: usize, level: usize, markup: &str, lines: usize) -> usize {
        self.add_boundary(at, MarkdownBlock::Heading(level));
        let (start, end) =
            (self.lines[at].start, self.lines.get(at + 1).map_or(self.text.len(), |line| line.start));
        // The table of contents has a label for it.
        let sections = self.borders.sections_in(start, end);
        match sections.is_empty() {
            false => {
                sections.iter().for_each(|found| self.state.headings.enter_words(found.level, &found.label))
            }
            true => self.state.headings.enter(level, markup),
        }
        let path = self.state.headings.path();
        let goes_down = matches!(self.above, Some((MarkdownBlock::Heading(above), _)) if above < level)
            && !self.borders.is_cut(start);
        if !goes_down {
            self.run = self.paths.len();
        }
        for (_, above) in &mut self.paths[self.run..] {
            above.clone_from(&path);
        }
        self.paths.push((self.lines[at].start, path));
        self.above = Some((MarkdownBlock::Heading(level), at + lines - 1));
        at + lines
    }

    /// Reads lines until the fence closes; the block started at line `opening`.
    fn fence_body(&mut self, opening: usize, from: usize, mut fence: FenceTracker) -> usize {
        let closing = (from..self.lines.len()).find(|&line| {
            let line = &self.lines[line];
            fence.read(&self.text[line.start..line.end]) == FencePosition::Closes
        });
        self.state.fence = closing.is_none().then_some(fence);
        let end = closing.map_or(self.lines.len(), |line| line + 1);
        self.protect_lines(opening, end, MarkdownBlock::Fence, closing)
    }

    /// Protects lines as one block.
    fn protect(&mut self, from: usize, end: usize, kind: MarkdownBlock) -> usize {
        self.add_boundary(from, kind);
        self.protect_lines(from, end, kind, Some(end - 1))
    }

    /// Protects lines; a cut is possible between lines that are neither the first two nor the closing one.
    fn protect_lines(
        &mut self,
        from: usize,
        end: usize,
        kind: MarkdownBlock,
        closing: Option<usize>,
    ) -> usize {
        if from == end {
            return end;
        }
        for line in from + 2..closing.unwrap_or(end) {
            if !self.lines[line].is_blank() {
                let rank = if self.lines[line - 1].is_blank() {
                    BoundaryRank::ProtectedBlank
                } else {
                    BoundaryRank::Protected
                };
                self.collector.mark(self.lines[line].start, rank, false);
            }
        }
        self.protect_span(from, end, None);
        self.above = Some((kind, end - 1));
        end
    }

    fn protect_span(&mut self, from: usize, end: usize, context: Option<String>) {
        let span = Span::new(self.lines[from].start, self.lines[end - 1].end.max(self.lines[from].start));
        self.protected.push(ProtectedSpan { span, context });
    }

    /// Reads a block of code, indented by four columns; it interrupts no paragraph (CommonMark 4.4).
    fn indented(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        for line in at + 1..self.lines.len() {
            match &self.lines[line] {
                line if line.is_blank() => {}
                line if line.indent < 4 => break,
                _ => end = line + 1,
            }
        }
        self.protect(at, end, MarkdownBlock::Fence)
    }

    fn is_table_at(&self, at: usize) -> bool {
        at + 1 < self.lines.len() && is_table_delimiter(self.words(at + 1)) && self.words(at).contains('|')
    }

    fn table(&mut self, at: usize) -> usize {
        self.add_boundary(at, MarkdownBlock::Table);
        let header = &self.text[self.lines[at].words..self.lines[at + 1].end];
        let is_short = header.len() <= self.max_header_tokens * 16 // Few tokens are longer.
            && self.counter.count(header) <= self.max_header_tokens;
        self.protect_span(at, at + 2, None);
        let header = is_short.then(|| header.to_owned());
        let path = self.path_with_caption(at, self.words(at));
        self.table_rows(at + 2, at + 3, OpenTable { header, path })
    }

    /// The headings above a table and its caption. From here to the end of the table this is the path, so that each piece of it is
    /// found by what it is called.
    fn path_with_caption(&mut self, at: usize, header: &'a str) -> Option<String> {
        // On the next page a table begins with its header again.
        let goes_on = matches!(self.above, Some((MarkdownBlock::Table, _)));
        let continued =
            self.captioned.filter(|(other, _)| goes_on && *other == header).map(|(_, caption)| caption);
        let Some(caption) = self.caption_above().or(continued) else { return self.state.headings.path() };
        self.captioned = Some((header, caption));
        let mut headings = self.state.headings.clone();
        headings.enter(CAPTION_LEVEL, caption);
        let path = headings.path();
        self.run = self.paths.len();
        self.paths.push((self.lines[at].start, path.clone()));
        path
    }

    /// The caption that the block above is: a paragraph that begins with the label of a table, or that is in bold.
    fn caption_above(&self) -> Option<&'a str> {
        let Some((MarkdownBlock::Paragraph, last)) = self.above else { return None };
        let is_inside = |line: &usize| !self.lines[*line].is_blank();
        let above = (0..last).rev().take_while(is_inside).take(MAX_CAPTION_LINES).count();
        let caption = self.text[self.lines[last - above].words..self.lines[last].end].trim();
        let bold = caption.strip_prefix("**").and_then(|text| text.strip_suffix("**"));
        let is_caption = is_table_caption(caption) || bold.is_some_and(|text| !text.contains("**"));
        (is_caption && above < MAX_CAPTION_LINES).then_some(caption)
    }

    /// Reads the rows of a table from `at` on; cuts are possible before the rows from `first_cut` on.
    fn table_rows(&mut self, at: usize, first_cut: usize, table: OpenTable) -> usize {
        let is_row = |line: &LineSpan| !line.is_blank() && line.words(self.text).contains('|');
        let end = at + self.lines[at..].iter().take_while(|line| is_row(line)).count();
        for line in first_cut.max(1)..end {
            self.collector.mark(self.lines[line].start, BoundaryRank::Protected, true);
        }
        if end == self.lines.len() {
            self.state.table = Some(table.clone());
        } else if self.paths.last().is_some_and(|(_, path)| *path != self.state.headings.path()) {
            self.run = self.paths.len();
            self.paths.push((self.lines[end].start, self.state.headings.path()));
        }
        if at < end {
            self.protect_span(at, end, table.header);
        }
        if end > 0 {
            self.above = Some((MarkdownBlock::Table, end - 1));
        }
        end
    }

    /// Reads a paragraph, quote or list item: running text up to the next block.
    fn running(&mut self, at: usize, kind: MarkdownBlock) -> usize {
        self.add_boundary(at, kind);
        let mut end = at + 1;
        while end < self.lines.len() && !self.starts_block(end, kind) {
            end += 1;
        }
        let mut from = at;
        for line in at + 1..end {
            if kind == MarkdownBlock::Quote && is_empty_quote(self.words(line)) {
                mark_paragraph(&mut self.collector, &self.lines[from..line]);
                self.collector.mark(self.lines[line].start, BoundaryRank::Item, false);
                from = line;
            }
        }
        mark_paragraph(&mut self.collector, &self.lines[from..end]);
        self.above = Some((kind, end - 1));
        end
    }

    /// True if running text of this kind ends before a line.
    fn starts_block(&self, at: usize, kind: MarkdownBlock) -> bool {
        let words = self.words(at);
        match words.as_bytes().first() {
            None => true,
            Some(b'#') if atx_heading(&self.lines[at], self.text).is_some() => true,
            Some(b'`' | b'~' | b'>' | b'-' | b'*' | b'+' | b'0'..=b'9') if self.fence_at(at).is_some() => {
                true
            }
            Some(b'>') => kind != MarkdownBlock::Quote,
            Some(b'-' | b'*' | b'_' | b'+' | b'0'..=b'9')
                if is_thematic_break(words) || is_list_item(words) =>
            {
                true
            }
            _ => self.is_table_at(at),
        }
    }

    /// True for a paragraph of one line in bold, which people write in the place of a heading.
    fn is_title_line(&self, at: usize) -> bool {
        let is_alone = |other: Option<&LineSpan>| other.is_none_or(|line| line.is_blank());
        let bold = self.words(at).trim_end().strip_prefix("**").and_then(|text| text.strip_suffix("**"));
        bold.is_some_and(|text| !text.is_empty() && text.len() <= MAX_TITLE_BYTES && !text.contains("**"))
            && is_alone(at.checked_sub(1).map(|before| &self.lines[before]))
            && is_alone(self.lines.get(at + 1))
    }

    /// Adds a boundary at the start of a block, ranked by the block and the one above it.
    fn add_boundary(&mut self, at: usize, kind: MarkdownBlock) {
        let Some((above, last)) = self.above else { return };
        let is_apart = last + 1 < at;
        let introduces =
            self.words(last).ends_with(':') || kind == MarkdownBlock::Table && self.caption_above().is_some();
        let rank = match (above, kind) {
            (MarkdownBlock::Heading(above), MarkdownBlock::Heading(level)) if above < level => {
                BoundaryRank::Line
            }
            (MarkdownBlock::Heading(_), MarkdownBlock::Heading(level)) => BoundaryRank::section(level),
            (MarkdownBlock::Heading(_), _) => BoundaryRank::Protected,
            (_, MarkdownBlock::Heading(level)) => BoundaryRank::section(level),
            (MarkdownBlock::ListItem, MarkdownBlock::ListItem) if !is_list_item(self.words(at)) => {
                BoundaryRank::SentenceLine
            }
            (MarkdownBlock::ListItem, MarkdownBlock::ListItem) if self.lines[at].indent >= 2 => {
                BoundaryRank::DeepItem
            }
            (MarkdownBlock::ListItem, MarkdownBlock::ListItem) => BoundaryRank::Item,
            (
                MarkdownBlock::Paragraph,
                MarkdownBlock::Fence | MarkdownBlock::Table | MarkdownBlock::ListItem,
            ) if introduces => BoundaryRank::Line,
            (MarkdownBlock::Paragraph, _) if self.is_title_line(last) => BoundaryRank::Line,
            (_, MarkdownBlock::Paragraph) if is_apart && self.is_title_line(at) => BoundaryRank::Section6,
            _ if is_apart => BoundaryRank::Block,
            _ => BoundaryRank::SentenceLine,
        };
        let is_fresh = matches!(kind, MarkdownBlock::Heading(_))
            || matches!(above, MarkdownBlock::Fence | MarkdownBlock::Table);
        self.collector.mark(self.lines[at].start, rank, is_fresh);
    }
}

#[cfg(test)]
mod tests {
    use super::super::boundary::CutConstraints;
    use super::*;
    use crate::model::SpanMap;
    use crate::text::tokens::Tokenizer;

    fn scan(text: &str, state: &mut MarkdownState) -> SegmentOutline {
        let map = SpanMap::default();
        let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let index = counter.index(text);
        outline(
            BoundaryCollector::new(CutConstraints::new(text, &map), &index),
            &SectionBorders::default(),
            state,
            &mut counter,
            64,
        )
    }

    fn check(text: &str, expected: &[(&str, BoundaryRank)]) {
        let marks = scan(text, &mut MarkdownState::default()).boundaries;
        let line = |at: usize| text[at..].lines().next().unwrap_or_default();
        let found: Vec<(&str, BoundaryRank)> = marks.iter().map(|mark| (line(mark.at), mark.rank)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn headings_of_both_kinds_stay_with_their_text() {
        check(
            "Top\n===\n\n## A\n\ntext\n\nB\n---\ntext\n# C #\n",
            &[
                ("## A", BoundaryRank::Line),
                ("text", BoundaryRank::Protected),
                ("B", BoundaryRank::Section2),
                ("text", BoundaryRank::Protected),
                ("# C #", BoundaryRank::Section1),
            ],
        );
    }

    #[test]
    fn lists_are_cut_between_items() {
        check(
            "Intro:\n\n- one\n  - two\n\n  more\n- three\n\nAfter.\n",
            &[
                ("- one", BoundaryRank::Line),
                ("  - two", BoundaryRank::DeepItem),
                ("  more", BoundaryRank::SentenceLine),
                ("- three", BoundaryRank::Item),
                ("After.", BoundaryRank::Block),
            ],
        );
    }

    #[test]
    fn a_line_in_bold_stays_with_its_text() {
        check(
            "One.\n\n**Two?**\n\nIt is.\n\n**a** b **c**\n\nd\n\n**Three**\n\n- e\n",
            &[
                ("**Two?**", BoundaryRank::Section6),
                ("It is.", BoundaryRank::Line),
                ("**a** b **c**", BoundaryRank::Block),
                ("d", BoundaryRank::Block),
                ("**Three**", BoundaryRank::Section6),
                ("- e", BoundaryRank::Line),
            ],
        );
    }

    #[test]
    fn a_fence_may_open_an_item_or_stand_in_a_quote() {
        let text = "1. ```\n   # x\n   ```\n2. b\n\n> ```\n> # y\n> ```\n\n## A\n\n- c\n";
        let outline = scan(text, &mut MarkdownState::default());
        let protected: Vec<&str> =
            outline.protected.iter().map(|protected| &text[protected.span.range()]).collect();
        assert_eq!(protected, ["1. ```\n   # x\n   ```", "> ```\n> # y\n> ```"]);
        assert_eq!(outline.path_of(Span::new(text.len() - 2, text.len())), Some("A"));
    }

    #[test]
    fn a_caption_is_in_the_path_of_its_table_alone() {
        let check = |caption: &str, expected: &str| {
            let text = format!("# Lamps\n\n{caption}\n\n|a|b|\n|-|-|\n|1|2|\n|3|4|\n\nText.\n");
            let outline = scan(&text, &mut MarkdownState::default());
            let path = |from: &str| {
                let start = text.find(from).unwrap();
                outline.path_of(Span::new(start, start + from.len())).unwrap_or_default().to_owned()
            };
            assert_eq!([path("|a|b|"), path("|3|4|")], [expected, expected]);
            assert_eq!([path(caption), path("Text.")], ["Lamps", "Lamps"]);
        };
        check("Table 2. Oil by *year*", "Lamps > Table 2. Oil by year");
        check("**Tabelle 2** Oil\nby year", "Lamps > Tabelle 2 Oil by year");
        check("**Oil by year**", "Lamps > Oil by year");
        check("**Oil** by **year**", "Lamps");
        check("Table 2 says how much oil.\nb\nc\nd\ne", "Lamps");
        check("**Oil by year**\n\n|a|b|\n|-|-|\n|5|6|", "Lamps > Oil by year");
        check("Table 2 shows how the oil is measured.", "Lamps");
        check("TABLE OF CONTENTS", "Lamps");
        check("Tablets 5 mg", "Lamps");
        check("- Table 2. Oil", "Lamps");
    }

    #[test]
    fn front_matter_fences_and_tables_are_protected() {
        let text = "---\ntitle: x\n# no heading\n---\n\n```\n# none\n\n# either\n```\n\n|a|b|\n|-|-|\n|1|2|\n|3|4|\n";
        let outline = scan(text, &mut MarkdownState::default());
        assert!(outline.paths.iter().all(|(_, path)| path.as_deref() == Some("x")));
        let protected: Vec<&str> =
            outline.protected.iter().map(|protected| &text[protected.span.range()]).collect();
        let expected = [
            "---\ntitle: x\n# no heading\n---",
            "```\n# none\n\n# either\n```",
            "|a|b|\n|-|-|",
            "|1|2|\n|3|4|",
        ];
        assert_eq!(protected, expected);
        assert_eq!(outline.protected[3].context.as_deref(), Some("|a|b|\n|-|-|"));
    }

    #[test]
    fn open_blocks_continue_in_the_next_segment() {
        let mut state = MarkdownState::default();
        scan("# One\n\n## Two\n\n|a|b|\n|-|-|\n|1|2|\n", &mut state);
        let outline = scan("|3|4|\n|5|6|\n\ntext\n", &mut state);
        assert_eq!(outline.path_of(Span::new(3, 4)), Some("One > Two"));
        assert_eq!(
            outline.protected_at(8).and_then(|protected| protected.context.as_deref()),
            Some("|a|b|\n|-|-|")
        );
        assert_eq!(outline.protected_at(14), None);
    }

    /// Each boundary with its rank, its line and `!` if no overlap crosses it, then each protected span in brackets.
    fn described(text: &str) -> Vec<String> {
        let outline = scan(text, &mut MarkdownState::default());
        let line = |at: usize| text[at..].lines().next().unwrap_or_default();
        let boundary = |mark: &super::super::boundary::Boundary| {
            format!("{:?}{} {}", mark.rank, if mark.is_fresh { "!" } else { "" }, line(mark.at))
        };
        let protected = outline.protected.iter().map(|protected| {
            let span = text[protected.span.range()].replace('\n', "/");
            format!("[{span}]{}", protected.context.as_deref().map_or("", |_| " with its header"))
        });
        outline.boundaries.iter().map(boundary).chain(protected).collect()
    }

    #[track_caller]
    fn check_all(text: &str, expected: &[&str]) {
        assert_eq!(described(text), expected, "{text}");
    }

    #[test]
    fn blocks_are_ranked_by_their_kind_and_the_block_above() {
        check_all("a\n\nb\n", &["Block b"]);
        check_all("a\n# B\n## C\n# D\ne\n", &["Section1! # B", "Line! ## C", "Section1! # D", "Protected e"]);
        check_all("# A\n# B\n", &["Section1! # B"]);
        check_all("- a\n- b\n  c\n", &["Item - b"]);
        check_all("- a\n\n  b\n", &["SentenceLine   b"]);
        check_all("- a\n  - b\n - c\n", &["DeepItem   - b", "Item  - c"]);
        check_all("a:\n- b\n", &["Line - b"]);
        check_all("a\n- b\n", &["SentenceLine - b"]);
        check_all("a:\n\nb\n", &["Block b"]);
        check_all("a:\n> b\n", &["SentenceLine > b"]);
        check_all("> a\n\nb\n", &["Block b"]);
        check_all("> a\n>\n> b\n", &["Item >", "SentenceLine > b"]);
        check_all("a\n>\n", &["SentenceLine >"]);
        check_all("a\n***\nb\n", &["SentenceLine ***", "SentenceLine b"]);
        check_all("- a\n\nb\n", &["Block b"]);
    }

    #[test]
    fn code_and_fences_are_protected() {
        check_all("    a\n    b\n\n    c\nd\n", &["SentenceLine! d", "[    a/    b//    c]"]);
        check_all("a\n    b\n", &["Line     b"]);
        check_all("a\n\n    b\n", &["Block     b", "[    b]"]);
        check_all("a\n\n   b\n", &["Block    b"]);
        check_all("- a\n\n    b\n", &["SentenceLine     b"]);
        check_all(
            "```\na\nb\n\nc\n```\nd\n",
            &["Protected b", "ProtectedBlank c", "SentenceLine! d", "[```/a/b//c/```]"],
        );
        check_all("```\n```\n", &["[```/```]"]);
        check_all("```\na\nb\n", &["Protected b", "[```/a/b]"]);
        check_all("a:\n```\nb\n```\n", &["Line ```", "[```/b/```]"]);
        check_all("- ```\n  a\n  ```\n- b\n", &["Item - b", "[- ```/  a/  ```]"]);
    }

    #[test]
    fn rows_of_tables_are_cut_after_the_first() {
        check_all(
            "|a|\n|-|\n|1|\n|2|\n|3|\nb\n",
            &[
                "Protected! |2|",
                "Protected! |3|",
                "SentenceLine! b",
                "[|a|/|-|]",
                "[|1|/|2|/|3|] with its header",
            ],
        );
        check_all("|a|\n|-|\n", &["[|a|/|-|]"]);
        check_all("a\n|-|\n|1|\n", &[]);
        check_all("x:\n|a|\n|-|\n|1|\n", &["Line |a|", "[|a|/|-|]", "[|1|] with its header"]);
        check_all("|a|\n|-|\n\n|1|\n", &["Block! |1|", "[|a|/|-|]"]);
    }

    #[test]
    fn front_matter_is_at_the_start_and_closes_soon() {
        check_all("---\na: b\n---\nc\n", &["SentenceLine! c", "[---/a: b/---]"]);
        check_all("\n---\na: b\n...\nc\n", &["SentenceLine! c", "[---/a: b/...]"]);
        check_all("+++\na = b\n+++\nc\n", &["SentenceLine! c", "[+++/a = b/+++]"]);
        check_all("+++\na = b\n...\nc\n", &[]);
        check_all("a\n---\nb\n---\n", &["Section2! b"]);
        let with = |lines: usize| format!("---\n{}---\nb\n", "a: b\n".repeat(lines));
        let is_protected =
            |lines: usize| scan(&with(lines), &mut MarkdownState::default()).protected.len() == 1;
        assert_eq!([398, 399].map(is_protected), [true, false]);
        let mut state = MarkdownState::default();
        scan("begun\n", &mut state);
        assert!(scan("---\na: b\n---\n", &mut state).protected.is_empty());
    }

    #[test]
    fn an_open_fence_continues_in_the_next_segment() {
        let mut state = MarkdownState::default();
        scan("```\na\n", &mut state);
        let outline = scan("b\nc\nd\n```\ne\n", &mut state);
        assert_eq!(
            outline.protected.iter().map(|protected| protected.span).collect::<Vec<_>>(),
            [Span::new(0, 9)]
        );
        let outline = scan("f\n", &mut state);
        assert!(outline.protected.is_empty());
    }

    #[test]
    fn long_headers_of_tables_are_not_repeated() {
        let context = |words: usize| {
            let text = format!("|{}|\n|-|\n|1|\n|2|\n", " a".repeat(words));
            let outline = scan(&text, &mut MarkdownState::default());
            outline.protected.last().is_some_and(|protected| protected.context.is_some())
        };
        let mut counter = Tokenizer::named("cl100k_base").unwrap().counter();
        let tokens = |words: usize, counter: &mut TokenCounter| {
            counter.count(&format!("|{}|\n|-|", " a".repeat(words)))
        };
        let most = (0..64).rev().find(|words| tokens(*words, &mut counter) <= 64).unwrap_or_default();
        assert_eq!([context(most), context(most + 1)], [true, false]);
    }
}
