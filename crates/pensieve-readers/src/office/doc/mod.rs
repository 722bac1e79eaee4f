//! Word documents before OOXML: Word 97 to 2003; Word 6 and 95 with fewer formats; Word 1 and 2 and Windows Write as
//! plain text. Pictures, embedded objects and text tracked as deleted are left out.
//!
//! Format: [MS-DOC]. The head ([`fib`]) has the positions of the tables ([`tables`]): pieces of text ([`pieces`]),
//! formats of characters and paragraphs ([`property_runs`], [`properties`]), styles ([`styles`]), lists ([`lists`]);
//! [`story`] turns them into blocks.

mod bytes;
mod tables;
mod fib;
mod lists;
mod pieces;
mod property_runs;
mod properties;
mod story;
mod styles;

use crate::limits::doc::MAX_PLAIN_FILE_BYTES;
use crate::markdown::{Block, MarkdownDraft, SEGMENT_BYTES};
use crate::settings::ReadSettings;
use crate::shared::back_matter::BackMatter;
use crate::shared::bytes::u32_le;
use crate::shared::codepage;
use crate::shared::ole::{self, Compound};
use crate::source::{DocumentSink, DocumentSource};
use fib::{Fib, FibTable, StoryKind};
use lists::ListTable;
use pensieve_text::model::{Document, Locator, Problem, ProblemKind, TextKind};
use std::io::Read;
use story::StoryReader;
use tables::WordDocument;

/// Reads a Word document.
///
/// # Errors
/// `Encrypted`; `Damaged` if there is no Word document in the file.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut head = Vec::new();
    let read = source.file()?.take(8).read_to_end(&mut head);
    read.map_err(|error| Problem::new(ProblemKind::Io, format!("cannot read: {error}")))?;
    if !Compound::is_compound(&head) {
        return read_plain(source, settings, sink);
    }
    let mut compound = Compound::open(source)?;
    let Some(entry) = compound.find("WordDocument") else { return Err(no_document(&compound)) };
    let stream = compound.read(entry)?;
    let Some(fib) = Fib::parse(&stream) else {
        return Err(Problem::new(ProblemKind::Damaged, "the head of the Word document is missing or broken"));
    };
    let word = WordDocument::read(&mut compound, fib, stream)?;
    let mut document = write(&word, settings, sink)?;
    document.metadata = ole::metadata(&mut compound);
    for damage in compound.damage() {
        document.report(Problem::new(ProblemKind::Damaged, damage.clone()));
    }
    Ok(document)
}

/// Why a compound file has no Word document.
fn no_document(compound: &Compound<'_>) -> Problem {
    if compound.find("EncryptedPackage").is_some() {
        return Problem::new(
            ProblemKind::Encrypted,
            "the document is encrypted with a password (OOXML package)",
        );
    }
    Problem::new(ProblemKind::Damaged, "the OLE2 compound file has no Word document")
}

/// Reads documents of Word 1 and 2 and of Windows Write: their text as one piece, without its formats.
fn read_plain(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    if source.size() > MAX_PLAIN_FILE_BYTES {
        return Err(Problem::new(ProblemKind::Damaged, "no Word document: it is no OLE2 compound file"));
    }
    let bytes = source.bytes()?;
    if matches!(bytes.get(..4), Some([0x31 | 0x32, 0xbe, 0, 0])) {
        return Ok(read_write(&bytes));
    }
    let Some(fib) = Fib::parse(&bytes) else {
        return Err(Problem::new(
            ProblemKind::Damaged,
            "no Word document: neither a compound file nor an older one",
        ));
    };
    if fib.is_encrypted {
        return Err(Problem::new(
            ProblemKind::Encrypted,
            "the document is encrypted with a password (Word 2)",
        ));
    }
    let word = WordDocument::without_tables(fib, bytes);
    let mut document = write(&word, settings, sink)?;
    let detail = "a document of an older Word: its text was read without formats";
    document.note_skipped(detail);
    Ok(document)
}

/// Windows Write: text from byte 128 to the position in the head, in the code page of Windows.
fn read_write(bytes: &[u8]) -> Document {
    let end = u32_le(bytes, 14).map_or(bytes.len(), |end| (end as usize).clamp(128, bytes.len().max(128)));
    let text = codepage::decode(codepage::WESTERN, bytes.get(128..end.min(bytes.len())).unwrap_or_default());
    let mut draft = MarkdownDraft::new();
    let text = text.replace("\r\n", "\n");
    let lines = text.split(['\r', '\n', '\u{c}']).zip(1..);
    for (line, paragraph) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        let line: String = line.chars().filter(|c| *c >= ' ' || *c == '\t').collect();
        draft.place(Some(Locator::Paragraphs { first: paragraph, last: paragraph }));
        draft.push(&Block::Paragraph(crate::markdown::Words::plain(line)));
    }
    Document { text: draft.finish(), kind: Some(TextKind::Markup), ..Document::default() }
}

fn write(
    word: &WordDocument,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let lists = ListTable::parse(
        word.tables(),
        word.fib.place(FibTable::ListTable),
        word.fib.place(FibTable::ListUses),
    );
    let mut reader = StoryReader::new(word, lists, word.references());
    let mut draft = MarkdownDraft::new();
    reader.body(body_of(word), &mut |blocks| {
        blocks.iter().for_each(|numbered| numbered.write(&mut draft));
        if draft.len() > SEGMENT_BYTES { sink.text(draft.take()) } else { Ok(()) }
    })?;
    draft.place(None);
    back_matter_of(word, &mut reader).write(&mut draft, &settings.office);
    let mut document = Document {
        text: draft.finish(),
        kind: Some(TextKind::Markup),
        problems: word.problems.clone(),
        review_reasons: word.review_reasons.clone(),
        ..Document::default()
    };
    std::mem::take(&mut reader.hidden).note(&mut document);
    if word.has_lost_text() {
        document.note_damage("a block of the text is nothing but zeros");
    }
    if word.has_lost_tables() {
        document.note_damage("a block of the tables of formats is nothing but zeros");
    }
    Ok(document)
}

/// The characters of the body; all characters if the head does not say which.
fn body_of(word: &WordDocument) -> std::ops::Range<u32> {
    let body = word.fib.story(StoryKind::Body);
    let end = word.pieces.last().map_or(0, |piece| piece.characters.end);
    if body.is_empty() || word.is_guessed { 0..end } else { body }
}

fn back_matter_of(word: &WordDocument, reader: &mut StoryReader<'_>) -> BackMatter {
    let mut back_matter = BackMatter::default();
    if word.is_guessed {
        return back_matter;
    }
    // The first six are the lines between text and notes. Then there are six for each section: headers and footers of
    // even and odd pages, then those of the first page.
    for (at, range) in word.ranges(FibTable::Headers, 0, StoryKind::Headers).into_iter().enumerate().skip(6) {
        if range.is_empty() {
            continue;
        }
        let blocks = reader.read_story(range);
        match (at - 6) % 6 {
            0 | 1 | 4 => back_matter.headers.push(blocks),
            _ => back_matter.footers.push(blocks),
        }
    }
    back_matter.headers.push(reader.read_story(word.fib.story(StoryKind::HeaderTextBoxes)));
    for (author, range) in word.comments() {
        back_matter.comments.push((author, reader.read_story(range)));
    }
    back_matter
}

#[cfg(test)]
mod tests;
