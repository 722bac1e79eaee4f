//! Facts of a page that matter for notes: which links may be references, and what their possible targets are.
//!
//! Owns the facts of one page; which of them make a note is decided with knowledge of all pages of a book. A
//! reference is a link with few characters; a note is a paragraph, an item, a row or a section. Types are those of
//! EPUB SSV and DPUB-ARIA.

mod element;
mod facts;
mod link;
mod note_place;
mod note_section;
mod note_sign;
pub mod placeholders;
mod raised;

pub(crate) use facts::PageFacts;
pub(crate) use link::{LinkFacts, LinkKind};
pub(crate) use note_place::PlaceFacts;
pub(crate) use raised::RaisedSign;
