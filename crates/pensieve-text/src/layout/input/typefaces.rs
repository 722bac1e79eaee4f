//! Typefaces by the names of their fonts, which also name styles, sizes and the programs that made them.

use super::page::FontFace;

/// True for another typeface or style, as titles often have. Programs give one typeface several names, so that of a
/// font alone says nothing.
pub(crate) fn changes_face(one: &FontFace, other: &FontFace) -> bool {
    one.is_italic != other.is_italic
        || one.is_monospace != other.is_monospace
        || is_bold(one) != is_bold(other)
        || family(&one.name) != family(&other.name)
}

/// True for a bold typeface, from the weight that CSS and OpenType call semi-bold on.
pub(crate) fn is_bold(face: &FontFace) -> bool {
    face.weight >= 600
}

/// The name of a typeface without its styles.
pub(crate) fn family(name: &str) -> &str {
    // `Times-Bold`, and `Arial,Bold` as Windows writes it.
    let end = name.find(['-', ',']).unwrap_or(name.len());
    let name = &name[..end];
    // PostScript names of fonts that Monotype made.
    let name = name.strip_suffix("MT").filter(|name| name.len() > 1).unwrap_or(name);
    let name = name.strip_suffix("PS").filter(|name| name.len() > 1).unwrap_or(name);
    // Names that a program counted, such as `F12` or `CIDFont+F3`, name no typeface.
    let counted = name.strip_prefix("CIDFont+").unwrap_or(name);
    if counted.trim_start_matches(|c: char| c.is_ascii_alphabetic()).bytes().all(|b| b.is_ascii_digit())
        // `F12`, `TT3`; longer ones are names that end in a size.
        && counted.bytes().take_while(u8::is_ascii_alphabetic).count() <= 2
        && counted.ends_with(|c: char| c.is_ascii_digit())
    {
        return "";
    }
    // Computer Modern names each style by letters after `CM`, and each size by digits; `CSC` are small capitals, which
    // are letters of another form, `SS` has no serifs, and all letters of `TT` are equally wide.
    if name.contains("CSC") {
        return name;
    }
    let modern = ["CM", "SF", "LM"].into_iter().find(|prefix| name.starts_with(prefix));
    // `CMR10`; a name such as `SFPro` has no size.
    let Some(modern) = modern.filter(|_| name.ends_with(|c: char| c.is_ascii_digit())) else { return name };
    let branch = ["SS", "TT", "Sans", "Mono"].into_iter().find(|branch| name[2..].starts_with(branch));
    &name[..modern.len() + branch.map_or(0, str::len)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_family_of_a_font_has_no_styles() {
        for (name, expected) in [
            ("Serif-Bold", "Serif"),
            ("Serif,Italic", "Serif"),
            ("Serif", "Serif"),
            ("CMR10", "CM"),
            ("SFRM1000", "SF"),
            ("LMRoman10-Regular", "LM"),
            ("CMCSC10", "CMCSC10"),
            ("CMap", "CMap"),
            ("Font10", "Font10"),
            ("TimesNewRomanPSMT", "TimesNewRoman"),
            ("TimesNewRomanPS-BoldMT", "TimesNewRoman"),
            ("ArialMT", "Arial"),
            ("CIDFont+F3", ""),
            ("F12", ""),
            ("Times", "Times"),
        ] {
            assert_eq!(family(name), expected);
        }
    }

    #[test]
    fn a_face_changes_with_its_family_slant_or_weight() {
        let face = |name: &str, weight: u16, is_italic: bool| FontFace {
            name: name.to_owned(),
            weight,
            is_italic,
            ..FontFace::default()
        };
        let check = |name: &str, weight: u16, is_italic: bool, expected: bool| {
            let found = changes_face(&face("Times-Roman", 400, false), &face(name, weight, is_italic));
            assert_eq!(found, expected, "{name} {weight} {is_italic}");
        };
        check("Times-Roman", 400, false, false);
        check("Times-Roman-Identity-H", 400, false, false);
        check("Times-Italic", 400, true, true);
        check("Times-Bold", 700, false, true);
        check("Helvetica", 400, false, true);
        assert!(!changes_face(&face("F1", 400, false), &face("F2", 400, false)));
    }
}
