//! What a document is called, and how well that answers a question.
//!
//! A company, a year, an author or a package is named in a path or a title and hardly in each chunk, so the words of
//! these are a score of the document, added once to each of its chunks (as a field in Robertson, Zaragoza and Taylor,
//! "Simple BM25 Extension to Multiple Weighted Fields", 2004, but not saturated with the words of the chunk). How rare a
//! word is among documents is counted among those of the candidates, so nothing has to be indexed for it.

use crate::store::places::chunk_place::extension;
use crate::store::query::parts::camel_parts;
use crate::store::query::words::text_words;
use crate::store::rows::sql::Queries;
use crate::store::search::question::Question;
use crate::store::search::ranked::RankedChunk;
use pensieve_text::format::by_name;
use pensieve_text::model::TextKind;
use rusqlite::{Connection, Row};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

/// How much a word of a document's name counts beside one of a chunk. On annual reports .5 finds the right document for 93 %
/// of the questions, 1 and 2 for 97 %, 3 for 98 %, and the page as often; the least that suffices disturbs other corpora least.
const NAME_WEIGHT: f64 = 1.0;

/// What the score of a test, an example, a stub or a change log is multiplied by where the question is about code, unless it
/// asks for such: on questions about sixty crates and packages these took half of the first places. With .5 as many
/// questions and names are answered.
const SECONDARY_FACTOR: f64 = 0.7;

/// The place by which a chunk is ranked: the first one by path, so that two databases of the same tree agree.
pub(crate) struct RankedPlace {
    pub file_id: i64,
    pub start: i64,
    pub headings: String,
    /// True for source text of programs.
    pub is_code: bool,
    /// The score of its document's name.
    pub name_score: f64,
    /// The words of the question that are in that name, by their numbers.
    pub name_words: Vec<usize>,
    /// What its score is multiplied by: less than 1 for what is about code rather than the code itself.
    pub factor: f64,
    path: String,
    /// Other documents with the chunk, and their paths: it has the name that answers best.
    copies: Vec<(i64, String)>,
}

impl RankedPlace {
    fn read(row: &Row<'_>) -> rusqlite::Result<RankedPlace> {
        let headings: Option<String> = row.get(3)?;
        let format: Option<String> = row.get(4)?;
        let path: String = row.get(2)?;
        let format = format.and_then(|name| by_name(&name));
        let headings = headings.unwrap_or_default();
        let is_code = format.is_some_and(|format| format.kind == TextKind::Code);
        Ok(RankedPlace {
            file_id: row.get(0)?,
            start: row.get(1)?,
            is_code,
            headings,
            name_score: 0.0,
            name_words: Vec::new(),
            factor: 1.0,
            path,
            copies: Vec::new(),
        })
    }

    /// True for tests, benches, examples, stubs, change logs.
    fn is_secondary(&self) -> bool {
        // A heading of prose may have such a word and be about the matter itself.
        is_secondary(&self.path) || self.is_code && is_secondary(&self.headings)
    }
}

/// Documents of one chunk, and files of one document, whose names are looked at; what is in more of them, such as a licence, is
/// asked for by none of these.
const MAX_COPIES: u32 = 8;

const PLACES: &str =
    // Bounds what a database of others can make us read.
    "SELECT s.file_id, s.start_index, f.relative_path, substr(s.heading_path, 1, 100000), f.format
     FROM chunk_sources s CROSS JOIN files f USING(file_id)
     WHERE s.chunk_id = ?1 ORDER BY f.full_filepath, s.start_index LIMIT ?2";

const TITLES: &str = "SELECT value FROM metadata WHERE file_id = ?1 AND key IN ('title', 'author')";

/// The paths of files with the same content.
const TWINS: &str = "SELECT d.relative_path FROM files f JOIN files d ON d.hash = f.hash
     WHERE f.file_id = ?1 AND d.file_id <> f.file_id AND d.processing_status <> 'Deleted'
     ORDER BY d.full_filepath LIMIT ?2";

/// The places of chunks, and what the names of their documents add to their scores.
///
/// Cost: one look-up for each chunk and for each document.
pub(crate) fn named_places(
    connection: &Connection,
    question: &Question,
    chunks: &mut [RankedChunk],
) -> rusqlite::Result<FxHashMap<i64, RankedPlace>> {
    let mut places = FxHashMap::default();
    let mut names: FxHashMap<i64, BTreeSet<usize>> = FxHashMap::default();
    for chunk in chunks.iter() {
        let mut of_chunk = places_of(connection, chunk.chunk_id)?.into_iter();
        let Some(mut place) = of_chunk.next() else { continue };
        place.copies.extend(of_chunk.map(|copy| (copy.file_id, copy.path)));
        let all = [(place.file_id, &place.path)]
            .into_iter()
            .chain(place.copies.iter().map(|(id, path)| (*id, path)));
        for (file_id, path) in all {
            if let Entry::Vacant(entry) = names.entry(file_id) {
                let titles: Vec<String> = connection.rows(TITLES, [file_id], |row| row.get(0))?;
                let twins: Vec<String> = connection.rows(TWINS, (file_id, MAX_COPIES), |row| row.get(0))?;
                // `notes.md` is not about Markdown.
                let paths = twins.iter().chain([path]).map(|path| without_extension(path));
                let texts = titles.iter().map(String::as_str).chain(paths);
                entry.insert(texts.flat_map(|text| named_words(question, text)).collect());
            }
        }
        places.insert(chunk.chunk_id, place);
    }
    let mut documents = vec![0_usize; question.words.len()];
    names.values().flatten().for_each(|&word| documents[word] += 1);
    let all = names.len() as f64;
    // `news` may be a folder of anything: only a name of code makes it one of change logs.
    let asks_for_code = question.names.iter().any(|name| name.is_certain);
    let wants_secondary = question.words.iter().any(|word| is_secondary_word(&word.text));
    let rarity = |word: usize| {
        let with = documents[word] as f64;
        // The inverse document frequency of BM25, as Lucene has it.
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln() * question.words[word].share
    };
    for chunk in chunks {
        if let Some(place) = places.get_mut(&chunk.chunk_id) {
            // What all documents are called tells none from another.
            let is_told = |word: &&usize| documents[**word] < names.len();
            let ids = place.copies.iter().map(|(file_id, _)| *file_id).chain([place.file_id]);
            for words in ids.filter_map(|id| names.get(&id)) {
                let score = NAME_WEIGHT * words.iter().filter(is_told).map(|&word| rarity(word)).sum::<f64>();
                // Of equals the last one, which is the document itself.
                if score >= place.name_score {
                    place.name_score = score;
                    place.name_words = words.iter().copied().collect();
                }
            }
            // A novel in a folder `examples` is no example.
            let is_about_code = place.is_code || asks_for_code;
            if is_about_code && !wants_secondary && place.is_secondary() {
                place.factor = SECONDARY_FACTOR;
            }
            chunk.score = (chunk.score + place.name_score) * place.factor;
        }
    }
    Ok(places)
}

/// Documents that are looked for by their names alone, at most.
const MAX_NAMED_DOCUMENTS: usize = 50;

/// Letters of a word with which paths are compared first: its end may be another form.
const COMPARED_CHARS: usize = 4;

/// The first chunks of documents whose paths have the words that no text has.
///
/// Cost: one scan of the paths, only if there are such words.
pub(crate) fn chunks_by_name(
    connection: &Connection,
    question: &Question,
) -> rusqlite::Result<Vec<RankedChunk>> {
    let unknown = question.unknown_words();
    let Some(longest) = unknown.iter().map(|&at| &question.words[at].text).max_by_key(|text| text.len())
    else {
        return Ok(Vec::new());
    };
    let beginning: String = longest.chars().take(COMPARED_CHARS).collect();
    let is_plain = beginning.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let pattern = if is_plain { format!("%{beginning}%") } else { "%".to_owned() };
    let paths: Vec<(i64, String)> =
        connection.rows(NAMED, [pattern], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut found = Vec::new();
    for (file_id, path) in paths {
        let words = named_words(question, &path);
        if unknown.iter().all(|word| words.contains(word)) && found.len() < MAX_NAMED_DOCUMENTS {
            let first: Option<i64> = connection.first(FIRST_CHUNK, [file_id], |row| row.get(0))?;
            found.extend(first.map(|chunk_id| RankedChunk { chunk_id, score: 0.0 }));
        }
    }
    Ok(found)
}

const NAMED: &str = "SELECT file_id, relative_path FROM files
     WHERE is_canonical AND processing_status = 'Processed' AND relative_path LIKE ?1 ORDER BY full_filepath";

const FIRST_CHUNK: &str =
    "SELECT chunk_id FROM chunk_sources WHERE file_id = ?1 ORDER BY start_index LIMIT 1";

/// The first places of a chunk by path.
fn places_of(connection: &Connection, chunk_id: i64) -> rusqlite::Result<Vec<RankedPlace>> {
    connection.rows(PLACES, (chunk_id, MAX_COPIES), RankedPlace::read)
}

/// The words of a question that are in a name, by their numbers. Letters and digits that touch are words of their own:
/// `PEPSICO_2023Q1` has `2023`.
fn named_words(question: &Question, name: &str) -> Vec<usize> {
    let runs = name.split(|c: char| !c.is_alphanumeric()).flat_map(|run| {
        let digits = run.split(|c: char| !c.is_ascii_digit());
        let letters = run.split(|c: char| c.is_ascii_digit());
        // `GeneralMills2019` is read whole, by its capitals, and by its digits.
        [run].into_iter().chain(camel_parts(run)).chain(digits).chain(letters)
    });
    let folded = runs.flat_map(text_words).map(|word| word.folded.into_owned());
    let words: BTreeSet<String> = folded.collect();
    // `c.md` is not called `C++`.
    let is_whole = |number: &usize| question.words[*number].literal.is_none();
    let single = words.iter().filter_map(|word| question.number_of(word)).filter(is_whole);
    // `GENERALMILLS` is General Mills.
    let pairs = (1..question.words.len()).filter(|&second| {
        let pair = [&question.words[second - 1].text, &question.words[second].text].map(String::as_str);
        words.contains(&pair.concat())
    });
    single.chain(pairs.flat_map(|second| [second - 1, second])).collect()
}

/// Folders and files of tests and the like, in whole words.
const SECONDARY: &[&str] = &[
    "test",
    "tests",
    "testing",
    "testdata",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "example",
    "examples",
    "spec",
    "specs",
    "fixture",
    "fixtures",
    "mock",
    "mocks",
    "stub",
    "stubs",
    "sample",
    "samples",
    "demo",
    "demos",
    "changelog",
    "changes",
    "history",
    "news",
    "releases",
];

/// True for paths, and names of what encloses code, of tests, benches, examples, stubs and change logs.
fn is_secondary(path: &str) -> bool {
    // Declarations of Python and TypeScript, without code.
    let is_stub = path.ends_with(".pyi") || path.ends_with(".d.ts");
    let words = path.split(|c: char| !c.is_alphanumeric());
    is_stub || words.flat_map(|word| camel_parts(word).chain([word])).any(is_secondary_word)
}

/// True for the words of tests and the like; a question with one asks for these.
fn is_secondary_word(word: &str) -> bool {
    SECONDARY.contains(&word.to_lowercase().as_str())
}

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

    #[test]
    fn tests_and_the_like_are_told_by_whole_words() {
        for path in ["tests/a.rs", "src/FooTest.java", "lib/a_test.go", "x.spec.ts", "CHANGELOG.md", "a.d.ts"]
        {
            assert!(is_secondary(path), "{path}");
        }
        for path in ["src/latest.rs", "attest/a.py", "contest.md", "src/lib.rs"] {
            assert!(!is_secondary(path), "{path}");
        }
    }
}
