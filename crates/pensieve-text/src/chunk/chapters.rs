//! Borders that no chunk crosses: where a section of the document's own contents begins, and where the next item of a
//! book's spine does.
//!
//! A section that is nothing but its heading, such as the title of a part, stays with the first one below it as long
//! as both stand in the same item.

use super::heading::Headings;
use crate::model::{Locator, PartOwner, SectionStart, Segment};

/// What the contents of a document say about one segment of it.
#[derive(Debug, Default)]
pub(super) struct Chapters<'a> {
    /// The sections that begin in the segment.
    pub sections: &'a [SectionStart],
    /// The borders, in order.
    pub cuts: Vec<usize>,
}

impl<'a> Chapters<'a> {
    pub(super) fn of(segment: &'a Segment) -> Chapters<'a> {
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
        Chapters { sections: &segment.sections, cuts }
    }

    /// The sections that begin in this stretch of the text.
    pub(super) fn sections_in(&self, start: usize, end: usize) -> &'a [SectionStart] {
        let next = self.sections.partition_point(|section| section.out < start);
        let behind = self.sections.partition_point(|section| section.out < end);
        &self.sections[next..behind.max(next)]
    }

    /// True where a border lies.
    pub(super) fn is_cut(&self, at: usize) -> bool {
        self.cuts.binary_search(&at).is_ok()
    }

    /// The headings above each place, for texts whose own headings nobody knows.
    pub(super) fn paths(&self, headings: &mut Headings) -> Vec<(usize, Option<String>)> {
        let mut paths = vec![(0, headings.path())];
        for section in self.sections {
            headings.enter_words(section.level, &section.label);
            paths.push((section.out, headings.path()));
        }
        paths
    }
}

/// True for a section without words of its own that the one below follows.
fn is_title_of(segment: &Segment, above: &SectionStart, below: &SectionStart) -> bool {
    let between = &segment.text[above.out..below.out.max(above.out)];
    let body = between.split_once('\n').map_or("", |(_, body)| body);
    above.level < below.level && body.trim().is_empty()
}

/// Where the items of a spine begin, but for the first.
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
