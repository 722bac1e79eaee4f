//! Lists of property modifiers ("sprms"), and the changes of the relevant ones to the formats of characters,
//! paragraphs and rows. Format: [MS-DOC] sections 2.2.5 and 2.6; for Word 6 and 95 the table "sprm definitions" of
//! its own description.

use super::bytes::u8_at;
use super::fib::WordVersion;
use crate::limits::doc::MAX_ROW_CELLS;
use crate::markdown::BaselineShift;
use crate::office::story::{CellShape, MIN_WHITE, TextLook};
use crate::shared::bytes::{u16_le, u32_le};
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

/// What a list of modifiers changes of the format of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RunModifiers {
    pub strong: ToggleProperty,
    pub emphasis: ToggleProperty,
    pub strike: ToggleProperty,
    pub hidden: ToggleProperty,
    pub shift: Option<BaselineShift>,
    /// Colours and size.
    pub look: TextLook,
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
    /// A colour other than white is behind it.
    pub on_colour: bool,
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
        101 => 0x4845,
        104 => 0x2a48,
        117 => 0x0855,
        190 => 0xd608,
        _ => 0,
    }
}

/// White among the sixteen colours of [MS-DOC] section 2.9.119.
const WHITE_INDEX: u8 = 8;

/// True for a colour of red, green, blue and a zero ([MS-DOC] section 2.9.43) that is white.
fn is_white(colour: &[u8]) -> bool {
    colour.get(3) == Some(&0) && colour[..3].iter().all(|part| i32::from(*part) >= MIN_WHITE)
}

/// True for a shading that paints something other than white: two indexes and a pattern in two bytes (section 2.9.247), or
/// two colours and a pattern in ten (section 2.9.248).
fn has_shading(operand: &[u8]) -> bool {
    let is_none = |colour: &[u8]| colour.get(3) == Some(&0xff) || is_white(colour);
    match operand {
        [low, high] => {
            let (ground, pattern) = ((low >> 5) | (high & 3) << 3, high >> 2);
            pattern != 0 || !matches!(ground, 0 | WHITE_INDEX)
        }
        [.., pattern, _] if operand.len() >= 10 => *pattern != 0 || !is_none(&operand[4..8]),
        _ => false,
    }
}

impl RunModifiers {
    /// Applies property modifiers to the format.
    pub(super) fn apply(&mut self, sprms: Sprms<'_>) {
        for (code, operand) in sprms {
            let value = u8_at(operand, 0).unwrap_or(0);
            match code {
                0x0800 => self.is_deleted = value != 0,
                0x0835 => self.strong = ToggleProperty::of(value),
                0x0836 => self.emphasis = ToggleProperty::of(value),
                0x0837 | 0x2a53 => self.strike = ToggleProperty::of(value),
                0x2a48 => {
                    self.shift = Some(match value {
                        1 => BaselineShift::Raised,
                        2 => BaselineShift::Lowered,
                        _ => BaselineShift::None,
                    });
                }
                // The distance from the line in half-points.
                0x4845 => {
                    self.shift = u16_le(operand, 0).map(|value| BaselineShift::of(i32::from(value as i16)))
                }
                0x083c => self.hidden = ToggleProperty::of(value),
                // An index of sixteen colours, of which 8 is white, or red, green, blue and a flag for none.
                0x2a42 => self.look.white = Some(value == WHITE_INDEX),
                0x6870 => self.look.white = Some(is_white(operand)),
                // In half-points.
                0x4a43 => self.look.set_points(f64::from(u16_le(operand, 0).unwrap_or(24)) / 2.0),
                0x2a0c => self.look.on_colour |= !matches!(value, 0 | WHITE_INDEX),
                0x4866 | 0xca71 => self.look.on_colour |= has_shading(operand),
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
                0x442d | 0xc64d => self.on_colour = has_shading(operand),
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
    let flags = |at: usize| u16_le(operand, 1 + 2 * (count + 1) + 20 * at).unwrap_or(0);
    let cell = |at: usize| {
        // Bits 5 and 6: 1 continues the cell above, 3 begins one that is continued.
        let (joins_left, joins_above) = (flags(at) & 2 != 0, flags(at) >> 5 & 3 == 1);
        Some(CellShape { right: edge(at + 1)?, joins_left, joins_above })
    };
    (0..count).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::WordVersion::{Word6, Word97};
    use super::*;

    fn check_list(version: WordVersion, bytes: &[u8], expected: &[(u16, &[u8])]) {
        let sprms: Vec<_> = Sprms { bytes, version }.collect();
        assert_eq!(sprms, expected, "{bytes:x?}");
    }

    /// A modifier with an operand, of which `skip` bytes give the length, has another after it, and nothing if it is
    /// cut.
    fn check_operand(code: u16, operand: &[u8], skip: usize) {
        let one = [&code.to_le_bytes(), operand].concat();
        let both = [one.as_slice(), &[0x35, 0x08, 7]].concat();
        check_list(Word97, &one, &[(code, &operand[skip..])]);
        check_list(Word97, &both, &[(code, &operand[skip..]), (0x0835, &[7])]);
        check_list(Word97, &one[..one.len() - 1], &[]);
    }

    #[test]
    fn codes_give_the_lengths_of_their_operands() {
        for (code, operand, skip) in [
            (0x0836u16, [1].as_slice(), 0),
            (0x2416, &[1], 0),
            (0x4a30, &[1, 2], 0),
            (0x6a09, &[1, 2, 3, 4], 0),
            (0x8840, &[1, 2], 0),
            (0xa413, &[1, 2], 0),
            (0xe000, &[1, 2, 3], 0),
            (0xc60d, &[3, 1, 2, 3], 1),
            (0xc60d, &[0], 1),
            // The length of two bytes counts one of its own bytes.
            (0xd608, &[4, 0, 1, 2, 3], 2),
            (0xd606, &[3, 0, 1, 2], 2),
            (0xd608, &[0, 0], 2),
            (0xd609, &[2, 1, 2], 1),
            // Tab stops have no length of their own if there are too many of them.
            (0xc615, &[2, 7, 8], 1),
            (0xc615, &[255, 2, 1, 2, 3, 4, 5, 6, 7, 8, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1),
            (0xc615, &[255, 0, 1, 4, 5, 6], 1),
        ] {
            check_operand(code, operand, skip);
        }
        let long = [[0x01u8, 3].as_slice(), &[9; 0x300]].concat();
        check_operand(0xd608, &long, 2);
        check_list(Word97, &[0x35], &[]);
        check_list(Word97, &[0x15, 0xc6, 255, 2, 1, 2, 3, 4], &[]);
    }

    /// For each code of Word 6 the length of its operand: `c` is 12, `b` and `w` are counted by a byte or a word, `-`
    /// is unknown.
    const OLD_LENGTHS: [&str; 8] = [
        "0-2b11111111b11b2222422b11222122",
        "222221222222122222110-----------",
        "-111b24123b1----2bb0-11111111213",
        "2212121b1------------111bbbb----",
        "--------------------------------",
        "----------------------22211cw2wb",
        "4-------------------------------",
        "--------------------------------",
    ];

    #[test]
    fn codes_of_word_6_give_the_lengths_of_their_operands() {
        for (code, kind) in (0..=255).zip(OLD_LENGTHS.concat().chars()) {
            let expected = match kind {
                '-' => None,
                'b' => Some((1, 6)),
                'w' => Some((2, 0x0105)),
                'c' => Some((0, 12)),
                digit => digit.to_digit(10).map(|length| (0, length as usize)),
            };
            assert_eq!(old_operand(code, &[6, 1]), expected, "{code}");
        }
        check_list(
            Word6,
            &[85, 1, 80, 5, 6, 3, 2, 8, 9, 86, 0],
            &[(0x0835, &[1]), (0x4a30, &[5, 6]), (0, &[8, 9]), (0x0836, &[0])],
        );
        check_list(Word6, &[190, 3, 0, 7, 8, 85, 1], &[(0xd608, &[7, 8]), (0x0835, &[1])]);
        // After one of unknown length nothing can be read.
        check_list(Word6, &[85, 1, 1, 85, 1], &[(0x0835, &[1])]);
        check_list(Word6, &[93, 5], &[]);
    }

    #[test]
    fn relevant_codes_of_word_6_have_those_of_word_97() {
        let known = [
            (2, 0x4600),
            (24, 0x2416),
            (25, 0x2417),
            (65, 0x0800),
            (74, 0x6a09),
            (80, 0x4a30),
            (85, 0x0835),
            (86, 0x0836),
            (87, 0x0837),
            (92, 0x083c),
            (93, 0x4a4f),
            (101, 0x4845),
            (104, 0x2a48),
            (117, 0x0855),
            (190, 0xd608),
        ];
        let found: Vec<(u8, u16)> =
            (0..=255).map(|code| (code, modern(code))).filter(|(_, modern)| *modern != 0).collect();
        assert_eq!(found, known);
    }

    #[test]
    fn characters_take_what_their_modifiers_say() {
        use ToggleProperty::{AsStyle, Off, On, Opposite};
        let plain = RunModifiers::default();
        let check = |version, bytes: &[u8], expected: RunModifiers| {
            let mut format = RunModifiers::default();
            format.apply(Sprms { bytes, version });
            assert_eq!(format, expected, "{bytes:x?}");
        };
        for (value, strong) in
            [(0, Off), (1, On), (2, On), (0x7f, On), (0x80, AsStyle), (0x81, Opposite), (0x82, On)]
        {
            check(Word97, &[0x35, 0x08, value], RunModifiers { strong, ..plain });
        }
        check(Word97, b"\x36\x08\x01", RunModifiers { emphasis: On, ..plain });
        check(Word97, b"\x37\x08\x01", RunModifiers { strike: On, ..plain });
        check(Word97, b"\x48\x2a\x01", RunModifiers { shift: Some(BaselineShift::Raised), ..plain });
        check(Word97, b"\x48\x2a\x02", RunModifiers { shift: Some(BaselineShift::Lowered), ..plain });
        check(Word97, b"\x45\x48\xfa\xff", RunModifiers { shift: Some(BaselineShift::Lowered), ..plain });
        check(Word97, b"\x53\x2a\x00", RunModifiers { strike: Off, ..plain });
        check(Word97, b"\x3c\x08\x81", RunModifiers { hidden: Opposite, ..plain });
        check(Word97, b"\x00\x08\x01", RunModifiers { is_deleted: true, ..plain });
        check(Word97, b"\x00\x08\x01\x00\x08\x00", plain);
        check(Word97, b"\x55\x08\x01", RunModifiers { is_special: true, ..plain });
        check(Word97, b"\x55\x08\x01\x55\x08\x00", plain);
        check(Word97, b"\x30\x4a\x05\x01", RunModifiers { style: Some(0x0105), ..plain });
        check(Word97, b"\x4f\x4a\x06\x01", RunModifiers { font: Some(0x0106), ..plain });
        let symbol = |font, character| RunModifiers { symbol: Some((font, character)), ..plain };
        check(Word97, b"\x09\x6a\x02\x01\xb7\xf0", symbol(0x0102, 0xf0b7));
        // The character has one byte in Word 6.
        check(Word6, b"\x4a\x03\x02\x01\xb7", symbol(0x0102, 0xb7));
        check(Word6, b"\x4a\x02\x02\x01", plain);
        check(Word97, b"\x99\x08\x01", plain);
    }

    #[test]
    fn toggles_are_applied_to_the_style() {
        for (toggle, expected) in [
            (ToggleProperty::AsStyle, [false, true]),
            (ToggleProperty::On, [true, true]),
            (ToggleProperty::Off, [false, false]),
            (ToggleProperty::Opposite, [true, false]),
        ] {
            assert_eq!([false, true].map(|style| toggle.over(style)), expected, "{toggle:?}");
        }
    }

    #[test]
    fn paragraphs_take_what_their_modifiers_say() {
        let plain = ParagraphFormat::default();
        let check = |bytes: &[u8], expected: ParagraphFormat| {
            let mut format = ParagraphFormat::default();
            format.apply(Sprms { bytes, version: Word97 });
            assert_eq!(format, expected, "{bytes:x?}");
        };
        check(b"\x00\x46\x05\x01", ParagraphFormat { style: 0x0105, ..plain.clone() });
        check(b"\x16\x24\x01", ParagraphFormat { in_table: true, ..plain.clone() });
        check(b"\x16\x24\x01\x16\x24\x00", plain.clone());
        check(b"\x17\x24\x01", ParagraphFormat { ends_row: true, ..plain.clone() });
        check(b"\x17\x24\x01\x17\x24\x00", plain.clone());
        check(b"\x4b\x24\x01", ParagraphFormat { ends_inner_cell: true, ..plain.clone() });
        check(b"\x4b\x24\x01\x4b\x24\x00", plain.clone());
        check(b"\x4c\x24\x01", ParagraphFormat { ends_inner_row: true, ..plain.clone() });
        check(b"\x4c\x24\x01\x4c\x24\x00", plain.clone());
        for (value, depth) in [(3, 3), (99, 99), (100, 100), (101, 100)] {
            check(&[0x49, 0x66, value, 0, 0, 0], ParagraphFormat { depth, ..plain.clone() });
        }
        for (value, level) in [(0, 0), (7, 7), (8, 8), (9, 8)] {
            check(&[0x0a, 0x26, value], ParagraphFormat { level: Some(level), ..plain.clone() });
        }
        check(b"\x0b\x46\x05\x01", ParagraphFormat { list: Some(0x0105), ..plain.clone() });
        check(b"\x0b\x46\xff\xff", ParagraphFormat { list: Some(-1), ..plain.clone() });
        check(b"\x40\x26\x09", ParagraphFormat { outline: Some(9), ..plain.clone() });
        for code in [0x45, 0x46] {
            let more = ParagraphFormat { more_at: Some(0x0403_0201), ..plain.clone() };
            check(&[code, 0x66, 1, 2, 3, 4], more);
        }
        check(b"\x99\x24\x01", plain.clone());
    }

    #[test]
    fn paragraphs_are_in_as_many_tables_as_their_depth_says() {
        for (in_table, ends_row, depth, expected) in [
            (false, false, 0, 0),
            (true, false, 0, 1),
            (false, true, 0, 1),
            (true, true, 0, 1),
            (false, false, 1, 1),
            (true, true, 3, 3),
        ] {
            let format = ParagraphFormat { in_table, ends_row, depth, ..ParagraphFormat::default() };
            assert_eq!(format.tables(), expected, "{format:?}");
        }
    }

    /// The operand of a row: its edges, and for each cell the flags of its record.
    fn row(count: u8, edges: &[i16], flags: &[u16]) -> Vec<u8> {
        let mut operand = vec![count];
        operand.extend(edges.iter().flat_map(|edge| edge.to_le_bytes()));
        for flags in flags {
            operand.extend(flags.to_le_bytes());
            operand.extend([0xff; 18]);
        }
        operand
    }

    #[test]
    fn rows_have_the_right_edges_of_their_cells() {
        let cell = |right, joins_left| CellShape { right, joins_left, joins_above: false };
        let check = |operand: &[u8], expected: Option<&[CellShape]>| {
            assert_eq!(shape_of(operand).as_deref(), expected, "{operand:x?}");
        };
        let three = [cell(100, false), cell(0x0302, true), cell(-5, false)];
        check(&row(3, &[-20, 100, 0x0302, -5], &[0, 2, 0xfffd]), Some(&three));
        check(&row(2, &[0, 7, 9], &[3]), Some(&[cell(7, true), cell(9, false)]));
        check(&row(2, &[0, 7, 9], &[]), Some(&[cell(7, false), cell(9, false)]));
        let above = CellShape { right: 7, joins_left: false, joins_above: true };
        check(&row(2, &[0, 7, 9], &[0x20, 0x60]), Some(&[above, cell(9, false)]));
        check(&row(2, &[0, 7], &[]), None);
        check(&row(0, &[], &[]), Some(&[]));
        check(&[], None);
        for (count, expected) in [(199, 199), (200, 200), (201, 200)] {
            let shape = shape_of(&row(count, &[1; 256], &[])).map(|shape| shape.len());
            assert_eq!(shape, Some(expected));
        }
    }
}
