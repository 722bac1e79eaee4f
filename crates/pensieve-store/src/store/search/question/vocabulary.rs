//! The words of the index: in how many chunks a word occurs, its other forms, and the nearest words to a misspelt one.
//!
//! FTS5 shows them in tables of the module `fts5vocab`, which live in the connection's temporary database: nothing is
//! written to the file. Looking up a word costs reading its postings; looking up all words of a prefix, those of each.

use super::stems::{Stemmers, beginnings};
use crate::store::indexes::search_tables::{has_derived_tables, has_unspaced_rows};
use crate::store::query::parts::{BACKWARDS, MIN_COMPOUND_CHARS};
use crate::store::rows::sql::{Queries, count};
use rusqlite::Connection;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Letters that a word and its stem must share for other forms to be looked up: fewer begin too many words.
const MIN_SHARED_CHARS: usize = 3;

/// Words with the same beginning that are compared with a stem, or with a misspelt word, at most.
const MAX_COMPARED_WORDS: u32 = 20_000;

/// Letters of a word that may be misspelt, at least; of shorter words too many are near.
const MIN_CORRECTED_CHARS: usize = 5;

/// Letters of a word that may be misspelt, at most: the words one letter apart are as many times longer as it has letters.
pub(super) const MAX_CORRECTED_CHARS: usize = 64;

/// Letters of a word that may have two wrong letters, at least.
const MIN_TWICE_WRONG_CHARS: usize = 8;

/// Letters at the beginning of a word with two wrong letters that are taken to be right.
const RIGHT_CHARS: usize = 2;

/// The search table of parts of words.
const PARTS: &str = "chunks_fts_parts";

/// Letters of each part of a compound, at least: shorter ones are endings.
const MIN_PART_CHARS: usize = 4;

/// Letters of a word that a longer one hardly begins or ends with by accident: what is left of that need not be a word of
/// the index.
const MIN_CERTAIN_CHARS: usize = 6;

/// What may stand between the parts of a compound.
const LINKS: &[&str] = &["", "s", "es", "n", "en", "er", "e"];

/// Compounds that count as a word of a question, at most.
const MAX_COMPOUNDS: usize = 32;

/// The words of the search tables.
pub(crate) struct Vocabulary<'c> {
    connection: &'c Connection,
    tables: &'static [&'static str],
    has_parts: bool,
    /// True if the index has compounds.
    has_compounds: bool,
    /// What [`Vocabulary::chunks_with`] has found: the postings of a frequent word are long, and a question asks for each
    /// of its words several times.
    chunks: RefCell<FxHashMap<String, u64>>,
}

impl<'c> Vocabulary<'c> {
    /// Creates the tables in the temporary database of the connection, where they are lacking.
    pub fn open(connection: &'c Connection) -> rusqlite::Result<Vocabulary<'c>> {
        let tables: &[&str] = match has_unspaced_rows(connection)? {
            true => &["chunks_fts", "chunks_fts_unspaced"],
            false => &["chunks_fts"],
        };
        let has_parts = has_derived_tables(connection)?;
        for table in tables.iter().chain(has_parts.then_some(&PARTS)) {
            connection.execute_batch(&format!(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table}_words USING fts5vocab(main, {table}, row)"
            ))?;
        }
        let first_compound =
            format!("SELECT 1 FROM temp.{PARTS}_words WHERE term >= ?1 AND term < ?2 LIMIT 1");
        let has_compounds = has_parts
            && connection.has(&first_compound, (BACKWARDS.to_string(), format!("{BACKWARDS}\u{10ffff}")))?;
        Ok(Vocabulary { connection, tables, has_parts, has_compounds, chunks: RefCell::default() })
    }

    /// The number of chunks with a word, which must be folded.
    pub fn chunks_with(&self, word: &str) -> rusqlite::Result<u64> {
        if let Some(known) = self.chunks.borrow().get(word) {
            return Ok(*known);
        }
        let mut most = 0;
        for table in self.tables {
            let sql = format!("SELECT doc FROM temp.{table}_words WHERE term = ?1");
            // A chunk in both tables must not count twice.
            most = most.max(self.connection.first(&sql, [word], |row| count(row, 0))?.unwrap_or(0));
        }
        self.chunks.borrow_mut().insert(word.to_owned(), most);
        Ok(most)
    }

    /// True if a search table has a word of letters: its postings are not counted.
    fn has_word(&self, table: &str, word: &str) -> rusqlite::Result<bool> {
        let sql = format!("SELECT 1 FROM {table} WHERE {table} MATCH ?1 LIMIT 1");
        self.connection.has(&sql, [format!("\"{word}\"")])
    }

    /// The number of chunks with a name of which a folded word is a part.
    pub fn chunks_with_part(&self, word: &str) -> rusqlite::Result<u64> {
        if !self.has_parts {
            return Ok(0);
        }
        let sql = format!("SELECT doc FROM temp.{PARTS}_words WHERE term = ?1");
        Ok(self.connection.first(&sql, [word], |row| row.get::<_, i64>(0))?.unwrap_or(0) as u64)
    }

    /// The words of the index with a stem of a folded word, the word itself among them if it occurs, each with the number
    /// of its chunks.
    pub fn forms(&self, word: &str, stemmers: &Stemmers) -> rusqlite::Result<Vec<(String, u64)>> {
        let stems = stemmers.stems(word);
        let starts = beginnings(word);
        let mut found = BTreeMap::new();
        // What stands before a word in Arabic changes what its stemmer takes away.
        for start in starts.iter().filter(|start| *start != word) {
            let chunks = self.chunks_with(start)?;
            found.extend((chunks > 0).then(|| (start.clone(), chunks)));
        }
        for stem in &stems {
            for start in &starts {
                // The last letters of a stem may differ from those of its words: `happy` has the stem `happi`.
                let same = stem.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
                let least = start.chars().count().saturating_sub(word.chars().count()) + MIN_SHARED_CHARS;
                let shared = if start == word {
                    same.min((stem.chars().count().saturating_sub(1)).max(MIN_SHARED_CHARS))
                } else {
                    start.chars().count().min(least)
                };
                if shared >= MIN_SHARED_CHARS {
                    let beginning: String = start.chars().take(shared).collect();
                    let is_form = |other: &str| other == word || stemmers.stems(other).contains(stem);
                    found.extend(self.words_with(&beginning, is_form)?);
                }
            }
        }
        if !found.contains_key(word) {
            let chunks = self.chunks_with(word)?;
            found.extend((chunks > 0).then(|| (word.to_owned(), chunks)));
        }
        Ok(found.into_iter().collect())
    }

    /// Compounds that begin or end with a folded word; with a short one only those whose other part is a word of the index.
    pub fn compounds(&self, word: &str) -> rusqlite::Result<Vec<(String, u64)>> {
        let chars = word.chars().count();
        if !self.has_compounds || chars < MIN_PART_CHARS || !word.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        let backwards =
            |word: &str| -> String { [BACKWARDS].into_iter().chain(word.chars().rev()).collect() };
        let mut found = Vec::new();
        for (entry, chunks) in self.entries(PARTS, &backwards(word))? {
            let compound: String = entry.chars().skip(1).collect::<Vec<_>>().into_iter().rev().collect();
            let first: String = compound.chars().take(compound.chars().count() - chars).collect();
            // Ends before beginnings: `Erstattung` says what a `Fahrtkostenerstattung` is.
            if found.len() < MAX_COMPOUNDS
                && self.is_part(&first, chars, |first, link| first.strip_suffix(link))?
            {
                found.push((compound, chunks));
            }
        }
        for (compound, chunks) in self.entries("chunks_fts", word)? {
            let rest = compound.strip_prefix(word).unwrap_or_default();
            if found.len() < MAX_COMPOUNDS
                && compound.chars().count() >= MIN_COMPOUND_CHARS
                && compound.chars().all(char::is_alphabetic)
                && self.is_part(rest, chars, |rest, link| rest.strip_prefix(link))?
                // Only words of languages that write compounds are in that table.
                && self.has_word(PARTS, &backwards(&compound))?
            {
                found.push((compound, chunks));
            }
        }
        Ok(found)
    }

    /// True if what is left of a compound is a word, without what joins it to the other part, of `chars` letters.
    fn is_part(
        &self,
        rest: &str,
        chars: usize,
        without: impl for<'r> Fn(&'r str, &str) -> Option<&'r str>,
    ) -> rusqlite::Result<bool> {
        let parts = LINKS.iter().filter_map(|link| without(rest, link));
        for part in parts.filter(|part| part.chars().count() >= MIN_PART_CHARS) {
            if chars >= MIN_CERTAIN_CHARS || self.has_word("chunks_fts", part)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first entries of a search table that begin with `beginning`, and are longer.
    fn entries(&self, table: &str, beginning: &str) -> rusqlite::Result<Vec<(String, u64)>> {
        let sql = format!("SELECT term, doc FROM temp.{table}_words WHERE term > ?1 AND term < ?2 LIMIT ?3");
        let end = format!("{beginning}\u{10ffff}");
        let values = (beginning, end, MAX_COMPARED_WORDS);
        self.connection.rows(&sql, values, |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))
    }

    /// The words that begin with a folded word, with the numbers of their chunks; if there are very many, the first ones
    /// of the alphabet.
    pub fn beginning_with(&self, word: &str) -> rusqlite::Result<Vec<(String, u64)>> {
        self.words_with(word, |_| true)
    }

    /// The words that begin with `beginning` and pass a test, with the numbers of their chunks.
    fn words_with(
        &self,
        beginning: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> rusqlite::Result<Vec<(String, u64)>> {
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for table in self.tables {
            for (term, chunks) in self.first_words(table, beginning)? {
                if is_wanted(&term) {
                    let known = found.entry(term).or_default();
                    *known = chunks.max(*known);
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    /// The first words of a search table that begin with `beginning`, with the numbers of their chunks.
    fn first_words(&self, table: &str, beginning: &str) -> rusqlite::Result<Vec<(String, u64)>> {
        let end = format!("{beginning}\u{10ffff}");
        let sql = format!("SELECT term, doc FROM temp.{table}_words WHERE term >= ?1 AND term < ?2 LIMIT ?3");
        let values = (beginning, &end, MAX_COMPARED_WORDS);
        self.connection.rows(&sql, values, |row| Ok((row.get(0)?, count(row, 1)?)))
    }

    /// The word of the index that a word which does not occur was probably meant to be: one with one wrong, missing,
    /// additional or exchanged letter, or with two of them in a long word that begins right. Of several the one in most
    /// chunks.
    pub fn nearest(&self, word: &str) -> rusqlite::Result<Option<String>> {
        let length = word.chars().count();
        let may_be_misspelt = (MIN_CORRECTED_CHARS..=MAX_CORRECTED_CHARS).contains(&length);
        if !may_be_misspelt || !word.chars().all(char::is_alphabetic) {
            return Ok(None);
        }
        let mut best: Option<(u64, String)> = None;
        for candidate in one_letter_apart(word) {
            let chunks = self.chunks_with(&candidate)?;
            // Of several, the most frequent one is the most probable.
            if chunks > 0 && best.as_ref().is_none_or(|(most, _)| chunks > *most) {
                best = Some((chunks, candidate));
            }
        }
        // Two letters are looked for only where one does not suffice.
        if best.is_none() && length >= MIN_TWICE_WRONG_CHARS {
            let beginning: String = word.chars().take(RIGHT_CHARS).collect();
            let is_near = |other: &str| strsim::osa_distance(word, other) <= 2;
            let near = self.words_with(&beginning, is_near)?;
            best = near.into_iter().map(|(word, chunks)| (chunks, word)).max_by_key(|(chunks, _)| *chunks);
        }
        Ok(best.map(|(_, word)| word))
    }
}

/// The words at an edit distance of one, exchanged neighbours included, in alphabetical order. New letters are those of
/// the word and the Latin ones.
fn one_letter_apart(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    let alphabet: Vec<char> = ('a'..='z').chain(letters.iter().copied().filter(|c| !c.is_ascii())).collect();
    let mut found = std::collections::BTreeSet::new();
    let mut add = |parts: [&[char]; 3]| {
        found.insert(parts.concat().into_iter().collect::<String>());
    };
    for at in 0..=letters.len() {
        let (before, after) = letters.split_at(at);
        for letter in &alphabet {
            add([before, &[*letter], after]);
        }
        let Some((first, rest)) = after.split_first() else { continue };
        add([before, &[], rest]);
        for letter in &alphabet {
            add([before, &[*letter], rest]);
        }
        if let Some((second, rest)) = rest.split_first() {
            add([before, &[*second, *first], rest]);
        }
    }
    found.remove(word);
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_one_letter_apart_are_all_kinds_of_typing_errors() {
        let near = one_letter_apart("lamp");
        for word in ["lam", "alamp", "lmap", "lump", "lamps"] {
            assert!(near.iter().any(|candidate| candidate == word), "{word}");
        }
        assert!(near.iter().all(|word| word != "lamp" && strsim::osa_distance("lamp", word) == 1));
    }

    #[test]
    fn words_one_letter_apart_are_complete() {
        let letters = || 'a'..='z';
        let short = letters().map(String::from);
        let pairs = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
        let long =
            letters().flat_map(|a| letters().flat_map(move |b| ["a", "b"].map(|c| format!("{a}{b}{c}"))));
        let others = letters().flat_map(|c| [format!("ab{c}"), format!("a{c}b"), format!("{c}ab")]);
        let mut expected: Vec<String> = short.chain(pairs).chain(long).chain(others).collect();
        expected.retain(|word| strsim::osa_distance("ab", word) == 1);
        expected.sort();
        expected.dedup();
        assert_eq!(one_letter_apart("ab"), expected);
        let near = one_letter_apart("äb");
        assert!(near.contains(&"äbä".to_owned()) && near.contains(&"ää".to_owned()));
    }
}
