//! The cleaning step that removes the header and the footer.
//!
//! The beginning of the footer is known only at the end, so the whole text is held back. A text that is larger than any
//! book of the project passes unchanged.

use super::body::strip_boilerplate;
use super::finding::GutenbergFinding;
use crate::model::Segment;

/// The largest text that is held back; the longest works of the project in one file have some 10 MB.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// Removes the project's words around a book.
#[derive(Debug, Default)]
pub(crate) struct GutenbergStripper {
    held: Segment,
    is_too_large: bool,
    findings: Vec<GutenbergFinding>,
}

impl GutenbergStripper {
    /// Takes the next segment; returns nothing until the end, unless the text is too large.
    pub fn push(&mut self, segment: Segment) -> Segment {
        if self.is_too_large {
            return segment;
        }
        self.held.append(segment);
        if self.held.text.len() > MAX_TEXT_BYTES {
            self.is_too_large = true;
            self.findings = vec![GutenbergFinding::TooLarge];
            return std::mem::take(&mut self.held);
        }
        Segment::default()
    }

    /// Returns the book.
    pub fn finish(&mut self) -> Segment {
        let (segment, findings) = match self.is_too_large {
            true => return Segment::default(),
            false => strip_boilerplate(std::mem::take(&mut self.held)),
        };
        self.findings = findings;
        segment
    }

    /// Findings about the header and the footer; complete after [`GutenbergStripper::finish`].
    pub fn findings(&self) -> &[GutenbergFinding] {
        &self.findings
    }
}
