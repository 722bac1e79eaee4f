//! A search of several partitions as one corpus.

use super::conditions::PlaceConditions;
use super::hidden::hide_copies;
use super::hit::{SearchOptions, SearchResults};
use super::index::SearchIndex;
use super::queries::results;
use crate::store::query::{parse, signs_only};
use crate::store::{Store, StoreError};

/// Ranked hits by words, as the merged database gives them.
///
/// # Errors
/// The query is invalid, or the partitions have no search tables.
///
/// Cost: that of a search in each partition, and for the first one a pass over the hashes of all chunks.
pub(in crate::store) fn search_parts(
    parts: &[Store],
    options: &SearchOptions,
) -> Result<SearchResults, StoreError> {
    if let Some(note) = signs_only(&options.query) {
        return Ok(SearchResults { notes: vec![note], ..SearchResults::default() });
    }
    let query = parse(&options.query)?;
    for part in parts {
        if !part.meta().has_search()? {
            return Err(StoreError::NoSearch { path: part.path.clone() });
        }
    }
    let conditions = PlaceConditions::new(&query.filters, options);
    let connections: Vec<_> = parts.iter().map(|part| &part.connection).collect();
    parts[0].ask(|_| hide_copies(&connections))?;
    let index = SearchIndex::of_parts(connections);
    parts[0].ask(|_| results(&index, &query, &conditions, options))
}
