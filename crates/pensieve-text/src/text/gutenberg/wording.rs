//! How much a stretch of lines reads like the project's own words.

use super::lines::Lines;

/// Words of which the project's texts are full, and books are not.
const CUES: &[&str] = &[
    "gutenberg",
    "etext",
    "etexts",
    "ebook",
    "ebooks",
    "donation",
    "donations",
    "donate",
    "trademark",
    "copyright",
    "license",
    "licence",
    "disclaimer",
    "refund",
    "gutenbergtm",
    "electronic",
    "proofreading",
    "proofread",
    "ftp",
    "newsletter",
    "mirror",
    "mirrors",
    "zip",
];

/// One cue in so many words is enough: a licence has one in fifteen, a header one in ten, a novel one in many thousand.
const WORDS_A_CUE: usize = 60;

/// Words and cues of a range.
pub(super) fn weigh(lines: &Lines<'_>, from: usize, to: usize) -> (usize, usize) {
    let (mut words, mut cues) = (0, 0);
    for line in lines.range(from, to) {
        let form = line.form();
        for word in form.split(' ').filter(|word| !word.is_empty()) {
            words += 1;
            cues += usize::from(CUES.contains(&word) || word.starts_with("gutenberg"));
        }
    }
    (words, cues)
}

/// True when a range reads like the project's words as a whole. Little of anything is taken for what stands beside it.
pub(super) fn is_official(lines: &Lines<'_>, from: usize, to: usize) -> bool {
    let (words, cues) = weigh(lines, from, to);
    words <= 40 || cues * WORDS_A_CUE >= words
}

/// Lines at either end of a book that are looked at for what was left.
const MARGIN: usize = 60;

/// True when the project speaks at the beginning or the end of the book.
pub(super) fn is_left_over(lines: &Lines<'_>, head: usize, tail: usize) -> bool {
    let names = |from: usize, to: usize| {
        let named = |line: &&super::lines::Line<'_>| line.form().contains("project gutenberg");
        lines.range(from, to.min(tail)).iter().filter(named).count()
    };
    let ends = head.max(tail.saturating_sub(MARGIN));
    names(head, head + MARGIN) >= 2 || names(ends, tail) >= 2
}
