//! A segment of a text, with everything that is known about its source.

use super::locator::{Locator, LocatorMap};
use super::locator_codec::{decode_places, encode_places};
use super::section::SectionStart;
use super::span::Span;
use super::spanmap::{MapError, SpanMap};
use super::spanmap::{put, take};
use memchr::memchr_iter;
use std::sync::Arc;

/// Byte `out` of the text comes from line `line` of the source. From there to the next anchor, each newline of the text
/// is one newline of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineAnchor {
    /// Byte of the segment's text.
    pub out: usize,
    /// Line of the source, from 1.
    pub line: u64,
}

/// A bounded part of a document's text with its map to the source. Positions are bytes from the start of this segment;
/// the segments of one text follow each other without gaps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Segment {
    /// The text.
    pub text: String,
    /// Maps bytes of `text` to bytes of the source file; has no runs if the reader knows no offsets.
    pub map: SpanMap,
    /// Source lines, if the source has lines; the first anchor, if any, is at 0.
    pub lines: Vec<LineAnchor>,
    /// Places of other kinds (pages, ...), if the reader knows them.
    pub places: LocatorMap,
    /// Sections of the document's own contents that begin in this segment, by position.
    pub sections: Vec<SectionStart>,
}

impl Segment {
    /// The place of a span of this segment: by the reader's own places if it has any, otherwise by lines.
    ///
    /// Cost: counts the newlines between the last anchor and the span's end.
    pub fn locate(&self, span: Span) -> Option<Locator> {
        Locator::or_lines(self.places.of(span), || {
            let first = self.line_at(span.start)?;
            let last = self.line_at(span.end.saturating_sub(1).max(span.start))?;
            Some((first, last))
        })
    }

    /// The source line of the byte at `at`.
    pub fn line_at(&self, at: usize) -> Option<u64> {
        let after = self.lines.partition_point(|anchor| anchor.out <= at);
        let anchor = self.lines[..after].last()?;
        let between = &self.text.as_bytes()[anchor.out..at];
        Some(anchor.line + memchr_iter(b'\n', between).count() as u64)
    }

    /// The stored form of everything but the text.
    pub fn encode_map(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(16);
        self.map.encode(&mut bytes);
        put(&mut bytes, self.lines.len());
        let mut before = LineAnchor { out: 0, line: 0 };
        for &anchor in &self.lines {
            put(&mut bytes, anchor.out - before.out);
            put(&mut bytes, (anchor.line - before.line) as usize);
            before = anchor;
        }
        encode_places(&self.places, &mut bytes);
        if !self.sections.is_empty() {
            encode_sections(&self.sections, &mut bytes);
        }
        bytes
    }

    /// A segment from its text and the stored form of the rest, which may be anybody's: whatever it claims, the result takes
    /// some hundred bytes for each byte of the text, and points into it.
    pub fn decode(text: String, bytes: &[u8]) -> Result<Segment, MapError> {
        let at = &mut 0;
        let map = SpanMap::decode(bytes, at)?;
        let mut lines: Vec<LineAnchor> = Vec::new();
        let mut before = LineAnchor { out: 0, line: 0 };
        for _ in 0..take(bytes, at)? {
            let out = before.out.checked_add(take(bytes, at)?).filter(|out| *out <= text.len());
            let line = before.line.checked_add(take(bytes, at)? as u64);
            let (Some(out), Some(line)) = (out, line) else { return Err(MapError { at: *at }) };
            // Several anchors may stand at one byte, but not many.
            if lines.len() > 2 * text.len() + 2 {
                return Err(MapError { at: *at });
            }
            before = LineAnchor { out, line };
            lines.push(before);
        }
        let places = decode_places(bytes, at)?;
        if places.0.iter().any(|(span, _)| span.end > text.len()) {
            return Err(MapError { at: *at });
        }
        let sections = if *at < bytes.len() { decode_sections(bytes, at)? } else { Vec::new() };
        Ok(Segment { text, map, lines, places, sections })
    }

    /// Appends the next segment of the same text.
    pub fn append(&mut self, next: Segment) {
        let by = self.text.len();
        if by == 0 {
            let mut losses = std::mem::take(&mut self.map);
            *self = next;
            if !losses.is_empty() {
                losses.append(std::mem::take(&mut self.map), 0);
                self.map = losses;
            }
            return;
        }
        self.text.push_str(&next.text);
        self.map.append(next.map, by);
        self.lines.extend(next.lines.into_iter().map(|a| LineAnchor { out: a.out + by, line: a.line }));
        self.places.0.extend(next.places.0.into_iter().map(|(span, place)| (span.shifted(by), place)));
        let moved = next.sections.into_iter().map(|start| SectionStart { out: start.out + by, ..start });
        self.sections.extend(moved);
    }

    /// Splits the segment at a character boundary; `self` keeps the part before `at`.
    pub fn split_off(&mut self, at: usize) -> Segment {
        if at == 0 {
            return std::mem::take(self);
        }
        let line = self.line_at(at);
        let text = self.text.split_off(at);
        if self.text.capacity() > 2 * at + 1024 {
            self.text.shrink_to_fit();
        }
        let map = self.map.split_off(at);
        let kept = self.lines.partition_point(|anchor| anchor.out < at);
        let mut lines: Vec<LineAnchor> = self
            .lines
            .split_off(kept)
            .into_iter()
            .map(|a| LineAnchor { out: a.out - at, line: a.line })
            .collect();
        if let Some(line) = line.filter(|_| lines.first().is_none_or(|first| first.out != 0)) {
            lines.insert(0, LineAnchor { out: 0, line });
        }
        let mut places = LocatorMap::default();
        for (span, place) in &self.places.0 {
            if span.end > at {
                places.0.push((Span::new(span.start.max(at) - at, span.end - at), place.clone()));
            }
        }
        self.places.0.retain_mut(|(span, _)| {
            span.end = span.end.min(at);
            span.start < span.end
        });
        let kept = self.sections.partition_point(|start| start.out < at);
        let moved = self.sections.split_off(kept).into_iter();
        let sections = moved.map(|start| SectionStart { out: start.out - at, ..start }).collect();
        Segment { text, map, lines, places, sections }
    }
}

/// Appends the stored form of the sections that begin in a segment.
fn encode_sections(sections: &[SectionStart], bytes: &mut Vec<u8>) {
    put(bytes, sections.len());
    for start in sections {
        for number in [start.out, start.seq, start.level, start.label.len()] {
            put(bytes, number);
        }
        bytes.extend_from_slice(start.label.as_bytes());
    }
}

/// Reads what [`encode_sections`] wrote; never reads past the end.
fn decode_sections(bytes: &[u8], at: &mut usize) -> Result<Vec<SectionStart>, MapError> {
    let mut sections = Vec::new();
    for _ in 0..take(bytes, at)? {
        let (out, seq, level) = (take(bytes, at)?, take(bytes, at)?, take(bytes, at)?);
        let len = take(bytes, at)?;
        let label = at.checked_add(len).and_then(|end| bytes.get(*at..end));
        let label = label.and_then(|label| std::str::from_utf8(label).ok()).ok_or(MapError { at: *at })?;
        *at += len;
        sections.push(SectionStart { out, seq, level, label: Arc::from(label) });
    }
    Ok(sections)
}

/// Finds the lines of spans in ascending order: each newline is counted once, not once per span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCursor {
    at: usize,
    line: u64,
    passed: usize,
}

impl LineCursor {
    /// The source line of the byte at `at`, which must not precede that of the last call; `None` if lines are unknown.
    pub fn line_at(&mut self, segment: &Segment, at: usize) -> Option<u64> {
        let ahead = segment.lines[self.passed..].partition_point(|anchor| anchor.out <= at);
        if let Some(anchor) = segment.lines[self.passed..self.passed + ahead].last() {
            (self.at, self.line) = (anchor.out, anchor.line);
            self.passed += ahead;
        }
        if self.passed == 0 {
            return None;
        }
        let between = &segment.text.as_bytes()[self.at.min(at)..at];
        self.line += memchr_iter(b'\n', between).count() as u64;
        self.at = at;
        Some(self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MapBuilder;

    fn plain(text: &str, line: u64, source: usize) -> Segment {
        let mut map = MapBuilder::new(source);
        map.copy(text.len());
        Segment {
            text: text.to_owned(),
            map: map.finish(),
            lines: vec![LineAnchor { out: 0, line }],
            ..Segment::default()
        }
    }

    #[test]
    fn lines_are_counted_from_the_last_anchor() {
        let mut segment = plain("a\nb\nc\n", 10, 0);
        segment.lines.push(LineAnchor { out: 4, line: 20 });
        assert_eq!(segment.line_at(0), Some(10));
        assert_eq!(segment.line_at(2), Some(11));
        assert_eq!(segment.line_at(4), Some(20));
        assert_eq!(segment.locate(Span::new(0, 4)), Some(Locator::Lines { first: 10, last: 11 }));
    }

    #[test]
    fn the_stored_form_reads_back() {
        let mut segment = plain("one\ntwo\n", 3, 9);
        segment.places.0.push((Span::new(0, 4), Locator::page(2)));
        segment.sections.push(SectionStart { out: 4, seq: 7, level: 2, label: "Zwei é".into() });
        let bytes = segment.encode_map();
        assert_eq!(Segment::decode(segment.text.clone(), &bytes).as_ref(), Ok(&segment));
        assert!(Segment::decode(segment.text.clone(), &bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn a_cursor_agrees_with_the_look_up() {
        let mut segment = plain("a\nb\n\nc\nd\n", 10, 0);
        segment.lines.push(LineAnchor { out: 5, line: 20 });
        let mut cursor = LineCursor::default();
        for at in 0..segment.text.len() {
            assert_eq!(cursor.line_at(&segment, at), segment.line_at(at), "at {at}");
        }
    }

    #[test]
    fn a_segment_that_was_cut_and_joined_is_the_same() {
        let mut whole = plain("one\ntwo\nthree\n", 1, 7);
        whole.sections.push(SectionStart { out: 4, seq: 0, level: 1, label: "two".into() });
        for at in 0..whole.text.len() {
            let mut head = whole.clone();
            let tail = head.split_off(at);
            for i in at..whole.text.len() {
                assert_eq!(tail.line_at(i - at), whole.line_at(i));
            }
            head.append(tail);
            assert_eq!(head.text, whole.text);
            assert_eq!((head.map, head.sections), (whole.map.clone(), whole.sections.clone()));
        }
    }

    fn anchors(all: &[(usize, u64)]) -> Vec<LineAnchor> {
        all.iter().map(|(out, line)| LineAnchor { out: *out, line: *line }).collect()
    }

    #[test]
    fn both_parts_of_a_split_segment_have_their_lines_places_and_sections() {
        let section = |out: usize| SectionStart { out, seq: out, level: 1, label: "title".into() };
        let whole = || {
            let mut segment = plain("one\ntwo\nthree\n", 5, 7);
            segment.lines = anchors(&[(0, 5), (8, 20)]);
            let places = [(Span::new(0, 4), 1), (Span::new(4, 10), 2), (Span::new(10, 14), 3)];
            segment.places.0.extend(places.map(|(span, page)| (span, Locator::page(page))));
            segment.sections = vec![section(0), section(4), section(8)];
            segment
        };
        let check = |at: usize,
                     lines: [&[(usize, u64)]; 2],
                     places: [&[(usize, usize, u64)]; 2],
                     sections: [&[usize]; 2]| {
            let mut head = whole();
            let tail = head.split_off(at);
            for (part, at) in [(head, 0), (tail, 1)] {
                assert_eq!(part.lines, anchors(lines[at]));
                let expected = places[at]
                    .iter()
                    .map(|(start, end, page)| (Span::new(*start, *end), Locator::page(*page)));
                assert_eq!(part.places.0, expected.collect::<Vec<_>>());
                assert_eq!(part.sections.iter().map(|start| start.out).collect::<Vec<_>>(), sections[at]);
            }
        };
        let all: &[(usize, usize, u64)] = &[(0, 4, 1), (4, 10, 2), (10, 14, 3)];
        check(0, [&[], &[(0, 5), (8, 20)]], [&[], all], [&[], &[0, 4, 8]]);
        check(4, [&[(0, 5)], &[(0, 6), (4, 20)]], [&all[..1], &[(0, 6, 2), (6, 10, 3)]], [&[0], &[0, 4]]);
        check(
            6,
            [&[(0, 5)], &[(0, 6), (2, 20)]],
            [&[(0, 4, 1), (4, 6, 2)], &[(0, 4, 2), (4, 8, 3)]],
            [&[0, 4], &[2]],
        );
        check(
            8,
            [&[(0, 5)], &[(0, 20)]],
            [&[(0, 4, 1), (4, 8, 2)], &[(0, 2, 2), (2, 6, 3)]],
            [&[0, 4], &[0]],
        );
        check(10, [&[(0, 5), (8, 20)], &[(0, 20)]], [&all[..2], &[(0, 4, 3)]], [&[0, 4, 8], &[]]);
    }

    #[test]
    fn a_part_without_known_lines_has_none() {
        let mut head = Segment { text: "one\ntwo\n".to_owned(), ..Segment::default() };
        assert_eq!(head.split_off(4).lines, []);
        let mut head = plain("one\ntwo\n", 1, 0);
        head.lines = anchors(&[(6, 9)]);
        assert_eq!(head.split_off(4).lines, anchors(&[(2, 9)]));
    }

    #[test]
    fn a_short_rest_gives_back_memory_that_is_much_too_large() {
        let check = |capacity: usize, at: usize, expected: bool| {
            let mut text = String::with_capacity(capacity);
            text.push_str(&"x".repeat(at + 10));
            let mut segment = Segment { text, ..Segment::default() };
            segment.split_off(at);
            assert_eq!(segment.text.len(), at);
            assert_eq!(segment.text.capacity() < capacity, expected, "{capacity} {at}");
        };
        check(2 * 100 + 1024, 100, false);
        check(2 * 100 + 1025, 100, true);
        check(1024, 100, false);
        check(2 * 1000 + 1024, 1000, false);
        check(2 * 1000 + 1025, 1000, true);
    }

    #[test]
    fn an_appended_segment_is_moved_behind_the_text() {
        let mut head = plain("one\n", 5, 7);
        let mut next = plain("two\n", 20, 11);
        next.places.0.push((Span::new(1, 3), Locator::page(2)));
        next.sections.push(SectionStart { out: 2, seq: 3, level: 1, label: "x".into() });
        head.append(next);
        assert_eq!((head.text.as_str(), head.lines), ("one\ntwo\n", anchors(&[(0, 5), (4, 20)])));
        assert_eq!(head.places.0, [(Span::new(5, 7), Locator::page(2))]);
        assert_eq!(head.sections.iter().map(|start| start.out).collect::<Vec<_>>(), [6]);
        let mut blank = Segment::default();
        blank.append(plain("two\n", 20, 11));
        assert_eq!(blank, plain("two\n", 20, 11));
    }

    #[test]
    fn a_segment_locates_spans_by_places_or_lines() {
        let mut segment = plain("a\nb\nc\n", 10, 0);
        let lines = |first, last| Some(Locator::Lines { first, last });
        assert_eq!(segment.locate(Span::new(2, 5)), lines(11, 12));
        assert_eq!(segment.locate(Span::new(2, 4)), lines(11, 11));
        assert_eq!(segment.locate(Span::new(2, 2)), lines(11, 11));
        segment.places.0.push((Span::new(0, 6), Locator::page(4)));
        assert_eq!(segment.locate(Span::new(2, 5)), Some(Locator::page(4)));
        assert_eq!(Segment::default().locate(Span::new(0, 0)), None);
    }

    #[test]
    fn a_cursor_knows_no_line_before_the_first_anchor() {
        let mut segment = plain("a\nb\nc\n", 1, 0);
        segment.lines = anchors(&[(2, 9)]);
        let mut cursor = LineCursor::default();
        assert_eq!(
            [0, 2, 3, 4, 4].map(|at| cursor.line_at(&segment, at)),
            [None, Some(9), Some(9), Some(10), Some(10)]
        );
    }
}
