//! The rank of the chunks that may answer a question.
//!
//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over stems, so that
//! `limits` and `limited` count as one word, plus four things that it does not see: words that are near each other
//! ([`best_window`]); words that follow each other as in the question; the chunks beside a short one, which tell what it
//! is about; and the path and headings of its place, since people name a document or a chapter when they ask for
//! something in it. Words of fields are added to the counts of the text before these are saturated, as in BM25F
//! (Robertson, Zaragoza and Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004). The weights are those
//! that measured best on questions over several sets of texts, at chunks of 200 and of 512 tokens.

use super::highlight::SearchPhrase;
use super::index::SearchIndex;
use super::index_size::table_size;
use super::question::{Question, index_words};
use super::ranked::RankedChunk;
use super::vocabulary::stem;
use super::windows::{WordOccurrence, best_window};
use crate::store::places::extension;
use crate::store::query::Expression;
use crate::store::sql::Queries;
use rusqlite::{Connection, Row};
use rustc_hash::FxHashMap;

/// Saturation of the frequency of a word in a chunk, and the share of normalisation by its length: the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The share of a chunk's best window in its score; the chunk as a whole has the rest.
const WINDOW_SHARE: f64 = 0.35;

/// Two words of the question that follow each other in a chunk count as this share of the rarer one.
const PAIR_SHARE: f64 = 0.6;

/// The better of the two neighbours of a very short chunk counts as this share of its score, less for longer chunks.
const NEIGHBOUR_SHARE: f64 = 0.5;

/// Words of a chunk that says by itself what it is about.
const SELF_CONTAINED_WORDS: f64 = 500.0;

/// A word of the path, and one of the headings above a chunk, count as this share of a word in it.
const PATH_SHARE: f64 = 1.0;
const HEADING_SHARE: f64 = 0.5;

/// A word that the unfinished last word of a question may become counts as this share of a word that is in the question.
const COMPLETION_SHARE: f64 = 0.5;

/// A smallest weight, for words that more than half of the chunks have.
const MIN_WEIGHT: f64 = 1e-6;

/// The words of a question with their weights, and the length of chunks.
pub(super) struct QuestionRanking {
    /// The inverse document frequency of each word.
    weights: Vec<f64>,
    /// The number of the question's word for each of its forms and completions, and how much one of them counts.
    numbers: FxHashMap<String, (usize, f64)>,
    /// The number of the question's word for its stem: words of paths and headings need not occur in any text.
    stems: FxHashMap<String, usize>,
    /// Words in a chunk, in the mean.
    mean_words: f64,
}

/// The words of the question in one chunk.
struct ChunkWords {
    /// How often each word of the question occurs in the text.
    counts: Vec<f64>,
    /// The same of the path and headings.
    fields: Vec<f64>,
    /// The words of the question in the order of the text.
    occurrences: Vec<WordOccurrence>,
    /// The score of pairs as in the question.
    pairs: f64,
    words: usize,
}

/// The place by which a chunk is ranked.
struct RankedPlace {
    file_id: i64,
    start: i64,
    path: String,
    headings: String,
    full_path: String,
}

impl RankedPlace {
    fn read(row: &Row<'_>) -> rusqlite::Result<RankedPlace> {
        let headings: Option<String> = row.get(3)?;
        Ok(RankedPlace {
            file_id: row.get(0)?,
            start: row.get(1)?,
            path: row.get(2)?,
            headings: headings.unwrap_or_default(),
            full_path: row.get(4)?,
        })
    }
}

impl QuestionRanking {
    /// Reads what the ranking needs of the index.
    pub fn new(index: &SearchIndex<'_>, question: &Question) -> rusqlite::Result<QuestionRanking> {
        let (chunks, words) = table_size(index, "chunks_fts")?;
        let weight = |found: u64| {
            let found = (found as f64).min(chunks);
            ((chunks - found + 0.5) / (found + 0.5)).ln().max(MIN_WEIGHT)
        };
        let weights = question.words.iter().map(|word| weight(word.chunks)).collect();
        let mut numbers = FxHashMap::default();
        for (number, word) in question.words.iter().enumerate() {
            numbers.extend(word.completions.iter().map(|word| (word.clone(), (number, COMPLETION_SHARE))));
            numbers.extend(word.forms.iter().map(|form| (form.clone(), (number, 1.0))));
        }
        let stems =
            question.words.iter().enumerate().map(|(number, word)| (stem(&word.text), number)).collect();
        Ok(QuestionRanking { weights, numbers, stems, mean_words: (words / chunks).max(1.0) })
    }

    /// The words of a search for candidates with their weights.
    pub fn phrases(&self, tree: &Expression) -> Vec<SearchPhrase> {
        let weight = |word: &str| self.numbers.get(word).map_or(0.0, |&(at, share)| self.weights[at] * share);
        tree.wanted_terms()
            .into_iter()
            .map(|term| SearchPhrase::of_word(&term.text, weight(&term.text)))
            .collect()
    }

    /// Scores chunks anew by their text and that of their neighbours.
    ///
    /// Cost: three texts are read and divided into words for each chunk.
    pub fn rank(&self, index: &SearchIndex<'_>, chunks: &mut [RankedChunk]) -> rusqlite::Result<()> {
        for chunk in chunks {
            let (connection, row) = index.row(chunk.chunk_id);
            let text: String = connection.one(CONTENT, [row], |row| row.get(0))?;
            let place = first_place(index, chunk.chunk_id)?;
            let mut own = self.words_of(&text);
            if let Some(place) = &place {
                self.add_field(&mut own, without_extension(&place.path), PATH_SHARE);
                self.add_field(&mut own, &place.headings, HEADING_SHARE);
            }
            let share = NEIGHBOUR_SHARE * (1.0 - own.words as f64 / SELF_CONTAINED_WORDS).max(0.0);
            let neighbour = match place.filter(|_| share > 0.0) {
                Some(place) => self.best_neighbour(index.of_file(place.file_id)?, &place)?,
                None => 0.0,
            };
            let score = (1.0 - WINDOW_SHARE) * self.score(&own) + WINDOW_SHARE * self.best_window(&own);
            chunk.score = score + own.pairs + share * neighbour;
        }
        Ok(())
    }

    /// Adds the words of a field, each once.
    fn add_field(&self, chunk: &mut ChunkWords, field: &str, share: f64) {
        let mut seen = vec![false; self.weights.len()];
        for word in index_words(field) {
            let stemmed = || self.stems.get(&stem(&word)).map(|&number| (number, 1.0));
            let Some((number, word_share)) = self.numbers.get(&word).copied().or_else(stemmed) else {
                continue;
            };
            if !std::mem::replace(&mut seen[number], true) {
                chunk.fields[number] += share * word_share;
            }
        }
    }

    /// The score of the better one of the chunks before and after a place.
    fn best_neighbour(&self, connection: &Connection, place: &RankedPlace) -> rusqlite::Result<f64> {
        let mut best = 0.0_f64;
        for sql in [BEFORE, AFTER] {
            let values = (place.file_id, place.start);
            let text: Option<String> = connection.first(sql, values, |row| row.get(0))?;
            best = best.max(text.map_or(0.0, |text| self.score(&self.words_of(&text))));
        }
        Ok(best)
    }

    /// BM25 without the pairs.
    fn score(&self, chunk: &ChunkWords) -> f64 {
        let length = 1.0 - B + B * chunk.words as f64 / self.mean_words;
        let counts = chunk.counts.iter().zip(&chunk.fields).map(|(text, fields)| text + fields);
        counts.enumerate().map(|(number, count)| self.word_score(number, count, length)).sum()
    }

    /// The score of the best window. Windows are of one length.
    fn best_window(&self, chunk: &ChunkWords) -> f64 {
        let score = |number: usize, count: f64| self.word_score(number, count, 1.0);
        best_window(&chunk.occurrences, chunk.fields.clone(), score)
    }

    /// The score of a word by its count in a text of a length, 1 for that of a mean text.
    fn word_score(&self, number: usize, count: f64, length: f64) -> f64 {
        self.weights[number] * count * (K1 + 1.0) / (count + K1 * length)
    }

    fn words_of(&self, text: &str) -> ChunkWords {
        let words = index_words(text);
        let mut counts = vec![0.0; self.weights.len()];
        let mut occurrences = Vec::new();
        let mut seen = vec![false; self.weights.len()];
        let mut pairs = 0.0;
        let mut previous: Option<usize> = None;
        for (position, word) in words.iter().enumerate() {
            let found = self.numbers.get(word);
            if let Some(&(number, share)) = found {
                counts[number] += share;
                occurrences.push(WordOccurrence { position, number, share });
                // Each pair counts once a chunk; it is named by its second word.
                if previous.is_some_and(|previous| previous + 1 == number) && !seen[number] {
                    seen[number] = true;
                    pairs += PAIR_SHARE * self.weights[number - 1].min(self.weights[number]);
                }
            }
            previous = found.map(|(number, _)| *number);
        }
        ChunkWords { fields: vec![0.0; counts.len()], counts, occurrences, pairs, words: words.len() }
    }
}

const CONTENT: &str = "SELECT content FROM chunks WHERE chunk_id = ?1";

/// The first place by path, so that two databases of the same tree agree.
const FIRST_PLACE: &str =
    "SELECT s.file_id, s.start_index, f.relative_path, s.heading_path, f.full_filepath FROM chunk_sources s CROSS JOIN files f USING(file_id)
     WHERE s.chunk_id = ?1 ORDER BY f.full_filepath, s.start_index LIMIT 1";

fn first_place(index: &SearchIndex<'_>, chunk_id: i64) -> rusqlite::Result<Option<RankedPlace>> {
    let mut places = Vec::new();
    for (part, row) in index.rows(chunk_id)? {
        places.extend(part.first(FIRST_PLACE, [row], RankedPlace::read)?);
    }
    Ok(places.into_iter().min_by(|a, b| (&a.full_path, a.start).cmp(&(&b.full_path, b.start))))
}

const BEFORE: &str = "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
     WHERE s.file_id = ?1 AND s.start_index < ?2 ORDER BY s.start_index DESC LIMIT 1";

const AFTER: &str = "SELECT c.content FROM chunk_sources s JOIN chunks c USING(chunk_id)
     WHERE s.file_id = ?1 AND s.start_index > ?2 ORDER BY s.start_index LIMIT 1";

/// A path without the extension of its file: it says what a file is, not what it is about.
fn without_extension(path: &str) -> &str {
    let extension = extension(path);
    match path.strip_suffix(extension) {
        Some(before) if !extension.is_empty() => before,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_of_a_file_is_no_word_of_its_path() {
        let check = |path: &str, expected: &str| assert_eq!(without_extension(path), expected);
        check("docs/lamp.md", "docs/lamp.");
        check("v1.2/README", "v1.2/README");
        check("a.", "a.");
        check("", "");
    }
}
