//! The tool `search`: chunks by their words or their meaning, with citations.

use super::corpora::{CorpusView, heading_of};
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{
    AFTER, AUTHOR, BEFORE, CORPUS, FORMAT, FROM, LANG, MODE, PATH, TAG, TO, document_filters,
};
use crate::retrieval::{fenced, search as find};
use crate::store::{Hit, SearchMode, SearchOptions, WordMatch};
use pensieve_text::chunk::HEADING_SEPARATOR;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;

/// Places of one hit that are listed; boilerplate has thousands.
const MAX_SOURCES: usize = 3;

const LIMIT: ToolParameter = ToolParameter {
    name: "limit",
    about: "",
    kind: ParameterKind::Number { least: 1, most: 50, default: Some(8) },
};

const OFFSET: ToolParameter = ToolParameter {
    name: "offset",
    about: "Hits to skip",
    kind: ParameterKind::Number { least: 0, most: 10_000, default: None },
};

const CONTEXT: ToolParameter = ToolParameter {
    name: "context",
    about: "Neighbouring chunks on each side",
    kind: ParameterKind::Number { least: 0, most: 5, default: None },
};

/// The parameters of `search`.
pub const PARAMETERS: &[ToolParameter] = &[
    ToolParameter {
        name: "query",
        about: "A question or words; also \"a phrase\", word*, OR, NOT, NEAR, heading:x",
        kind: ParameterKind::RequiredText,
    },
    CORPUS,
    PATH,
    FORMAT,
    AUTHOR,
    FROM,
    TO,
    AFTER,
    BEFORE,
    TAG,
    LANG,
    LIMIT,
    OFFSET,
    CONTEXT,
    ToolParameter {
        name: "match",
        about: "Must a hit have all words? auto: all first, then any",
        kind: ParameterKind::OneOf(&WordMatch::NAMES),
    },
    MODE,
];

/// The arguments of `search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchArguments {
    options: SearchOptions,
    mode: Option<SearchMode>,
}

/// The result of `search`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// `all` if every hit has all words of the query, `any` if hits of a question need not.
    #[serde(rename = "match")]
    word_match: &'static str,
    /// The number of all hits.
    total: usize,
    /// How hits were found, and what may have been meant differently.
    notes: Vec<String>,
    /// Best first.
    hits: Vec<FoundChunk>,
}

/// One chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct FoundChunk {
    /// Its corpus, if several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    corpus: Option<String>,
    content: String,
    sources: Vec<JsonObject>,
    /// The number of its places, if not all of them are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_count: Option<usize>,
    /// Places with mostly the same words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<JsonObject>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    after: Vec<String>,
    #[serde(skip)]
    content_hash: String,
}

impl SearchAnswer {
    /// The answer as text: the notes, and each hit as in a pack.
    pub fn text(&self) -> String {
        let mut out: String = self.notes.iter().map(|note| format!("note: {note}\n")).collect();
        if self.hits.is_empty() && self.total == 0 {
            out.push_str("nothing found\n");
        }
        let mut told = HashSet::new();
        for (at, hit) in self.hits.iter().enumerate() {
            let corpus = hit.corpus.as_ref().map(|name| format!("{name} | ")).unwrap_or_default();
            let mut places =
                hit.sources.iter().map(|place| heading_of(&without_repetition(place, hit, &mut told)));
            out.push_str(&format!("## {}. {corpus}{}\n", at + 1, places.next().unwrap_or_default()));
            places.for_each(|place| out.push_str(&format!("also {place}\n")));
            let changed = hit.also.iter().map(heading_of);
            changed.for_each(|place| out.push_str(&format!("also, with changes, {place}\n")));
            let texts: Vec<&str> =
                hit.before.iter().chain([&hit.content]).chain(&hit.after).map(String::as_str).collect();
            out.push_str(&fenced(&texts.join("\n")));
        }
        out
    }
}

/// A place without the title and author of a document that a hit before it has told, and without the heading that its text begins
/// with. Headings of reports are long: they took a tenth of the tokens of an answer.
fn without_repetition(
    place: &JsonObject,
    hit: &FoundChunk,
    told: &mut HashSet<(Option<String>, String)>,
) -> JsonObject {
    let mut place = place.clone();
    let path = place.get("relative_path").and_then(Value::as_str).unwrap_or_default();
    if !told.insert((hit.corpus.clone(), path.to_owned())) {
        place.retain(|key, _| !matches!(key.as_str(), "title" | "author"));
    }
    let first_line = hit.before.first().unwrap_or(&hit.content).lines().next().unwrap_or_default();
    if let Some(Value::String(path)) = place.get_mut("heading_path") {
        let (above, last) = path.rsplit_once(HEADING_SEPARATOR).unwrap_or(("", path));
        if last.trim() == first_line.trim_start_matches('#').trim() {
            *path = above.to_owned();
        }
        if path.is_empty() {
            place.remove("heading_path");
        }
    }
    place
}

impl SearchArguments {
    /// Reads checked arguments.
    pub fn of(arguments: &ToolArguments) -> Result<SearchArguments, ToolError> {
        let options = SearchOptions {
            query: arguments.text("query").unwrap_or_default().to_owned(),
            word_match: arguments.text("match").and_then(WordMatch::from_name).unwrap_or_default(),
            documents: document_filters(arguments)?,
            limit: arguments.number_of(&LIMIT),
            offset: arguments.number_of(&OFFSET),
            context: arguments.number_of(&CONTEXT),
            sources: MAX_SOURCES,
            folds_repeats: true,
            ..SearchOptions::default()
        };
        Ok(SearchArguments { options, mode: arguments.text(MODE.name).and_then(SearchMode::from_name) })
    }

    /// For one of several corpora: the first hits, of which [`merge`] chooses.
    pub fn for_merging(&self) -> SearchArguments {
        let limit = self.options.limit.saturating_add(self.options.offset);
        let options = SearchOptions { limit, offset: 0, ..self.options.clone() };
        SearchArguments { options, mode: self.mode }
    }
}

/// Searches one corpus.
pub fn search(view: &CorpusView<'_>, arguments: &SearchArguments) -> Result<SearchAnswer, ToolError> {
    let mode = view.embedder.mode(view.store, arguments.mode)?;
    let options = SearchOptions { mode, ..arguments.options.clone() };
    let found = find(view.store, &options, view.embedder)?;
    let (word_match, mode) = (found.match_name(), found.mode);
    let mut notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    if mode != SearchMode::Words {
        notes.push(format!("found by {}", mode.as_str()));
    }
    if found.folded > 0 {
        let next = options.offset + found.hits.len() + found.folded;
        notes.push(format!(
            "places with mostly the same words are listed with the first; offset {next} continues"
        ));
    }
    let hits = found.hits.into_iter().map(|hit| shown_hit(view, hit));
    Ok(SearchAnswer { word_match, total: found.total, notes, hits: hits.collect::<Result<_, _>>()? })
}

fn shown_hit(view: &CorpusView<'_>, hit: Hit) -> Result<FoundChunk, ToolError> {
    let has_more = hit.source_count > hit.sources.len();
    let sources = hit.sources.into_iter().map(|place| view.shown_place(place));
    // As many as the places of a hit: a model needs to know that there are others, not all of them.
    let also = hit.also.into_iter().take(MAX_SOURCES).map(|place| view.shown_place(place));
    Ok(FoundChunk {
        corpus: None,
        content: hit.content,
        sources: sources.collect::<Result<_, _>>()?,
        source_count: has_more.then_some(hit.source_count),
        also: also.collect::<Result<_, _>>()?,
        before: hit.before,
        after: hit.after,
        content_hash: hit.content_hash,
    })
}

/// The answers of several corpora as one.
///
/// Scores of different corpora cannot be compared: each counts how rare a word is among its own chunks. Hits of the same
/// rank therefore take turns, after all those of corpora where every hit has all words. A chunk that several corpora
/// have is listed once.
pub fn merge(arguments: &SearchArguments, answers: Vec<(String, SearchAnswer)>) -> SearchAnswer {
    let options = &arguments.options;
    let mut merged = SearchAnswer { word_match: "all", total: 0, notes: Vec::new(), hits: Vec::new() };
    let mut ranked: Vec<(bool, usize, usize, FoundChunk)> = Vec::new();
    for (corpus, (name, answer)) in answers.into_iter().enumerate() {
        let is_any = answer.word_match == "any";
        merged.total += answer.total;
        merged.notes.extend(answer.notes.into_iter().map(|note| format!("{name}: {note}")));
        if is_any && !answer.hits.is_empty() {
            merged.word_match = "any";
        }
        let hits = answer.hits.into_iter().enumerate();
        let named = |hit: FoundChunk| FoundChunk { corpus: Some(name.clone()), ..hit };
        ranked.extend(hits.map(|(rank, hit)| (is_any, rank, corpus, named(hit))));
    }
    ranked.sort_by_key(|(is_any, rank, corpus, _)| (*is_any, *rank, *corpus));
    let mut seen = HashSet::new();
    let hits = ranked.into_iter().map(|(.., hit)| hit).filter(|hit| seen.insert(hit.content_hash.clone()));
    merged.hits = hits.skip(options.offset).take(options.limit).collect();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(word_match: &'static str, hashes: &[&str]) -> SearchAnswer {
        let hit = |hash: &&str| FoundChunk {
            corpus: None,
            content_hash: (*hash).to_owned(),
            content: String::new(),
            source_count: None,
            sources: Vec::new(),
            also: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        };
        let hits: Vec<FoundChunk> = hashes.iter().map(hit).collect();
        let (total, notes) = (hits.len(), vec!["a note".to_owned()]);
        SearchAnswer { word_match, total, notes, hits }
    }

    #[test]
    fn titles_are_told_once_and_headings_not_beside_themselves() {
        let mut found = answer("all", &["1", "2", "3"]);
        let place = |path: &str, headings: &str| {
            let place = serde_json::json!({
                "relative_path": path, "title": "Lamps", "author": "Ann", "heading_path": headings,
            });
            place.as_object().cloned().unwrap_or_default()
        };
        let contents = [
            ("a.md", "Oil > Wicks", "### Wicks\nTrim."),
            ("a.md", "Oil > Wicks", "More."),
            ("b.md", "Oil", "# Oil"),
        ];
        for (hit, (path, headings, content)) in found.hits.iter_mut().zip(contents) {
            hit.sources = vec![place(path, headings)];
            hit.content = content.to_owned();
        }
        let text = found.text();
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            headings,
            ["## 1. a.md | Lamps | Ann | Oil", "## 2. a.md | Oil > Wicks", "## 3. b.md | Lamps | Ann"]
        );
    }

    #[test]
    fn hits_of_several_corpora_take_turns() {
        let options = SearchOptions { offset: 1, limit: 3, ..SearchOptions::default() };
        let arguments = SearchArguments { options, mode: None };
        let answers = vec![
            ("x".to_owned(), answer("any", &["x1", "x2"])),
            ("y".to_owned(), answer("all", &["y1", "both", "y3"])),
            ("z".to_owned(), answer("all", &["z1", "both"])),
        ];
        let merged = merge(&arguments, answers);
        let hashes: Vec<&str> = merged.hits.iter().map(|hit| hit.content_hash.as_str()).collect();
        assert_eq!(hashes, ["z1", "both", "y3"]);
        assert_eq!((merged.total, merged.word_match, merged.notes[0].as_str()), (7, "any", "x: a note"));
    }
}
