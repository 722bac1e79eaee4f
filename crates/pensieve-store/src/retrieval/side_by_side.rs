//! One question to several databases: hits that take turns, and a pack whose budget they share.
//!
//! Scores of different databases cannot be compared: each counts how rare a word is among its own chunks. Hits of the same
//! rank therefore take turns, after all those of databases where every hit has all words. A chunk that several databases
//! have is listed once.

use super::expansion::ExpandedHit;
use super::pack::{Pack, PackError, PackFormat, PackOptions, PackPiece};
use crate::store::{SearchOptions, Store, StoreError};
use pensieve_text::text::tokens::Tokenizer;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// What a question found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FoundHits<H> {
    /// `all` if every hit has all words of the query, `any` if hits of a question need not.
    #[serde(rename = "match")]
    pub word_match: &'static str,
    /// The number of all hits; of several databases, what is known to be in two of them counted once.
    pub total: usize,
    /// How hits were found, and what may have been meant differently.
    pub notes: Vec<String>,
    /// Best first.
    pub hits: Vec<H>,
}

/// A hit that can be listed among those of other databases.
pub trait LabelledHit {
    /// The hash of its chunk.
    fn content_hash(&self) -> &str;
    /// Names its database.
    fn label(&mut self, corpus: &str);
}

impl LabelledHit for ExpandedHit {
    fn content_hash(&self) -> &str {
        &self.hit.content_hash
    }

    fn label(&mut self, corpus: &str) {
        self.corpus = Some(corpus.to_owned());
    }
}

/// The names of databases: those of their files without extensions, each once.
pub fn corpus_names<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Vec<String> {
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

/// The first hits of every database as one answer: `limit` of them after `offset`.
pub fn take_turns<H: LabelledHit>(
    answers: Vec<(String, FoundHits<H>)>,
    offset: usize,
    limit: usize,
) -> FoundHits<H> {
    let mut merged = FoundHits { word_match: "all", total: 0, notes: Vec::new(), hits: Vec::new() };
    let mut ranked: Vec<(bool, usize, usize, H)> = Vec::new();
    for (corpus, (name, answer)) in answers.into_iter().enumerate() {
        let is_any = answer.word_match == "any";
        merged.total += answer.total;
        merged.notes.extend(answer.notes.into_iter().map(|note| format!("{name}: {note}")));
        if is_any && !answer.hits.is_empty() {
            merged.word_match = "any";
        }
        for (rank, mut hit) in answer.hits.into_iter().enumerate() {
            hit.label(&name);
            ranked.push((is_any, rank, corpus, hit));
        }
    }
    ranked.sort_by_key(|(is_any, rank, corpus, _)| (*is_any, *rank, *corpus));
    let mut seen = HashSet::new();
    let known = ranked.len();
    ranked.retain(|(.., hit)| seen.insert(hit.content_hash().to_owned()));
    merged.total -= known - ranked.len();
    merged.hits = ranked.into_iter().map(|(.., hit)| hit).skip(offset).take(limit).collect();
    merged
}

/// Hits that decide how several databases share a budget.
const SHARED_HITS: usize = 20;

/// The smallest share of a database that has hits.
const MIN_SHARE: usize = 200;

/// The first hits of one database for a pack: whether they have all words of the question, and their number.
///
/// # Errors
/// The database cannot be searched.
pub fn count_hits(store: &Store, options: &PackOptions) -> Result<(bool, usize), StoreError> {
    let found = store.search(&SearchOptions {
        query: options.question.clone(),
        word_match: options.word_match,
        documents: options.documents.clone(),
        limit: SHARED_HITS,
        sources: 1,
        ..SearchOptions::default()
    })?;
    Ok((!found.matches_any, found.hits.len()))
}

/// The packs to make of several databases: only those with hits that have all words get a budget, if there are such hits; by
/// the number of their hits. `None` for a database that gets nothing.
pub fn share_budget(options: &PackOptions, hits: &[(bool, usize)]) -> Vec<Option<PackOptions>> {
    let has_all = hits.iter().any(|(is_all, count)| *is_all && *count > 0);
    let counts = hits.iter().map(|(is_all, count)| if *is_all || !has_all { *count } else { 0 });
    let counts: Vec<usize> = counts.collect();
    let all = counts.iter().sum::<usize>().max(1);
    let share = |count: &usize| {
        let budget = (options.budget * count / all).max(MIN_SHARE.min(options.budget));
        (*count > 0).then(|| PackOptions { budget, ..options.clone() })
    };
    counts.iter().map(share).collect()
}

/// The packs of several databases as one; each piece names its database, and equal ones are there once. Pieces that no
/// longer fit the budget are left out, the last ones first.
///
/// # Errors
/// No tokenizer has the name.
pub fn join_packs(options: &PackOptions, packs: Vec<(String, Pack)>) -> Result<Pack, PackError> {
    let tokenizer = packs.first().map_or(PackOptions::DEFAULT_TOKENIZER, |(_, pack)| &pack.tokenizer);
    let tokenizer = Tokenizer::named(options.tokenizer.as_deref().unwrap_or(tokenizer))?;
    let (mut notes, mut pieces, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    for (name, pack) in packs {
        notes.extend(pack.notes.iter().map(|note| format!("{name}: {note}")));
        for piece in pack.pieces.into_iter().filter(|piece| seen.insert(piece.text.clone())) {
            let shown = format!("{name}: {}", piece.shown_name());
            let number = pieces.len() + 1;
            pieces.push(PackPiece { name: Some(shown), corpus: Some(name.clone()), number, ..piece });
        }
    }
    if pieces.is_empty() && notes.is_empty() {
        notes.push("nothing found".to_owned());
    }
    let is_json = options.format == PackFormat::Json;
    let format = if is_json { PackFormat::Markdown } else { options.format };
    let written = PackOptions { format, ..options.clone() };
    let joined = Pack::joined(&written, notes, pieces, tokenizer);
    Ok(if is_json { joined.as_json() } else { joined })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Named(&'static str, String);

    impl LabelledHit for Named {
        fn content_hash(&self) -> &str {
            self.0
        }

        fn label(&mut self, corpus: &str) {
            self.1 = corpus.to_owned();
        }
    }

    fn answer(word_match: &'static str, hashes: &[&'static str]) -> FoundHits<Named> {
        let hits: Vec<Named> = hashes.iter().map(|hash| Named(hash, String::new())).collect();
        FoundHits { word_match, total: hits.len(), notes: vec!["a note".to_owned()], hits }
    }

    #[test]
    fn hits_of_several_databases_take_turns() {
        let answers = vec![
            ("x".to_owned(), answer("any", &["x1", "x2"])),
            ("y".to_owned(), answer("all", &["y1", "both", "y3"])),
            ("z".to_owned(), answer("all", &["z1", "both"])),
        ];
        let merged = take_turns(answers, 1, 3);
        let hits: Vec<(&str, &str)> = merged.hits.iter().map(|hit| (hit.0, hit.1.as_str())).collect();
        assert_eq!(hits, [("z1", "z"), ("both", "y"), ("y3", "y")]);
        assert_eq!((merged.total, merged.word_match, merged.notes[0].as_str()), (6, "any", "x: a note"));
    }

    #[test]
    fn names_are_unique() {
        let paths = ["a/notes.db", "b/notes.db", "notes-2.db", "notes.corpus.db"];
        let names = corpus_names(paths.iter().map(Path::new));
        assert_eq!(names, ["notes", "notes-2", "notes-2-2", "notes.corpus"]);
    }
}
