//! What a page says of its links and its places, as far as notes are concerned: which links may be references, and what
//! the elements are that they might lead to.
//!
//! Owns the facts of one page; which of them make a note is decided where all pages of a book are known. A reference is
//! a link of few signs; a note is a paragraph, an item, a row or a part. Types are those of EPUB SSV and DPUB-ARIA.

mod element;
mod facts;
mod link;
mod note_place;
mod note_section;
mod note_sign;
pub mod placeholders;

pub use facts::PageFacts;
pub use link::{LinkFacts, LinkKind};
pub use note_place::PlaceFacts;
