//! HTML and XHTML: from a page's decoded text to Markdown or plain text, with a map back to its bytes.
//!
//! A page is tokenized with spans ([`tokenizer`]), made into a tree by html5ever's tree builder ([`parse`]), searched
//! for its main content ([`main_content`]) and written ([`render`], [`table`]). Everything here is pure and iterates;
//! nothing is fetched, no script runs, no linked style sheet is read.

mod anchors;
mod annotations;
mod attributes;
mod chapter;
mod character_references;
mod check_boxes;
mod code;
mod colours;
mod confluence;
mod concealment;
mod ground;
mod content_selection;
mod dialect;
mod drawing;
mod emphasis;
mod formula_forms;
mod formulas;
mod google_docs;
mod hidden;
mod hidden_words;
mod inline_elements;
mod known_pictures;
mod list_levels;
mod lists;
mod mail_body;
mod mail_marks;
mod main_content;
mod metadata;
mod name_hints;
mod name_words;
mod navigation;
mod note_queue;
mod notes;
mod page;
mod page_end;
mod page_kind;
mod page_numbers;
mod parse;
mod pictures;
mod prose;
mod reader;
mod render;
mod repeated_text;
mod streaming;
mod superscript;
mod table;
mod table_writer;
mod tag;
mod tag_filter;
mod tokenizer;
mod tree;
mod unmarked_verse;
mod verse;
mod word_index;

pub(crate) use annotations::{BookContext, NoteExtent, PageAnnotations};
pub(crate) use chapter::{Chapter, read_annotated, read_chapter};
pub(crate) use concealment::style_sheet::StyleSheet;
pub(crate) use mail_body::read_mail_body;
pub(crate) use notes::placeholders as note_words;
pub(crate) use notes::{LinkFacts, LinkKind, PageFacts, PlaceFacts, RaisedSign};
pub use reader::read_html;
pub(crate) use reader::{read_page, read_page_to};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod element_tests;
