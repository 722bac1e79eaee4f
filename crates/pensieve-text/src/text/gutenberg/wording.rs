//! How much a range of lines reads like the project's own words.

use super::lines::PlainLines;

/// Words that are frequent in the project's texts and rare in books.
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

/// The most words per cue in the project's texts: a licence has one in fifteen, a header one in ten, a novel one in
/// many thousand.
const MAX_WORDS_PER_CUE: usize = 60;

/// Counts the words and the cues of a range.
pub(super) fn count_cues(lines: &PlainLines<'_>, from: usize, to: usize) -> (usize, usize) {
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

/// True if a range as a whole reads like the project's words. A short range counts as such.
pub(super) fn is_official(lines: &PlainLines<'_>, from: usize, to: usize) -> bool {
    let (words, cues) = count_cues(lines, from, to);
    words <= 40 || cues * MAX_WORDS_PER_CUE >= words
}

/// How many lines at either end of a book are searched for leftovers.
const MARGIN_LINES: usize = 60;

/// True if words of the project remain at the beginning or the end of the book.
pub(super) fn has_leftovers(lines: &PlainLines<'_>, head: usize, tail: usize) -> bool {
    let names = |from: usize, to: usize| {
        let named = |line: &&super::lines::PlainLine<'_>| line.form().contains("project gutenberg");
        lines.range(from, to.min(tail)).iter().filter(named).count()
    };
    let ends = head.max(tail.saturating_sub(MARGIN_LINES));
    names(head, head + MARGIN_LINES) >= 2 || names(ends, tail) >= 2
}
