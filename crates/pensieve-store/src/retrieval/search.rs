//! [`search`]: the one way from a question to hits, whatever it is compared with.

use crate::embedding::{QuestionEmbedder, QuestionError};
use crate::store::{
    ChunkPlace, Hit, LastWord, QueryNote, QueryVector, RepeatedHits, SearchMode, SearchOptions,
    SearchResults, Store, StoreError,
};
use pensieve_text::text::repetition::{Shingles, WordList};

/// Ranked hits by words, by meaning or by both, as the options say. Where the meaning cannot be compared, words answer, and
/// a note says why. The first note is that a run has not finished, if so. Places have titles, authors and tables.
///
/// # Errors
/// The query is invalid, the search table is off, or a load is unfinished.
///
/// Cost: that of the search, and one request to the service unless the question is known.
pub fn search(
    store: &Store,
    options: &SearchOptions,
    embedder: &QuestionEmbedder,
) -> Result<SearchResults, StoreError> {
    let mut found = match options.repeats == RepeatedHits::Fold && store.repetition().is_current()? {
        true => {
            // Twice as many, so that what is folded leaves enough.
            let wider = SearchOptions { limit: options.limit.saturating_mul(2), ..options.clone() };
            fold_repeats(search_in_mode(store, &wider, embedder)?, options.limit)
        }
        false => search_in_mode(store, options, embedder)?,
    };
    if let Some(run) = store.runs().unfinished()? {
        found.notes.insert(0, QueryNote::Unfinished(run));
    }
    store.documents().add_titles(found.hits.iter_mut().flat_map(all_places))?;
    store.tables().add_to(found.hits.iter_mut().flat_map(all_places))?;
    Ok(found)
}

/// The places of a hit and of those that repeat it.
fn all_places(hit: &mut Hit) -> impl Iterator<Item = &mut ChunkPlace> {
    hit.sources.iter_mut().chain(&mut hit.also)
}

/// A hit of which this share of the shingles is in one before it is listed with that one: half, since then a reader who knows
/// the first learns less that is new than he reads again.
const FOLDED_SHARE: f64 = 0.5;

/// Lists hits that mostly repeat an earlier one with that one, and keeps the first `limit` others.
fn fold_repeats(found: SearchResults, limit: usize) -> SearchResults {
    let mut folded = 0;
    let mut shown: Vec<(Hit, Shingles)> = Vec::new();
    for hit in found.hits {
        let shingles = Shingles::of(&WordList::of(&hit.content));
        let shares = shown.iter().map(|(_, earlier)| shingles.share_in(earlier)).enumerate();
        match shares.max_by(|left, right| left.1.total_cmp(&right.1)) {
            Some((at, share)) if share >= FOLDED_SHARE => {
                shown[at].0.also.extend(hit.sources);
                folded += 1;
            }
            _ if shown.len() == limit => break,
            _ => shown.push((hit, shingles)),
        }
    }
    SearchResults { hits: shown.into_iter().map(|(hit, _)| hit).collect(), folded, ..found }
}

fn search_in_mode(
    store: &Store,
    options: &SearchOptions,
    embedder: &QuestionEmbedder,
) -> Result<SearchResults, StoreError> {
    if options.mode == SearchMode::Words {
        return store.search(options);
    }
    let reason = match vector_of(store, options, embedder) {
        Ok(vector) => return store.search_by_vector(options, &vector),
        Err(QuestionError::Store(error)) => return Err(error),
        Err(QuestionError::Unavailable(reason)) => reason,
    };
    let mut found = store.search(options)?;
    found.notes.insert(0, QueryNote::ByWords { reason });
    Ok(found)
}

fn vector_of(
    store: &Store,
    options: &SearchOptions,
    embedder: &QuestionEmbedder,
) -> Result<QueryVector, QuestionError> {
    let unavailable = |reason: &str| Err(QuestionError::Unavailable(reason.to_owned()));
    if options.last_word == LastWord::Prefix {
        return unavailable("the question is still being typed");
    }
    match Store::question_text(&options.query)? {
        Some(text) => embedder.vector(store, &text),
        None => unavailable("operators, quotes and filters alone have no meaning to compare"),
    }
}
