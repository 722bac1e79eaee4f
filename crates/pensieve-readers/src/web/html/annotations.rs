//! What the reader of a book knows of a page before it is rendered: its notes and their references, printed pages,
//! and the targets of the table of contents.
//!
//! References to notes become `[^1]`, notes `[^1]: ...`, page breaks `<!-- page 12 -->`, pictures and formulas their
//! alternative texts. Which links and places these are is decided with knowledge of the whole book (see
//! [`super::notes`]).

use std::collections::HashMap;

/// What a book knows of one of its pages.
pub(crate) struct BookContext<'m> {
    /// The annotations of its nodes.
    pub page: &'m PageAnnotations,
    /// Whether the table of contents links into the page that an address links to.
    pub has_entry_into: &'m dyn Fn(&str) -> bool,
    /// Whether the table of contents links to the element of this name.
    pub is_target: &'m dyn Fn(&str) -> bool,
}

/// The annotations of the nodes of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageAnnotations {
    /// References to notes by their numbers; those without a number are left out, as are links back to the text.
    pub references: HashMap<usize, Option<usize>>,
    /// The first node of each note.
    pub notes: HashMap<usize, NoteExtent>,
    /// How many bytes at the start of a text are left out: the labels of notes.
    pub cuts: HashMap<usize, usize>,
    /// Where printed pages begin, with their numbers.
    pub pages: HashMap<usize, String>,
}

/// A note of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoteExtent {
    /// Its number.
    pub number: usize,
    /// The node after it.
    pub end: usize,
}
