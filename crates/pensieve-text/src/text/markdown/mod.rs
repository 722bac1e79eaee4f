//! Markdown by lines: fences of code, and the way back from Markdown to words.
//!
//! Whoever reads Markdown without building a tree uses this module: cleaning, chunking, rules of `ragmd`, headings of books
//! and the text of mails.

mod fences;
mod plain;

pub(crate) use fences::{CodeFence, LineStart, is_indented, line_start, state_after};
pub use fences::{FencePosition, FenceTracker};
pub use plain::{heading_words, page_of_markdown, plain_of_markdown};
