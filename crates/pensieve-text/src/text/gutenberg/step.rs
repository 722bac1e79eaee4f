//! The step of cleaning: a whole text is held, cut, and given on.
//!
//! Where the footer begins is known only at the end, so the text is held as a whole. One that is larger than any book
//! of the project passes untouched.

use super::{GutenbergFinding, strip_boilerplate};
use crate::model::Segment;

/// No text of the project is larger; the longest works in one file have some 10 MB.
const LARGEST: usize = 16 << 20;

/// Leaves out the project's words around a book.
#[derive(Debug, Default)]
pub struct GutenbergStripper {
    held: Segment,
    passes: bool,
    findings: Vec<GutenbergFinding>,
}

impl GutenbergStripper {
    /// Takes the next stretch; gives nothing until the end, unless the text is too large.
    pub fn push(&mut self, segment: Segment) -> Segment {
        if self.passes {
            return segment;
        }
        self.held.append(segment);
        if self.held.text.len() > LARGEST {
            self.passes = true;
            self.findings = vec![GutenbergFinding::TooLarge];
            return std::mem::take(&mut self.held);
        }
        Segment::default()
    }

    /// The book.
    pub fn finish(&mut self) -> Segment {
        let (segment, findings) = match self.passes {
            true => return Segment::default(),
            false => strip_boilerplate(std::mem::take(&mut self.held)),
        };
        self.findings = findings;
        segment
    }

    /// What was found; complete behind the end.
    pub fn findings(&self) -> &[GutenbergFinding] {
        &self.findings
    }
}
