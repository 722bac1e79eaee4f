//! [`pack`]: from a question to its pack.

use super::finish::finish;
use super::hits::add_hits;
use super::options::{PackError, PackFormat, PackOptions};
use super::packer::Packer;
use super::piece::{Pack, PackPiece};
use super::render;
use super::widen::widen;
use crate::embedding::QuestionEmbedder;
use crate::retrieval::search::search;
use crate::store::{SearchMode, SearchOptions, SearchResults, Store, StoreError};
use pensieve_text::text::tokens::{TokenCounter, Tokenizer};

/// Hits of the first search, at least and at most.
const MIN_HITS: usize = 20;
const MAX_HITS: usize = 1_000;
/// Tokens of the budget for each hit that is asked for: about the tokens of a short chunk with its frame.
const TOKENS_PER_HIT: usize = 100;
/// A pack below this share of its budget is noted as not filled.
const FILLED_SHARE: f64 = 0.95;

/// The best context for a question that fits a budget.
///
/// # Errors
/// The database cannot be searched, the question is an expression with a mistake, no tokenizer has the name, or not even
/// an empty pack fits the budget.
///
/// Cost: one search, and a few more where the budget has room for more hits, the texts around its hits, and a few counts of the output.
pub fn pack(store: &Store, options: &PackOptions, embedder: &QuestionEmbedder) -> Result<Pack, PackError> {
    if options.format == PackFormat::Json {
        let written = PackOptions { format: PackFormat::Markdown, ..options.clone() };
        return Ok(pack(store, &written, embedder)?.as_json());
    }
    let search = PackSearch { store, options, embedder, mode: embedder.mode(store, options.mode)? };
    let mut counter = tokenizer(store, options)?.counter();
    let limit = (options.budget / TOKENS_PER_HIT).clamp(MIN_HITS, MAX_HITS);
    let found = search.hits(0, limit)?;
    let mut pack = empty_pack(options, &found, &mut counter)?;
    let mut packer = Packer::new(store, options, counter, pack.tokens);
    // Documents that are too short to fill the budget leave room for more of them.
    for limits_frames in [true, false] {
        if is_filled(packer.used, options.budget) {
            break;
        }
        (packer.limits_frames, packer.misses) = (limits_frames, 0);
        add_hits(&mut packer, &found.hits, 0)?;
        add_later_hits(&mut packer, &search, found.total, limit)?;
        widen(&mut packer)?;
    }
    finish(&mut packer, &mut pack)?;
    pack.notes.extend(repeats_note(&packer));
    pack.notes.extend(fill_note(&pack, found.total).map(str::to_owned));
    Ok(pack)
}

impl Pack {
    /// Pieces of several packs as one; those that do not fit the budget are left out, the last ones first.
    pub fn joined(
        options: &PackOptions,
        notes: Vec<String>,
        pieces: Vec<PackPiece>,
        tokenizer: &'static Tokenizer,
    ) -> Pack {
        let mut pack = Pack { notes, pieces, ..Pack::empty(options, tokenizer) };
        loop {
            render::render(&mut pack, options.format, &mut tokenizer.counter());
            if pack.tokens <= pack.budget || pack.pieces.pop().is_none() {
                return pack;
            }
        }
    }

    /// The object that describes it, instead of its Markdown.
    pub fn as_json(mut self) -> Pack {
        self.output = serde_json::to_string(&self).unwrap_or_default() + "\n";
        self
    }

    fn empty(options: &PackOptions, tokenizer: &Tokenizer) -> Pack {
        Pack {
            question: options.question.clone(),
            budget: options.budget,
            tokens: 0,
            tokenizer: tokenizer.name().to_owned(),
            notes: Vec::new(),
            pieces: Vec::new(),
            output: String::new(),
        }
    }
}

fn tokenizer(store: &Store, options: &PackOptions) -> Result<&'static Tokenizer, PackError> {
    let settings = store.meta().corpus_settings()?;
    let own =
        settings.map_or_else(|| PackOptions::DEFAULT_TOKENIZER.to_owned(), |settings| settings.tokenizer);
    Ok(Tokenizer::named(options.tokenizer.as_deref().unwrap_or(&own))?)
}

/// The search of a pack.
struct PackSearch<'s> {
    store: &'s Store,
    options: &'s PackOptions,
    embedder: &'s QuestionEmbedder,
    mode: SearchMode,
}

impl PackSearch<'_> {
    fn hits(&self, offset: usize, limit: usize) -> Result<SearchResults, StoreError> {
        let options = SearchOptions {
            query: self.options.question.clone(),
            mode: self.mode,
            word_match: self.options.word_match,
            documents: self.options.documents.clone(),
            limit,
            offset,
            sources: 1,
            ..SearchOptions::default()
        };
        search(self.store, &options, self.embedder)
    }
}

/// Adds the hits after the first ones, as long as the budget has room.
fn add_later_hits(
    packer: &mut Packer<'_>,
    search: &PackSearch<'_>,
    total: usize,
    first: usize,
) -> Result<(), StoreError> {
    let mut offset = first;
    while offset < total.min(MAX_HITS) && packer.has_room() {
        let limit = (offset * 3).min(MAX_HITS - offset);
        let found = search.hits(offset, limit)?;
        add_hits(packer, &found.hits, offset)?;
        offset += limit;
    }
    Ok(())
}

/// A pack without pieces: the frame.
fn empty_pack(
    options: &PackOptions,
    found: &SearchResults,
    counter: &mut TokenCounter,
) -> Result<Pack, PackError> {
    let notes = found.notes.iter().map(ToString::to_string).collect();
    let mut pack = Pack { notes, ..Pack::empty(options, counter.tokenizer()) };
    render::render(&mut pack, options.format, counter);
    match pack.tokens > pack.budget {
        true => {
            Err(PackError::SmallBudget { budget: pack.budget, needed: pack.tokens, format: options.format })
        }
        false => Ok(pack),
    }
}

fn is_filled(tokens: usize, budget: usize) -> bool {
    tokens as f64 >= FILLED_SHARE * budget as f64
}

/// Documents that a note names.
const MAX_NAMED: usize = 3;

/// What was left out because the pack has it already.
fn repeats_note(packer: &Packer<'_>) -> Option<String> {
    let names: Vec<&str> =
        packer.repeating.iter().map(|at| packer.documents[*at].text.document.name.as_str()).collect();
    let more = names.len().saturating_sub(MAX_NAMED);
    let shown = names[..names.len() - more].join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty())
        .then(|| format!("left out what the pack has already in the same words: passages of {shown}{more}"))
}

/// Why a pack is empty or not filled.
fn fill_note(pack: &Pack, total: usize) -> Option<&'static str> {
    match pack.pieces.is_empty() {
        true if total == 0 => Some("nothing found"),
        true => Some(
            "something was found, but no part of it fits the budget: a piece takes about 100 tokens at least",
        ),
        false if !is_filled(pack.tokens, pack.budget) => {
            Some("the budget is not filled: the documents that were found have no other text")
        }
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::PackFormat;
    use super::*;
    use crate::store::testing::corpus;

    /// A corpus of files with a line each, all of which a question for `fog` finds.
    fn fog(files: usize) -> Store {
        let files: Vec<(String, String)> = (0..files)
            .map(|at| (format!("f{at:02}.txt"), format!("fog of {at} in harbour {}", at * 7)))
            .collect();
        let chunks: Vec<[&str; 1]> = files.iter().map(|(_, line)| [line.as_str()]).collect();
        let files: Vec<(&str, &[&str])> =
            files.iter().zip(&chunks).map(|((path, _), chunks)| (path.as_str(), &chunks[..])).collect();
        corpus(&files)
    }

    fn packed(store: &Store, question: &str, budget: usize, format: PackFormat) -> Result<Pack, PackError> {
        let options = PackOptions { question: question.to_owned(), budget, format, ..PackOptions::default() };
        pack(store, &options, &QuestionEmbedder::none())
    }

    const UNFILLED: &str = "the budget is not filled: the documents that were found have no other text";

    #[test]
    fn hits_after_the_first_are_added_as_long_as_there_is_room() {
        let store = fog(30);
        let pack = packed(&store, "fog", 2_400, PackFormat::Markdown).unwrap();
        assert_eq!((pack.pieces.len(), &pack.notes[..]), (30, &[UNFILLED.to_owned()][..]));
        assert!(packed(&store, "fog", 500, PackFormat::Markdown).unwrap().pieces.len() < 20);
    }

    #[test]
    fn a_pack_says_why_it_is_empty() {
        let store = fog(3);
        let none = packed(&store, "xyzzy", 900, PackFormat::Markdown).unwrap();
        assert_eq!(
            (none.tokens, &none.notes[..]),
            (0, &["`xyzzy` does not occur".to_owned(), "nothing found".to_owned()][..])
        );
        let small = packed(&store, "fog", 20, PackFormat::Markdown).unwrap();
        assert_eq!((small.pieces.len(), small.notes.len()), (0, 1));
        assert!(small.notes[0].starts_with("something was found, but no part of it fits"));
    }

    #[test]
    fn a_pack_below_its_share_of_the_budget_says_so() {
        let full = packed(&fog(1), "fog", 900, PackFormat::Markdown).unwrap();
        let note = |tokens: usize| fill_note(&Pack { tokens, budget: 100, ..full.clone() }, 1);
        assert_eq!((note(95), note(94)), (None, Some(UNFILLED)));
    }

    #[test]
    fn an_output_never_has_more_tokens_than_its_budget() {
        let store = fog(4);
        for format in [PackFormat::Markdown, PackFormat::Xml] {
            for budget in (5..200).step_by(26) {
                match packed(&store, "fog", budget, format) {
                    Ok(pack) => {
                        let counted =
                            tokenizer(&store, &PackOptions::default()).unwrap().counter().count(&pack.output);
                        assert_eq!(counted, pack.tokens, "{format:?} {budget}");
                        assert!(counted <= budget, "{format:?} {budget}");
                    }
                    Err(PackError::SmallBudget { needed, .. }) => {
                        assert!(needed > budget, "{format:?} {budget}")
                    }
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    #[test]
    fn an_object_describes_the_markdown_of_the_same_budget() {
        let store = fog(9);
        let markdown = packed(&store, "fog", 300, PackFormat::Markdown).unwrap();
        let json = packed(&store, "fog", 300, PackFormat::Json).unwrap();
        assert_eq!(
            (&json.pieces, json.tokens, &json.notes),
            (&markdown.pieces, markdown.tokens, &markdown.notes)
        );
        let read: serde_json::Value = serde_json::from_str(&json.output).unwrap();
        assert_eq!(read["pieces"].as_array().unwrap().len(), markdown.pieces.len());
        for piece in &json.pieces {
            assert!(markdown.output.contains(&piece.citation));
        }
    }
}
