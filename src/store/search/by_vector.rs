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
use crate::store::query::{Query, QueryNote, parse, signs_only};
use crate::store::search_mode::SearchMode;
use crate::store::sql::Queries;
use crate::store::vectors::{
    ComparedChunks, ComparedVectors, NearChunks, QueryVector, hash_prefix, nearest, orphans,
};
use crate::store::{StoreError, load};
use std::ops::ControlFlow;

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
        for database in self.0.databases() {
            if options.mode == SearchMode::Hybrid && !database.meta().has_search()? {
                return Err(StoreError::NoSearch { path: database.path.clone() });
            }
            if database.ask(load::is_open)? {
                return Err(database.unfinished_load());
            }
        }
        let index = self.index()?;
        self.0.ask(|_| {
            let conditions = PlaceConditions::new(index.files(), &query.filters, &options.documents)?;
            VectorSearch { query: &query, conditions: &conditions, options, vector }.results(&index)
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
    fn results(&self, index: &SearchIndex<'_>) -> rusqlite::Result<SearchResults> {
        let is_hybrid = self.options.mode == SearchMode::Hybrid;
        let reach = self.options.offset.saturating_add(self.options.limit);
        let depth = if is_hybrid { reach.max(FUSED_CHUNKS) } else { reach };
        let (among, chunks) = self.among(index)?;
        let near = nearest(&self.vectors(index)?, self.vector, &among, depth)?;
        let mut notes = self.query.notes.clone();
        let missing = chunks.saturating_sub(near.compared);
        if missing > 0 {
            notes.push(QueryNote::WithoutVectors { missing, chunks });
        }
        let by_words = match is_hybrid {
            true => self.by_words(index, depth)?,
            false => OrderedChunks::default(),
        };
        notes
            .extend(by_words.notes.iter().filter(|note| !matches!(note, QueryNote::AnyWord { .. })).cloned());
        let by_vector = ranked(index, &near)?;
        let (chunks, total) = match is_hybrid {
            true => {
                let all = fused(&[&by_words.chunks, &by_vector]);
                let total = all.len().max(near.compared).max(by_words.total);
                (best(index, all, reach)?, total)
            }
            false => (by_vector, near.compared),
        };
        if total == 0 {
            notes.extend(unmet_notes(index.files(), self.conditions)?);
        }
        let phrases = if is_hybrid { by_words.phrases } else { self.phrases() };
        let hits = page_of(index, chunks, &phrases, self.conditions, self.options)?;
        Ok(SearchResults { hits, total, matches_any: true, mode: self.options.mode, notes, folded: 0 })
    }

    /// The chunks that meet the conditions, and their number.
    fn among(&self, index: &SearchIndex<'_>) -> rusqlite::Result<(ComparedChunks, usize)> {
        if self.conditions.is_empty() {
            return Ok((ComparedChunks::All, index.chunks()?));
        }
        let allowed: Vec<i64> =
            in_order(index, self.conditions)?.into_iter().map(|found| found.chunk_id).collect();
        let among = ComparedChunks::of(allowed.len(), |pass| index.each_hash(&allowed, pass))?;
        Ok((among, allowed.len()))
    }

    /// The vectors of the corpus: that of a chunk which several databases have counts once, and none of a chunk that is gone.
    fn vectors<'c>(&self, index: &SearchIndex<'c>) -> rusqlite::Result<ComparedVectors<'c>> {
        let mut vectors = ComparedVectors::default();
        for (_, part) in index.parts() {
            vectors.databases.push(part);
            for hash in orphans(part, self.vector)? {
                vectors.add_uncertain(&hash, index)?;
            }
            if !index.is_whole() {
                let sql = "SELECT c.content_hash, h.elsewhere IS NULL FROM temp.hidden_chunks h
                           JOIN main.chunks c ON c.chunk_id = h.chunk_id";
                part.each(sql, [], |row| {
                    let hash = row.get_ref(0)?.as_str()?;
                    match row.get(1)? {
                        true => vectors.add_uncertain(hash, index)?,
                        false => vectors.shared.extend(hash_prefix(hash)),
                    }
                    Ok(ControlFlow::Continue(()))
                })?;
            }
        }
        Ok(vectors)
    }

    fn by_words(&self, index: &SearchIndex<'_>, depth: usize) -> rusqlite::Result<OrderedChunks> {
        let options = SearchOptions { offset: 0, limit: depth, ..self.options.clone() };
        ordered_chunks(index, self.query, self.conditions, &options)
    }

    fn phrases(&self) -> Vec<SearchPhrase> {
        self.query.expression.as_ref().map(phrases).unwrap_or_default()
    }
}

impl ComparedVectors<'_> {
    /// Adds a chunk that is gone from one database and may be in another.
    fn add_uncertain(&mut self, hash: &str, index: &SearchIndex<'_>) -> rusqlite::Result<()> {
        let is_there = index.id_of_hash(hash)?.is_some();
        if is_there { &mut self.shared } else { &mut self.gone }.extend(hash_prefix(hash));
        Ok(())
    }
}

fn ranked(index: &SearchIndex<'_>, near: &NearChunks) -> rusqlite::Result<Vec<RankedChunk>> {
    let mut chunks = Vec::with_capacity(near.chunks.len());
    for chunk in &near.chunks {
        let id = index.id_of_hash(&chunk.content_hash)?;
        chunks.extend(id.map(|chunk_id| RankedChunk { chunk_id, score: f64::from(chunk.cosine) }));
    }
    Ok(chunks)
}
