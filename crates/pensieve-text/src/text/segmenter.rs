//! Divides a clean text into the segments that are stored, at places that depend only on the text.
//!
//! A text of up to 512 KiB is one segment. A longer one is cut between 256 and 512 KiB: after a blank line if possible,
//! otherwise after a line, after white space, or between two graphemes; the last such place is taken. The result does
//! not depend on how the text arrived.

use crate::model::{LineAnchor, Segment};
use unicode_segmentation::GraphemeCursor;

/// The minimum length of a segment except the last.
const MIN_SEGMENT_BYTES: usize = 256 << 10;

/// The maximum length of a segment.
const MAX_SEGMENT_BYTES: usize = 512 << 10;

/// Makes segments of one clean text.
#[derive(Debug, Default)]
pub struct Segmenter {
    held: Segment,
}

impl Segmenter {
    /// A segmenter for one text.
    pub fn new() -> Segmenter {
        Segmenter::default()
    }

    /// Takes more clean text and returns the segments that are complete.
    ///
    /// Cost: each byte is copied at most twice; a text that fits one segment is passed on uncopied.
    pub fn push(&mut self, clean: Segment) -> Vec<Segment> {
        self.held.append(clean);
        let mut cuts = Vec::new();
        let mut start = 0;
        while self.held.text.len() - start > MAX_SEGMENT_BYTES {
            start = cut(&self.held, start);
            cuts.push(start);
        }
        anchor_lines(&mut self.held, &cuts);
        // From the back, so that each byte moves once.
        let mut segments: Vec<Segment> = cuts.iter().rev().map(|&at| self.held.split_off(at)).collect();
        segments.reverse();
        if let Some(rest) = segments.pop() {
            segments.insert(0, std::mem::replace(&mut self.held, rest));
        }
        segments
    }

    /// The last segment; `None` if the text is empty.
    pub fn finish(&mut self) -> Option<Segment> {
        Some(std::mem::take(&mut self.held)).filter(|last| !last.text.is_empty())
    }
}

/// The end of the segment that begins at `start`; more text follows it.
fn cut(clean: &Segment, start: usize) -> usize {
    let text = &clean.text[start..];
    let window = MIN_SEGMENT_BYTES + 1..MAX_SEGMENT_BYTES + 1;
    let fits = |at: &usize| window.contains(at) && clean.map.is_boundary(start + at);
    let bytes = &text.as_bytes()[..MAX_SEGMENT_BYTES];
    let after = |end: &[u8]| memchr::memmem::rfind_iter(bytes, end).map(|at| at + end.len()).find(fits);
    let is_white = |at: &usize| bytes[at - 1].is_ascii_whitespace();
    let near = || window.clone().rev().filter(|&at| text.is_char_boundary(at)).filter(fits);
    let at = (after(b"\n\n"))
        .or_else(|| after(b"\n"))
        .or_else(|| near().filter(is_white).find(|&at| is_grapheme_boundary(text, at)))
        .or_else(|| near().find(|&at| is_grapheme_boundary(text, at)))
        .or_else(|| near().next());
    start + at.unwrap_or_else(|| text.floor_char_boundary(MAX_SEGMENT_BYTES))
}

fn is_grapheme_boundary(text: &str, at: usize) -> bool {
    GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

/// Notes the line at each cut, so that the lines before it are not counted again.
fn anchor_lines(clean: &mut Segment, cuts: &[usize]) {
    for &out in cuts {
        let Some(line) = clean.line_at(out) else { return };
        let after = clean.lines.partition_point(|anchor| anchor.out < out);
        if clean.lines.get(after).is_none_or(|anchor| anchor.out != out) {
            clean.lines.insert(after, LineAnchor { out, line });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MapBuilder, Span, SpanMap};

    fn clean(text: String) -> Segment {
        let map = SpanMap::identity(text.len(), 7);
        Segment { text, map, lines: vec![LineAnchor { out: 0, line: 1 }], ..Segment::default() }
    }

    fn segments(mut text: Segment, step: usize) -> Vec<Segment> {
        let mut segmenter = Segmenter::new();
        let mut done = Vec::new();
        while text.text.len() > step {
            let rest = text.split_off(text.text.floor_char_boundary(step));
            done.extend(segmenter.push(std::mem::replace(&mut text, rest)));
        }
        done.extend(segmenter.push(text));
        done.extend(segmenter.finish());
        done
    }

    /// The cuts of a text, which must not depend on the size of the parts in which it arrives.
    fn check(text: String, expected: &[usize]) {
        let whole = clean(text);
        for step in [60_000, 300_001, usize::MAX] {
            let parts = segments(whole.clone(), step);
            let mut at = 0;
            for part in &parts {
                assert_eq!(part.line_at(0), whole.line_at(at));
                assert_eq!(part.text, whole.text[at..at + part.text.len()]);
                assert_eq!(part.map.source(Span::new(0, 1)), whole.map.source(Span::new(at, at + 1)));
                at += part.text.len();
            }
            assert_eq!(at, whole.text.len());
            let lens: Vec<usize> = parts.iter().map(|part| part.text.len()).collect();
            assert_eq!(lens, expected, "by {step}");
        }
    }

    #[test]
    fn a_short_text_is_one_segment_and_is_not_copied() {
        let text = clean("x".repeat(MAX_SEGMENT_BYTES));
        let at = text.text.as_ptr();
        let parts = segments(text, usize::MAX);
        assert_eq!((parts.len(), parts[0].text.as_ptr()), (1, at));
        assert!(segments(clean(String::new()), 10).is_empty());
    }

    #[test]
    fn the_best_place_in_the_window_wins() {
        let long = "x".repeat(300 << 10);
        check(format!("{long}\n\n{long}\n{long}"), &[(300 << 10) + 2, (300 << 10) + 1, 300 << 10]);
        check(format!("{long}\n{long} {long}"), &[(300 << 10) + 1, (300 << 10) + 1, 300 << 10]);
        check(format!("{long} {long}"), &[(300 << 10) + 1, 300 << 10]);
        check(long.repeat(2), &[MAX_SEGMENT_BYTES, (600 << 10) - MAX_SEGMENT_BYTES]);
        check("one line\n".repeat(100_000), &[524_286, 375_714]);
    }

    #[test]
    fn neither_a_grapheme_nor_a_unit_is_cut() {
        check("e\u{301}".repeat(200_000), &[MAX_SEGMENT_BYTES - 2, 600_000 - MAX_SEGMENT_BYTES + 2]);
        let mut map = MapBuilder::new(0);
        map.units(150_000, 4, 1);
        map.copy(2);
        let whole = Segment { text: "x".repeat(600_002), map: map.finish(), ..Segment::default() };
        let parts = segments(whole, usize::MAX);
        assert_eq!(parts[0].text.len(), MAX_SEGMENT_BYTES);
        let mut map = MapBuilder::new(0);
        map.copy(1);
        map.units(150_000, 4, 1);
        let whole = Segment { text: "x".repeat(600_001), map: map.finish(), ..Segment::default() };
        assert_eq!(segments(whole, usize::MAX)[0].text.len(), MAX_SEGMENT_BYTES - 3);
    }

    #[test]
    fn one_endless_grapheme_is_cut_between_characters() {
        let text = format!("e{}", "\u{301}".repeat(400_000));
        check(text, &[MAX_SEGMENT_BYTES - 1, 800_001 - MAX_SEGMENT_BYTES + 1]);
    }
}
