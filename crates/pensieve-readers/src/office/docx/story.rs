//! A story: the body, a header, the notes, the comments. Events of its XML become blocks.
//!
//! Owns what is text and what is not: deleted words, codes of fields, hidden words and the second of two branches are
//! not. Every open element has a [`Frame`] that says what its end does, so nothing recurses. Text boxes, tables inside
//! a run and the like interrupt a paragraph: they follow it, or precede it where it has no words before. Source:
//! ECMA-376 part 1, chapter 17, part 3 (alternate content), part 4 (VML).

mod inline;
mod paragraph;

use super::Context;
use super::field::{Field, form};
use super::numbering::Label;
use super::properties::{
    Look, ParagraphProperties, cell_properties, paragraph_properties, row_properties, section_properties,
};
use super::styles::Style;
use super::table::OpenTable;
use crate::markdown::{Block, Words};
use crate::shared::opc::math::read_math;
use crate::shared::opc::{Part, Relations, drawing};
use crate::shared::xml::{Tag, XmlEvent, XmlReader};
use pensieve_text::model::{Locator, Span};
use std::sync::Arc;

/// Cells of tables that are open at one time; text of further ones stays, their borders do not.
const MOST_CELLS: usize = 60_000;

/// Cells behind which a table of the story itself is written, and goes on as another one: it need not fit into memory.
const PORTION: usize = 20_000;

/// Text boxes and tables inside each other; what lies deeper belongs to the innermost of these.
const DEEPEST: usize = 40;

/// What a story gives, in order.
pub(super) enum Piece {
    /// A block, from these bytes of the part.
    Block(Block, Span),
    /// Text of a part inside, as Markdown.
    Markdown(String, Span),
    /// A note or comment.
    Entry(Entry),
}

/// A note or comment.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub id: String,
    pub author: String,
    /// It is drawn between text and notes, and no note.
    pub is_separator: bool,
    pub blocks: Vec<Block>,
}

/// What the end of an open element does.
enum Frame {
    /// Nothing.
    Plain,
    Paragraph,
    /// The look outside comes back.
    Run(Look),
    /// Characters inside are text.
    Text,
    /// Characters inside are code of a field.
    Code,
    /// The link outside comes back.
    Link(Option<Arc<str>>),
    SimpleField,
    Table {
        start: usize,
        outside: Box<Inline>,
    },
    Row(usize),
    Cell,
    TextBox(Box<Inline>),
    Alternate {
        is_taken: bool,
    },
    /// So much was said before.
    Choice(usize),
    Picture {
        said: usize,
        alternatives: Vec<String>,
    },
    Entry(Entry),
}

/// What holds inside one paragraph after the other.
#[derive(Default)]
struct Inline {
    look: Look,
    link: Option<Arc<str>>,
    fields: Vec<Field>,
}

/// A paragraph that is open.
#[derive(Default)]
struct Paragraph {
    /// How many flows are open around it.
    flow: usize,
    start: usize,
    properties: ParagraphProperties,
    style: Option<(Style, Label)>,
    words: Words,
    before: Vec<Block>,
    after: Vec<Block>,
}

/// Blocks that belong together: a cell, a text box, a note.
#[derive(Default)]
struct Flow {
    blocks: Vec<Block>,
    /// Words outside of any paragraph.
    loose: Words,
    /// Words of a paragraph whose mark was deleted: the next one goes on with them.
    carried: Words,
}

/// Reads a story.
pub(super) struct Story<'s, 'a> {
    context: &'s mut Context<'a>,
    relations: &'s Relations,
    part: &'s Part,
    name: Arc<str>,
    emit: &'s mut dyn FnMut(&mut Context<'a>, Piece),
    frames: Vec<Frame>,
    /// The first one is the story itself.
    flows: Vec<Flow>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<OpenTable>,
    inline: Inline,
    cells: usize,
    /// How often something was said: tells whether a branch or a picture says anything.
    said: usize,
}

impl<'s, 'a> Story<'s, 'a> {
    /// Reads a part to its end; pieces go to `emit`.
    pub fn read(
        context: &'s mut Context<'a>,
        name: &str,
        part: &'s Part,
        relations: &'s Relations,
        emit: &'s mut dyn FnMut(&mut Context<'a>, Piece),
    ) -> Option<String> {
        let mut story = Story {
            context,
            relations,
            part,
            name: name.into(),
            emit,
            frames: Vec::new(),
            flows: vec![Flow::default()],
            paragraphs: Vec::new(),
            tables: Vec::new(),
            inline: Inline::default(),
            cells: 0,
            said: 0,
        };
        let mut reader = XmlReader::new(&part.text);
        while let Some(event) = reader.next() {
            match event {
                XmlEvent::Start(tag) => {
                    if let Some(frame) = story.begin(&mut reader, &tag) {
                        story.frames.push(frame);
                    }
                }
                XmlEvent::Text { text, .. } => match story.frames.last() {
                    Some(Frame::Text) => story.say_text(&text),
                    Some(Frame::Code) => story.add_code(&text),
                    _ => {}
                },
                XmlEvent::End(_) => {
                    if let Some(frame) = story.frames.pop() {
                        story.end(frame, reader.position());
                    }
                }
            }
        }
        story.flush_flow(part.text.len());
        reader.broken().map(str::to_owned)
    }

    /// What the end of this element does; `None` where it was read to its end.
    fn begin(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) -> Option<Frame> {
        match tag.name() {
            "p" => {
                self.begin_paragraph(tag.at);
                return Some(Frame::Paragraph);
            }
            "r" => {
                let look = self.paragraph_look();
                return Some(Frame::Run(std::mem::replace(&mut self.inline.look, look)));
            }
            "t" => return Some(Frame::Text),
            "instrText" => return Some(Frame::Code),
            "pPr" => {
                let properties = paragraph_properties(reader);
                self.set_paragraph(properties);
            }
            "rPr" => self.set_run(reader),
            "tbl" | "tr" | "tc" | "tblPr" | "tblGrid" | "trPr" | "tcPr" | "tblPrEx" => {
                return self.begin_table(reader, tag);
            }
            "del" | "moveFrom" | "delText" | "delInstrText" | "sdtPr" | "sdtEndPr" | "smartTagPr"
            | "customXmlPr" | "rubyPr" | "fldData" | "binData" => reader.pass(),
            "sectPr" => {
                let margins = section_properties(reader);
                self.add_margins(&margins);
            }
            "hyperlink" => {
                let link = self.link_of(tag);
                return Some(Frame::Link(std::mem::replace(&mut self.inline.link, link)));
            }
            "fldSimple" => {
                self.inline.fields.push(Field::simple(&tag.get("instr").unwrap_or_default()));
                return Some(Frame::SimpleField);
            }
            "fldChar" => {
                self.field_mark(tag);
                return Some(Frame::Plain);
            }
            "ffData" => {
                let shown = form(reader);
                if let Some(field) = self.inline.fields.last_mut() {
                    field.shown = shown;
                }
            }
            "footnote" | "endnote" | "comment" => return Some(self.begin_entry(tag)),
            _ => return self.begin_inside_run(reader, tag),
        }
        None
    }

    /// Signs, pictures and what else stands among the words.
    fn begin_inside_run(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) -> Option<Frame> {
        match tag.name() {
            "tab" | "ptab" => self.say("\t"),
            "br" | "cr" => self.say("\n"),
            "noBreakHyphen" => self.say("\u{2011}"),
            "sym" => self.say_sign(tag),
            "footnoteReference" | "endnoteReference" => self.refer(tag),
            "oMath" => {
                let equation = read_math(reader);
                self.say(&equation);
                return None;
            }
            "oMathPara" => self.part_equations(),
            "drawing" | "pict" | "object" => {
                return Some(Frame::Picture { said: self.said, alternatives: Vec::new() });
            }
            "docPr" | "cNvPr" => self.add_alternative(tag.get("descr")),
            "shape" | "rect" | "roundrect" | "oval" | "group" => self.add_alternative(tag.get("alt")),
            "textpath" => self.say(&tag.get("string").unwrap_or_default()),
            "txbxContent" if self.flows.len() < DEEPEST => {
                self.flows.push(Flow::default());
                return Some(Frame::TextBox(Box::new(std::mem::take(&mut self.inline))));
            }
            "chart" => self.add_drawing(tag.get("id"), drawing::chart),
            "relIds" => self.add_drawing(tag.get("dm"), drawing::diagram),
            "altChunk" => self.insert_part(tag, XmlReader::position(reader)),
            "AlternateContent" => return Some(Frame::Alternate { is_taken: false }),
            "Choice" | "Fallback" => {
                if let Some(Frame::Alternate { is_taken: true }) = self.frames.last() {
                    reader.pass();
                    return None;
                }
                return Some(Frame::Choice(self.said));
            }
            _ => {}
        }
        Some(Frame::Plain)
    }

    fn end(&mut self, frame: Frame, position: usize) {
        match frame {
            Frame::Plain | Frame::Text | Frame::Code => {}
            Frame::Paragraph => self.end_paragraph(position),
            Frame::Run(look) => self.inline.look = look,
            Frame::Link(link) => self.inline.link = link,
            Frame::SimpleField => drop(self.inline.fields.pop()),
            Frame::Table { start, outside } => self.end_table(start, *outside, position),
            Frame::Row(start) => {
                let place =
                    (self.tables.len() == 1 && self.flows.len() == 1).then(|| self.place(start, position));
                if let Some(table) = self.tables.last_mut() {
                    table.end_row(place);
                }
            }
            Frame::Cell => {
                let blocks = self.end_flow(position);
                if let Some(table) = self.tables.last_mut() {
                    table.end_cell(blocks);
                }
            }
            Frame::TextBox(outside) => {
                let blocks = self.end_flow(position);
                self.inline = *outside;
                self.interrupt(blocks, position, false);
            }
            Frame::Alternate { .. } => {}
            Frame::Choice(said) => {
                let has_said = self.said > said;
                if let Some(Frame::Alternate { is_taken }) = self.frames.last_mut() {
                    *is_taken |= has_said;
                }
            }
            Frame::Picture { said, alternatives } => {
                // What is written in a drawing says more than what somebody wrote about it.
                if self.said == said {
                    alternatives.iter().for_each(|text| self.say_alternative(text));
                }
            }
            Frame::Entry(mut entry) => {
                entry.blocks = self.end_flow(position);
                (self.emit)(self.context, Piece::Entry(entry));
            }
        }
    }
}

impl Story<'_, '_> {
    /// Tables with their rows, cells and properties.
    fn begin_table(&mut self, reader: &mut XmlReader<'_>, tag: &Tag<'_>) -> Option<Frame> {
        let is_open = !self.tables.is_empty();
        match tag.name() {
            "tbl" if self.cells < MOST_CELLS && self.flows.len() < DEEPEST => {
                self.tables.push(OpenTable::default());
                let outside = Box::new(std::mem::take(&mut self.inline));
                return Some(Frame::Table { start: tag.at, outside });
            }
            "tr" if is_open && matches!(self.frames.last(), Some(frame) if !matches!(frame, Frame::Cell)) => {
                self.write_portion(tag.at);
                if let Some(table) = self.tables.last_mut() {
                    table.begin_row();
                }
                return Some(Frame::Row(tag.at));
            }
            "tc" if is_open && self.cells < MOST_CELLS => {
                self.cells += 1;
                if let Some(table) = self.tables.last_mut() {
                    table.begin_cell();
                }
                self.flows.push(Flow::default());
                return Some(Frame::Cell);
            }
            "tbl" | "tr" | "tc" => return Some(Frame::Plain),
            "tcPr" => {
                let properties = cell_properties(reader);
                if let Some(table) = self.tables.last_mut() {
                    table.set_cell(properties);
                }
            }
            "trPr" => {
                let properties = row_properties(reader);
                if let Some(table) = self.tables.last_mut() {
                    table.set_row(properties);
                }
            }
            _ => reader.pass(),
        }
        None
    }

    /// Writes the rows so far of a very long table.
    fn write_portion(&mut self, position: usize) {
        if self.cells < PORTION
            || self.tables.len() != 1
            || self.flows.len() != 1
            || self.own_paragraph().is_some()
        {
            return;
        }
        self.cells = 0;
        if let Some(table) = self.tables.last_mut().map(std::mem::take) {
            self.emit(Block::Table(table.finish()), Span::new(position, position));
        }
    }

    fn end_table(&mut self, start: usize, outside: Inline, position: usize) {
        self.inline = outside;
        let Some(table) = self.tables.pop() else { return };
        let table = table.finish();
        if self.tables.is_empty() {
            self.cells = 0;
        }
        if self.own_paragraph().is_some() {
            return self.interrupt(vec![Block::Table(table)], position, true);
        }
        self.flush_loose(position);
        self.emit(Block::Table(table), Span::new(start, position));
    }

    fn begin_entry(&mut self, tag: &Tag<'_>) -> Frame {
        self.flows.push(Flow::default());
        let kind = tag.get("type").unwrap_or_default();
        Frame::Entry(Entry {
            id: tag.get("id").unwrap_or_default(),
            author: tag.get("author").unwrap_or_default(),
            is_separator: !matches!(kind.as_str(), "" | "normal"),
            blocks: Vec::new(),
        })
    }

    /// The place of bytes of this part.
    fn place(&self, start: usize, end: usize) -> Locator {
        let bytes = self.part.bytes(Span::new(start, end.max(start)));
        Locator::part(self.name.clone(), Some(bytes))
    }

    /// Puts a block into the innermost flow; the story's own go out at once.
    fn emit(&mut self, block: Block, bytes: Span) {
        match self.flows.as_mut_slice() {
            [] | [_] => (self.emit)(self.context, Piece::Block(block, bytes)),
            [.., flow] => push_block(&mut flow.blocks, block),
        }
    }

    /// Ends the innermost flow and gives its blocks.
    fn end_flow(&mut self, position: usize) -> Vec<Block> {
        self.flush_flow(position);
        match self.flows.len() {
            0 | 1 => Vec::new(),
            _ => self.flows.pop().map(|flow| flow.blocks).unwrap_or_default(),
        }
    }

    /// Words that wait for a paragraph become one.
    fn flush_flow(&mut self, position: usize) {
        while self.own_paragraph().is_some() {
            self.end_paragraph(position);
        }
        self.flush_loose(position);
        if let Some(flow) = self.flows.last_mut() {
            let carried = std::mem::take(&mut flow.carried);
            if !carried.is_blank() {
                self.emit(Block::Paragraph(carried), Span::new(position, position));
            }
        }
    }

    fn flush_loose(&mut self, position: usize) {
        let Some(flow) = self.flows.last_mut() else { return };
        let loose = std::mem::take(&mut flow.loose);
        if !loose.is_blank() {
            self.emit(Block::Paragraph(loose), Span::new(position, position));
        }
    }

    /// The open paragraph of the innermost flow.
    fn own_paragraph(&mut self) -> Option<&mut Paragraph> {
        let flow = self.flows.len();
        self.paragraphs.last_mut().filter(|paragraph| paragraph.flow == flow)
    }

    /// Where words go now.
    fn words(&mut self) -> Option<&mut Words> {
        let flow = self.flows.len();
        match self.paragraphs.last_mut() {
            Some(paragraph) if paragraph.flow == flow => Some(&mut paragraph.words),
            _ => self.flows.last_mut().map(|flow| &mut flow.loose),
        }
    }
}

/// Adds a block; lines of code that follow each other are one block.
pub(super) fn push_block(blocks: &mut Vec<Block>, block: Block) {
    match (blocks.last_mut(), block) {
        (Some(Block::Code { text, .. }), Block::Code { text: next, .. }) => {
            text.push('\n');
            text.push_str(&next);
        }
        (_, block) => {
            // Most cells hold one block.
            if blocks.is_empty() {
                blocks.reserve_exact(1);
            }
            blocks.push(block);
        }
    }
}
