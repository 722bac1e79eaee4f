//! The tool `search`: chunks by their words or their meaning, with citations.

use super::corpora::{CorpusView, heading_of};
use super::error::ToolError;
use super::parameters::{ParameterKind, ToolArguments, ToolParameter};
use super::shared_parameters::{CORPUS, FILTERS, MODE, document_filters};
use crate::access::joined;
use pensieve_store::retrieval::{FoundHits, LabelledHit, fenced, search as find};
use pensieve_store::store::{Hit, RepeatedHits, SearchMode, SearchOptions, WordMatch};
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
pub const PARAMETERS: &[ToolParameter] = &joined::<_, 17>(&[
    &[
        ToolParameter {
            name: "query",
            about: "A question or words; also \"a phrase\", word*, OR, NOT, NEAR, heading:x",
            kind: ParameterKind::RequiredText,
        },
        CORPUS,
    ],
    FILTERS,
    &[
        LIMIT,
        OFFSET,
        CONTEXT,
        ToolParameter {
            name: "match",
            about: "Must a hit have all words? auto: all first, then any",
            kind: ParameterKind::OneOf(&WordMatch::NAMES),
        },
        ToolParameter {
            name: "repeats",
            about: "Hits that mostly repeat an earlier one",
            kind: ParameterKind::OneOf(&RepeatedHits::NAMES),
        },
        MODE,
    ],
]);

/// The arguments of `search`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchArguments {
    options: SearchOptions,
    mode: Option<SearchMode>,
}

/// The result of `search`.
pub type SearchAnswer = FoundHits<FoundChunk>;

/// One chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundChunk {
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

impl LabelledHit for FoundChunk {
    fn content_hash(&self) -> &str {
        &self.content_hash
    }

    fn label(&mut self, corpus: &str) {
        self.corpus = Some(corpus.to_owned());
    }
}

/// The answer as text: the notes, and each hit as in a pack.
pub fn answer_text(answer: &SearchAnswer) -> String {
    let mut out: String = answer.notes.iter().map(|note| format!("note: {note}\n")).collect();
    if answer.hits.is_empty() && answer.total == 0 {
        out.push_str("nothing found\n");
    }
    let mut told = HashSet::new();
    for (at, hit) in answer.hits.iter().enumerate() {
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
            repeats: arguments.text("repeats").and_then(RepeatedHits::from_name).unwrap_or_default(),
            ..SearchOptions::default()
        };
        Ok(SearchArguments { options, mode: arguments.text(MODE.name).and_then(SearchMode::from_name) })
    }

    /// Hits to skip, and how many to list.
    pub fn page(&self) -> (usize, usize) {
        (self.options.offset, self.options.limit)
    }

    /// For one of several corpora: the first hits, of which [`take_turns`](pensieve_store::retrieval::take_turns) chooses.
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
        let next = options.offset + found.seen();
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
        let text = answer_text(&found);
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            headings,
            ["## 1. a.md | Lamps | Ann | Oil", "## 2. a.md | Oil > Wicks", "## 3. b.md | Lamps | Ann"]
        );
    }
}
