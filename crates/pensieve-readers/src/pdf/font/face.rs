//! The face of a font: name, weight, slant, stems. Weights come from words of the name, the descriptor, or the font
//! program, in this order. Source: ISO 32000-2, 9.8 (font descriptors).

use super::weight::{self, ProgramStyleCache};
use hayro_font::hayro_syntax::object::{Array, Dict, Name};
use pensieve_text::layout::FontFace;

const FIXED_PITCH: u32 = 1;
const ITALIC: u32 = 1 << 6;
/// Glyphs of one width, besides the first, that a font of fixed pitch at least has.
const MIN_WIDTHS: usize = 5;

const FORCE_BOLD: u32 = 1 << 18;

/// The face of a font dictionary.
pub(super) fn read(dict: &Dict<'_>, programs: &ProgramStyleCache) -> FontFace {
    let inner = dict.get::<Array<'_>>("DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor = inner.as_ref().unwrap_or(dict).get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
    let name = dict
        .get::<Name<'_>>("BaseFont")
        .or_else(|| descriptor.get::<Name<'_>>("FontName"))
        .or_else(|| dict.get::<Name<'_>>("Name"))
        .map(|name| String::from_utf8_lossy(&name).into_owned())
        .unwrap_or_default();
    let name = without_prefix(&name).to_owned();
    let flags = descriptor.get::<u32>("Flags").unwrap_or_default();
    let lower = name.to_ascii_lowercase();
    let is_leaning = descriptor.get::<f32>("ItalicAngle").is_some_and(|angle| angle != 0.0);
    let is_italic = flags & ITALIC != 0
        || is_leaning
        || ["italic", "oblique", "slanted"].iter().any(|word| lower.contains(word));
    let forced = (flags & FORCE_BOLD != 0).then_some(700);
    let known = weight::named(&name).or(forced);
    // A program is decoded only if nothing else states the weight.
    let program = if known.is_none() { programs.get(&descriptor) } else { Default::default() };
    let stated = descriptor.get::<f32>("FontWeight").filter(|weight| (100.0..=900.0).contains(weight));
    let stated = stated.map(|weight| weight as u16).max(program.weight);
    FontFace {
        weight: known.or(stated).unwrap_or(400),
        is_italic: is_italic || program.is_italic,
        is_monospace: flags & FIXED_PITCH != 0
            || ["courier", "mono", "cmutypewriter", "lmtypewriter"].iter().any(|word| lower.contains(word))
            || has_one_width(dict),
        stem: if program.stem > 0 { program.stem } else { stem(&descriptor) },
        name,
    }
}

/// True if all glyphs of a font that has several are equally wide.
fn has_one_width(dict: &Dict<'_>) -> bool {
    let widths = dict.get::<Array<'_>>("Widths");
    let mut widths = widths.iter().flat_map(|widths| widths.iter::<f32>()).filter(|width| *width > 0.0);
    let Some(first) = widths.next() else { return false };
    let others: Vec<f32> = widths.take(256).collect();
    others.len() >= MIN_WIDTHS && others.iter().all(|width| (width - first).abs() < 0.5)
}

/// The width of vertical stems in a descriptor. That of a TrueType font is no property of the font: programs that
/// write PDF files invent it.
fn stem(descriptor: &Dict<'_>) -> u16 {
    let stem = descriptor.get::<f32>("StemV").filter(|_| !descriptor.contains_key("FontFile2"));
    stem.filter(|stem| (10.0..400.0).contains(stem)).unwrap_or_default() as u16
}

/// Names of subsets start with six capitals and a plus sign.
fn without_prefix(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 && prefix.bytes().all(|b| b.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::decoder::StreamDecoder;
    use super::*;
    use hayro_font::hayro_syntax::object::FromBytes;
    use std::rc::Rc;

    fn check(dict: &[u8], name: &str, weight: u16, is_italic: bool) {
        let programs = ProgramStyleCache::new(Rc::new(StreamDecoder::new()));
        let face = read(&Dict::from_bytes(dict).expect("a dictionary"), &programs);
        assert_eq!((face.name.as_str(), face.weight, face.is_italic), (name, weight, is_italic));
    }

    #[test]
    fn names_and_flags_give_weight_and_slant() {
        check(b"<< /BaseFont /ABCDEF+Lato-SemiBoldItalic >>", "Lato-SemiBoldItalic", 600, true);
        check(b"<< /BaseFont /CMR10 /FontDescriptor << /Flags 64 >> >>", "CMR10", 400, true);
        check(b"<< /BaseFont /A+B /FontDescriptor << /FontWeight 700 >> >>", "A+B", 700, false);
        check(b"<< >>", "", 400, false);
    }

    #[test]
    fn equal_widths_are_those_of_a_fixed_pitch() {
        let check = |dict: &[u8], expected| {
            assert_eq!(has_one_width(&Dict::from_bytes(dict).expect("a dictionary")), expected);
        };
        check(b"<< /Widths [525 525 525 0 525 525 525] >>", true);
        check(b"<< /Widths [525 525 525 525 525 777] >>", false);
        check(b"<< /Widths [525 525] >>", false);
        check(b"<< >>", false);
    }

    #[test]
    fn stems_of_descriptors_count_unless_the_program_is_true_type() {
        let check = |dict: &[u8], expected| {
            assert_eq!(stem(&Dict::from_bytes(dict).expect("a dictionary")), expected);
        };
        check(b"<< /StemV 140 >>", 140);
        check(b"<< /StemV 140 /FontFile2 7 0 R >>", 0);
        check(b"<< /StemV -1 >>", 0);
        check(b"<< >>", 0);
    }
}
