//! Full-text search over chunks, with every place of a hit.
//!
//! A query is parsed ([`super::query`]), looked up in the search tables ([`matching`]), limited to places that meet the
//! conditions ([`filter`]), put in order ([`ordering`]) and shown ([`highlight`]).
//!
//! A query without operators is a question ([`question`]): its words are looked up with their forms ([`question::stems`],
//! [`question::vocabulary`]), chunks with any of them are candidates, and the names of their documents ([`ranking::documents`]) and their texts
//! ([`ranking`]) order the best of these. Names of code in it ([`question::names`]) are looked for where they are defined.
//! Other queries match or not, and BM25 orders what they match.
//!
//! While a question is being typed its last word may be unfinished; it then stands for the words that begin with it
//! ([`question::completion`]).
//!
//! Equal ranks follow the hash of the content, so that two databases of the same tree give the same hits in the same
//! order, whatever their histories.

mod by_vector;
mod filter;
mod highlight;
mod hit;
mod index_size;
mod matching;
mod ordering;
mod queries;
mod question;
mod ranked;
mod ranking;
#[cfg(test)]
mod tests;

pub(crate) use filter::conditions::{FileName, PlaceConditions};
pub use filter::document_filters::{DOCUMENT_FILTERS, DocumentFilters, FilterParameter, NoDate};
pub use highlight::HIGHLIGHT_MARKS;
pub use hit::{Hit, LastWord, RepeatedHits, SearchOptions, SearchResults, WordMatch};
pub use queries::SearchQueries;
