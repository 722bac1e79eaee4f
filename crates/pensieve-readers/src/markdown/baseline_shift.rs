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
    pub(crate) fn of(distance: i32) -> BaselineShift {
        match distance {
            1.. => BaselineShift::Raised,
            0 => BaselineShift::None,
            ..0 => BaselineShift::Lowered,
        }
    }

    /// By what formats of XML write: a name, or a distance; the size of the words may follow.
    pub(crate) fn written(value: &str) -> BaselineShift {
        match value.split_whitespace().next().unwrap_or_default() {
            "superscript" | "super" | "sup" => BaselineShift::Raised,
            "subscript" | "sub" => BaselineShift::Lowered,
            value => value.trim_end_matches('%').parse::<f32>().map_or(BaselineShift::None, |distance| {
                BaselineShift::of(distance.signum() as i32 * i32::from(distance != 0.0))
            }),
        }
    }

    /// The mark before these words after what is written `before`; empty if they read well without one.
    pub(crate) fn mark(self, before: &str, words: &str) -> &'static str {
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
    let is_number = words.chars().all(|c| c.is_ascii_digit() || "+-−–nx".contains(c));
    let follows = before.is_some_and(|c| c.is_alphanumeric() || "*)]".contains(c));
    follows && is_number && !words.is_empty()
}

/// True for the number of a note after punctuation, and for the letter of one after a word or a number.
fn is_note_sign(before: &str, sign: &str) -> bool {
    let mut letters = sign.split([',', ' ']).filter(|part| !part.is_empty());
    let is_letter = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_digits = !sign.is_empty() && sign.bytes().all(|byte| byte.is_ascii_digit());
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
    use crate::markdown::{Block, MarkdownDraft, TextRun, TextStyle, Words};
    use BaselineShift::{Lowered, None as Level, Raised};

    /// Writes runs; a run of capitals is in bold.
    fn check(runs: &[(BaselineShift, &str)], expected: &str) {
        let mut words = Words::default();
        for &(shift, text) in runs {
            let strong = text.contains(|c: char| c.is_ascii_uppercase());
            let style = TextStyle { shift, strong, ..TextStyle::default() };
            words.push(TextRun { text: text.to_owned(), style, ..TextRun::default() });
        }
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(words.clone()));
        assert_eq!(draft.finish().text.trim_end(), expected);
        assert_eq!(words.to_plain().trim(), expected.replace("**", ""));
    }

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
            ("baseline", Level),
            ("0%", Level),
            ("", Level),
        ] {
            assert_eq!(BaselineShift::written(value), expected, "{value}");
        }
    }

    #[test]
    fn exponents_are_marked_and_ordinals_are_not() {
        check(&[(Level, "3 × 10"), (Raised, "6"), (Level, " kg")], "3 × 10^6 kg");
        check(&[(Level, "10"), (Raised, "−"), (Raised, "12 "), (Level, "m")], "10^−12 m");
        check(&[(Level, "1"), (Raised, "st")], "1st");
        check(
            &[(Level, "word."), (Raised, "1"), (Level, " "), (Raised, "2"), (Level, "and")],
            "word.^1 2and",
        );
        check(&[(Raised, "14"), (Level, "c")], "14c");
        check(&[(Level, "x"), (Raised, " 2")], "x 2");
    }

    #[test]
    fn signs_of_notes_do_not_prolong_words() {
        let marked =
            ["although a", "Storm d", "ice b", "sea a,b", "end. 12", "end.” c", "12.5 a", "40 b", "*word* a"];
        let plain = ["M me", "Dr s", "n o", "vol s", "2 e", "1 a", "5 th", "XIX e", "name TM", "x a", " a"];
        for (cases, expected) in [(&marked[..], "^"), (&plain[..], "")] {
            for case in cases {
                let (before, sign) = case.rsplit_once(' ').unwrap();
                assert_eq!(Raised.mark(before, sign), expected, "of {case}");
            }
        }
    }

    #[test]
    fn an_index_is_marked_only_after_a_number() {
        check(&[(Level, "so"), (Lowered, "4"), (Raised, "2−")], "so4^2−");
        check(&[(Level, "101"), (Lowered, "2"), (Level, " = 5")], "101_2 = 5");
        check(&[(Level, "x"), (Lowered, "i")], "xi");
    }

    #[test]
    fn a_power_does_not_divide_the_marks_around_it() {
        check(&[(Level, "M"), (Raised, "2"), (Level, " a")], "**M**^2 a");
        let strong = |shift, text: &str| TextRun {
            text: text.to_owned(),
            style: TextStyle { strong: true, shift, ..TextStyle::default() },
            ..TextRun::default()
        };
        let mut draft = MarkdownDraft::new();
        draft.push(&Block::Paragraph(Words(vec![
            strong(Level, "m"),
            strong(Raised, "2"),
            strong(Level, " a"),
        ])));
        assert_eq!(draft.finish().text, "**m^2 a**\n");
    }
}
