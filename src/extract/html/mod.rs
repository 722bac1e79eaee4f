//! HTML and XHTML: from a page's decoded text to Markdown or plain text, with the way back to its bytes.
//!
//! A page is tokenized with spans ([`tokenizer`]), made into a tree by html5ever's tree builder ([`parse`]), searched
//! for what it is about ([`main_content`]) and written out ([`render`], [`table`], [`writer`]). Everything here is
//! pure and iterates; nothing is fetched, no script runs, no style sheet is read.

mod chapter;
mod code;
mod cues;
mod letter;
mod main_content;
mod marks;
mod measure;
mod metadata;
mod parse;
mod pictures;
mod references;
mod render;
mod table;
mod tag;
mod tokenizer;
mod tree;
mod verse;
mod writer;

pub use chapter::{Chapter, read_chapter, read_marked};
pub use letter::read_letter;
pub use marks::{BookMarks, ReferenceFacts, is_note_type};

use crate::model::{Document, Segment, TextKind};
use crate::text::decode::{DeclaredIn, Hints, decode_all};
use main_content::Selection;
use render::Renderer;
use serde::{Deserialize, Serialize};
use writer::Writer;

/// How pages are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HtmlOptions {
    /// Markdown; plain text otherwise.
    pub markdown: bool,
    /// Only what the page is about; the whole body otherwise.
    pub main_content: bool,
}

impl Default for HtmlOptions {
    fn default() -> HtmlOptions {
        HtmlOptions { markdown: true, main_content: true }
    }
}

/// Reads a page from its bytes: decoded as it declares, parsed, made into Markdown or plain text.
pub fn read_page(bytes: &[u8], options: &HtmlOptions) -> Document {
    let hints = Hints { declared: None, format: DeclaredIn::Html };
    let (decoded, encoding, problems) = decode_all(bytes, &hints);
    let mut document = read_html(decoded, options);
    document.encoding = Some(encoding.name().to_owned());
    document.problems.extend(problems);
    document
}

/// Reads a page. Never fails: whatever the bytes are, a browser would show something, and so do we.
///
/// Cost: about linear in the size of the page; a node of the tree takes some 60 bytes, and its attributes.
pub fn read_html(decoded: Segment, options: &HtmlOptions) -> Document {
    let source = decoded.text.as_str();
    let is_xml = source.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with("<?xml");
    let tree = parse::parse(source, is_xml);
    let metadata = metadata::read(&tree, source);
    let selection = if options.main_content {
        Selection::main(&tree, source, metadata.is_article)
    } else {
        Selection::whole(&tree, source)
    };
    let writer = Writer::new(source, options.markdown);
    let written = Renderer::new(&tree, source, &selection, writer).finish();
    // The map of a large page is as large as its tree.
    drop((tree, selection));
    let text = written.segment(&decoded);
    let mime = if is_xml { "application/xhtml+xml" } else { "text/html" };
    Document {
        text,
        kind: Some(if options.markdown { TextKind::Markup } else { TextKind::Prose }),
        mime: Some(mime.to_owned()),
        metadata: metadata.entries,
        ..Document::default()
    }
}

#[cfg(test)]
mod tests;
