//! Search: a form, and hits with the words marked.

use super::clean_text::words_link;
use super::facets;
use super::paging::next_link;
use super::template::page_template;
use super::words::{address, citation_link, name, place};
use crate::serve::api::ApiRequest;
use crate::serve::api::search::{found, found_up_to};
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use maud::{Markup, html};
use pensieve_store::retrieval::Citation;
use pensieve_store::store::{ChunkPlace, HIGHLIGHT_MARKS, Hit, RepeatedHits};
use pensieve_text::model::numbers::count;
use std::collections::HashSet;
use std::ops::Range;

/// `/search`
pub fn page(ask: &ApiRequest<'_>) -> Result<Reply, Problem> {
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    let (query, path, format, mode) = (value("query"), value("path"), value("format"), value("mode"));
    let results = match query.trim().is_empty() {
        true => {
            html! { p .quiet { "Ask in your own words; \"quoted words\" follow each other; OR, NOT, NEAR and prefix* work too." } }
        }
        false if query.trim().parse::<Citation>().is_ok() => html! {
            p .note { "This is a citation: " a href=(citation_link(query.trim())) { "open the document at its words" } "." }
        },
        false => match results(ask, query) {
            Ok(results) => results,
            Err(problem) if problem.kind == Kind::BadQuery => html! {
                p .alert role="alert" { (problem.detail) }
            },
            Err(problem) => return Err(problem),
        },
    };
    let main = html! {
        h1 .hidden { "Search" }
        (form(query, path, format, Some(mode)))
        div #results { (results) }
    };
    let title = if query.is_empty() { "Search".to_owned() } else { format!("{query} – Search") };
    Ok(page_template(ask.site, &title, "/search", main))
}

/// Notes, facets and hits. While a word is typed there are no facets: they need more hits than are shown.
fn results(ask: &ApiRequest<'_>, query: &str) -> Result<Markup, Problem> {
    let names = ["query", "mode", "repeats"].into_iter().chain(facets::FACETS.map(|(name, _)| name));
    let parameters: Vec<(&str, &str)> =
        names.map(|name| (name, ask.values.text(name).unwrap_or_default())).collect();
    let last_word = ask.values.text("last_word").unwrap_or_default();
    let (found, next) = found(ask, query)?;
    let mut facets = html! {};
    if last_word.is_empty() && ask.values.text("cursor").is_none() {
        let (best, _) = found_up_to(ask, query, facets::MAX_HITS, 0, RepeatedHits::Show)?;
        let uids = best.hits.iter().flat_map(|hit| &hit.sources).map(|source| source.doc_uid.as_str());
        let known = ask.store.documents().facets(uids)?;
        facets = facets::links(&best.hits, &known, &parameters);
    }
    let value = |name: &str| ask.values.text(name).unwrap_or_default();
    let [mode, path, format] = ["mode", "path", "format"].map(value);
    let pack = [("question", query), ("mode", mode), ("path", path), ("format", format)];
    let further: Vec<(&str, &str)> = parameters.into_iter().chain([("last_word", last_word)]).collect();
    Ok(html! {
        p .count {
            span { (hit_count(found.total)) }
            @if found.total > 0 { " · " a href=(address("/pack", &pack)) { "Pack them for a language model" } }
        }
        @if found.folded > 0 {
            @let shown: Vec<_> = further.iter().map(|&(name, value)| (name, if name == "repeats" { "show" } else { value })).collect();
            p .note { "Hits that mostly repeat another one are listed with it. " a href=(address("/search", &shown)) { "List each" } }
        }
        @for note in &found.notes { p .note { (note) } }
        (facets)
        ol .hits { @for hits in by_document(&found.hits) { (document_hits(&hits)) } }
        (next_link("/search", &further, ask.values.text("cursor"), next.as_deref()))
    })
}

/// Hits by the document of their first place, in the order of the best of each.
fn by_document(hits: &[Hit]) -> Vec<Vec<&Hit>> {
    let uid = |hit: &Hit| hit.sources.first().map(|source| source.doc_uid.clone());
    let mut groups: Vec<Vec<&Hit>> = Vec::new();
    for hit in hits {
        match groups.iter_mut().find(|group| uid(group[0]) == uid(hit)) {
            Some(group) => group.push(hit),
            None => groups.push(vec![hit]),
        }
    }
    groups
}

/// The form; with the fields for mode, path and format if a mode is given, which may be empty.
pub fn form(query: &str, path: &str, format: &str, mode: Option<&str>) -> Markup {
    html! {
        form .search .more[mode.is_some()] role="search" action="/search" data-live {
            div .wide {
                label for="query" { "Search the corpus" }
                input #query name="query" type="search" value=(query) autocomplete="off" spellcheck="false";
            }
            @if let Some(mode) = mode {
                (mode_field(mode))
                div { label for="path" { "Below" } input #path name="path" value=(path) placeholder="docs/**" size="14"; }
                div { label for="format" { "Format" } input #format name="format" value=(format) placeholder="any" size="10"; }
            }
            button { "Search" }
        }
    }
}

/// The choice of what a question is compared with.
pub fn mode_field(chosen: &str) -> Markup {
    const MODES: [(&str, &str); 4] =
        [("", "as usual"), ("words", "words"), ("vectors", "meaning"), ("hybrid", "both")];
    html! {
        div {
            label for="mode" { "Compare" }
            select #mode name="mode" {
                @for (value, name) in MODES { option value=(value) selected[value == chosen] { (name) } }
            }
        }
    }
}

fn hit_count(total: usize) -> String {
    match total {
        0 => "Nothing found".to_owned(),
        1 => "1 hit".to_owned(),
        _ => format!("{} hits", count(total as u64)),
    }
}

/// Hits of one document that are shown at once.
const MAX_PASSAGES: usize = 3;

/// The hits in one document: its name once, then the places.
fn document_hits(hits: &[&Hit]) -> Markup {
    let Some(source) = hits.first().and_then(|hit| hit.sources.first()) else { return html! {} };
    html! {
        li {
            a .title href=(hit_link(hits[0])) { (name(&source.name)) }
            @if let Some(title) = &source.title { p .lead { (title) } }
            @if let [hit] = hits { (passage(hit, false)) }
            @else {
                @let (first, others) = hits.split_at(hits.len().min(MAX_PASSAGES));
                ol .passages { @for hit in first { li { (passage(hit, true)) } } }
                @if !others.is_empty() {
                    details .links {
                        summary { (count(others.len() as u64)) " more in this document" }
                        ol .passages { @for hit in others { li { (passage(hit, true)) } } }
                    }
                }
            }
        }
    }
}

fn hit_link(hit: &Hit) -> String {
    hit.sources
        .first()
        .map_or_else(String::new, |source| words_link(&source.doc_uid, &found_spans(hit, source.at.start)))
}

/// A hit below the name of its document; with a link of its own where there are several.
fn passage(hit: &Hit, is_linked: bool) -> Markup {
    let Some(source) = hit.sources.first() else { return html! {} };
    let copies = hit.source_count.saturating_sub(1) + source.duplicates.len();
    let words = source.at.locator_value().as_ref().map_or_else(|| "Passage".to_owned(), place);
    html! {
        p .where {
            @if is_linked { a href=(hit_link(hit)) { (words) } }
            @else if source.at.locator.is_some() { span { (words) } }
            @if let Some(headings) = &source.at.heading_path { span { (headings) } }
            span { (count(hit.tokens as u64)) " tokens" }
            @if copies > 0 { span { "and " (count(copies as u64)) " more " (if copies == 1 { "place" } else { "places" }) } }
        }
        p .snippet { (marked(&hit.snippet)) }
        @if !hit.also.is_empty() { (repeated(&hit.also)) }
    }
}

/// The places of later hits that mostly repeat one, each document once.
fn repeated(places: &[ChunkPlace]) -> Markup {
    let mut uids = HashSet::new();
    let places: Vec<&ChunkPlace> = places.iter().filter(|place| uids.insert(&place.doc_uid)).collect();
    let (first, others) = places.split_at(places.len().min(MAX_PASSAGES));
    let link = |place: &ChunkPlace| {
        let words = place.at.start..place.at.end;
        html! { a href=(words_link(&place.doc_uid, std::slice::from_ref(&words))) { (name(&place.name)) } }
    };
    html! {
        p .where {
            span { "also, with changes, in " @for (at, place) in first.iter().enumerate() { @if at > 0 { ", " } (link(place)) } }
            @if !others.is_empty() { span { "and " (count(others.len() as u64)) " more" } }
        }
    }
}

/// The found words as bytes of the clean text; the start of the chunk if there are none.
fn found_spans(hit: &Hit, start: usize) -> Vec<Range<usize>> {
    let ends = [hit.content.len()];
    let bytes: Vec<usize> =
        hit.content.char_indices().map(|(at, _)| at).chain(ends).map(|at| start + at).collect();
    let span = |&(from, to): &(usize, usize)| Some(*bytes.get(from)?..*bytes.get(to)?);
    let mut spans: Vec<Range<usize>> = hit.highlights.iter().filter_map(span).collect();
    if spans.is_empty() {
        spans.push(start..start);
    }
    spans
}

/// A snippet with its marks as elements.
fn marked(snippet: &str) -> Markup {
    let mut parts = snippet.split(HIGHLIGHT_MARKS.0);
    let first = parts.next().unwrap_or_default();
    html! {
        (first)
        @for part in parts {
            @match part.split_once(HIGHLIGHT_MARKS.1) {
                Some((found, after)) => { mark { (found) } (after) },
                None => (part),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_elements_and_everything_else_is_text() {
        let check = |snippet: &str, expected: &str| assert_eq!(marked(snippet).into_string(), expected);
        check("a ⟦<b>⟧ & c", "a <mark>&lt;b&gt;</mark> &amp; c");
        check("⟦x⟧⟦y⟧", "<mark>x</mark><mark>y</mark>");
        check("no ⟦ end", "no  end");
    }
}
