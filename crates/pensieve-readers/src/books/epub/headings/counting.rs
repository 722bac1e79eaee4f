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
    "teil",
    "partie",
    "parte",
    "livre",
    "libro",
    "hoofdstuk",
    "rozdział",
    "глава",
    "часть",
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

/// True for a paragraph that only counts what is below it: also `Chapter the First`, `Erstes Kapitel`, `第一章`.
pub(super) fn is_count(label: &str) -> bool {
    let lower = label.trim().trim_end_matches(['.', ':']).to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let is_counted = |word: &&str| COUNTED.contains(word);
    match words.as_slice() {
        [first, _] if is_counted(first) => true,
        [_, last] => is_counted(last),
        [first, _, _] => is_counted(first),
        // Longer ones have a title in them.
        [word] if word.starts_with('第') => word.chars().count() <= 6,
        // A line of a small letter is words.
        _ => is_number(label) && !label.trim().starts_with(char::is_lowercase),
    }
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
        for label in ["IV", "Chapter Two", "CHAPTER THE FIRST.", "Erstes Kapitel", "Глава первая", "第十二章"]
        {
            assert!(is_count(label), "{label}");
        }
        for label in ["", "x", "The storm", "Part of the way home", "End of Part One", "第一章海上的风暴"]
        {
            assert!(!is_count(label), "{label}");
        }
    }
}
