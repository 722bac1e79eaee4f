//! The databases of one server, each with a short name.

use super::error::ToolError;
use crate::access::{ConnectionPool, PathRedactor};
use crate::embedding::QuestionEmbedder;
use crate::store::{ChunkPlace, Store};
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
        let names = unique_names(databases.iter().map(|(path, _)| *path));
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

/// The names of files without their extensions, each once.
fn unique_names<'p>(paths: impl Iterator<Item = &'p Path>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut name = stem.clone();
        let mut number = 1;
        while names.contains(&name) {
            number += 1;
            name = format!("{stem}-{number}");
        }
        names.push(name);
    }
    names
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

impl CorpusView<'_> {
    /// A place as answers show it: the keys of `search --json`.
    pub fn shown_place(&self, mut place: ChunkPlace) -> serde_json::Map<String, Value> {
        place.duplicates.truncate(MAX_COPIES);
        let Ok(Value::Object(mut shown)) = serde_json::to_value(&place) else {
            return serde_json::Map::new();
        };
        if self.redactor.path("").is_none() {
            shown.remove("path");
            let copies = shown.get_mut("duplicates").and_then(Value::as_array_mut);
            for copy in copies.into_iter().flatten().filter_map(Value::as_object_mut) {
                copy.remove("path");
            }
        }
        // The place of each sentence of a page takes more tokens than the sentences themselves.
        if let Some(locator) = shown.get_mut("locator").and_then(Value::as_object_mut) {
            locator.remove("sentences");
        }
        // What is not known says nothing.
        shown.retain(|_, value| !value.is_null());
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let paths = ["a/notes.db", "b/notes.db", "notes-2.db", "notes.corpus.db"];
        assert_eq!(
            unique_names(paths.iter().map(Path::new)),
            ["notes", "notes-2", "notes-2-2", "notes.corpus"]
        );
    }
}
