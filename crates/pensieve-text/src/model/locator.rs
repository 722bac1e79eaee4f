//! Locators: places in the source in terms that a person understands, such as lines, pages, slides, cells and parts.

use super::layout_locator::LayoutLocator;
use super::layout_locator::{box_json, ocr_json};
use super::span::Span;
use super::visibility::Visibility;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Where a span of text comes from, in terms of its source. Counts start at 1, ranges include both ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Locator {
    /// Lines of a text file.
    Lines {
        /// First line.
        first: u64,
        /// Last line.
        last: u64,
    },
    /// Paragraphs of the body of a document without pages or parts.
    Paragraphs {
        /// First paragraph.
        first: u64,
        /// Last paragraph.
        last: u64,
    },
    /// Pages of a paged document.
    Pages {
        /// First page.
        first: u64,
        /// Last page.
        last: u64,
        /// The box on the page, if there is one page and its reader knows boxes: left, top, right, bottom in
        /// points from the top left of the page as displayed.
        bbox: Option<Box<[f32; 4]>>,
        /// True if its letters were recognised in a picture (OCR).
        ocr: bool,
    },
    /// Sentences of pages with layout.
    Layout(Box<LayoutLocator>),
    /// Slides of a presentation.
    Slides {
        /// First slide.
        first: u64,
        /// Last slide.
        last: u64,
    },
    /// Cells of a sheet.
    Cells {
        /// The name of the sheet.
        sheet: Arc<str>,
        /// The smallest range that contains them.
        range: CellRange,
    },
    /// A part of a package, an item of a book or a part of a mail; or a run of them.
    Part {
        /// The kind of container.
        of: PartOwner,
        /// Its name in the container.
        first: Arc<str>,
        /// The last part of the run; the same as `first` if there is one.
        last: Arc<str>,
        /// Bytes of the unpacked part, if there is one part and its reader knows offsets.
        bytes: Option<Span>,
    },
    /// A place that not everybody sees.
    Marked {
        /// Why.
        visibility: Visibility,
        /// Where it is; `None` for lines, which follow from the text around it. Never marked itself.
        place: Option<Box<Locator>>,
    },
}

/// The container that a named part belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartOwner {
    /// The spine of a book.
    Spine,
    /// A package or a mail.
    Whole,
}

/// A rectangle of cells. Rows and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellRange {
    /// Upper row.
    pub first_row: u32,
    /// Left column.
    pub first_column: u32,
    /// Lower row.
    pub last_row: u32,
    /// Right column.
    pub last_column: u32,
}

impl CellRange {
    /// As spreadsheets write it: `A1:D9`, or `A1` for one cell.
    pub fn to_text(self) -> String {
        let mut text = String::new();
        push_cell(&mut text, self.first_column, self.first_row);
        if (self.first_row, self.first_column) != (self.last_row, self.last_column) {
            text.push(':');
            push_cell(&mut text, self.last_column, self.last_row);
        }
        text
    }

    fn joined(self, other: CellRange) -> CellRange {
        CellRange {
            first_row: self.first_row.min(other.first_row),
            first_column: self.first_column.min(other.first_column),
            last_row: self.last_row.max(other.last_row),
            last_column: self.last_column.max(other.last_column),
        }
    }
}

/// Columns are numbers in base 26 without a zero: AA follows Z.
fn push_cell(text: &mut String, mut column: u32, row: u32) {
    let mut letters = Vec::new();
    while column > 0 {
        column -= 1;
        letters.push(char::from(b'A' + (column % 26) as u8));
        column /= 26;
    }
    text.extend(letters.iter().rev());
    let _ = write!(text, "{row}");
}

impl Locator {
    /// One page, without a box.
    pub fn page(page: u64) -> Locator {
        Locator::Pages { first: page, last: page, bbox: None, ocr: false }
    }

    /// One slide.
    pub fn slide(slide: u64) -> Locator {
        Locator::Slides { first: slide, last: slide }
    }

    /// One part of a package or mail.
    pub fn part(name: impl Into<Arc<str>>, bytes: Option<Span>) -> Locator {
        let name = name.into();
        Locator::Part { of: PartOwner::Whole, first: name.clone(), last: name, bytes }
    }

    /// One item of the spine of a book.
    pub fn spine(item: impl Into<Arc<str>>, bytes: Option<Span>) -> Locator {
        let name = item.into();
        Locator::Part { of: PartOwner::Spine, first: name.clone(), last: name, bytes }
    }

    /// This place as one that not everybody sees, if there is a reason.
    pub fn marked(self, visibility: Option<Visibility>) -> Locator {
        let Some(visibility) = visibility.max(self.visibility()) else { return self };
        let place = match self {
            Locator::Marked { place, .. } => place,
            place => Some(Box::new(place)),
        };
        Locator::Marked { visibility, place }
    }

    /// Why not everybody sees it.
    pub fn visibility(&self) -> Option<Visibility> {
        match self {
            Locator::Marked { visibility, .. } => Some(*visibility),
            _ => None,
        }
    }

    /// The place alone.
    pub fn unmarked(&self) -> Option<&Locator> {
        match self {
            Locator::Marked { place, .. } => place.as_deref(),
            place => Some(place),
        }
    }

    /// The place in a text with lines: what the reader found, or else the lines.
    pub fn or_lines(found: Option<Locator>, lines: impl FnOnce() -> Option<(u64, u64)>) -> Option<Locator> {
        if found.as_ref().and_then(Locator::unmarked).is_some() {
            return found;
        }
        let visibility = found.as_ref().and_then(Locator::visibility);
        let lines = lines().map(|(first, last)| Locator::Lines { first, last }.marked(visibility));
        lines.or(found)
    }

    /// The stored JSON: sorted keys, no spaces, at most two decimals.
    pub fn to_json(&self) -> String {
        let range = |name: &str, first: u64, last: u64| match first == last {
            true => format!("\"{name}\":{first}"),
            false => format!("\"{name}\":[{first},{last}]"),
        };
        match self {
            Locator::Lines { first, last } => format!("{{\"line\":[{first},{last}]}}"),
            Locator::Paragraphs { first, last } => format!("{{\"paragraph\":[{first},{last}]}}"),
            Locator::Pages { first, last, bbox, ocr } => {
                let bbox =
                    bbox.as_deref().map(|bbox| format!("\"bbox\":{},", box_json(bbox))).unwrap_or_default();
                format!("{{{bbox}{}{}}}", ocr_json(*ocr), range("page", *first, *last))
            }
            Locator::Layout(layout) => layout.to_json(),
            Locator::Slides { first, last } => format!("{{{}}}", range("slide", *first, *last)),
            Locator::Cells { sheet, range } => {
                format!("{{\"cells\":\"{}\",\"sheet\":{}}}", range.to_text(), quoted(sheet))
            }
            Locator::Part { of, first, last, bytes } => {
                let bytes = bytes.map(|span| format!("\"bytes\":[{},{}],", span.start, span.end));
                let name = match of {
                    PartOwner::Spine => "spine",
                    PartOwner::Whole => "part",
                };
                let value = match first == last {
                    true => quoted(first),
                    false => format!("[{},{}]", quoted(first), quoted(last)),
                };
                format!("{{{}\"{name}\":{value}}}", bytes.unwrap_or_default())
            }
            Locator::Marked { visibility, place } => {
                let place = place.as_ref().map_or_else(|| "{}".to_owned(), |place| place.to_json());
                let mut keys: BTreeMap<String, serde_json::Value> =
                    serde_json::from_str(&place).expect("a locator is an object");
                let (key, value) = visibility.entry();
                keys.insert(key.to_owned(), value.into());
                serde_json::to_string(&keys).expect("an object always serialises")
            }
        }
    }

    /// The smallest locator that covers both, if they have the same kind and container. `other` is later in the text.
    ///
    /// Part of what it covers may be marked; then it is.
    pub fn joined(&self, other: &Locator) -> Option<Locator> {
        match (self, other) {
            (Locator::Marked { .. }, _) | (_, Locator::Marked { .. }) => {
                let visibility = self.visibility().max(other.visibility());
                match (self.unmarked(), other.unmarked()) {
                    (Some(one), Some(other)) => one.joined(other).map(|both| both.marked(visibility)),
                    (one, other) => Some(match one.or(other) {
                        Some(place) => place.clone().marked(visibility),
                        None => Locator::Marked { visibility: visibility?, place: None },
                    }),
                }
            }
            (Locator::Lines { first: a, last: b }, Locator::Lines { first: c, last: d }) => {
                Some(Locator::Lines { first: *a.min(c), last: *b.max(d) })
            }
            (Locator::Paragraphs { first: a, last: b }, Locator::Paragraphs { first: c, last: d }) => {
                Some(Locator::Paragraphs { first: *a.min(c), last: *b.max(d) })
            }
            (
                Locator::Pages { first: a, last: b, bbox, ocr },
                Locator::Pages { first: c, last: d, bbox: more, ocr: also },
            ) => {
                let (first, last) = (*a.min(c), *b.max(d));
                let bbox = if first == last { around(bbox.as_deref(), more.as_deref()) } else { None };
                Some(Locator::Pages { first, last, bbox, ocr: *ocr || *also })
            }
            (Locator::Layout(one), Locator::Layout(next)) => {
                let mut both = one.clone();
                both.extend(next);
                Some(Locator::Layout(both))
            }
            (Locator::Slides { first: a, last: b }, Locator::Slides { first: c, last: d }) => {
                Some(Locator::Slides { first: *a.min(c), last: *b.max(d) })
            }
            (Locator::Cells { sheet: a, range: b }, Locator::Cells { sheet: c, range: d }) if a == c => {
                Some(Locator::Cells { sheet: a.clone(), range: b.joined(*d) })
            }
            (
                Locator::Part { of, first, last: end, bytes },
                Locator::Part { of: other, first: begin, last, bytes: more },
            ) if of == other => {
                let is_one = first == last && end == begin && first == end;
                let bytes = bytes.zip(*more).filter(|_| is_one);
                let bytes = bytes.map(|(a, b)| Span::new(a.start.min(b.start), a.end.max(b.end)));
                Some(Locator::Part { of: *of, first: first.clone(), last: last.clone(), bytes })
            }
            _ => None,
        }
    }
}

fn around(one: Option<&[f32; 4]>, other: Option<&[f32; 4]>) -> Option<Box<[f32; 4]>> {
    let ([a, b, c, d], [e, f, g, h]) = (one?, other?);
    Some(Box::new([a.min(*e), b.min(*f), c.max(*g), d.max(*h)]))
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string always serialises")
}

/// The locators of the spans of one text, ordered by position.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LocatorMap(pub Vec<(Span, Locator)>);

impl LocatorMap {
    /// Adds the locator of the next span.
    pub fn push(&mut self, span: Span, locator: Locator) {
        match self.0.last_mut() {
            Some((before, same)) if before.end == span.start && *same == locator => before.end = span.end,
            _ if span.start < span.end => self.0.push((span, locator)),
            _ => {}
        }
    }

    /// Marks the places in spans, which are in order and do not overlap.
    pub fn mark(&mut self, spans: &[(Span, Visibility)]) {
        let mut places = std::mem::take(&mut self.0).into_iter();
        let mut next = places.next();
        for &(marked, visibility) in spans {
            let mut at = marked.start;
            while let Some((span, locator)) = next.take_if(|(span, _)| span.start < marked.end) {
                let (start, end) = (span.start.max(at), span.end.min(marked.end));
                if start >= end {
                    self.push(span, locator);
                    next = places.next();
                    continue;
                }
                self.push(Span::new(span.start, start), locator.clone());
                self.push(Span::new(at, start), Locator::Marked { visibility, place: None });
                let after = Span::new(end, span.end);
                self.push(Span::new(start, end), locator.clone().marked(Some(visibility)));
                at = end;
                next = if after.is_empty() { places.next() } else { Some((after, locator)) };
            }
            self.push(Span::new(at, marked.end), Locator::Marked { visibility, place: None });
        }
        self.0.extend(next.into_iter().chain(places));
    }

    /// The joined locator of all spans that a span overlaps.
    pub fn of(&self, span: Span) -> Option<Locator> {
        let first = self.0.partition_point(|(located, _)| located.end <= span.start);
        let mut joined: Option<Locator> = None;
        for (located, locator) in &self.0[first..] {
            if located.start >= span.end {
                break;
            }
            // In place, because a long span may have many sentences.
            if let (Some(Locator::Layout(so_far)), Locator::Layout(next)) = (&mut joined, locator) {
                so_far.extend(next);
                continue;
            }
            joined = match joined {
                None => Some(locator.clone()),
                Some(so_far) => so_far.joined(locator).or_else(|| Some(so_far.marked(locator.visibility()))),
            };
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(places: &LocatorMap, start: usize, end: usize) -> Option<String> {
        places.of(Span::new(start, end)).map(|locator| locator.to_json())
    }

    #[test]
    fn a_span_over_two_pages_names_both() {
        let places =
            LocatorMap(vec![(Span::new(0, 10), Locator::page(1)), (Span::new(10, 20), Locator::page(2))]);
        assert_eq!(json(&places, 2, 5).as_deref(), Some("{\"page\":1}"));
        assert_eq!(json(&places, 9, 11).as_deref(), Some("{\"page\":[1,2]}"));
        assert_eq!(json(&places, 20, 30), None);
    }

    #[test]
    fn boxes_join_on_one_page_only() {
        let at = |page, bbox: [f32; 4]| Locator::Pages {
            first: page,
            last: page,
            bbox: Some(Box::new(bbox)),
            ocr: page == 4,
        };
        let mut places = LocatorMap::default();
        places.push(Span::new(0, 5), at(3, [72.0, 10.5, 100.0, 20.0]));
        places.push(Span::new(5, 9), at(3, [60.0, 20.0, 90.125, 30.0]));
        places.push(Span::new(9, 12), at(4, [0.0, 0.0, 1.0, 1.0]));
        assert_eq!(json(&places, 0, 9).as_deref(), Some("{\"bbox\":[60,10.5,100,30],\"page\":3}"));
        assert_eq!(json(&places, 0, 12).as_deref(), Some("{\"ocr\":true,\"page\":[3,4]}"));
    }

    #[test]
    fn cells_and_parts_are_named_as_their_programs_do() {
        let cells = |row, column| Locator::Cells {
            sheet: "S \"1\"".into(),
            range: CellRange { first_row: row, first_column: column, last_row: row, last_column: column },
        };
        let joined = cells(1, 1).joined(&cells(9, 28)).map(|locator| locator.to_json());
        assert_eq!(joined.as_deref(), Some("{\"cells\":\"A1:AB9\",\"sheet\":\"S \\\"1\\\"\"}"));
        let spine = |name: &str, start, end| Locator::spine(name, Some(Span::new(start, end)));
        let one = spine("a.xhtml", 4, 9).joined(&spine("a.xhtml", 12, 20)).map(|locator| locator.to_json());
        assert_eq!(one.as_deref(), Some("{\"bytes\":[4,20],\"spine\":\"a.xhtml\"}"));
        let two = spine("a.xhtml", 4, 9).joined(&spine("b.xhtml", 0, 2)).map(|locator| locator.to_json());
        assert_eq!(two.as_deref(), Some("{\"spine\":[\"a.xhtml\",\"b.xhtml\"]}"));
        assert_eq!(Locator::slide(7).to_json(), "{\"slide\":7}");
        let paragraphs = |first, last| Locator::Paragraphs { first, last };
        let joined = paragraphs(3, 3).joined(&paragraphs(5, 7)).map(|locator| locator.to_json());
        assert_eq!(joined.as_deref(), Some("{\"paragraph\":[3,7]}"));
        assert_eq!(paragraphs(3, 3).joined(&Locator::page(1)), None);
    }

    #[test]
    fn marks_divide_places_and_stay_when_these_join() {
        use crate::model::{FoldKind, HiddenReason};
        let (row, tiny) = (Visibility::Folded(FoldKind::Row), Visibility::Hidden(HiddenReason::Tiny));
        let spans = [(Span::new(2, 4), row), (Span::new(4, 5), tiny), (Span::new(8, 14), row)];
        let shown = |places: &LocatorMap| -> Vec<String> {
            let shown =
                |(span, place): &(Span, Locator)| format!("{}..{} {}", span.start, span.end, place.to_json());
            places.0.iter().map(shown).collect()
        };
        let mut places = LocatorMap::default();
        places.push(Span::new(0, 9), Locator::page(1));
        places.push(Span::new(11, 20), Locator::page(2));
        places.mark(&spans);
        let expected = [
            "0..2 {\"page\":1}",
            "2..4 {\"folded\":\"row\",\"page\":1}",
            "4..5 {\"hidden\":\"tiny\",\"page\":1}",
            "5..8 {\"page\":1}",
            "8..9 {\"folded\":\"row\",\"page\":1}",
            "9..11 {\"folded\":\"row\"}",
            "11..14 {\"folded\":\"row\",\"page\":2}",
            "14..20 {\"page\":2}",
        ];
        assert_eq!(shown(&places), expected);
        assert_eq!(json(&places, 0, 20).as_deref(), Some("{\"hidden\":\"tiny\",\"page\":[1,2]}"));
        assert_eq!(json(&places, 9, 20).as_deref(), Some("{\"folded\":\"row\",\"page\":2}"));
        let mut unplaced = LocatorMap::default();
        unplaced.mark(&spans[..1]);
        let found = |start, end| Locator::or_lines(unplaced.of(Span::new(start, end)), || Some((3, 4)));
        assert_eq!(found(0, 2), Some(Locator::Lines { first: 3, last: 4 }));
        let json = found(0, 3).map(|place| place.to_json());
        assert_eq!(json.as_deref(), Some("{\"folded\":\"row\",\"line\":[3,4]}"));
    }

    #[test]
    fn places_of_one_kind_join() {
        let part = |of, first: &str, last: &str, bytes| Locator::Part {
            of,
            first: first.into(),
            last: last.into(),
            bytes,
        };
        let spine = |name: &str| part(PartOwner::Spine, name, name, None);
        let joined = |one: &Locator, other: &Locator| one.joined(other).map(|both| both.to_json());
        let lines = |first, last| Locator::Lines { first, last };
        assert_eq!(lines(3, 4).joined(&lines(5, 9)), Some(lines(3, 9)));
        assert_eq!(lines(5, 9).joined(&lines(3, 4)), Some(lines(3, 9)));
        assert_eq!(joined(&lines(1, 1), &Locator::page(1)), None);
        assert_eq!(joined(&spine("a"), &spine("b")).as_deref(), Some("{\"spine\":[\"a\",\"b\"]}"));
        assert_eq!(joined(&spine("a"), &part(PartOwner::Whole, "a", "a", None)), None);
        let bytes = |start, end| Some(Span::new(start, end));
        let whole = |bytes| part(PartOwner::Whole, "a", "a", bytes);
        let both = joined(&whole(bytes(3, 5)), &whole(bytes(7, 9)));
        assert_eq!(both.as_deref(), Some("{\"bytes\":[3,9],\"part\":\"a\"}"));
        assert_eq!(joined(&whole(bytes(3, 5)), &whole(None)).as_deref(), Some("{\"part\":\"a\"}"));
        let other = part(PartOwner::Whole, "b", "b", bytes(1, 2));
        assert_eq!(joined(&whole(bytes(3, 5)), &other).as_deref(), Some("{\"part\":[\"a\",\"b\"]}"));
        let slides = |first, last| Locator::Slides { first, last };
        assert_eq!(slides(2, 2).joined(&slides(3, 5)), Some(slides(2, 5)));
        let paragraphs = |first, last| Locator::Paragraphs { first, last };
        assert_eq!(paragraphs(2, 2).joined(&paragraphs(1, 5)), Some(paragraphs(1, 5)));
    }
}
