//! The weight and slant that a font program states of itself: `OS/2` and `head` of TrueType and OpenType, the top
//! dictionary of CFF, the clear text of Type 1. Names are often abbreviated or opaque, and descriptors omit the weight.
//! Sources: OpenType 1.9 (`OS/2`, `head`), Adobe Technical Note 5176 (CFF), Adobe Type 1 Font Format.

use super::super::decoder::StreamDecoder;
use hayro_font::hayro_syntax::object::{Dict, Stream};
use rustc_hash::FxHashMap;
use skrifa::attribute::Style;
use skrifa::{FontRef, MetadataProvider};
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes at the start of a Type 1 program among which its weight is.
const TYPE1_HEADER_BYTES: usize = 8192;

/// The operators of a CFF dictionary that are read.
const CFF_WEIGHT: u8 = 4;
const CFF_PRIVATE: u8 = 18;
const CFF_STANDARD_STEM: u8 = 11;

/// The number of the first string of a CFF program that is not predefined, and the predefined weights.
const CFF_OWN_STRINGS: usize = 391;
const CFF_WEIGHTS: &[(usize, &str)] = &[
    (383, "Black"),
    (384, "Bold"),
    (385, "Book"),
    (386, "Light"),
    (387, "Medium"),
    (388, "Regular"),
    (389, "Roman"),
    (390, "Semibold"),
];

/// Words of font names and their weights; the first word that is found counts.
const WEIGHTS: &[(&str, u16)] = &[
    ("extrabold", 800),
    ("ultrabold", 800),
    ("semibold", 600),
    ("demibold", 600),
    ("extralight", 200),
    ("ultralight", 200),
    ("bold", 700),
    ("black", 900),
    ("heavy", 900),
    ("demi", 600),
    ("thin", 100),
    ("light", 300),
    ("medium", 500),
];

/// What a font program states of its style.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ProgramStyle {
    /// Its weight, 100 to 900.
    pub(super) weight: Option<u16>,
    /// True if it is italic or oblique.
    pub(super) is_italic: bool,
    /// The width of its main vertical stems in thousandths; 0 if it does not say.
    pub(super) stem: u16,
}

/// The styles of the font programs of a document. Each program is read once, since thousands of fonts can share it.
pub(super) struct ProgramStyleCache {
    decoder: Rc<StreamDecoder>,
    known: RefCell<FxHashMap<(usize, usize), ProgramStyle>>,
}

impl ProgramStyleCache {
    /// An empty cache.
    pub(super) fn new(decoder: Rc<StreamDecoder>) -> ProgramStyleCache {
        ProgramStyleCache { decoder, known: RefCell::default() }
    }

    /// The style of the program that a font descriptor embeds.
    pub(super) fn get(&self, descriptor: &Dict<'_>) -> ProgramStyle {
        let type1: Option<Stream<'_>> = descriptor.get("FontFile");
        let is_type1 = type1.is_some();
        let stream = type1.or_else(|| ["FontFile2", "FontFile3"].iter().find_map(|key| descriptor.get(key)));
        let Some(stream) = stream else { return ProgramStyle::default() };
        // The data of a dictionary stays at its address as long as the document exists.
        let data = stream.dict().data();
        let key = (data.as_ptr() as usize, data.len());
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let program = match is_type1 {
            true => self.decoder.decode_start(&stream, TYPE1_HEADER_BYTES),
            false => self.decoder.decode(&stream).unwrap_or_default(),
        };
        let style = style_of(&program);
        self.known.borrow_mut().insert(key, style);
        style
    }
}

/// The weight that a font name or the name of a weight states.
pub(super) fn named(name: &str) -> Option<u16> {
    let lower = name.to_ascii_lowercase();
    WEIGHTS.iter().find(|(word, _)| lower.contains(word)).map(|(_, weight)| *weight)
}

fn style_of(program: &[u8]) -> ProgramStyle {
    if let Ok(font) = FontRef::new(program) {
        let attributes = font.attributes();
        let weight = attributes.weight.value();
        return ProgramStyle {
            weight: (100.0..=1000.0).contains(&weight).then_some(weight as u16),
            is_italic: attributes.style != Style::Normal,
            stem: 0,
        };
    }
    match program {
        [b'%', ..] | [0x80, 1, ..] => style_of_type1(program),
        [1, ..] => style_of_cff(program).unwrap_or_default(),
        _ => ProgramStyle::default(),
    }
}

/// `/Weight (Bold)` in the clear text before the encrypted part.
fn style_of_type1(program: &[u8]) -> ProgramStyle {
    const KEY: &[u8] = b"/Weight";
    let header = &program[..program.len().min(TYPE1_HEADER_BYTES)];
    let value = memchr::memmem::find(header, KEY).and_then(|at| {
        let rest = header[at + KEY.len()..].trim_ascii_start().strip_prefix(b"(")?;
        let end = memchr::memchr(b')', rest)?;
        Some(String::from_utf8_lossy(&rest[..end]))
    });
    ProgramStyle { weight: value.and_then(|value| of_family(&value)), ..ProgramStyle::default() }
}

/// The weight of a cut. `Medium` is the regular weight of families that have no `Regular`.
fn of_family(name: &str) -> Option<u16> {
    named(name).filter(|weight| *weight != 500)
}

fn style_of_cff(program: &[u8]) -> Option<ProgramStyle> {
    let header = usize::from(*program.get(2)?);
    let (_, after_names) = cff_index(program, header)?;
    let (tops, after_tops) = cff_index(program, after_names)?;
    let (strings, _) = cff_index(program, after_tops)?;
    let top = cff_dict(tops.first()?);
    let weight = top.get(&CFF_WEIGHT).and_then(|values| values.first()).and_then(|number| {
        let number = *number as usize;
        match number.checked_sub(CFF_OWN_STRINGS) {
            Some(own) => strings.get(own).and_then(|name| of_family(&String::from_utf8_lossy(name))),
            None => CFF_WEIGHTS.iter().find(|(at, _)| *at == number).and_then(|(_, name)| of_family(name)),
        }
    });
    let private = top.get(&CFF_PRIVATE).and_then(|values| match values.as_slice() {
        [size, at] => program.get(*at as usize..)?.get(..*size as usize).map(cff_dict),
        _ => None,
    });
    let stem = private.and_then(|private| private.get(&CFF_STANDARD_STEM)?.first().copied());
    let stem = stem.filter(|stem| (10.0..400.0).contains(stem)).unwrap_or_default() as u16;
    Some(ProgramStyle { weight, is_italic: false, stem })
}

/// The entries of the index at `start`, and where it ends.
fn cff_index(program: &[u8], start: usize) -> Option<(Vec<&[u8]>, usize)> {
    let head = program.get(start..)?;
    let count = usize::from(u16::from_be_bytes([*head.first()?, *head.get(1)?]));
    if count == 0 {
        return Some((Vec::new(), start + 2));
    }
    let width = usize::from(*head.get(2)?);
    let offset = |at: usize| {
        let bytes = head.get(3 + at * width..3 + (at + 1) * width)?;
        Some(bytes.iter().fold(0usize, |value, byte| value << 8 | usize::from(*byte)))
    };
    let data = start + 2 + (count + 1) * width;
    let entry = |at: usize| program.get(data + offset(at)?..data + offset(at + 1)?);
    let entries = (0..count).map(entry).collect::<Option<Vec<&[u8]>>>()?;
    Some((entries, data + offset(count)?))
}

/// The operands of each operator of one byte.
fn cff_dict(data: &[u8]) -> FxHashMap<u8, Vec<f64>> {
    let mut found = FxHashMap::default();
    let mut operands: Vec<f64> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = data.get(at) {
        let next = |offset: usize| i32::from(data.get(at + offset).copied().unwrap_or_default());
        let head = i32::from(byte);
        let (value, length) = match byte {
            12 => {
                operands.clear();
                at += 2;
                continue;
            }
            0..=21 => {
                found.insert(byte, std::mem::take(&mut operands));
                at += 1;
                continue;
            }
            28 => (f64::from((next(1) << 8 | next(2)) as i16), 3),
            29 => (f64::from(next(1) << 24 | next(2) << 16 | next(3) << 8 | next(4)), 5),
            30 => {
                let (value, length) = cff_real(&data[at + 1..]);
                (value, length + 1)
            }
            32..=246 => (f64::from(head - 139), 1),
            247..=250 => (f64::from((head - 247) * 256 + next(1) + 108), 2),
            251..=254 => (f64::from(-(head - 251) * 256 - next(1) - 108), 2),
            _ => (0.0, 1),
        };
        operands.push(value);
        at += length;
    }
    found
}

/// A number in decimal digits, two to a byte, and how many bytes it takes.
fn cff_real(data: &[u8]) -> (f64, usize) {
    let mut text = String::new();
    for (at, byte) in data.iter().enumerate() {
        for digit in [byte >> 4, byte & 15] {
            match digit {
                0..=9 => text.push(char::from(b'0' + digit)),
                10 => text.push('.'),
                11 => text.push('E'),
                12 => text.push_str("E-"),
                14 => text.push('-'),
                _ => return (text.parse().unwrap_or_default(), at + 1),
            }
        }
    }
    (0.0, data.len().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type1_programs_state_their_weight_in_clear_text() {
        let check = |text: &str, weight| assert_eq!(style_of(text.as_bytes()).weight, weight, "{text}");
        check("%!PS-AdobeFont-1.0: SFBX1000\n/Weight (Bold) readonly def\neexec", Some(700));
        check("%!PS-AdobeFont-1.0: F1\n/Weight(Medium)def", None);
        check("%!PS-AdobeFont-1.0: F1\n/Weight (", None);
        check("%!", None);
    }

    #[test]
    fn cff_programs_state_weight_and_stem() {
        // Header, names, one top dictionary, no strings, no subroutines, a private dictionary.
        let mut program = vec![1, 0, 4, 1, 0, 1, 1, 1, 2, b'F'];
        // Weight 384 (Bold); private dictionary of 2 bytes at 29.
        program.extend([0, 1, 1, 1, 8, 28, 1, 128, 4, 141, 168, 18]);
        program.extend([0, 0, 0, 0, 0, 0, 0]);
        program.extend([247, 32, 11]);
        let style = style_of(&program);
        assert_eq!((style.weight, style.stem), (Some(700), 0), "the private dictionary is cut");
        program[19] = 142;
        assert_eq!(style_of(&program), ProgramStyle { weight: Some(700), is_italic: false, stem: 140 });
        // No part of it ends badly.
        (0..program.len()).for_each(|end| assert_eq!(style_of(&program[..end]).stem, 0, "{end}"));
    }

    #[test]
    fn numbers_of_cff_dictionaries() {
        let check = |data: &[u8], expected: &[f64]| assert_eq!(cff_dict(data)[&11], expected, "{data:?}");
        check(&[139, 239, 39, 11], &[0.0, 100.0, -100.0]);
        check(&[28, 0x27, 0x10, 29, 0, 1, 0x86, 0xa0, 11], &[10000.0, 100_000.0]);
        check(&[30, 0xe2, 0xa2, 0x5f, 11], &[-2.25]);
    }
}
