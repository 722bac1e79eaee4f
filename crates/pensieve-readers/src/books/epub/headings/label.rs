//! Labels of the contents at their places in a text, and how deep the headings after them are.

/// A label of the contents and the byte of the text that is its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TocLabel<'e> {
    /// Its number in the contents, from 0.
    pub seq: usize,
    /// Its depth, from 1; 0 if the contents are flat, so that the headings decide.
    pub level: usize,
    pub words: &'e str,
    /// Beyond the text for its end.
    pub at: usize,
    /// How sure that place is.
    pub confidence: AnchorConfidence,
}

impl TocLabel<'_> {
    pub(super) fn is_sure(&self) -> bool {
        matches!(self.confidence, AnchorConfidence::Start | AnchorConfidence::Place)
    }

    /// True unless the heading may be anywhere.
    pub(super) fn is_placed(&self) -> bool {
        self.confidence != AnchorConfidence::UnplacedEntry
    }

    /// True for a label with the same words at the same place.
    pub(super) fn repeats(&self, other: &TocLabel<'_>) -> bool {
        self.is_sure() && (self.at, self.confidence, self.words) == (other.at, other.confidence, other.words)
    }
}

/// How sure the place of a label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnchorConfidence {
    /// The start of a page.
    Start,
    /// A place inside a page: it means a heading there, whatever its words.
    Place,
    /// The place that it names is missing: a heading anywhere between its neighbours may be meant.
    Loose,
    /// The same, but no heading is inserted if there is none.
    UnplacedEntry,
}

/// The depth of the headings that follow, carried from one segment of a book to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HeadingDepth {
    /// The level of the section that is open; 0 before the first.
    pub(super) open: usize,
    /// By how many levels its other headings move, if known.
    shift: Option<isize>,
}

impl HeadingDepth {
    pub(super) fn enter(&mut self, level: usize, heading: Option<usize>) {
        self.open = level;
        self.shift = heading.map(|found| level as isize - found as isize);
    }

    /// The level of a heading that no entry claims.
    pub(super) fn of_other(&mut self, level: usize) -> usize {
        if self.open == 0 {
            return level;
        }
        let below = self.open as isize + 1;
        let shift = *self.shift.get_or_insert((below - level as isize).max(0));
        (level as isize + shift).clamp(below.min(6), 6) as usize
    }
}
