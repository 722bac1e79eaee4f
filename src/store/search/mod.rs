//! Full-text search over chunks, with every place of a hit.
//!
//! A query is parsed in a small language of our own ([`super::query`]) and matched in `chunks_fts` and, for scripts
//! without spaces, in `chunks_fts_unspaced` ([`matching`]). Matches are filtered by their places ([`filter`]) and
//! highlighted ([`highlight`]). Hits are sorted by BM25, equal ranks by the hash of the content, so that two databases
//! of the same tree give the same hits in the same order, whatever their histories.

mod conditions;
mod filter;
mod highlight;
mod hit;
mod matching;
mod queries;
mod ranked;
#[cfg(test)]
mod tests;

pub use highlight::HIGHLIGHT_MARKS;
pub use hit::{Hit, SearchOptions, SearchResults};
pub use queries::SearchQueries;
