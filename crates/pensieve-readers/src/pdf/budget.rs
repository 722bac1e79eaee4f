//! Limits the cost of one document: operators and glyphs of a page and of all pages, and what its streams expand to.
//! The whole document counts, since the page tree can list one page ten thousand times. If something was left out,
//! this becomes a review reason.

use super::decoder::StreamDecoder;
use super::inline_images::endless_images_from;
use crate::limits::pdf::{MAX_GLYPHS, MAX_OPERATORS, MAX_PAGE_GLYPHS, MAX_PAGE_OPERATORS};
use std::rc::Rc;

/// What a document may still cost.
#[derive(Debug)]
pub(super) struct DocumentBudget {
    /// Decodes the document's streams.
    pub(super) decoder: Rc<StreamDecoder>,
    operators: u64,
    glyphs: u64,
    page_glyphs: u64,
    page_operators: u64,
    /// Something was left out because the budget was used up.
    pub(super) has_left_out: bool,
}

impl DocumentBudget {
    /// The budget of a document.
    pub(super) fn new() -> DocumentBudget {
        DocumentBudget {
            decoder: Rc::new(StreamDecoder::new()),
            operators: MAX_OPERATORS,
            glyphs: MAX_GLYPHS,
            page_glyphs: 0,
            page_operators: 0,
            has_left_out: false,
        }
    }

    /// Starts a page with its share.
    pub(super) fn start_page(&mut self) {
        self.page_glyphs = self.glyphs.min(MAX_PAGE_GLYPHS);
        self.page_operators = self.operators.min(MAX_PAGE_OPERATORS);
    }

    /// The operators of a content stream, up to where its inline images no longer end.
    pub(super) fn readable<'a>(&mut self, content: &'a [u8]) -> &'a [u8] {
        let cut = endless_images_from(content);
        self.has_left_out |= cut.is_some();
        cut.and_then(|cut| content.get(..cut)).unwrap_or(content)
    }

    /// Takes `cost` operators from the budget; false if fewer are left.
    pub(super) fn take_operators(&mut self, cost: u64) -> bool {
        let fits = cost <= self.page_operators;
        self.page_operators -= cost.min(self.page_operators);
        self.operators -= cost.min(self.operators);
        self.has_left_out |= !fits;
        fits
    }

    /// Takes a glyph from the budget; false if the budget is empty.
    pub(super) fn take_glyph(&mut self) -> bool {
        let fits = self.page_glyphs > 0;
        self.page_glyphs = self.page_glyphs.saturating_sub(1);
        self.glyphs = self.glyphs.saturating_sub(1);
        self.has_left_out |= !fits;
        fits
    }

    /// True when nothing more can be decoded or drawn.
    pub(super) fn is_used_up(&self) -> bool {
        self.operators == 0 || self.glyphs == 0 || self.decoder.left() == 0
    }

    /// True when anything of the document was left out.
    pub(super) fn was_exceeded(&self) -> bool {
        self.has_left_out || self.decoder.has_left_out()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_spend_more_than_its_share() {
        let mut budget = DocumentBudget::new();
        budget.start_page();
        assert!((0..MAX_PAGE_GLYPHS).all(|_| budget.take_glyph()));
        assert!(!budget.take_glyph() && budget.was_exceeded());
        budget.start_page();
        assert!(budget.take_glyph() && !budget.is_used_up());
    }
}
