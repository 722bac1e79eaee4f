//! [`SearchQueries`]: from a query to hits.

use super::conditions::PlaceConditions;
use super::filter::{in_order, unmet_notes};
use super::highlight::{self, SearchPhrase};
use super::hit::{Hit, SearchOptions, SearchResults};
use super::matching::matches;
use super::ranked::RankedChunk;
use crate::store::meta::has_search;
use crate::store::places::places_of;
use crate::store::query::{Query, parse};
use crate::store::sql::{Queries, id_list, offset};
use crate::store::{Store, StoreError, load};
use rusqlite::{Connection, Row, params};
use std::collections::HashMap;

/// Full-text search.
pub struct SearchQueries<'s>(pub(in crate::store) &'s Store);

impl SearchQueries<'_> {
    /// Ranked hits, best first; equal ranks by the hash of the content.
    pub fn search(&self, options: &SearchOptions) -> Result<SearchResults, StoreError> {
        let query = parse(&options.query)?;
        let conditions = PlaceConditions::new(&query.filters, options);
        if !self.0.ask(has_search)? {
            return Err(StoreError::NoSearch { path: self.0.path.clone() });
        }
        if self.0.ask(load::is_open)? {
            return Err(StoreError::Unfinished { path: self.0.path.clone() });
        }
        self.0.ask(|connection| results(connection, &query, &conditions, options))
    }

    /// Chunks that contain all of the words, each taken literally; empty if the search table is missing or not ready.
    pub fn chunks_with_words(&self, words: &[&str]) -> Result<Vec<i64>, StoreError> {
        let quoted: Vec<String> =
            words.iter().map(|word| format!("\"{}\"", word.replace('"', " "))).collect();
        let Ok(query) = parse(&quoted.join(" ")) else { return Ok(Vec::new()) };
        let Some(expression) = &query.expression else { return Ok(Vec::new()) };
        let conditions = PlaceConditions::new(&query.filters, &SearchOptions::default());
        self.0.ask(|connection| {
            if !has_search(connection)? || load::is_open(connection)? {
                return Ok(Vec::new());
            }
            let found = matches(connection, expression, &conditions)?;
            Ok(found.into_iter().map(|found| found.chunk_id).collect())
        })
    }
}

fn results(
    connection: &Connection,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<SearchResults> {
    let found = match &query.expression {
        Some(expression) => matches(connection, expression, conditions)?,
        None => in_order(connection, conditions)?,
    };
    let total = found.len();
    let page = page(connection, found, query.expression.is_some(), options)?;
    let terms = query.expression.iter().flat_map(|tree| tree.wanted_terms());
    let phrases: Vec<SearchPhrase> = terms.map(SearchPhrase::of).collect();
    let mut hits = read_hits(connection, &page, &phrases)?;
    add_places(connection, &mut hits, conditions, options)?;
    let mut notes = query.notes.clone();
    if total == 0 {
        notes.extend(unmet_notes(connection, conditions)?);
    }
    Ok(SearchResults { hits, total, notes })
}

/// The matches of one page. Only the matches up to the end of the page, and those of equal rank, are sorted.
fn page(
    connection: &Connection,
    mut found: Vec<RankedChunk>,
    is_ranked: bool,
    options: &SearchOptions,
) -> rusqlite::Result<Vec<RankedChunk>> {
    let reach = options.offset.saturating_add(options.limit);
    if is_ranked && reach == 0 {
        return Ok(Vec::new());
    }
    if is_ranked {
        if found.len() > reach {
            let (_, last, _) = found.select_nth_unstable_by(reach - 1, |a, b| b.score.total_cmp(&a.score));
            let least = last.score;
            found.retain(|found| found.score >= least);
        }
        let hashes = hashes(connection, &found)?;
        let hash = |found: &RankedChunk| hashes.get(&found.chunk_id);
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| hash(a).cmp(&hash(b))));
    }
    Ok(found.into_iter().skip(options.offset).take(options.limit).collect())
}

fn hashes(connection: &Connection, found: &[RankedChunk]) -> rusqlite::Result<HashMap<i64, String>> {
    let sql =
        "SELECT c.chunk_id, c.content_hash FROM json_each(?1) j CROSS JOIN chunks c ON c.chunk_id = j.value";
    let list = id_list(found.iter().map(|found| found.chunk_id));
    let rows = connection.rows(sql, [list], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.into_iter().collect())
}

fn read_hits(
    connection: &Connection,
    page: &[RankedChunk],
    phrases: &[SearchPhrase],
) -> rusqlite::Result<Vec<Hit>> {
    let sql = "SELECT content_hash, content, estimated_tokens FROM chunks WHERE chunk_id = ?1";
    let hit = |found: &RankedChunk| connection.one(sql, [found.chunk_id], |row| hit(row, *found, phrases));
    page.iter().map(hit).collect()
}

/// A hit without its places.
fn hit(row: &Row<'_>, found: RankedChunk, phrases: &[SearchPhrase]) -> rusqlite::Result<Hit> {
    let content: String = row.get(1)?;
    let ranges = highlight::highlights(&content, phrases);
    Ok(Hit {
        content_hash: row.get(0)?,
        chunk_id: found.chunk_id,
        score: found.score,
        snippet: highlight::marked(&content, &ranges, highlight::window(&content, &ranges)),
        highlights: in_characters(&content, &ranges),
        content,
        tokens: offset(row, 2)?,
        source_count: 0,
        sources: Vec::new(),
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
    let ids: Vec<i64> = hits.iter().map(|hit| hit.chunk_id).collect();
    let mut places = places_of(connection, &ids)?;
    for hit in hits {
        hit.sources = places.remove(&hit.chunk_id).unwrap_or_default();
        hit.source_count = hit.sources.len();
        conditions.sort(&mut hit.sources);
        hit.sources.truncate(options.sources.max(1));
        if let Some(place) = hit.sources.first().filter(|_| options.context > 0) {
            let limit = i64::try_from(options.context).unwrap_or(i64::MAX);
            let values = params![place.file_id, place.start as i64, limit];
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

/// Ranges of bytes, in order, as ranges of characters.
fn in_characters(text: &str, ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let (mut bytes, mut chars) = (0, 0);
    let mut at = |byte: usize| {
        chars += text[bytes..byte].chars().count();
        bytes = byte;
        chars
    };
    ranges.iter().map(|&(start, end)| (at(start), at(end))).collect()
}
