//! The words that an unfinished last word of a question may become, for search as a person types.

use super::vocabulary::Vocabulary;
use crate::store::query::characters::{is_letter, is_unspaced};
use crate::store::query::words::text_words;
use crate::store::query::{Expression, Query};
use unicode_normalization::UnicodeNormalization;

/// Letters of a word that is completed, at least: one letter begins too many words.
const MIN_COMPLETED_CHARS: usize = 2;

/// Words that an unfinished word is completed to, at most.
const MAX_COMPLETIONS: usize = 32;

/// Chunks that all completions of a word match together, at most. More frequent words are left out: they say little,
/// and looking them up costs time with each letter that is typed.
const MAX_COMPLETED_CHUNKS: u64 = 20_000;

/// The words of the index that begin with the last word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordCompletions {
    /// The last word as typed, folded.
    pub word: String,
    /// Longer words that begin with it, in most chunks first, each with the number of its chunks; at least one.
    pub words: Vec<(String, u64)>,
}

impl WordCompletions {
    /// The completions of a question's last word, as it was typed. `None` if the word is finished, or if no word begins
    /// with it.
    pub fn of(
        query: &Query,
        typed: &str,
        vocabulary: &Vocabulary<'_>,
    ) -> rusqlite::Result<Option<WordCompletions>> {
        // A space or a sign after the word says that it is whole.
        let is_unfinished = typed.ends_with(is_letter);
        let Some(term) = query.expression.iter().flat_map(Expression::wanted_terms).next_back() else {
            return Ok(None);
        };
        let text: String = term.text.nfkc().collect();
        let Some(word) = completed_word(&text).filter(|_| is_unfinished && query.is_question) else {
            return Ok(None);
        };
        let mut words = vocabulary.beginning_with(&word)?;
        // The word itself is searched anyway.
        words.retain(|(longer, _)| *longer != word);
        // The most frequent is the most probable one; equals by the alphabet, so that answers repeat.
        words.sort_by(|(a, in_a), (b, in_b)| in_b.cmp(in_a).then_with(|| a.cmp(b)));
        let mut left = MAX_COMPLETED_CHUNKS;
        words.retain(|(_, chunks)| {
            let rest = left.checked_sub(*chunks);
            // A rarer word may fit where a frequent one did not.
            left = rest.unwrap_or(left);
            rest.is_some()
        });
        words.truncate(MAX_COMPLETIONS);
        Ok((!words.is_empty()).then_some(WordCompletions { word, words }))
    }
}

/// The word of a term that can be unfinished: several words that signs join cannot, nor can letters that are words by
/// themselves.
fn completed_word(text: &str) -> Option<String> {
    let mut words = text_words(text);
    let word = words.pop().filter(|_| words.is_empty())?.folded.into_owned();
    // Letters of a script without spaces are words by themselves.
    (word.chars().count() >= MIN_COMPLETED_CHARS && !word.contains(is_unspaced)).then_some(word)
}
