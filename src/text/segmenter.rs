//! Stored segments: a clean text cut into parts of a handy size, at places that depend on the text alone.
//!
//! A text of up to 512 KiB is one segment. A longer one is cut behind a blank line between 256 and 512 KiB if there
//! is one there, else behind a line, else behind white space, else between two graphemes; the last such place wins.
//! How the text arrived does not show.

use crate::model::Segment;
use unicode_segmentation::GraphemeCursor;

/// No segment but the last is shorter.
const SHORTEST: usize = 256 << 10;

/// No segment is longer.
const LONGEST: usize = 512 << 10;

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

    /// Takes the next stretch of clean text and gives the segments that are complete.
    ///
    /// Cost: each byte is copied at most twice; a text that fits one segment is passed on uncopied.
    pub fn push(&mut self, clean: Segment) -> Vec<Segment> {
        self.held.append(clean);
        let mut cuts = Vec::new();
        let mut start = 0;
        while self.held.text.len() - start > LONGEST {
            start = cut(&self.held, start);
            cuts.push(start);
        }
        // From the back, so that each byte moves once.
        let mut segments = Vec::with_capacity(cuts.len());
        self.held.anchor_lines(&cuts);
        for (i, &at) in cuts.iter().enumerate().rev() {
            segments.push(self.held.split_off(at));
            debug_assert!(i > 0 || at > 0, "a segment has text");
        }
        if let Some(rest) = segments.first_mut() {
            std::mem::swap(rest, &mut self.held);
        }
        segments.rotate_left(usize::from(segments.len() > 1));
        segments.reverse();
        segments
    }

    /// The last segment; none where the text is empty.
    pub fn finish(&mut self) -> Option<Segment> {
        Some(std::mem::take(&mut self.held)).filter(|last| !last.text.is_empty())
    }
}
