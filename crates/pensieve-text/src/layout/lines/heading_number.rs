//! The number in front of a title: `2.3`, `IV.`, `A.`, `A.1`. What it means for the level of the title depends on the
//! other numbers of the document.

use crate::text::roman::from_roman;

/// Maximum characters of a part of a number.
const MAX_PART_CHARACTERS: usize = 4;

/// Kinds of numbers in front of titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberKind {
    /// `2` or `2.3`.
    Digits,
    /// `IV.`, of two letters or more.
    Roman,
    /// `A.`, `A` or `A.1`; `I.` and `V.` too, which may be Roman.
    Letter,
}

/// The number in front of a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HeadingNumber {
    /// What its first part is.
    pub(crate) kind: NumberKind,
    /// How many parts it has: `2.3` has 2.
    pub(crate) depth: usize,
    /// Where the title starts.
    pub(crate) title: usize,
    /// True if a full stop separates parts or ends the number: `A Title` may be an article with a noun.
    pub(crate) has_stop: bool,
}

impl HeadingNumber {
    /// The number in front of a text.
    pub(crate) fn of(text: &str) -> Option<HeadingNumber> {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.')?;
        let head = &text[..end];
        let rest = text[end..].trim_start();
        if rest.is_empty() || rest.len() == text[end..].len() {
            return None;
        }
        let number = head.trim_end_matches('.');
        let mut parts = number.split('.');
        let kind = kind_of(parts.next()?)?;
        let is_part = |part: &str| {
            (1..=MAX_PART_CHARACTERS).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
        };
        if !parts.clone().all(is_part) {
            return None;
        }
        let (depth, title) = (1 + parts.count(), text.len() - rest.len());
        let has_stop = head.contains('.');
        let is_plain = kind == NumberKind::Digits || has_stop || kind == NumberKind::Letter;
        is_plain.then_some(HeadingNumber { kind, depth, title, has_stop })
    }

    /// True for the number of a title: it is followed by a capital.
    pub(crate) fn starts_title(text: &str) -> bool {
        HeadingNumber::of(text).is_some_and(|number| starts_upper(&text[number.title..]))
    }

    /// True for a number that only a title has, whatever follows: one of several parts, such as `5.4.3`.
    pub(crate) fn has_parts(text: &str) -> bool {
        HeadingNumber::of(text).is_some_and(|number| number.depth > 1 && number.kind == NumberKind::Digits)
    }
}

fn kind_of(part: &str) -> Option<NumberKind> {
    let is_short = (1..=3).contains(&part.len());
    if is_short && part.bytes().all(|b| b.is_ascii_digit()) {
        return Some(NumberKind::Digits);
    }
    if !part.bytes().all(|b| b.is_ascii_uppercase()) {
        return None;
    }
    match part.len() {
        1 => Some(NumberKind::Letter),
        // `CD` and `MIX` are words.
        _ => from_roman(part).filter(|value| *value < 100).map(|_| NumberKind::Roman),
    }
}

/// True if the number of a title is the next after that of another one: `2.4`, `2.3.1` and `3` follow `2.3`.
pub(crate) fn follows(before: &str, text: &str) -> bool {
    let (Some(before), Some(own)) = (parts(before), parts(text)) else { return false };
    let common = before.iter().zip(&own).take_while(|(a, b)| a == b).count();
    if own.len() != common + 1 {
        return false;
    }
    let last = own[common];
    // The first number of a level below.
    before.get(common).map_or(last == "1" || last == "A", |earlier| is_next(earlier, last))
}

/// The parts of the number in front of a title.
fn parts(text: &str) -> Option<Vec<&str>> {
    let number = HeadingNumber::of(text)?;
    Some(text[..number.title].trim_end().trim_end_matches('.').split('.').collect())
}

/// True for the part of a number that counts one more; a letter may be a Roman number.
fn is_next(before: &str, part: &str) -> bool {
    let digits = |part: &str| part.parse::<u32>().ok();
    let letter = |part: &str| part.bytes().next().filter(|_| part.len() == 1).map(u32::from);
    let one_more = |values: (Option<u32>, Option<u32>)| matches!(values, (Some(a), Some(b)) if a + 1 == b);
    one_more((digits(before), digits(part)))
        || one_more((letter(before), letter(part)))
        || one_more((from_roman(before), from_roman(part)))
}

/// The title without its number, if it starts with digits.
pub(crate) fn without_number(text: &str) -> &str {
    match HeadingNumber::of(text).filter(|number| number.kind == NumberKind::Digits) {
        Some(number) => &text[number.title..],
        None => text,
    }
}

/// True for text that starts with a capital, a digit, an opening quote or a script without capitals.
pub(crate) fn starts_upper(text: &str) -> bool {
    let first = text.chars().find(|c| c.is_alphanumeric());
    first.is_some_and(|c| !c.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_front_show_kind_and_depth() {
        let check = |text: &str, expected| {
            let found = HeadingNumber::of(text).map(|number| (number.kind, number.depth, number.title));
            assert_eq!(found, expected, "{text}");
        };
        check("2.3 Title", Some((NumberKind::Digits, 2, 4)));
        check("4. Title", Some((NumberKind::Digits, 1, 3)));
        check("1.2.3.4 Deep", Some((NumberKind::Digits, 4, 8)));
        check("IV. Title", Some((NumberKind::Roman, 1, 4)));
        check("A. Title", Some((NumberKind::Letter, 1, 3)));
        check("A.1 Title", Some((NumberKind::Letter, 2, 4)));
        check("A Title", Some((NumberKind::Letter, 1, 2)));
        check("MIX Title", None);
        check("1984", None);
        check("2.3Title", None);
        check("1984 was a year", None);
        check(". Title", None);
        check("Title", None);
        check("", None);
    }

    #[test]
    fn the_next_number_is_a_sibling_a_child_or_that_of_a_part_above() {
        let check = |before: &str, text: &str, expected| {
            assert_eq!(follows(before, text), expected, "{before} / {text}");
        };
        check("1 One", "2 Two", true);
        check("1. One", "2. Two", true);
        check("9 Nine", "10 Ten", true);
        check("1 One", "3 Three", false);
        check("2 Two", "1 One", false);
        check("2 Two", "2 Two", false);
        check("2.3 Three", "2.4 Four", true);
        check("2.3 Three", "2.3.1 One", true);
        check("2.3 Three", "2.3.2 Two", false);
        check("2.3 Three", "3 Three", true);
        check("2.3.4 Four", "2.4 Four", true);
        check("2.3.4 Four", "3 Three", true);
        check("2.3 Three", "3.1 One", false);
        check("A. One", "B. Two", true);
        check("A One", "A.1 First", true);
        check("I. One", "II. Two", true);
        check("IX. Nine", "X. Ten", true);
        check("H. Eight", "I. Nine", true);
        check("A. One", "C. Three", false);
        check("One", "2 Two", false);
        check("1 One", "Two", false);
    }

    #[test]
    fn only_titles_have_numbers_of_several_parts() {
        let check = |text: &str, expected| assert_eq!(HeadingNumber::has_parts(text), expected, "{text}");
        check("5.4.3 \\command", true);
        check("5.4 command", true);
        check("5 command", false);
        check("A.1 command", false);
        check("command", false);
    }
}
