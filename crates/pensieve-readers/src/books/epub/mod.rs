//! EPUB books, 2 and 3: the parts of the spine in their order, with headings and places.
//!
//! The package document lists the parts in reading order ([`package`]); each part goes as a whole through the HTML
//! reader ([`chapter`]); the table of contents ([`contents`]) gives headings to chapters that have none
//! ([`headings`]). What is missing or broken is reported and skipped. Encrypted books are refused with the name of
//! their scheme ([`container`]); no encryption is removed. Pictures become their alternative texts, style
//! sheets say what nobody can see, scripts are not read, nothing is fetched. After EPUB 3.3 (W3C) and, for the books before, OPS, OPF and OCF 2.0.1
//! (IDPF).

mod book;
mod book_contents;
mod chapter;
mod container;
mod contents;
pub(crate) mod headings;
mod notes;
mod package;
mod page_notes;
mod pages;
mod path;
mod plain;
mod toc_targets;

pub(crate) use book::Book;
pub use book_contents::CONTENTS;
pub use headings::entitled;
pub use pages::{PageDepth, PlacedPage, page_parts};

use crate::limits::epub::{MAX_PROBLEMS, SEGMENT_BYTES};
use crate::settings::{BookMode, ReadSettings};
use crate::source::{DocumentSink, DocumentSource};
use pensieve_text::model::{Document, Problem, ProblemKind, Segment, TextKind};

/// Reads a book.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut book = Book::open(source)?;
    let mut document = Document {
        kind: Some(if settings.html.markdown { TextKind::Markup } else { TextKind::Prose }),
        mime: Some("application/epub+zip".to_owned()),
        metadata: book.metadata(),
        review_reasons: book.review_reasons.clone(),
        ..Document::default()
    };
    if settings.book != BookMode::Text {
        document.metadata.extend(book.find_marks());
    }
    let mut problems = book.problems.clone();
    let (mut read, mut has_text) = (0, false);
    for at in 0..book.package.spine.len() {
        let part = match settings.book {
            BookMode::Pages => book.source_of(at),
            BookMode::Text | BookMode::Marked => book.text_of(at, &settings.html),
        };
        match part {
            Ok(part) => {
                read += usize::from(part.is_read);
                problems.extend(part.problems);
                append(&mut document.text, part.text, has_text);
                has_text |= !document.text.text.is_empty();
            }
            Err(problem) => problems.push(problem),
        }
        if document.text.text.len() > SEGMENT_BYTES && settings.html.markdown {
            sink.text(std::mem::take(&mut document.text))?;
        }
    }
    if read == 0
        && let Some(first) = problems.first()
    {
        return Err(first.clone());
    }
    if problems.len() > MAX_PROBLEMS {
        let more = format!("{} more parts of the book have problems", problems.len() - MAX_PROBLEMS);
        problems.truncate(MAX_PROBLEMS);
        problems.push(Problem::new(ProblemKind::Damaged, more));
    }
    let failed = book.package.spine.len() - read;
    if failed > 0 {
        document.note_skipped(format!("{failed} of {} parts", failed + read));
    }
    document.problems = problems;
    std::mem::take(&mut book.hidden).note(&mut document);
    book.report_contents(&mut document);
    Ok(document)
}

/// Adds the text of a part after a blank line.
fn append(whole: &mut Segment, part: Segment, has_more_before: bool) {
    if part.text.is_empty() {
        return;
    }
    if has_more_before {
        whole.append(Segment { text: "\n".to_owned(), ..Segment::default() });
    }
    whole.append(part);
}

#[cfg(test)]
mod tests;
