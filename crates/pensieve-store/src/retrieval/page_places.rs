//! [`page_around`]: the pages, slides or sheets that a span is on, as a range of the text; [`page_numbered`]: one page.

use crate::store::{DocumentText, StoreError};
use pensieve_text::model::{Locator, Segment, Span};
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

/// The range of the text from a line of the source to another, or to the end; `None` if no line has the first number.
///
/// Cost: unpacks the segments up to the last line, and their maps.
pub fn lines_numbered(
    text: &DocumentText<'_>,
    first: u64,
    last: Option<u64>,
) -> Result<Option<Range<usize>>, StoreError> {
    let mut starts = text.segment_starts()?;
    starts.push(text.bytes);
    let mut start = None;
    for segment_range in starts.windows(2) {
        let Some(segment) = text.segment(segment_range[0]..segment_range[1])? else { continue };
        let byte_of = |line: u64| byte_of_line(&segment, line).map(|byte| segment_range[0] + byte);
        start = start.or_else(|| byte_of(first));
        if let Some((start, end)) = start.zip(last.and_then(|last| byte_of(last + 1)))
            && start < end
        {
            return Ok(Some(start..end));
        }
        if start.is_some() && last.is_none() {
            break;
        }
    }
    Ok(start.map(|start| start..text.bytes))
}

/// The first byte of a segment that comes from this line of the source or a later one.
fn byte_of_line(segment: &Segment, line: u64) -> Option<usize> {
    let after = segment.lines.partition_point(|anchor| anchor.line <= line);
    let next = segment.lines.get(after).map(|anchor| anchor.out);
    let Some(anchor) = after.checked_sub(1).map(|at| segment.lines[at]) else { return next };
    let found = match (line - anchor.line) as usize {
        0 => Some(anchor.out),
        newlines => {
            let mut starts =
                segment.text[anchor.out..].match_indices('\n').map(|(at, _)| anchor.out + at + 1);
            starts.nth(newlines - 1)
        }
    };
    found.into_iter().chain(next).min().filter(|byte| *byte < segment.text.len())
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
            Locator::Marked { place, .. } => PageSet::of(place.as_deref()?),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{only_uid, text_of_segments};
    use pensieve_text::model::{CellRange, LayoutLocator, LineAnchor, LocatorMap};

    fn pages(first: u64, last: u64) -> Locator {
        Locator::Pages { first, last, bbox: None, ocr: false }
    }

    fn cells(sheet: &str) -> Locator {
        let range = CellRange { first_row: 1, first_column: 1, last_row: 1, last_column: 1 };
        Locator::Cells { sheet: sheet.into(), range }
    }

    fn segment(text: &str, places: &[(usize, usize, Locator)]) -> Segment {
        let places = places.iter().map(|(start, end, locator)| (Span::new(*start, *end), locator.clone()));
        Segment { text: text.to_owned(), places: LocatorMap(places.collect()), ..Segment::default() }
    }

    #[test]
    fn lines_are_those_of_the_source() {
        let anchor = |out: usize, line: u64| LineAnchor { out, line };
        let of = |text: &str, lines: &[LineAnchor]| Segment {
            text: text.to_owned(),
            lines: lines.to_vec(),
            ..Segment::default()
        };
        let store = text_of_segments(&[
            // Lines 2 to 4 of the source are not in the text.
            of("one\nfive\nsix\n", &[anchor(0, 1), anchor(4, 5)]),
            of("seven\neight", &[anchor(0, 7)]),
        ]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let check = |first: u64, last: Option<u64>, expected: &str| {
            let range = lines_numbered(&text, first, last).unwrap();
            let words = range.and_then(|range| text.words(range).unwrap()).unwrap_or_default();
            assert_eq!(words, expected, "{first} {last:?}");
        };
        check(1, Some(1), "one\n");
        check(3, Some(5), "five\n");
        check(6, Some(7), "six\nseven\n");
        check(5, Some(99), "five\nsix\nseven\neight");
        check(8, None, "eight");
        check(9, None, "");
    }

    #[test]
    fn the_page_around_a_span_begins_and_ends_with_lines() {
        let store = text_of_segments(&[
            segment("one a\none b\n\ntwo a\n", &[(0, 11, pages(1, 1)), (13, 19, pages(2, 2))]),
            segment("two b\n\nthree\n", &[(0, 5, pages(2, 2)), (7, 12, pages(3, 3))]),
        ]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        let check = |span: Range<usize>, reach: usize, expected: Option<Range<usize>>| {
            assert_eq!(page_around(&text, span.clone(), reach).unwrap(), expected, "{span:?} {reach}");
        };
        check(0..3, 100, Some(0..12));
        check(10..11, 100, Some(0..12));
        check(11..13, 100, None);
        check(12..14, 100, Some(12..25));
        check(14..15, 100, Some(12..25));
        check(16..20, 100, Some(12..25));
        check(10..14, 100, Some(0..25));
        check(10..28, 100, Some(0..32));
        check(27..30, 100, Some(25..32));
        // The text that is looked at ends before the page does.
        check(14..15, 1, Some(12..17));
        check(30..32, 1, Some(28..32));
        check(0..2, 1, Some(0..4));
        let numbered = |number: u64| page_numbered(&text, number).unwrap();
        assert_eq!([0, 1, 2, 3, 4].map(numbered), [None, Some(0..11), Some(13..24), Some(26..31), None]);
    }

    #[test]
    fn a_sheet_has_its_name_above_it() {
        let store = text_of_segments(&[segment(
            "A\nx\nB\ny\nz\n",
            &[(2, 3, cells("A")), (6, 7, cells("B")), (8, 9, cells("B"))],
        )]);
        let text = store.documents().clean_text(&only_uid(&store)).unwrap().unwrap();
        assert_eq!(page_around(&text, 2..3, 99).unwrap(), Some(0..4));
        assert_eq!(page_around(&text, 8..9, 99).unwrap(), Some(4..10));
        assert_eq!(page_numbered(&text, 1).unwrap(), None);
    }

    #[test]
    fn pages_meet_if_they_have_one_in_common() {
        let check = |one: PageSet, other: PageSet, expected: bool| {
            assert_eq!((one.meets(&other), other.meets(&one)), (expected, expected), "{one:?} {other:?}");
        };
        let sheet = |name: &str| PageSet::Sheet(name.into());
        check(PageSet::Pages(1, 3), PageSet::Pages(3, 5), true);
        check(PageSet::Pages(1, 3), PageSet::Pages(4, 5), false);
        check(PageSet::Pages(1, 9), PageSet::Pages(4, 5), true);
        check(PageSet::Slides(1, 3), PageSet::Slides(3, 5), true);
        check(PageSet::Slides(1, 3), PageSet::Slides(4, 5), false);
        check(PageSet::Pages(1, 3), PageSet::Slides(1, 3), false);
        check(sheet("A"), sheet("A"), true);
        check(sheet("A"), sheet("B"), false);
        check(sheet("A"), PageSet::Pages(1, 3), false);
        let has = |set: PageSet| [1, 2, 4, 5].map(|number| set.has(number));
        assert_eq!(has(PageSet::Pages(2, 4)), [false, true, true, false]);
        assert_eq!(has(PageSet::Slides(2, 4)), [false, true, true, false]);
        assert_eq!(has(sheet("2")), [false; 4]);
    }

    #[test]
    fn only_some_places_are_on_pages() {
        let spots = vec![(7, [0.0; 4]), (5, [0.0; 4]), (6, [0.0; 4])];
        let layout = |spots| {
            Locator::Layout(Box::new(LayoutLocator {
                role: None,
                kind: None,
                section: None,
                level: 0,
                sentence: 1,
                spots,
                ocr: false,
            }))
        };
        assert_eq!(PageSet::of(&layout(spots)), Some(PageSet::Pages(5, 7)));
        assert_eq!(PageSet::of(&layout(Vec::new())), None);
        assert_eq!(PageSet::of(&pages(2, 3)), Some(PageSet::Pages(2, 3)));
        assert_eq!(PageSet::of(&Locator::Slides { first: 2, last: 3 }), Some(PageSet::Slides(2, 3)));
        assert_eq!(PageSet::of(&cells("A")), Some(PageSet::Sheet("A".into())));
        assert_eq!(PageSet::of(&Locator::Lines { first: 2, last: 3 }), None);
        assert_eq!(PageSet::of(&Locator::Paragraphs { first: 2, last: 3 }), None);
    }

    #[test]
    fn a_line_starts_after_the_first_line_end() {
        assert_eq!(line_start("ab\ncd\ne", 0, 6), 3);
        assert_eq!(line_start("ab\ncd\ne", 1, 2), 2);
        assert_eq!(line_start("ab\ncd\ne", 3, 6), 6);
    }
}
