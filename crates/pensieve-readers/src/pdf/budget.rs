//! What one document may cost. Counts operators, glyphs and nesting for the whole document, never per page: a page can
//! be asked for ten thousand times. What was left out is remembered, and becomes a review reason.

use super::decoder::StreamDecoder;
use std::rc::Rc;

/// Forms that draw forms.
pub(super) const DEPTH: usize = 20;

/// The rest of what a document may cost.
#[derive(Debug)]
pub(super) struct Budget {
    /// Decodes its streams.
    pub(super) streams: Rc<StreamDecoder>,
    operators: u64,
    glyphs: u64,
    page_glyphs: u64,
    page_operators: u64,
    /// Something was left out for want of budget.
    pub(super) is_short: bool,
}

impl Budget {
    /// The budget of a document.
    pub(super) fn new() -> Budget {
        Budget {
            streams: Rc::new(StreamDecoder::new()),
            operators: 60_000_000,
            glyphs: 40_000_000,
            page_glyphs: 0,
            page_operators: 0,
            is_short: false,
        }
    }

    /// A new page starts.
    pub(super) fn start_page(&mut self) {
        self.page_glyphs = self.glyphs.min(400_000);
        self.page_operators = self.operators.min(10_000_000);
    }

    /// One more operator, or as much as `cost` of them; false when there is no budget for it.
    pub(super) fn take_operators(&mut self, cost: u64) -> bool {
        let fits = cost <= self.page_operators;
        self.page_operators -= cost.min(self.page_operators);
        self.operators -= cost.min(self.operators);
        self.is_short |= !fits;
        fits
    }

    /// One more glyph; false when there is no budget for it.
    pub(super) fn take_glyph(&mut self) -> bool {
        let fits = self.page_glyphs > 0;
        self.page_glyphs = self.page_glyphs.saturating_sub(1);
        self.glyphs = self.glyphs.saturating_sub(1);
        self.is_short |= !fits;
        fits
    }

    /// True when no stream is decoded any more, or nothing drawn.
    pub(super) fn is_spent(&self) -> bool {
        self.operators == 0 || self.glyphs == 0 || self.streams.left() == 0
    }

    /// True when a stream or the document was cut short.
    pub(super) fn was_exceeded(&self) -> bool {
        self.is_short || self.streams.has_left_out()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_spend_more_than_its_share() {
        let mut budget = Budget::new();
        budget.start_page();
        assert!((0..400_000).all(|_| budget.take_glyph()));
        assert!(!budget.take_glyph() && budget.was_exceeded());
        budget.start_page();
        assert!(budget.take_glyph() && !budget.is_spent());
    }
}
