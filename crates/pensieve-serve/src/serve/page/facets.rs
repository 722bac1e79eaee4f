//! Facets: how the best hits are spread over folders, formats, years, people, languages and tags, each a link that narrows
//! the search.

use super::words::address;
use maud::{Markup, html};
use pensieve_store::store::{DocumentFacets, Hit};
use pensieve_text::model::numbers::count;
use pensieve_text::text::fields::Field;
use std::collections::{BTreeMap, HashMap};

/// Hits that are counted: the best ones.
pub const MAX_HITS: usize = 200;

/// Values of a facet that are shown.
const MAX_VALUES: usize = 6;

/// The names of facets: the parameter that narrows by it, and its word on the page.
pub const FACETS: [(&str, &str); 7] = [
    ("path", "Folder"),
    ("format", "Format"),
    ("year", "Year"),
    ("from", "Sender"),
    ("author", "Author"),
    ("lang", "Language"),
    ("tag", "Tag"),
];

/// What the documents of some hits are like, by their ids.
pub type KnownFacets = HashMap<String, DocumentFacets>;

/// The values of one facet of a document, as they narrow a search. Who sent a mail is shown as its sender alone.
fn values(facet: &str, document: &DocumentFacets) -> Vec<String> {
    let of = |field: Field| {
        let values = document.fields.iter().filter(move |(known, _)| *known == field);
        values.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    match facet {
        "path" => {
            let folder = document.relative_path.split_once('/');
            folder.map(|(folder, _)| format!("/{folder}/**")).into_iter().collect()
        }
        "format" => document.format.iter().cloned().collect(),
        "year" => {
            let dates = of(Field::Date).into_iter().chain(document.modified.clone());
            dates.take(1).filter_map(|date| date.get(..4).map(str::to_owned)).collect()
        }
        "author" if !of(Field::From).is_empty() => Vec::new(),
        name => Field::named(name).map(of).unwrap_or_default(),
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
        .flat_map(|document| values(facet, document))
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
            modified: Some("2020-01-01".to_owned()),
            fields: vec![(Field::Date, format!("{year}-05-31")), (Field::Tag, "oil".to_owned())],
        }
    }

    #[test]
    fn values_are_counted_by_document_and_the_frequent_come_first() {
        let documents =
            [document("a/x.txt", "2024"), document("b/x.txt", "2025"), document("b/y.txt", "2025")];
        let years: Vec<_> = counted("year", documents.iter());
        assert_eq!(years, [("2025".to_owned(), 2), ("2024".to_owned(), 1)]);
        assert_eq!(counted("path", documents.iter())[0], ("/b/**".to_owned(), 2));
        assert_eq!(counted("tag", documents.iter()), [("oil".to_owned(), 3)]);
        assert_eq!(counted("from", documents.iter()), []);
        assert_eq!(shown("path", "/b/**"), "b");
    }
}
