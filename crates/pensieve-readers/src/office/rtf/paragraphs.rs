//! The ends of paragraphs, cells and rows, and the blocks that they make: headings, list items, plain paragraphs.

use super::reader::RtfReader;
use crate::markdown::{Block, ItemMarker, TextRun};
use crate::shared::flow::ParagraphRange;

impl RtfReader<'_> {
    /// Ends the open paragraph of the innermost flow.
    pub(super) fn end_paragraph(&mut self) {
        let paragraph = self.group.paragraph;
        let level = match paragraph.outline {
            Some(level) if level < 9 => Some(level + 1),
            Some(_) => None,
            None => self.styles.get(&paragraph.style).copied(),
        };
        let paragraphs = self.open_paragraph();
        self.paragraphs += u64::from(self.flows.len() == 1);
        let Some(open) = self.flows.last_mut() else { return };
        let mut words = std::mem::take(&mut open.words);
        let marker = open.marker.take();
        if words.is_blank() {
            return;
        }
        let block = match (level, marker) {
            (Some(level), marker) => {
                if let Some(marker) = marker.filter(|marker| is_number(marker)) {
                    words.0.insert(0, TextRun { text: format!("{marker} "), ..TextRun::default() });
                }
                Block::Heading { level, words }
            }
            (None, Some(marker)) => {
                let marker = match is_number(&marker) {
                    true => ItemMarker::Number(marker),
                    false => ItemMarker::Bullet,
                };
                Block::Item { depth: paragraph.level.min(8), marker: Some(marker), words }
            }
            (None, None) => Block::Paragraph(words),
        };
        open.flow.push(block, paragraph.tables(), paragraphs);
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

/// The level of a heading by the name of its style, in the languages in which Word writes names without outline level.
pub(crate) fn heading_level_of(name: &str) -> Option<u8> {
    const NAMES: &[&str] = &[
        "heading",
        "überschrift",
        "titre",
        "título",
        "titolo",
        "rubrik",
        "overskrift",
        "nagłówek",
        "заголовок",
        "kop",
    ];
    let name = name.trim().trim_end_matches(';').to_lowercase();
    let rest = NAMES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    match rest.trim().parse() {
        Ok(level @ 1..=9) => Some(level),
        _ => None,
    }
}
