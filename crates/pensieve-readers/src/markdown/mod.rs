//! Markdown, written by one set of rules for every reader.
//!
//! There are two writers. [`MarkdownDraft`] takes blocks ([`Block`]) from readers of office formats, books and mail.
//! [`StreamWriter`] takes the parts of a page one after the other, each with its place in the source. What both write
//! is defined once: where an escape is needed ([`escape`]), where emphasis is possible ([`flanking`]), the marks
//! around words ([`inline_mark`]), the marks of blocks ([`block_mark`]), the columns of a table ([`table_layout`]),
//! and the text with its map ([`mapped_text`]). Nothing here knows a format.

mod block;
pub(crate) mod block_mark;
mod draft;
mod escape;
pub(crate) mod flanking;
mod inline_mark;
mod mapped_text;
mod mark_stack;
mod source_text;
mod stream;
pub(crate) mod table_layout;
mod written_text;

pub use block::{Block, ItemMarker, Table, TableCell, TableRow, TextRun, TextStyle, Words};
pub use draft::{MarkdownDraft, StreamedTable};
pub(crate) use inline_mark::{CodeTicks, InlineMark, link_address};
pub use pensieve_text::text::markdown::BaselineShift;
pub(crate) use source_text::SourceText;
pub(crate) use stream::{BlockBreak, StreamWriter};
pub(crate) use written_text::WrittenText;

/// Bytes of text after which a reader of large documents hands over what it has ([`MarkdownDraft::take`]).
pub(crate) const SEGMENT_BYTES: usize = 256 << 10;
