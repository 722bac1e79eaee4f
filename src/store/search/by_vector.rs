//! Search by the meaning of a question, alone or together with its words.

use super::conditions::PlaceConditions;
use super::filter::{in_order, unmet_notes};
use super::fusion::fused;
use super::highlight::SearchPhrase;
use super::hit::{SearchOptions, SearchResults};
use super::index::SearchIndex;
use super::ordering::{OrderedChunks, best, ordered_chunks, phrases};
use super::queries::{SearchQueries, page_of};
use super::ranked::RankedChunk;
use crate::store::meta::has_search;
use crate::store::query::{Query, QueryNote, parse, signs_only};
use crate::store::search_mode::SearchMode;
use crate::store::sql::{Queries, count};
use crate::store::vectors::{NearChunks, QueryVector, nearest};
use crate::store::{StoreError, load};
use rusqlite::Connection;

/// Chunks of each order that are put together: what is lower in both is no answer, and a fixed number keeps the pages of
/// one question from changing each other.
const FUSED_CHUNKS: usize = 1_000;

impl SearchQueries<'_> {
    /// The text of a query whose meaning can be compared: its words, without its filters; `None` if it has operators,
    /// quotes or no words, which only a search by words understands.
    ///
    /// # Errors
    /// The query is invalid.
    pub fn question_text(query: &str) -> Result<Option<String>, StoreError> {
        if signs_only(query).is_some() {
            return Ok(None);
        }
        let parsed = parse(query)?;
        Ok(match parsed.is_question && parsed.filters.is_empty() {
            true => Some(query.trim().to_owned()),
            false => parsed.plain_words(),
        })
    }

    /// Hits by the vector of a question; with [`SearchMode::Hybrid`] by its words too.
    pub fn search_by_vector(
        &self,
        options: &SearchOptions,
        vector: &QueryVector,
    ) -> Result<SearchResults, StoreError> {
        let query = parse(&options.query)?;
        let conditions = PlaceConditions::new(&query.filters, options);
        if options.mode == SearchMode::Hybrid && !self.0.ask(has_search)? {
            return Err(StoreError::NoSearch { path: self.0.path.clone() });
        }
        if self.0.ask(load::is_open)? {
            return Err(StoreError::Unfinished { path: self.0.path.clone() });
        }
        let search = VectorSearch { query: &query, conditions: &conditions, options, vector };
        self.0.ask(|connection| search.results(connection))
    }
}

/// One search.
struct VectorSearch<'s> {
    query: &'s Query,
    conditions: &'s PlaceConditions,
    options: &'s SearchOptions,
    vector: &'s QueryVector,
}

impl VectorSearch<'_> {
    fn results(&self, connection: &Connection) -> rusqlite::Result<SearchResults> {
        let is_hybrid = self.options.mode == SearchMode::Hybrid;
        let reach = self.options.offset.saturating_add(self.options.limit);
        let depth = if is_hybrid { reach.max(FUSED_CHUNKS) } else { reach };
        let among = self.among(connection)?;
        let near = nearest(connection, self.vector, among.as_deref(), depth)?;
        let mut notes = self.query.notes.clone();
        notes.extend(self.missing_note(connection, &near, among.as_deref())?);
        let by_words = match is_hybrid {
            true => self.by_words(connection, depth)?,
            false => OrderedChunks::default(),
        };
        notes
            .extend(by_words.notes.iter().filter(|note| !matches!(note, QueryNote::AnyWord { .. })).cloned());
        let (chunks, total) = match is_hybrid {
            true => self.both(connection, &near, &by_words, reach)?,
            false => (ranked(&near), near.compared),
        };
        if total == 0 {
            notes.extend(unmet_notes(connection, self.conditions)?);
        }
        let phrases = if is_hybrid { by_words.phrases } else { self.phrases() };
        let hits = page_of(&SearchIndex::of(connection), chunks, &phrases, self.conditions, self.options)?;
        Ok(SearchResults { hits, total, matches_any: true, mode: self.options.mode, notes })
    }

    /// The chunks that meet the conditions, if there are any conditions.
    fn among(&self, connection: &Connection) -> rusqlite::Result<Option<Vec<i64>>> {
        if self.conditions.is_empty() {
            return Ok(None);
        }
        let allowed = in_order(&SearchIndex::of(connection), self.conditions)?;
        Ok(Some(allowed.into_iter().map(|found| found.chunk_id).collect()))
    }

    fn by_words(&self, connection: &Connection, depth: usize) -> rusqlite::Result<OrderedChunks> {
        let options = SearchOptions { offset: 0, limit: depth, ..self.options.clone() };
        ordered_chunks(&SearchIndex::of(connection), self.query, self.conditions, &options)
    }

    /// The chunks of both orders as one, and the number of all that either has.
    fn both(
        &self,
        connection: &Connection,
        near: &NearChunks,
        by_words: &OrderedChunks,
        reach: usize,
    ) -> rusqlite::Result<(Vec<RankedChunk>, usize)> {
        let all = fused(&[&by_words.chunks, &ranked(near)]);
        let total = all.len().max(near.compared).max(by_words.total);
        Ok((best(&SearchIndex::of(connection), all, reach)?, total))
    }

    fn phrases(&self) -> Vec<SearchPhrase> {
        self.query.expression.as_ref().map(phrases).unwrap_or_default()
    }

    /// A note if chunks have no vector yet.
    fn missing_note(
        &self,
        connection: &Connection,
        near: &NearChunks,
        among: Option<&[i64]>,
    ) -> rusqlite::Result<Option<QueryNote>> {
        let chunks = match among {
            Some(among) => among.len(),
            None => connection.one("SELECT count(*) FROM chunks", [], |row| count(row, 0))? as usize,
        };
        let missing = chunks.saturating_sub(near.compared);
        Ok((missing > 0).then_some(QueryNote::WithoutVectors { missing, chunks }))
    }
}

fn ranked(near: &NearChunks) -> Vec<RankedChunk> {
    let chunks = near.chunks.iter();
    chunks.map(|near| RankedChunk { chunk_id: near.chunk_id, score: f64::from(near.cosine) }).collect()
}
