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
    let body = between.split_once('\n').map_or("", |(_, body)| body);
    above.level < below.level && body.trim().is_empty()
}

/// The starts of the items of a spine, except the first.
fn items(segment: &Segment) -> Vec<usize> {
    let item = |place: &Locator| match place {
        Locator::Part { of: PartOwner::Spine, first, .. } => Some(first.clone()),
        _ => None,
    };
    let places = segment.places.0.windows(2);
    places
        .filter(|pair| item(&pair[0].1).is_some() && item(&pair[0].1) != item(&pair[1].1))
        .map(|pair| pair[1].0.start)
        .collect()
}
