//! FictionBook 2: bodies in their order, sections as headings, notes as footnotes, with a map back to the bytes.
//!
//! The file is one XML text in any encoding, often windows-1251, or a ZIP of one. Bodies that are named as notes
//! become footnotes of the references to them. Pictures (base64 at the end) are not read. After FictionBook 2.1 and
//! 2.2 (gribuser.ru, fictionbook.org); what is not well-formed is repaired as [`crate::shared::xml`] does.

mod body;
mod description;

use crate::limits::fb2::{MAX_BOOK_BYTES, MAX_BOOKS};
use crate::settings::ReadSettings;
use crate::shared::archive::Archive;
use crate::shared::part::placed;
use crate::source::{DocumentSink, DocumentSource};
use body::{BodyReader, SegmentCallback};
use description::BookDescription;
use pensieve_text::model::{Document, Locator, Problem, ProblemKind, Segment, Span, TextKind};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all, has_zero_block};

/// Reads a book, or the books of a package.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    _: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut magic = [0; 4];
    let file = source.file()?;
    let is_package = file.read_exact(&mut magic).is_ok() && magic.starts_with(b"PK");
    match is_package {
        true => read_package(source, sink),
        false => read_bytes(source.bytes()?, &mut |segment| sink.text(segment)),
    }
}

/// Reads the book, or the books, in a package; each segment is placed by its part.
fn read_package(source: &mut DocumentSource<'_>, sink: &mut dyn DocumentSink) -> Result<Document, Problem> {
    let mut archive = Archive::open(source)?;
    let is_book = |name: &&String| name.to_ascii_lowercase().ends_with(".fb2");
    let mut names: Vec<String> = archive.names().iter().filter(is_book).take(MAX_BOOKS).cloned().collect();
    if names.is_empty() {
        names.extend(archive.names().iter().find(|name| !name.ends_with('/')).cloned());
    }
    let mut whole: Option<Document> = None;
    let mut failed = None;
    for name in names {
        let (bytes, problem) = match archive.salvage(&name) {
            Ok(found) => found,
            Err(problem) => {
                failed.get_or_insert(problem);
                continue;
            }
        };
        let locate = |bytes: Option<Span>| Locator::part(name.as_str(), bytes);
        if let Some(whole) = &mut whole {
            let mut before = std::mem::take(&mut whole.text);
            before.append(Segment { text: "\n".to_owned(), ..Segment::default() });
            sink.text(before)?;
        }
        let mut document = read_bytes(bytes, &mut |segment| sink.text(placed(segment, &locate)))?;
        document.problems.extend(problem);
        document.text = placed(document.text, &locate);
        match &mut whole {
            None => whole = Some(document),
            Some(whole) => {
                whole.text = document.text;
                whole.problems.extend(document.problems);
                whole.review_reasons.extend(document.review_reasons);
            }
        }
    }
    let nothing = || Problem::new(ProblemKind::Damaged, "the package has no book");
    let mut document = whole.ok_or_else(|| failed.clone().unwrap_or_else(nothing))?;
    document.encoding = None;
    document.problems.extend(failed);
    Ok(document)
}

/// Reads a book from its bytes.
fn read_bytes(mut bytes: Vec<u8>, hand_over: SegmentCallback<'_>) -> Result<Document, Problem> {
    let is_cut = cut_pictures(&mut bytes);
    let too_long = (bytes.len() > MAX_BOOK_BYTES).then(|| {
        let message = format!("{} bytes of text, of which {MAX_BOOK_BYTES} were read", bytes.len());
        Problem::new(ProblemKind::SizeLimit, message)
    });
    bytes.truncate(MAX_BOOK_BYTES);
    bytes.shrink_to_fit();
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Xml };
    let (decoded, encoding, mut problems) = decode_all(&bytes, &hints);
    let has_lost_block = has_zero_block(&bytes);
    drop(bytes);
    problems.extend(too_long);
    let description = BookDescription::read(&decoded.text);
    let (text, broken) = BodyReader::read(&decoded, &description, hand_over)?;
    if text.text.is_empty() && !decoded.text.contains("<FictionBook") {
        problems.push(Problem::new(ProblemKind::Damaged, "no FictionBook: it has no such element"));
    }
    let mut document = Document {
        text,
        kind: Some(TextKind::Markup),
        encoding: Some(encoding.name().to_owned()),
        mime: Some("application/x-fictionbook+xml".to_owned()),
        metadata: description.metadata,
        problems,
        ..Document::default()
    };
    if has_lost_block {
        document.note_damage("a block of the book is nothing but zeros");
    } else if let Some(why) = broken.filter(|_| !is_cut) {
        document.note_damage(why);
    }
    Ok(document)
}

/// Pictures follow the bodies, and are most of a file: they are cut off before anything is decoded.
fn cut_pictures(bytes: &mut Vec<u8>) -> bool {
    let Some(first) = memchr::memmem::find(bytes, b"<binary") else { return false };
    let is_last = memchr::memmem::find(&bytes[first..], b"<body").is_none()
        && memchr::memmem::find(&bytes[first..], b"</body").is_none();
    if is_last {
        bytes.truncate(first);
    }
    is_last
}

#[cfg(test)]
mod tests;
