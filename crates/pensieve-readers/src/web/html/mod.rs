//! HTML and XHTML: from a page's decoded text to Markdown or plain text, with the way back to its bytes.
//!
//! A page is tokenized with spans ([`tokenizer`]), made into a tree by html5ever's tree builder ([`parse`]), searched
//! for what it is about ([`main_content`]) and written out ([`render`], [`table`], [`writer`]). Everything here is
//! pure and iterates; nothing is fetched, no script runs, no style sheet is read.

mod attributes;
mod chapter;
mod code;
mod cues;
mod dialect;
mod emphasis;
mod flat;
mod guard;
mod letter;
mod lists;
mod main_content;
mod marks;
mod measure;
mod metadata;
mod navigation;
mod notes;
mod page_breaks;
mod parse;
mod pictures;
mod raised;
mod references;
mod render;
mod table;
mod tag;
mod tokenizer;
mod tree;
mod verse;

pub use chapter::{Chapter, read_annotated, read_chapter};
pub use letter::read_mail_body;
pub use marks::{BookContext, NoteExtent, PageAnnotations};
pub use notes::source as note_words;
pub use notes::{LinkFacts, LinkKind, PageFacts, PlaceFacts};

use crate::markdown::{StreamWriter, WrittenText};
use crate::settings::HtmlOptions;
use main_content::Selection;
use pensieve_text::model::{Document, Problem, Segment, TextKind};
use pensieve_text::text::decode::{DeclarationFormat, EncodingHints, decode_all};
use render::Renderer;

/// Reads a page from its bytes: decoded as it declares, parsed, made into Markdown or plain text.
pub fn read_page(bytes: &[u8], options: &HtmlOptions) -> Document {
    in_one(|receive| read_page_to(bytes, options, receive))
}

/// The same, with the text of a page that has no tree in stretches: all but the last go to `receive`.
///
/// # Errors
/// What `receive` says.
pub fn read_page_to(bytes: &[u8], options: &HtmlOptions, receive: Receive<'_>) -> Result<Document, Problem> {
    let hints = EncodingHints { declared: None, format: DeclarationFormat::Html };
    let (decoded, encoding, problems) = decode_all(bytes, &hints);
    let mut document = read(decoded, options, receive)?;
    document.encoding = Some(encoding.name().to_owned());
    document.problems.extend(problems);
    Ok(document)
}

/// Reads a page. Never fails: whatever the bytes are, a browser would show something, and so do we.
///
/// Cost: about linear in the size of the page; a node of the tree takes some 60 bytes, and its attributes.
pub fn read_html(decoded: Segment, options: &HtmlOptions) -> Document {
    in_one(|receive| read(decoded, options, receive))
}

/// Takes a stretch of text; where it fails, reading ends.
type Receive<'r> = &'r mut dyn FnMut(Segment) -> Result<(), Problem>;

/// A page whose stretches are put together again.
fn in_one(read: impl FnOnce(Receive<'_>) -> Result<Document, Problem>) -> Document {
    let mut text = Segment::default();
    let read = read(&mut |stretch| {
        text.append(stretch);
        Ok(())
    });
    let mut document = read.expect("reading fails only where what receives does");
    if !text.text.is_empty() {
        text.append(std::mem::take(&mut document.text));
        document.text = text;
    }
    document
}

fn read(decoded: Segment, options: &HtmlOptions, receive: Receive<'_>) -> Result<Document, Problem> {
    let source = decoded.text.as_str();
    let is_xml = source.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with("<?xml");
    let (written, entries) = if flat::is_dense(source) {
        let mut receive = |written: WrittenText| receive(written.segment(&decoded));
        (flat::read(source, options.markdown, &mut receive)?, head(source, is_xml))
    } else {
        whole(source, is_xml, options)
    };
    let text = written.segment(&decoded);
    let mime = if is_xml { "application/xhtml+xml" } else { "text/html" };
    Ok(Document {
        text,
        kind: Some(if options.markdown { TextKind::Markup } else { TextKind::Prose }),
        mime: Some(mime.to_owned()),
        metadata: entries,
        ..Document::default()
    })
}

/// Bytes of a page read without a tree in which its metadata is looked for.
const HEAD: usize = 64 << 10;

/// The metadata of the beginning of a page.
fn head(source: &str, is_xml: bool) -> Vec<(String, String)> {
    let head = &source[..source.floor_char_boundary(HEAD)];
    metadata::read(&parse::parse(head, is_xml), head).entries
}

/// A page by its tree, which is gone when this is done: the map of a large page is as large.
fn whole(source: &str, is_xml: bool, options: &HtmlOptions) -> (WrittenText, Vec<(String, String)>) {
    let tree = parse::parse(source, is_xml);
    let metadata = metadata::read(&tree, source);
    let selection = match options.main_content {
        true => Selection::main(&tree, source, &metadata),
        false => Selection::whole(&tree, source),
    };
    let writer = StreamWriter::new(source, options.markdown);
    (Renderer::new(&tree, source, &selection, writer).finish(), metadata.entries)
}

#[cfg(test)]
mod tests;
