//! Headings at the places that the table of contents leads to, at the levels that it gives them.
//!
//! Many books style their chapter titles as plain paragraphs, draw them, or have none; others set everything as `h1`.
//! Each entry claims one heading: the one at its place that has its words, a paragraph that is its words, or else one
//! that is put in. Headings between those of the contents move along with the one above them.

mod claims;
mod rebuild;

pub(in crate::extract) use rebuild::Rebuilder;

use crate::extract::markdown::{Block, Draft, Words};
use crate::model::{Places, SectionStart, Segment, Span};
use claims::{Claim, Lines};

/// A label of the contents and the byte of the text behind which its place stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::extract) struct Label<'e> {
    /// Its number in the contents, from 0.
    pub seq: usize,
    /// From 1, as deep as it stands; 0 where the contents are flat, and headings know better.
    pub level: usize,
    /// What it says.
    pub words: &'e str,
    /// Beyond the text for its end.
    pub at: usize,
    /// The place that it names is not there: a heading anywhere may be meant.
    pub is_loose: bool,
}

/// How deep the headings stand that follow, carried from one stretch of a book to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::extract) struct Depth {
    /// The level of the section that is open; 0 before the first.
    open: usize,
    /// By how much its other headings move, where that is known.
    shift: Option<isize>,
}

impl Depth {
    fn enter(&mut self, level: usize, heading: Option<usize>) {
        self.open = level;
        self.shift = heading.map(|found| level as isize - found as isize);
    }

    /// The level of a heading that no entry claims.
    fn of_other(&mut self, level: usize) -> usize {
        if self.open == 0 {
            return level;
        }
        let below = self.open as isize + 1;
        let shift = *self.shift.get_or_insert((below - level as isize).max(0));
        (level as isize + shift).clamp(below.min(6), 6) as usize
    }
}

/// What becomes of a label that finds no heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// It becomes one.
    Put,
    /// Its section begins without.
    Note,
}

/// Gives every label its heading, and notes where its section begins.
pub(in crate::extract) fn put(segment: Segment, labels: Vec<Label<'_>>, depth: &mut Depth) -> Segment {
    settle(segment, labels, depth, Missing::Put)
}

/// A text under a heading of its own at a level: the one that it begins with where that has the same words. Its other
/// headings move below.
pub fn entitled(segment: Segment, title: &str, level: usize, seq: usize) -> Segment {
    put(segment, vec![Label { seq, level, words: title, at: 0, is_loose: false }], &mut Depth::default())
}

/// The same without any words that are not there.
pub(in crate::extract) fn claim(segment: Segment, labels: Vec<Label<'_>>, depth: &mut Depth) -> Segment {
    settle(segment, labels, depth, Missing::Note)
}

fn settle(segment: Segment, mut labels: Vec<Label<'_>>, depth: &mut Depth, missing: Missing) -> Segment {
    if labels.is_empty() && depth.open == 0 {
        return segment;
    }
    labels.sort_by_key(|label| label.at);
    let lines = Lines::new(&segment.text);
    let claims = claims::settle(&lines, &labels);
    let mut writing =
        Writing { lines: &lines, text: String::new(), starts: Vec::new(), sections: Vec::new() };
    let mut follows_put = false;
    let mut rest = claims.iter().zip(&labels).peekable();
    for number in 0..=lines.len() {
        writing.starts.push(writing.text.len());
        let mut is_written = false;
        while let Some((claim, label)) = rest.next_if(|(claim, _)| claim.line() <= number) {
            let own = claim.level().unwrap_or(1);
            let label = &Label { level: if label.level == 0 { own } else { label.level }, ..label.clone() };
            match claim {
                Claim::Put { .. } if missing == Missing::Note => writing.begin(label),
                Claim::Put { .. } => writing.put(label),
                Claim::Heading { level, .. } => writing.claimed(number, label, Some(*level)),
                Claim::Title { .. } => writing.claimed(number, label, None),
            }
            depth.enter(label.level, claim.level());
            follows_put = matches!(claim, Claim::Put { .. }) && missing == Missing::Put;
            is_written |= !matches!(claim, Claim::Put { .. });
        }
        // What is put in brings its own blank line.
        if !is_written && number < lines.len() && !(follows_put && lines.is_blank(number)) {
            follows_put = false;
            match lines.heading(number) {
                Some((level, words)) => writing.heading(depth.of_other(level), words),
                None => writing.line(lines.whole(number)),
            }
        }
    }
    let Writing { starts, sections, mut text, .. } = writing;
    // A heading that was put in at the end is followed by nothing.
    if text.ends_with("\n\n") && !segment.text.ends_with("\n\n") {
        text.pop();
    }
    let moved = |at: usize| {
        let number = lines.at(at);
        (starts[number] + at - lines.start(number)).min(text.len())
    };
    let mut places = Places::default();
    let last = segment.places.0.len().saturating_sub(1);
    for (number, (span, place)) in segment.places.0.iter().enumerate() {
        let end = if number == last { text.len() } else { moved(span.end) };
        places.push(Span::new(moved(span.start), end), place.clone());
    }
    Segment { text, places, sections, ..Segment::default() }
}

/// Notes where the sections of plain text begin, which has no headings.
pub(in crate::extract) fn note(mut segment: Segment, mut labels: Vec<Label<'_>>) -> Segment {
    labels.sort_by_key(|label| label.at);
    let lines = Lines::new(&segment.text);
    let start = |label: &Label<'_>| SectionStart {
        out: lines.start(lines.of(label.at)),
        seq: label.seq,
        level: label.level,
        label: label.words.into(),
    };
    segment.sections = labels.iter().map(start).collect();
    segment
}

/// The text with its headings, as it grows.
struct Writing<'t> {
    lines: &'t Lines<'t>,
    text: String,
    /// Where each old line begins in the new text, what is put in before it included.
    starts: Vec<usize>,
    sections: Vec<SectionStart>,
}

impl Writing<'_> {
    fn begin(&mut self, label: &Label<'_>) {
        let (out, seq, level) = (self.text.len(), label.seq, label.level);
        self.sections.push(SectionStart { out, seq, level, label: label.words.into() });
    }

    /// A heading that is not there.
    fn put(&mut self, label: &Label<'_>) {
        self.part();
        self.begin(label);
        let mut draft = Draft::new();
        let level = label.level.clamp(1, 6) as u8;
        draft.push(&Block::Heading { level, words: Words::plain(label.words) });
        self.text.push_str(&draft.finish().text);
        self.text.push('\n');
    }

    /// A heading or paragraph that is the label's own.
    fn claimed(&mut self, number: usize, label: &Label<'_>, heading: Option<usize>) {
        self.begin(label);
        let line = self.lines.line(number);
        let words = match heading {
            Some(_) => line.trim_start_matches('#').trim_start(),
            None => without_emphasis(line),
        };
        self.heading(label.level.clamp(1, 6), words);
    }

    fn heading(&mut self, level: usize, words: &str) {
        self.text.extend(std::iter::repeat_n('#', level));
        self.text.push(' ');
        self.line(words);
        self.text.push('\n');
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
    }

    /// A blank line between what stands there and what is put in.
    fn part(&mut self) {
        let ends = self.text.bytes().rev().take_while(|&byte| byte == b'\n').count();
        if !self.text.is_empty() {
            (ends..2).for_each(|_| self.text.push('\n'));
        }
    }
}

/// A line without the emphasis around all of it.
fn without_emphasis(line: &str) -> &str {
    let mark = line.len() - line.trim_start_matches('*').len();
    let inner = line.get(mark..line.len().saturating_sub(mark)).filter(|_| mark > 0 && mark < 4);
    inner.filter(|inner| line.ends_with(&line[..mark]) && !inner.contains('*')).unwrap_or(line)
}

#[cfg(test)]
mod tests;
