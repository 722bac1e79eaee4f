//! Tokens whose hyphen belongs to them although it stands at a line end: addresses, paths, identifiers, options,
//! numbers, formulas.
//!
//! A program that divides words knows words; it breaks such tokens at a hyphen that they have. To leave the hyphen out
//! would make another address of them, so a sign that words do not have decides for keeping it.

/// What the two halves of a token at a line end are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DividedToken {
    /// Perhaps a word.
    Word,
    /// Words with a slash: an alternative (`input/out-put`), or a path.
    Slashed,
    /// An address, a path, an identifier, an option, a number.
    Fixed,
}

/// Judges a token by its half before the hyphen and its half on the next line, both up to the next blank.
pub(super) fn divided_token(left: &str, right: &str) -> DividedToken {
    let left = left.trim_start_matches(OPENING);
    let right = right.trim_end_matches(CLOSING);
    // Words after a dash that is written as two hyphens are a token of their own.
    let left = left.rfind("--").filter(|&at| at > 0).map_or(left, |at| &left[at + 2..]);
    let last = left.rsplit(['-', '\u{2010}']).next().unwrap_or(left);
    let first = right.split(['-', '\u{2010}']).next().unwrap_or(right);
    let halves = [left, right];
    // `--log-level`, `-Wno-unused`.
    let is_option = left.starts_with('-') && left.trim_start_matches('-').starts_with(char::is_alphabetic);
    if is_option
        || halves.iter().any(|half| half.contains(SIGNS) || has_inner_point(half))
        // `2,4-dichlorophenol`, `covid19-related`.
        || last.contains(|c: char| c.is_ascii_digit())
        || has_inner_digit(first)
        || is_camel(last)
        // `lib-fooBar`.
        || first.chars().skip(1).any(char::is_uppercase)
        // `DNA-binding`, `NATO-led`.
        || is_abbreviation(last) && first.starts_with(char::is_lowercase)
    {
        return DividedToken::Fixed;
    }
    match halves.iter().any(|half| half.contains('/')) {
        true => DividedToken::Slashed,
        false => DividedToken::Word,
    }
}

/// The last token of a line that ends with a hyphen of `len` bytes, without the hyphen.
pub(super) fn token_before(line: &str, len: usize) -> &str {
    let line = &line[..line.len().saturating_sub(len)];
    line.rsplit(char::is_whitespace).next().unwrap_or(line)
}

/// The first token of a line.
pub(super) fn token_after(line: &str) -> &str {
    line.split(char::is_whitespace).next().unwrap_or(line)
}

/// Opening marks, among them those of emphasis in plain text.
const OPENING: &[char] = &['(', '[', '"', '\'', '“', '‘', '„', '«', '‹', '*', '_'];
const CLOSING: &[char] =
    &[')', ']', '"', '\'', '”', '’', '“', '»', '›', '*', '_', ',', '.', ';', ':', '!', '?', '…'];

/// Signs that words do not have.
const SIGNS: &[char] =
    &['\\', '@', '_', '=', '%', '#', '~', '$', '<', '>', '{', '}', '|', '+', '&', '^', '`', '−'];

/// `anna.smith`, `house.html`, `doi:10`, `std::io`: a point or colon between two letters or digits.
fn has_inner_point(half: &str) -> bool {
    let is_between = |at: usize| {
        half[..at].ends_with(char::is_alphanumeric) && half[at + 1..].starts_with(char::is_alphanumeric)
    };
    half.contains("::") || half.match_indices(['.', ':']).any(|(at, _)| is_between(at))
}

/// Digits that letters follow, and hexadecimal numbers; `example3` is a word with the sign of a note.
fn has_inner_digit(first: &str) -> bool {
    let Some(digit) = first.find(|c: char| c.is_ascii_digit()) else { return false };
    // At least three letters stand before the sign of a note: `exam-` and `ple4`.
    digit < 3
        || first[digit..].contains(char::is_alphabetic)
        || first.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `fooBar`, `iPhone`.
fn is_camel(last: &str) -> bool {
    last.starts_with(char::is_lowercase) && last.contains(char::is_uppercase)
}

/// `NATO`, `DNA`.
fn is_abbreviation(last: &str) -> bool {
    last.chars().count() > 1 && last.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: &str, right: &str, expected: DividedToken) {
        assert_eq!(divided_token(left, right), expected, "{left}-{right}");
    }

    #[test]
    fn signs_of_addresses_numbers_and_names_decide() {
        for (left, right) in [
            ("the-old", "house/index.html"),
            ("anna.smith", "jones@example.org"),
            ("doi:10.1000/abc", "def.12"),
            ("foo_bar", "baz"),
            ("--log", "level"),
            ("(sha256:9f86d081", "deadbeef)"),
            ("2,4", "dichlorophenol"),
            ("iPhone", "like"),
            ("foo", "barBaz"),
            ("DNA", "binding"),
            ("C:\\old", "gate"),
        ] {
            check(left, right, DividedToken::Fixed);
        }
    }

    #[test]
    fn words_are_words() {
        for (left, right) in [
            ("exam", "ple."),
            ("“Exam", "ple,”"),
            ("exam", "ple3"),
            ("said--exam", "ple"),
            ("_exam", "ple_"),
            ("mother-in", "law"),
            ("McDon", "ald"),
        ] {
            check(left, right, DividedToken::Word);
        }
        check("input/out", "put", DividedToken::Slashed);
    }

    #[test]
    fn each_half_of_a_token_can_decide() {
        for (left, right) in [
            ("foo", "bar_baz"),
            ("anna.smith", "jones"),
            ("anna", "smith.jones"),
            ("std::", "io"),
            ("std", "::io"),
            ("a1", "bar"),
            ("foo", "x1"),
            ("foo", "xyz1a"),
            ("foo", "abc1"),
            ("aBc", "def"),
            ("iP", "phone"),
            ("foo", "bAr"),
            ("NO", "binding"),
            ("-v", "erbose"),
        ] {
            check(left, right, DividedToken::Fixed);
        }
        for (left, right) in [
            ("foo", "xyz1"),
            ("foo", "Bar"),
            ("Foo", "bar"),
            ("N", "binding"),
            ("DNA", "Binding"),
            ("-", "erbose"),
            ("-1x--exam", "ple"),
            ("foo:", "bar"),
            ("foo", ".bar"),
            ("a.-exam", "ple"),
        ] {
            check(left, right, DividedToken::Word);
        }
        check("foo", "bar/baz", DividedToken::Slashed);
        check("--x/y", "z", DividedToken::Fixed);
    }

    #[test]
    fn tokens_are_up_to_the_next_blank() {
        for (line, len, expected) in [
            ("an exam-", 1, "exam"),
            ("exam-", 1, "exam"),
            ("an exam\u{2010}", 3, "exam"),
            ("-", 1, ""),
            ("", 1, ""),
        ] {
            assert_eq!(token_before(line, len), expected, "{line}");
        }
        for (line, expected) in [("ple of it", "ple"), ("ple", "ple"), (" ple", ""), ("", "")] {
            assert_eq!(token_after(line), expected, "{line}");
        }
    }

    #[test]
    fn letters_and_digits_of_halves_have_a_form() {
        for (text, digit, camel, abbreviation) in [
            ("", false, false, false),
            ("abx", false, false, false),
            ("x12", true, false, false),
            ("xy1", true, false, false),
            ("xyz1", false, false, false),
            ("xyz12b", true, false, false),
            ("fooB", false, true, false),
            ("FooB", false, false, false),
            ("AB", false, false, true),
            ("A", false, false, false),
            ("ABc", false, false, false),
            ("face1", true, false, false),
        ] {
            let found = (has_inner_digit(text), is_camel(text), is_abbreviation(text));
            assert_eq!(found, (digit, camel, abbreviation), "{text}");
        }
    }
}
