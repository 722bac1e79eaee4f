//! Flows of blocks: the body, a cell, a text box and a note are flows; those inside others are on a stack.
//!
//! A flow is kept in memory until the outermost one can be written. Its size is therefore counted: beyond a limit,
//! blocks are joined, and no text is lost.

use super::lists::OpenList;
use crate::limits::odf::{MAX_COLUMNS, MAX_TABLE_AREA_CELLS};
use crate::markdown::{Block, TableCell, TableRow, TextRun, Words};
use crate::office::story::{CharacterFormat, ListCounters, ParagraphRole};
use crate::shared::slide_order::Frame;
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
    /// Its place, if no layout says it.
    pub frame: Option<Frame>,
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
    pub outer_format: CharacterFormat,
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
        paragraph.words.push_within(run, is_full);
    }
}

/// Adds a block to others; lines of code are joined; so are paragraphs if too much is in memory.
pub(super) fn add_to(blocks: &mut Vec<PlacedBlock>, block: Block, span: Span, is_full: bool) {
    if let Some((last, place)) = blocks.last_mut()
        && last.absorb(&block, is_full)
    {
        let is_code = matches!(block, Block::Code { .. });
        place.end = if is_code { span.end.max(place.start) } else { place.end };
        return;
    }
    blocks.push((block, span));
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

    /// True if the text of a further row can be added to the last cell of the rows before.
    pub fn can_join_rows(&self) -> bool {
        self.rows.len() > 1 && self.rows.last().is_some_and(|row| !row.cells.is_empty())
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
        if !into.last_mut().is_some_and(|last| last.absorb(&block, true)) {
            into.push(block);
        }
    }
}

pub(super) fn is_blank(block: &Block) -> bool {
    block.words().is_some_and(Words::is_blank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::TextStyle;

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
    fn an_open_paragraph_takes_words_and_delays_blocks() {
        let mut flow = OpenFlow::new(FlowKind::Root);
        let run = |text: &str, strong: bool, note: Option<&str>| TextRun {
            text: text.into(),
            style: TextStyle { strong, ..TextStyle::default() },
            note: note.map(Arc::from),
            ..TextRun::default()
        };
        // Without a paragraph, words are lost.
        flow.push(run("lost", false, None), false);
        flow.paragraph = Some(OpenParagraph {
            words: Words::default(),
            role: ParagraphRole::Body,
            heading: None,
            start: 0,
            is_hidden: false,
            number: None,
            list: None,
            outer_format: CharacterFormat::default(),
        });
        flow.push(run("a", true, None), true);
        flow.push(run("b", false, None), true);
        flow.push(run("c", false, None), false);
        flow.push(run("", false, Some("1")), true);
        flow.add(paragraph("after"), Span::new(3, 4), false);
        assert_eq!((flow.blocks.len(), flow.after), (0, vec![(paragraph("after"), Span::new(3, 4))]));
        let words = flow.paragraph.map(|paragraph| paragraph.words.0).unwrap_or_default();
        assert_eq!(words, [run("ab", true, None), run("c", false, None), run("", false, Some("1"))]);
    }

    #[test]
    fn blocks_are_joined_by_kind() {
        let code = |text: &str| Block::Code { language: String::new(), text: text.into() };
        let item = |text: &str| Block::Item { depth: 1, marker: None, words: Words::plain(text) };
        let quote = |text: &str| Block::Quote(Words::plain(text));
        let heading = |text: &str| Block::Heading { level: 1, words: Words::plain(text) };
        let note = Block::Note { label: "1".into(), blocks: vec![paragraph("x")] };
        let empty = Block::Paragraph(Words::default());
        for (first, second, loose, full) in [
            (code("a"), code("b"), Some(code("a\nb")), Some(code("a\nb"))),
            (code("a"), paragraph("b"), None, None),
            (paragraph("a"), code("b"), None, None),
            (paragraph("a"), item("b"), None, Some(paragraph("a\nb"))),
            (item("a"), quote("b"), None, Some(item("a\nb"))),
            (quote("a"), heading("b"), None, Some(quote("a\nb"))),
            (empty, paragraph("b"), None, Some(paragraph("b"))),
            (heading("a"), paragraph("b"), None, None),
            (paragraph("a"), Block::Rule, None, None),
            (note, paragraph("b"), None, None),
        ] {
            let apart = || vec![(first.clone(), Span::new(2, 4)), (second.clone(), Span::new(5, 9))];
            for (is_full, expected) in [(false, &loose), (true, &full)] {
                let mut blocks = vec![(first.clone(), Span::new(2, 4))];
                add_to(&mut blocks, second.clone(), Span::new(5, 9), is_full);
                let end = if matches!(first, Block::Code { .. }) { 9 } else { 4 };
                let joined = |block: &Block| vec![(block.clone(), Span::new(2, end))];
                assert_eq!(blocks, expected.as_ref().map_or_else(apart, joined));
            }
            // The blocks of a cell or a note are joined in the same way.
            let mut blocks = vec![first.clone()];
            join_blocks(&mut blocks, vec![second.clone()]);
            assert_eq!(blocks, full.map_or_else(|| vec![first.clone(), second.clone()], |block| vec![block]));
        }
    }

    #[test]
    fn only_paragraphs_can_be_blank() {
        for (block, expected) in [
            (paragraph(" "), true),
            (Block::Heading { level: 1, words: Words::default() }, true),
            (Block::Item { depth: 0, marker: None, words: Words::plain("x") }, false),
            (Block::Code { language: String::new(), text: String::new() }, false),
            (Block::Rule, false),
        ] {
            assert_eq!(is_blank(&block), expected, "{block:?}");
        }
    }

    /// Columns and rows of the cells.
    fn shapes_of(cells: &[TableCell]) -> Vec<(u32, u32, bool)> {
        cells.iter().map(|cell| (cell.columns, cell.rows, cell.blocks.is_empty())).collect()
    }

    #[test]
    fn cells_cover_and_repeat_as_far_as_the_limits_allow() {
        let x = || vec![paragraph("x")];
        let mut table = TableBuilder::default();
        table.add_cell(x(), 2, 3, 2);
        table.add_cell(x(), 0, 0, 0);
        table.add_cell(Vec::new(), 2, 1, 1);
        table.add_cell(Vec::new(), 1, 2, 1);
        assert_eq!((table.area, table.blanks), (12 + 1 + 2 + 2, 0));
        table.add_cell(Vec::new(), 1, 0, 2);
        assert_eq!((table.area, table.blanks), (17, 2));
        table.add_cell(x(), 1, 1, 1);
        assert_eq!((table.area, table.blanks), (17 + 3, 0));
        let (x1, blank) = ((1, 1, false), (1, 1, true));
        let expected = [(2, 3, false), (2, 3, false), x1, (2, 1, true), (1, 2, true), blank, blank, x1];
        assert_eq!(shapes_of(&table.end_row()), expected);

        let mut table = TableBuilder::default();
        let rows = (MAX_TABLE_AREA_CELLS as u32) / 2;
        table.add_cell(x(), 2, rows, 1);
        table.add_cell(x(), 1, 2, 1);
        assert_eq!(table.area, MAX_TABLE_AREA_CELLS + 1);
        assert_eq!(shapes_of(&table.end_row()), [(2, rows, false), x1]);
        table.add_cell(x(), MAX_COLUMNS + 1, 1, 1);
        assert_eq!(shapes_of(&table.end_row()), [x1]);
        let mut table = TableBuilder::default();
        table.add_cell(x(), MAX_COLUMNS + 1, 1, 1);
        table.add_cell(x(), 1, 1, MAX_COLUMNS + 1);
        assert_eq!(shapes_of(&table.end_row()).len(), 1 + MAX_COLUMNS as usize);
        table.add_cell(Vec::new(), 1, 1, 300);
        table.add_cell(Vec::new(), 1, 1, 300);
        assert_eq!(table.blanks, MAX_COLUMNS);
        assert_eq!((table.end_row().len(), table.blanks), (0, 0));
    }

    #[test]
    fn text_of_full_tables_goes_to_the_last_cell() {
        let mut table = TableBuilder::default();
        let row = |cells: &[&str]| TableRow {
            cells: cells.iter().map(|text| TableCell::plain(*text)).collect(),
            place: None,
        };
        // There is no cell yet.
        table.join_cell(vec![paragraph("a")]);
        table.join_cell(vec![paragraph("b"), paragraph("c")]);
        assert_eq!(table.cells, [TableCell::plain("a\nb\nc")]);
        table.cells.clear();
        for (rows, joins, expected) in [
            (vec![row(&["x", "y"])], false, (vec![row(&["x", "y\na"])], 0)),
            (vec![row(&["x"]), row(&["y"])], true, (vec![row(&["x"]), row(&["y\na"])], 0)),
            (vec![row(&["x"]), row(&[])], false, (vec![row(&["x"]), row(&[])], 1)),
            (Vec::new(), false, (Vec::new(), 1)),
        ] {
            table.rows = rows;
            assert_eq!(table.can_join_rows(), joins);
            table.join_cell(vec![paragraph("a")]);
            assert_eq!((table.rows.clone(), table.end_row().len()), expected);
        }
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
        assert_eq!(shape(" A cat ", " "), "A cat");
        assert_eq!(shape("A cat on a mat", "A cat"), "A cat on a mat");
        assert_eq!(shape(" ", "A cat"), "A cat");
        let formula = OpenShape { title: "t".into(), formula: "a+b".into(), ..OpenShape::default() };
        assert_eq!(formula.substitute(), "a+b");
    }
}
