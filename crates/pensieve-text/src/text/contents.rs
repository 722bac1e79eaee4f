//! The table of contents of a text: its sections and their anchors.

use crate::model::{DocumentSection, Locator, PartOwner, SectionStart, Segment};
use std::collections::{HashMap, HashSet};

/// The anchor of a single label: lower case, with one hyphen in place of each run of other characters than letters and
/// digits, but no hyphen at the ends.
pub(crate) fn slug(label: &str) -> String {
    let mut slug = String::with_capacity(label.len());
    let mut waits = false;
    for c in label.chars() {
        if !c.is_alphanumeric() && !is_mark(c) {
            waits = !slug.is_empty();
            continue;
        }
        if std::mem::take(&mut waits) {
            slug.push('-');
        }
        slug.extend(c.to_lowercase());
    }
    slug
}

/// Combining vowel signs and accents, which Indic scripts need.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The visible characters of a label, in one line.
fn visible(label: &str) -> String {
    let seen = label.replace(is_unseen, "").split_whitespace().collect::<Vec<_>>().join(" ");
    if seen.is_empty() { label.to_owned() } else { seen }
}

/// Soft hyphens and zero-width spaces.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Assigns a unique anchor to each label; repeated anchors get `-2`, `-3`.
#[derive(Debug, Default)]
pub(crate) struct AnchorAllocator {
    taken: HashSet<String>,
    next: HashMap<String, usize>,
}

impl AnchorAllocator {
    /// The anchor of the next label; `section` if it has no letters or digits.
    pub fn of(&mut self, label: &str) -> String {
        let own = Some(slug(label)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| "section".to_owned());
        if self.taken.insert(own.clone()) {
            return own;
        }
        let number = self.next.entry(own.clone()).or_insert(2);
        loop {
            let repeat = format!("{own}-{number}");
            *number += 1;
            if self.taken.insert(repeat.clone()) {
                return repeat;
            }
        }
    }
}

/// Collects the sections of a text from its segments.
#[derive(Debug, Default)]
pub struct SectionList(Vec<(SectionStart, Option<String>)>);

impl SectionList {
    /// Adds the sections that begin in a segment, which begins at `base`.
    pub fn add(&mut self, segment: &Segment, base: usize) {
        for start in &segment.sections {
            let moved = SectionStart { out: base + start.out, ..start.clone() };
            self.0.push((moved, item_at(segment, start.out)));
        }
    }

    /// The sections in the order of the contents, for a text of this many bytes.
    pub fn finish(self, length: usize) -> Vec<DocumentSection> {
        let ends = ends(&self.0, length);
        let section = |((start, locator), end): ((SectionStart, Option<String>), usize)| DocumentSection {
            seq: start.seq,
            level: start.level,
            label: visible(&start.label),
            anchor: String::new(),
            start: start.out,
            end,
            locator,
        };
        let mut sections: Vec<DocumentSection> = self.0.into_iter().zip(ends).map(section).collect();
        sections.sort_by_key(|section| section.seq);
        sections.dedup_by_key(|section| section.seq);
        let mut anchors = AnchorAllocator::default();
        // Two entries with the same label at the same place share an anchor.
        let mut known: HashMap<(usize, String), String> = HashMap::new();
        for section in &mut sections {
            let place = (section.start, section.label.clone());
            section.anchor = known.entry(place).or_insert_with(|| anchors.of(&section.label)).clone();
        }
        sections
    }
}

/// The end of each section: the start of the next one that is not below it. Two equal sections have the same end.
fn ends(starts: &[(SectionStart, Option<String>)], length: usize) -> Vec<usize> {
    let mut ends = vec![length; starts.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut equal_sections: Vec<(usize, usize)> = Vec::new();
    for (number, (start, _)) in starts.iter().enumerate() {
        let is_same = |above: usize| starts[above].0.out == start.out && starts[above].0.label == start.label;
        let equal = open.last().copied().filter(|&above| is_same(above));
        let ends_before = |above: &mut usize| starts[*above].0.level >= start.level && !is_same(*above);
        while let Some(above) = open.pop_if(ends_before) {
            ends[above] = start.out;
        }
        equal_sections.extend(equal.map(|equal| (number, equal)));
        if equal.is_none() {
            open.push(number);
        }
    }
    equal_sections.into_iter().for_each(|(number, equal)| ends[number] = ends[equal]);
    ends
}

/// The locator of a byte; for a book only the spine item.
fn item_at(segment: &Segment, at: usize) -> Option<String> {
    let after = segment.places.0.partition_point(|(span, _)| span.end <= at);
    let (_, place) = segment.places.0.get(after).filter(|(span, _)| span.start <= at)?;
    Some(match place.unmarked()? {
        Locator::Part { of: PartOwner::Spine, first, .. } => Locator::spine(first.clone(), None).to_json(),
        other => other.to_json(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LocatorMap, Span};

    #[test]
    fn anchors_are_slugs_of_any_script() {
        let check = |label: &str, expected: &str| assert_eq!(slug(label), expected, "of {label}");
        check("Section 1.1: Subtitle", "section-1-1-subtitle");
        check("  Über — die\u{a0}Straße! ", "über-die-straße");
        check("Глава 1. Ночь", "глава-1-ночь");
        check("第一章", "第一章");
        check("हिन्दी भाग", "हिन्दी-भाग");
        check("* * *", "");
    }

    #[test]
    fn a_repeat_gets_a_number_that_nobody_has() {
        let mut anchors = AnchorAllocator::default();
        let labels = ["Notes", "Notes 2", "NOTES", "Notes", "…", "—"];
        let found = labels.map(|label| anchors.of(label));
        assert_eq!(found, ["notes", "notes-2", "notes-3", "notes-4", "section", "section-2"]);
    }

    #[test]
    fn repeated_entries_of_one_place_are_one_section() {
        let start = |out, seq, label: &str| SectionStart { out, seq, level: 1, label: label.into() };
        let sections = vec![start(0, 0, "B"), start(0, 1, "B"), start(4, 2, "B"), start(4, 3, "C")];
        let mut list = SectionList::default();
        list.add(&Segment { text: "12345678".to_owned(), sections, ..Segment::default() }, 0);
        let found = list.finish(8).into_iter().map(|s| (s.anchor, s.start, s.end));
        let found: Vec<(String, usize, usize)> = found.collect();
        let row = |anchor: &str, start, end| (anchor.to_owned(), start, end);
        assert_eq!(found, [row("b", 0, 4), row("b", 0, 4), row("b-2", 4, 4), row("c", 4, 8)]);
    }

    #[test]
    fn what_nobody_sees_is_no_part_of_a_label() {
        let mut list = SectionList::default();
        let start = SectionStart { out: 0, seq: 0, level: 1, label: "Chap\u{ad}ter\u{200b} One".into() };
        list.add(&Segment { text: "x".to_owned(), sections: vec![start], ..Segment::default() }, 0);
        let found = list.finish(1).remove(0);
        assert_eq!((found.label.as_str(), found.anchor.as_str()), ("Chapter One", "chapter-one"));
    }

    #[test]
    fn a_section_reaches_to_the_next_that_is_not_below_it() {
        let start = |out, seq, level| SectionStart { out, seq, level, label: "x".into() };
        let place = |from, to, item: &str| (Span::new(from, to), Locator::spine(item, Some(Span::new(1, 2))));
        let segment = Segment {
            text: "0123456789".to_owned(),
            places: LocatorMap(vec![place(0, 5, "a"), place(5, 10, "b")]),
            sections: vec![start(0, 1, 1), start(2, 2, 2), start(5, 0, 1)],
            ..Segment::default()
        };
        let mut list = SectionList::default();
        list.add(&segment, 100);
        let found: Vec<String> = list
            .finish(110)
            .iter()
            .map(|s| {
                format!("{} {}-{} {} {}", s.seq, s.start, s.end, s.anchor, s.locator.as_deref().unwrap())
            })
            .collect();
        let spine = |item: &str| format!("{{\"spine\":\"{item}\"}}");
        assert_eq!(
            found,
            [
                format!("0 105-110 x {}", spine("b")),
                format!("1 100-105 x-2 {}", spine("a")),
                format!("2 102-105 x-3 {}", spine("a"))
            ]
        );
    }
}
