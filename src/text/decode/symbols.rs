//! What characters cost that are no letters of a language: punctuation, signs, letters of others, nothing at all.

/// Where a sign stands in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Opens: not behind a letter.
    Opens,
    /// Closes: not before a letter.
    Closes,
    /// Parts words: not between two letters.
    Parts,
    /// Anywhere.
    Free,
}

/// Signs by cost, with where they stand; what is not here is rare.
#[rustfmt::skip]
const SIGNS: &[(f32, Side, &str)] = &[
    (3.5, Side::Free, "\u{a0}’"),
    (4.5, Side::Parts, "«»—–"),
    (4.5, Side::Opens, "“„‘"),
    (4.5, Side::Closes, "”…"),
    (5.5, Side::Opens, "¿¡№"),
    (5.5, Side::Free, "·ー"),
    (5.5, Side::Parts, "•"),
    (6.0, Side::Closes, "°€"),
    (6.5, Side::Parts, "§©®£"),
    (7.0, Side::Closes, "™ºª²"),
    (7.5, Side::Free, "\u{ad}×µ³½¼"),
    (7.5, Side::Parts, "±†‹›‚‰·،؛؟฿"),
    (8.5, Side::Free, "´"),
    (9.0, Side::Parts, "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬░▒▓█▄▀■¬¶¢¥¾÷≤≥∞≈√∙↑↓→←▲▼►◄"),
];

/// The cost that a character is this one, given that it is no letter of the language; letters of other languages
/// cost more, the more so where the script is another.
pub(super) fn extra(c: char, is_latin: bool) -> f32 {
    if let Some((cost, ..)) = SIGNS.iter().find(|(.., signs)| signs.contains(c)) {
        return *cost;
    }
    match c {
        '\u{fffd}' => 18.0,
        '\u{80}'..='\u{9f}' => 14.0,
        '\u{e000}'..='\u{f8ff}' => 13.0,
        'é' | 'è' | 'á' | 'à' | 'ó' | 'í' | 'ö' | 'ü' | 'ä' | 'ñ' | 'ç' | 'É' | 'Ö' | 'Ü' if is_latin => {
            8.0
        }
        'À'..='ÿ' if is_latin => 9.5,
        'š' | 'Š' | 'ž' | 'Ž' | 'č' | 'Č' | 'œ' if is_latin => 10.0,
        '\u{100}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if is_latin => 11.0,
        'À'..='\u{24f}' => 12.5,
        c if c.is_alphabetic() && !is_latin => 10.5,
        c if c.is_alphabetic() => 13.0,
        _ => 10.5,
    }
}

/// Where a character stands in a word, if it is a sign.
pub(super) fn side(c: char) -> Side {
    SIGNS.iter().find(|(.., signs)| signs.contains(c)).map_or(Side::Free, |sign| sign.1)
}
