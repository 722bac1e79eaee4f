//! Credits: the paragraphs between a marker and the book that name the people who made the file.

use super::lines::PlainLines;

/// The beginnings of paragraphs of credits.
const OPENINGS: &[&str] = &[
    "produced by",
    "ebook produced by",
    "etext produced by",
    "produced from",
    "etext prepared by",
    "ebook prepared by",
    "prepared by",
    "this etext was",
    "this ebook was",
    "this etext is",
    "this project gutenberg etext was",
    "etext scanned",
    "etext transcribed",
    "etext typed",
    "etext by",
    "scanned by",
    "scanned and",
    "scanning by",
    "transcribed by",
    "transcribed from",
    "this text was prepared",
    "this text was scanned",
    "typed by",
    "typed for",
    "proofread by",
    "proofreading by",
    "proofed by",
    "html version by",
    "html by",
    "credits",
    "note project gutenberg also has",
    "note project gutenberg has",
    "note images of the original",
    "note original publication",
    "images of the original pages",
    "this file was produced from",
    "this file was first posted",
    "the project gutenberg ebook",
    "the project gutenberg etext",
    "project gutenbergs",
    "project gutenberg etext",
    "digitized by",
    "distributed proofreaders",
    "updated editions",
    "updated by",
    "original html version",
    "text file produced by",
    "html file produced by",
    "pg distributed proofreaders",
    "with thanks to",
    "dieses ebook wurde",
    "dieser etext wurde",
    "ce livre electronique",
    "ce document fut",
    "dit ebook is",
    "prepared and",
    "ebook transcribed",
    "etext edited by",
    "this html edition",
    "edited by project",
];

/// Openings that may also occur in a book; the paragraph must then also mention the work on files.
const SHARED: &[&str] = &[
    "produced",
    "prepared",
    "this text",
    "credits",
    "with thanks",
    "typed",
    "transcribed",
    "this etext is",
    "note original",
    "updated",
    "ce document",
    "edited",
];

/// Words about the work on files.
const WORK: &[&str] = &[
    "proofread",
    "pgdp",
    "gutenberg",
    "etext",
    "ebook",
    "html",
    "internet archive",
    "scan",
    "email",
    "http",
    "www",
    "transcribed from the",
    "edition",
    "distributed",
    "ocr",
    "produced by",
    "prepared by",
    "transcribed by",
    "typed by",
    "updated",
    "gallica",
];

/// The most words of a paragraph of credits.
const MAX_CREDIT_WORDS: usize = 120;

/// The most consecutive paragraphs of credits.
const MAX_CREDITS: usize = 8;

fn is_credit(lines: &PlainLines<'_>, from: usize, to: usize) -> bool {
    let form = lines.form(from, to);
    let words = form.split(' ').count();
    if words > MAX_CREDIT_WORDS || !OPENINGS.iter().any(|opening| form.starts_with(opening)) {
        return false;
    }
    let is_shared = SHARED.iter().any(|opening| form.starts_with(opening));
    !is_shared || WORK.iter().any(|word| form.contains(word))
}

/// True for lines that contain only web addresses, as in notes about editions.
fn is_address(lines: &PlainLines<'_>, from: usize, to: usize) -> bool {
    let is_one = |text: &str| {
        let text = text.trim_matches(['(', ')', '<', '>']);
        text.starts_with("http") && !text.contains(' ') || text == "or"
    };
    from < to && lines.range(from, to).iter().all(|line| is_one(line.text))
}

/// The range of the book without the credits at either end, which exist only next to a header or footer.
pub(super) fn without_credits(lines: &PlainLines<'_>, head: usize, tail: usize) -> (usize, usize) {
    let (mut from, mut to) = (head, tail);
    if head > 0 {
        for _ in 0..MAX_CREDITS {
            let at = lines.skip_blank(from);
            let next = lines.paragraph_end(at).min(tail);
            let follows = from > head && is_address(lines, at, next);
            if at >= next || !is_credit(lines, at, next) && !follows {
                break;
            }
            from = next;
        }
    }
    if tail < lines.len() {
        let (_, end) = lines.trimmed(from, to);
        let start = lines.paragraph_start(end).max(from);
        if start < end && is_credit(lines, start, end) {
            to = start;
        }
    }
    (from, to)
}
