//! Full-text search over chunks, with every place of a hit.
//!
//! A query is read by a small language of our own ([`super::query`]), found in `chunks_fts` and, where text has scripts
//! without spaces, in `chunks_fts_unspaced` ([`matching`]), narrowed by what is known of the places ([`filter`]), and
//! shown ([`highlight`]). The order is that of BM25; equal ranks follow the hash of the content, so that two databases
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
