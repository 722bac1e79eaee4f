//! [`SearchQueries`]: from a query to hits.

use super::filter::conditions::PlaceConditions;
use super::filter::document_filters::DocumentFilters;
use super::filter::unmet_notes;
use super::highlight::{self, FoundPhrase, SearchPhrase};
use super::hit::{Hit, SearchOptions, SearchResults};
use super::matching::matches;
use super::ordering::ordered_chunks;
use super::ranked::RankedChunk;
use crate::store::database::error::StoreError;
use crate::store::database::meta::{self, SearchMode, has_search};
use crate::store::database::open::Store;
use crate::store::places::chunk_place::places_of;
use crate::store::query::{Query, parse, signs_only};
use crate::store::rows::sql::{Queries, offset};
use rusqlite::{Connection, Row, params};

/// Full-text search.
pub struct SearchQueries<'s>(pub(crate) &'s Store);

impl SearchQueries<'_> {
    /// Ranked hits, best first; equal ranks by the hash of the content.
    pub fn search(&self, options: &SearchOptions) -> Result<SearchResults, StoreError> {
        if let Some(note) = signs_only(&options.query) {
            return Ok(SearchResults { notes: vec![note], ..SearchResults::default() });
        }
        let query = parse(&options.query)?;
        if !self.0.ask(has_search)? {
            return Err(StoreError::NoSearch { path: self.0.path.clone() });
        }
        if self.0.ask(meta::is_loading)? {
            return Err(self.0.unfinished_load());
        }
        self.0.ask(|connection| {
            let conditions = PlaceConditions::new(connection, &query.filters, &options.documents)?;
            results(connection, &query, &conditions, options)
        })
    }

    /// Chunks that contain all of the words, each taken literally; empty if the search table is missing or not ready.
    pub fn chunks_with_words(&self, words: &[&str]) -> Result<Vec<i64>, StoreError> {
        let quoted: Vec<String> =
            // A quotation mark would end the phrase.
            words.iter().map(|word| format!("\"{}\"", word.replace('"', " "))).collect();
        let Ok(query) = parse(&quoted.join(" ")) else { return Ok(Vec::new()) };
        let Some(expression) = &query.expression else { return Ok(Vec::new()) };
        self.0.ask(|connection| {
            if !has_search(connection)? || meta::is_loading(connection)? {
                return Ok(Vec::new());
            }
            let conditions = PlaceConditions::new(connection, &[], &DocumentFilters::default())?;
            let found = matches(connection, expression, &conditions)?;
            Ok(found.into_iter().map(|found| found.chunk_id).collect())
        })
    }
}

/// The hits of a query.
pub(super) fn results(
    connection: &Connection,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<SearchResults> {
    let found = ordered_chunks(connection, query, conditions, options)?;
    let hits = page_of(connection, found.chunks, &found.phrases, conditions, options)?;
    let mut notes = query.notes.clone();
    notes.extend(found.notes);
    // Only then is a pass over all files worth its time.
    if found.total == 0 {
        notes.extend(unmet_notes(connection, conditions)?);
    }
    let mode = SearchMode::Words;
    Ok(SearchResults { hits, total: found.total, matches_any: found.matches_any, mode, notes, folded: 0 })
}

/// The hits of a page, with their places.
pub(super) fn page_of(
    connection: &Connection,
    chunks: Vec<RankedChunk>,
    phrases: &[SearchPhrase],
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<Vec<Hit>> {
    let page: Vec<RankedChunk> = chunks.into_iter().skip(options.offset).take(options.limit).collect();
    let mut hits = read_hits(connection, &page, phrases)?;
    add_places(connection, &mut hits, conditions, options)?;
    Ok(hits)
}

fn read_hits(
    connection: &Connection,
    page: &[RankedChunk],
    phrases: &[SearchPhrase],
) -> rusqlite::Result<Vec<Hit>> {
    let sql =
        "SELECT content_hash, substr(content, 1, 16000000), estimated_tokens FROM chunks WHERE chunk_id = ?1";
    let hit = |found: &RankedChunk| connection.one(sql, [found.chunk_id], |row| hit(row, *found, phrases));
    page.iter().map(hit).collect()
}

/// A hit without its places.
fn hit(row: &Row<'_>, found: RankedChunk, phrases: &[SearchPhrase]) -> rusqlite::Result<Hit> {
    let content: String = row.get(1)?;
    let found_phrases = highlight::highlights(&content, phrases);
    Ok(Hit {
        content_hash: row.get(0)?,
        chunk_id: found.chunk_id,
        score: found.score,
        snippet: highlight::marked(&content, &found_phrases, highlight::window(&content, &found_phrases)),
        highlights: in_characters(&content, &found_phrases),
        content,
        tokens: offset(row, 2)?,
        source_count: 0,
        sources: Vec::new(),
        also: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
    })
}

/// Adds the places of hits, and their neighbours in the first place.
fn add_places(
    connection: &Connection,
    hits: &mut [Hit],
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<()> {
    let chunks: Vec<(i64, &str)> = hits.iter().map(|hit| (hit.chunk_id, hit.content_hash.as_str())).collect();
    let mut places = places_of(connection, &chunks)?;
    for hit in hits {
        hit.sources = places.remove(&hit.chunk_id).unwrap_or_default();
        hit.source_count = hit.sources.len();
        conditions.sort(&mut hit.sources);
        // A hit without any place could not be cited.
        hit.sources.truncate(options.sources.max(1));
        if let Some(place) = hit.sources.first().filter(|_| options.context > 0) {
            let limit = i64::try_from(options.context).unwrap_or(i64::MAX);
            let values = params![place.file_id, place.at.start as i64, limit];
            hit.before = connection.rows(&neighbours("<", "DESC"), values, |row| row.get(0))?;
            hit.before.reverse();
            hit.after = connection.rows(&neighbours(">", "ASC"), values, |row| row.get(0))?;
        }
    }
    Ok(())
}

/// The chunks next to a place on one side.
fn neighbours(comparison: &str, order: &str) -> String {
    format!(
        "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
         WHERE s.file_id = ?1 AND s.start_index {comparison} ?2 ORDER BY s.start_index {order} LIMIT ?3"
    )
}

/// Phrases, in order, as ranges of characters.
fn in_characters(text: &str, found: &[FoundPhrase]) -> Vec<(usize, usize)> {
    let (mut bytes, mut chars) = (0, 0);
    let mut at = |byte: usize| {
        chars += text[bytes..byte].chars().count();
        bytes = byte;
        chars
    };
    found.iter().map(|found| (at(found.start), at(found.end))).collect()
}
