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
