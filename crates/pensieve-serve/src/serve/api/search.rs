//! Search: chunks by their words or their meaning, best first.

use super::{ApiRequest, chunks};
use crate::access::PathRedactor;
use crate::serve::answers::{SearchHit, SearchResult};
use crate::serve::cursor::{self, Key};
use crate::serve::parameter::Values;
use crate::serve::problem::Problem;
use crate::serve::reply::Reply;
use pensieve_store::retrieval::{ExpandedHit, Expansion, expand_hits, search as find};
use pensieve_store::store::{
    ChunkName, DocumentFilters, FilterParameter, HIGHLIGHT_MARKS, LastWord, NoDate, RepeatedHits, SearchMode,
    SearchOptions, SearchResults, Store, WordMatch,
};

/// Places of one hit that are listed.
const MAX_SOURCES: usize = 10;

/// `/api/v3/search`
pub fn search(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let query = ask.values.text("query").unwrap_or_default().to_owned();
    let (found, next_cursor) = found(ask, &query)?;
    let redactor = ask.redactor()?;
    let (word_match, mode) = (found.match_name(), found.mode.as_str());
    let expansion = ask.values.text("expand").and_then(Expansion::from_name);
    let hits = expand_hits(ask.store, found.hits, expansion)?;
    let hits = hits.into_iter().filter_map(|hit| hit_of(ask.store, hit, &redactor).transpose());
    Ok(Reply::json(&SearchResult {
        hits: hits.collect::<Result<_, _>>()?,
        total: found.total as u64,
        word_match,
        mode,
        notes: found.notes.iter().map(ToString::to_string).collect(),
        query,
        next_cursor,
    }))
}

/// A page of hits and the cursor of the next page. A cursor counts hits, because ranks change with the corpus.
pub fn found(ask: &ApiRequest<'_>, query: &str) -> Result<(SearchResults, Option<String>), Problem> {
    let offset = ask.values.text("cursor").map(|text| cursor::HITS.read_number(text)).transpose()?;
    let repeats = ask.values.text("repeats").and_then(RepeatedHits::from_name).unwrap_or_default();
    found_up_to(ask, query, ask.values.number("limit"), offset.unwrap_or(0) as usize, repeats)
}

/// At most so many hits after the first ones.
pub fn found_up_to(
    ask: &ApiRequest<'_>,
    query: &str,
    limit: usize,
    offset: usize,
    repeats: RepeatedHits,
) -> Result<(SearchResults, Option<String>), Problem> {
    let embedder = &ask.site.options.embedder;
    let options = SearchOptions {
        query: query.to_owned(),
        mode: embedder.mode(ask.store, ask.values.text("mode").and_then(SearchMode::from_name))?,
        word_match: ask.values.text("match").and_then(WordMatch::from_name).unwrap_or_default(),
        last_word: ask.values.text("last_word").and_then(LastWord::from_name).unwrap_or_default(),
        documents: document_filters(&ask.values)?,
        limit,
        offset,
        context: ask.values.number("context"),
        sources: MAX_SOURCES,
        repeats,
    };
    let found = find(ask.store, &options, embedder)?;
    let reached = offset.saturating_add(found.seen());
    let next = (found.total > reached && !found.hits.is_empty())
        .then(|| cursor::HITS.write(&[Key::Number(reached as u64)]));
    Ok((found, next))
}

/// The conditions on documents that a request asks for.
pub fn document_filters(values: &Values) -> Result<DocumentFilters, Problem> {
    let chosen = |filter: &FilterParameter| -> Vec<&str> {
        values.text(filter.name).filter(|value| !value.trim().is_empty()).into_iter().collect()
    };
    let wrong = |error: NoDate| Problem::parameter(error.name, error.to_string());
    let mut filters = DocumentFilters::of(chosen).map_err(wrong)?;
    // The page has years, each a facet.
    if let Some(year) = values.text("year").filter(|year| !year.is_empty()) {
        filters.add("date", year).map_err(|error| Problem::parameter("year", error.to_string()))?;
    }
    Ok(filters)
}

/// A hit as answers show it.
pub fn hit_of(
    store: &Store,
    found: ExpandedHit,
    redactor: &PathRedactor,
) -> Result<Option<SearchHit>, Problem> {
    let ExpandedHit { hit, expanded, .. } = found;
    let Some(chunk) = store.chunks().get(&ChunkName::Row(hit.chunk_id))? else { return Ok(None) };
    let sources = chunks::shown_sources(store, hit.sources, redactor)?;
    let also = hit.also.into_iter().take(MAX_SOURCES).collect();
    Ok(Some(SearchHit {
        chunk,
        score: hit.score,
        snippet: hit.snippet.replace(HIGHLIGHT_MARKS.0, "[").replace(HIGHLIGHT_MARKS.1, "]"),
        highlights: hit.highlights.iter().map(|&(start, end)| (start as u64, end as u64)).collect(),
        source_count: hit.source_count as u64,
        sources,
        also: chunks::shown_sources(store, also, redactor)?,
        before: hit.before,
        after: hit.after,
        expanded,
    }))
}
