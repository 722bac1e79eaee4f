//! Parts of other formats that a document includes (`altChunk`): HTML pages, plain text, documents.
//!
//! Source: ECMA-376 part 1, section 17.17.2. Web archives (MHTML) and RTF are reported as skipped.

use super::context::DocumentContext;
use crate::limits::docx::{
    MAX_INSERTED_BYTES, MAX_INSERTED_DEPTH, MAX_INSERTED_PAGE_BYTES, MAX_INSERTED_TEXT_BYTES,
};
use crate::settings::HtmlOptions;
use crate::source::{DocumentSink, DocumentSource};
use crate::web::html::read_page;
use pensieve_text::model::{ContainerMember, Problem, ProblemKind, Segment};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use std::io::Cursor;

/// The text of an inserted part.
pub(super) enum InsertedContent {
    Markdown(String),
    Plain(String),
    /// Why it is not read.
    Unread(String),
}

/// Reads a part; its first bytes and its name determine its format.
pub(super) fn read_inserted(context: &mut DocumentContext<'_>, part: &str) -> InsertedContent {
    let bytes = match context.package.bytes(part) {
        Ok((bytes, _)) => bytes,
        Err(problem) => return InsertedContent::Unread(problem.message),
    };
    context.inserted = context.inserted.saturating_add(bytes.len());
    if context.inserted > MAX_INSERTED_BYTES {
        return InsertedContent::Unread(format!("`{part}`: too much is inserted"));
    }
    let ending = part.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    let head: Vec<u8> = bytes.iter().take(200).map(u8::to_ascii_lowercase).collect();
    let begins = |mark: &[u8]| head.starts_with(mark);
    let holds = |mark: &[u8]| memchr::memmem::find(&head, mark).is_some();
    if begins(b"pk\x03\x04") {
        return nested(context, bytes, part);
    }
    if begins(b"{\\rtf") || begins(b"mime-version") || begins(b"from:") || ending.starts_with("mht") {
        return InsertedContent::Unread(format!("`{part}` is not read"));
    }
    if holds(b"<html")
        || holds(b"<!doctype")
        || holds(b"<body")
        || matches!(ending.as_str(), "htm" | "html" | "xhtml")
    {
        if bytes.len() > MAX_INSERTED_PAGE_BYTES {
            return InsertedContent::Unread(format!("`{part}`: the page is too large"));
        }
        let options = HtmlOptions { markdown: true, main_content: false };
        return InsertedContent::Markdown(read_page(&bytes, &options).text.text);
    }
    if matches!(ending.as_str(), "txt" | "text" | "dat") {
        let (segment, _, _) =
            decode_all(&bytes, &EncodingHints { declared: None, format: DeclarationFormat::default() });
        return InsertedContent::Plain(segment.text);
    }
    InsertedContent::Unread(format!("`{part}` is not read"))
}

/// Keeps the text of an inserted document, up to a limit.
struct TextCollector(String);

impl DocumentSink for TextCollector {
    fn text(&mut self, segment: Segment) -> Result<(), Problem> {
        if self.0.len() + segment.text.len() > MAX_INSERTED_TEXT_BYTES {
            return Err(Problem::new(ProblemKind::SizeLimit, "its text is too long"));
        }
        self.0.push_str(&segment.text);
        Ok(())
    }

    fn member(&mut self, _: ContainerMember) -> Result<(), Problem> {
        Ok(())
    }
}

fn nested(context: &DocumentContext<'_>, bytes: Vec<u8>, part: &str) -> InsertedContent {
    if context.depth >= MAX_INSERTED_DEPTH {
        return InsertedContent::Unread(format!("`{part}` lies too deep"));
    }
    let (mut file, mut collected) = (Cursor::new(bytes), TextCollector(String::new()));
    let read = DocumentSource::new(&mut file, part).and_then(|mut source| {
        (context.read_document)(&mut source, context.options.clone(), context.depth + 1, &mut collected)
    });
    match read {
        Ok(document) => InsertedContent::Markdown(collected.0 + &document.text.text),
        Err(problem) => InsertedContent::Unread(format!("`{part}`: {}", problem.message)),
    }
}
