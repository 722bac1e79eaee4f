//! The face of a font: name, weight, slant. Most descriptors have no weight: then words of the name decide. Source:
//! ISO 32000-2, 9.8 (font descriptors).

use hayro_font::hayro_syntax::object::{Array, Dict, Name};
use pensieve_text::layout::FontFace;

const FIXED_PITCH: u32 = 1;
const ITALIC: u32 = 1 << 6;
const FORCE_BOLD: u32 = 1 << 18;

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

/// The face of a font dictionary.
pub(super) fn read(dict: &Dict<'_>) -> FontFace {
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
    let stated = descriptor.get::<f32>("FontWeight").filter(|weight| (100.0..=900.0).contains(weight));
    let named = WEIGHTS.iter().find(|(word, _)| lower.contains(word)).map(|(_, weight)| *weight);
    let forced = (flags & FORCE_BOLD != 0).then_some(700);
    let is_leaning = descriptor.get::<f32>("ItalicAngle").is_some_and(|angle| angle != 0.0);
    FontFace {
        weight: named.or(forced).or(stated.map(|weight| weight as u16)).unwrap_or(400),
        is_italic: flags & ITALIC != 0
            || is_leaning
            || ["italic", "oblique", "slanted"].iter().any(|word| lower.contains(word)),
        is_monospace: flags & FIXED_PITCH != 0 || ["courier", "mono"].iter().any(|word| lower.contains(word)),
        name,
    }
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
    use super::*;
    use hayro_font::hayro_syntax::object::FromBytes;

    fn check(dict: &[u8], name: &str, weight: u16, is_italic: bool) {
        let face = read(&Dict::from_bytes(dict).expect("a dictionary"));
        assert_eq!((face.name.as_str(), face.weight, face.is_italic), (name, weight, is_italic));
    }

    #[test]
    fn names_and_flags_give_weight_and_slant() {
        check(b"<< /BaseFont /ABCDEF+Lato-SemiBoldItalic >>", "Lato-SemiBoldItalic", 600, true);
        check(b"<< /BaseFont /CMR10 /FontDescriptor << /Flags 64 >> >>", "CMR10", 400, true);
        check(b"<< /BaseFont /A+B /FontDescriptor << /FontWeight 700 >> >>", "A+B", 700, false);
        check(b"<< >>", "", 400, false);
    }
}
