//! The rank of the chunks that may answer a question.
//!
//! BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) over forms, so that
//! `limits` and `limited` count as one word, plus what it does not see: words that are near each other ([`best_window`]);
//! the chunks beside a short one, which tell what it is about; the headings above it, whose words are added to the counts
//! of the text before these are saturated; and the name of its document ([`documents`]). Where a name of code is
//! asked for, the chunk that defines it comes before those that use it. The weights are those that measured best on
//! questions over several sets of texts, at chunks of 200 and of 512 tokens.

pub(super) mod documents;
pub(super) mod windows;

use super::highlight::SearchPhrase;
use super::index_size::table_size;
use super::question::{Question, QuestionWord, joined_letters};
use super::ranked::RankedChunk;
use crate::store::indexes::search_tables::has_unspaced_rows;
use crate::store::query::Expression;
use crate::store::query::characters::is_respelled;
use crate::store::query::parts::camel_parts;
use crate::store::query::words::text_words;
use crate::store::rows::sql::Queries;
use documents::RankedPlace;
use pensieve_text::chunk::defined_names;
use rusqlite::Connection;
use rustc_hash::{FxHashMap, FxHashSet};
use windows::{WordOccurrence, best_window};

/// Saturation of the frequency of a word in a chunk, and the share of normalisation by its length: the usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// The share of a chunk's best window in its score; the chunk as a whole has the rest. None loses .005 to .017 on books and
/// languages, and with .2 `chat send` finds the shorter `send a chat` before a `chat-send`.
const WINDOW_SHARE: f64 = 0.35;

/// Two words of the question that follow each other in a chunk count as this share of the rarer one: `chat send` finds a
/// `chat-send` before `send a chat`. None loses .025 on code and .008 on books, and gains .017 on annual reports; .8 finds .005 less of
/// the answers in chunks of 200 tokens.
const PAIR_SHARE: f64 = 0.6;

/// The better of the two neighbours of a very short chunk counts as this share of its score, less for longer chunks. It is worth
/// .037 of recall at chunks of 200 tokens and costs .008 at 512.
const NEIGHBOUR_SHARE: f64 = 0.5;

/// Words of a chunk that says by itself what it is about.
const SELF_CONTAINED_WORDS: f64 = 500.0;

/// A word of the headings above a chunk, and of the caption of its table, counts as this many in it. With 2 instead of 1 the page of an
/// annual report is among the first five for .39 of the questions instead of .36, and all of twenty names of code are found first;
/// other sets measure alike, and 3 as 2.
const HEADING_SHARE: f64 = 2.0;

/// A word of the name of a document counts as this share of it in the text of its chunks, and for the rest as if each of them were
/// full of it: it tells documents apart, and hardly the passages of one. Within one annual report .3 to .7 find the page among the
/// first ten for .49 to .51 of the questions; the whole word, of 100 candidates, for .41.
const NAMED_SHARE: f64 = 0.5;

/// A part of a name, such as `method` of `getMethodId`, counts as this share of the word: where both occur the word itself is
/// meant.
const PART_SHARE: f64 = 0.5;

/// `C` counts as this share of `C++` where the signs are asked for: five mentions of it are less than one of that.
const WITHOUT_SIGNS_SHARE: f64 = 0.2;

/// What the score of a chunk is multiplied by if it defines a name that is asked for, and if that is defined in what was asked
/// for (`send` in `Session`). Of sixty names each the definition comes first for .80 (Rust), .85 (Go), .93 (TypeScript), .92
/// (Java), .98 (C#), .75 (Objective-C, C++ and JavaScript in one tree).
const DEFINITION_FACTOR: f64 = 3.0;
const CONTAINER_FACTOR: f64 = 1.3;

/// A smallest weight for words with signs: `C` may be in each chunk where `C++` is rare.
const LITERAL_WEIGHT: f64 = 1.0;

/// The words of a question with their weights, and the length of chunks.
pub(super) struct QuestionRanking<'q> {
    question: &'q Question,
    /// The inverse document frequency of each word.
    weights: Vec<f64>,
    /// The number of the question's word for each of its forms, and how much one of them counts.
    numbers: FxHashMap<&'q str, (usize, f64)>,
    /// Words that signs join, by the first of them: the others, and the number of the question's word.
    joined: FxHashMap<&'q str, Vec<(Vec<&'q str>, usize)>>,
    /// Words in a chunk, in the mean; and in a chunk in scripts that are spelled otherwise, which have more words.
    mean_words: f64,
    mean_letters: f64,
}

/// The words of the question in one chunk.
struct ChunkWords {
    /// How often each word of the question occurs in the text.
    counts: Vec<f64>,
    /// The same of the headings.
    fields: Vec<f64>,
    /// The words of the question in the order of the text.
    occurrences: Vec<WordOccurrence>,
    /// The score of pairs as in the question.
    pairs: f64,
    /// Its words, in relation to those of a mean chunk.
    length: f64,
    words: usize,
}

impl<'q> QuestionRanking<'q> {
    /// Reads what the ranking needs of the index.
    pub fn new(connection: &Connection, question: &'q Question) -> rusqlite::Result<QuestionRanking<'q>> {
        let (chunks, words) = table_size(connection, "chunks_fts")?;
        let weight = |word: &QuestionWord| {
            // Sums over forms may exceed the number of chunks.
            let found = (word.chunks.max(word.part_chunks) as f64).min(chunks);
            let least = if word.literal.is_some() { LITERAL_WEIGHT } else { 0.0 };
            // One is added as in Lucene: in a small corpus a word may be in most chunks and be asked for all the same.
            word.share * (1.0 + (chunks - found + 0.5) / (found + 0.5)).ln().max(least)
        };
        let weights = question.words.iter().map(weight).collect();
        let (mut numbers, mut joined) = (FxHashMap::default(), FxHashMap::default());
        for (number, word) in question.words.iter().enumerate() {
            let own = [(word.text.as_str(), 1.0)];
            let forms = word.forms.iter().map(|(form, share)| (form.as_str(), *share)).chain(own);
            for (form, share) in forms {
                if let Some((first, rest)) = form.split_once(' ') {
                    let known: &mut Vec<_> = joined.entry(first).or_default();
                    let sequence = (rest.split(' ').collect(), number);
                    if !known.contains(&sequence) {
                        known.push(sequence);
                    }
                } else {
                    // The first word of the question that has a form keeps it.
                    numbers.entry(form).or_insert((number, share));
                }
            }
        }
        let mean_words = (words / chunks).max(1.0);
        let (respelled, letters) = match has_unspaced_rows(connection)? {
            true => table_size(connection, "chunks_fts_unspaced")?,
            false => (1.0, mean_words),
        };
        let mean_letters = (letters / respelled).max(1.0);
        Ok(QuestionRanking { question, weights, numbers, joined, mean_words, mean_letters })
    }

    /// The words of a search for candidates with their weights.
    pub fn phrases(&self, tree: &Expression) -> Vec<SearchPhrase> {
        let weight = |word: &str| self.numbers.get(word).map_or(0.0, |&(at, share)| self.weights[at] * share);
        tree.wanted_terms()
            .into_iter()
            .map(|term| SearchPhrase::of_word(&term.text, weight(&term.text)))
            .collect()
    }

    /// Scores chunks anew by their text and that of their neighbours. Returns those that have all words with matter.
    ///
    /// Cost: three texts are read and divided into words for each chunk.
    pub fn rank(
        &self,
        connection: &Connection,
        chunks: &mut [RankedChunk],
        places: &FxHashMap<i64, RankedPlace>,
    ) -> rusqlite::Result<FxHashSet<i64>> {
        let mut complete = FxHashSet::default();
        for chunk in chunks {
            let text: String = connection.one(CONTENT, [chunk.chunk_id], |row| row.get(0))?;
            let place = places.get(&chunk.chunk_id);
            let weights = self.weights_in(place);
            let mut own = self.words_of(&text, &weights);
            if let Some(place) = place {
                self.add_field(&mut own, &place.headings, HEADING_SHARE);
            }
            if self.has_all(&own) {
                complete.insert(chunk.chunk_id);
            }
            let share = NEIGHBOUR_SHARE * (1.0 - own.words as f64 / SELF_CONTAINED_WORDS).max(0.0);
            // What stands beside a function is another one; and a single word has nothing to be told about.
            let has_neighbour =
                |place: &&RankedPlace| share > 0.0 && !place.is_code && self.weights.len() > 1;
            let neighbour = match place.filter(has_neighbour) {
                Some(place) => self.best_neighbour(connection, place, &weights)?,
                None => 0.0,
            };
            let score = (1.0 - WINDOW_SHARE) * self.score(&own, &weights)
                + WINDOW_SHARE * self.best_window(&own, &weights);
            chunk.score = score + own.pairs + share * neighbour;
            if let Some(place) = place {
                chunk.score = (chunk.score + self.name_score(place)) * self.code_factor(&text, place);
            }
        }
        Ok(complete)
    }

    /// The weights of the words in the chunks of a document.
    fn weights_in(&self, place: Option<&RankedPlace>) -> Vec<f64> {
        let mut weights = self.weights.clone();
        place.into_iter().flat_map(|place| &place.name_words).for_each(|&word| weights[word] *= NAMED_SHARE);
        weights
    }

    /// What a chunk has of the name of its document.
    fn name_score(&self, place: &RankedPlace) -> f64 {
        let full: f64 = place.name_words.iter().map(|&word| self.weights[word] * (K1 + 1.0)).sum();
        place.name_score + (1.0 - NAMED_SHARE) * full
    }

    /// True if a chunk has all words of the question that say something.
    fn has_all(&self, chunk: &ChunkWords) -> bool {
        let words = self.question.words.iter().zip(&chunk.counts);
        words.filter(|(word, _)| word.share == 1.0).all(|(_, count)| *count > 0.0)
    }

    /// What the score of a chunk is multiplied by for what it defines and what it is.
    fn code_factor(&self, text: &str, place: &RankedPlace) -> f64 {
        let mut factor = place.factor;
        // A test may have the name of what it tests.
        let mut names =
            // Definitions are looked for only where the name occurs: that reads the chunk line by line.
            self.question.names.iter().filter(|name| text.contains(name.name.as_str())).peekable();
        if place.is_code && place.factor == 1.0 && names.peek().is_some() {
            let defined: FxHashSet<&str> = defined_names(text).collect();
            let found = names.filter(|name| defined.contains(name.name.as_str()));
            let best = found.map(|name| match &name.container {
                Some(container)
                    // The path of a chunk of code has the class around it.
                    if has_word(&place.headings, container) || defined.contains(container.as_str()) =>
                {
                    DEFINITION_FACTOR * CONTAINER_FACTOR
                }
                _ => DEFINITION_FACTOR,
            });
            factor *= best.fold(1.0, f64::max);
        }
        factor
    }

    /// Adds the words of a field, each once.
    fn add_field(&self, chunk: &mut ChunkWords, field: &str, share: f64) {
        let mut seen = vec![false; self.weights.len()];
        for word in text_words(field) {
            let known = self.numbers.get(&*word.folded).copied();
            let Some((number, word_share)) =
                known.or_else(|| self.question.number_of(&word.folded).map(|number| (number, 1.0)))
            else {
                continue;
            };
            if !std::mem::replace(&mut seen[number], true) {
                chunk.fields[number] += share * word_share * self.sign_share(number, field, word.start);
            }
        }
    }

    /// The score of the better one of the chunks before and after a place.
    fn best_neighbour(
        &self,
        connection: &Connection,
        place: &RankedPlace,
        weights: &[f64],
    ) -> rusqlite::Result<f64> {
        let mut best = 0.0_f64;
        for sql in [BEFORE, AFTER] {
            let values = (place.file_id, place.start);
            let text: Option<String> = connection.first(sql, values, |row| row.get(0))?;
            best = best.max(text.map_or(0.0, |text| self.score(&self.words_of(&text, weights), weights)));
        }
        Ok(best)
    }

    /// BM25.
    fn score(&self, chunk: &ChunkWords, weights: &[f64]) -> f64 {
        let length = 1.0 - B + B * chunk.length;
        let counts = chunk.counts.iter().zip(&chunk.fields).map(|(text, fields)| text + fields);
        counts.zip(weights).map(|(count, weight)| weight * word_score(count, length)).sum()
    }

    /// The score of the best window. Windows are of one length.
    fn best_window(&self, chunk: &ChunkWords, weights: &[f64]) -> f64 {
        let score = |number: usize, count: f64| weights[number] * word_score(count, 1.0);
        best_window(&chunk.occurrences, chunk.fields.clone(), score)
    }

    fn words_of(&self, text: &str, weights: &[f64]) -> ChunkWords {
        let words = joined_letters(text_words(text));
        let known: Vec<Option<(usize, f64)>> =
            words.iter().map(|word| self.numbers.get(&*word.folded).copied()).collect();
        let size = self.weights.len();
        let mut found = ChunkWords {
            counts: vec![0.0; size],
            fields: vec![0.0; size],
            occurrences: Vec::new(),
            pairs: pair_score(&known, weights),
            length: words.len() as f64 / if is_respelled(text) { self.mean_letters } else { self.mean_words },
            words: words.len(),
        };
        for (position, word) in words.iter().enumerate() {
            let mut add = |number: usize, share: f64| {
                found.counts[number] += share;
                found.occurrences.push(WordOccurrence { position, number, share });
            };
            match known[position] {
                Some((number, share)) => add(number, share * self.sign_share(number, text, word.start)),
                None => {
                    for part in camel_parts(&text[word.start..word.end]) {
                        if let Some(&(number, share)) = self.numbers.get(part.to_lowercase().as_str()) {
                            add(number, share * PART_SHARE);
                        }
                    }
                }
            }
            for (rest, number) in self.joined.get(&*word.folded).into_iter().flatten() {
                let followers = words[position..].windows(2).take(rest.len());
                let is_joined = followers.clone().count() == rest.len()
                    && followers.zip(rest).all(|(pair, wanted)| {
                        let between = &text[pair[0].end..pair[1].start];
                        // Signs join the words: `spawn_blocking`, not `spawn blocking`.
                        pair[1].folded == *wanted && !between.contains(char::is_whitespace)
                    });
                if is_joined {
                    add(*number, 1.0);
                }
            }
        }
        found
    }

    /// How much a word counts that is asked for with signs at its edges.
    fn sign_share(&self, number: usize, text: &str, start: usize) -> f64 {
        let word = &self.question.words[number];
        let Some(literal) = &word.literal else { return 1.0 };
        let before = literal.find(word.text.as_str()).unwrap_or(0);
        let found = start.checked_sub(before).and_then(|from| text.get(from..from + literal.len()));
        if found.is_some_and(|found| found.to_lowercase() == *literal) { 1.0 } else { WITHOUT_SIGNS_SHARE }
    }
}

/// True if a word is one of those of a heading path.
fn has_word(headings: &str, word: &str) -> bool {
    headings.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|known| known == word)
}

/// The score of the pairs of a text, each once: words of the question, by their numbers, that follow each other as there.
fn pair_score(words: &[Option<(usize, f64)>], weights: &[f64]) -> f64 {
    let pairs = words.windows(2).filter_map(|pair| Some((pair[0]?.0, pair[1]?.0)));
    // Each pair once, or a refrain would outweigh everything.
    let pairs: FxHashSet<usize> =
        pairs.filter(|(first, second)| first + 1 == *second).map(|(_, second)| second).collect();
    pairs.into_iter().map(|at| PAIR_SHARE * weights[at - 1].min(weights[at])).sum()
}

/// The score of a word of weight 1 by its count in a text of a length, 1 for that of a mean text.
fn word_score(count: f64, length: f64) -> f64 {
    count * (K1 + 1.0) / (count + K1 * length)
}

// The text of a chunk; of one that is larger than any run makes it, what a million tokens have at most.
const CONTENT: &str = "SELECT substr(content, 1, 16000000) FROM chunks WHERE chunk_id = ?1";

const BEFORE: &str =
    "SELECT substr(c.content, 1, 16000000) FROM chunk_sources s JOIN chunks c USING(chunk_id)
     WHERE s.file_id = ?1 AND s.start_index < ?2 ORDER BY s.start_index DESC LIMIT 1";

const AFTER: &str = "SELECT substr(c.content, 1, 16000000) FROM chunk_sources s JOIN chunks c USING(chunk_id)
     WHERE s.file_id = ?1 AND s.start_index > ?2 ORDER BY s.start_index LIMIT 1";
