//! Headings from the table of contents, where a chapter has none of its own at the place that an entry leads to.
//!
//! Many books style their chapter titles as plain paragraphs, or draw them. A label whose words already stand at its
//! place is not written again: where they are a paragraph of their own, that becomes the heading.

use crate::extract::markdown::{Block, Draft, Words};
use crate::model::{Places, Segment, Span};

/// Lines at a place among which a heading may stand, and lines before it among which a title may.
const NEAR_LINES: usize = 4;
const LINES_BEFORE: usize = 2;

/// A title has no more words than so many beside those of its label.
const SHORT_LINE: usize = 8;

/// Bytes of a line that are looked at.
const LONGEST_LINE: usize = 2000;

/// A label and the byte of the text behind which its place stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::extract) struct Label<'e> {
    pub level: usize,
    pub words: &'e str,
    pub at: usize,
}

/// Puts the labels into the text where they are missing.
pub(in crate::extract) fn put(segment: Segment, mut labels: Vec<Label<'_>>) -> Segment {
    if labels.is_empty() || segment.text.trim().is_empty() {
        return segment;
    }
    labels.sort_by_key(|label| label.at);
    labels.dedup();
    let lines = Lines::new(&segment.text);
    let insertions: Vec<(usize, String)> = labels.iter().filter_map(|label| lines.insertion(label)).collect();
    with_insertions(segment, insertions)
}

/// The lines of a text: their starts, and whether they stand inside a fence.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<(usize, bool)>,
}

impl Lines<'_> {
    fn new(text: &str) -> Lines<'_> {
        let mut starts = Vec::new();
        let (mut at, mut fence) = (0, None);
        for line in text.split_inclusive('\n') {
            let ticks = line.trim_start().bytes().take_while(|&byte| byte == b'`').count();
            let is_fence = ticks >= 3 && fence.is_none_or(|open| ticks >= open);
            starts.push((at, fence.is_some()));
            if is_fence {
                fence = if fence.is_some() { None } else { Some(ticks) };
            }
            at += line.len();
        }
        Lines { text, starts }
    }

    fn line(&self, number: usize) -> &str {
        let start = self.starts.get(number).map_or(self.text.len(), |line| line.0);
        let end = self.starts.get(number + 1).map_or(self.text.len(), |line| line.0);
        self.text[start..end].trim_end_matches('\n')
    }

    /// What is to be put in for a label, and where.
    fn insertion(&self, label: &Label<'_>) -> Option<(usize, String)> {
        let mut number = self.starts.partition_point(|line| line.0 <= label.at).saturating_sub(1);
        let is_behind = label.at > self.starts.get(number)?.0 && self.text[label.at..].starts_with('\n');
        let has_heading_before = is_behind && self.line(number).starts_with('#');
        number += usize::from(is_behind);
        while number < self.starts.len() && self.line(number).is_empty() {
            number += 1;
        }
        let near = (number..self.starts.len()).filter(|&line| !self.line(line).is_empty()).take(NEAR_LINES);
        let has_heading = has_heading_before || near.into_iter().any(|line| is_heading(self.line(line)));
        if has_heading || number >= self.starts.len() {
            return None;
        }
        while number > 0 && !self.line(number - 1).is_empty() {
            number -= 1;
        }
        let (start, is_fenced) = self.starts[number];
        if is_fenced {
            return None;
        }
        let wanted = words(label.words);
        if self.is_title(number, &wanted) {
            return Some((start, marks(label.level)));
        }
        if self.has_words(number, &wanted) {
            return None;
        }
        let mut draft = Draft::new();
        let level = label.level.clamp(1, 6) as u8;
        draft.push(&Block::Heading { level, words: Words::plain(label.words) });
        Some((start, draft.finish().text + "\n"))
    }

    /// True for a paragraph of one line whose words are those of the label.
    fn is_title(&self, number: usize, wanted: &[String]) -> bool {
        let line = self.line(number);
        let is_block = line.starts_with(['|', '>', '-', '`', '!'])
            || line.starts_with(|c: char| c.is_ascii_digit() && line.contains(". "));
        !is_block && self.line(number + 1).is_empty() && words(line) == wanted
    }

    /// True when the words of a label stand at a line: a line begins with them, or short lines, which titles are and
    /// prose is not, hold them.
    fn has_words(&self, number: usize, wanted: &[String]) -> bool {
        let is_filled = |line: &usize| !self.line(*line).is_empty();
        let before = (0..number).rev().filter(is_filled).take(LINES_BEFORE).last().unwrap_or(number);
        let near = (before..self.starts.len()).filter(is_filled).take(LINES_BEFORE + NEAR_LINES);
        let mut short = Vec::new();
        for line in near {
            let end = ceil(self.line(line), LONGEST_LINE);
            let found = words(&self.line(line)[..end]);
            if found.starts_with(wanted) {
                return true;
            }
            if found.len() <= wanted.len() + SHORT_LINE {
                short.extend(found);
            }
        }
        let is_there = |word: &&String| short.contains(word);
        let is_whole = short.windows(wanted.len().max(1)).any(|window| window == wanted);
        is_whole || (wanted.len() > 2 && wanted.iter().filter(is_there).count() * 10 >= wanted.len() * 7)
    }
}

fn is_heading(line: &str) -> bool {
    line.starts_with('#') && line.trim_start_matches('#').starts_with(' ')
}

fn marks(level: usize) -> String {
    "#".repeat(level.clamp(1, 6)) + " "
}

/// The next character boundary.
fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A text with pieces put in, in order of their places. They belong to the stretch that they stand in front of.
fn with_insertions(segment: Segment, mut insertions: Vec<(usize, String)>) -> Segment {
    insertions.dedup();
    let mut text = String::with_capacity(
        segment.text.len() + insertions.iter().map(|(_, piece)| piece.len()).sum::<usize>(),
    );
    let mut done = 0;
    for (at, piece) in &insertions {
        text.push_str(&segment.text[done..(*at).max(done)]);
        text.push_str(piece);
        done = done.max(*at);
    }
    text.push_str(&segment.text[done..]);
    let mut places = Places::default();
    let (mut next, mut shift) = (0, 0);
    for (span, place) in segment.places.0 {
        let start = span.start + shift;
        while let Some((_, piece)) = insertions.get(next).filter(|(at, _)| *at < span.end) {
            shift += piece.len();
            next += 1;
        }
        places.push(Span::new(start, span.end + shift), place);
    }
    Segment { text, places, ..Segment::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Locator;

    fn check(text: &str, labels: &[(usize, &str, usize)], expected: &str) {
        let places = Places(vec![(Span::new(0, text.len()), Locator::spine("a", None))]);
        let segment = Segment { text: text.to_owned(), places, ..Segment::default() };
        let labels = labels.iter().map(|&(level, words, at)| Label { level, words, at }).collect();
        let found = put(segment, labels);
        assert_eq!(found.text, expected);
        assert_eq!(found.places.0[0].0.end, found.text.len());
    }

    #[test]
    fn missing_headings_are_put_in() {
        let prose = "It was a dark night.\n\nAnd so on.\n";
        check(prose, &[(2, "One", 0)], &format!("## One\n\n{prose}"));
        check(
            prose,
            &[(1, "Two", 20), (1, "One", 0)],
            "# One\n\nIt was a dark night.\n\n# Two\n\nAnd so on.\n",
        );
        check(prose, &[(1, "Part", 0), (2, "One", 0)], &format!("# Part\n\n## One\n\n{prose}"));
        check("a\n\n```\nb\n\nc\n```\n", &[(1, "One", 8)], "a\n\n```\nb\n\nc\n```\n");
    }

    #[test]
    fn words_that_stand_there_are_not_doubled() {
        check(
            "She stood and saw the start of the race from the roof of her house.\n\nx\n",
            &[(1, "The Start", 0)],
            "# The Start\n\nShe stood and saw the start of the race from the roof of her house.\n\nx\n",
        );
        for text in ["# The *Start*\n\nx\n", "image\n\n### Other\n\nx\n", "THE START: x y z\n", ""] {
            check_same(text, "The Start");
        }
        check_same("Chapter 3\n\nHow the whale came\n\nIn the beginning\n", "3. How the Whale came");
        check("**The Start**\n\nx\n", &[(2, "The Start", 0)], "## **The Start**\n\nx\n");
        check("# The Start\n\nx\n", &[(2, "The Start", 11)], "# The Start\n\nx\n");
    }

    fn check_same(text: &str, label: &str) {
        let segment = Segment { text: text.to_owned(), ..Segment::default() };
        assert_eq!(put(segment, vec![Label { level: 1, words: label, at: 0 }]).text, text);
    }
}
