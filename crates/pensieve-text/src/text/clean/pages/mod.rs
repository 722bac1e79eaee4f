//! The rules `page_furniture` and `page_breaks`: form feeds, and what stands at the edges of the pages between them.
//!
//! A line at the edge of a page goes where it stands at the same edge of two other pages nearby as well, its numbers
//! being the same or counting the pages, unless it is text: the end of a sentence that stands twice in most of these pages, and the last
//! words of a sentence. Near are the six pages before and the six after, so that the chapters of a
//! book have headers of their own; no more than those are held back. Where a sentence goes on behind a page break, no
//! blank line is left between its halves. A text without form feeds has no pages that are known.

mod edges;

use super::{CleanOptions, CleanRule};
use crate::model::{Segment, TextKind};
use crate::text::edits::Edits as Changes;
use edges::{EdgeLine, Edges};
use std::collections::VecDeque;

/// How far a page looks.
const NEAR: usize = 6;

/// Other pages that have to have the line as well.
const OTHERS: usize = 2;

/// A page that is longer is none: its edges are not looked at, and it is not held back.
const LARGEST: usize = 64 << 10;

/// What a page break becomes where breaks are kept.
const MARKER: &str = "--- PAGE ---";

/// Sets the pages of one text in order.
#[derive(Debug)]
pub(super) struct Pages {
    drops_furniture: bool,
    makes_markers: bool,
    settles_breaks: bool,
    held: Segment,
    /// So much of what is held was searched for the end of its last page.
    searched: usize,
    /// Complete pages at the beginning of what is held: where each ends, behind its break.
    ends: VecDeque<usize>,
    /// Edges of the pages around: of `past` pages that were passed on, then of those that are held.
    edges: VecDeque<Edges>,
    past: usize,
    /// The beginning of the page at hand was passed on.
    is_large: bool,
    /// The sentence goes on from the page that was passed on last.
    goes_on: bool,
    /// The page that was passed on last ends with a marker.
    is_behind_marker: bool,
    removed: usize,
}

impl Pages {
    pub(super) fn new(options: &CleanOptions, kind: TextKind) -> Pages {
        let settles_breaks = options.works(CleanRule::PageBreaks, kind);
        Pages {
            drops_furniture: options.works(CleanRule::PageFurniture, kind),
            makes_markers: settles_breaks && options.page_markers,
            settles_breaks: settles_breaks && kind == TextKind::Prose,
            held: Segment::default(),
            searched: 0,
            ends: VecDeque::new(),
            edges: VecDeque::new(),
            past: 0,
            is_large: false,
            goes_on: false,
            is_behind_marker: false,
            removed: 0,
        }
    }

    /// The pages that are settled by now.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        self.held.append(segment);
        self.settle(false)
    }

    /// The rest.
    pub(super) fn finish(&mut self) -> Segment {
        self.settle(true)
    }

    /// Bytes of headers, footers and numbers that went.
    pub(super) fn removed(&self) -> usize {
        self.removed
    }

    fn settle(&mut self, is_last: bool) -> Segment {
        let mut changes = Changes::default();
        let mut done = 0;
        self.find_pages();
        if is_last && self.ends.back().is_none_or(|&end| end < self.held.text.len()) {
            self.add_page(self.held.text.len());
        }
        // The page and the one after it look as far ahead as they can.
        while self.ends.len() > NEAR + 1 || is_last && !self.ends.is_empty() {
            done = self.settle_page(done, &mut changes);
        }
        if self.ends.is_empty() && self.held.text.len() - done > LARGEST {
            done = self.pass_on(done, &mut changes);
        }
        self.removed += changes.lost();
        let mut all = std::mem::take(&mut self.held);
        self.held = all.split_off(done);
        self.searched -= done;
        self.ends.iter_mut().for_each(|end| *end -= done);
        changes.apply(all)
    }

    /// Finds the pages that are complete.
    fn find_pages(&mut self) {
        let breaks: Vec<usize> = memchr::memchr_iter(b'\x0c', &self.held.text.as_bytes()[self.searched..])
            .map(|at| self.searched + at + 1)
            .collect();
        breaks.into_iter().for_each(|end| self.add_page(end));
        self.searched = self.held.text.len();
    }

    fn add_page(&mut self, end: usize) {
        let start = self.ends.back().copied().unwrap_or_default();
        let page = self.held.text[start..end].trim_end_matches('\x0c');
        let is_known = self.drops_furniture && page.len() <= LARGEST && !std::mem::take(&mut self.is_large);
        self.edges.push_back(if is_known { Edges::of(page) } else { Edges::default() });
        self.ends.push_back(end);
    }

    /// The page at hand is too large to be one: what is there of it goes on as it is.
    fn pass_on(&mut self, from: usize, changes: &mut Changes) -> usize {
        self.begin_page(from, changes);
        if std::mem::take(&mut self.goes_on) {
            let text = &self.held.text[from..];
            changes.blank(from, from + text.len() - text.trim_start().len());
        }
        self.is_large = true;
        // White space may be followed by the page break.
        self.held.text.trim_end().len().max(from)
    }

    /// Behind a marker stands a blank line.
    fn begin_page(&mut self, start: usize, changes: &mut Changes) {
        if std::mem::take(&mut self.is_behind_marker) {
            changes.put_blank(start, "\n\n");
        }
    }

    /// Settles the first page that is held, which begins at `start`, and gives its end.
    fn settle_page(&mut self, start: usize, changes: &mut Changes) -> usize {
        let end = self.ends.pop_front().unwrap_or(start);
        self.begin_page(start, changes);
        let text = &self.held.text;
        let has_break = text[start..end].ends_with('\x0c');
        let body_end = end - usize::from(has_break);
        let (top, bottom) = self.furniture(0);
        let from = Gap::behind(text, start, &top, self.goes_on, changes);
        let tail = bottom.iter().rev().filter(|line| start + line.span.start >= from);
        let tail: Vec<(usize, usize)> =
            tail.map(|line| (start + line.span.start, start + line.span.end)).collect();
        let keeps = text[from..tail.first().map_or(body_end, |first| first.0)].trim_end().len();
        self.goes_on = has_break
            && self.settles_breaks
            && !self.makes_markers
            && self.next_goes_on(&text[from..from + keeps], end);
        let gap = Gap { start: from + keeps, end: body_end, lines: &tail };
        gap.settle(self.goes_on, changes);
        if has_break {
            self.settle_break(body_end, changes);
        }
        self.past += 1;
        if self.past > NEAR {
            self.edges.pop_front();
            self.past -= 1;
        }
        end
    }

    /// Settles the form feed at `at`. White space is put in on its own, since later rules take some of it away, and never
    /// behind the end of a page, where it would belong to none.
    fn settle_break(&mut self, at: usize, changes: &mut Changes) {
        if self.makes_markers {
            changes.put_blank(at, "\n\n");
            changes.replace(at, at + 1, MARKER);
            self.is_behind_marker = true;
        } else if self.settles_breaks {
            if !self.goes_on {
                changes.put_blank(at, "\n");
            }
            changes.swap(at, "\n");
        }
    }

    /// True where the sentence that ends `text`, a page, goes on at the top of the next page, which begins at `next`.
    fn next_goes_on(&self, text: &str, next: usize) -> bool {
        let Some(&end) = self.ends.front() else { return false };
        let (top, _) = self.furniture(1);
        let from = next + top.last().map_or(0, |line| line.span.end);
        let rest = self.held.text[from..end].trim_start();
        let is_open = text
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';' | '-' | '\u{ad}' | '\u{2010}'));
        is_open && rest.starts_with(char::is_lowercase)
    }

    /// The headers, from the top down, and the footers, from the bottom up, of a page that is held.
    fn furniture(&self, ahead: usize) -> (Vec<EdgeLine>, Vec<EdgeLine>) {
        let at = self.past + ahead;
        let Some(page) = self.edges.get(at) else { return Default::default() };
        let first = at.saturating_sub(NEAR);
        let last = (at + NEAR).min(self.edges.len().saturating_sub(1));
        let near: Vec<(i64, &Edges)> = (first..=last)
            .filter(|&other| other != at)
            .map(|other| (other as i64 - at as i64, &self.edges[other]))
            .collect();
        let repeats = |line: &&EdgeLine, of: fn(&Edges) -> &[EdgeLine]| {
            let twin = |(apart, other): &(i64, &Edges)| {
                let mut twins = of(other).iter().filter(|two| line.repeats_in(two, *apart));
                twins.next().map(|two| two.is_inside)
            };
            let twins: Vec<bool> = near.iter().filter_map(twin).collect();
            let inside = twins.iter().filter(|&&is_inside| is_inside).count() + usize::from(line.is_inside);
            twins.len() >= OTHERS && inside * 2 <= twins.len() + 1
        };
        let top: Vec<EdgeLine> =
            page.top.iter().take_while(|line| repeats(line, |edges| &edges.top)).cloned().collect();
        let mut bottom: Vec<EdgeLine> =
            page.bottom.iter().take_while(|line| repeats(line, |edges| &edges.bottom)).cloned().collect();
        bottom.truncate(page.footers(bottom.len()));
        let left =
            page.top.iter().chain(&page.bottom).any(|line| !top.contains(line) && !bottom.contains(line));
        if left || !page.is_all {
            return (top, bottom);
        }
        // A page of which nothing would be left keeps its words.
        let numbers = |lines: Vec<EdgeLine>| lines.into_iter().take_while(|line| !line.has_words).collect();
        (numbers(top), numbers(bottom))
    }
}

/// White space with lines in it that go.
struct Gap<'a> {
    start: usize,
    end: usize,
    lines: &'a [(usize, usize)],
}

impl Gap<'_> {
    /// Settles the headers of a page, and the white space behind them where the sentence goes on; gives where the
    /// page's own text begins.
    fn behind(text: &str, start: usize, top: &[EdgeLine], goes_on: bool, changes: &mut Changes) -> usize {
        let lines: Vec<(usize, usize)> =
            top.iter().map(|line| (start + line.span.start, start + line.span.end)).collect();
        let mut end = lines.last().map_or(start, |last| last.1);
        if goes_on {
            end += text[end..].len() - text[end..].trim_start().len();
        }
        Gap { start, end, lines: &lines }.settle(goes_on, changes);
        end
    }

    /// Takes the lines out, and the white space too where the sentence goes on.
    fn settle(&self, goes_on: bool, changes: &mut Changes) {
        let mut at = self.start;
        for &(start, end) in self.lines {
            if goes_on {
                changes.blank(at, start);
            }
            changes.loss(start, end);
            at = end;
        }
        if goes_on {
            changes.blank(at, self.end);
        }
    }
}

#[cfg(test)]
mod tests;
