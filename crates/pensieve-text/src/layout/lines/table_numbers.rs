//! Numbers in the cells of tables, and the signs that belong to them though a gap separates them: in a statement the `$`
//! stands at the left edge of its column, and `)` and `%` beyond the last digit, so that digits are above each other.

/// Letters that a number may have behind it: `12 kg`, `1.5x`, `40 bps`.
const MAX_UNIT_LETTERS: usize = 3;

/// True for a number with its signs, or for the dash in place of one: `$ (1,234)`, `12 %`, `—`, `1,253 (a)`.
pub(crate) fn is_number(text: &str) -> bool {
    // Letters of a note are none of a unit.
    let text = without_note(text);
    let (mut digits, mut dashes, mut letters) = (0, 0, 0);
    for c in text.chars() {
        match c {
            // `12 kg` is a number, `B12` and `3rd2` are names.
            c if c.is_numeric() && letters == 0 => digits += 1,
            // Alone it says that there is no number; two or more are a line or an ellipsis.
            '-' | '–' | '—' | '−' | '‐' => dashes += 1,
            '(' | ')' | '%' | '‰' | '.' | ',' | '\'' | '’' | '+' | '*' | '/' | ':' | '<' | '>' | '~'
            | '±' | '†' | '‡' | '^' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => {}
            c if is_currency(c) => {}
            // Letters before digits make a name: `Note 4`.
            c if c.is_alphabetic() && digits > 0 => letters += 1,
            _ => return false,
        }
    }
    letters <= MAX_UNIT_LETTERS && (digits > 0 || dashes == 1)
}

/// True for a number or a measure with its units, which has no fewer digits than letters: `8 ft 4 in (2 550 mm)`.
pub(crate) fn is_measure(text: &str) -> bool {
    let begins_with_digit = text.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_numeric);
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    is_number(text) || begins_with_digit && count(char::is_numeric) >= count(char::is_alphabetic)
}

/// A text without the mark of a note at its end, such as `(a)`.
fn without_note(text: &str) -> &str {
    let inside = text.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    match inside {
        // Notes go from `a` to `zz`; longer brackets are words.
        Some((before, mark)) if mark.chars().all(char::is_alphabetic) && mark.chars().count() <= 2 => {
            before.trim_end()
        }
        _ => text,
    }
}

/// True for what stands before a number: `$`, `US$`, `(`.
pub(super) fn opens_number(text: &str) -> bool {
    // A loss has its bracket or sign behind the currency: `$ (`.
    let core = text.trim_end_matches(['(', '-', '–', '−', '+', ' ']);
    // `US$`, `HK$`; a longer text is a label that ends in a sign.
    let is_sign = core.chars().next_back().is_some_and(is_currency) && core.chars().count() <= 3;
    // A dash alone is a cell of its own.
    !text.is_empty() && (core.is_empty() && text.ends_with('(') || is_sign)
}

/// True for what stands behind a number: `)`, `%`, `)%`.
pub(super) fn closes_number(text: &str) -> bool {
    text.starts_with([')', '%', '‰']) && text.chars().all(|c| matches!(c, ')' | '%' | '‰' | ' ' | '*' | ','))
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '֏' | '฿' | '\u{20a0}'..='\u{20cf}' | '﹩' | '＄' | '￥')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_units_and_notes() {
        for (text, expected) in [
            ("$ (1,234)", true),
            ("12 %", true),
            ("—", true),
            ("1,253 (a)", true),
            ("12 kgs", true),
            ("12 tons", false),
            ("2019", true),
            ("May 31", false),
            ("$", false),
            ("", false),
            ("--", false),
            ("07.01.2025", true),
            ("(a)", false),
            ("12.5^2", true),
        ] {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }

    #[test]
    fn measures_have_units_between_their_digits() {
        for (text, expected) in [
            ("8 ft 4 in (2 550 mm)", true),
            ("(1,234)", true),
            ("1 x 12 V x 100 Ah", true),
            ("2 sides", false),
            ("Model 4711", false),
            ("", false),
        ] {
            assert_eq!(is_measure(text), expected, "{text}");
        }
    }

    #[test]
    fn signs_belong_to_the_number_beside_them() {
        for (text, opens, closes) in [
            ("$", true, false),
            ("US$", true, false),
            ("$ (", true, false),
            ("(", true, false),
            (")", false, true),
            (")%", false, true),
            ("%", false, true),
            ("Cost $", false, false),
            ("", false, false),
            (") of", false, false),
            ("-", false, false),
        ] {
            assert_eq!((opens_number(text), closes_number(text)), (opens, closes), "{text}");
        }
    }
}
