//! The state machine of RTF: a stack of groups, text into flows, captures and tables.
//!
//! Owns the state and the effect of every token on it; `groups` handles the starts and ends of groups,
//! `control_words` control words, `characters` the way from bytes to text, `paragraphs` the way from text to blocks.

use super::group_state::{Destination, GroupState, opens};
use super::token::{RtfToken, RtfTokens};
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES, Words};
use crate::office::story::{CellShape, MIN_WHITE, ParagraphRole, ParagraphStream};
use crate::shared::codepage;
use crate::shared::formula::OfficeMathBuilder;
use crate::shared::hidden_text::HiddenText;
use crate::source::DocumentSink;
use pensieve_text::model::Problem;
use std::collections::HashMap;
use std::sync::Arc;

/// A font, as far as it determines the meaning of bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct FontEntry {
    pub code_page: Option<u32>,
    pub is_symbol: bool,
    pub name: String,
}

/// The table of colours, as far as it says what is white.
#[derive(Debug, Default)]
pub(super) struct ColourTable {
    whites: Vec<bool>,
    /// Red, green and blue of the colour that is being defined; without any it is that of the system.
    parts: [Option<i32>; 3],
}

impl ColourTable {
    /// Sets a part of the colour that is being defined.
    pub(super) fn set(&mut self, name: &[u8], parameter: Option<i32>) {
        if let Some(at) = [&b"red"[..], b"green", b"blue"].iter().position(|part| *part == name) {
            self.parts[at] = Some(parameter.unwrap_or(0));
        }
    }

    /// Ends colours at the semicolons of a text.
    pub(super) fn end_entries(&mut self, text: &str) {
        for _ in text.matches(';') {
            let parts = std::mem::take(&mut self.parts);
            self.whites.push(parts.iter().all(|part| part.is_some_and(|part| part >= MIN_WHITE)));
        }
    }

    /// True for the number of a colour that is white.
    pub(super) fn is_white(&self, number: Option<i32>) -> bool {
        usize::try_from(number.unwrap_or(0)).is_ok_and(|at| self.whites.get(at) == Some(&true))
    }

    /// True for the number of a colour that is neither white nor that of the system.
    pub(super) fn is_other_than_white(&self, number: Option<i32>) -> bool {
        number.is_some_and(|number| number != 0) && !self.is_white(number)
    }
}

/// A row of the table of styles.
#[derive(Debug, Clone, Default)]
pub(super) struct StyleEntry {
    pub number: i32,
    pub outline: Option<u8>,
    pub name: String,
}

#[derive(Debug, Default)]
pub(super) struct OpenFlow {
    pub flow: ParagraphStream,
    pub words: Words,
    pub marker: Option<String>,
}

/// The parts of a time of the information group: year, month, day, hour, minute, second.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InfoTime(pub [i32; 6]);

/// The cells of the row that is being defined.
#[derive(Debug, Clone, Default)]
pub(super) struct RowDefinition {
    pub cells: Vec<CellShape>,
    pub joins_left: bool,
    pub joins_above: bool,
}

#[derive(Debug, Default)]
pub(super) struct OpenField {
    pub code: String,
    pub is_shown: bool,
    pub has_result: bool,
    /// Of a form field: its type, its result and its default.
    pub form: [Option<i32>; 3],
}

/// Reads one document.
pub(super) struct RtfReader<'s> {
    pub groups: Vec<GroupState>,
    pub group: GroupState,
    pub code_page: u32,
    pub fonts: HashMap<i32, FontEntry>,
    pub default_font: i32,
    pub colours: ColourTable,
    pub hidden: HiddenText,
    /// A background, or a shape behind the text, may have any colour.
    pub has_backdrop: bool,
    /// The font that the font table is currently defining.
    pub font: i32,
    pub styles: HashMap<i32, ParagraphRole>,
    pub style: StyleEntry,
    pub time: InfoTime,
    pub shape: RowDefinition,
    pub is_starred: bool,
    /// The group has begun, and only `\*` was read of it.
    is_fresh: bool,
    pub flows: Vec<OpenFlow>,
    pub metadata: Vec<(String, String)>,
    pub headers: Vec<Vec<Block>>,
    pub footers: Vec<Vec<Block>>,
    pub comments: Vec<(String, Vec<Block>)>,
    pub draft: MarkdownDraft,
    pub replaced: usize,
    pub too_deep: usize,
    pub skipped_groups: bool,
    pub skip: usize,
    pub pending: Vec<u8>,
    pub high: Option<u16>,
    pub formula: Option<OfficeMathBuilder>,
    pub captures: Vec<String>,
    pub fields: Vec<OpenField>,
    pub links: Vec<Arc<str>>,
    pub notes: usize,
    /// Paragraphs of the body that have ended.
    pub paragraphs: u64,
    pub comment_author: String,
    pub property: String,
    sink: &'s mut dyn DocumentSink,
}

impl<'s> RtfReader<'s> {
    pub(super) fn new(sink: &'s mut dyn DocumentSink) -> RtfReader<'s> {
        RtfReader {
            groups: Vec::new(),
            group: GroupState::root(),
            code_page: codepage::WESTERN,
            fonts: HashMap::new(),
            default_font: 0,
            colours: ColourTable::default(),
            hidden: HiddenText::default(),
            has_backdrop: false,
            font: 0,
            styles: HashMap::new(),
            style: StyleEntry::default(),
            time: InfoTime::default(),
            shape: RowDefinition::default(),
            is_starred: false,
            is_fresh: false,
            flows: vec![OpenFlow::default()],
            metadata: Vec::new(),
            headers: Vec::new(),
            footers: Vec::new(),
            comments: Vec::new(),
            draft: MarkdownDraft::new(),
            replaced: 0,
            too_deep: 0,
            skipped_groups: false,
            skip: 0,
            pending: Vec::new(),
            high: None,
            formula: None,
            captures: Vec::new(),
            fields: Vec::new(),
            links: Vec::new(),
            notes: 0,
            paragraphs: 0,
            comment_author: String::new(),
            property: String::new(),
            sink,
        }
    }

    /// Reads all tokens. Returns how many groups were open at the end.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        let has = |word: &[u8]| memchr::memmem::find(bytes, word).is_some();
        self.has_backdrop = has(b"\\background") || has(b"\\shpfblwtxt1");
        for token in RtfTokens::new(bytes) {
            // `\*` marks an unknown destination at the start of a group; elsewhere it means nothing.
            let is_fresh = std::mem::replace(&mut self.is_fresh, token == RtfToken::Open);
            match token {
                RtfToken::Open => self.open(),
                RtfToken::Close => {
                    if self.close() {
                        break;
                    }
                    self.hand_over()?;
                }
                _ if self.too_deep > 0 => {}
                RtfToken::Word(name, parameter) => {
                    self.word_token(name, parameter);
                    self.hand_over()?;
                }
                RtfToken::Symbol(b'*') => self.is_starred = is_fresh,
                RtfToken::Symbol(symbol) => self.symbol(symbol),
                RtfToken::Hex(byte) => self.bytes(&[byte]),
                RtfToken::Text(text) => self.bytes(text),
            }
        }
        let open = self.groups.len() + self.too_deep;
        self.too_deep = 0;
        while !self.groups.is_empty() {
            self.close();
        }
        self.flush();
        self.end_paragraph();
        let rest = std::mem::take(&mut self.flows);
        for numbered in rest.into_iter().flat_map(|open| open.flow.finish()) {
            numbered.write(&mut self.draft);
        }
        self.draft.place(None);
        Ok(open)
    }

    /// Writes the complete blocks of the body and hands over a full segment.
    fn hand_over(&mut self) -> Result<(), Problem> {
        if let Some(body) = self.flows.first_mut().filter(|body| body.flow.has_ready()) {
            body.flow.take().iter().for_each(|numbered| numbered.write(&mut self.draft));
        }
        if self.draft.len() > SEGMENT_BYTES {
            self.sink.text(self.draft.take())?;
        }
        Ok(())
    }

    fn word_token(&mut self, name: &[u8], parameter: Option<i32>) {
        if self.skip > 0 && name != b"u" && name != b"bin" {
            self.skip -= 1;
            return;
        }
        let is_starred = std::mem::take(&mut self.is_starred);
        if name == b"u" {
            return self.unicode(parameter.unwrap_or(0));
        }
        self.flush();
        if self.formula_word(name, parameter) {
            return;
        }
        match opens(name) {
            Some(what) => self.destination(what),
            // Properties of formulas.
            None if name.starts_with(b"m") && name.ends_with(b"Pr") => {
                self.group.destination = Destination::Skip
            }
            None if is_starred => self.group.destination = Destination::Skip,
            None if self.group.destination == Destination::Skip => {}
            None => self.word(name, parameter),
        }
    }
}
