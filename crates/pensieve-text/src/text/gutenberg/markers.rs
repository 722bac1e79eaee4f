//! Where the header ends and where the footer begins.
//!
//! A marker counts by its wording and its position. A file may have several: the header is followed from the first to
//! the last, the footer from the last to the first, as long as the text between them reads like the project's words.

use super::finding::GutenbergFinding;
use super::header;
use super::lines::{PlainLine, PlainLines};
use super::wording::{count_cues, is_official};

/// The beginnings of lines that end the header.
const STARTS: &[&str] = &[
    "start of the project gutenberg",
    "start of this project gutenberg",
    "start of project gutenberg",
    "start of the projekt gutenberg",
    "start of the copyrighted project gutenberg",
    "start of this copyrighted project gutenberg",
    "beginning of the project gutenberg",
    "beginning of this project gutenberg",
];

/// The beginnings of lines that end the small print, and with it the header of the nineties.
const SMALL_PRINT_ENDS: &[&str] = &["end the small print", "end small print", "end of the small print"];

/// The beginnings of lines that end the book, in the languages of the project.
const ENDS: &[&str] = &[
    "end of the project gutenberg",
    "end of this project gutenberg",
    "end of project gutenberg",
    "end of the copyrighted project gutenberg",
    "end of this copyrighted project gutenberg",
    "end of the etext of",
    "end of this etext of",
    "end of this etext",
    "end of the projekt gutenberg",
    "this is the end of the project gutenberg",
    "this is the end of project gutenberg",
    "ende dieses project gutenberg",
    "ende dieses projekt gutenberg",
    "ende des project gutenberg",
    "ende des projekt gutenberg",
    "ende von project gutenberg",
    "ende dieser project gutenberg",
    "ende diese project gutenberg",
    "fin de project gutenberg",
    "fin du project gutenberg",
    "fin du projet gutenberg",
    "fin de ce project gutenberg",
    "fine del project gutenberg",
    "fine del progetto gutenberg",
    "fin del project gutenberg",
    "fin del proyecto gutenberg",
    "fim do project gutenberg",
    "einde van het project gutenberg",
    "einde van project gutenberg",
    "project gutenberg loppu",
];

/// The beginnings of lines that begin the text after a book.
const LICENCES: &[&str] = &[
    "start full license",
    "start full licence",
    "the full project gutenberg license",
    "start the small print",
    "this file should be named",
    "updated editions will replace the previous one",
    "creating the works from public domain",
    "creating the works from print editions",
    "section 1 general terms of use and redistributing project gutenberg",
    "this is a copyrighted project gutenberg",
    "more information about this book is at the top of this file",
];

/// The longest header; the longest of the nineties have 20 KB.
const MAX_HEADER_BYTES: usize = 48 << 10;

/// The most lines that a marker may have.
const MAX_MARKER_LINES: usize = 5;

fn begins(form: &str, wordings: &[&str]) -> bool {
    wordings.iter().any(|wording| {
        form.strip_prefix(wording)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric) || wording.ends_with("gutenberg"))
    })
}

/// True for a line that looks like a marker: it begins with a sign, or its first words are capitals.
fn looks_like_marker(line: PlainLine<'_>) -> bool {
    line.text.starts_with(['*', '<', '[', '=', '-'])
        || line.text.split(' ').take(2).all(|word| word.chars().all(|c| !c.is_lowercase()))
}

/// The wording of a marker that begins at `at`, across line ends.
fn wording(lines: &PlainLines<'_>, at: usize) -> String {
    let end = lines.paragraph_end(at).min(at + MAX_MARKER_LINES);
    lines.form(at, end)
}

/// The line after a marker that begins at `at`: a wrapped marker ends with stars.
fn after_marker(lines: &PlainLines<'_>, at: usize) -> usize {
    let Some(first) = lines.get(at) else { return at };
    let opens = first.text.starts_with("**");
    let closes = |line: &PlainLine<'_>| line.text.ends_with("**");
    if !opens || first.text.trim_start_matches('*').contains("**") {
        return at + 1;
    }
    let paragraph = lines.range(at, lines.paragraph_end(at).min(at + MAX_MARKER_LINES));
    match paragraph.iter().position(closes) {
        Some(last) => at + last + 1,
        None if paragraph.len() <= 3 && lines.paragraph_end(at) == at + paragraph.len() => {
            at + paragraph.len()
        }
        None => at + 1,
    }
}

fn is_start(lines: &PlainLines<'_>, at: usize) -> bool {
    let Some(line) = lines.get(at).filter(|line| !line.is_blank() && looks_like_marker(*line)) else {
        return false;
    };
    let form = line.form();
    if begins(&form, SMALL_PRINT_ENDS) {
        return true;
    }
    (form.starts_with("start of") || form.starts_with("beginning of")) && begins(&wording(lines, at), STARTS)
}

/// True if the book ends before this line.
fn is_end(lines: &PlainLines<'_>, at: usize) -> bool {
    let Some(line) = lines.get(at).filter(|line| !line.is_blank()) else { return false };
    let form = line.form();
    let looks = ["end", "fin", "this is the end", "einde", "project gutenberg loppu"];
    if !looks.iter().any(|look| form.starts_with(look)) || !begins(&wording(lines, at), ENDS) {
        return false;
    }
    // A line in the middle of a paragraph is prose about the project, unless it looks like a marker.
    looks_like_marker(line) || at == 0 || lines.get(at - 1).is_some_and(PlainLine::is_blank)
}

fn is_licence(lines: &PlainLines<'_>, at: usize) -> bool {
    lines.get(at).is_some_and(|line| !line.is_blank() && begins(&line.form(), LICENCES))
}

/// The first line after the header; 0 if there is none.
pub(super) fn head_end(lines: &PlainLines<'_>, findings: &mut Vec<GutenbergFinding>) -> usize {
    let limit = lines.range(0, lines.len()).partition_point(|line| line.start <= MAX_HEADER_BYTES);
    let stop = (0..limit).find(|&at| is_end(lines, at) && !is_start(lines, at)).unwrap_or(limit);
    let mut end = 0;
    for at in (0..stop).filter(|&at| is_start(lines, at)) {
        if is_official(lines, end, at) {
            end = after_marker(lines, at);
        } else if end == 0 {
            findings.push(GutenbergFinding::DoubtfulHeader);
            return 0;
        }
    }
    if end > 0 {
        return end;
    }
    let end = header::end_by_words(lines, stop);
    findings.push(if end > 0 { GutenbergFinding::HeaderByWords } else { GutenbergFinding::NoHeader });
    end
}

/// The first line of the footer; the number of lines if there is none.
pub(super) fn tail_start(lines: &PlainLines<'_>, head: usize, findings: &mut Vec<GutenbergFinding>) -> usize {
    let mut tail = lines.len();
    let mut doubtful = false;
    for at in (head..lines.len()).rev() {
        let is_end = is_end(lines, at);
        if !is_end && !is_licence(lines, at) {
            continue;
        }
        if !is_official(lines, at, tail) || !is_end && count_cues(lines, at, tail).1 == 0 {
            doubtful |= tail == lines.len();
            continue;
        }
        tail = at;
    }
    if tail == lines.len() {
        findings.push(if doubtful { GutenbergFinding::DoubtfulFooter } else { GutenbergFinding::NoFooter });
    }
    tail
}
