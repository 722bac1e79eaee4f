//! What characters cost that are no letters of a language: punctuation, signs, letters of others, nothing at all.

/// Where a sign stands in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Opens: not behind a letter, nor before a blank.
    Opens,
    /// Closes: not before a letter, nor behind a blank.
    Closes,
    /// Ends a word: like the former, but may stand between two letters, as an apostrophe does.
    Ends,
    /// Stands apart: not beside a letter.
    Apart,
    /// Part of a drawing: never beside a letter.
    Drawn,
    /// Between words, with or without blanks.
    Between,
    /// A blank itself.
    Blank,
    /// Anywhere.
    Free,
}

/// Signs by cost, with where they stand; what is not here is rare.
#[rustfmt::skip]
const SIGNS: &[(f32, Side, &str)] = &[
    (3.5, Side::Ends, "’"),
    (4.5, Side::Between, "«»—–"),
    (4.5, Side::Opens, "“„‘"),
    (4.5, Side::Closes, "”"),
    (5.0, Side::Blank, "\u{a0}"),
    (5.5, Side::Closes, "…"),
    (5.5, Side::Opens, "¿¡№"),
    (5.5, Side::Free, "·ー"),
    (5.5, Side::Apart, "•"),
    (6.0, Side::Closes, "°€"),
    (6.5, Side::Apart, "§©®£"),
    (7.0, Side::Closes, "™ºª²"),
    (7.5, Side::Closes, "³½¼"),
    (7.5, Side::Free, "\u{ad}×µ"),
    (7.5, Side::Apart, "±†‹›‰،؛؟฿"),
    (8.5, Side::Opens, "‚´"),
    (9.0, Side::Apart, "¬¶¢¥¾÷≤≥∞≈√∙↑↓→←▲▼►◄"),
    (9.0, Side::Drawn, "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╒╓╕╖╘╙╛╜╞╟╡╢╤╥╧╨╪╫░▒▓█▄▀▌▐■"),
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

fn side(c: char) -> Side {
    SIGNS.iter().find(|(.., signs)| signs.contains(c)).map_or(Side::Free, |sign| sign.1)
}

/// What it costs that a sign has this neighbour.
pub(super) fn beside(before: char, after: char) -> f32 {
    let behind = match side(after) {
        Side::Opens if before.is_alphabetic() => 4.0,
        Side::Closes | Side::Ends if before == ' ' => 2.0,
        Side::Apart if before.is_alphabetic() => 2.5,
        Side::Drawn if before.is_alphabetic() => 6.0,
        Side::Between if before.is_alphabetic() => 1.0,
        Side::Blank if before == ' ' => 2.0,
        _ => 0.0,
    };
    let ahead = match side(before) {
        Side::Opens if after == ' ' => 3.0,
        Side::Closes if after.is_alphabetic() => 4.0,
        Side::Apart if after.is_alphabetic() => 2.5,
        Side::Drawn if after.is_alphabetic() => 6.0,
        // Drawings repeat themselves, capitals of another page do not.
        Side::Drawn if before == after || "─═".contains([before, after]) => -6.0,
        Side::Between if after.is_alphabetic() => 1.0,
        Side::Blank if after == ' ' => 2.0,
        _ => 0.0,
    };
    behind + ahead
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_where_they_should() {
        assert!(beside('l', '’') < beside(' ', '’'));
        assert!(beside(' ', '“') < beside('l', '“'));
        assert!(beside('”', ' ') < beside('”', 'l'));
        assert!(extra('’', true) < extra('±', true));
        assert!(extra('é', true) < extra('ж', true));
        assert!(extra('ж', true) < extra('\u{fffd}', true));
    }

    #[test]
    fn each_sign_is_there_once() {
        let all: Vec<char> = SIGNS.iter().flat_map(|sign| sign.2.chars()).collect();
        let twice: Vec<char> =
            (0..all.len()).filter(|at| all[..*at].contains(&all[*at])).map(|at| all[at]).collect();
        assert_eq!(twice, []);
    }
}
