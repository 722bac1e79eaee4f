//! Search by the meaning of a question, alone or together with its words.

use super::filter::conditions::PlaceConditions;
use super::filter::{in_order, unmet_notes};
use super::highlight::SearchPhrase;
use super::hit::{SearchOptions, SearchResults};
use super::ordering::{OrderedChunks, best, ordered_chunks, phrases};
use super::queries::{SearchQueries, page_of};
use super::ranked::RankedChunk;
use crate::store::database::error::StoreError;
use crate::store::database::meta::{self, SearchMode};
use crate::store::query::{Query, QueryNote, parse, signs_only};
use crate::store::rows::sql::{Queries, id_list, offset};
use crate::store::vectors::{ComparedChunks, NearChunks, QueryVector, nearest};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// Chunks of each order that are put together: what is lower in both is no answer, and a fixed number keeps the pages of
/// one question from changing each other.
const FUSED_CHUNKS: usize = 1_000;

/// The constant of the formula, as in the paper: how little the first ranks differ.
const RANK_OFFSET: f64 = 60.0;

impl SearchQueries<'_> {
    /// The text of a query whose meaning can be compared: its words, without its filters; `None` if it has operators,
    /// quotes or no words, which only a search by words understands.
    ///
    /// # Errors
    /// The query is invalid.
    pub fn question_text(query: &str) -> Result<Option<String>, StoreError> {
        // A service has no vector for signs.
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
        if options.mode == SearchMode::Hybrid && !self.0.meta().has_search()? {
            return Err(StoreError::NoSearch { path: self.0.path.clone() });
        }
        // Until a load has ended, its search tables and vectors are not complete.
        if self.0.ask(meta::is_loading)? {
            return Err(self.0.unfinished_load());
        }
        self.0.ask(|connection| {
            let conditions = PlaceConditions::new(connection, &query.filters, &options.documents)?;
            VectorSearch { query: &query, conditions: &conditions, options, vector }.results(connection)
        })
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
        // Of one order only the page is needed.
        let depth = if is_hybrid { reach.max(FUSED_CHUNKS) } else { reach };
        let (among, chunks) = self.among(connection)?;
        let near = nearest(connection, self.vector, &among, depth)?;
        let mut notes = self.query.notes.clone();
        // Chunks without a vector cannot be found; the answer says so.
        let missing = chunks.saturating_sub(near.compared);
        if missing > 0 {
            notes.push(QueryNote::WithoutVectors { missing, chunks });
        }
        let by_words = match is_hybrid {
            true => self.by_words(connection, depth)?,
            false => OrderedChunks::default(),
        };
        notes
            // A hit by vectors need have no word, so this note would say nothing.
            .extend(by_words.notes.iter().filter(|note| !matches!(note, QueryNote::AnyWord { .. })).cloned());
        let by_vector = ranked(connection, &near)?;
        let (chunks, total) = match is_hybrid {
            true => {
                let all = fused(&[&by_words.chunks, &by_vector]);
                // Every chunk with a vector is a hit, however far; words may find those without one.
                let total = all.len().max(near.compared).max(by_words.total);
                (best(connection, all, reach)?, total)
            }
            false => (by_vector, near.compared),
        };
        if total == 0 {
            notes.extend(unmet_notes(connection, self.conditions)?);
        }
        let phrases = if is_hybrid { by_words.phrases } else { self.phrases() };
        let hits = page_of(connection, chunks, &phrases, self.conditions, self.options)?;
        Ok(SearchResults { hits, total, matches_any: true, mode: self.options.mode, notes, folded: 0 })
    }

    /// The chunks that meet the conditions, and their number.
    fn among(&self, connection: &Connection) -> rusqlite::Result<(ComparedChunks, usize)> {
        if self.conditions.is_empty() {
            let all = connection.one("SELECT count(*) FROM chunks", [], |row| offset(row, 0))?;
            // Without conditions nothing is looked up for each chunk.
            return Ok((ComparedChunks::All, all));
        }
        let allowed: Vec<i64> =
            in_order(connection, self.conditions)?.into_iter().map(|found| found.chunk_id).collect();
        let sql = "SELECT c.content_hash FROM json_each(?1) j CROSS JOIN chunks c ON c.chunk_id = j.value";
        let among = ComparedChunks::of(allowed.len(), |pass| {
            connection.each(sql, [id_list(allowed.iter().copied())], |row| {
                pass(row.get_ref(0)?.as_str()?);
                Ok(ControlFlow::Continue(()))
            })
        })?;
        Ok((among, allowed.len()))
    }

    fn by_words(&self, connection: &Connection, depth: usize) -> rusqlite::Result<OrderedChunks> {
        let options = SearchOptions { offset: 0, limit: depth, ..self.options.clone() };
        ordered_chunks(connection, self.query, self.conditions, &options)
    }

    fn phrases(&self) -> Vec<SearchPhrase> {
        self.query.expression.as_ref().map(phrases).unwrap_or_default()
    }
}

fn ranked(connection: &Connection, near: &NearChunks) -> rusqlite::Result<Vec<RankedChunk>> {
    let sql = "SELECT chunk_id FROM chunks WHERE content_hash = ?1";
    let mut chunks = Vec::with_capacity(near.chunks.len());
    for chunk in &near.chunks {
        let id = connection.first(sql, [&chunk.content_hash], |row| row.get(0))?;
        chunks.extend(id.map(|chunk_id| RankedChunk { chunk_id, score: f64::from(chunk.cosine) }));
    }
    Ok(chunks)
}

/// The chunks of several orders with their scores in all of them.
///
/// Reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
/// Learning Methods", 2009): a chunk gets 1 / (60 + rank) from each order that has it. Ranks alone count, because BM25 and
/// cosines have no common scale.
fn fused(orders: &[&[RankedChunk]]) -> Vec<RankedChunk> {
    let mut scores: FxHashMap<i64, f64> = FxHashMap::default();
    for order in orders {
        for (at, chunk) in order.iter().enumerate() {
            // Ranks begin with 1.
            *scores.entry(chunk.chunk_id).or_default() += 1.0 / (RANK_OFFSET + at as f64 + 1.0);
        }
    }
    scores.into_iter().map(|(chunk_id, score)| RankedChunk { chunk_id, score }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_orders_have_comes_first() {
        let order = |ids: &[i64]| -> Vec<RankedChunk> {
            ids.iter().map(|id| RankedChunk { chunk_id: *id, score: 0.0 }).collect()
        };
        let mut found = fused(&[&order(&[1, 2, 3]), &order(&[4, 3])]);
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk_id.cmp(&b.chunk_id)));
        let ids: Vec<i64> = found.iter().map(|found| found.chunk_id).collect();
        assert_eq!(ids, [3, 1, 4, 2]);
        assert_eq!(found[0].score, 1.0 / 63.0 + 1.0 / 62.0);
    }
}
