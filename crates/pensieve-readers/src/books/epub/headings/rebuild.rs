//! Contents from the headings of the text, for books whose own are missing or point nowhere. If a book has no headings
//! either, lines in bold type and the titles of its pages take their place.

use super::claims::TextLines;
use super::counting::is_number;
use super::label::{AnchorConfidence, HeadingDepth, TocLabel};
use super::placing::claim;
use crate::limits::epub::{MAX_REBUILT_LABEL_CHARACTERS, MAX_REBUILT_SECTIONS};
use pensieve_text::model::Segment;
use pensieve_text::text::markdown::heading_words;

/// The most words of a line below a number that can be its name.
const MAX_NAME_WORDS: usize = 12;

/// Makes a section of every heading; its depth follows from the headings above it.
#[derive(Debug, Default)]
pub(crate) struct TocRebuilder {
    open: Vec<usize>,
    /// True for a book without headings.
    pub by_titles: bool,
    /// The title of the page before.
    title: String,
    /// Sections so far.
    pub found: usize,
}

impl TocRebuilder {
    /// A rebuilder for a book with or without headings.
    pub(crate) fn new(by_titles: bool) -> TocRebuilder {
        TocRebuilder { by_titles, ..TocRebuilder::default() }
    }

    /// Records the sections of the next segment; their headings get the same depth.
    pub(crate) fn note(&mut self, segment: Segment, title: Option<&str>) -> Segment {
        let entries = match self.by_titles {
            true => self.titles(&segment.text, title),
            false => self.entries(&segment.text),
        };
        let labels = entries.iter().map(|(seq, level, words, at)| TocLabel {
            seq: *seq,
            level: *level,
            words,
            at: *at,
            confidence: AnchorConfidence::Place,
        });
        claim(segment, labels.collect(), &mut HeadingDepth::default())
    }

    /// The same from lines in bold type; from the title of the page if it has none.
    fn titles(&mut self, text: &str, title: Option<&str>) -> Vec<(usize, usize, String, usize)> {
        let lines = TextLines::new(text);
        let mut entries = Vec::new();
        let bold =
            |number: &usize| lines.is_alone(*number).then(|| bold_words(lines.line(*number))).flatten();
        let found =
            (0..lines.len()).filter_map(|number| Some((lines.start(number), bold(&number)?.to_owned())));
        entries.extend(found);
        let is_new = |title: &&str| !title.trim().is_empty() && *title != self.title;
        if let Some(title) = title.filter(|_| entries.is_empty() && !text.trim().is_empty()).filter(is_new) {
            entries.push((0, title.to_owned()));
            title.clone_into(&mut self.title);
        }
        entries.truncate(MAX_REBUILT_SECTIONS.saturating_sub(self.found));
        let first = self.found;
        self.found += entries.len();
        let label = |words: String| words.chars().take(MAX_REBUILT_LABEL_CHARACTERS).collect();
        let entries = entries.into_iter().enumerate();
        entries.map(|(at, (start, words))| (first + at, 1, label(words), start)).collect()
    }

    /// Number, level, label and place of each section of a segment.
    fn entries(&mut self, text: &str) -> Vec<(usize, usize, String, usize)> {
        let lines = TextLines::new(text);
        let mut entries = Vec::new();
        // The heading that is the name of the number before it.
        let mut taken = None;
        for number in 0..lines.len() {
            let Some((level, markup)) = lines.heading(number).filter(|_| taken != Some(number)) else {
                continue;
            };
            let mut label = plain(markup);
            if let Some((line, name)) = name_of(&lines, number).filter(|_| is_number(&label)) {
                label = format!("{}: {name}", label.trim_end_matches(['.', ':']));
                taken = Some(line);
            }
            if label.is_empty() || self.found >= MAX_REBUILT_SECTIONS {
                continue;
            }
            while self.open.last().is_some_and(|open| *open >= level) {
                self.open.pop();
            }
            self.open.push(level);
            entries.push((self.found, self.open.len(), label, lines.start(number)));
            self.found += 1;
        }
        entries
    }
}

/// The name directly below a number, and its line: a heading, or a short line that is not a sentence.
fn name_of(lines: &TextLines<'_>, number: usize) -> Option<(usize, String)> {
    let line = (number + 1..lines.len()).find(|&line| !lines.is_blank(line))?;
    if let Some((deeper, markup)) = lines.heading(line) {
        let is_below = lines.heading(number).is_some_and(|(level, _)| deeper >= level);
        return Some((line, plain(markup)))
            .filter(|(_, name)| is_below && !name.is_empty() && !is_number(name));
    }
    let name = plain(lines.line(line));
    let is_name = lines.is_alone(line)
        && name.split_whitespace().count() <= MAX_NAME_WORDS
        && name.starts_with(char::is_uppercase)
        && name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '”' | '’' | '"'));
    is_name.then_some((line, name))
}

/// The words of a line that is in bold type from its first word to its last, if they are few.
fn bold_words(line: &str) -> Option<&str> {
    let words = line.strip_prefix("**")?.strip_suffix("**")?;
    let is_one = !words.contains("**") && (1..=MAX_NAME_WORDS).contains(&words.split_whitespace().count());
    is_one.then_some(words)
}

/// The words of a heading, without its markup.
fn plain(markup: &str) -> String {
    heading_words(markup).chars().take(MAX_REBUILT_LABEL_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(usize, &str)]) {
        let segment = Segment { text: text.to_owned(), ..Segment::default() };
        let segment = TocRebuilder::default().note(segment, None);
        let found: Vec<(usize, &str)> =
            segment.sections.iter().map(|section| (section.level, &*section.label)).collect();
        assert_eq!(found, expected, "of {text}");
    }

    #[test]
    fn every_heading_is_a_section_as_deep_as_those_above_say() {
        check("# A\n\n### B\n\n## C\n\n# D\n", &[(1, "A"), (2, "B"), (2, "C"), (1, "D")]);
    }

    #[test]
    fn bold_lines_and_titles_stand_for_headings() {
        let mut rebuilder = TocRebuilder::new(true);
        let mut sections = |text: &str, title| {
            let segment = Segment { text: text.to_owned(), ..Segment::default() };
            let segment = rebuilder.note(segment, Some(title));
            let labels: Vec<String> =
                segment.sections.iter().map(|section| section.label.to_string()).collect();
            (segment.text, labels)
        };
        let (text, labels) = sections("**One**\n\na **b** c\n\n**Two**\n\nd\n", "A book");
        assert_eq!(
            (text.as_str(), labels.join("|")),
            ("# One\n\na **b** c\n\n# Two\n\nd\n", "One|Two".to_owned())
        );
        assert_eq!(sections("e\n", "Three"), ("e\n".to_owned(), vec!["Three".to_owned()]));
        assert_eq!(sections("f\n", "Three").1.len(), 0);
    }

    #[test]
    fn a_number_takes_the_name_below_it() {
        check(
            "## I\n\nAncestry and Early Youth\n\nDear Son: I have.\n",
            &[(1, "I: Ancestry and Early Youth")],
        );
        check(
            "# Chapter 2.\n\n## The Storm\n\nIt rained.\n\n## Calm\n",
            &[(1, "Chapter 2: The Storm"), (2, "Calm")],
        );
        check("# III\n\nIt was night.\n\n# 4\n\n# 5\n\nof man\n", &[(1, "III"), (1, "4"), (1, "5")]);
        check("## C\n\n### Cat\n\n# 7\n\n# Dog\n", &[(1, "C"), (2, "Cat"), (1, "7: Dog")]);
        check("# Preface\n\nTo the Reader\n\nx\n", &[(1, "Preface")]);
    }
}
