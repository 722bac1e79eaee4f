//! HTML and XHTML: from a page's decoded text to Markdown or plain text, with a map back to its bytes.
//!
//! A page is tokenized with spans ([`parse::tokenizer`]), made into a tree by html5ever's tree builder ([`parse`]), searched
//! for its main content ([`main_content`]) and written ([`render`]). Everything here is pure and iterates;
//! nothing is fetched, no script runs, no linked style sheet is read.

mod annotations;
mod chapter;
mod hints;
mod mail_body;
mod main_content;
mod metadata;
mod notes;
mod parse;
mod reader;
mod render;
mod visibility;

pub(crate) use annotations::{BookContext, NoteExtent, PageAnnotations};
pub(crate) use chapter::{Chapter, read_annotated, read_chapter};
pub(crate) use mail_body::read_mail_body;
pub(crate) use notes::{LinkFacts, LinkKind, PageFacts, PlaceFacts, RaisedSign, placeholders as note_words};
pub use reader::read_html;
pub(crate) use reader::{read_page, read_page_to};
pub(crate) use visibility::concealment::style_sheet::StyleSheet;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod element_tests;
