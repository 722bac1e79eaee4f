//! The costs of characters that are not letters of a language: punctuation, signs, letters of other languages, U+FFFD.

/// The position of a sign in relation to words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignPosition {
    /// Opens: not after a letter, nor before a blank.
    Opens,
    /// Closes: not before a letter, nor after a blank.
    Closes,
    /// Ends a word: like `Closes`, but also between two letters, such as an apostrophe.
    Ends,
    /// Separate: not next to a letter.
    Apart,
    /// Part of a drawing: never next to a letter.
    Drawn,
    /// Between words, with or without blanks.
    Between,
    /// A blank.
    Blank,
    /// Anywhere.
    Free,
}

/// Signs with their costs and positions; others are rare.
#[rustfmt::skip]
const SIGNS: &[(f32, SignPosition, &str)] = &[
    // The apostrophe of English, French and Italian is the most frequent one; the rarer a sign, the dearer.
    (3.5, SignPosition::Ends, "’"),
    (4.5, SignPosition::Between, "«»—–"),
    (4.5, SignPosition::Opens, "“„‘"),
    (4.5, SignPosition::Closes, "”"),
    (5.0, SignPosition::Blank, "\u{a0}"),
    (5.5, SignPosition::Closes, "…"),
    (5.5, SignPosition::Opens, "¿¡№"),
    (5.5, SignPosition::Free, "·ー"),
    (5.5, SignPosition::Apart, "•"),
    (6.0, SignPosition::Closes, "°€"),
    (6.5, SignPosition::Apart, "§©®£"),
    (7.0, SignPosition::Closes, "™ºª²"),
    (7.5, SignPosition::Closes, "³½¼"),
    (7.5, SignPosition::Free, "\u{ad}×µ"),
    (7.5, SignPosition::Apart, "±†‹›‰،؛؟฿"),
    (8.5, SignPosition::Opens, "‚´"),
    (9.0, SignPosition::Apart, "¬¶¢¥¾÷≤≥∞≈√∙↑↓→←▲▼►◄"),
    // Frames of DOS programs.
    (9.0, SignPosition::Drawn, "─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╒╓╕╖╘╙╛╜╞╟╡╢╤╥╧╨╪╫░▒▓█▄▀▌▐■"),
];

/// The cost of this character among those that are not letters of the language. Letters of other languages cost more,
/// and most in another script.
pub(super) fn extra(c: char, is_latin: bool) -> f32 {
    if let Some((cost, ..)) = SIGNS.iter().find(|(.., signs)| signs.contains(c)) {
        return *cost;
    }
    match c {
        '\u{fffd}' => 18.0,
        '\u{80}'..='\u{9f}' => 14.0,
        '\u{e000}'..='\u{f8ff}' => 13.0,
        // Letters that names and foreign words bring into any Latin text.
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

fn position(c: char) -> SignPosition {
    SIGNS.iter().find(|(.., signs)| signs.contains(c)).map_or(SignPosition::Free, |sign| sign.1)
}

/// The cost of a sign next to this neighbour.
pub(super) fn beside(before: char, after: char) -> f32 {
    let after_cost = match position(after) {
        SignPosition::Opens if before.is_alphabetic() => 4.0,
        SignPosition::Closes | SignPosition::Ends if before == ' ' => 2.0,
        SignPosition::Apart if before.is_alphabetic() => 2.5,
        SignPosition::Drawn if before.is_alphabetic() => 6.0,
        SignPosition::Between if before.is_alphabetic() => 1.0,
        SignPosition::Blank if before == ' ' => 2.0,
        _ => 0.0,
    };
    let before_cost = match position(before) {
        SignPosition::Opens if after == ' ' => 3.0,
        SignPosition::Closes if after.is_alphabetic() => 4.0,
        SignPosition::Apart if after.is_alphabetic() => 2.5,
        SignPosition::Drawn if after.is_alphabetic() => 6.0,
        // Drawing characters are often repeated; capitals of another code page are not.
        SignPosition::Drawn if before == after || "─═".contains([before, after]) => -6.0,
        SignPosition::Between if after.is_alphabetic() => 1.0,
        SignPosition::Blank if after == ' ' => 2.0,
        _ => 0.0,
    };
    after_cost + before_cost
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

    #[test]
    fn each_kind_of_character_has_its_cost() {
        let check = |c: char, latin: f32, other: f32| {
            assert_eq!([extra(c, true), extra(c, false)], [latin, other], "{c:?}");
        };
        check('’', 3.5, 3.5);
        check('\u{fffd}', 18.0, 18.0);
        check('\u{85}', 14.0, 14.0);
        check('\u{e001}', 13.0, 13.0);
        check('é', 8.0, 12.5);
        check('å', 9.5, 12.5);
        check('š', 10.0, 12.5);
        check('ă', 11.0, 12.5);
        check('ạ', 11.0, 10.5);
        check('ж', 13.0, 10.5);
        check('☃', 10.5, 10.5);
    }

    #[test]
    fn each_position_has_its_cost_beside_letters_and_blanks() {
        let check =
            |sign: char, after_letter: f32, after_blank: f32, before_letter: f32, before_blank: f32| {
                let found = [beside('l', sign), beside(' ', sign), beside(sign, 'l'), beside(sign, ' ')];
                assert_eq!(found, [after_letter, after_blank, before_letter, before_blank], "{sign:?}");
            };
        check('“', 4.0, 0.0, 0.0, 3.0);
        check('”', 0.0, 2.0, 4.0, 0.0);
        check('’', 0.0, 2.0, 0.0, 0.0);
        check('•', 2.5, 0.0, 2.5, 0.0);
        check('│', 6.0, 0.0, 6.0, 0.0);
        check('─', 6.0, 0.0, 6.0, -6.0);
        check('—', 1.0, 0.0, 1.0, 0.0);
        check('\u{a0}', 0.0, 2.0, 0.0, 2.0);
        check('·', 0.0, 0.0, 0.0, 0.0);
        let drawn = [('│', '│'), ('│', '─'), ('═', '╗'), ('│', '┌')].map(|(left, right)| beside(left, right));
        assert_eq!(drawn, [-6.0, -6.0, -6.0, 0.0]);
    }
}
