//! The databases of one server, each with a short name.

use super::error::ToolError;
use crate::access::{ConnectionPool, PathRedactor};
use pensieve_store::embedding::QuestionEmbedder;
use pensieve_store::retrieval::{corpus_names, source_heading};
use pensieve_store::store::{ChunkPlace, Store};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// Copies of a document that a place lists.
const MAX_COPIES: usize = 5;

/// One database.
#[derive(Clone)]
pub struct Corpus {
    /// Its name in arguments, answers and addresses.
    pub name: String,
    /// Its connections.
    pub pool: Arc<ConnectionPool>,
}

/// The databases of a server.
#[derive(Clone)]
pub struct Corpora {
    list: Arc<[Corpus]>,
    shows_paths: bool,
    embedder: Arc<QuestionEmbedder>,
}

impl Corpora {
    /// Databases with their connections. Answers have absolute paths only if `shows_paths`.
    pub fn new(
        databases: Vec<(&Path, Arc<ConnectionPool>)>,
        shows_paths: bool,
        embedder: Arc<QuestionEmbedder>,
    ) -> Corpora {
        let names = corpus_names(databases.iter().map(|(path, _)| *path));
        let list = names.into_iter().zip(databases).map(|(name, (_, pool))| Corpus { name, pool });
        Corpora { list: list.collect(), shows_paths, embedder }
    }

    /// Every corpus, in the order given.
    pub fn all(&self) -> &[Corpus] {
        &self.list
    }

    /// The corpora that a call is about: the named one, or all.
    pub fn chosen(&self, name: Option<&str>) -> Result<&[Corpus], ToolError> {
        let Some(name) = name else { return Ok(&self.list) };
        match self.list.iter().position(|corpus| corpus.name == name) {
            Some(at) => Ok(&self.list[at..=at]),
            None => {
                let known: Vec<&str> = self.list.iter().map(|corpus| corpus.name.as_str()).collect();
                Err(ToolError::new(format!("there is no corpus `{name}`; known are: {}", known.join(", "))))
            }
        }
    }

    /// Reads one corpus on a working thread, within one read transaction.
    pub async fn ask<T: Send + 'static>(
        &self,
        corpus: &Corpus,
        read: impl FnOnce(&CorpusView<'_>) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (name, shows_paths) = (corpus.name.clone(), self.shows_paths);
        let embedder = Arc::clone(&self.embedder);
        let view = move |store: &Store| {
            let redactor = PathRedactor::over(store, shows_paths)?;
            read(&CorpusView { store, name: &name, redactor, embedder: &embedder })
        };
        corpus.pool.ask(view).await
    }
}

/// One corpus at one moment, for the functions of the tools.
pub struct CorpusView<'s> {
    /// The database, within one read transaction.
    pub store: &'s Store,
    /// The name of the corpus.
    pub name: &'s str,
    /// Decides which paths are shown.
    pub redactor: PathRedactor,
    /// Makes vectors of questions.
    pub embedder: &'s QuestionEmbedder,
}

/// The keys of a place, or of a piece of a pack, that models read: they name it, lead to it, and say what it is. The
/// citation has the document and the bytes.
const SHOWN_KEYS: [&str; 13] = [
    "number",
    "corpus",
    "content",
    "text",
    "citation",
    "relative_path",
    "name",
    "title",
    "author",
    "locator",
    "heading_path",
    "context",
    "copies",
];

impl CorpusView<'_> {
    /// A place as answers show it, with its short citation: keys of `search --json`, and the paths of copies.
    pub fn shown_place(&self, mut place: ChunkPlace) -> Result<JsonObject, ToolError> {
        place.citation = place.citation.shortened(self.store.documents().short_uid(&place.doc_uid)?);
        let copies: Vec<String> =
            place.duplicates.drain(..).take(MAX_COPIES).map(|copy| copy.relative_path).collect();
        let mut shown = shown(&place);
        if !copies.is_empty() {
            shown.insert("copies".to_owned(), copies.into());
        }
        Ok(shown)
    }
}

/// A place or piece with the keys that models read, and nothing twice.
pub fn shown(place: &impl Serialize) -> JsonObject {
    let Ok(Value::Object(mut shown)) = serde_json::to_value(place) else { return JsonObject::new() };
    shown.retain(|key, value| SHOWN_KEYS.contains(&key.as_str()) && !value.is_null());
    // Boxes and the places of sentences take more tokens than the sentences themselves.
    if let Some(locator) = shown.get_mut("locator").and_then(Value::as_object_mut) {
        locator.retain(|key, _| !matches!(key.as_str(), "bbox" | "bytes" | "sentences"));
    }
    let words = |shown: &JsonObject, key: &str| {
        let text = shown.get(key).and_then(Value::as_str).unwrap_or_default();
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    if words(&shown, "name") == words(&shown, "relative_path") {
        shown.remove("name");
    }
    let title = words(&shown, "title");
    if ["relative_path", "heading_path"].iter().any(|key| words(&shown, key).contains(&title)) {
        shown.remove("title");
    }
    shown
}

/// The same in one line, for the text of a result.
pub fn heading_of(place: &JsonObject) -> String {
    let text = |key: &str| place.get(key).and_then(Value::as_str);
    let name = text("name").or(text("relative_path"));
    let after = ["title", "author", "heading_path", "citation"].map(text);
    source_heading(&[text("corpus"), name], place.get("locator"), &after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_shown_without_what_it_says_twice() {
        let place = serde_json::json!({
            "citation": "pensieve:a/1-2/b", "doc_uid": "a", "relative_path": "Oil-Store.md", "name": "Oil-Store.md",
            "title": "Oil store", "author": null, "locator": { "bbox": [1, 2, 3, 4], "page": 3 }, "start": 1,
        });
        let lean = shown(&place);
        let expected = serde_json::json!({
            "citation": "pensieve:a/1-2/b", "relative_path": "Oil-Store.md", "locator": { "page": 3 },
        });
        assert_eq!(Value::Object(lean.clone()), expected);
        assert_eq!(heading_of(&lean), "Oil-Store.md | page 3 | pensieve:a/1-2/b");
        let other = serde_json::json!({ "relative_path": "a.pdf", "title": "Oil", "author": "Ann" });
        assert_eq!(heading_of(&shown(&other)), "a.pdf | Oil | Ann");
    }
}
