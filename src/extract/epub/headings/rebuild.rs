//! Contents from the headings of the text, for books whose own are missing or lead nowhere.

use super::claims::Lines;
use crate::model::{SectionStart, Segment};

/// Characters of a label.
const LONGEST_LABEL: usize = 300;

/// Sections that are noted.
const MOST_SECTIONS: usize = 50_000;

/// Makes a section of every heading, as deep as those above it say.
#[derive(Debug, Default)]
pub(in crate::extract) struct Rebuilder {
    open: Vec<usize>,
    /// Sections so far.
    pub found: usize,
}

impl Rebuilder {
    /// Notes the sections of the next stretch.
    pub(in crate::extract) fn note(&mut self, mut segment: Segment) -> Segment {
        let lines = Lines::new(&segment.text);
        let mut sections = Vec::new();
        for number in 0..lines.len() {
            let Some((level, markup)) = lines.heading(number) else { continue };
            let label = plain(markup);
            if label.is_empty() || self.found >= MOST_SECTIONS {
                continue;
            }
            while self.open.last().is_some_and(|open| *open >= level) {
                self.open.pop();
            }
            self.open.push(level);
            let (out, seq, level) = (lines.start(number), self.found, self.open.len());
            sections.push(SectionStart { out, seq, level, label: label.into() });
            self.found += 1;
        }
        segment.sections = sections;
        segment
    }
}

/// The words of a heading, without its markup.
fn plain(markup: &str) -> String {
    let mut words = String::new();
    let mut rest = markup;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' if after.starts_with(|c: char| c.is_ascii_punctuation()) => {
                words.push_str(&after[..1]);
                rest = &after[1..];
                continue;
            }
            '*' | '`' | '[' => {}
            '!' if after.starts_with('[') => {}
            ']' if after.starts_with('(') => {
                rest = after.split_once(')').map_or("", |(_, rest)| rest);
                continue;
            }
            '#' if after.is_empty() => {}
            c => words.push(c),
        }
        rest = after;
    }
    let words: String = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(LONGEST_LABEL).collect()
}
