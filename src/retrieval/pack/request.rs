//! [`pack`]: from a question to its pack.

use super::finish::finish;
use super::hits::add_hits;
use super::options::{PackError, PackOptions};
use super::packer::Packer;
use super::piece::Pack;
use super::render;
use super::widen::widen;
use crate::embedding::QuestionEmbedder;
use crate::retrieval::search::search;
use crate::store::{SearchMode, SearchOptions, SearchResults, Store, StoreError};
use pensieve_text::text::tokens::{TokenCounter, Tokenizer};

/// The encoding of a database that has none yet.
const DEFAULT_TOKENIZER: &str = "cl100k_base";
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
    let search = PackSearch { store, options, embedder, mode: embedder.mode(store, options.mode)? };
    let mut counter = tokenizer(store, options)?.counter();
    let limit = (options.budget / TOKENS_PER_HIT).clamp(MIN_HITS, MAX_HITS);
    let found = search.hits(0, limit)?;
    let mut pack = empty_pack(options, &found, &mut counter)?;
    let mut packer = Packer::new(store, options, counter, pack.tokens);
    add_hits(&mut packer, &found.hits, 0)?;
    add_later_hits(&mut packer, &search, found.total, limit)?;
    widen(&mut packer)?;
    finish(&mut packer, &mut pack)?;
    if found.total > 0 {
        add_note(&mut packer, &mut pack);
    }
    Ok(pack)
}

fn tokenizer(store: &Store, options: &PackOptions) -> Result<&'static Tokenizer, PackError> {
    let settings = store.meta().corpus_settings()?;
    let own = settings.map_or_else(|| DEFAULT_TOKENIZER.to_owned(), |settings| settings.tokenizer);
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
            paths: self.options.paths.clone(),
            formats: self.options.formats.clone(),
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

/// A pack without pieces: the frame, with as many notes as fit where the format contains them.
fn empty_pack(
    options: &PackOptions,
    found: &SearchResults,
    counter: &mut TokenCounter,
) -> Result<Pack, PackError> {
    let mut pack = Pack {
        question: options.question.clone(),
        budget: options.budget,
        tokens: 0,
        tokenizer: counter.tokenizer().name().to_owned(),
        notes: found.notes.iter().map(ToString::to_string).collect(),
        pieces: Vec::new(),
        output: String::new(),
    };
    if found.total == 0 {
        pack.notes.push("nothing found".to_owned());
    }
    loop {
        render::render(&mut pack, options.format, counter);
        if pack.tokens <= pack.budget {
            return Ok(pack);
        }
        if pack.notes.pop().is_none() {
            let (needed, budget, format) = (pack.tokens, pack.budget, options.format);
            return Err(PackError::SmallBudget { budget, needed, format });
        }
    }
}

/// Notes why a pack is empty or not filled, if the note fits.
fn add_note(packer: &mut Packer<'_>, pack: &mut Pack) {
    let note = if pack.pieces.is_empty() {
        "something was found, but no part of it fits the budget: a piece takes about 100 tokens at least"
            .to_owned()
    } else if (pack.tokens as f64) < FILLED_SHARE * pack.budget as f64 {
        "the budget is not filled: the documents that were found have no other text".to_owned()
    } else {
        return;
    };
    let mut noted = pack.clone();
    noted.notes.push(note);
    render::render(&mut noted, packer.options.format, &mut packer.counter);
    if noted.tokens <= noted.budget {
        *pack = noted;
    }
}
