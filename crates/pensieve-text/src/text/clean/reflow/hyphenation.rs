//! Decides whether a word that is divided between two lines keeps its hyphen.
//!
//! No dictionary is used. The document decides by how it writes the word inside a line: `well-known`, or `example`.
//! If it does not have the word, the two halves decide.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// First halves of compounds, each with the beginnings of those second halves with which it forms one word.
const COMPOUNDING: &[(&str, &[&str])] = &[
    // Wellness, Wellington.
    ("well", &["ness", "ington"]),
    // Selfish, selfless, selfsame, selfhood.
    ("self", &["ish", "less", "same", "hood"]),
    ("so", &[]),
    ("twenty", &[]),
    ("thirty", &[]),
    ("forty", &[]),
    ("fifty", &[]),
    ("sixty", &[]),
    ("seventy", &[]),
    ("eighty", &[]),
    ("ninety", &[]),
];

/// The only second halves that form compounds with those first halves of [`COMPOUNDING`] that may also begin a word.
const ONLY_BEFORE: &[(&str, &[&str])] = &[
    // `so-called`, but `so-ciety`.
    ("so", &["called"]),
    ("twenty", UNITS),
    ("thirty", UNITS),
    ("forty", UNITS),
    ("fifty", UNITS),
    ("sixty", UNITS),
    ("seventy", UNITS),
    ("eighty", UNITS),
    ("ninety", UNITS),
];

const UNITS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "first", "second", "third",
    "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
];

/// Short words that begin many words that are not compounds: `some-thing`, `under-stand`.
const BEGINNINGS: &[&str] = &[
    "after", "all", "any", "before", "down", "ever", "every", "for", "fore", "from", "further", "hand",
    "head", "her", "here", "him", "how", "like", "man", "mean", "more", "never", "not", "off", "other",
    "our", "out", "over", "some", "super", "that", "their", "them", "there", "through", "under", "what",
    "when", "where", "which", "who", "with", "your",
];

/// French pronouns after their verb: `dit-elle`.
const PRONOUNS: &[&str] = &["il", "elle", "ils", "elles", "nous", "vous", "moi", "toi", "là"];

/// How often each word occurs in a text, or in its beginning.
#[derive(Debug, Default)]
pub(super) struct WordCounts {
    counts: FxHashMap<u64, u32>,
}

impl WordCounts {
    /// Counts the words of a text except those that are divided between lines.
    pub(super) fn of(text: &str) -> WordCounts {
        let mut words = WordCounts::default();
        let mut is_rest = false;
        for (at, word) in split(text) {
            let bytes = text.as_bytes();
            let is_divided = word.ends_with(HYPHENS) && bytes.get(at + word.len()) == Some(&b'\n');
            // If halves at line ends were words, each division would prove itself.
            if !std::mem::replace(&mut is_rest, is_divided) && !is_divided {
                words.add(word.trim_matches(HYPHENS));
            }
        }
        words
    }

    fn add(&mut self, word: &str) {
        *self.counts.entry(key(word.chars())).or_default() += 1;
        if word.chars().any(char::is_uppercase) {
            *self.counts.entry(key(word.chars().flat_map(char::to_lowercase))).or_default() += 1;
        }
    }

    /// How often a word occurs in the text, in any case.
    fn count(&self, word: &str) -> u32 {
        self.counts.get(&key(word.chars().flat_map(char::to_lowercase))).copied().unwrap_or_default()
    }

    /// How often a word occurs in the text in exactly this form.
    fn count_exact(&self, word: &str) -> u32 {
        self.counts.get(&key(word.chars())).copied().unwrap_or_default()
    }

    /// True if the hyphen between `left` at the end of a line and `right` at the start of the next one is kept.
    pub(super) fn keeps_hyphen(&self, left: &str, right: &str) -> bool {
        let one = self.count(&format!("{left}{right}"));
        let two = self.count(&format!("{left}-{right}"));
        if one > 0 || two > 0 {
            return two > one;
        }
        // Otherwise cleaning the joined word again would repair it as mojibake.
        if may_be_mojibake(left, right) {
            return true;
        }
        // A word that has a hyphen already was broken there; it was not divided once more.
        let last = left.rsplit(HYPHENS).next().unwrap_or(left);
        let first = right.split(HYPHENS).next().unwrap_or(right);
        if last.len() < left.len() || first.len() < right.len() {
            return self.count(&format!("{last}{first}")) == 0;
        }
        // No word is divided after its first letter.
        if left.chars().nth(1).is_none() {
            return true;
        }
        let lower = last.to_lowercase();
        demands_hyphen(&lower, right) || self.are_words(&lower, last, right)
    }

    /// True if the text writes the two halves as one word, of which the first may follow a slash.
    pub(super) fn is_one_word(&self, left: &str, right: &str) -> bool {
        let (left, right) = (before_hyphen(left, 0), first_word(right));
        self.count(&format!("{left}{right}")) > 0
    }

    /// True if both halves are words of the text, and the first does not begin many other words.
    fn are_words(&self, lower: &str, left: &str, right: &str) -> bool {
        let is_pronoun = PRONOUNS.contains(&right);
        let is_long = lower.chars().count() >= 3 && right.chars().count() >= 4;
        (is_long && !BEGINNINGS.contains(&lower) || is_pronoun)
            && self.count_exact(right) > 0
            && self.count_exact(left).max(self.count_exact(lower)) > 0
    }
}

/// True for two halves that always form a hyphenated compound.
fn demands_hyphen(left: &str, right: &str) -> bool {
    let Some((_, but)) = COMPOUNDING.iter().find(|(first, _)| *first == left) else { return false };
    let only = ONLY_BEFORE.iter().find(|(first, _)| *first == left);
    right.chars().count() > 2
        && only.is_none_or(|(_, only)| only.contains(&right))
        && !but.iter().any(|beginning| right.starts_with(beginning))
}

/// True if `left` ends in a letter that begins a sequence of UTF-8 read as CP1252, and `right` continues it.
fn may_be_mojibake(left: &str, right: &str) -> bool {
    let is_odd = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    is_odd(left.chars().next_back()) && right.chars().next().is_some_and(|c| "ƒšœžµªº".contains(c))
}

/// Hyphens: the plain one, U+2010 and the soft one.
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];

fn is_part(c: char) -> bool {
    c.is_alphabetic()
        || HYPHENS.contains(&c)
        || matches!(c, '\'' | '’' | '\u{300}'..='\u{36f}' | '\u{200c}' | '\u{200d}')
}

/// The words of a text with their positions: letters, hyphens and apostrophes.
fn split(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_part)?;
        let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |len| start + len);
        rest = end;
        Some((start, &text[start..end]))
    })
}

/// The last word of a text that ends with a hyphen of `len` bytes, without the hyphen.
pub(super) fn before_hyphen(text: &str, len: usize) -> &str {
    let word = &text[..text.len() - len];
    let start =
        word.rfind(|c| !is_part(c)).map_or(0, |at| at + word[at..].chars().next().map_or(1, char::len_utf8));
    word[start..].trim_start_matches(HYPHENS)
}

/// The first word of a text.
pub(super) fn first_word(text: &str) -> &str {
    text[..text.find(|c| !is_part(c)).unwrap_or(text.len())].trim_end_matches(HYPHENS)
}

fn key(word: impl Iterator<Item = char>) -> u64 {
    let mut hasher = FxHasher::default();
    // U+2010 counts as a plain hyphen; the soft hyphen is ignored.
    word.filter(|&c| c != '\u{ad}')
        .for_each(|c| hasher.write_u32(if c == '\u{2010}' { '-' as u32 } else { c as u32 }));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, left: &str, right: &str, expected: bool) {
        assert_eq!(WordCounts::of(text).keeps_hyphen(left, right), expected, "{left}-{right} in {text:?}");
    }

    #[test]
    fn the_document_decides_where_it_has_the_word() {
        check("a well-known example", "well", "known", true);
        check("a light-hearted man", "light", "hearted", true);
        check("an example of", "exam", "ple", false);
        check("The Co-operation, cooperation, co-operation", "co", "operation", true);
        check("coordinate coordinate co-ordinate", "co", "ordinate", false);
        check("an Example.", "exam", "ple", false);
    }

    #[test]
    fn a_divided_word_says_nothing() {
        check("the light-\nhearted man", "light", "hearted", false);
        check("exam-\nple", "exam", "ple", false);
    }

    #[test]
    fn else_the_halves_decide() {
        check("", "exam", "ple", false);
        check("", "well", "known", true);
        check("", "well", "ness", false);
        check("", "x", "ray", true);
        check("", "self", "evident", true);
        check("", "self", "ish", false);
        check("", "twenty", "five", true);
        check("", "so", "ciety", false);
        check("", "mother-in", "law", true);
        check("", "state-of-the", "art", true);
        check("at high speed, a high wall", "high", "speed", true);
        check("some people, a thing", "some", "thing", false);
        check("with one hand to stand", "under", "stand", false);
        check("Tür und Haus", "Haus", "tür", false);
        check("elle a dit", "dit", "elle", true);
    }

    #[test]
    fn words_around_a_break_are_found() {
        assert_eq!(before_hyphen("the (mother-in-", 1), "mother-in");
        assert_eq!(before_hyphen("élan-", 1), "élan");
        assert_eq!(first_word("law, and"), "law");
    }
}
