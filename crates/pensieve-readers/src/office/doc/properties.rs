//! Lists of property modifiers ("sprms"), and the changes of the relevant ones to the formats of characters,
//! paragraphs and rows. Format: [MS-DOC] sections 2.2.5 and 2.6; for Word 6 and 95 the table "sprm definitions" of
//! its own description.

use super::bytes::u8_at;
use super::fib::WordVersion;
use crate::limits::doc::MAX_ROW_CELLS;
use crate::shared::bytes::{u16_le, u32_le};
use crate::shared::flow::CellShape;
use std::sync::Arc;

/// A property of characters that their style may have too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ToggleProperty {
    /// The value of the style.
    #[default]
    AsStyle,
    On,
    Off,
    /// The opposite of the value of the style.
    Opposite,
}

impl ToggleProperty {
    fn of(value: u8) -> ToggleProperty {
        match value {
            0 => ToggleProperty::Off,
            0x80 => ToggleProperty::AsStyle,
            0x81 => ToggleProperty::Opposite,
            _ => ToggleProperty::On,
        }
    }

    /// The value of the property, applied to that of the style.
    pub(super) fn over(self, style: bool) -> bool {
        match self {
            ToggleProperty::AsStyle => style,
            ToggleProperty::On => true,
            ToggleProperty::Off => false,
            ToggleProperty::Opposite => !style,
        }
    }
}

/// The format of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CharacterFormat {
    pub strong: ToggleProperty,
    pub emphasis: ToggleProperty,
    pub strike: ToggleProperty,
    pub hidden: ToggleProperty,
    pub is_deleted: bool,
    /// The characters are placeholders, such as for a symbol or a picture.
    pub is_special: bool,
    /// The number of a character style.
    pub style: Option<u16>,
    /// The number of the font; in Word 6 it decides the code page.
    pub font: Option<u16>,
    /// A character of a symbol font: the number of the font, and the character.
    pub symbol: Option<(u16, u16)>,
}

/// The format of a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ParagraphFormat {
    pub style: u16,
    pub in_table: bool,
    pub ends_row: bool,
    pub depth: u32,
    pub ends_inner_cell: bool,
    pub ends_inner_row: bool,
    pub level: Option<u8>,
    /// The number of a list override, from 1; 0 is none.
    pub list: Option<i16>,
    /// From 0; 9 is body text.
    pub outline: Option<u8>,
    pub shape: Option<Arc<[CellShape]>>,
    /// The position of further properties in the data stream.
    pub more_at: Option<u32>,
}

/// Yields the property modifiers of a list with their operands, up to the first one of unknown length.
pub(super) struct Sprms<'a> {
    pub bytes: &'a [u8],
    pub version: WordVersion,
}

impl<'a> Iterator for Sprms<'a> {
    /// The code that Word 97 uses for the property, and the operand.
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (code, skip, length) = match self.version {
            WordVersion::Word97 => {
                let code = u16_le(self.bytes, 0)?;
                let (skip, length) = operand(code, &self.bytes[2..])?;
                (code, 2 + skip, length)
            }
            _ => {
                let code = u8_at(self.bytes, 0)?;
                let (skip, length) = old_operand(code, &self.bytes[1..])?;
                (modern(code), 1 + skip, length)
            }
        };
        let operand = self.bytes.get(skip..skip + length)?;
        self.bytes = &self.bytes[skip + length..];
        Some((code, operand))
    }
}

/// How many bytes before the operand give its length, and that length.
fn operand(code: u16, rest: &[u8]) -> Option<(usize, usize)> {
    Some(match code >> 13 {
        0 | 1 => (0, 1),
        2 | 4 | 5 => (0, 2),
        3 => (0, 4),
        7 => (0, 3),
        _ if matches!(code, 0xd608 | 0xd606) => (2, usize::from(u16_le(rest, 0)?).saturating_sub(1)),
        _ if code == 0xc615 && u8_at(rest, 0)? == 255 => {
            let deleted = usize::from(u8_at(rest, 1)?);
            let added = usize::from(u8_at(rest, 2 + 4 * deleted)?);
            (1, 2 + 4 * deleted + 3 * added)
        }
        _ => (1, usize::from(u8_at(rest, 0)?)),
    })
}

/// The same for Word 6; `None` for codes whose length is unknown: the rest of the list cannot be read.
fn old_operand(code: u8, rest: &[u8]) -> Option<(usize, usize)> {
    Some(match code {
        0 | 52 | 83 => (0, 0),
        4..=11 | 13 | 14 | 24 | 25 | 29 | 37 | 44 | 50 | 51 => (0, 1),
        2 | 16..=19 | 21 | 22 | 26..=28 | 30..=36 | 38..=43 | 45..=49 => (0, 2),
        20 | 70 | 192 => (0, 4),
        65..=67 | 71 | 75 | 85..=92 | 94 | 98 | 100 | 102 | 104 | 117..=119 | 185 | 186 => (0, 1),
        69 | 72 | 80 | 93 | 96 | 97 | 99 | 101 | 182..=184 | 189 => (0, 2),
        73 | 95 => (0, 3),
        187 => (0, 12),
        188 | 190 => (2, usize::from(u16_le(rest, 0)?).saturating_sub(1)),
        3 | 12 | 15 | 23 | 68 | 74 | 81 | 82 | 103 | 120..=123 | 191 => (1, usize::from(u8_at(rest, 0)?)),
        _ => return None,
    })
}

/// The code of Word 97 for one of Word 6.
fn modern(code: u8) -> u16 {
    match code {
        2 => 0x4600,
        24 => 0x2416,
        25 => 0x2417,
        65 => 0x0800,
        74 => 0x6a09,
        80 => 0x4a30,
        85 => 0x0835,
        86 => 0x0836,
        87 => 0x0837,
        92 => 0x083c,
        93 => 0x4a4f,
        117 => 0x0855,
        190 => 0xd608,
        _ => 0,
    }
}

impl CharacterFormat {
    /// Applies property modifiers to the format.
    pub(super) fn apply(&mut self, sprms: Sprms<'_>) {
        for (code, operand) in sprms {
            let value = u8_at(operand, 0).unwrap_or(0);
            match code {
                0x0800 => self.is_deleted = value != 0,
                0x0835 => self.strong = ToggleProperty::of(value),
                0x0836 => self.emphasis = ToggleProperty::of(value),
                0x0837 | 0x2a53 => self.strike = ToggleProperty::of(value),
                0x083c => self.hidden = ToggleProperty::of(value),
                0x0855 => self.is_special = value != 0,
                0x4a30 => self.style = u16_le(operand, 0),
                0x4a4f => self.font = u16_le(operand, 0),
                0x6a09 => {
                    let font = u16_le(operand, 0).unwrap_or(0);
                    let character = u16_le(operand, 2).or_else(|| u8_at(operand, 2).map(u16::from));
                    self.symbol = character.map(|character| (font, character));
                }
                _ => {}
            }
        }
    }
}

impl ParagraphFormat {
    /// Applies property modifiers to the format.
    pub(super) fn apply(&mut self, sprms: Sprms<'_>) {
        for (code, operand) in sprms {
            let value = u8_at(operand, 0).unwrap_or(0);
            match code {
                0x4600 => self.style = u16_le(operand, 0).unwrap_or(self.style),
                0x2416 => self.in_table = value != 0,
                0x2417 => self.ends_row = value != 0,
                0x6649 => self.depth = u32_le(operand, 0).unwrap_or(0).min(100),
                0x244b => self.ends_inner_cell = value != 0,
                0x244c => self.ends_inner_row = value != 0,
                0x260a => self.level = Some(value.min(8)),
                0x460b => self.list = u16_le(operand, 0).map(|list| list as i16),
                0x2640 => self.outline = Some(value),
                0xd608 => self.shape = shape_of(operand),
                0x6645 | 0x6646 => self.more_at = u32_le(operand, 0),
                _ => {}
            }
        }
    }

    /// How many tables the paragraph is in.
    pub(super) fn tables(&self) -> usize {
        match self.depth {
            0 => usize::from(self.in_table || self.ends_row),
            depth => depth as usize,
        }
    }
}

/// The cells of a row: their edges, followed by a record of 20 bytes for each, which marks merged cells.
fn shape_of(operand: &[u8]) -> Option<Arc<[CellShape]>> {
    let count = usize::from(u8_at(operand, 0)?).min(MAX_ROW_CELLS);
    let edge = |at: usize| u16_le(operand, 1 + 2 * at).map(|edge| i32::from(edge as i16));
    let joins_left =
        |at: usize| u16_le(operand, 1 + 2 * (count + 1) + 20 * at).is_some_and(|flags| flags & 2 != 0);
    (0..count).map(|at| Some(CellShape { right: edge(at + 1)?, joins_left: joins_left(at) })).collect()
}
