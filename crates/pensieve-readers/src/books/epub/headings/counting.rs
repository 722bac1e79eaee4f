//! Headings that only count: `IV`, `12.`, `Chapter 3`, `Part Two`.

use crate::shared::numerals::is_english_number;

/// The words that numbers may count.
const COUNTED: &[&str] = &[
    "chapter",
    "part",
    "book",
    "section",
    "canto",
    "act",
    "scene",
    "letter",
    "kapitel",
    "chapitre",
    "capítulo",
    "capitolo",
];

/// True for a heading that only counts.
pub(super) fn is_number(label: &str) -> bool {
    let lower = label.trim_end_matches(['.', ':']).to_lowercase();
    let mut words: Vec<&str> = lower.split_whitespace().collect();
    let is_counted = words.len() == 2 && COUNTED.contains(&words[0]);
    if is_counted {
        words.remove(0);
    }
    // A single C, D, L or M is a letter of an index.
    let is_counting = |word: &str| {
        word.chars().all(|c| c.is_ascii_digit())
            || (word.chars().all(|c| "ivxlcdm".contains(c)) && !["c", "d", "l", "m"].contains(&word))
            || is_counted && (is_english_number(word) || word == "last")
    };
    words.len() == 1 && is_counting(words[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_that_only_counts_is_a_number() {
        for label in ["IV", "12.", "xv:", "Chapter 3", "CHAPTER IV.", "Part Two", "Canto last"] {
            assert!(is_number(label), "{label}");
        }
        for label in
            ["", "C", "d.", "Two", "last", "Chapter", "The 3", "Chapter 3 a", "Chapter cat", "cat", "3 4"]
        {
            assert!(!is_number(label), "{label}");
        }
    }
}
