//! Handles control words: formats, paragraphs, cells, fonts, styles, single characters. Format: Rich Text Format
//! Specification 1.9.1, the tables of control words.

use super::group_state::{Destination, ParagraphFormat};
use super::reader::{FontEntry, RowDefinition, RtfReader};
use crate::limits::rtf::{MAX_FONTS, MAX_ROW_CELLS};
use crate::markdown::BaselineShift;
use crate::office::story::{CellShape, CharacterFormat};
use crate::shared::codepage;

impl RtfReader<'_> {
    pub(super) fn word(&mut self, name: &[u8], parameter: Option<i32>) {
        match self.group.destination {
            Destination::Fonts => self.font_word(name, parameter),
            Destination::Colours => self.colours.set(name, parameter),
            Destination::Styles => self.style_word(name, parameter),
            Destination::Time => self.time_word(name, parameter),
            Destination::Body | Destination::Capture | Destination::Formula => {
                if !self.text_word(name)
                    && !self.character_word(name, parameter)
                    && !self.paragraph_word(name, parameter)
                {
                    self.document_word(name, parameter);
                }
            }
            Destination::FormField => self.form_word(name, parameter),
            Destination::Frame | Destination::Skip => {}
        }
    }

    fn form_word(&mut self, name: &[u8], parameter: Option<i32>) {
        let at = [&b"fftype"[..], b"ffres", b"ffdefres"].iter().position(|word| *word == name);
        if let Some((field, at)) = self.fields.last_mut().zip(at) {
            field.form[at] = parameter;
        }
    }

    /// Characters, and ends of paragraphs, cells and rows.
    fn text_word(&mut self, name: &[u8]) -> bool {
        let text = match name {
            b"par" | b"sect" | b"page" | b"column" | b"softpage" => {
                self.break_paragraph(name);
                return true;
            }
            b"cell" | b"nestcell" | b"row" | b"nestrow" => {
                self.table_word(name);
                return true;
            }
            b"line" | b"lbr" => "\n",
            b"tab" => "\t",
            b"emdash" => "\u{2014}",
            b"endash" => "\u{2013}",
            b"bullet" => "\u{2022}",
            b"lquote" => "\u{2018}",
            b"rquote" => "\u{2019}",
            b"ldblquote" => "\u{201c}",
            b"rdblquote" => "\u{201d}",
            b"emspace" => "\u{2003}",
            b"enspace" => "\u{2002}",
            b"qmspace" => "\u{2005}",
            b"zwj" => "\u{200d}",
            b"zwnj" => "\u{200c}",
            b"zwbo" => "\u{200b}",
            b"zwnbo" => "\u{2060}",
            b"ltrmark" => "\u{200e}",
            b"rtlmark" => "\u{200f}",
            _ => return false,
        };
        self.special(text);
        true
    }

    fn break_paragraph(&mut self, name: &[u8]) {
        match self.group.destination {
            // A page may end inside a paragraph.
            Destination::Body if name != b"softpage" => self.end_paragraph(),
            Destination::Capture => self.special(" "),
            _ => {}
        }
    }

    fn table_word(&mut self, name: &[u8]) {
        if self.group.destination != Destination::Body {
            return;
        }
        let depth = self.group.paragraph.tables().max(1);
        match name {
            b"cell" => self.end_cell(1),
            b"nestcell" => self.end_cell(depth.max(2)),
            b"row" => self.end_row(1),
            _ => self.end_row(depth.max(2)),
        }
    }

    fn character_word(&mut self, name: &[u8], parameter: Option<i32>) -> bool {
        let is_on = parameter != Some(0);
        let run = &mut self.group.run;
        let format = &mut run.format;
        match name {
            b"plain" => (*format, run.font) = (CharacterFormat::default(), None),
            b"b" => format.strong = Some(is_on),
            b"i" => format.emphasis = Some(is_on),
            b"strike" | b"striked" => format.strike = Some(is_on),
            b"super" if is_on => format.shift = Some(BaselineShift::Raised),
            b"sub" if is_on => format.shift = Some(BaselineShift::Lowered),
            b"super" | b"sub" | b"nosupersub" => format.shift = None,
            // The distance in half-points; without a number it is 6.
            b"up" => format.shift = Some(BaselineShift::of(parameter.unwrap_or(6))),
            b"dn" => format.shift = Some(BaselineShift::of(parameter.unwrap_or(6).saturating_neg())),
            b"v" => format.look.hidden = Some(is_on),
            // In half-points; without a number it is 12 points.
            b"fs" => format.look.set_points(f64::from(parameter.unwrap_or(24)) / 2.0),
            b"cf" => format.look.white = Some(self.colours.is_white(parameter)),
            b"cb" | b"chcbpat" | b"highlight" | b"chcfpat" => {
                format.look.on_colour = self.colours.is_other_than_white(parameter)
            }
            b"deleted" => run.deleted = is_on,
            b"f" => run.font = parameter,
            b"uc" => self.group.fallback = parameter.unwrap_or(1).clamp(0, 255) as u8,
            _ => return false,
        }
        true
    }

    fn paragraph_word(&mut self, name: &[u8], parameter: Option<i32>) -> bool {
        let number = parameter.unwrap_or(0);
        let paragraph = &mut self.group.paragraph;
        match name {
            b"pard" => *paragraph = ParagraphFormat::default(),
            b"intbl" => paragraph.in_table = true,
            b"itap" => paragraph.depth = Some(number.clamp(0, 200) as u8),
            b"outlinelevel" => paragraph.outline = Some(number.clamp(0, 9) as u8),
            b"s" => paragraph.style = number,
            b"ls" => paragraph.list = number,
            b"cbpat" | b"cfpat" => paragraph.on_colour |= self.colours.is_other_than_white(parameter),
            b"ilvl" => paragraph.level = number.clamp(0, 8) as u8,
            b"trowd" => self.shape = RowDefinition::default(),
            b"clmrg" => self.shape.joins_left = true,
            b"clvmrg" => self.shape.joins_above = true,
            b"cellx" if self.shape.cells.len() < MAX_ROW_CELLS => {
                let [joins_left, joins_above] =
                    [&mut self.shape.joins_left, &mut self.shape.joins_above].map(std::mem::take);
                self.shape.cells.push(CellShape { right: number, joins_left, joins_above });
            }
            _ => return false,
        }
        true
    }

    fn document_word(&mut self, name: &[u8], parameter: Option<i32>) {
        match (name, parameter) {
            (b"ansicpg", Some(page)) if page > 0 && codepage::encoding_of(page as u32).is_some() => {
                self.code_page = page as u32;
            }
            (b"mac", _) => self.code_page = 10_000,
            (b"pc", _) => self.code_page = 437,
            (b"pca", _) => self.code_page = 850,
            (b"deff", Some(font)) => self.default_font = font,
            _ => {}
        }
    }

    fn font_word(&mut self, name: &[u8], parameter: Option<i32>) {
        match (name, parameter) {
            (b"f", Some(number)) => {
                self.font = number;
                if self.fonts.len() < MAX_FONTS {
                    self.fonts.insert(number, FontEntry::default());
                }
            }
            (b"fcharset", Some(charset)) => {
                if let Some(font) = self.fonts.get_mut(&self.font) {
                    font.is_symbol = charset == 2;
                    font.code_page = u8::try_from(charset).ok().and_then(codepage::of_charset);
                }
            }
            (b"cpg", Some(page)) if codepage::encoding_of(page.max(0) as u32).is_some() => {
                if let Some(font) = self.fonts.get_mut(&self.font) {
                    font.code_page = Some(page as u32);
                }
            }
            _ => {}
        }
    }

    fn style_word(&mut self, name: &[u8], parameter: Option<i32>) {
        match name {
            b"s" => self.style.number = parameter.unwrap_or(0),
            b"outlinelevel" => self.style.outline = parameter.map(|level| level.clamp(0, 9) as u8),
            _ => {}
        }
    }

    fn time_word(&mut self, name: &[u8], parameter: Option<i32>) {
        const PARTS: [&[u8]; 6] = [b"yr", b"mo", b"dy", b"hr", b"min", b"sec"];
        if let Some(at) = PARTS.iter().position(|part| *part == name) {
            self.time.0[at] = parameter.unwrap_or(0);
        }
    }
}
