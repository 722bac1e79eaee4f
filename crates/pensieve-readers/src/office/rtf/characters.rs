//! Characters: by number, by symbol, or as bytes of a font's code page; and the destination to which they go. Format:
//! Rich Text Format Specification 1.9.1, "Unicode RTF" and the table of fonts.

use super::group_state::Destination;
use super::reader::RtfReader;
use crate::limits::rtf::{MAX_CAPTURE_BYTES, MAX_NAME_BYTES};
use crate::markdown::TextRun;
use crate::shared::codepage;
use crate::shared::symbols;
use pensieve_text::model::{HiddenReason, Locator};

impl RtfReader<'_> {
    /// A character by its number; the characters after it are a replacement for older readers.
    pub(super) fn unicode(&mut self, number: i32) {
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
            // Numbers above 65,535 break the rules, but their meaning is clear.
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

    pub(super) fn symbol(&mut self, symbol: u8) {
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

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let is_open =
            !matches!(self.group.destination, Destination::Skip | Destination::Frame | Destination::Time);
        if is_open {
            self.pending.extend_from_slice(&bytes[skipped..]);
        }
    }

    /// Adds the text of a control word or symbol.
    pub(super) fn special(&mut self, text: &str) {
        self.flush();
        self.push_text(text);
    }

    pub(super) fn flush(&mut self) {
        self.high = None;
        self.flush_bytes();
    }

    /// Decodes the pending bytes.
    fn flush_bytes(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let number = self.group.run.font.unwrap_or(self.default_font);
        let number = if self.group.destination == Destination::Fonts { self.font } else { number };
        let font = self.fonts.get(&number);
        let is_text =
            matches!(self.group.destination, Destination::Body | Destination::Capture | Destination::Formula);
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
            // Line ends in hexadecimal are text; line ends of the file are not.
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
        let number = self.group.run.font.unwrap_or(self.default_font);
        self.fonts.get(&number).map_or("", |font| font.name.as_str())
    }

    /// Lists words that nobody can see.
    fn hide(&mut self, reason: HiddenReason, text: &str) {
        let paragraph = self.paragraphs + 1;
        let place = Locator::Paragraphs { first: paragraph, last: paragraph };
        self.hidden.add(reason, Some(&place).filter(|_| self.flows.len() == 1), text);
    }

    /// True where nothing but white paper can be behind words: cells and shapes have colours of their own.
    fn is_on_paper(&self) -> bool {
        let paragraph = self.group.paragraph;
        self.flows.len() == 1 && paragraph.tables() == 0 && !paragraph.on_colour && !self.has_backdrop
    }

    /// Adds markup to the open paragraph.
    pub(super) fn push_markup(&mut self, text: &str) {
        if let Some(open) = self.flows.last_mut().filter(|_| self.group.destination == Destination::Body) {
            open.words.push(TextRun { text: text.to_owned(), is_markup: true, ..TextRun::default() });
        }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        let run = self.group.run;
        match self.group.destination {
            Destination::Body if run.deleted => {}
            Destination::Body => {
                if let Some(reason) = run.format.look.hiding(|| self.is_on_paper()) {
                    self.hide(reason, text);
                    return;
                }
                let link = (run.link as usize).checked_sub(1).and_then(|at| self.links.get(at)).cloned();
                let style = run.format.style();
                if let Some(open) = self.flows.last_mut() {
                    open.words.push(TextRun { text: text.to_owned(), style, link, ..TextRun::default() });
                }
            }
            Destination::Formula => {
                if let Some(formula) = &mut self.formula {
                    formula.loose_text(text);
                }
            }
            Destination::Capture => {
                if let Some(capture) =
                    self.captures.last_mut().filter(|capture| capture.len() < MAX_CAPTURE_BYTES)
                {
                    capture.push_str(text);
                }
            }
            Destination::Fonts => {
                if let Some(font) =
                    self.fonts.get_mut(&self.font).filter(|font| font.name.len() < MAX_NAME_BYTES)
                {
                    font.name.push_str(text);
                }
            }
            Destination::Styles if self.style.name.len() < MAX_NAME_BYTES => self.style.name.push_str(text),
            Destination::Colours => self.colours.end_entries(text),
            Destination::Styles
            | Destination::Skip
            | Destination::Frame
            | Destination::Time
            | Destination::FormField => {}
        }
    }
}
