//! Turns the stories of a Word document into blocks: formatted characters, results of fields, cells and rows, notes.
//! Format: [MS-DOC] sections 2.4.3 (paragraphs and tables), 2.8.25 (fields), 2.6.1 (special characters).

use super::lists::ListTable;
use super::properties::{ParagraphFormat, RunModifiers};
use super::styles::ResolvedStyle;
use super::tables::{AnchoredContent, WordDocument};
use crate::markdown::{self, Block, TextRun, Words};
use crate::office::story::{NumberedBlock, Paragraph, ParagraphRange, ParagraphStream};
use crate::shared::codepage;
use crate::shared::field_codes::{is_page_number, link_of, text_without_result};
use crate::shared::hidden_text::HiddenText;
use crate::shared::symbols;
use pensieve_text::model::{HiddenReason, Locator, Problem};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A field with a longer code has lost its end; the rest is text.
const MAX_CODE_BYTES: usize = 4096;

/// Takes complete blocks.
pub(super) type BlockConsumer<'e> = dyn FnMut(Vec<NumberedBlock>) -> Result<(), Problem> + 'e;

/// Reads stories.
pub(super) struct StoryReader<'d> {
    document: &'d WordDocument,
    lists: ListTable,
    references: HashMap<u32, AnchoredContent>,
    /// What nobody can see.
    pub(super) hidden: HiddenText,
}

/// A story that is being read.
#[derive(Default)]
struct OpenStory {
    flow: ParagraphStream,
    words: Words,
    /// Hidden words of the open paragraph.
    hidden: Vec<(HiddenReason, String)>,
    fields: Vec<OpenField>,
    is_body: bool,
    /// Paragraphs that have ended.
    paragraphs: u64,
    /// The last mark ended a cell, and no character followed it.
    is_after_cell: bool,
}

#[derive(Default)]
struct OpenField {
    code: String,
    has_result: bool,
    is_hidden: bool,
    link: Option<Arc<str>>,
}

/// What applies to a run of characters.
#[derive(Clone, Copy)]
struct RunContext {
    format: RunModifiers,
    style: markdown::TextStyle,
    /// Why nobody can see them.
    hidden: Option<HiddenReason>,
    code_page: u32,
}

impl<'d> StoryReader<'d> {
    pub(super) fn new(
        document: &'d WordDocument,
        lists: ListTable,
        references: HashMap<u32, AnchoredContent>,
    ) -> StoryReader<'d> {
        StoryReader { document, lists, references, hidden: HiddenText::default() }
    }

    /// Reads the body and passes on its blocks as soon as they are complete; notes and text boxes to which no
    /// character refers follow at its end.
    pub(super) fn body(&mut self, range: Range<u32>, emit: &mut BlockConsumer<'_>) -> Result<(), Problem> {
        let mut state = OpenStory { is_body: true, ..OpenStory::default() };
        self.walk(range, &mut state, emit)?;
        let mut left: Vec<(u32, AnchoredContent)> = self.references.drain().collect();
        left.sort_by_key(|(place, _)| *place);
        // No paragraph refers to these.
        state.is_body = false;
        for (_, reference) in left {
            self.refer(reference, &mut state);
        }
        emit(state.flow.finish())
    }

    /// Reads another story or a part of one.
    pub(super) fn read_story(&mut self, range: Range<u32>) -> Vec<Block> {
        let mut state = OpenStory::default();
        // Nothing can fail, because nothing is passed on.
        let _ = self.walk(range, &mut state, &mut |_| Ok(()));
        state.flow.into_blocks()
    }

    fn walk(
        &mut self,
        range: Range<u32>,
        state: &mut OpenStory,
        emit: &mut BlockConsumer<'_>,
    ) -> Result<(), Problem> {
        let document = self.document;
        let mut last = 0;
        let first = document.pieces.partition_point(|piece| piece.characters.end <= range.start);
        for piece in document.pieces[first..].iter().take_while(|piece| piece.characters.start < range.end) {
            let mut at = piece.characters.start.max(range.start);
            let end = piece.characters.end.min(range.end);
            let width = piece.width();
            while at < end {
                let position = piece.start + (at - piece.characters.start) * width;
                let (format, until) = document.character_formats.at(position);
                let length = (until.saturating_sub(position)).div_ceil(width).clamp(1, end - at);
                let place = position as usize..(position + length * width) as usize;
                let bytes = document.stream.get(place).unwrap_or_default();
                let context = self.context(format.copied().unwrap_or_default(), position);
                if piece.is_wide {
                    self.wide(bytes, at, position, context, state);
                } else {
                    self.narrow(bytes, at, position, context, state);
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

    fn context(&self, format: RunModifiers, position: u32) -> RunContext {
        let paragraph = self.document.paragraphs.at(position).0;
        let own = paragraph.map_or_else(ResolvedStyle::default, |paragraph| self.style(paragraph.style));
        let named = format.style.map_or_else(ResolvedStyle::default, |style| self.style(style));
        let style = markdown::TextStyle {
            strong: format.strong.over(own.strong || named.strong),
            emphasis: format.emphasis.over(own.emphasis || named.emphasis),
            strike: format.strike.over(own.strike || named.strike),
            code: false,
            shift: format.shift.unwrap_or(named.shift),
        };
        let mut look = format.look.over(named.look).over(own.look);
        look.hidden = Some(format.hidden.over(own.hidden || named.hidden));
        let is_on_paper =
            || paragraph.is_none_or(|paragraph| paragraph.tables() == 0 && !paragraph.on_colour);
        let hidden = look.hiding(is_on_paper);
        let font = format.font.or(named.font).or(own.font).unwrap_or(0);
        RunContext { format, style, hidden, code_page: self.code_page(font) }
    }

    /// The code page of characters in this font; that of the document if the font is western.
    fn code_page(&self, font: u16) -> u32 {
        let document = self.document;
        let own = document.fonts.get(usize::from(font)).and_then(|font| font.code_page);
        own.filter(|own| *own != codepage::WESTERN).unwrap_or(document.code_page)
    }

    fn style(&self, number: u16) -> ResolvedStyle {
        self.document.styles.get(usize::from(number)).copied().unwrap_or_default()
    }

    fn paragraph(&self, position: u32) -> ParagraphFormat {
        self.document.paragraphs.at(position).0.cloned().unwrap_or_default()
    }

    /// Characters of one byte.
    fn narrow(&mut self, bytes: &[u8], at: u32, position: u32, context: RunContext, state: &mut OpenStory) {
        if let Some(symbol) = self.symbol(context) {
            let mut buffer = [0; 4];
            let symbol = symbol.encode_utf8(&mut buffer);
            return bytes.iter().for_each(|_| state.push(symbol, context));
        }
        let mut start = 0;
        for end in (0..=bytes.len()).filter(|&end| bytes.get(end).is_none_or(|u8_at| *u8_at < b' ')) {
            if start < end {
                state.push(&codepage::decode(context.code_page, &bytes[start..end]), context);
            }
            if let Some(u8_at) = bytes.get(end) {
                self.control(u16::from(*u8_at), at + end as u32, position + end as u32, context, state);
            }
            start = end + 1;
        }
    }

    /// Characters of two bytes.
    fn wide(&mut self, bytes: &[u8], at: u32, position: u32, context: RunContext, state: &mut OpenStory) {
        if let Some(symbol) = self.symbol(context) {
            let mut buffer = [0; 4];
            let symbol = symbol.encode_utf8(&mut buffer);
            return (0..bytes.len() / 2).for_each(|_| state.push(symbol, context));
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
                state.push(&text, context);
            }
            if let Some(unit) = units.get(end) {
                self.control(*unit, at + end as u32, position + 2 * end as u32, context, state);
            }
            start = end + 1;
        }
    }

    /// The Unicode character of a symbol.
    fn symbol(&self, context: RunContext) -> Option<char> {
        let (font, character) = context.format.symbol.filter(|_| context.format.is_special)?;
        let font = self.document.fonts.get(usize::from(font)).map_or("Symbol", |font| font.name.as_str());
        match character {
            0xf000..=0xf0ff | 0..=0xff => Some(symbols::char_of(character as u8, font)),
            _ => char::from_u32(u32::from(character)),
        }
    }

    fn control(&mut self, unit: u16, at: u32, position: u32, context: RunContext, state: &mut OpenStory) {
        let was_after_cell = std::mem::take(&mut state.is_after_cell);
        match unit {
            0x13 => state.fields.push(OpenField::default()),
            0x14 => state.begin_result(),
            0x15 => state.end_field(context),
            0x07 => self.end_cell(position, was_after_cell, state),
            // A deleted mark joins two paragraphs.
            0x0d if context.format.is_deleted && !self.paragraph(position).in_table => {}
            0x0c..=0x0e => {
                // If the pieces were guessed, the ends of fields may be lost.
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
            0x0b => state.push("\n", context),
            0x09 => state.push("\t", context),
            0x1e => state.push("\u{2011}", context),
            0x01 | 0x02 | 0x08 if state.is_body && context.is_shown() && state.is_shown() => {
                if let Some(reference) = self.references.remove(&at) {
                    self.refer(reference, state);
                }
            }
            _ => {}
        }
    }

    fn refer(&mut self, reference: AnchoredContent, state: &mut OpenStory) {
        match reference {
            AnchoredContent::Note(label, range) => {
                let blocks = self.read_story(range);
                state.words.push_note(label.clone());
                state.flow.aside(Block::Note { label, blocks }, state.open_paragraph());
            }
            AnchoredContent::TextBox(range) => {
                let paragraphs = state.open_paragraph();
                let blocks = self.read_story(range);
                blocks.into_iter().for_each(|block| state.flow.aside(block, paragraphs));
            }
        }
    }

    fn end_cell(&mut self, position: u32, was_after_cell: bool, state: &mut OpenStory) {
        let mut paragraph = self.paragraph(position);
        // Without properties, two marks in a row end the row.
        let ends_row = paragraph.ends_row || self.document.paragraphs.is_empty() && was_after_cell;
        if ends_row {
            let shape = paragraph.shape.as_deref().unwrap_or_default().to_vec();
            return state.flow.end_row(1, shape);
        }
        (paragraph.in_table, paragraph.depth) = (true, 1);
        self.end_paragraph(state, &paragraph);
        state.flow.end_cell(1);
        state.is_after_cell = true;
    }

    fn end_paragraph(&mut self, state: &mut OpenStory, paragraph: &ParagraphFormat) {
        let paragraphs = state.open_paragraph();
        let hidden = std::mem::take(&mut state.hidden);
        let number = state.paragraphs + 1;
        let place = Locator::Paragraphs { first: number, last: number };
        for (reason, words) in hidden {
            self.hidden.add(reason, Some(&place).filter(|_| state.is_body), &words);
        }
        state.paragraphs += u64::from(!paragraph.ends_inner_row);
        let words = std::mem::take(&mut state.words);
        if words.is_blank() {
            return;
        }
        let style = self.style(paragraph.style);
        let level = usize::from(paragraph.level.or(style.level).unwrap_or(0)).min(8);
        let list = paragraph.list.or(style.list).filter(|list| *list > 0);
        let marker = list.and_then(|list| self.lists.marker(list, level));
        let item = marker.map(|marker| (level as u8, Some(marker)));
        let role = style.role.with_outline(paragraph.outline);
        let Some(block) = (Paragraph { role, item, words }).into_block() else { return };
        state.flow.push(block, paragraph.tables(), paragraphs);
    }
}

impl RunContext {
    /// True for words that are part of the document and can be seen, as far as their format says.
    fn is_shown(self) -> bool {
        self.hidden.is_none() && !self.format.is_deleted
    }
}

impl OpenStory {
    /// The number of the open paragraph; empty outside of the body.
    fn open_paragraph(&self) -> ParagraphRange {
        if self.is_body { ParagraphRange::of(self.paragraphs + 1) } else { ParagraphRange::default() }
    }

    /// True if no open field hides the text.
    fn is_shown(&self) -> bool {
        self.fields.iter().all(|field| field.has_result && !field.is_hidden)
    }

    /// Keeps words that nobody can see.
    fn hide(&mut self, reason: HiddenReason, text: &str) {
        match self.hidden.last_mut().filter(|last| last.0 == reason) {
            Some((_, words)) => words.push_str(text),
            None => self.hidden.push((reason, text.to_owned())),
        }
    }

    fn begin_result(&mut self) {
        let is_body = self.is_body;
        if let Some(field) = self.fields.last_mut() {
            field.has_result = true;
            field.is_hidden = !is_body && is_page_number(&field.code);
            field.link = link_of(&field.code).map(Arc::from);
        }
    }

    fn end_field(&mut self, context: RunContext) {
        let Some(field) = self.fields.pop().filter(|field| !field.has_result) else { return };
        if let Some(shown) = text_without_result(&field.code) {
            self.push(shown, context);
        }
    }

    fn push(&mut self, text: &str, context: RunContext) {
        self.is_after_cell = false;
        if let Some(field) = self.fields.last_mut().filter(|field| !field.has_result) {
            field.code.push_str(text);
            field.has_result = field.code.len() > MAX_CODE_BYTES;
            return;
        }
        if !context.is_shown() || !self.is_shown() {
            let reason = context.hidden.filter(|_| !context.format.is_deleted && self.is_shown());
            reason.into_iter().for_each(|reason| self.hide(reason, text));
            return;
        }
        let link = self.fields.iter().rev().find_map(|field| field.link.clone());
        self.words.push(TextRun { text: text.to_owned(), style: context.style, link, ..TextRun::default() });
    }
}
