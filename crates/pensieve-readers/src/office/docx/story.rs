//! A story: the body, a header, the notes, the comments. The events of its XML become blocks.
//!
//! Decides what is text: deleted words, field codes, hidden words and the second of two alternatives are not. Every
//! open element has an [`OpenElement`] with the action of its end, so nothing recurses. Text boxes, tables inside a
//! run and the like interrupt a paragraph: they follow it, or precede it if it has no words yet. Source: ECMA-376
//! part 1, chapter 17, part 3 (alternate content), part 4 (VML).

mod inline;
mod paragraph;

use super::context::DocumentContext;
use super::field::{OpenField, box_of_control, form_field_text};
use super::open_lists::OpenLists;
use super::properties::{
    ParagraphProperties, paragraph_properties, read_cell_properties, read_row_properties, section_properties,
};
use super::styles::ResolvedStyle;
use crate::limits::docx::{MAX_FLOW_DEPTH, MAX_OPEN_CELLS, MAX_TABLE_CELLS};
use crate::markdown::{Block, ItemMarker, Words};
use crate::office::story::{CharacterFormat, OpenRow, TableBuilder};
use crate::shared::formula::{read_equations, read_office_math};
use crate::shared::opc::{PackagePart, Relationships, drawing};
use crate::shared::xml::{XmlEvent, XmlReader, XmlTag};
use pensieve_text::model::{Locator, Span};
use std::sync::Arc;

/// The content of a story, in order.
pub(super) enum StoryEvent {
    /// A block, from these bytes of the part.
    Block(Block, Span),
    /// The text of an inserted part, as Markdown.
    Markdown(String, Span),
    Annotation(Annotation),
}

/// A note or comment.
#[derive(Debug, Default)]
pub(super) struct Annotation {
    pub id: String,
    pub author: String,
    /// It is the line between text and notes.
    pub is_separator: bool,
    pub blocks: Vec<Block>,
}

/// The action at the end of an open element.
enum OpenElement {
    Plain,
    Paragraph,
    /// Restores the format outside.
    Run(CharacterFormat),
    /// Characters inside are text.
    Text,
    /// Characters inside are a field code.
    Code,
    /// Restores the link outside.
    Link(Option<Arc<str>>),
    SimpleField,
    Table {
        start: usize,
        outside: Box<InlineState>,
    },
    Row(usize),
    Cell,
    TextBox(Box<InlineState>),
    Alternate {
        is_taken: bool,
    },
    /// The amount of content before it.
    Choice(usize),
    Picture {
        content_count: usize,
        alternatives: Vec<String>,
    },
    /// Characters with the way they are read above them.
    Ruby,
    /// How they are read.
    Reading,
    Annotation(Annotation),
}

/// State that continues across the ends of paragraphs.
#[derive(Default)]
struct InlineState {
    format: CharacterFormat,
    link: Option<Arc<str>>,
    fields: Vec<OpenField>,
    /// The next sign is this box.
    ticked: Option<&'static str>,
    /// How the characters are read that follow in the file.
    reading: String,
    is_reading: bool,
}

/// A paragraph that is open.
#[derive(Default)]
struct OpenParagraph {
    /// How many flows are open around it.
    flow: usize,
    start: usize,
    properties: ParagraphProperties,
    style: Option<(ResolvedStyle, Option<ItemMarker>)>,
    words: Words,
    before: Vec<Block>,
    after: Vec<Block>,
}

/// Blocks that belong together: those of a cell, a text box, a note.
#[derive(Default)]
struct BlockFlow {
    blocks: Vec<Block>,
    /// Words outside of any paragraph.
    loose: Words,
    lists: OpenLists,
    /// Words of a paragraph whose mark was deleted, or a drop cap: the next paragraph continues them.
    carried: Words,
}

/// Reads a story.
pub(super) struct StoryReader<'s, 'a> {
    context: &'s mut DocumentContext<'a>,
    relations: &'s Relationships,
    part: &'s PackagePart,
    name: Arc<str>,
    emit: &'s mut dyn FnMut(&mut DocumentContext<'a>, StoryEvent),
    open_elements: Vec<OpenElement>,
    /// The first one is the story itself.
    flows: Vec<BlockFlow>,
    paragraphs: Vec<OpenParagraph>,
    tables: Vec<TableBuilder>,
    inline: InlineState,
    cells: usize,
    /// The position in the part.
    at: usize,
    /// Counts additions of content, to find out whether an alternative or a picture has any.
    content_count: usize,
}

impl<'s, 'a> StoryReader<'s, 'a> {
    /// Reads a part to its end and passes its events to `emit`; returns what is broken in its XML.
    pub fn read(
        context: &'s mut DocumentContext<'a>,
        name: &str,
        part: &'s PackagePart,
        relations: &'s Relationships,
        emit: &'s mut dyn FnMut(&mut DocumentContext<'a>, StoryEvent),
    ) -> Option<String> {
        let mut story = StoryReader {
            context,
            relations,
            part,
            name: name.into(),
            emit,
            open_elements: Vec::new(),
            flows: vec![BlockFlow::default()],
            paragraphs: Vec::new(),
            tables: Vec::new(),
            inline: InlineState::default(),
            cells: 0,
            at: 0,
            content_count: 0,
        };
        let mut reader = XmlReader::new(&part.text);
        while let Some(event) = reader.next() {
            story.at = reader.position();
            match event {
                XmlEvent::Start(tag) => {
                    if let Some(element) = story.begin(&mut reader, &tag) {
                        story.open_elements.push(element);
                    }
                }
                XmlEvent::Text { text, .. } => match story.open_elements.last() {
                    Some(OpenElement::Text) => story.push_characters(&text),
                    Some(OpenElement::Code) => story.add_code(&text),
                    _ => {}
                },
                XmlEvent::End(_) => {
                    if let Some(element) = story.open_elements.pop() {
                        story.end(element, reader.position());
                    }
                }
            }
        }
        story.flush_flow(part.text.len());
        reader.broken().map(str::to_owned)
    }

    /// The action at the end of this element; `None` if the element was already read to its end.
    fn begin(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) -> Option<OpenElement> {
        match tag.name() {
            "p" => {
                self.begin_paragraph(tag.at);
                return Some(OpenElement::Paragraph);
            }
            "r" => {
                let format = self.paragraph_format();
                return Some(OpenElement::Run(std::mem::replace(&mut self.inline.format, format)));
            }
            "t" => return Some(OpenElement::Text),
            "instrText" => return Some(OpenElement::Code),
            "pPr" => {
                let properties = paragraph_properties(reader);
                self.set_paragraph(properties);
            }
            "rPr" => self.set_run(reader),
            "tbl" | "tr" | "tc" | "tblPr" | "tblGrid" | "trPr" | "tcPr" | "tblPrEx" => {
                return self.begin_table(reader, tag);
            }
            "sdtPr" => self.inline.ticked = box_of_control(reader),
            "del" | "moveFrom" | "delText" | "delInstrText" | "sdtEndPr" | "smartTagPr" | "customXmlPr"
            | "rubyPr" | "fldData" | "binData" => reader.pass(),
            "sectPr" => {
                let headers_and_footers = section_properties(reader);
                self.add_headers_and_footers(&headers_and_footers);
            }
            "hyperlink" => {
                let link = self.link_of(tag);
                return Some(OpenElement::Link(std::mem::replace(&mut self.inline.link, link)));
            }
            "fldSimple" => {
                self.inline.fields.push(OpenField::simple(&tag.get("instr").unwrap_or_default()));
                return Some(OpenElement::SimpleField);
            }
            "fldChar" => {
                self.field_mark(tag);
                return Some(OpenElement::Plain);
            }
            "ffData" => {
                let shown = form_field_text(reader);
                if let Some(field) = self.inline.fields.last_mut() {
                    field.shown = shown;
                }
            }
            "footnote" | "endnote" | "comment" => return Some(self.begin_annotation(tag)),
            _ => return self.begin_inside_run(reader, tag),
        }
        None
    }

    /// Symbols, pictures and other elements among the words.
    fn begin_inside_run(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) -> Option<OpenElement> {
        match tag.name() {
            "tab" | "ptab" => self.push_text("\t"),
            "br" | "cr" => self.push_text("\n"),
            "noBreakHyphen" => self.push_text("\u{2011}"),
            "sym" => self.push_symbol(tag),
            "footnoteReference" | "endnoteReference" => self.refer(tag),
            "ruby" => return Some(OpenElement::Ruby),
            "rt" => {
                self.inline.is_reading = true;
                return Some(OpenElement::Reading);
            }
            "oMath" => {
                let equation = read_office_math(reader);
                self.push_formula(&equation, false);
                return None;
            }
            "oMathPara" => {
                for equation in read_equations(reader) {
                    self.separate_equations();
                    self.push_formula(&equation, true);
                }
                return None;
            }
            "drawing" | "pict" | "object" => {
                return Some(OpenElement::Picture {
                    content_count: self.content_count,
                    alternatives: Vec::new(),
                });
            }
            "docPr" | "cNvPr" => self.add_alternative(tag.get("descr")),
            "shape" | "rect" | "roundrect" | "oval" | "group" => self.add_alternative(tag.get("alt")),
            "textpath" => self.push_text(&tag.get("string").unwrap_or_default()),
            "txbxContent" if self.flows.len() < MAX_FLOW_DEPTH => {
                self.flows.push(BlockFlow::default());
                return Some(OpenElement::TextBox(Box::new(std::mem::take(&mut self.inline))));
            }
            "chart" => self.add_drawing(tag.get("id"), drawing::chart),
            "relIds" => self.add_drawing(tag.get("dm"), drawing::diagram),
            "altChunk" => self.insert_part(tag, XmlReader::position(reader)),
            "AlternateContent" => return Some(OpenElement::Alternate { is_taken: false }),
            "Choice" | "Fallback" => {
                if let Some(OpenElement::Alternate { is_taken: true }) = self.open_elements.last() {
                    reader.pass();
                    return None;
                }
                return Some(OpenElement::Choice(self.content_count));
            }
            _ => {}
        }
        Some(OpenElement::Plain)
    }

    fn end(&mut self, element: OpenElement, position: usize) {
        match element {
            OpenElement::Plain | OpenElement::Text | OpenElement::Code => {}
            OpenElement::Paragraph => self.end_paragraph(position),
            OpenElement::Run(format) => self.inline.format = format,
            OpenElement::Link(link) => self.inline.link = link,
            OpenElement::SimpleField => drop(self.inline.fields.pop()),
            OpenElement::Table { start, outside } => self.end_table(start, *outside, position),
            OpenElement::Row(start) => {
                let place =
                    (self.tables.len() == 1 && self.flows.len() == 1).then(|| self.place(start, position));
                if let Some(row) = self.tables.last_mut().and_then(TableBuilder::row) {
                    row.place = place;
                }
            }
            OpenElement::Cell => {
                let blocks = self.end_flow(position);
                if let Some(cell) = self.tables.last_mut().and_then(TableBuilder::cell) {
                    cell.blocks.extend(blocks);
                }
            }
            OpenElement::TextBox(outside) => {
                let blocks = self.end_flow(position);
                self.inline = *outside;
                self.interrupt(blocks, position, false);
            }
            OpenElement::Alternate { .. } => {}
            OpenElement::Choice(content_count) => {
                let has_content = self.content_count > content_count;
                if let Some(OpenElement::Alternate { is_taken }) = self.open_elements.last_mut() {
                    *is_taken |= has_content;
                }
            }
            OpenElement::Picture { content_count, alternatives } => {
                // The text of a drawing is better than a description of it.
                if self.content_count == content_count {
                    alternatives.iter().for_each(|text| self.push_alternative_text(text));
                }
            }
            OpenElement::Reading => self.inline.is_reading = false,
            OpenElement::Ruby => {
                let reading = std::mem::take(&mut self.inline.reading);
                if !reading.trim().is_empty() {
                    self.push_text(&format!("({reading})"));
                }
            }
            OpenElement::Annotation(mut annotation) => {
                annotation.blocks = self.end_flow(position);
                (self.emit)(self.context, StoryEvent::Annotation(annotation));
            }
        }
    }
}

impl StoryReader<'_, '_> {
    /// Tables with their rows, cells and properties.
    fn begin_table(&mut self, reader: &mut XmlReader<'_>, tag: &XmlTag<'_>) -> Option<OpenElement> {
        let is_open = !self.tables.is_empty();
        match tag.name() {
            "tbl" if self.cells < MAX_OPEN_CELLS && self.flows.len() < MAX_FLOW_DEPTH => {
                self.tables.push(TableBuilder::default());
                let outside = Box::new(std::mem::take(&mut self.inline));
                return Some(OpenElement::Table { start: tag.at, outside });
            }
            "tr" if is_open
                && matches!(self.open_elements.last(), Some(element) if !matches!(element, OpenElement::Cell)) =>
            {
                self.write_portion(tag.at);
                if let Some(table) = self.tables.last_mut() {
                    table.add_row(OpenRow::default());
                }
                return Some(OpenElement::Row(tag.at));
            }
            "tc" if is_open && self.cells < MAX_OPEN_CELLS => {
                self.cells += 1;
                if let Some(table) = self.tables.last_mut() {
                    table.begin_cell();
                }
                self.flows.push(BlockFlow::default());
                return Some(OpenElement::Cell);
            }
            "tbl" | "tr" | "tc" => return Some(OpenElement::Plain),
            "tcPr" => match self.tables.last_mut().and_then(TableBuilder::cell) {
                Some(cell) => read_cell_properties(reader, cell),
                None => reader.pass(),
            },
            "trPr" => match self.tables.last_mut().and_then(TableBuilder::row) {
                Some(row) => read_row_properties(reader, row),
                None => reader.pass(),
            },
            _ => reader.pass(),
        }
        None
    }

    /// Writes the rows read so far of a very long table.
    fn write_portion(&mut self, position: usize) {
        if self.cells < MAX_TABLE_CELLS
            || self.tables.len() != 1
            || self.flows.len() != 1
            || self.open_paragraph().is_some()
        {
            return;
        }
        self.cells = 0;
        if let Some(table) = self.tables.last_mut().map(std::mem::take) {
            self.emit(Block::Table(table.finish()), Span::new(position, position));
        }
    }

    fn end_table(&mut self, start: usize, outside: InlineState, position: usize) {
        self.inline = outside;
        let Some(table) = self.tables.pop() else { return };
        let table = table.finish();
        if self.tables.is_empty() {
            self.cells = 0;
        }
        if self.open_paragraph().is_some() {
            return self.interrupt(vec![Block::Table(table)], position, true);
        }
        self.flush_loose(position);
        self.emit(Block::Table(table), Span::new(start, position));
    }

    fn begin_annotation(&mut self, tag: &XmlTag<'_>) -> OpenElement {
        self.flows.push(BlockFlow::default());
        let kind = tag.get("type").unwrap_or_default();
        OpenElement::Annotation(Annotation {
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

    /// Adds a block to the innermost flow; those of the story itself are passed on at once.
    fn emit(&mut self, block: Block, bytes: Span) {
        match self.flows.as_mut_slice() {
            [] | [_] => (self.emit)(self.context, StoryEvent::Block(block, bytes)),
            [.., flow] => push_block(&mut flow.blocks, block),
        }
    }

    /// Ends the innermost flow and returns its blocks.
    fn end_flow(&mut self, position: usize) -> Vec<Block> {
        self.flush_flow(position);
        match self.flows.len() {
            0 | 1 => Vec::new(),
            _ => self.flows.pop().map(|flow| flow.blocks).unwrap_or_default(),
        }
    }

    /// Ends the open paragraphs of the innermost flow; words outside of paragraphs become one.
    fn flush_flow(&mut self, position: usize) {
        while self.open_paragraph().is_some() {
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
    fn open_paragraph(&mut self) -> Option<&mut OpenParagraph> {
        let flow = self.flows.len();
        self.paragraphs.last_mut().filter(|paragraph| paragraph.flow == flow)
    }

    /// The words to which text is currently added.
    fn words(&mut self) -> Option<&mut Words> {
        let flow = self.flows.len();
        match self.paragraphs.last_mut() {
            Some(paragraph) if paragraph.flow == flow => Some(&mut paragraph.words),
            _ => self.flows.last_mut().map(|flow| &mut flow.loose),
        }
    }
}

/// Adds a block; consecutive lines of code are one block.
pub(super) fn push_block(blocks: &mut Vec<Block>, block: Block) {
    if !blocks.last_mut().is_some_and(|last| last.absorb(&block, false)) {
        // Most cells have one block.
        if blocks.is_empty() {
            blocks.reserve_exact(1);
        }
        blocks.push(block);
    }
}
