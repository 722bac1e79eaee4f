//! The ends of paragraphs, cells and rows, and the blocks that they make: headings, list items, plain paragraphs.

use super::reader::RtfReader;
use crate::markdown::ItemMarker;
use crate::office::story::{Paragraph, ParagraphRange};

impl RtfReader<'_> {
    /// Ends the open paragraph of the innermost flow.
    pub(super) fn end_paragraph(&mut self) {
        let paragraph = self.group.paragraph;
        let role = self.styles.get(&paragraph.style).copied().unwrap_or_default();
        let paragraphs = self.open_paragraph();
        self.paragraphs += u64::from(self.flows.len() == 1);
        let Some(open) = self.flows.last_mut() else { return };
        let words = std::mem::take(&mut open.words);
        let marker = open.marker.take().map(|marker| match is_number(&marker) {
            true => ItemMarker::Number(marker),
            false => ItemMarker::Bullet,
        });
        let item = marker.map(|marker| (paragraph.level.min(8), Some(marker)));
        let role = role.with_outline(paragraph.outline);
        if let Some(block) = (Paragraph { role, item, words }).into_block() {
            open.flow.push(block, paragraph.tables(), paragraphs);
        }
    }

    /// The number of the open paragraph; empty outside of the body.
    pub(super) fn open_paragraph(&self) -> ParagraphRange {
        if self.flows.len() == 1 {
            ParagraphRange::of(self.paragraphs + 1)
        } else {
            ParagraphRange::default()
        }
    }

    /// Ends a cell, and its last paragraph with it.
    pub(super) fn end_cell(&mut self, depth: usize) {
        let before = self.group.paragraph;
        (self.group.paragraph.in_table, self.group.paragraph.depth) = (true, Some(depth as u8));
        self.end_paragraph();
        self.group.paragraph = before;
        if let Some(open) = self.flows.last_mut() {
            open.flow.end_cell(depth);
        }
    }

    /// Ends a row, with the shape that was defined last.
    pub(super) fn end_row(&mut self, depth: usize) {
        let shape = self.shape.cells.clone();
        if let Some(open) = self.flows.last_mut() {
            open.flow.end_row(depth, shape);
        }
    }
}

/// Numbers are words of the document; bullets of any font are marks.
fn is_number(marker: &str) -> bool {
    marker.len() > 1 && marker.chars().any(char::is_alphanumeric)
}
