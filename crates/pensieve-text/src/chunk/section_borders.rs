//! Borders that no chunk crosses: the start of a section of the document's own table of contents, and the start of an
//! item of a book's spine.
//!
//! A section that consists of its heading alone, such as the title of a part, stays with the first section below it if
//! both stand in the same item.

use super::heading_path::HeadingPath;
use crate::model::{Locator, PartOwner, SectionStart, Segment};

/// The section borders of one segment.
#[derive(Debug, Default)]
pub(super) struct SectionBorders<'a> {
    /// The sections that begin in the segment.
    pub sections: &'a [SectionStart],
    /// The positions of the borders, in order.
    pub cuts: Vec<usize>,
}

impl<'a> SectionBorders<'a> {
    pub(super) fn of(segment: &'a Segment) -> SectionBorders<'a> {
        let items = items(segment);
        let mut cuts = items.clone();
        for (number, section) in segment.sections.iter().enumerate() {
            let above = number.checked_sub(1).and_then(|above| segment.sections.get(above));
            let stays = above.is_some_and(|above| is_title_of(segment, above, section));
            if !stays && section.out > 0 {
                cuts.push(section.out);
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        SectionBorders { sections: &segment.sections, cuts }
    }

    /// The sections that begin in a range of the text.
    pub(super) fn sections_in(&self, start: usize, end: usize) -> &'a [SectionStart] {
        let next = self.sections.partition_point(|section| section.out < start);
        let after = self.sections.partition_point(|section| section.out < end);
        &self.sections[next..after.max(next)]
    }

    /// True if a border lies at this byte.
    pub(super) fn is_cut(&self, at: usize) -> bool {
        self.cuts.binary_search(&at).is_ok()
    }

    /// The headings above each place, for texts whose own headings are unknown.
    pub(super) fn paths(&self, headings: &mut HeadingPath) -> Vec<(usize, Option<String>)> {
        let mut paths = vec![(0, headings.path())];
        for section in self.sections {
            headings.enter_words(section.level, &section.label);
            paths.push((section.out, headings.path()));
        }
        paths
    }
}

/// True if a section has no words of its own before the section below it.
fn is_title_of(segment: &Segment, above: &SectionStart, below: &SectionStart) -> bool {
    let between = &segment.text[above.out..below.out.max(above.out)];
    // The first line is the heading itself.
    let body = between.split_once('\n').map_or("", |(_, body)| body);
    above.level < below.level && body.trim().is_empty()
}

/// The starts of the items of a spine, except the first.
fn items(segment: &Segment) -> Vec<usize> {
    let item = |place: &Locator| match place.unmarked() {
        Some(Locator::Part { of: PartOwner::Spine, first, .. }) => Some(first.clone()),
        _ => None,
    };
    let places = segment.places.0.windows(2);
    places
        .filter(|pair| item(&pair[0].1).is_some() && item(&pair[0].1) != item(&pair[1].1))
        .map(|pair| pair[1].0.start)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{LocatorMap, Span};

    /// A segment whose sections begin at their labels, each given by its level, and whose places begin at the given bytes.
    fn segment(text: &str, sections: &[(usize, &str)], places: &[(usize, Locator)]) -> Segment {
        let sections = sections.iter().enumerate().map(|(seq, &(level, label))| SectionStart {
            out: text.find(label).unwrap(),
            seq,
            level,
            label: label.into(),
        });
        let ends = places.iter().skip(1).map(|(start, _)| *start).chain([text.len()]);
        let places =
            places.iter().zip(ends).map(|((start, place), end)| (Span::new(*start, end), place.clone()));
        Segment {
            text: text.to_owned(),
            sections: sections.collect(),
            places: LocatorMap(places.collect()),
            ..Segment::default()
        }
    }

    fn check(text: &str, sections: &[(usize, &str)], expected: &[usize]) {
        let segment = segment(text, sections, &[]);
        let borders = SectionBorders::of(&segment);
        assert_eq!(borders.cuts, expected, "{text:?}");
        assert!((0..text.len()).all(|at| borders.is_cut(at) == expected.contains(&at)));
    }

    #[test]
    fn sections_begin_at_borders_and_titles_stay_with_what_they_name() {
        check("One\na\nTwo\nb", &[(1, "One"), (1, "Two")], &[6]);
        check("x\nOne\na\nTwo\nb", &[(1, "One"), (1, "Two")], &[2, 8]);
        check("x\nPart\n\nOne\na\nTwo\nb", &[(1, "Part"), (2, "One"), (2, "Two")], &[2, 14]);
        check("x\nPart\na\nOne", &[(1, "Part"), (2, "One")], &[2, 9]);
        check("x\nOne\n\nTwo", &[(1, "One"), (1, "Two")], &[2, 7]);
        check("x\nOne\n\nTwo", &[(2, "One"), (1, "Two")], &[2, 7]);
    }

    #[test]
    fn items_of_a_spine_begin_at_borders() {
        let check = |places: &[Locator], expected: &[usize]| {
            let places: Vec<_> =
                places.iter().enumerate().map(|(at, place)| (2 * at, place.clone())).collect();
            let segment = segment("a\nb\nc\n", &[], &places);
            assert_eq!(SectionBorders::of(&segment).cuts, expected, "{places:?}");
        };
        let spine = |item: &str, at: usize| Locator::spine(item, Some(Span::new(at, at + 1)));
        check(&[spine("a", 0), spine("a", 1), spine("b", 0)], &[4]);
        check(&[spine("a", 0), Locator::page(1), Locator::page(2)], &[2]);
        check(&[Locator::page(1), spine("a", 0), spine("b", 0)], &[4]);
        check(&[Locator::page(1), Locator::page(2)], &[]);
        // A title stays with the section below it, but not across two items.
        let places = [(0, spine("a", 0)), (4, spine("b", 0))];
        let segment = segment("One\nTwo\nb", &[(1, "One"), (2, "Two")], &places);
        assert_eq!(SectionBorders::of(&segment).cuts, [4]);
    }

    #[test]
    fn sections_of_a_range_begin_in_it() {
        let segment = segment("One\na\nTwo\nb", &[(1, "One"), (2, "Two")], &[]);
        let borders = SectionBorders::of(&segment);
        let check = |start: usize, end: usize, expected: &[&str]| {
            let labels: Vec<&str> =
                borders.sections_in(start, end).iter().map(|section| &*section.label).collect();
            assert_eq!(labels, expected, "{start} to {end}");
        };
        check(0, 6, &["One"]);
        check(0, 7, &["One", "Two"]);
        check(6, 11, &["Two"]);
        check(7, 11, &[]);
        check(7, 1, &[]);
        let paths = borders.paths(&mut HeadingPath::default());
        assert_eq!(paths, [(0, None), (0, Some("One".to_owned())), (6, Some("One > Two".to_owned()))]);
    }
}
