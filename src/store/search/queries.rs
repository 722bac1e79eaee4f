//! [`SearchQueries`]: from a query to hits.

use super::conditions::PlaceConditions;
use super::filter::{in_order, unmet_notes};
use super::highlight::{self, SearchPhrase};
use super::hit::{Hit, SearchOptions, SearchResults, WordMatch};
use super::matching::matches;
use super::question::Question;
use super::ranked::RankedChunk;
use super::ranking::QuestionRanking;
use super::vocabulary::Vocabulary;
use crate::store::meta::has_search;
use crate::store::places::places_of;
use crate::store::query::{Expression, Query, QueryNote, parse};
use crate::store::sql::{Queries, id_list, offset};
use crate::store::{Store, StoreError, load};
use rusqlite::{Connection, Row, params};
use rustc_hash::FxHashSet;
use std::collections::HashMap;

/// Chunks with all words of a question that are enough of an answer: the number of hits that is shown unless another is
/// asked for.
const ENOUGH_HITS: usize = 10;

/// Candidates that are ranked by their text: a good answer is hardly ever below that place by BM25 alone.
const RANKED_CANDIDATES: usize = 100;

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

/// Chunks in the order of hits, and the number of all.
struct CountedChunks {
    chunks: Vec<RankedChunk>,
    total: usize,
}

/// Chunks in the order of hits, as far as a page reaches.
struct OrderedChunks {
    chunks: Vec<RankedChunk>,
    total: usize,
    matches_any: bool,
    /// What to highlight.
    phrases: Vec<SearchPhrase>,
    notes: Vec<QueryNote>,
}

fn results(
    connection: &Connection,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<SearchResults> {
    let found = ordered(connection, query, conditions, options)?;
    let page: Vec<RankedChunk> = found.chunks.into_iter().skip(options.offset).take(options.limit).collect();
    let mut hits = read_hits(connection, &page, &found.phrases)?;
    add_places(connection, &mut hits, conditions, options)?;
    let mut notes = query.notes.clone();
    notes.extend(found.notes);
    if found.total == 0 {
        notes.extend(unmet_notes(connection, conditions)?);
    }
    Ok(SearchResults { hits, total: found.total, matches_any: found.matches_any, notes })
}

fn ordered(
    connection: &Connection,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<OrderedChunks> {
    let reach = options.offset.saturating_add(options.limit);
    let Some(expression) = &query.expression else {
        let chunks = in_order(connection, conditions)?;
        return Ok(OrderedChunks {
            total: chunks.len(),
            chunks,
            matches_any: false,
            phrases: Vec::new(),
            notes: Vec::new(),
        });
    };
    let phrases = |tree: &Expression| tree.wanted_terms().into_iter().map(SearchPhrase::of).collect();
    let any = options.word_match == WordMatch::Any && query.is_question;
    let complete = if any { Vec::new() } else { matches(connection, expression, conditions)? };
    let is_answered =
        complete.len() >= ENOUGH_HITS || (!complete.is_empty() && !has_several_terms(expression));
    if !query.is_question || options.word_match == WordMatch::All || is_answered {
        let (total, phrases) = (complete.len(), phrases(expression));
        let chunks = best(connection, complete, reach)?;
        return Ok(OrderedChunks { chunks, total, matches_any: false, phrases, notes: Vec::new() });
    }
    let question = Question::new(query, &Vocabulary::open(connection)?)?;
    let complete = match &question.corrected {
        Some(corrected) if !any => matches(connection, corrected, conditions)?,
        _ => complete,
    };
    let complete = best(connection, complete, usize::MAX)?;
    let mut notes = question.notes.clone();
    let Some(tree) = question.any_word() else {
        return Ok(OrderedChunks {
            chunks: Vec::new(),
            total: 0,
            matches_any: true,
            phrases: Vec::new(),
            notes,
        });
    };
    if !any && question.words.len() > 1 {
        notes.push(QueryNote::AnyWord {
            words: question.words.len(),
            is_joined: question.is_joined,
            complete: complete.len(),
        });
    }
    let candidates = matches(connection, &tree, conditions)?;
    let chunks = with_candidates(connection, &question, complete, candidates, reach)?;
    Ok(OrderedChunks {
        total: chunks.total,
        chunks: chunks.chunks,
        matches_any: true,
        phrases: phrases(&tree),
        notes,
    })
}

/// True for more than one term.
fn has_several_terms(tree: &Expression) -> bool {
    tree.wanted_terms().len() > 1
}

/// The chunks with any of the words after those with all: the best candidates by their rank for the question, the others
/// by BM25.
fn with_candidates(
    connection: &Connection,
    question: &Question,
    complete: Vec<RankedChunk>,
    mut candidates: Vec<RankedChunk>,
    reach: usize,
) -> rusqlite::Result<CountedChunks> {
    let first: FxHashSet<i64> = complete.iter().map(|found| found.chunk_id).collect();
    candidates.retain(|found| !first.contains(&found.chunk_id));
    let total = complete.len() + candidates.len();
    let mut candidates = best(connection, candidates, reach.max(RANKED_CANDIDATES))?;
    let others = candidates.split_off(candidates.len().min(RANKED_CANDIDATES));
    QuestionRanking::new(connection, question)?.rank(connection, &mut candidates)?;
    let candidates = best(connection, candidates, usize::MAX)?;
    let mut chunks = complete;
    chunks.extend(candidates.into_iter().chain(others));
    let mut least = f64::INFINITY;
    for found in &mut chunks {
        found.score = found.score.min(least);
        least = found.score;
    }
    Ok(CountedChunks { chunks, total })
}

/// The best chunks, in order. Only `reach` of them, and those of equal rank, are put in order.
fn best(
    connection: &Connection,
    mut found: Vec<RankedChunk>,
    reach: usize,
) -> rusqlite::Result<Vec<RankedChunk>> {
    if reach == 0 {
        return Ok(Vec::new());
    }
    if found.len() > reach {
        let (_, last, _) = found.select_nth_unstable_by(reach - 1, |a, b| b.score.total_cmp(&a.score));
        let least = last.score;
        found.retain(|found| found.score >= least);
    }
    let hashes = hashes(connection, &found)?;
    let hash = |found: &RankedChunk| hashes.get(&found.chunk_id);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| hash(a).cmp(&hash(b))));
    found.truncate(reach);
    Ok(found)
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
