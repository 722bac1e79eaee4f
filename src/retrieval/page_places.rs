//! [`page_around`]: the pages, slides or sheets that a span is on, as a range of the text; [`page_numbered`]: one page.

use crate::store::{DocumentText, StoreError};
use pensieve_text::model::{Locator, Span};
use std::ops::Range;
use std::sync::Arc;

/// The range of the pages, slides or sheets that a span is on, looked for in `reach` bytes on each side; `None` if the
/// document has none there.
///
/// Cost: unpacks the segments that the range touches, and their maps.
pub fn page_around(
    text: &DocumentText<'_>,
    span: Range<usize>,
    reach: usize,
) -> Result<Option<Range<usize>>, StoreError> {
    let (start, around) = text.around(span.clone(), reach)?;
    let Some(segment) = text.segment(start..start + around.len())? else { return Ok(None) };
    let places: Vec<(Span, PageSet)> = segment
        .places
        .0
        .iter()
        .filter_map(|(place, locator)| Some((*place, PageSet::of(locator)?)))
        .collect();
    let (from, to) = (span.start - start, span.end - start);
    let is_hit = |(place, _): &&(Span, PageSet)| place.start < to && place.end > from;
    let pages: Vec<&PageSet> = places.iter().filter(is_hit).map(|(_, pages)| pages).collect();
    let is_on = |(_, set): &(Span, PageSet)| pages.iter().any(|page| page.meets(set));
    let Some(first) = places.iter().position(|place| is_hit(&place)) else { return Ok(None) };
    let before = places[..first].iter().rev().take_while(|place| is_on(place)).count();
    let after = places[first..].iter().take_while(|place| is_on(place) || place.0.start < to).count();
    let (first, next) = (first - before, first + after);
    let page_start = match first.checked_sub(1) {
        // What is between two pages, such as the name of a sheet, belongs to the next one from the first new line on.
        Some(before) => line_start(&segment.text, places[before].0.end, places[first].0.start),
        None => 0,
    };
    let page_end = places.get(next).map_or(segment.text.len(), |(place, _)| {
        line_start(&segment.text, places[next - 1].0.end, place.start)
    });
    // Where the text that was looked at ends before its page does, the page goes on.
    let goes_on_before = page_start == 0 && start > 0;
    let goes_on_after = page_end == segment.text.len() && start + page_end < text.bytes;
    let first = if goes_on_before { start.saturating_sub(1) } else { start + page_start };
    let end = if goes_on_after { start + page_end + 1 } else { start + page_end };
    Ok(Some(first.min(span.start)..end.max(span.end)))
}

/// The range of the text that is on this page or slide; `None` if the document has no such page.
///
/// Cost: unpacks the segments up to the end of the page, and their maps.
pub fn page_numbered(text: &DocumentText<'_>, number: u64) -> Result<Option<Range<usize>>, StoreError> {
    let mut starts = text.segment_starts()?;
    starts.push(text.bytes);
    let mut found: Option<Range<usize>> = None;
    for segment_range in starts.windows(2) {
        let Some(segment) = text.segment(segment_range[0]..segment_range[1])? else { continue };
        let is_on = |locator: &Locator| PageSet::of(locator).is_some_and(|pages| pages.has(number));
        let places = segment.places.0.iter().filter(|(_, locator)| is_on(locator));
        for (place, _) in places {
            let (start, end) = (segment_range[0] + place.start, segment_range[0] + place.end);
            found = Some(found.map_or(start..end, |range| range.start..end.max(range.end)));
        }
        if found.as_ref().is_some_and(|range| range.end < segment_range[1]) {
            break;
        }
    }
    Ok(found)
}

/// The start of the first line that begins between two bytes.
fn line_start(text: &str, from: usize, to: usize) -> usize {
    let between = text.get(from..to).unwrap_or_default();
    between.find('\n').map_or(to, |at| from + at + 1)
}

/// The pages, slides or sheet of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PageSet {
    /// Pages from the first to the last.
    Pages(u64, u64),
    /// Slides from the first to the last.
    Slides(u64, u64),
    /// One sheet.
    Sheet(Arc<str>),
}

impl PageSet {
    fn of(locator: &Locator) -> Option<PageSet> {
        match locator {
            Locator::Pages { first, last, .. } => Some(PageSet::Pages(*first, *last)),
            Locator::Slides { first, last } => Some(PageSet::Slides(*first, *last)),
            Locator::Cells { sheet, .. } => Some(PageSet::Sheet(sheet.clone())),
            Locator::Layout(layout) => {
                let pages = layout.spots.iter().map(|(page, _)| *page);
                Some(PageSet::Pages(pages.clone().min()?, pages.max()?))
            }
            Locator::Lines { .. } | Locator::Paragraphs { .. } | Locator::Part { .. } => None,
        }
    }

    /// True if the page or slide of this number is one of them.
    fn has(&self, number: u64) -> bool {
        match self {
            PageSet::Pages(first, last) | PageSet::Slides(first, last) => (*first..=*last).contains(&number),
            PageSet::Sheet(_) => false,
        }
    }

    /// True if both have a page in common.
    fn meets(&self, other: &PageSet) -> bool {
        match (self, other) {
            (PageSet::Pages(a, b), PageSet::Pages(c, d)) | (PageSet::Slides(a, b), PageSet::Slides(c, d)) => {
                a <= d && c <= b
            }
            (PageSet::Sheet(one), PageSet::Sheet(other)) => one == other,
            _ => false,
        }
    }
}
