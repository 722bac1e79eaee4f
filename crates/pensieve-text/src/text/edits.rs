//! Edits of one segment: the changes of a cleaning step, and the one function that applies them.
//!
//! A step lists its edits from left to right; [`Edits::apply`] builds the new text together with its map to the
//! source, its lines and its locators.

use crate::model::{LineAnchor, LocatorMap, MapBuilder, SectionStart, Segment, Span};

/// What an edit means for the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EditKind {
    /// Text that carries no wording is left out.
    Blank,
    /// Text is left out, and the map records the loss.
    Loss,
    /// Text is replaced without loss.
    Unit,
    /// Blanks are inserted.
    Put,
    /// Text is replaced, and the map records the loss.
    Replace,
    /// White space becomes other white space of the same length: for the map, a copy.
    Swap,
}

/// One change: `[start, end)` of the old text becomes the next part of the buffer, up to `put_end`.
#[derive(Debug, Clone, Copy)]
struct Edit {
    start: usize,
    end: usize,
    put_end: usize,
    kind: EditKind,
}

/// Edits of one text, ordered and without overlap.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    put: String,
}

impl Edits {
    /// Leaves out white space or a byte-order mark.
    pub(super) fn blank(&mut self, start: usize, end: usize) {
        self.leave_out(start, end, EditKind::Blank);
    }

    /// Leaves out anything else. An empty range says that something of the wording is lost at this place.
    pub(super) fn loss(&mut self, start: usize, end: usize) {
        self.leave_out(start, end, EditKind::Loss);
    }

    /// Inserts white space.
    pub(super) fn put_blank(&mut self, at: usize, white: &str) {
        self.put.push_str(white);
        self.push(at, at, self.put.len(), EditKind::Put);
    }

    /// Replaces `[start, end)` by `text` without loss.
    pub(super) fn unit(&mut self, start: usize, end: usize, text: &str) {
        self.put.push_str(text);
        self.push(start, end, self.put.len(), EditKind::Unit);
    }

    /// Replaces white space by other white space of the same length.
    pub(super) fn swap(&mut self, start: usize, white: &str) {
        self.put.push_str(white);
        self.push(start, start + white.len(), self.put.len(), EditKind::Swap);
    }

    /// Replaces `[start, end)` by `text` of other wording.
    pub(super) fn replace(&mut self, start: usize, end: usize, text: &str) {
        self.put.push_str(text);
        self.push(start, end, self.put.len(), EditKind::Replace);
    }

    /// Drops edits that end after `at`.
    pub(super) fn keep_until(&mut self, at: usize) {
        while self.list.pop_if(|edit| edit.end > at).is_some() {}
    }

    /// Bytes of wording that are left out.
    pub(super) fn lost(&self) -> usize {
        let losses = self.list.iter().filter(|edit| edit.kind == EditKind::Loss);
        losses.map(|edit| edit.end - edit.start).sum()
    }

    /// The same with a text that is written directly into the buffer. If it equals the old text, no edit is made. A
    /// leading space of the new text counts as an inserted blank, so that a later step can remove it without cutting
    /// the unit (NFKC turns `´` into a space and an accent).
    pub(super) fn unit_unless_same(&mut self, start: usize, old: &str, write: impl FnOnce(&mut String)) {
        let from = self.put.len();
        write(&mut self.put);
        let new = &self.put[from..];
        if new == old {
            self.put.truncate(from);
            return;
        }
        if new.len() > 1 && new.starts_with(' ') {
            self.push(start, start, from + 1, EditKind::Put);
        }
        self.push(start, start + old.len(), self.put.len(), EditKind::Unit);
    }

    fn leave_out(&mut self, start: usize, end: usize, kind: EditKind) {
        if start == end && kind == EditKind::Blank {
            return;
        }
        match self.list.last_mut() {
            Some(last) if last.kind == kind && last.end == start => last.end = end,
            _ => self.push(start, end, self.put.len(), kind),
        }
    }

    fn push(&mut self, start: usize, end: usize, put_end: usize, kind: EditKind) {
        debug_assert!(self.list.last().is_none_or(|last| last.end <= start), "edits come in order");
        self.list.push(Edit { start, end, put_end, kind });
    }

    /// The edited segment; without edits it is the same one, not a copy.
    ///
    /// Cost: one copy of the text and one step for each edit, each run of the map, each anchor and each place.
    pub(super) fn apply(&self, segment: Segment) -> Segment {
        if self.list.is_empty() {
            return segment;
        }
        let mut text = String::with_capacity(segment.text.len() + self.put.len());
        let mut map = MapBuilder::new(0);
        let mut lines = LineAnchorCarrier::of(&segment);
        let (mut at, mut put_at) = (0, 0);
        for edit in &self.list {
            let put = &self.put[put_at..edit.put_end];
            text.push_str(&segment.text[at..edit.start]);
            map.copy(edit.start - at);
            lines.copied(at, edit.start, text.len());
            match edit.kind {
                EditKind::Blank => map.skip_blank(edit.end - edit.start),
                EditKind::Loss => map.skip(edit.end - edit.start),
                EditKind::Unit => map.unit(put.len(), edit.end - edit.start),
                EditKind::Put => map.insert_blank(put.len()),
                EditKind::Swap => map.copy(put.len()),
                EditKind::Replace => map.replace(put.len(), edit.end - edit.start),
            }
            lines.replaced(edit, put, text.len());
            text.push_str(put);
            (at, put_at) = (edit.end, edit.put_end);
        }
        text.push_str(&segment.text[at..]);
        map.copy(segment.text.len() - at);
        lines.copied(at, segment.text.len() + 1, text.len() + 1);
        let lines = lines.done;
        let (places, sections) = self.carry(&segment.places, segment.sections);
        Segment { text, lines, map: map.finish().through(&segment.map), places, sections }
    }

    /// Locators and sections in the edited text. A locator that ends inside an edit covers all of it.
    fn carry(&self, places: &LocatorMap, mut sections: Vec<SectionStart>) -> (LocatorMap, Vec<SectionStart>) {
        if places.0.is_empty() && sections.is_empty() {
            return (LocatorMap::default(), sections);
        }
        let (mut out, mut at, mut put_at) = (0, 0, 0);
        let mut spots = Vec::with_capacity(self.list.len());
        for edit in &self.list {
            let start = out + edit.start - at;
            out = start + edit.put_end - put_at;
            (at, put_at) = (edit.end, edit.put_end);
            spots.push((Span::new(edit.start, edit.end), Span::new(start, out)));
        }
        // An insertion at the border of two locators belongs to the second.
        let is_before = |at: usize| spots.partition_point(|(old, _)| old.start < at && old.end <= at);
        let moved = |at: usize, is_end: bool| match is_before(at) {
            after if spots.get(after).is_some_and(|(old, _)| old.start < at) => {
                if is_end {
                    spots[after].1.end
                } else {
                    spots[after].1.start
                }
            }
            0 => at,
            after => at - spots[after - 1].0.end + spots[after - 1].1.end,
        };
        let moved_places = places.0.iter().map(|(span, place)| {
            let start = moved(span.start, false);
            (Span::new(start, moved(span.end, true).max(start)), place.clone())
        });
        let places = LocatorMap(moved_places.filter(|(span, _)| !span.is_empty()).collect());
        sections.iter_mut().for_each(|section| section.out = moved(section.out, false));
        (places, sections)
    }
}

/// Transfers line anchors: old anchors are moved, and a new one is added wherever counting newlines of the new
/// text would no longer give the line of the source.
struct LineAnchorCarrier<'a> {
    text: &'a [u8],
    old: &'a [LineAnchor],
    done: Vec<LineAnchor>,
    /// A place in the old text with a known line.
    known: LineAnchor,
}

impl<'a> LineAnchorCarrier<'a> {
    fn of(segment: &'a Segment) -> LineAnchorCarrier<'a> {
        let known = segment.lines.first().copied().unwrap_or(LineAnchor { out: 0, line: 0 });
        LineAnchorCarrier { text: segment.text.as_bytes(), old: &segment.lines, done: Vec::new(), known }
    }

    /// `[start, end)` was copied, and the new text now ends at `out_end`.
    fn copied(&mut self, start: usize, end: usize, out_end: usize) {
        while let Some((&anchor, rest)) = self.old.split_first().filter(|(anchor, _)| anchor.out < end) {
            (self.old, self.known) = (rest, anchor);
            self.push(LineAnchor { out: out_end - (end - anchor.out.max(start)), line: anchor.line });
        }
    }

    /// An edit was made at `out` of the new text.
    fn replaced(&mut self, edit: &Edit, put: &str, out: usize) {
        if self.done.is_empty() && self.old.is_empty() {
            return;
        }
        let mut moved = count_lines(&self.text[edit.start..edit.end]) != count_lines(put.as_bytes());
        while let Some((&anchor, rest)) = self.old.split_first().filter(|(anchor, _)| anchor.out < edit.end) {
            (self.old, self.known) = (rest, anchor);
            if anchor.out == edit.start {
                self.push(LineAnchor { out, line: anchor.line });
            } else {
                moved = true;
            }
        }
        if moved {
            let between = count_lines(&self.text[self.known.out..edit.end]) as u64;
            self.known = LineAnchor { out: edit.end, line: self.known.line + between };
            self.push(LineAnchor { out: out + put.len(), line: self.known.line });
        }
    }

    fn push(&mut self, anchor: LineAnchor) {
        match self.done.last_mut() {
            Some(last) if last.out == anchor.out => *last = anchor,
            _ => self.done.push(anchor),
        }
    }
}

fn count_lines(bytes: &[u8]) -> usize {
    match bytes {
        [] => 0,
        [byte] => usize::from(*byte == b'\n'),
        bytes => memchr::memchr_iter(b'\n', bytes).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Locator, SpanMap};

    fn page(n: u64) -> Locator {
        Locator::page(n)
    }

    fn sample() -> Segment {
        let text = "one  two\n\n\nthree\nfour".to_owned();
        let places = LocatorMap(vec![(Span::new(0, 10), page(1)), (Span::new(10, text.len()), page(2))]);
        let map = SpanMap::identity(text.len(), 100);
        Segment { text, map, lines: vec![LineAnchor { out: 0, line: 7 }], places, ..Segment::default() }
    }

    #[test]
    fn an_edit_carries_map_lines_and_places() {
        let mut edits = Edits::default();
        edits.blank(4, 5);
        edits.blank(9, 11);
        edits.unit(12, 14, "HR");
        let segment = edits.apply(sample());
        assert_eq!(segment.text, "one two\ntHRee\nfour");
        assert_eq!(
            segment.map.source(Span::new(4, 7)).map(|s| (s.start, s.end, s.exact)),
            Some((105, 108, true))
        );
        assert_eq!(
            (segment.line_at(7), segment.line_at(8), segment.line_at(14)),
            (Some(7), Some(10), Some(11))
        );
        assert_eq!(segment.places.of(Span::new(0, 7)), Some(page(1)));
        assert_eq!(segment.places.of(Span::new(8, 9)), Some(page(2)));
        assert!(!segment.map.is_boundary(10));
    }

    #[test]
    fn without_edits_the_segment_is_given_back_as_it_is() {
        let segment = sample();
        let at = segment.text.as_ptr();
        assert_eq!(Edits::default().apply(segment).text.as_ptr(), at);
    }

    #[test]
    fn a_loss_shows_in_the_spans_around_it() {
        let mut edits = Edits::default();
        edits.loss(3, 3);
        let segment = edits.apply(sample());
        assert_eq!(segment.map.source(Span::new(0, 8)).map(|s| s.exact), Some(false));
        assert_eq!(segment.map.source(Span::new(4, 8)).map(|s| s.exact), Some(true));
    }

    #[test]
    fn text_that_stays_the_same_is_no_edit() {
        let mut edits = Edits::default();
        edits.unit_unless_same(0, "one", |put| put.push_str("one"));
        assert!(edits.list.is_empty());
        edits.unit_unless_same(0, "one", |put| put.push_str(" 1"));
        let segment = edits.apply(sample());
        assert!(segment.text.starts_with(" 1  two"));
        assert!(segment.map.is_boundary(1));
        assert_eq!(segment.map.source(Span::new(1, 2)).map(|s| (s.end, s.exact)), Some((103, true)));
    }
}
