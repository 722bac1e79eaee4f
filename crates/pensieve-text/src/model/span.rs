//! Half-open byte ranges.

use std::ops::Range;

/// A half-open range of bytes, `[start, end)`, of a text that the context defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte inside.
    pub start: usize,
    /// First byte after.
    pub end: usize,
}

impl Span {
    /// A span; `start` must not be after `end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end, "a span cannot end before it starts");
        Span { start, end }
    }

    /// Number of bytes inside.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True when no byte is inside.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same span in a text that begins `by` bytes earlier.
    pub fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }

    /// True when the two spans share at least one byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// As a range, to slice with.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}
