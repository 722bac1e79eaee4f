//! Raised and lowered words that are not notes: `10^5`, `m^2`, `x^n`, `101_2`; but `1st`, `Mme`, `H2O`.
//!
//! An exponent follows `^`: without it `m2` and `105` would be other words, and people search for `m` or `10`. Raised
//! letters end an abbreviated word. An index reads well without a mark, except where it would prolong a number.

/// Whether words stand above or below the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BaselineShift {
    /// On the line.
    #[default]
    None,
    /// A superscript.
    Raised,
    /// A subscript.
    Lowered,
}

impl BaselineShift {
    /// By a distance from the line; above it is positive.
    pub fn of(distance: i32) -> BaselineShift {
        match distance {
            1.. => BaselineShift::Raised,
            0 => BaselineShift::None,
            ..0 => BaselineShift::Lowered,
        }
    }

    /// By what formats of XML write: a name, or a distance; the size of the words may follow.
    pub fn written(value: &str) -> BaselineShift {
        match value.split_whitespace().next().unwrap_or_default() {
            "superscript" | "super" | "sup" => BaselineShift::Raised,
            "subscript" | "sub" => BaselineShift::Lowered,
            value => value.trim_end_matches('%').parse::<f32>().map_or(BaselineShift::None, |distance| {
                BaselineShift::of(distance.signum() as i32 * i32::from(distance != 0.0))
            }),
        }
    }

    /// The mark before these words after what is written `before`; empty if they read well without one.
    pub fn mark(self, before: &str, words: &str) -> &'static str {
        let last = before.chars().next_back();
        match self {
            BaselineShift::Raised if is_exponent(last, words) || is_note_sign(before, words.trim()) => "^",
            BaselineShift::Lowered if is_index_of_number(last, words) => "_",
            _ => "",
        }
    }
}

/// True for numbers, signs and the letters of variables right after a letter, a number or a bracket.
fn is_exponent(before: Option<char>, words: &str) -> bool {
    let words = words.trim();
    let is_number =
        words.chars().all(|c| c.is_ascii_digit() || "+-−–nx".contains(c)) || is_number_list(words);
    let follows = before.is_some_and(|c| c.is_alphanumeric() || "*)]".contains(c));
    follows && is_number && !words.is_empty()
}

/// True for the numbers of several notes: `1,2`, `3, 5-7`.
fn is_number_list(words: &str) -> bool {
    let mut parts = words.split([',', '-', '–']).map(str::trim);
    parts.clone().nth(1).is_some()
        && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// True for the number of a note after punctuation, and for the letter of one after a word or a number.
fn is_note_sign(before: &str, sign: &str) -> bool {
    let mut letters = sign.split([',', ' ']).filter(|part| !part.is_empty());
    let is_letter = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_digits =
        !sign.is_empty() && sign.bytes().all(|byte| byte.is_ascii_digit()) || is_number_list(sign);
    let before = before.trim_end_matches(['*', '_', '~']);
    let follows_mark = before.ends_with(['.', ',', ';', ':', '!', '?', '"', '”', '’', '»', ')', '…']);
    if is_digits || !letters.all(is_letter) || sign.is_empty() {
        return is_digits && follows_mark;
    }
    let word: String =
        before.chars().rev().take_while(|c| c.is_alphanumeric() || matches!(c, '.' | ',')).collect();
    let length = word.chars().count();
    if word.contains(|c: char| c.is_ascii_digit()) {
        // `1a`, `2e` and `6d` are ordinals and pence.
        return length > 2 && !follows_mark || sign.contains(['b', 'c', 'f', 'g']);
    }
    // Letters end an abbreviated word (`Dr`, `Wm`, `vol`), which is short; the first letters of the alphabet hardly ever do.
    let is_small = word.chars().all(char::is_lowercase);
    follows_mark || length > 3 || sign.len() > 1 && length > 1 || is_small && length > 1 && sign <= "c"
}

/// True for a number right after another one: `101` in the base `2`.
fn is_index_of_number(before: Option<char>, words: &str) -> bool {
    let words = words.trim();
    let is_digits = |words: &str| !words.is_empty() && words.chars().all(|c| c.is_ascii_digit());
    before.is_some_and(|c| c.is_ascii_digit()) && is_digits(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use BaselineShift::{Lowered, Raised};

    #[test]
    fn shifts_have_names_and_distances() {
        for (value, expected) in [
            ("superscript", Raised),
            ("super 58%", Raised),
            ("33% 58%", Raised),
            ("30000", Raised),
            ("sub 58%", Lowered),
            ("-0.5%", Lowered),
            ("-25000", Lowered),
            ("baseline", BaselineShift::None),
            ("0%", BaselineShift::None),
            ("", BaselineShift::None),
        ] {
            assert_eq!(BaselineShift::written(value), expected, "{value}");
        }
    }

    #[test]
    fn signs_of_notes_do_not_prolong_words() {
        let marked = [
            "although a",
            "Storm d",
            "ice b",
            "sea a,b",
            "end. 12",
            "end.” c",
            "12.5 a",
            "40 b",
            "*word* a",
            "so 1,2",
            "51 1,2",
            "end. 3,5-7",
        ];
        let plain = ["M me", "Dr s", "n o", "vol s", "2 e", "1 a", "5 th", "XIX e", "name TM", "x a", " a"];
        for (cases, expected) in [(&marked[..], "^"), (&plain[..], "")] {
            for case in cases {
                let (before, sign) = case.rsplit_once(' ').unwrap();
                assert_eq!(Raised.mark(before, sign), expected, "of {case}");
            }
        }
    }
}
