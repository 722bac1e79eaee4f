//! A search of several partitions as one corpus, and the numbers of their chunks.

use super::conditions::PlaceConditions;
use super::hidden::hide_copies;
use super::hit::{SearchOptions, SearchResults};
use super::index::SearchIndex;
use super::queries::{SearchQueries, results};
use super::vocabulary::Vocabulary;
use crate::store::query::{parse, signs_only};
use crate::store::sql::{Queries, count};
use crate::store::{Store, StoreError};

/// The different chunks of a corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::store) struct ChunkTotals {
    pub chunks: u64,
    pub tokens: u64,
}

impl<'s> SearchQueries<'s> {
    /// What is searched. Copies of chunks in partitions are hidden the first time.
    ///
    /// # Errors
    /// A partition cannot be read.
    ///
    /// Cost: for the first index of partitions, a pass over the hashes of all chunks.
    pub(in crate::store) fn index(&self) -> Result<SearchIndex<'s>, StoreError> {
        let store: &'s Store = self.0;
        if !store.is_divided() {
            return Ok(SearchIndex::of(&store.connection));
        }
        let connections: Vec<_> = store.parts.iter().map(|part| &part.connection).collect();
        store.ask(|_| hide_copies(&connections))?;
        Ok(SearchIndex::of_parts(connections))
    }

    /// Makes every temporary table that a search of partitions needs.
    ///
    /// # Errors
    /// A partition cannot be read.
    pub fn prepare(&self) -> Result<(), StoreError> {
        if !self.0.is_divided() {
            return Ok(());
        }
        let index = self.index()?;
        for part in self.0.databases() {
            if !part.meta().has_search()? {
                return Ok(());
            }
        }
        self.0.ask(|_| Vocabulary::open(&index).map(drop))
    }

    /// Counts the chunks of partitions, equal ones once.
    pub(in crate::store) fn chunks(&self) -> Result<ChunkTotals, StoreError> {
        let all = "SELECT count(*), coalesce(sum(estimated_tokens), 0) FROM chunks";
        let hidden = "SELECT count(*), coalesce(sum(c.estimated_tokens), 0)
                      FROM temp.hidden_chunks h JOIN chunks c ON c.chunk_id = h.chunk_id";
        let index = self.index()?;
        let mut totals = ChunkTotals::default();
        self.0.ask(|_| {
            for (_, part) in index.parts() {
                let number = |sql: &str| part.one(sql, [], |row| Ok((count(row, 0)?, count(row, 1)?)));
                let (all, hidden) = (number(all)?, number(hidden)?);
                totals.chunks += all.0 - hidden.0;
                totals.tokens += all.1 - hidden.1;
            }
            Ok(totals)
        })
    }
}

/// Ranked hits by words, as the merged database gives them.
///
/// # Errors
/// The query is invalid, or the partitions have no search tables.
///
/// Cost: that of a search in each partition, and for the first one a pass over the hashes of all chunks.
pub(in crate::store) fn search_parts(
    store: &Store,
    options: &SearchOptions,
) -> Result<SearchResults, StoreError> {
    if let Some(note) = signs_only(&options.query) {
        return Ok(SearchResults { notes: vec![note], ..SearchResults::default() });
    }
    let query = parse(&options.query)?;
    for part in store.databases() {
        if !part.meta().has_search()? {
            return Err(StoreError::NoSearch { path: part.path.clone() });
        }
    }
    let index = SearchQueries(store).index()?;
    store.ask(|_| {
        let conditions = PlaceConditions::new(index.files(), &query.filters, &options.documents)?;
        results(&index, &query, &conditions, options)
    })
}
