//! The order of the chunks that a query finds.
//!
//! What a query says, chunks match or not, and BM25 orders them. A question takes more steps: chunks with all of its
//! words, then those with any of them.

use super::completion::WordCompletions;
use super::conditions::PlaceConditions;
use super::filter::in_order;
use super::highlight::SearchPhrase;
use super::hit::{LastWord, SearchOptions, WordMatch};
use super::index::SearchIndex;
use super::matching::matches;
use super::question::Question;
use super::ranked::RankedChunk;
use super::ranking::QuestionRanking;
use super::vocabulary::Vocabulary;
use crate::store::query::{Expression, Query, QueryNote};
use crate::store::sql::Queries;
use rustc_hash::FxHashSet;
use std::collections::HashMap;

/// Chunks with all words of a question that are enough of an answer: the number of hits that is shown unless another is
/// asked for.
const ENOUGH_HITS: usize = 10;

/// Candidates that are ranked by their text: a good answer is hardly ever below that place by BM25 alone.
const RANKED_CANDIDATES: usize = 100;

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
    index: &SearchIndex<'_>,
    query: &Query,
    conditions: &PlaceConditions,
    options: &SearchOptions,
) -> rusqlite::Result<OrderedChunks> {
    let Some(expression) = &query.expression else {
        let chunks = in_order(index, conditions)?;
        return Ok(OrderedChunks { total: chunks.len(), chunks, ..OrderedChunks::default() });
    };
    let search = ChunkSearch { index, conditions, reach: options.offset.saturating_add(options.limit) };
    let completions = search.completions(query, options)?;
    if query.is_question && options.word_match == WordMatch::Any {
        let question = search.question(query, completions.as_ref())?;
        let ranking = QuestionRanking::new(index, &question)?;
        return search.any_word(&question, &ranking, CompleteChunks::default());
    }
    let mut complete = search.complete(expression, completions.as_ref())?;
    if !query.is_question || options.word_match == WordMatch::All {
        return search.all_words(complete, None);
    }
    let is_one_word = expression.wanted_terms().len() <= 1;
    if is_one_word && complete.len() > 0 {
        return search.all_words(complete, None);
    }
    let question = search.question(query, completions.as_ref())?;
    let ranking = QuestionRanking::new(index, &question)?;
    if complete.len() >= ENOUGH_HITS {
        return search.all_words(complete, Some(&ranking));
    }
    if let Some(corrected) = &question.corrected {
        complete = search.complete(corrected, completions.as_ref())?;
    }
    let complete_count = complete.len();
    let mut found = search.any_word(&question, &ranking, complete)?;
    if question.words.len() > 1 && found.total > 0 {
        found.notes.push(QueryNote::AnyWord {
            words: question.words.len(),
            is_joined: question.is_joined,
            complete: complete_count,
        });
    }
    Ok(found)
}

/// Where to search, and how many hits are needed.
struct ChunkSearch<'c> {
    index: &'c SearchIndex<'c>,
    conditions: &'c PlaceConditions,
    /// Hits up to the end of the page.
    reach: usize,
}

/// The chunks with all words of a query.
#[derive(Default)]
struct CompleteChunks {
    /// Those with every word as it is in the query.
    whole: Vec<RankedChunk>,
    /// Those with a longer word in place of an unfinished last one.
    completed: Vec<RankedChunk>,
    phrases: Vec<SearchPhrase>,
}

impl CompleteChunks {
    fn len(&self) -> usize {
        self.whole.len() + self.completed.len()
    }
}

impl ChunkSearch<'_> {
    fn matches(&self, tree: &Expression) -> rusqlite::Result<Vec<RankedChunk>> {
        matches(self.index, tree, self.conditions)
    }

    fn question(&self, query: &Query, completions: Option<&WordCompletions>) -> rusqlite::Result<Question> {
        Question::new(query, &Vocabulary::open(self.index)?, completions)
    }

    /// The words that the last one may become, if it may be unfinished.
    fn completions(
        &self,
        query: &Query,
        options: &SearchOptions,
    ) -> rusqlite::Result<Option<WordCompletions>> {
        if options.last_word == LastWord::Whole {
            return Ok(None);
        }
        WordCompletions::of(query, options, &Vocabulary::open(self.index)?)
    }

    /// The chunks with all words of an expression.
    fn complete(
        &self,
        tree: &Expression,
        completions: Option<&WordCompletions>,
    ) -> rusqlite::Result<CompleteChunks> {
        let whole = self.matches(tree)?;
        let mut found = CompleteChunks { whole, completed: Vec::new(), phrases: phrases(tree) };
        if let Some(completions) = completions {
            let completed = completions.expression(tree);
            let first: FxHashSet<i64> = found.whole.iter().map(|found| found.chunk_id).collect();
            found.completed = self.matches(&completed)?;
            found.completed.retain(|found| !first.contains(&found.chunk_id));
            found.phrases.extend(phrases(&completed));
        }
        Ok(found)
    }

    /// Chunks with all words.
    fn all_words(
        &self,
        mut complete: CompleteChunks,
        ranking: Option<&QuestionRanking>,
    ) -> rusqlite::Result<OrderedChunks> {
        let total = complete.len();
        let phrases = std::mem::take(&mut complete.phrases);
        let chunks = self.complete_in_order(complete, ranking)?;
        Ok(OrderedChunks { chunks, total, phrases, ..OrderedChunks::default() })
    }

    /// Chunks with any of the words after those with all: the best candidates by their rank for the question, the others
    /// by BM25.
    fn any_word(
        &self,
        question: &Question,
        ranking: &QuestionRanking,
        complete: CompleteChunks,
    ) -> rusqlite::Result<OrderedChunks> {
        let notes = question.notes.clone();
        let Some(tree) = question.any_word() else {
            return Ok(OrderedChunks { matches_any: true, notes, ..OrderedChunks::default() });
        };
        let both = complete.whole.iter().chain(&complete.completed);
        let first: FxHashSet<i64> = both.map(|found| found.chunk_id).collect();
        let mut candidates = self.matches(&tree)?;
        candidates.retain(|found| !first.contains(&found.chunk_id));
        let total = complete.len() + candidates.len();
        let mut chunks = self.complete_in_order(complete, Some(ranking))?;
        chunks.extend(self.ranked(Some(ranking), candidates, RANKED_CANDIDATES)?);
        never_rise(&mut chunks);
        Ok(OrderedChunks { chunks, total, matches_any: true, phrases: ranking.phrases(&tree), notes })
    }

    /// Chunks with all words, as far as the page reaches, by their rank for a question or by BM25. Those with the words of
    /// the query come first.
    fn complete_in_order(
        &self,
        complete: CompleteChunks,
        ranking: Option<&QuestionRanking>,
    ) -> rusqlite::Result<Vec<RankedChunk>> {
        let limit = if ranking.is_some() { RANKED_CANDIDATES } else { 0 };
        let rest = limit.saturating_sub(complete.whole.len());
        let mut chunks = self.ranked(ranking, complete.whole, limit)?;
        chunks.extend(self.ranked(ranking, complete.completed, rest)?);
        chunks.truncate(self.reach);
        never_rise(&mut chunks);
        Ok(chunks)
    }

    /// The best `limit` by their rank for the question, the others by BM25.
    fn ranked(
        &self,
        ranking: Option<&QuestionRanking>,
        chunks: Vec<RankedChunk>,
        limit: usize,
    ) -> rusqlite::Result<Vec<RankedChunk>> {
        let mut chunks = best(self.index, chunks, self.reach.max(limit))?;
        if let Some(ranking) = ranking {
            let others = chunks.split_off(chunks.len().min(limit));
            ranking.rank(self.index, &mut chunks)?;
            chunks = best(self.index, chunks, usize::MAX)?;
            chunks.extend(others);
        }
        Ok(chunks)
    }
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
    index: &SearchIndex<'_>,
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
    let hashes = hashes(index, &found)?;
    let hash = |found: &RankedChunk| hashes.get(&found.chunk_id);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| hash(a).cmp(&hash(b))));
    found.truncate(reach);
    Ok(found)
}

fn hashes(index: &SearchIndex<'_>, found: &[RankedChunk]) -> rusqlite::Result<HashMap<i64, String>> {
    let sql = "SELECT content_hash FROM chunks WHERE chunk_id = ?1";
    let hash = |found: &RankedChunk| {
        let (connection, row) = index.row(found.chunk_id);
        Ok((found.chunk_id, connection.one(sql, [row], |row| row.get(0))?))
    };
    found.iter().map(hash).collect()
}
