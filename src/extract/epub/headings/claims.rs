//! Which heading belongs to which entry of the contents.

use super::Label;
use crate::text::fences::{Fences, Place};

/// Filled lines at a place among which a heading may stand.
const NEAR_LINES: usize = 5;

/// A title has no more words than so many beside those of its label.
const SHORT_LINE: usize = 8;

/// Bytes of a line that are looked at.
const LONGEST_LINE: usize = 2000;

/// What a label gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// A heading that is there, and its level.
    Heading { line: usize, level: usize },
    /// A paragraph that becomes a heading.
    Title { line: usize },
    /// A heading of its own, put in before a line.
    Put { line: usize },
}

impl Claim {
    pub(super) fn line(&self) -> usize {
        match *self {
            Claim::Heading { line, .. } | Claim::Title { line } | Claim::Put { line } => line,
        }
    }

    /// The level that a claimed heading had.
    pub(super) fn level(&self) -> Option<usize> {
        match *self {
            Claim::Heading { level, .. } => Some(level),
            _ => None,
        }
    }
}

/// The lines of a text: their starts, and whether they stand inside a fence.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<(usize, bool)>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Lines<'t> {
        let mut starts = Vec::new();
        let (mut at, mut fences) = (0, Fences::default());
        for line in text.split_inclusive('\n') {
            starts.push((at, matches!(fences.read(line), Place::Inside | Place::Closes)));
            at += line.len();
        }
        Lines { text, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Where a line begins; the end of the text for the one behind the last.
    pub(super) fn start(&self, number: usize) -> usize {
        self.starts.get(number).map_or(self.text.len(), |line| line.0)
    }

    /// A line with its end.
    pub(super) fn whole(&self, number: usize) -> &'t str {
        &self.text[self.start(number)..self.start(number + 1)]
    }

    pub(super) fn line(&self, number: usize) -> &'t str {
        self.whole(number).trim_end_matches('\n')
    }

    /// The level and the words of a heading.
    pub(super) fn heading(&self, number: usize) -> Option<(usize, &'t str)> {
        let line = self.line(number);
        let level = line.bytes().take_while(|&byte| byte == b'#').count();
        let is_heading =
            (1..=6).contains(&level) && line[level..].starts_with(' ') && !self.is_fenced(number);
        is_heading.then(|| (level, line[level + 1..].trim_start()))
    }

    fn is_fenced(&self, number: usize) -> bool {
        self.starts.get(number).is_some_and(|line| line.1)
    }

    pub(super) fn is_blank(&self, number: usize) -> bool {
        self.line(number).trim().is_empty()
    }

    /// The line that holds a byte; behind the last for the end of the text.
    pub(super) fn at(&self, at: usize) -> usize {
        if at >= self.text.len() {
            return self.len();
        }
        self.starts.partition_point(|line| line.0 <= at).saturating_sub(1)
    }

    /// The first line with words at a place: line ends are written with the words that follow them.
    pub(super) fn of(&self, at: usize) -> usize {
        let mut number = self.at(at);
        if self.is_behind(at) {
            number += 1;
        }
        while number < self.len() && self.is_blank(number) {
            number += 1;
        }
        number
    }

    /// True for a place behind the words of a line.
    fn is_behind(&self, at: usize) -> bool {
        at > self.start(self.at(at)) && self.text.get(at..).is_some_and(|rest| rest.starts_with('\n'))
    }

    /// The first line of the block that a line belongs to, but none before `floor`.
    fn block_start(&self, mut number: usize, floor: usize) -> usize {
        while number > floor && number < self.len() && (self.is_fenced(number) || !self.is_blank(number - 1))
        {
            number -= 1;
        }
        number
    }

    /// True for a paragraph of one line.
    pub(super) fn is_alone(&self, number: usize) -> bool {
        let line = self.line(number);
        let is_block = line.starts_with(['|', '>', '-', '`', '!', '#', ' ', '['])
            || line.starts_with(|c: char| c.is_ascii_digit() && line.contains(". "));
        !is_block && self.is_blank(number + 1) && (number == 0 || self.is_blank(number - 1))
    }
}

/// A claim for each label, in their order; lines never go back.
pub(super) fn settle(lines: &Lines<'_>, labels: &[Label<'_>]) -> Vec<Claim> {
    let from: Vec<usize> = labels.iter().map(|label| lines.of(label.at)).collect();
    let mut claims = Vec::with_capacity(labels.len());
    let (mut start, mut floor) = (0, 0);
    while start < labels.len() {
        let same = from[start..].iter().take_while(|&&line| line == from[start]).count();
        let until = from.get(start + same).copied().unwrap_or(lines.len());
        let group = Group { lines, labels: &labels[start..start + same], from: from[start], until, floor };
        for claim in group.claims() {
            floor = claim.line() + usize::from(!matches!(claim, Claim::Put { .. }));
            claims.push(claim);
        }
        start += same;
    }
    claims
}

/// Labels that lead to one place.
struct Group<'g> {
    lines: &'g Lines<'g>,
    labels: &'g [Label<'g>],
    from: usize,
    /// The place of the next label.
    until: usize,
    /// Lines before are taken.
    floor: usize,
}

impl Group<'_> {
    fn claims(&self) -> Vec<Claim> {
        let near = self.near();
        let mut found: Vec<Option<Claim>> = vec![None; self.labels.len()];
        for fits in [is_same, is_similar] {
            for (at, label) in self.labels.iter().enumerate() {
                if found[at].is_none() {
                    let wanted = words(label.words);
                    found[at] = self.heading(&near, &found, at, &|line| fits(&wanted, line));
                }
            }
        }
        for (at, label) in self.labels.iter().enumerate() {
            if found[at].is_none() {
                found[at] = self.title(&near, &found, at, &words(label.words));
            }
        }
        self.with_put(found)
    }

    /// The lines among which headings may stand.
    fn near(&self) -> Vec<usize> {
        let end = self.until.max(self.from);
        let is_loose = self.labels.iter().any(|label| label.is_loose);
        let most = if is_loose { usize::MAX } else { NEAR_LINES + 2 * self.labels.len() };
        let ahead = (self.from.max(self.floor)..end).filter(|&line| !self.lines.is_blank(line)).take(most);
        // The heading whose words a place stands directly behind.
        let behind = (self.floor..self.from).rev().find(|&line| !self.lines.is_blank(line));
        let behind = behind.filter(|&line| self.lines.heading(line).is_some());
        ahead.chain(behind).collect()
    }

    /// True when a line is free, and lies between those of the labels before and after.
    fn is_free(&self, line: usize, found: &[Option<Claim>], at: usize) -> bool {
        let is_after = found[..at].iter().flatten().all(|claim| claim.line() < line);
        is_after && found[at..].iter().flatten().all(|claim| claim.line() > line)
    }

    fn heading(
        &self,
        near: &[usize],
        found: &[Option<Claim>],
        at: usize,
        fits: &dyn Fn(&[String]) -> bool,
    ) -> Option<Claim> {
        near.iter().filter(|&&line| self.is_free(line, found, at)).find_map(|&line| {
            let (level, text) = self.lines.heading(line)?;
            fits(&words(text)).then_some(Claim::Heading { line, level })
        })
    }

    /// A paragraph that is the label, or the beginning of it.
    fn title(&self, near: &[usize], found: &[Option<Claim>], at: usize, wanted: &[String]) -> Option<Claim> {
        let is_title = |line: usize| {
            let text = self.lines.line(line);
            let found = words(text);
            self.lines.is_alone(line) && !found.is_empty() && wanted.starts_with(&found)
        };
        let line = near.iter().copied().find(|&line| self.is_free(line, found, at) && is_title(line));
        line.map(|line| Claim::Title { line })
    }

    /// Headings are put in for those that found none: where their block begins, and behind those before them.
    fn with_put(&self, found: Vec<Option<Claim>>) -> Vec<Claim> {
        let mut claims: Vec<Claim> = Vec::with_capacity(found.len());
        let first = found.iter().flatten().map(Claim::line).min().unwrap_or(usize::MAX);
        for claim in found {
            let floor = claims.last().map_or(self.floor, |claim| match claim {
                Claim::Put { line } => *line,
                other => other.line() + 1,
            });
            claims.push(claim.unwrap_or_else(|| {
                let line = self.lines.block_start(self.from.min(self.lines.len()), self.floor).min(first);
                Claim::Put { line: line.max(floor) }
            }));
        }
        claims
    }
}

fn is_same(label: &[String], heading: &[String]) -> bool {
    label == heading
}

/// True when one is a part of the other, or most words of the label are there.
fn is_similar(label: &[String], heading: &[String]) -> bool {
    if label.is_empty() || heading.is_empty() {
        return false;
    }
    let (name, own) = (unnumbered(label), unnumbered(heading));
    if !name.is_empty() && name == own {
        return true;
    }
    let holds = |long: &[String], short: &[String]| long.windows(short.len()).any(|part| part == short);
    if holds(label, heading) || (holds(heading, label) && heading.len() <= label.len() + SHORT_LINE) {
        return true;
    }
    label.len() > 2 && label.iter().filter(|word| heading.contains(word)).count() * 10 >= label.len() * 7
}

/// Without a number in front, which contents and pages may write in different figures: `II. Friendship`, `2. Friendship`.
fn unnumbered(words: &[String]) -> &[String] {
    let is_number = |word: &String| {
        word.chars().all(|c| c.is_ascii_digit()) || word.chars().all(|c| "ivxlcdm".contains(c))
    };
    match words.split_first() {
        Some((first, rest)) if is_number(first) => rest,
        _ => words,
    }
}

/// The words of a line, as they are compared.
pub(super) fn words(text: &str) -> Vec<String> {
    let end = (0..=LONGEST_LINE.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..end]
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}
