//! The options and the result of a search.

use super::filter::document_filters::DocumentFilters;
use super::highlight::HIGHLIGHT_MARKS;
use crate::store::database::meta::SearchMode;
use crate::store::places::chunk_place::ChunkPlace;
use crate::store::query::QueryNote;
use pensieve_text::names;
use serde::Serialize;

names! {
    /// Which chunks a question finds: a query of words alone, without operators, quotes and filters. Other queries find
    /// what they say.
    #[derive(Default)]
    WordMatch {
        /// Chunks with any of the words, by how well they answer; a query with operators that matches nothing becomes a question.
        #[default]
        Auto = "auto",
        /// Only chunks with all words.
        All = "all",
        /// The same as `Auto`, for callers that name it.
        Any = "any",
    }
}

names! {
    /// Whether the last word of a question is whole. Other queries have `word*` for the beginning of a word.
    #[derive(Default)]
    LastWord {
        /// It is.
        #[default]
        Whole = "whole",
        /// It may be the beginning of a word that is still being typed. Chunks with the word itself come first.
        Prefix = "prefix",
    }
}

names! {
    /// What becomes of hits that mostly repeat an earlier one, where a ledger of repetition is kept.
    #[derive(Default)]
    RepeatedHits {
        /// Their places are listed with that one.
        #[default]
        Fold = "fold",
        /// They stay where they are, for a question about a difference.
        Show = "show",
    }
}

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// Words and operators; docs/search.md explains them.
    pub query: String,
    /// What a question is compared with. [`Store::search`](crate::store::Store::search) compares words whatever it says.
    pub mode: SearchMode,
    /// Which chunks a question finds.
    pub word_match: WordMatch,
    /// Whether the last word of a question may be unfinished.
    pub last_word: LastWord,
    /// Conditions on the documents, of which a place must meet all.
    pub documents: DocumentFilters,
    /// Maximum number of hits.
    pub limit: usize,
    /// Hits to skip.
    pub offset: usize,
    /// Number of neighbouring chunks on each side.
    pub context: usize,
    /// Maximum places of each hit; [`Hit::source_count`] is the number of all.
    pub sources: usize,
    /// What becomes of hits that mostly repeat an earlier one.
    pub repeats: RepeatedHits,
}

impl SearchResults {
    /// How many hits the list has used up: the next page begins after them.
    pub fn seen(&self) -> usize {
        self.hits.len() + self.folded
    }

    /// What the hits have of the question's words, as answers name it.
    pub fn match_name(&self) -> &'static str {
        if self.matches_any { "any" } else { "all" }
    }
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            query: String::new(),
            mode: SearchMode::Words,
            word_match: WordMatch::Auto,
            last_word: LastWord::Whole,
            documents: DocumentFilters::default(),
            // A page, as everywhere.
            limit: 10,
            offset: 0,
            context: 0,
            sources: usize::MAX,
            repeats: RepeatedHits::Show,
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchResults {
    /// The requested hits, best first.
    pub hits: Vec<Hit>,
    /// The number of all hits.
    pub total: usize,
    /// How many hits are listed with others, which they mostly repeat.
    pub folded: usize,
    /// True if hits need not have all words of the question.
    pub matches_any: bool,
    /// How the hits were found.
    pub mode: SearchMode,
    /// Notes on parts of the query that may mean something else, and on what was done to find answers.
    pub notes: Vec<QueryNote>,
}

/// One chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The public name of the chunk.
    pub content_hash: String,
    /// Its row.
    #[serde(skip)]
    pub chunk_id: i64,
    /// The rank, larger is better and never above that of the hit before it: BM25, or for hits of a question
    /// the score of [`super::ranking`]; 0 if the query has only filters. By vectors it is the cosine, by both the sum of
    /// [`super::by_vector`].
    pub score: f64,
    /// An excerpt with the found words between [`HIGHLIGHT_MARKS`].
    pub snippet: String,
    /// The found words in the content: half-open ranges of characters.
    pub highlights: Vec<(usize, usize)>,
    /// The whole chunk.
    pub content: String,
    /// Its tokens.
    pub tokens: usize,
    /// How many places it has.
    pub source_count: usize,
    /// Its places by path, those that meet the filters first.
    pub sources: Vec<ChunkPlace>,
    /// Places of later hits that mostly repeat this one, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<ChunkPlace>,
    /// Chunks before it in its first place, in text order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Chunks after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

impl Hit {
    /// The snippet with brackets around the found words.
    pub fn plain_snippet(&self) -> String {
        self.snippet.replace(HIGHLIGHT_MARKS.0, "[").replace(HIGHLIGHT_MARKS.1, "]")
    }

    /// The content with [`HIGHLIGHT_MARKS`] around the found words.
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
