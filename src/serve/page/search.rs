//! Search: a form, and hits with the words marked.

use super::clean_text::words_link;
use super::paging::next_link;
use super::template::page_template;
use super::words::{address, citation_link, name, place};
use crate::retrieval::Citation;
use crate::serve::api::ApiRequest;
use crate::serve::api::search::found;
use crate::serve::problem::{Kind, Problem};
use crate::serve::reply::Reply;
use crate::store::{HIGHLIGHT_MARKS, Hit};
use maud::{Markup, html};
use pensieve_text::model::numbers::count;
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
        false => match found(ask, query) {
            Ok((found, next)) => html! {
                p .count {
                    span { (hit_count(found.total)) }
                    @if found.total > 0 {
                        " · " a href=(address("/pack", &[("question", query), ("mode", mode), ("path", path), ("format", format)])) { "Pack them for a language model" }
                    }
                }
                @for note in &found.notes { p .note { (note) } }
                ol .hits { @for hit in &found.hits { (one(hit)) } }
                @let parameters = [("query", query), ("mode", mode), ("path", path), ("format", format), ("last_word", value("last_word"))];
                (next_link("/search", &parameters, ask.values.text("cursor"), next.as_deref()))
            },
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
    Ok(page_template(&title, "/search", main))
}

/// The form; with the fields for mode, path and format if a mode is given, which may be empty.
pub fn form(query: &str, path: &str, format: &str, mode: Option<&str>) -> Markup {
    html! {
        form .search role="search" action="/search" data-live[mode.is_some()] {
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

fn one(hit: &Hit) -> Markup {
    let Some(source) = hit.sources.first() else { return html! {} };
    let link = words_link(&source.doc_uid, &found_spans(hit, source.start));
    let copies = hit.source_count.saturating_sub(1) + source.duplicates.len();
    html! {
        li {
            a .title href=(link) { (name(&source.name)) }
            p .where {
                @if let Some(locator) = &source.locator { span { (place(locator)) } }
                @if let Some(headings) = &source.heading_path { span { (headings) } }
                span { (count(hit.tokens as u64)) " tokens" }
                @if copies > 0 { span { "and " (count(copies as u64)) " more " (if copies == 1 { "place" } else { "places" }) } }
            }
            p .snippet { (marked(&hit.snippet)) }
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
