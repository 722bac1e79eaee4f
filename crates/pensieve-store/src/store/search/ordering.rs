//! The order of the chunks that a query finds.
//!
//! What a query with operators says, chunks match or not, and BM25 orders them. A question finds candidates with any of
//! its words; the names of their documents and then their texts order the best of these.

use super::filter::conditions::PlaceConditions;
use super::filter::{allowed, in_order};
use super::highlight::SearchPhrase;
use super::hit::{LastWord, SearchOptions, WordMatch};
use super::matching::{matches, matches_of_parts};
use super::question::Question;
use super::question::completion::WordCompletions;
use super::question::vocabulary::Vocabulary;
use super::ranked::RankedChunk;
use super::ranking::QuestionRanking;
use super::ranking::documents::{chunks_by_name, named_places};
use crate::store::query::{Expression, Query, QueryNote};
use crate::store::rows::sql::Queries;
use rusqlite::Connection;
use std::collections::HashMap;

/// Candidates whose documents are looked at. The chunks of a report with a common name are many, and few of them have
/// that name.
const NAMED_CANDIDATES: usize = 1_000;

/// Candidates that are ranked by their text: a good answer is hardly ever below that place by BM25 and names alone. In one long
/// report with its name in the question 150 measure .03 better than 100, and 200 no better.
const RANKED_CANDIDATES: usize = 150;

/// The same where a name of code is asked for, since many chunks use what one defines.
const RANKED_USES: usize = 300;

/// Chunks in the order of hits.
#[derive(Default)]
pub(super) struct OrderedChunks {
    /// The first ones, as far as a page reaches.
    pub chunks: Vec<RankedChunk>,
    /// The number of all.
    pub total: usize,
    /// True if chunks need not have all words.
    pub matches_any: bool,
    /// What to highlight.
    pub phrases: Vec<SearchPhrase>,
    /// What was done to answer a question.
    pub notes: Vec<QueryNote>,
}

/// Finds the chunks of a query, in order.
pub(super) fn ordered_chunks(
    connection: &Connection,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<OrderedChunks> {
    let Some(expression) = &query.expression else {
        let chunks = in_order(connection, conditions)?;
        return Ok(OrderedChunks { total: chunks.len(), chunks, ..OrderedChunks::default() });
    };
    let search = ChunkSearch { connection, conditions, reach: options.offset.saturating_add(options.limit) };
    if query.is_question && options.word_match != WordMatch::All {
        return search.question(query, options);
    }
    let found = search.as_written(expression)?;
    // What was asked for literally stays unanswered.
    if found.total > 0 || options.word_match == WordMatch::All {
        return Ok(found);
    }
    let mut found = search.question(query, options)?;
    if found.total > 0 {
        found.notes.insert(0, QueryNote::WordsAlone);
    }
    Ok(found)
}

/// Where to search, and how many hits are needed.
struct ChunkSearch<'c> {
    connection: &'c Connection,
    conditions: &'c PlaceConditions,
    /// Hits up to the end of the page.
    reach: usize,
}

impl ChunkSearch<'_> {
    /// The chunks that an expression matches, by BM25.
    fn as_written(&self, tree: &Expression) -> rusqlite::Result<OrderedChunks> {
        let found = matches(self.connection, tree, self.conditions)?;
        let total = found.len();
        let chunks = best(self.connection, found, self.reach)?;
        Ok(OrderedChunks { chunks, total, phrases: phrases(tree), ..OrderedChunks::default() })
    }

    /// Chunks with any of the words of a question: the best candidates by their rank for it, the others by BM25.
    fn question(&self, query: &Query, options: &SearchOptions) -> rusqlite::Result<OrderedChunks> {
        let completions = match options.last_word {
            LastWord::Whole => None,
            LastWord::Prefix => {
                WordCompletions::of(query, &options.query, &Vocabulary::open(self.connection)?)?
            }
        };
        let question = Question::new(self.connection, query, completions.as_ref())?;
        let ranking = QuestionRanking::new(self.connection, &question)?;
        let tree = question.any_word();
        let mut candidates = match &tree {
            Some(tree) => matches(self.connection, tree, self.conditions)?,
            None => Vec::new(),
        };
        if let Some(parts) = question.any_part() {
            add_matches(&mut candidates, matches_of_parts(self.connection, &parts, self.conditions)?);
        }
        add_matches(&mut candidates, self.named(&question)?);
        let total = candidates.len();
        let asks_for_name = question.names.iter().any(|name| name.is_certain);
        // Many chunks use a name, and BM25 does not tell the one that defines it.
        let limit = if asks_for_name { RANKED_USES } else { RANKED_CANDIDATES };
        let mut named = best(self.connection, candidates, self.reach.max(NAMED_CANDIDATES))?;
        let others = named.split_off(named.len().min(NAMED_CANDIDATES));
        let places = named_places(self.connection, &question, &mut named)?;
        let mut chunks = best(self.connection, named, usize::MAX)?;
        // The rest keeps the order of BM25 and names, below what was ranked by its text.
        let unranked = chunks.split_off(chunks.len().min(limit));
        let complete = ranking.rank(self.connection, &mut chunks, &places)?;
        let mut chunks = best(self.connection, chunks, usize::MAX)?;
        chunks.extend(unranked.into_iter().chain(others));
        chunks.truncate(self.reach);
        never_rise(&mut chunks);
        let mut notes = question.notes.clone();
        let words = question.words.iter().filter(|word| word.share == 1.0 && !word.is_joined()).count();
        if complete.is_empty() && words > 1 && total > 0 {
            notes.push(QueryNote::AnyWord { words });
        }
        let matches_any = chunks.iter().any(|found| !complete.contains(&found.chunk_id));
        let phrases = tree.map(|tree| ranking.phrases(&tree)).unwrap_or_default();
        Ok(OrderedChunks { chunks, total, matches_any, phrases, notes })
    }
}

impl ChunkSearch<'_> {
    /// Chunks that only the names of their documents make candidates.
    fn named(&self, question: &Question) -> rusqlite::Result<Vec<RankedChunk>> {
        let mut found = chunks_by_name(self.connection, question)?;
        if !found.is_empty() && !self.conditions.is_empty() {
            let ids: Vec<i64> = found.iter().map(|found| found.chunk_id).collect();
            let allowed = allowed(self.connection, &ids, self.conditions)?;
            found.retain(|found| allowed.contains(&found.chunk_id));
        }
        Ok(found)
    }
}

/// Adds the matches of another table: a chunk with both has the sum of their scores.
fn add_matches(candidates: &mut Vec<RankedChunk>, others: Vec<RankedChunk>) {
    let mut others: HashMap<i64, f64> =
        others.into_iter().map(|found| (found.chunk_id, found.score)).collect();
    for found in candidates.iter_mut() {
        found.score += others.remove(&found.chunk_id).unwrap_or_default();
    }
    candidates.extend(others.into_iter().map(|(chunk_id, score)| RankedChunk { chunk_id, score }));
}

/// Lowers scores of different kinds to those before them, so that hits sorted by score keep their order.
fn never_rise(chunks: &mut [RankedChunk]) {
    let mut least = f64::INFINITY;
    for found in chunks {
        found.score = found.score.min(least);
        least = found.score;
    }
}

pub(super) fn phrases(tree: &Expression) -> Vec<SearchPhrase> {
    tree.wanted_terms().into_iter().map(SearchPhrase::of).collect()
}

/// The best chunks, in order. Only `reach` of them, and those of equal rank, are put in order.
pub(super) fn best(
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
        // All of equal rank stay: which of them are first is decided by their hashes.
        found.retain(|found| found.score >= least);
    }
    let by_score = |a: &RankedChunk, b: &RankedChunk| b.score.total_cmp(&a.score);
    found.sort_unstable_by(by_score);
    for equal in found.chunk_by_mut(|a, b| a.score == b.score).filter(|equal| equal.len() > 1) {
        sort_by_hash(connection, equal)?;
    }
    found.truncate(reach);
    Ok(found)
}

/// Puts chunks of one score in an order that another database of the same tree has too.
fn sort_by_hash(connection: &Connection, chunks: &mut [RankedChunk]) -> rusqlite::Result<()> {
    let sql = "SELECT content_hash FROM chunks WHERE chunk_id = ?1";
    let mut hashed = Vec::with_capacity(chunks.len());
    for chunk in chunks.iter() {
        let hash: String = connection.one(sql, [chunk.chunk_id], |row| row.get(0))?;
        hashed.push((hash, *chunk));
    }
    hashed.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    for (chunk, (_, sorted)) in chunks.iter_mut().zip(hashed) {
        *chunk = sorted;
    }
    Ok(())
}
