//! Markdown by lines: fenced code, and the conversion from Markdown back to words.
//!
//! It serves all code that reads Markdown without building a tree: cleaning, chunking, rules of `ragmd`, headings of
//! books and the text of mails.

mod baseline_shift;
mod fences;
mod headings;
mod plain;

pub use baseline_shift::BaselineShift;
pub(crate) use fences::{CodeFence, LineStart, is_indented, line_start, state_after};
pub use fences::{FencePosition, FenceTracker};
pub use headings::atx_heading;
pub use plain::{heading_words, page_of_markdown, plain_of_markdown};
