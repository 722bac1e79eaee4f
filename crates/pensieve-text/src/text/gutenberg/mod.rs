//! Project Gutenberg's own words around a book: header, licence and credits, found in all the forms that four decades
//! of texts have, and left out with their map.
//!
//! Nothing is cut unless it is known: the header ends at a marker, the footer begins at one, and what lies outside must
//! read like the words of the project. Where it does not, or where next to nothing of a book would be left, the text is
//! kept whole and a [`GutenbergFinding`] says so. Text inside the book is never touched. The forms are those of the files
//! themselves, from 1991 on; there is no specification.

mod credits;
mod header;
mod lines;
mod markers;
mod marks;
mod step;
mod wording;

pub use header::GutenbergHeader;
pub use marks::{TranscriberMarkOptions, drop_transcriber_marks};
pub use step::GutenbergStripper;

use crate::model::{Segment, Span, names};
use crate::text::edits::Edits;
use lines::Lines;

names! {
    /// What was found on the way, for those who judge the result.
    GutenbergFinding {
        /// There is no header of the project.
        NoHeader = "no_header",
        /// There is no footer of the project.
        NoFooter = "no_footer",
        /// The header has no marker at its end; it was told by its words.
        HeaderByWords = "header_by_words",
        /// A marker stands where the words around it are not the project's: nothing was cut there.
        DoubtfulHeader = "doubtful_header",
        /// The same at the end.
        DoubtfulFooter = "doubtful_footer",
        /// Next to nothing would have been left: nothing was cut.
        NothingLeft = "nothing_left",
        /// The text is too large to be looked at as a whole: nothing was cut.
        TooLarge = "too_large",
        /// Words of the project are left at the beginning or the end.
        Leftover = "leftover",
    }
}

impl GutenbergFinding {
    /// True where somebody should look at the text: it was kept because the cut was not sure.
    pub fn is_doubt(self) -> bool {
        !matches!(
            self,
            GutenbergFinding::NoHeader | GutenbergFinding::NoFooter | GutenbergFinding::HeaderByWords
        )
    }
}

/// Where the book lies in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookBody {
    /// The book, without blank lines around it.
    pub span: Span,
    /// What was found.
    pub findings: Vec<GutenbergFinding>,
}

/// Fewer words than this are no book: then the markers mean something else.
const LEAST_WORDS: usize = 25;

/// Finds the book inside the text of a file.
pub fn find_body(text: &str) -> BookBody {
    let lines = Lines::of(text);
    let mut findings = Vec::new();
    let head = markers::head_end(&lines, &mut findings);
    let tail = markers::tail_start(&lines, head, &mut findings);
    let (head, tail) = credits::around(&lines, head, tail);
    let (head, tail) = lines.trimmed(head, tail);
    let is_cut = head > 0 || tail < lines.len();
    if is_cut && lines.words(head, tail) < LEAST_WORDS {
        return BookBody { span: Span::new(0, text.len()), findings: vec![GutenbergFinding::NothingLeft] };
    }
    if wording::is_left_over(&lines, head, tail) {
        findings.push(GutenbergFinding::Leftover);
    }
    let span = if is_cut { lines.span(head, tail) } else { Span::new(0, text.len()) };
    BookBody { span, findings }
}

/// Cuts a text down to its book; the map of what is left leads where it led before.
pub fn strip_boilerplate(segment: Segment) -> (Segment, Vec<GutenbergFinding>) {
    let BookBody { span, findings } = find_body(&segment.text);
    let mut edits = Edits::default();
    if span.start > 0 {
        edits.loss(0, span.start);
    }
    if span.end < segment.text.len() {
        edits.loss(span.end, segment.text.len());
    }
    (edits.apply(segment), findings)
}

/// Reads what the header says about the book.
pub fn read_header(text: &str) -> GutenbergHeader {
    header::read(&Lines::of(text))
}

#[cfg(test)]
mod tests;
