//! Gives every label of the contents its heading, and records where its section begins.

use super::claims::{self, HeadingClaim, TextLines};
use super::label::{AnchorConfidence, HeadingDepth, TocLabel};
use crate::limits::epub::MAX_COMPARED_LABELS;
use crate::markdown::{Block, MarkdownDraft, Words};
use pensieve_text::model::{Locator, LocatorMap, SectionStart, Segment, Span};
use std::collections::{HashMap, HashSet};

/// Labels at their places, in the order of the contents. A label without a place goes to the start of its part if it
/// is the first there, else before the next label that has a place.
pub(crate) fn placed(labels: Vec<(TocLabel<'_>, Option<usize>)>) -> Vec<TocLabel<'_>> {
    let mut next = usize::MAX;
    let mut found: Vec<TocLabel<'_>> = Vec::with_capacity(labels.len());
    for (number, (label, place)) in labels.into_iter().enumerate().rev() {
        next = place.unwrap_or(next);
        let at = if place.is_none() && number == 0 { 0 } else { next };
        found.push(TocLabel { at, ..label });
    }
    found.reverse();
    found
}

/// The words of a label or a heading, in the form in which they are compared.
pub(crate) fn key(words: &str) -> String {
    claims::words(words).concat()
}

/// The words of the headings of a text.
pub(crate) fn titles(text: &str) -> HashSet<String> {
    let lines = TextLines::new(text);
    (0..lines.len()).filter_map(|number| lines.heading(number)).map(|(_, words)| key(words)).collect()
}

/// How to handle a label that finds no heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MissingHeading {
    /// It becomes a heading.
    Put,
    /// Its section begins without one.
    Note,
}

/// Gives every label its heading, and records where its section begins.
pub(crate) fn put(segment: Segment, labels: Vec<TocLabel<'_>>, depth: &mut HeadingDepth) -> Segment {
    settle(segment, labels, depth, MissingHeading::Put)
}

/// A text below a heading at a level: an existing one if the text begins with the same words. Its other headings move
/// below it.
pub fn entitled(segment: Segment, title: &str, level: usize, seq: usize) -> Segment {
    let label = TocLabel { seq, level, words: title, at: 0, confidence: AnchorConfidence::Start };
    put(segment, vec![label], &mut HeadingDepth::default())
}

/// The same without adding any words.
pub(crate) fn claim(segment: Segment, labels: Vec<TocLabel<'_>>, depth: &mut HeadingDepth) -> Segment {
    settle(segment, labels, depth, MissingHeading::Note)
}

fn settle(
    segment: Segment,
    mut labels: Vec<TocLabel<'_>>,
    depth: &mut HeadingDepth,
    missing: MissingHeading,
) -> Segment {
    if labels.is_empty() && depth.open == 0 {
        return segment;
    }
    labels.sort_by_key(|label| label.at);
    let (labels, repeats) = without_repeats(labels);
    let lines = TextLines::new(&segment.text);
    let claims = claims::settle(&lines, &labels);
    let settled = claims.into_iter().zip(&labels).filter_map(|(claim, label)| Some((claim?, label)));
    let mut writing = HeadingWriter {
        lines: &lines,
        missing,
        text: String::new(),
        starts: Vec::new(),
        sections: Vec::new(),
        moved_lines: HashMap::new(),
        levels: HashMap::new(),
        follows_put: false,
    };
    writing.write(settled.collect(), depth);
    let HeadingWriter { starts, sections, mut text, moved_lines, .. } = writing;
    // Nothing follows a heading that was inserted at the end.
    if text.ends_with("\n\n") && !segment.text.ends_with("\n\n") {
        text.pop();
    }
    let moved = |at: usize| {
        let number = lines.at(at);
        (starts[number] + at - lines.start(number)).min(text.len())
    };
    let mut places: Vec<(Span, Locator)> = Vec::with_capacity(segment.places.0.len());
    let last = segment.places.0.len().saturating_sub(1);
    for (number, (span, place)) in segment.places.0.iter().enumerate() {
        let end = if number == last { text.len() } else { moved(span.end) };
        places.push((Span { start: moved(span.start), end }, place.clone()));
    }
    if !moved_lines.is_empty() {
        // Lines may have moved: each place ends where the next begins.
        places.sort_by_key(|(span, _)| span.start);
        if let (Some((old, _)), Some((first, _))) = (segment.places.0.first(), places.first_mut()) {
            first.start = first.start.min(old.start);
        }
        let ends: Vec<usize> =
            places.iter().skip(1).map(|(span, _)| span.start).chain([text.len()]).collect();
        places.iter_mut().zip(ends).for_each(|((span, _), end)| span.end = end);
    }
    let sections = with_repeats(sections, &repeats);
    let mut kept = LocatorMap::default();
    places.into_iter().for_each(|(span, place)| kept.push(span, place));
    Segment { text, places: kept, sections, ..Segment::default() }
}

/// The first labels with their words at their place, and the others with the number of the label that they repeat.
fn without_repeats(labels: Vec<TocLabel<'_>>) -> (Vec<TocLabel<'_>>, Vec<(usize, TocLabel<'_>)>) {
    let (mut first, mut repeats): (Vec<TocLabel<'_>>, Vec<(usize, TocLabel<'_>)>) = Default::default();
    for label in labels {
        let here = first.iter().rev().take_while(|other| other.at == label.at).take(MAX_COMPARED_LABELS);
        match here.clone().find(|other| label.repeats(other)).map(|other| other.seq) {
            Some(other) => repeats.push((other, label)),
            None => first.push(label),
        }
    }
    (first, repeats)
}

/// A repeat begins where the section of the repeated label begins.
fn with_repeats(sections: Vec<SectionStart>, repeats: &[(usize, TocLabel<'_>)]) -> Vec<SectionStart> {
    let mut all = Vec::with_capacity(sections.len() + repeats.len());
    let mut by_first: HashMap<usize, Vec<&TocLabel<'_>>> = HashMap::new();
    repeats.iter().for_each(|(first, label)| by_first.entry(*first).or_default().push(label));
    for section in sections {
        let own = by_first.get(&section.seq).into_iter().flatten();
        let again = own.map(|label| SectionStart {
            seq: label.seq,
            level: if label.level == 0 { section.level } else { label.level },
            ..section.clone()
        });
        let again: Vec<SectionStart> = again.collect();
        all.push(section);
        all.extend(again);
    }
    all
}

/// Records where the sections of plain text begin, which has no headings.
pub(crate) fn note(mut segment: Segment, mut labels: Vec<TocLabel<'_>>) -> Segment {
    labels.sort_by_key(|label| label.at);
    let lines = TextLines::new(&segment.text);
    let start = |label: &TocLabel<'_>| SectionStart {
        out: lines.start(lines.of(label.at)),
        seq: label.seq,
        level: label.level,
        label: label.words.into(),
    };
    segment.sections = labels.iter().map(start).collect();
    segment
}

/// The text with its headings, as it grows.
struct HeadingWriter<'t> {
    lines: &'t TextLines<'t>,
    missing: MissingHeading,
    text: String,
    /// The start of each old line in the new text, including what is inserted before it.
    starts: Vec<usize>,
    sections: Vec<SectionStart>,
    /// Lines that were written earlier than their position, with the new position.
    moved_lines: HashMap<usize, usize>,
    /// The new levels of headings whose sections begin above them.
    levels: HashMap<usize, usize>,
    /// The last thing written ended with its own blank line.
    follows_put: bool,
}

impl HeadingWriter<'_> {
    fn write(&mut self, claims: Vec<(HeadingClaim, &TocLabel<'_>)>, depth: &mut HeadingDepth) {
        let mut rest = claims.into_iter().peekable();
        for number in 0..=self.lines.len() {
            self.starts.push(self.text.len());
            let mut is_written = false;
            while let Some((claim, label)) = rest.next_if(|(claim, _)| claim.begin() <= number) {
                let own = claim.level().unwrap_or(1);
                let label =
                    &TocLabel { level: if label.level == 0 { own } else { label.level }, ..label.clone() };
                match claim {
                    HeadingClaim::Put { .. } if self.missing == MissingHeading::Note => self.begin(label),
                    HeadingClaim::Put { .. } => self.put(label),
                    _ if claim.begin() < claim.line() => {
                        self.before(&claim, label);
                        self.starts[number] = self.text.len();
                    }
                    _ => self.claimed(number, label, claim.level()),
                }
                depth.enter(label.level, claim.level());
                self.follows_put = match claim {
                    HeadingClaim::Put { .. } => self.missing == MissingHeading::Put,
                    _ => self.follows_put && claim.begin() < claim.line(),
                };
                is_written |= !matches!(claim, HeadingClaim::Put { .. }) && claim.begin() == claim.line();
            }
            if let Some(at) = self.moved_lines.get(&number) {
                self.starts[number] = *at;
                self.follows_put = self.text.ends_with("\n\n");
            } else if !is_written && number < self.lines.len() {
                self.old_line(number, depth);
            }
        }
    }

    /// A line that no label claims. Inserted headings have their own blank line.
    fn old_line(&mut self, number: usize, depth: &mut HeadingDepth) {
        if self.follows_put && self.lines.is_blank(number) {
            return;
        }
        self.follows_put = false;
        match (self.lines.heading(number), self.levels.get(&number)) {
            (Some((_, words)), Some(level)) => self.heading(*level, words),
            (Some((level, words)), None) => self.heading(depth.of_other(level), words),
            (None, Some(level)) => self.heading(*level, without_emphasis(self.lines.line(number))),
            (None, None) => self.line(self.lines.whole(number)),
        }
    }

    /// A heading whose section begins above it is written there first. If the text must not change, only the section
    /// begins.
    fn before(&mut self, claim: &HeadingClaim, label: &TocLabel<'_>) {
        let line = claim.line();
        // A number above its name, as the contents write both.
        let all = (claim.begin()..=line).map(|line| self.lines.line(line)).collect::<Vec<_>>().join(" ");
        let is_whole = key(&all) == key(label.words);
        let has_number = self.lines.heading(claim.begin()).is_some();
        if self.missing == MissingHeading::Note || has_number && !is_whole {
            self.begin(label);
            let headings =
                (claim.begin()..=line).filter(|&at| at == line || self.lines.heading(at).is_some());
            self.levels.extend(headings.map(|at| (at, label.level.clamp(1, 6))));
            return;
        }
        self.part();
        let at = self.text.len();
        if is_whole {
            self.begin(label);
            self.plain_heading(label);
            self.moved_lines.extend((claim.begin()..=line).map(|line| (line, at)));
        } else {
            self.claimed(line, label, claim.level());
            self.text.push('\n');
            self.moved_lines.insert(line, at);
        }
        self.follows_put = true;
    }

    fn begin(&mut self, label: &TocLabel<'_>) {
        let (out, seq, level) = (self.text.len(), label.seq, label.level);
        self.sections.push(SectionStart { out, seq, level, label: label.words.into() });
    }

    /// A heading that the text lacks.
    fn put(&mut self, label: &TocLabel<'_>) {
        self.part();
        self.begin(label);
        self.plain_heading(label);
    }

    /// A heading of the words of the label, and a blank line.
    fn plain_heading(&mut self, label: &TocLabel<'_>) {
        let mut draft = MarkdownDraft::new();
        let level = label.level.clamp(1, 6) as u8;
        draft.push(&Block::Heading { level, words: Words::plain(label.words) });
        self.text.push_str(&draft.finish().text);
        self.text.push('\n');
    }

    /// A heading or paragraph that is the label's own.
    fn claimed(&mut self, number: usize, label: &TocLabel<'_>, heading: Option<usize>) {
        self.begin(label);
        let line = self.lines.line(number);
        let words = match heading {
            Some(_) => line.trim_start_matches('#').trim_start(),
            None => without_emphasis(line),
        };
        // Words that only a style separates here may be separate words in the contents.
        let (own, wanted) = (claims::words(words), claims::words(label.words));
        if self.missing == MissingHeading::Put
            && own != wanted
            && own.concat() == wanted.concat()
            && own.len() < wanted.len()
        {
            self.plain_heading(label);
            self.text.pop();
            return;
        }
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

    /// Writes a blank line before inserted text.
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
mod tests {
    use super::*;

    #[test]
    fn emphasis_around_a_whole_line_is_no_part_of_a_heading() {
        for (line, expected) in [
            ("a", "a"),
            ("*a*", "a"),
            ("**a b**", "a b"),
            ("***a***", "a"),
            ("****a****", "****a****"),
            ("**a*", "**a*"),
            ("*a", "*a"),
            ("*a* b *c*", "*a* b *c*"),
            ("*", "*"),
        ] {
            assert_eq!(without_emphasis(line), expected, "{line}");
        }
    }

    fn label(seq: usize, level: usize, words: &str, at: usize) -> TocLabel<'_> {
        TocLabel { seq, level, words, at, confidence: AnchorConfidence::Start }
    }

    fn starts(segment: &Segment) -> Vec<(usize, usize, usize, &str)> {
        let start = |start: &'_ SectionStart| (start.seq, start.level, start.out);
        segment
            .sections
            .iter()
            .map(|section| (start(section), &*section.label))
            .map(|((seq, level, out), label)| (seq, level, out, label))
            .collect()
    }

    #[test]
    fn sections_of_plain_text_begin_at_their_words() {
        let segment = Segment { text: "a\n\nb\n".to_owned(), ..Segment::default() };
        let found = note(segment, vec![label(0, 1, "B", 2), label(1, 2, "A", 0)]);
        assert_eq!(found.text, "a\n\nb\n");
        assert_eq!(starts(&found), [(1, 2, 0, "A"), (0, 1, 3, "B")]);
    }

    #[test]
    fn a_titled_text_has_its_other_headings_below_the_title() {
        let segment = |text: &str| Segment { text: text.to_owned(), ..Segment::default() };
        let found = entitled(segment("# One\n\n# a\n"), "One", 2, 5);
        assert_eq!((found.text.as_str(), starts(&found)), ("## One\n\n### a\n", vec![(5, 2, 0, "One")]));
        let found = entitled(segment("x\n"), "One", 1, 0);
        assert_eq!((found.text.as_str(), starts(&found)), ("# One\n\nx\n", vec![(0, 1, 0, "One")]));
    }

    #[test]
    fn repeats_have_their_own_levels_if_the_contents_say_them() {
        let segment = Segment { text: "# B\n\nx\n".to_owned(), ..Segment::default() };
        let labels = vec![label(0, 1, "B", 0), label(1, 2, "B", 0), label(2, 0, "B", 0)];
        let found = put(segment, labels, &mut HeadingDepth::default());
        assert_eq!(starts(&found), [(0, 1, 0, "B"), (1, 2, 0, "B"), (2, 1, 0, "B")]);
    }
}
