//! Flows of blocks: the body, a cell, a text box and a note are flows; those inside others are on a stack.
//!
//! A flow is kept in memory until the outermost one can be written. Its size is therefore counted: beyond a limit,
//! blocks are joined, and no text is lost.

use super::lists::{ListCounters, OpenList};
use super::styles::ParagraphRole;
use crate::limits::odf::{MAX_COLUMNS, MAX_TABLE_AREA_CELLS};
use crate::markdown::{Block, TableCell, TableRow, TextRun, TextStyle, Words};
use pensieve_text::model::Span;
use std::sync::Arc;

/// A block and the bytes of the part that it comes from.
pub(super) type PlacedBlock = (Block, Span);

/// The purpose of a flow.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FlowKind {
    /// The document, or a slide.
    Root,
    /// A cell of the open table.
    Cell {
        columns: u32,
        rows: u32,
        repeat: u32,
    },
    /// A frame or a shape.
    Shape(OpenShape),
    /// A note, with its label.
    Note(Arc<str>),
    /// A comment, with its author.
    Comment(String),
    SlideNotes,
    Header,
}

/// The facts of a frame or a shape besides its text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct OpenShape {
    /// Its short description.
    pub title: String,
    /// Its long description.
    pub description: String,
    /// The text of a formula inside.
    pub formula: String,
    /// It contains the title of a slide.
    pub is_title: bool,
}

impl OpenShape {
    /// The text that replaces a shape without text.
    pub fn substitute(&self) -> String {
        if !self.formula.is_empty() {
            return self.formula.clone();
        }
        let (title, description) = (self.title.trim(), self.description.trim());
        if title.is_empty() || description.contains(title) {
            description.to_owned()
        } else if description.is_empty() || title.contains(description) {
            title.to_owned()
        } else {
            format!("{title}: {description}")
        }
    }
}

#[derive(Debug)]
pub(super) struct OpenParagraph {
    pub words: Words,
    pub role: ParagraphRole,
    /// Set if its element makes it a heading.
    pub heading: Option<OpenHeading>,
    pub start: usize,
    pub is_hidden: bool,
    /// Its number, as the writing program showed it.
    pub number: Option<String>,
    /// Its list style, if its style names one.
    pub list: Option<std::rc::Rc<str>>,
    pub outer_style: TextStyle,
}

/// The properties of a heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenHeading {
    pub level: u8,
    pub is_unnumbered: bool,
    pub restart: Option<u32>,
}

#[derive(Debug)]
pub(super) struct OpenFlow {
    pub kind: FlowKind,
    pub blocks: Vec<PlacedBlock>,
    pub paragraph: Option<OpenParagraph>,
    /// The blocks in frames of the open paragraph, which follow it.
    pub after: Vec<PlacedBlock>,
    pub lists: Vec<OpenList>,
    pub counters: ListCounters,
}

impl OpenFlow {
    pub fn new(kind: FlowKind) -> OpenFlow {
        OpenFlow {
            kind,
            blocks: Vec::new(),
            paragraph: None,
            after: Vec::new(),
            lists: Vec::new(),
            counters: ListCounters::default(),
        }
    }

    /// Adds a block; while a paragraph is open, the block waits for its end.
    pub fn add(&mut self, block: Block, span: Span, is_full: bool) {
        let blocks = if self.paragraph.is_some() { &mut self.after } else { &mut self.blocks };
        add_to(blocks, block, span, is_full);
    }

    /// Adds words to the open paragraph; if too much is in memory, they take the format of the words before.
    pub fn push(&mut self, run: TextRun, is_full: bool) {
        let Some(paragraph) = &mut self.paragraph else { return };
        match paragraph.words.0.last_mut() {
            Some(last) if is_full && run.note.is_none() => last.text.push_str(&run.text),
            _ => paragraph.words.push(run),
        }
    }
}

/// Adds a block to others; lines of code are joined; so are paragraphs if too much is in memory.
pub(super) fn add_to(blocks: &mut Vec<PlacedBlock>, block: Block, span: Span, is_full: bool) {
    if let Some((last, place)) = blocks.last_mut() {
        if let (Block::Code { text, .. }, Block::Code { text: more, .. }) = (&mut *last, &block) {
            text.push('\n');
            text.push_str(more);
            place.end = span.end.max(place.start);
            return;
        }
        if is_full && let (Some(words), Some(more)) = (words_of(last), words_in(&block)) {
            join(words, &more.to_plain());
            return;
        }
    }
    blocks.push((block, span));
}

fn words_of(block: &mut Block) -> Option<&mut Words> {
    match block {
        Block::Paragraph(words) | Block::Quote(words) => Some(words),
        Block::Item { words, .. } => Some(words),
        _ => None,
    }
}

/// The words of a block that is some kind of paragraph.
pub(super) fn words_in(block: &Block) -> Option<&Words> {
    match block {
        Block::Paragraph(words) | Block::Quote(words) => Some(words),
        Block::Item { words, .. } | Block::Heading { words, .. } => Some(words),
        _ => None,
    }
}

/// Appends text to the last run.
fn join(words: &mut Words, more: &str) {
    match words.0.last_mut() {
        Some(last) => {
            last.text.push('\n');
            last.text.push_str(more);
        }
        None => words.push_plain(more),
    }
}

#[derive(Debug, Default)]
pub(super) struct TableBuilder {
    pub rows: Vec<TableRow>,
    pub cells: Vec<TableCell>,
    /// Cells without words that were not added yet: they count only if another cell follows.
    pub blanks: u32,
    pub row_start: usize,
    pub row_repeat: u32,
    pub start: usize,
    pub area: usize,
}

impl TableBuilder {
    /// Adds a cell as many times as it repeats.
    pub fn add_cell(&mut self, blocks: Vec<Block>, columns: u32, rows: u32, repeat: u32) {
        let is_blank = blocks.is_empty();
        let columns = columns.clamp(1, MAX_COLUMNS);
        let repeat = repeat.clamp(1, MAX_COLUMNS);
        if is_blank && columns == 1 && rows <= 1 {
            self.blanks = (self.blanks + repeat).min(MAX_COLUMNS);
            return;
        }
        let area = columns as usize * rows.max(1) as usize * repeat as usize;
        let fits = self.area + area <= MAX_TABLE_AREA_CELLS;
        let (columns, rows, repeat) = if fits { (columns, rows.max(1), repeat) } else { (1, 1, 1) };
        self.area += if fits { area } else { 1 } + self.blanks as usize;
        for _ in 0..std::mem::take(&mut self.blanks) {
            self.cells.push(TableCell::default());
        }
        for _ in 1..repeat {
            self.cells.push(TableCell { blocks: blocks.clone(), columns, rows });
        }
        self.cells.push(TableCell { blocks, columns, rows });
    }

    /// Adds the blocks of a cell to the last one, if too much is in memory.
    pub fn join_cell(&mut self, blocks: Vec<Block>) {
        if self.cells.is_empty() {
            let last = self.rows.last_mut().and_then(|row| row.cells.last_mut());
            return match last {
                Some(cell) => join_blocks(&mut cell.blocks, blocks),
                None => self.add_cell(blocks, 1, 1, 1),
            };
        }
        if let Some(cell) = self.cells.last_mut() {
            join_blocks(&mut cell.blocks, blocks);
        }
    }

    /// Ends a row and returns its cells.
    pub fn end_row(&mut self) -> Vec<TableCell> {
        self.blanks = 0;
        std::mem::take(&mut self.cells)
    }
}

/// Adds blocks to others and joins paragraphs.
pub(super) fn join_blocks(into: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match (into.last_mut().and_then(words_of), words_in(&block)) {
            (Some(words), Some(more)) => join(words, &more.to_plain()),
            _ => into.push(block),
        }
    }
}

pub(super) fn is_blank(block: &Block) -> bool {
    words_in(block).is_some_and(Words::is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(Words::plain(text))
    }

    #[test]
    fn blank_cells_count_only_before_others() {
        let mut table = TableBuilder::default();
        table.add_cell(Vec::new(), 1, 1, 3);
        table.add_cell(vec![paragraph("x")], 1, 1, 1);
        table.add_cell(Vec::new(), 1, 1, 16_000);
        assert_eq!(table.end_row().len(), 4);
        table.add_cell(vec![paragraph("x")], u32::MAX, u32::MAX, u32::MAX);
        assert_eq!(table.end_row().len(), 1);
    }

    #[test]
    fn full_flows_join_what_comes() {
        let mut flow = OpenFlow::new(FlowKind::Root);
        flow.add(paragraph("one"), Span::new(0, 1), true);
        flow.add(paragraph("two"), Span::new(1, 2), true);
        assert_eq!(flow.blocks, [(paragraph("one\ntwo"), Span::new(0, 1))]);
    }

    #[test]
    fn shapes_are_described_once() {
        let shape = |title: &str, description: &str| {
            OpenShape { title: title.into(), description: description.into(), ..OpenShape::default() }
                .substitute()
        };
        assert_eq!(shape("A cat", "A cat on a mat"), "A cat on a mat");
        assert_eq!(shape("Figure", "A cat"), "Figure: A cat");
        assert_eq!(shape("", ""), "");
    }
}
