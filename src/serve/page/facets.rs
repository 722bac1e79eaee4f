//! Facets: how the best hits are spread over folders, formats, years and senders, each a link that narrows the search.

use super::words::address;
use crate::store::{DocumentFacets, Hit};
use maud::{Markup, html};
use pensieve_text::model::numbers::count;
use std::collections::{BTreeMap, HashMap};

/// Hits that are counted and, by year or sender, chosen from: the best ones.
pub const MAX_HITS: usize = 200;

/// Values of a facet that are shown.
const MAX_VALUES: usize = 6;

/// The names of facets: the parameter that narrows by it, and its word on the page.
const FACETS: [(&str, &str); 4] =
    [("path", "Folder"), ("format", "Format"), ("year", "Year"), ("from", "Sender")];

/// What the documents of some hits are like, by their ids.
pub type KnownFacets = HashMap<String, DocumentFacets>;

/// True for a hit with a place in a document of this year and from this sender; empty ones do not matter.
pub fn is_chosen(hit: &Hit, known: &KnownFacets, year: &str, from: &str) -> bool {
    let fits = |chosen: &str, value: Option<&str>| chosen.is_empty() || value == Some(chosen);
    hit.sources
        .iter()
        .filter_map(|source| known.get(&source.doc_uid))
        .any(|document| fits(year, document.year.as_deref()) && fits(from, document.sender.as_deref()))
}

/// The values of one facet of a document, as they narrow a search.
fn value(facet: &str, document: &DocumentFacets) -> Option<String> {
    match facet {
        "path" => document.relative_path.split_once('/').map(|(folder, _)| format!("/{folder}/**")),
        "format" => document.format.clone(),
        "year" => document.year.clone(),
        _ => document.sender.clone(),
    }
}

/// The links; of a facet that is chosen already, one that takes the choice back.
pub fn links(hits: &[Hit], known: &KnownFacets, parameters: &[(&str, &str)]) -> Markup {
    let documents: BTreeMap<&str, &DocumentFacets> = (hits.iter())
        .filter_map(|hit| hit.sources.first())
        .filter_map(|source| Some((source.doc_uid.as_str(), known.get(&source.doc_uid)?)))
        .collect();
    let groups = FACETS.map(|(facet, name)| (facet, name, counted(facet, documents.values().copied())));
    let chosen = |facet: &str| {
        let value = parameters.iter().find(|(name, _)| *name == facet).map_or("", |(_, value)| *value);
        (!value.is_empty()).then_some(value)
    };
    let with = |facet: &str, value: &str| {
        let changed = parameters.iter().map(|&(name, old)| (name, if name == facet { value } else { old }));
        address("/search", &changed.collect::<Vec<_>>())
    };
    html! {
        @if groups.iter().any(|(facet, _, values)| values.len() > 1 || chosen(facet).is_some()) {
            dl .facets {
                @for (facet, name, values) in &groups {
                    @if let Some(value) = chosen(facet) {
                        div { dt { (name) } dd { a href=(with(facet, "")) title="Take this choice back" { bdi { (value) } " ×" } } }
                    } @else if values.len() > 1 {
                        div { dt { (name) } @for (value, number) in values {
                            dd { a href=(with(facet, value)) { bdi { (shown(facet, value)) } } " " span .number { (count(*number)) } }
                        } }
                    }
                }
            }
        }
    }
}

/// The most frequent values with their number of documents.
fn counted<'d>(facet: &str, documents: impl Iterator<Item = &'d DocumentFacets>) -> Vec<(String, u64)> {
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    documents
        .filter_map(|document| value(facet, document))
        .for_each(|value| *numbers.entry(value).or_default() += 1);
    let mut values: Vec<(String, u64)> = numbers.into_iter().collect();
    values.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    values.truncate(MAX_VALUES);
    values
}

fn shown<'v>(facet: &str, value: &'v str) -> &'v str {
    match facet {
        "path" => value.trim_start_matches('/').trim_end_matches("/**"),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(path: &str, year: &str) -> DocumentFacets {
        DocumentFacets {
            relative_path: path.to_owned(),
            format: Some("text".to_owned()),
            year: Some(year.to_owned()),
            sender: None,
        }
    }

    #[test]
    fn values_are_counted_by_document_and_the_frequent_come_first() {
        let documents =
            [document("a/x.txt", "2024"), document("b/x.txt", "2025"), document("b/y.txt", "2025")];
        let years: Vec<_> = counted("year", documents.iter());
        assert_eq!(years, [("2025".to_owned(), 2), ("2024".to_owned(), 1)]);
        assert_eq!(counted("path", documents.iter())[0], ("/b/**".to_owned(), 2));
        assert_eq!(counted("from", documents.iter()), []);
        assert_eq!(shown("path", "/b/**"), "b");
    }
}
