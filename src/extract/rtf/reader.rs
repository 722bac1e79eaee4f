//! The state machine of RTF: groups on a stack of its own, text into flows, captures and tables.
//!
//! Owns what every token does; [`super::words`] holds what control words do to the state.

use super::state::{Destination, Group, Kind, Opened, Opens, Purpose, opens};
use super::token::{Token, Tokens};
use crate::extract::codepage;
use crate::extract::flow::{CellShape, Flow, is_page_number, link_of, shown_without_result};
use crate::extract::markdown::Draft;
use crate::extract::markdown::{Block, ItemMarker, Run, STRETCH, Style, Words};
use crate::extract::source::Sink;
use crate::extract::symbols;
use crate::model::Problem;
use std::collections::HashMap;
use std::sync::Arc;

/// Groups inside each other; what lies deeper is left out.
const MOST_GROUPS: usize = 5_000;

/// Flows inside each other: a note in a text box in a header.
const MOST_FLOWS: usize = 16;

/// Bytes of a code, a marker, a row of metadata.
const LONGEST_CAPTURE: usize = 16 << 10;

/// Links that are kept apart; the words of later ones stay.
const MOST_LINKS: usize = 100_000;

/// A font, as far as it says what bytes mean.
#[derive(Debug, Clone, Default)]
pub(super) struct Font {
    pub code_page: Option<u32>,
    pub is_symbol: bool,
    pub name: String,
}

/// A style of the table.
#[derive(Debug, Clone, Default)]
pub(super) struct StyleRow {
    pub number: i32,
    pub outline: Option<u8>,
    pub name: String,
}

/// A flow that is open.
#[derive(Debug, Default)]
pub(super) struct OpenFlow {
    pub flow: Flow,
    pub words: Words,
    pub marker: Option<String>,
}

/// The times of the information group, as they come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Time(pub [i32; 6]);

/// The cells of the row that is being defined.
#[derive(Debug, Clone, Default)]
pub(super) struct RowShape {
    pub cells: Vec<CellShape>,
    pub joins_left: bool,
}

/// A field that is open.
#[derive(Debug, Default)]
struct Field {
    code: String,
    is_shown: bool,
    has_result: bool,
}

/// Reads one document.
pub(super) struct Reader<'s> {
    pub groups: Vec<Group>,
    pub group: Group,
    pub code_page: u32,
    pub fonts: HashMap<i32, Font>,
    pub default_font: i32,
    /// The font that the table defines now.
    pub font: i32,
    pub styles: HashMap<i32, u8>,
    pub style: StyleRow,
    pub time: Time,
    pub shape: RowShape,
    pub is_starred: bool,
    /// Nothing but `\*` was read of the group so far.
    is_fresh: bool,
    pub flows: Vec<OpenFlow>,
    pub metadata: Vec<(String, String)>,
    pub headers: Vec<Vec<Block>>,
    pub footers: Vec<Vec<Block>>,
    pub comments: Vec<(String, Vec<Block>)>,
    pub draft: Draft,
    pub replaced: usize,
    too_deep: usize,
    pub skipped_groups: bool,
    skip: usize,
    pending: Vec<u8>,
    high: Option<u16>,
    captures: Vec<String>,
    fields: Vec<Field>,
    links: Vec<Arc<str>>,
    notes: usize,
    comment_author: String,
    property: String,
    sink: &'s mut dyn Sink,
}

impl<'s> Reader<'s> {
    pub(super) fn new(sink: &'s mut dyn Sink) -> Reader<'s> {
        Reader {
            groups: Vec::new(),
            group: Group::root(),
            code_page: codepage::WESTERN,
            fonts: HashMap::new(),
            default_font: 0,
            font: 0,
            styles: HashMap::new(),
            style: StyleRow::default(),
            time: Time::default(),
            shape: RowShape::default(),
            is_starred: false,
            is_fresh: false,
            flows: vec![OpenFlow::default()],
            metadata: Vec::new(),
            headers: Vec::new(),
            footers: Vec::new(),
            comments: Vec::new(),
            draft: Draft::new(),
            replaced: 0,
            too_deep: 0,
            skipped_groups: false,
            skip: 0,
            pending: Vec::new(),
            high: None,
            captures: Vec::new(),
            fields: Vec::new(),
            links: Vec::new(),
            notes: 0,
            comment_author: String::new(),
            property: String::new(),
            sink,
        }
    }

    /// Reads all tokens. Returns how many groups were open at the end.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        for token in Tokens::new(bytes) {
            // `\*` marks what is unknown at the start of a group; elsewhere it means nothing.
            let is_fresh = std::mem::replace(&mut self.is_fresh, token == Token::Open);
            match token {
                Token::Open => self.open(),
                Token::Close => {
                    if self.close() {
                        break;
                    }
                    self.hand_over()?;
                }
                _ if self.too_deep > 0 => {}
                Token::Word(name, parameter) => {
                    self.word_token(name, parameter);
                    self.hand_over()?;
                }
                Token::Symbol(b'*') => self.is_starred = is_fresh,
                Token::Symbol(symbol) => self.symbol(symbol),
                Token::Hex(byte) => self.bytes(&[byte]),
                Token::Text(text) => self.bytes(text),
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
        for block in rest.into_iter().flat_map(|open| open.flow.finish()) {
            self.draft.push(&block);
        }
        Ok(open)
    }

    /// Gives away the blocks of the body that are complete.
    fn hand_over(&mut self) -> Result<(), Problem> {
        if let Some(body) = self.flows.first_mut().filter(|body| body.flow.has_ready()) {
            body.flow.take().iter().for_each(|block| self.draft.push(block));
        }
        if self.draft.len() > STRETCH {
            self.sink.text(self.draft.take())?;
        }
        Ok(())
    }

    fn open(&mut self) {
        self.flush();
        self.skip = 0;
        self.is_starred = false;
        if self.groups.len() >= MOST_GROUPS || self.too_deep > 0 {
            self.too_deep += 1;
            self.skipped_groups = true;
            return;
        }
        self.groups.push(self.group);
        let is_style = self.group.destination == Destination::Styles;
        self.group = self.group.inner();
        if is_style {
            self.group.opened = Opened::Style;
            self.style = StyleRow::default();
        }
    }

    /// Ends a group. True behind the last one: what follows is no part of the document.
    fn close(&mut self) -> bool {
        self.flush();
        self.skip = 0;
        self.is_starred = false;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return false;
        }
        let Some(outer) = self.groups.pop() else { return false };
        let ended = std::mem::replace(&mut self.group, outer);
        self.end_of(ended);
        self.groups.is_empty()
    }

    fn end_of(&mut self, ended: Group) {
        match ended.opened {
            Opened::Nothing => {}
            Opened::Field => self.end_field(),
            Opened::Style => self.end_style(),
            Opened::Time(key) => self.end_time(key),
            Opened::Capture(purpose) => {
                let text = self.captures.pop().unwrap_or_default();
                self.captured(purpose, text);
            }
            Opened::Flow(kind) => self.end_flow(kind, ended),
        }
    }

    fn end_field(&mut self) {
        let Some(field) = self.fields.pop().filter(|field| field.is_shown && !field.has_result) else {
            return;
        };
        if let Some(shown) = shown_without_result(&field.code) {
            self.push_text(shown);
        }
    }

    fn end_style(&mut self) {
        let style = std::mem::take(&mut self.style);
        let level = style.outline.filter(|level| *level < 9).map(|level| level + 1);
        if let Some(level) = level.or_else(|| level_of(&style.name)) {
            self.styles.insert(style.number, level);
        }
    }

    fn end_time(&mut self, key: &'static str) {
        let [year, month, day, hour, minute, second] = self.time.0;
        if (1900..2200).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) {
            let (hour, minute, second) = (hour.clamp(0, 23), minute.clamp(0, 59), second.clamp(0, 59));
            let time = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
            self.metadata.push((key.to_owned(), time));
        }
    }

    fn captured(&mut self, purpose: Purpose, text: String) {
        match purpose {
            Purpose::Info(key) => {
                let text = text.trim().trim_end_matches(';').trim();
                if !text.is_empty() && self.metadata.len() < 100 {
                    self.metadata.push((key.to_owned(), text.to_owned()));
                }
            }
            Purpose::Marker => {
                if let Some(open) = self.flows.last_mut() {
                    open.marker = Some(text.trim().to_owned());
                }
            }
            Purpose::Code => {
                if let Some(field) = self.fields.last_mut() {
                    field.code.push_str(&text);
                }
            }
            Purpose::CommentAuthor => text.trim().clone_into(&mut self.comment_author),
            Purpose::PropertyName => self.property = text,
            Purpose::PropertyValue => {
                if self.property == "wzDescription" && self.is_picture() {
                    let around = std::mem::replace(&mut self.group.destination, Destination::Body);
                    self.push_text(text.trim());
                    self.group.destination = around;
                }
                self.property.clear();
            }
        }
    }

    /// True inside a picture that is shown: its description stands for it.
    fn is_picture(&self) -> bool {
        self.groups.iter().rev().take(4).any(|group| group.destination == Destination::Body)
    }

    fn end_flow(&mut self, kind: Kind, ended: Group) {
        // The last paragraph of a flow may end with its group; it has the looks of that.
        let outer = std::mem::replace(&mut self.group, ended);
        self.end_paragraph();
        self.group = outer;
        let Some(open) = (self.flows.len() > 1).then(|| self.flows.pop()).flatten() else { return };
        let blocks = open.flow.finish();
        match kind {
            Kind::Header => self.headers.push(blocks),
            Kind::Footer => self.footers.push(blocks),
            Kind::Comment => {
                let author = std::mem::take(&mut self.comment_author);
                self.comments.push((author, blocks));
            }
            Kind::Note => {
                self.notes += 1;
                let label: Arc<str> = self.notes.to_string().into();
                if let Some(open) = self.flows.last_mut() {
                    open.words.push_note(label.clone());
                    open.flow.aside(Block::Note { label, blocks });
                }
            }
            Kind::TextBox => {
                if let Some(open) = self.flows.last_mut() {
                    blocks.into_iter().for_each(|block| open.flow.aside(block));
                }
            }
        }
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
        match opens(name) {
            Some(what) => self.destination(what),
            // Properties of formulas; the formulas are text.
            None if name.starts_with(b"m") && name.ends_with(b"Pr") => {
                self.group.destination = Destination::Skip
            }
            None if is_starred => self.group.destination = Destination::Skip,
            None if self.group.destination == Destination::Skip => {}
            None => self.word(name, parameter),
        }
    }

    fn destination(&mut self, what: Opens) {
        let around = self.group.destination;
        match what {
            Opens::Unicode => {
                self.group.destination = self.group.outer.take().unwrap_or(around);
            }
            _ if around == Destination::Skip => (),
            Opens::To(destination) => self.group.destination = destination,
            Opens::Through => {}
            Opens::Both => {
                self.group.outer = Some(around);
                self.group.destination = Destination::Skip;
            }
            Opens::Time(key) if around == Destination::Frame => {
                self.time = Time::default();
                self.group.opened = Opened::Time(key);
                self.group.destination = Destination::Time;
            }
            Opens::Time(_) => self.group.destination = Destination::Skip,
            Opens::Capture(Purpose::Info(_)) if around != Destination::Frame => {}
            Opens::Capture(purpose) if self.group.opened == Opened::Nothing => {
                self.captures.push(String::new());
                self.group.opened = Opened::Capture(purpose);
                self.group.destination = Destination::Capture;
            }
            Opens::Capture(_) => {}
            Opens::Field if self.group.opened == Opened::Nothing => {
                self.fields.push(Field { is_shown: around == Destination::Body, ..Field::default() });
                self.group.opened = Opened::Field;
            }
            Opens::Field => {}
            Opens::Result => self.field_result(),
            Opens::Flow(kind) => self.open_flow(kind),
        }
    }

    fn field_result(&mut self) {
        let is_apart = matches!(self.flows.len(), 2..);
        let Some(field) = self.fields.last_mut().filter(|field| field.is_shown) else { return };
        field.has_result = true;
        if is_apart && is_page_number(&field.code) {
            self.group.destination = Destination::Skip;
        } else if let Some(link) = link_of(&field.code).filter(|_| self.links.len() < MOST_LINKS) {
            self.links.push(link.into());
            self.group.look.link = self.links.len() as u32;
        }
    }

    fn open_flow(&mut self, kind: Kind) {
        let is_reachable = matches!(self.group.destination, Destination::Body | Destination::Frame);
        let can_open = self.group.opened == Opened::Nothing && self.flows.len() < MOST_FLOWS;
        // What is deleted or hidden takes its notes with it.
        if !is_reachable || !can_open || self.group.look.deleted || self.group.look.hidden {
            self.group.destination = Destination::Skip;
            return;
        }
        self.flows.push(OpenFlow::default());
        self.group.opened = Opened::Flow(kind);
        self.group.destination = Destination::Body;
        self.group.paragraph = Default::default();
        self.group.look = Default::default();
    }

    /// A character by its number; the ones behind it stand for it in older readers.
    fn unicode(&mut self, number: i32) {
        self.skip = usize::from(self.group.fallback);
        let is_open =
            !matches!(self.group.destination, Destination::Skip | Destination::Frame | Destination::Time);
        if !is_open {
            return;
        }
        self.flush_bytes();
        let unit = (number & 0xffff) as u16;
        let c = match (self.high.take(), unit) {
            (_, 0xd800..=0xdbff) => {
                self.high = Some(unit);
                return;
            }
            (Some(high), 0xdc00..=0xdfff) => char::decode_utf16([high, unit]).next().and_then(Result::ok),
            // Numbers above 65,535 are against the rules, and mean what they say.
            _ if number > 0xffff => char::from_u32(number as u32),
            (_, 0xf000..=0xf0ff) => Some(symbols::char_of(unit as u8, self.font_name())),
            _ => char::from_u32(u32::from(unit)),
        };
        let mut buffer = [0; 4];
        match c {
            Some(c) if !c.is_control() || c == '\t' => self.push_text(c.encode_utf8(&mut buffer)),
            Some('\n' | '\u{b}' | '\r') => self.push_text("\n"),
            Some(_) => {}
            None => {
                self.replaced += 1;
                self.push_text("\u{fffd}");
            }
        }
    }

    fn symbol(&mut self, symbol: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        match symbol {
            b'\\' | b'{' | b'}' => self.bytes(&[symbol]),
            b'~' => self.special("\u{a0}"),
            b'_' => self.special("\u{2011}"),
            b'\n' | b'\r' => {
                self.flush();
                self.word(b"par", None);
            }
            b'\t' => self.special("\t"),
            // `\-` only allows a hyphen, `\|` and `\:` belong to indexes and formulas.
            _ => {}
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let is_open =
            !matches!(self.group.destination, Destination::Skip | Destination::Frame | Destination::Time);
        if is_open && skipped < bytes.len() {
            self.pending.extend_from_slice(&bytes[skipped..]);
        }
    }

    /// Text that is no bytes.
    pub(super) fn special(&mut self, text: &str) {
        self.flush();
        self.push_text(text);
    }

    fn flush(&mut self) {
        self.high = None;
        self.flush_bytes();
    }

    /// Decodes the bytes that wait.
    fn flush_bytes(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let number = self.group.look.font.unwrap_or(self.default_font);
        let number = if self.group.destination == Destination::Fonts { self.font } else { number };
        let font = self.fonts.get(&number);
        let is_text = matches!(self.group.destination, Destination::Body | Destination::Capture);
        let text = match font {
            Some(font) if font.is_symbol && is_text => {
                pending.iter().map(|byte| symbols::char_of(*byte, &font.name)).collect()
            }
            _ => {
                let own = font.and_then(|font| font.code_page).unwrap_or(self.code_page);
                codepage::decode(own, &pending)
            }
        };
        self.replaced += text.matches('\u{fffd}').count();
        if text.bytes().any(|byte| byte < b' ' && byte != b'\t') {
            // Line ends in hexadecimal are shown, those of the file are not.
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let text: String = text.chars().filter(|c| *c >= ' ' || matches!(c, '\t' | '\n')).collect();
            self.push_text(&text);
        } else {
            self.push_text(&text);
        }
        self.pending = pending;
        self.pending.clear();
    }

    fn font_name(&self) -> &str {
        let number = self.group.look.font.unwrap_or(self.default_font);
        self.fonts.get(&number).map_or("", |font| font.name.as_str())
    }

    fn push_text(&mut self, text: &str) {
        let look = self.group.look;
        match self.group.destination {
            Destination::Body if look.hidden || look.deleted => {}
            Destination::Body => {
                let link = (look.link as usize).checked_sub(1).and_then(|at| self.links.get(at)).cloned();
                let style =
                    Style { strong: look.strong, emphasis: look.emphasis, strike: look.strike, code: false };
                if let Some(open) = self.flows.last_mut() {
                    open.words.push(Run { text: text.to_owned(), style, link, ..Run::default() });
                }
            }
            Destination::Capture => {
                if let Some(capture) =
                    self.captures.last_mut().filter(|capture| capture.len() < LONGEST_CAPTURE)
                {
                    capture.push_str(text);
                }
            }
            Destination::Fonts => {
                if let Some(font) = self.fonts.get_mut(&self.font).filter(|font| font.name.len() < 100) {
                    font.name.push_str(text);
                }
            }
            Destination::Styles if self.style.name.len() < 100 => self.style.name.push_str(text),
            Destination::Styles | Destination::Skip | Destination::Frame | Destination::Time => {}
        }
    }

    /// Ends the paragraph that is open in the flow that is open.
    pub(super) fn end_paragraph(&mut self) {
        let paragraph = self.group.paragraph;
        let level = match paragraph.outline {
            Some(level) if level < 9 => Some(level + 1),
            Some(_) => None,
            None => self.styles.get(&paragraph.style).copied(),
        };
        let Some(open) = self.flows.last_mut() else { return };
        let mut words = std::mem::take(&mut open.words);
        let marker = open.marker.take();
        if words.is_blank() {
            return;
        }
        let block = match (level, marker) {
            (Some(level), marker) => {
                if let Some(marker) = marker.filter(|marker| is_number(marker)) {
                    words.0.insert(0, Run { text: format!("{marker} "), ..Run::default() });
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
        open.flow.push(block, paragraph.tables());
    }

    /// Ends a cell: its last paragraph ends with it.
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

/// Numbers are words of the document; bullets, whatever font they come from, are marks.
fn is_number(marker: &str) -> bool {
    marker.len() > 1 && marker.chars().any(char::is_alphanumeric)
}

/// The level of a heading by the name of its style, in the languages in which Word writes names without outline level.
pub(in crate::extract) fn level_of(name: &str) -> Option<u8> {
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
