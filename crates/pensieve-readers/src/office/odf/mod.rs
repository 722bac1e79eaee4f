//! OpenDocument texts and presentations (`.odt` `.ott` `.odm` `.odp` `.otp`, and the flat `.fodt` `.fodp`) as Markdown.
//!
//! Owns the order of the parts: the body, its notes, comments, headers and footers. Sheets are read elsewhere;
//! drawings, scripts and linked files are not read. Source: OpenDocument 1.3 (OASIS), parts 2 and 3.

mod flow;
mod lists;
mod object;
mod package;
mod styles;
mod walk;
mod writer;

use crate::markdown::Block;
use crate::settings::ReadSettings;
use crate::source::{DocumentSink, DocumentSource};
use flow::PlacedBlock;
use package::OdfPackage;
pub(crate) use package::decode_xml;
use pensieve_text::model::{Document, Problem, ProblemKind};
use std::collections::HashSet;
use styles::Styles;
use walk::{BodyWalker, DeferredBlocks, WalkContext};
use writer::{BlockWriter, LineIndex, OdfPlaces};

/// Reads a text or a presentation.
///
/// # Errors
/// `Encrypted`, or `Damaged` if there is no body.
pub(crate) fn read(
    source: &mut DocumentSource<'_>,
    settings: &ReadSettings,
    sink: &mut dyn DocumentSink,
) -> Result<Document, Problem> {
    let mut package = OdfPackage::open(source)?;
    let content = std::mem::take(&mut package.content);
    if !content.contains("body") {
        let message = "the document has no body".to_owned();
        return Err(package.problems.pop().unwrap_or(Problem::new(ProblemKind::Damaged, message)));
    }
    let master = package.styles.take();
    let places = match package.is_flat {
        true => OdfPlaces::Lines(LineIndex::new(&content)),
        false => OdfPlaces::Part("content.xml".into()),
    };
    let mut writer = BlockWriter::new(sink, places);
    let mut styles = Styles::default();
    let is_text = settings.office.headers && !content.contains("<office:presentation");
    let mut headers = Vec::new();
    let mut read_headers = |part: &str, styles: &mut Styles, writer: &mut BlockWriter<'_>| {
        styles.read(part);
        if !is_text {
            return Ok(());
        }
        let context = WalkContext { styles, object: &mut |_| None, comments: false };
        headers = BodyWalker::new(part, context, writer).read_headers()?.0.headers;
        Ok::<(), Problem>(())
    };
    if let Some(master) = &master {
        read_headers(master, &mut styles, &mut writer)?;
        styles.read(&content);
    } else {
        read_headers(&content, &mut styles, &mut writer)?;
    }
    let object = &mut |address: &str| package.object(address);
    let context = WalkContext { styles: &mut styles, object, comments: settings.office.comments };
    let (deferred, broken) = BodyWalker::new(&content, context, &mut writer).read_body()?;
    write_deferred(&mut writer, deferred, headers, !package.is_flat && master.is_some())?;
    let (text, hidden) = writer.finish();
    let mut document = Document {
        text,
        metadata: std::mem::take(&mut package.metadata),
        problems: std::mem::take(&mut package.problems),
        review_reasons: std::mem::take(&mut package.review_reasons),
        ..Document::default()
    };
    hidden.note(&mut document);
    if let Some(why) = broken {
        document
            .problems
            .push(Problem::new(ProblemKind::Damaged, format!("`content.xml` breaks off: {why}")));
        document.note_skipped("the document's XML breaks off");
    }
    Ok(document)
}

/// Writes notes, comments, and headers and footers, of which each is written once.
fn write_deferred(
    writer: &mut BlockWriter<'_>,
    deferred: DeferredBlocks,
    headers: Vec<PlacedBlock>,
    is_in_styles: bool,
) -> Result<(), Problem> {
    for placed in deferred.notes.iter().chain(&deferred.comments) {
        writer.write(placed)?;
    }
    if is_in_styles {
        writer.set_part("styles.xml");
    }
    let mut seen = HashSet::new();
    for placed in &headers {
        let is_new = match &placed.0 {
            Block::Table(table) => seen.insert(format!("{table:?}")),
            // A page number alone is not text.
            block => block.words().is_some_and(|words| {
                let text = words.to_plain().trim().to_owned();
                text.contains(char::is_alphabetic) && seen.insert(text)
            }),
        };
        if is_new {
            writer.write(placed)?;
        }
    }
    Ok(())
}
