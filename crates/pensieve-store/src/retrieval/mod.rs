//! What programs and people take out of a corpus: citations, and context around what was found.
//!
//! A [`Citation`] names words of a document's clean text so that anybody can check them later; [`check_citation`] does,
//! and finds words that have moved. [`expand`] gives the text around what was found; [`pack()`] makes the best context for a
//! question within a budget of tokens. [`eval`] measures how well a corpus answers questions.

mod moved_words;
mod source_check;
mod check;
mod markdown_sections;
mod tables;
mod titled_sections;
mod section_places;
mod page_places;
mod expansion;
mod search;
mod pack;
mod side_by_side;
pub mod eval;

pub use crate::store::{Citation, CitationError};
pub use check::{CheckedCitation, CitedPlace, check_citation};
pub use expansion::{ExpandedHit, ExpandedText, Expansion, expand, expand_hits};
pub use pack::{Pack, PackError, PackFormat, PackOptions, PackPiece, fenced, pack, source_heading};
pub use page_places::{lines_numbered, page_numbered};
pub use search::search;
pub use section_places::{outline, section_named};
pub use side_by_side::{
    FoundHits, LabelledHit, corpus_names, count_hits, join_packs, share_budget, take_turns,
};
pub use tables::{CellUse, RowQuery, cited_rows, cited_select, table_rows};
