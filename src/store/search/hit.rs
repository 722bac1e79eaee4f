//! What a search is asked, and what it answers.

use super::highlight::HIGHLIGHT_MARKS;
use crate::store::places::ChunkPlace;
use crate::store::query::QueryNote;
use serde::Serialize;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Words and operators; the grammar is in docs/search.md.
    pub query: String,
    /// Patterns in the language of ignore files, on paths below the roots: one of them must choose a place. With `!`
    /// before it a pattern leaves out.
    pub paths: Vec<String>,
    /// Formats or extensions: a place must have one of them.
    pub formats: Vec<String>,
    /// Hits at most.
    pub limit: usize,
    /// Hits to pass over.
    pub offset: usize,
    /// Neighbouring chunks on each side.
    pub context: usize,
    /// Places of each hit, at most; [`Hit::source_count`] is the number of all.
    pub sources: usize,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            query: String::new(),
            paths: Vec::new(),
            formats: Vec::new(),
            limit: 10,
            offset: 0,
            context: 0,
            sources: usize::MAX,
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResults {
    /// The hits that were asked for, best first.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
    /// What may have been meant otherwise.
    pub notes: Vec<QueryNote>,
}

/// One chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// How outsiders name the chunk.
    pub content_hash: String,
    /// Its row.
    #[serde(skip)]
    pub chunk_id: i64,
    /// BM25, larger is better; 0 where only places were asked for.
    pub score: f64,
    /// The words that were found between [`HIGHLIGHT_MARKS`], with their surroundings.
    pub snippet: String,
    /// The found words in the content: ranges of characters, the end not included.
    pub highlights: Vec<(usize, usize)>,
    /// The whole chunk.
    pub content: String,
    /// Its tokens.
    pub tokens: usize,
    /// How many places it has.
    pub source_count: usize,
    /// Its places by path, those that the filters ask for first.
    pub sources: Vec<ChunkPlace>,
    /// Chunks before it in its first place, in the order of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Chunks after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

impl Hit {
    /// The content with [`HIGHLIGHT_MARKS`] around what was found.
    pub fn marked_content(&self) -> String {
        let mut out = String::with_capacity(self.content.len() + 16);
        let mut edges = self
            .highlights
            .iter()
            .flat_map(|(start, end)| [(*start, HIGHLIGHT_MARKS.0), (*end, HIGHLIGHT_MARKS.1)]);
        let mut next = edges.next();
        for (at, c) in self.content.chars().enumerate() {
            while let Some((_, mark)) = next.filter(|(edge, _)| *edge == at) {
                out.push(mark);
                next = edges.next();
            }
            out.push(c);
        }
        out.extend(next.into_iter().chain(edges).map(|(_, mark)| mark));
        out
    }
}
