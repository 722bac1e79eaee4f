//! Where emphasis can begin and end (CommonMark 0.31, section 6.2): `**Note:**text` is not emphasis.

use regex::Regex;
use std::sync::LazyLock;

/// What is beside emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Blank,
    Sign,
    Letter,
    /// It may be any of these.
    Unknown,
}

impl Side {
    /// The side of a character; `None` is the start or end of a line.
    pub fn of(c: Option<char>) -> Side {
        match c {
            None => Side::Blank,
            Some(c) if c.is_whitespace() => Side::Blank,
            Some(c) if c.is_alphanumeric() => Side::Letter,
            Some(c) if c.is_ascii_punctuation() => Side::Sign,
            Some(c) if PUNCTUATION.is_match(c.encode_utf8(&mut [0; 4])) => Side::Sign,
            Some(_) => Side::Letter,
        }
    }
}

/// What CommonMark calls punctuation.
static PUNCTUATION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\p{P}\p{S}]").expect("the pattern is tested"));

/// True if emphasis can begin between two characters.
pub(super) fn can_open(before: Side, after: Side) -> bool {
    after == Side::Letter || after == Side::Unknown || after == Side::Sign && before != Side::Letter
}

/// True if emphasis can end between two characters.
pub(super) fn can_close(before: Side, after: Side) -> bool {
    can_open(after, before)
}

/// What surrounds the marks of emphasis, and what is at both ends of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EmphasisSides {
    pub before: Side,
    pub first: Side,
    pub last: Side,
    pub after: Side,
}

impl EmphasisSides {
    /// True if marks of this sign are read as emphasis.
    pub fn allow(&self, sign: char) -> bool {
        let &EmphasisSides { before, first, last, after } = self;
        let is_apart = sign != '_'
            || (before == Side::Sign || !can_close(before, first))
                && (after == Side::Sign || !can_open(last, after));
        can_open(before, first) && can_close(last, after) && is_apart
    }

    /// True if a mark is between two punctuation characters: it could also end the emphasis around it.
    pub fn is_unclear(&self) -> bool {
        self.before == Side::Sign && self.first == Side::Sign
            || self.last == Side::Sign && self.after == Side::Sign
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, words: &str, after: &str, expected: &str) {
        let [first, last] = [words.chars().next(), words.chars().next_back()].map(Side::of);
        let before = Side::of(before.chars().next_back());
        let sides = EmphasisSides { before, first, last, after: Side::of(after.chars().next()) };
        let allowed: String = "*_".chars().filter(|&sign| sides.allow(sign)).collect();
        assert_eq!(allowed, expected, "of {words} before {after}");
    }

    #[test]
    fn emphasis_stands_only_where_it_is_read() {
        check(" ", "word", " ", "*_");
        check(" ", "Note:", "text", "");
        check("a", "word", "b", "*");
        check("a", "(b)", "c", "");
        check("(", "b", ")", "*_");
        check("", "", "", "");
    }

    #[test]
    fn a_side_is_what_its_character_is() {
        for (c, expected) in [
            (' ', Side::Blank),
            ('\u{a0}', Side::Blank),
            ('é', Side::Letter),
            ('5', Side::Letter),
            ('*', Side::Sign),
            ('“', Side::Sign),
            ('€', Side::Sign),
            // Neither a letter, a number nor a sign.
            ('\u{301}', Side::Letter),
        ] {
            assert_eq!(Side::of(Some(c)), expected, "{c}");
        }
        assert_eq!(Side::of(None), Side::Blank);
    }

    #[test]
    fn marks_between_two_signs_are_unclear() {
        let check = |text: &str, expected: bool| {
            let mut sides = text.chars().map(|c| Side::of(Some(c)));
            let mut next = || sides.next().unwrap();
            let sides = EmphasisSides { before: next(), first: next(), last: next(), after: next() };
            assert_eq!(sides.is_unclear(), expected, "{text}");
        };
        check("abcd", false);
        check("(bcd", false);
        check("a(cd", false);
        check("ab)d", false);
        check("abc)", false);
        check("((cd", true);
        check("ab))", true);
        check("(b)d", false);
    }

    #[test]
    fn underscores_between_letters_and_signs_need_a_sign_outside() {
        check("a", "b", " ", "*");
        check(" ", "b", "c", "*");
        check("-", "(b)", "-", "*_");
        check("-", "b", "-", "*_");
    }
}
