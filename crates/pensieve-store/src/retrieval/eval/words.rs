//! Where a text has given words, however it writes them.
//!
//! Words that a person copies from a document differ from the clean text in white space, hyphens at line ends, marks of
//! emphasis and compatibility forms. Only letters and digits are compared, in NFKC.

use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Places of the same words in one text that are found, at most.
const MAX_OCCURRENCES: usize = 100;

/// The letters and digits of a text, each with its place in the text.
#[derive(Debug, Default)]
pub(super) struct PlainLetters {
    letters: String,
    /// For each byte of `letters`, the byte range of the character that it came from.
    places: Vec<(usize, usize)>,
}

impl PlainLetters {
    /// Of a text.
    pub fn of(text: &str) -> PlainLetters {
        let mut found = PlainLetters::default();
        for (start, c) in text.char_indices() {
            for letter in c.nfkc().filter(|letter| letter.is_alphanumeric()) {
                found.letters.push(letter);
                found.places.resize(found.letters.len(), (start, start + c.len_utf8()));
            }
        }
        found
    }

    /// The places of words, as bytes of the text.
    pub fn occurrences(&self, words: &str) -> Vec<Range<usize>> {
        let wanted = PlainLetters::of(words).letters;
        if wanted.is_empty() {
            return Vec::new();
        }
        let found = self.letters.match_indices(&wanted).take(MAX_OCCURRENCES);
        found.map(|(at, _)| self.places[at].0..self.places[at + wanted.len() - 1].1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_is_between_their_letters() {
        let check = |text: &str, words: &str, expected: &[&str]| {
            let found = PlainLetters::of(text).occurrences(words);
            let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{words}");
        };
        check("The **old** light-\nhouse.", "old lighthouse", &["old** light-\nhouse"]);
        check("a b a b", "a b", &["a b", "a b"]);
        check("ﬁne Größe", "fine größe", &[]);
        check("ﬁne Größe", "fine Größe", &["ﬁne Größe"]);
        check("数据 库", "数据库", &["数据 库"]);
        check("x", "…", &[]);
        check("", "x", &[]);
    }

    #[test]
    fn the_same_words_are_found_a_hundred_times() {
        let count = |times: usize| PlainLetters::of(&"ab ".repeat(times)).occurrences("ab").len();
        assert_eq!((count(99), count(100), count(101)), (99, 100, 100));
    }
}
