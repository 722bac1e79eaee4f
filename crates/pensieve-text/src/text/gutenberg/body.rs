//! Finds the book inside the text of a file, and cuts the text down to it.

use super::finding::GutenbergFinding;
use super::header::{self, GutenbergHeader};
use super::lines::PlainLines;
use super::{credits, markers, wording};
use crate::model::{Segment, Span};
use crate::text::edits::Edits;

/// Where the book is in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GutenbergBody {
    /// The book, without blank lines around it.
    pub span: Span,
    /// Findings about the header and the footer.
    pub findings: Vec<GutenbergFinding>,
}

/// A text of fewer words is not a book, and its markers mean something else.
const MIN_BOOK_WORDS: usize = 25;

/// Finds the book inside the text of a file.
pub fn find_body(text: &str) -> GutenbergBody {
    let lines = PlainLines::of(text);
    let mut findings = Vec::new();
    let head = markers::head_end(&lines, &mut findings);
    let tail = markers::tail_start(&lines, head, &mut findings);
    let (head, tail) = credits::without_credits(&lines, head, tail);
    let (head, tail) = without_fences(&lines, head, tail);
    let (head, tail) = lines.trimmed(head, tail);
    let is_cut = head > 0 || tail < lines.len();
    if is_cut && lines.words(head, tail) < MIN_BOOK_WORDS {
        return GutenbergBody {
            span: Span::new(0, text.len()),
            findings: vec![GutenbergFinding::NothingLeft],
        };
    }
    if wording::has_leftovers(&lines, head, tail) {
        findings.push(GutenbergFinding::Leftover);
    }
    let span = if is_cut { lines.span(head, tail) } else { Span::new(0, text.len()) };
    GutenbergBody { span, findings }
}

/// A book in Markdown may have its header or footer in a block of code, of which one fence is left.
fn without_fences(lines: &PlainLines<'_>, head: usize, tail: usize) -> (usize, usize) {
    let is_fence = |at: usize| {
        lines.get(at).is_some_and(|line| line.text.len() > 2 && line.text.bytes().all(|byte| byte == b'`'))
    };
    let (first, last) = lines.trimmed(head, tail);
    let head = if head > 0 && first < last && is_fence(first) { first + 1 } else { head };
    let is_cut = tail < lines.len() && last > first + 1 && is_fence(last - 1);
    (head, if is_cut { last - 1 } else { tail })
}

/// Cuts a text down to its book; the map of the rest still leads to the source.
pub fn strip_boilerplate(segment: Segment) -> (Segment, Vec<GutenbergFinding>) {
    let GutenbergBody { span, findings } = find_body(&segment.text);
    let mut edits = Edits::default();
    if span.start > 0 {
        edits.loss(0, span.start);
    }
    if span.end < segment.text.len() {
        edits.loss(span.end, segment.text.len());
    }
    (edits.apply(segment), findings)
}

/// Reads the fields of the header.
pub fn read_header(text: &str) -> GutenbergHeader {
    header::read(&PlainLines::of(text))
}
