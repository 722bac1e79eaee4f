//! Characters of the bitmap fonts of TeX, which pdfTeX and older versions of dvips embed as Type 3 fonts whose glyphs are
//! named by their codes alone (`/a12`, or `AC`: 360 + 12 to the base of 36). The encoding of such a font is known by the
//! codes that a document uses: only fonts of text have commas and hyphens at the codes of ASCII; of these, those in
//! encoding OT1 have ligatures from 11 to 15, those in T1 and T2A have them from 27 on and letters above 127, and T2A has
//! more Cyrillic letters there than Latin ones below. Signs and Greek letters of formulas are known by code and width.
//! Sources: fontmath.ltx, ot1enc.def, t1enc.def and t2aenc.def of LaTeX; the metrics of cmmi10 and cmsy10.

use super::glyph::GlyphText;
use rustc_hash::FxHashMap;

/// Minimum small Latin letters that a font of text has.
const MIN_LETTERS: usize = 6;

/// Minimum letters above 191 that a Cyrillic font has; symbols of text have up to two.
const MIN_CYRILLIC_LETTERS: usize = 4;

/// By how much the width of a sign may differ from that of the metrics, as a share.
const WIDTH_TOLERANCE: f64 = 0.04;

/// The encoding of a bitmap font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TexEncoding {
    /// OT1, of Computer Modern.
    Original,
    /// T1, also named Cork, of the languages of Europe in Latin letters.
    Cork,
    /// T2A, of Cyrillic letters.
    Cyrillic,
    /// One of formulas.
    Formula,
}

/// OT1, codes 0 to 31.
const ORIGINAL: [&str; 32] = [
    "Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Υ", "Φ", "Ψ", "Ω", "ff", "fi", "fl", "ffi", "ffl", "ı", "ȷ", "`",
    "´", "ˇ", "˘", "¯", "˚", "¸", "ß", "æ", "œ", "ø", "Æ", "Œ", "Ø",
];

/// T1, codes 0 to 31; those of T2A are the same where texts use them.
const CORK_LOW: [&str; 32] = [
    "`", "´", "ˆ", "˜", "¨", "˝", "˚", "ˇ", "˘", "¯", "˙", "¸", "˛", "‚", "‹", "›", "“", "”", "„", "«", "»",
    "–", "—", "", "", "ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl",
];

/// T1, codes 128 to 255.
const CORK_HIGH: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞẞàáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß";

/// T2A, codes 128 to 255.
const CYRILLIC_HIGH: &str = "ҐҒЂЋҺҖҘЉЇҚҠҜӔҢҤЅӨҪЎҮҰҲЏҸҶЄӘЊЁ№¤§ґғђћһҗҙљїқҡҝӕңҥѕөҫўүұҳџҹҷєәњё„«»\
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя";

/// Signs of formulas: their codes, and their widths in thousandths of the font size. Those that are as wide as the letter
/// or mark of a text with the same code are left out.
const SIGNS: &[(u8, char, f64)] = &[
    (0, '−', 777.8),
    (1, '·', 277.8),
    (2, '×', 777.8),
    (3, '∗', 500.0),
    (6, '±', 777.8),
    (14, '◦', 500.0),
    (15, '•', 500.0),
    (17, '≡', 777.8),
    (18, '⊆', 777.8),
    (20, '≤', 777.8),
    (21, '≥', 777.8),
    (24, '∼', 777.8),
    (25, '≈', 777.8),
    (26, '⊂', 777.8),
    (27, '⊃', 777.8),
    (28, '≪', 1000.0),
    (29, '≫', 1000.0),
    (32, '←', 1000.0),
    (33, '→', 1000.0),
    (36, '↔', 1000.0),
    (41, '⇒', 1000.0),
    (44, '⇔', 1000.0),
    (49, '∞', 1000.0),
    (50, '∈', 666.7),
    (91, '∪', 666.7),
    (92, '∩', 666.7),
    (94, '∧', 666.7),
    (95, '∨', 666.7),
    (112, '√', 833.3),
    (11, 'α', 639.7),
    (12, 'β', 565.6),
    (13, 'γ', 517.7),
    (14, 'δ', 444.4),
    (15, 'ϵ', 405.9),
    (16, 'ζ', 437.5),
    (17, 'η', 496.5),
    (18, 'θ', 469.4),
    (19, 'ι', 353.9),
    (20, 'κ', 576.2),
    (21, 'λ', 583.3),
    (22, 'µ', 602.5),
    (23, 'ν', 494.0),
    (24, 'ξ', 437.5),
    (25, 'π', 570.0),
    (26, 'ρ', 517.0),
    (27, 'σ', 571.4),
    (28, 'τ', 437.2),
    (29, 'υ', 540.3),
    (30, 'ϕ', 595.8),
    (31, 'χ', 625.7),
    (32, 'ψ', 651.4),
    (33, 'ω', 622.5),
    (34, 'ε', 466.3),
    (35, 'ϑ', 591.4),
    (39, 'φ', 654.2),
];

impl TexEncoding {
    /// The encoding of a font whose glyphs are all named by their codes, from these names and the widths of glyphs in
    /// thousandths of the font size; `None` for other fonts, and where it makes no difference.
    pub(super) fn find(names: &FxHashMap<u8, String>, width: impl Fn(u8) -> f64) -> Option<TexEncoding> {
        let named: Vec<u8> =
            names.iter().filter(|(_, name)| *name != ".notdef").map(|(code, _)| *code).collect();
        let is_code = |code: &u8| is_code_name(&names[code], *code);
        if named.is_empty() || !named.iter().all(is_code) {
            return None;
        }
        let count = |from: u8, to: u8| named.iter().filter(|code| (from..=to).contains(code)).count();
        let has = |code: u8| count(code, code) > 0;
        let (small, high) = (count(b'a', b'z'), count(128, 255));
        if count(192, 255) >= MIN_CYRILLIC_LETTERS && high > small + count(b'A', b'Z') {
            return Some(TexEncoding::Cyrillic);
        }
        if high > 0 && small > 0 {
            return Some(TexEncoding::Cork);
        }
        // The ligature `fi` is as wide as `n`; the Greek letter with its code is narrower.
        let is_as_wide = |code: u8| {
            let share = width(code) / width(b'n');
            has(code) && has(b'n') && (share - 1.0).abs() <= WIDTH_TOLERANCE
        };
        let is_text =
            has(b',') || has(b'-') || has(b'.') || is_as_wide(12) || is_as_wide(13) || is_as_wide(28);
        if !is_text || small < MIN_LETTERS {
            return Some(TexEncoding::Formula);
        }
        let has_ligatures = |from, to, encoding| (count(from, to) > 0).then_some(encoding);
        has_ligatures(11, 15, TexEncoding::Original)
            .or_else(|| has_ligatures(21, 22, TexEncoding::Cork))
            .or_else(|| has_ligatures(27, 31, TexEncoding::Cork))
    }

    /// The characters of a code, given the width of its glyph; `None` where the code is that of the character in ASCII.
    pub(super) fn text(self, code: u8, width: f64) -> Option<GlyphText> {
        let low = |table: &[&str; 32]| table.get(usize::from(code)).map(|text| GlyphText::new(text));
        let quote = |code: u8| match code {
            b'`' => Some('‘'),
            b'\'' => Some('’'),
            _ => None,
        };
        match self {
            TexEncoding::Original => low(&ORIGINAL).or_else(|| {
                let sign = match code {
                    b'"' => Some('”'),
                    b'\\' => Some('“'),
                    b'<' => Some('¡'),
                    b'>' => Some('¿'),
                    b'{' => Some('–'),
                    b'|' => Some('—'),
                    b'^' => Some('ˆ'),
                    b'_' => Some('˙'),
                    b'}' => Some('˝'),
                    b'~' => Some('˜'),
                    127 => Some('¨'),
                    _ => quote(code),
                };
                sign.map(GlyphText::Char)
            }),
            TexEncoding::Cork | TexEncoding::Cyrillic => {
                let table = if self == TexEncoding::Cork { CORK_HIGH } else { CYRILLIC_HIGH };
                let high = || table.chars().nth(usize::from(code).checked_sub(128)?);
                low(&CORK_LOW).or_else(|| high().or_else(|| quote(code)).map(GlyphText::Char))
            }
            TexEncoding::Formula => {
                let is_wide = |wanted: f64| (width / wanted - 1.0).abs() <= WIDTH_TOLERANCE;
                let sign = SIGNS.iter().find(|(sign, _, wanted)| *sign == code && is_wide(*wanted));
                sign.map(|(_, sign, _)| GlyphText::Char(*sign))
            }
        }
    }
}

/// True for a name that is the code of its glyph: `a12` as pdfTeX writes it, `AC` as dvips did.
fn is_code_name(name: &str, code: u8) -> bool {
    let decimal = name.strip_prefix('a').and_then(|digits| digits.parse::<u8>().ok());
    let is_dvips = name.len() == 2 && u32::from_str_radix(name, 36) == Ok(360 + u32::from(code));
    decimal == Some(code) || is_dvips && name.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A font with glyphs of these codes, of which `fi` (12) and `n` have these widths.
    fn find(codes: &[u8], widths: (f64, f64)) -> Option<TexEncoding> {
        let names = codes.iter().map(|code| (*code, format!("a{code}"))).collect();
        TexEncoding::find(&names, |code| match code {
            12 => widths.0,
            b'n' => widths.1,
            _ => 0.0,
        })
    }

    #[test]
    fn codes_show_the_encoding() {
        let check = |other: &[u8], expected| {
            let codes = [b"aeinot", other].concat();
            assert_eq!(find(&codes, (565.6, 600.2)), expected, "{other:?}");
        };
        check(&[12, b'.'], Some(TexEncoding::Original));
        check(&[15, b'-'], Some(TexEncoding::Original));
        check(&[28, b','], Some(TexEncoding::Cork));
        check(&[21, b','], Some(TexEncoding::Cork));
        check(b".", None);
        check(&[12], Some(TexEncoding::Formula));
        check(&[228], Some(TexEncoding::Cork));
        check(&[192, 193, 194, 195, 196, 197, 198], Some(TexEncoding::Cyrillic));
        check(&[192, 193, 194, 195, 196, 197], Some(TexEncoding::Cork));
        assert_eq!(find(&[12, b'.', b'n'], (0.0, 0.0)), Some(TexEncoding::Formula));
        assert_eq!(find(&[192, 193, 194, 195], (0.0, 0.0)), Some(TexEncoding::Cyrillic));
        assert_eq!(find(&[192, 193, 194], (0.0, 0.0)), Some(TexEncoding::Formula));
    }

    #[test]
    fn a_ligature_is_as_wide_as_n() {
        let codes = [b"aeinot".as_slice(), &[12]].concat();
        assert_eq!(find(&codes, (555.6, 555.6)), Some(TexEncoding::Original));
        assert_eq!(find(&codes, (577.7, 555.6)), Some(TexEncoding::Original));
        assert_eq!(find(&codes, (578.0, 555.6)), Some(TexEncoding::Formula));
    }

    #[test]
    fn names_are_codes_in_two_ways() {
        let check = |name: &str, code, expected| assert_eq!(is_code_name(name, code), expected, "{name}");
        check("a12", 12, true);
        check("a12", 13, false);
        check("A0", 0, true);
        check("AC", 12, true);
        check("H3", 255, true);
        check("ac", 12, false);
        check("fi", 12, false);
        let names = [(12, "AC".to_owned()), (13, "fl".to_owned())].into_iter().collect();
        assert_eq!(TexEncoding::find(&names, |_| 0.0), None);
        let names = [(12, ".notdef".to_owned())].into_iter().collect();
        assert_eq!(TexEncoding::find(&names, |_| 0.0), None);
    }

    #[test]
    fn codes_have_the_characters_of_their_encoding() {
        let check = |encoding: TexEncoding, codes: &[u8], expected: &str| {
            let text = |code: &u8| match encoding.text(*code, 555.6) {
                Some(GlyphText::Char(c)) => c.to_string(),
                Some(GlyphText::Text(text)) => text.to_string(),
                Some(GlyphText::Unmapped) => String::new(),
                None => char::from(*code).to_string(),
            };
            assert_eq!(codes.iter().map(text).collect::<String>(), expected);
        };
        check(
            TexEncoding::Original,
            b"\\ a\x0bb\x0fc\x19`d'{e|f\"<g>\x13^_}~\x7f",
            "“ affbfflcß‘d’–e—f”¡g¿´ˆ˙˝˜¨",
        );
        check(TexEncoding::Cork, b"\x10a\x11\x1b\x1f\x15`b'\x80\xaf\xc0\xff{", "“a”ffffl–‘b’ĂŕÀß{");
        check(TexEncoding::Cyrillic, b"\xbe\xcf\xf0\xff\xbf\x9c\x9d\x16", "«Пря»Ё№—");
        assert_eq!((CORK_HIGH.chars().count(), CYRILLIC_HIGH.chars().count()), (128, 128));
    }

    #[test]
    fn widths_tell_signs_from_letters() {
        let check = |code: u8, width: f64, expected: Option<char>| {
            assert_eq!(
                TexEncoding::Formula.text(code, width),
                expected.map(GlyphText::Char),
                "{code} {width}"
            );
        };
        check(21, 777.8, Some('≥'));
        check(21, 583.3, Some('λ'));
        check(21, 606.6, Some('λ'));
        check(21, 607.0, None);
        check(15, 500.0, Some('•'));
        check(15, 405.9, Some('ϵ'));
        check(b'x', 500.0, None);
    }
}
