//! Full-text search over chunks, with every place that a hit stands in.
//!
//! A query is read by a small language of our own ([`query`]), found in `chunks_fts` and, where text has scripts
//! without spaces, in `chunks_fts_unspaced` ([`matching`]), narrowed by what is known of the places ([`filter`]), and
//! shown ([`highlight`]). The order is that of BM25; equal ranks follow the hash of the content, so that two databases
//! of the same tree give the same hits in the same order, whatever their histories.

mod filter;
mod fts;
mod highlight;
mod lexer;
mod matching;
mod parser;
mod query;
mod signs;

pub use highlight::MARKS;
pub use query::{QueryError, QueryNote};
pub(super) use signs::{has_unspaced, spaced};

use super::places::{ChunkPlace, id_list};
use super::{Store, StoreError, load};
use filter::Conditions;
use highlight::Phrase;
use query::Query;
use rusqlite::params;
use serde::Serialize;
use std::collections::HashMap;

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
    /// Places told for each hit, at most; [`Hit::source_count`] has the number of all.
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
pub struct Found {
    /// The hits that were asked for, best first.
    pub hits: Vec<Hit>,
    /// How many there are in all.
    pub total: usize,
    /// What was understood otherwise than it may have been meant.
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
    /// The words that were found between [`MARKS`], with their surroundings.
    pub snippet: String,
    /// What was found in the content: ranges of characters, the end not included.
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
    /// Chunks behind it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

impl Hit {
    /// The content with [`MARKS`] around what was found.
    pub fn marked_content(&self) -> String {
        let mut out = String::with_capacity(self.content.len() + 16);
        let mut edges = self.highlights.iter().flat_map(|(start, end)| [(*start, MARKS.0), (*end, MARKS.1)]);
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

/// A chunk and its rank.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Match {
    chunk_id: i64,
    score: f64,
}

impl Store {
    /// Ranked hits, best first; equal ranks by the hash of the content.
    ///
    /// # Errors
    /// The query cannot be understood, the search table is off, or a load has not ended.
    ///
    /// Cost: one pass over the postings of the query's words; of the text, only what is returned is read.
    pub fn search(&self, options: &SearchOptions) -> Result<Found, StoreError> {
        let query = parser::parse(&options.query)?;
        let conditions = Conditions::new(&query.filters, options);
        if !self.has_search()? {
            return Err(StoreError::NoSearch { path: self.path.clone() });
        }
        let find = || {
            if load::is_open(&self.connection)? {
                return Ok(None);
            }
            self.found(&query, &conditions, options).map(Some)
        };
        let found = find().map_err(|error| self.fail(error))?;
        found.ok_or_else(|| StoreError::Unfinished { path: self.path.clone() })
    }

    /// Chunks that have every one of some words, each taken as it is; none where the search table is missing or not
    /// ready.
    pub(super) fn chunks_with_words(&self, words: &[&str]) -> Result<Vec<i64>, StoreError> {
        let quoted: Vec<String> =
            words.iter().map(|word| format!("\"{}\"", word.replace('"', " "))).collect();
        let Ok(query) = parser::parse(&quoted.join(" ")) else { return Ok(Vec::new()) };
        let Some(expression) = &query.expression else { return Ok(Vec::new()) };
        let find = || {
            if load::is_open(&self.connection)? {
                return Ok(Vec::new());
            }
            self.matches(expression, &Conditions::new(&query.filters, &SearchOptions::default()))
        };
        if !self.has_search()? {
            return Ok(Vec::new());
        }
        let matches = find().map_err(|error: rusqlite::Error| self.fail(error))?;
        Ok(matches.into_iter().map(|found| found.chunk_id).collect())
    }

    fn found(
        &self,
        query: &Query,
        conditions: &Conditions,
        options: &SearchOptions,
    ) -> rusqlite::Result<Found> {
        let matches = match &query.expression {
            Some(expression) => self.matches(expression, conditions)?,
            None => self.in_order(conditions)?,
        };
        let total = matches.len();
        let wanted = self.page(matches, query.expression.is_some(), options)?;
        let terms = query.expression.iter().flat_map(|tree| tree.wanted_terms());
        let phrases: Vec<Phrase> = terms.map(Phrase::of).collect();
        let mut hits = self.read_hits(&wanted, &phrases)?;
        let ids: Vec<i64> = wanted.iter().map(|found| found.chunk_id).collect();
        let mut places = self.places_of(&ids)?;
        for hit in &mut hits {
            hit.sources = places.remove(&hit.chunk_id).unwrap_or_default();
            hit.source_count = hit.sources.len();
            conditions.sort(&mut hit.sources);
            hit.sources.truncate(options.sources.max(1));
            if let Some(place) = hit.sources.first().filter(|_| options.context > 0) {
                let place = (place.file_id, place.start, options.context);
                hit.before = self.neighbours(place, false)?;
                hit.after = self.neighbours(place, true)?;
            }
        }
        let mut notes = query.notes.clone();
        if total == 0 {
            notes.extend(self.unmet(conditions)?);
        }
        Ok(Found { hits, total, notes })
    }

    /// The matches of one page. Only as many as the page reaches to, and those of equal rank, are put in order.
    fn page(
        &self,
        mut matches: Vec<Match>,
        is_ranked: bool,
        options: &SearchOptions,
    ) -> rusqlite::Result<Vec<Match>> {
        let reach = options.offset.saturating_add(options.limit);
        if is_ranked {
            if reach == 0 {
                return Ok(Vec::new());
            }
            if matches.len() > reach {
                let (_, last, _) =
                    matches.select_nth_unstable_by(reach - 1, |a, b| b.score.total_cmp(&a.score));
                let least = last.score;
                matches.retain(|found| found.score >= least);
            }
            let hashes = self.hashes(&matches)?;
            let hash = |found: &Match| hashes.get(&found.chunk_id);
            matches.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| hash(a).cmp(&hash(b))));
        }
        Ok(matches.into_iter().skip(options.offset).take(options.limit).collect())
    }

    fn hashes(&self, matches: &[Match]) -> rusqlite::Result<HashMap<i64, String>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT c.chunk_id, c.content_hash FROM json_each(?1) j CROSS JOIN chunks c ON c.chunk_id = j.value",
        )?;
        let list = id_list(matches.iter().map(|found| found.chunk_id));
        let rows = statement.query_map([list], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }

    fn read_hits(&self, wanted: &[Match], phrases: &[Phrase]) -> rusqlite::Result<Vec<Hit>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT content_hash, content, estimated_tokens FROM chunks WHERE chunk_id = ?1",
        )?;
        let mut hits = Vec::with_capacity(wanted.len());
        for found in wanted {
            hits.push(statement.query_row([found.chunk_id], |row| {
                let content: String = row.get(1)?;
                let ranges = highlight::highlights(&content, phrases);
                Ok(Hit {
                    content_hash: row.get(0)?,
                    chunk_id: found.chunk_id,
                    score: found.score,
                    snippet: highlight::marked(&content, &ranges, highlight::window(&content, &ranges)),
                    highlights: in_characters(&content, &ranges),
                    content,
                    tokens: row.get::<_, i64>(2)? as usize,
                    source_count: 0,
                    sources: Vec::new(),
                    before: Vec::new(),
                    after: Vec::new(),
                })
            })?);
        }
        Ok(hits)
    }

    fn neighbours(
        &self,
        (file_id, start, count): (i64, usize, usize),
        after: bool,
    ) -> rusqlite::Result<Vec<String>> {
        let mut statement = self.connection.prepare_cached(match after {
            true => {
                "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
                 WHERE s.file_id = ?1 AND s.start_index > ?2 ORDER BY s.start_index LIMIT ?3"
            }
            false => {
                "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
                 WHERE s.file_id = ?1 AND s.start_index < ?2 ORDER BY s.start_index DESC LIMIT ?3"
            }
        })?;
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![file_id, start as i64, count], |row| row.get(0))?;
        let mut found: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
        if !after {
            found.reverse();
        }
        Ok(found)
    }
}

/// Ranges of bytes, in order, as ranges of characters.
fn in_characters(text: &str, ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let (mut bytes, mut chars) = (0, 0);
    let mut at = |byte: usize| {
        chars += text[bytes..byte].chars().count();
        bytes = byte;
        chars
    };
    ranges.iter().map(|&(start, end)| (at(start), at(end))).collect()
}

#[cfg(test)]
mod tests;
