//! Stories of a Word document made into blocks: characters with their looks, fields' results, cells and rows, notes.
//! Format: [MS-DOC] sections 2.4.3 (paragraphs and tables), 2.8.25 (fields), 2.6.1 (special characters).

use super::document::{Opened, Reference};
use super::lists::Lists;
use super::sprm::{Look, Paragraph};
use super::styles::Style;
use crate::markdown::{self, Block, ItemMarker, TextRun, Words};
use crate::shared::codepage;
use crate::shared::flow::{Flow, is_page_number, link_of, shown_without_result};
use crate::shared::symbols;
use pensieve_text::model::Problem;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A field whose code is longer has lost its end; what follows is text.
const LONGEST_CODE: usize = 4096;

/// Takes blocks as they are complete.
pub(super) type Emit<'e> = dyn FnMut(Vec<Block>) -> Result<(), Problem> + 'e;

/// Walks over stories.
pub(super) struct Walker<'d> {
    document: &'d Opened,
    lists: Lists,
    references: HashMap<u32, Reference>,
}

/// A story that is being read.
#[derive(Default)]
struct State {
    flow: Flow,
    words: Words,
    fields: Vec<Field>,
    is_body: bool,
    /// The last mark ended a cell, and nothing came since.
    is_behind_cell: bool,
}

#[derive(Default)]
struct Field {
    code: String,
    has_result: bool,
    is_hidden: bool,
    link: Option<Arc<str>>,
}

/// What holds for a stretch of characters.
#[derive(Clone, Copy)]
struct Around {
    look: Look,
    style: markdown::TextStyle,
    is_hidden: bool,
    code_page: u32,
}

impl<'d> Walker<'d> {
    pub(super) fn new(document: &'d Opened, lists: Lists, references: HashMap<u32, Reference>) -> Walker<'d> {
        Walker { document, lists, references }
    }

    /// The body, given away block by block, with what no character refers to at its end.
    pub(super) fn body(&mut self, range: Range<u32>, emit: &mut Emit<'_>) -> Result<(), Problem> {
        let mut state = State { is_body: true, ..State::default() };
        self.walk(range, &mut state, emit)?;
        let mut left: Vec<(u32, Reference)> = self.references.drain().collect();
        left.sort_by_key(|(place, _)| *place);
        for (_, reference) in left {
            self.refer(reference, &mut state);
        }
        emit(state.flow.finish())
    }

    /// Another story or a part of one.
    pub(super) fn part(&mut self, range: Range<u32>) -> Vec<Block> {
        let mut state = State::default();
        // Nothing can fail: nothing is given away.
        let _ = self.walk(range, &mut state, &mut |_| Ok(()));
        state.flow.finish()
    }

    fn walk(&mut self, range: Range<u32>, state: &mut State, emit: &mut Emit<'_>) -> Result<(), Problem> {
        let document = self.document;
        let mut last = 0;
        let first = document.pieces.partition_point(|piece| piece.characters.end <= range.start);
        for piece in document.pieces[first..].iter().take_while(|piece| piece.characters.start < range.end) {
            let mut at = piece.characters.start.max(range.start);
            let end = piece.characters.end.min(range.end);
            let width = piece.width();
            while at < end {
                let position = piece.start + (at - piece.characters.start) * width;
                let (look, until) = document.looks.at(position);
                let length = (until.saturating_sub(position)).div_ceil(width).clamp(1, end - at);
                let place = position as usize..(position + length * width) as usize;
                let bytes = document.stream.get(place).unwrap_or_default();
                let around = self.around(look.copied().unwrap_or_default(), position);
                if piece.is_wide {
                    self.wide(bytes, at, position, around, state);
                } else {
                    self.narrow(bytes, at, position, around, state);
                }
                last = position;
                at += length;
                if state.is_body && state.flow.has_ready() {
                    emit(state.flow.take())?;
                }
            }
        }
        self.end_paragraph(state, &self.paragraph(last));
        Ok(())
    }

    fn around(&self, look: Look, position: u32) -> Around {
        let paragraph = self.document.paragraphs.at(position).0;
        let own = paragraph.map_or_else(Style::default, |paragraph| self.style(paragraph.style));
        let named = look.style.map_or_else(Style::default, |style| self.style(style));
        let style = markdown::TextStyle {
            strong: look.strong.over(own.strong || named.strong),
            emphasis: look.emphasis.over(own.emphasis || named.emphasis),
            strike: look.strike.over(own.strike || named.strike),
            code: false,
        };
        let is_hidden = look.is_deleted || look.hidden.over(own.hidden || named.hidden);
        let font = look.font.or(named.font).or(own.font).unwrap_or(0);
        Around { look, style, is_hidden, code_page: self.code_page(font) }
    }

    /// The code page of characters in this font; that of the document where the font is western.
    fn code_page(&self, font: u16) -> u32 {
        let document = self.document;
        let own = document.fonts.get(usize::from(font)).and_then(|font| font.code_page);
        own.filter(|own| *own != codepage::WESTERN).unwrap_or(document.code_page)
    }

    fn style(&self, number: u16) -> Style {
        self.document.styles.get(usize::from(number)).copied().unwrap_or_default()
    }

    fn paragraph(&self, position: u32) -> Paragraph {
        self.document.paragraphs.at(position).0.cloned().unwrap_or_default()
    }

    /// Characters of one byte.
    fn narrow(&mut self, bytes: &[u8], at: u32, position: u32, around: Around, state: &mut State) {
        if let Some(symbol) = self.symbol(around) {
            let mut buffer = [0; 4];
            let symbol = symbol.encode_utf8(&mut buffer);
            return bytes.iter().for_each(|_| state.push(symbol, around));
        }
        let mut start = 0;
        for end in (0..=bytes.len()).filter(|&end| bytes.get(end).is_none_or(|byte| *byte < b' ')) {
            if start < end {
                state.push(&codepage::decode(around.code_page, &bytes[start..end]), around);
            }
            if let Some(byte) = bytes.get(end) {
                self.control(u16::from(*byte), at + end as u32, position + end as u32, around, state);
            }
            start = end + 1;
        }
    }

    /// Characters of two bytes.
    fn wide(&mut self, bytes: &[u8], at: u32, position: u32, around: Around, state: &mut State) {
        if let Some(symbol) = self.symbol(around) {
            let mut buffer = [0; 4];
            let symbol = symbol.encode_utf8(&mut buffer);
            return (0..bytes.len() / 2).for_each(|_| state.push(symbol, around));
        }
        let units: Vec<u16> =
            bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut start = 0;
        for end in (0..=units.len()).filter(|&end| units.get(end).is_none_or(|unit| *unit < 0x20)) {
            if start < end {
                let text: String = char::decode_utf16(units[start..end].iter().copied())
                    .map(|c| match c {
                        Ok(c @ '\u{f000}'..='\u{f0ff}') => symbols::char_of(c as u32 as u8, "Symbol"),
                        Ok(c) => c,
                        Err(_) => char::REPLACEMENT_CHARACTER,
                    })
                    .collect();
                state.push(&text, around);
            }
            if let Some(unit) = units.get(end) {
                self.control(*unit, at + end as u32, position + 2 * end as u32, around, state);
            }
            start = end + 1;
        }
    }

    /// What a character of a symbol font stands for.
    fn symbol(&self, around: Around) -> Option<char> {
        let (font, character) = around.look.symbol.filter(|_| around.look.is_special)?;
        let font = self.document.fonts.get(usize::from(font)).map_or("Symbol", |font| font.name.as_str());
        match character {
            0xf000..=0xf0ff | 0..=0xff => Some(symbols::char_of(character as u8, font)),
            _ => char::from_u32(u32::from(character)),
        }
    }

    fn control(&mut self, unit: u16, at: u32, position: u32, around: Around, state: &mut State) {
        let was_behind_cell = std::mem::take(&mut state.is_behind_cell);
        match unit {
            0x13 => state.fields.push(Field::default()),
            0x14 => state.begin_result(),
            0x15 => state.end_field(around),
            0x07 => self.end_cell(position, was_behind_cell, state),
            // A deleted mark joins two paragraphs.
            0x0d if around.look.is_deleted && !self.paragraph(position).in_table => {}
            0x0c..=0x0e => {
                // Where pieces were guessed, ends of fields get lost.
                if self.document.is_guessed {
                    state.fields.clear();
                }
                let paragraph = self.paragraph(position);
                self.end_paragraph(state, &paragraph);
                if paragraph.ends_inner_row {
                    let shape = paragraph.shape.as_deref().unwrap_or_default().to_vec();
                    state.flow.end_row(paragraph.tables(), shape);
                } else if paragraph.ends_inner_cell {
                    state.flow.end_cell(paragraph.tables());
                }
            }
            0x0b => state.push("\n", around),
            0x09 => state.push("\t", around),
            0x1e => state.push("\u{2011}", around),
            0x01 | 0x02 | 0x08 if state.is_body && !around.is_hidden && state.is_shown() => {
                if let Some(reference) = self.references.remove(&at) {
                    self.refer(reference, state);
                }
            }
            _ => {}
        }
    }

    fn refer(&mut self, reference: Reference, state: &mut State) {
        match reference {
            Reference::Note(label, range) => {
                let blocks = self.part(range);
                state.words.push_note(label.clone());
                state.flow.aside(Block::Note { label, blocks });
            }
            Reference::TextBox(range) => {
                self.part(range).into_iter().for_each(|block| state.flow.aside(block));
            }
        }
    }

    fn end_cell(&mut self, position: u32, was_behind_cell: bool, state: &mut State) {
        let mut paragraph = self.paragraph(position);
        // Without properties two marks in a row end the row.
        let ends_row = paragraph.ends_row || self.document.paragraphs.is_empty() && was_behind_cell;
        if ends_row {
            let shape = paragraph.shape.as_deref().unwrap_or_default().to_vec();
            return state.flow.end_row(1, shape);
        }
        (paragraph.in_table, paragraph.depth) = (true, 1);
        self.end_paragraph(state, &paragraph);
        state.flow.end_cell(1);
        state.is_behind_cell = true;
    }

    fn end_paragraph(&mut self, state: &mut State, paragraph: &Paragraph) {
        let mut words = std::mem::take(&mut state.words);
        let style = self.style(paragraph.style);
        let level = usize::from(paragraph.level.or(style.level).unwrap_or(0)).min(8);
        let list = paragraph.list.or(style.list).filter(|list| *list > 0);
        let is_blank = words.is_blank();
        let marker = list.filter(|_| !is_blank).and_then(|list| self.lists.marker(list, level));
        if is_blank {
            return;
        }
        let heading = match paragraph.outline {
            Some(outline) if outline < 9 => Some(outline + 1),
            Some(_) => None,
            None => style.heading,
        };
        let block = match (heading, marker) {
            (Some(level), marker) => {
                if let Some(ItemMarker::Number(number)) = marker {
                    words.0.insert(0, TextRun { text: format!("{number} "), ..TextRun::default() });
                }
                Block::Heading { level, words }
            }
            (None, Some(marker)) => Block::Item { depth: level as u8, marker: Some(marker), words },
            (None, None) => Block::Paragraph(words),
        };
        state.flow.push(block, paragraph.tables());
    }
}

impl State {
    /// True where no field hides what comes.
    fn is_shown(&self) -> bool {
        self.fields.iter().all(|field| field.has_result && !field.is_hidden)
    }

    fn begin_result(&mut self) {
        let is_body = self.is_body;
        if let Some(field) = self.fields.last_mut() {
            field.has_result = true;
            field.is_hidden = !is_body && is_page_number(&field.code);
            field.link = link_of(&field.code).map(Arc::from);
        }
    }

    fn end_field(&mut self, around: Around) {
        let Some(field) = self.fields.pop().filter(|field| !field.has_result) else { return };
        if let Some(shown) = shown_without_result(&field.code) {
            self.push(shown, around);
        }
    }

    fn push(&mut self, text: &str, around: Around) {
        self.is_behind_cell = false;
        if let Some(field) = self.fields.last_mut().filter(|field| !field.has_result) {
            field.code.push_str(text);
            field.has_result = field.code.len() > LONGEST_CODE;
            return;
        }
        if around.is_hidden || !self.is_shown() {
            return;
        }
        let link = self.fields.iter().rev().find_map(|field| field.link.clone());
        self.words.push(TextRun { text: text.to_owned(), style: around.style, link, ..TextRun::default() });
    }
}
