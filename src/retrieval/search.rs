//! [`search`]: the one way from a question to hits, whatever it is compared with.

use crate::embedding::{QuestionEmbedder, QuestionError};
use crate::store::{
    LastWord, QueryNote, QueryVector, SearchMode, SearchOptions, SearchResults, Store, StoreError,
};

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
    let mut found = search_in_mode(store, options, embedder)?;
    if let Some(run) = store.runs().unfinished()? {
        found.notes.insert(0, QueryNote::Unfinished(run));
    }
    store.documents().add_titles(found.hits.iter_mut().flat_map(|hit| &mut hit.sources))?;
    store.tables().add_to(found.hits.iter_mut().flat_map(|hit| &mut hit.sources))?;
    Ok(found)
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
