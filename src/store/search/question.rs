//! A question: the words of a query without operators, each with the words of the index that count as it.
//!
//! Sources: forms by stems as in M. F. Porter, "Snowball: A language for stemming algorithms" (2001); two letters of a
//! script without spaces as a word, as in most search engines for Chinese and Japanese.

use super::completion::WordCompletions;
use super::vocabulary::Vocabulary;
use super::words::{TextWord, text_words};
use crate::store::query::characters::is_unspaced;
use crate::store::query::{Expression, Query, QueryNote, QueryTerm};
use unicode_normalization::UnicodeNormalization;

/// Words of a question that are looked for, at most; a text longer than that is no question.
const MAX_WORDS: usize = 64;

/// Chunks that the words of a question may match together before its most frequent words are left out of the search
/// for candidates. They count in the ranking of the candidates all the same.
const MAX_MATCHES: u64 = 20_000;

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuestionWord {
    /// The word as the index has it, folded.
    pub text: String,
    /// The words of the index with the same stem, the word itself among them; empty if it does not occur.
    pub forms: Vec<String>,
    /// Longer words that it may become, if it is unfinished.
    pub completions: Vec<String>,
    /// The number of chunks with one of the forms, or a little more: a chunk with two forms counts twice.
    pub chunks: u64,
}

/// The words of a question, each once, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Question {
    pub words: Vec<QuestionWord>,
    /// True if a term has several words, which signs join.
    pub is_joined: bool,
    /// Words that do not occur, and what was searched for in their place.
    pub notes: Vec<QueryNote>,
    /// The query with the corrected words, if words were corrected.
    pub corrected: Option<Expression>,
}

impl Question {
    /// Looks up the words of a query, whose last one may have completions.
    pub fn new(
        query: &Query,
        vocabulary: &Vocabulary<'_>,
        completions: Option<&WordCompletions>,
    ) -> rusqlite::Result<Question> {
        let mut question = Question::default();
        let terms: Vec<&QueryTerm> = query.expression.iter().flat_map(Expression::wanted_terms).collect();
        let mut corrected = Vec::new();
        for term in terms {
            let text: String = term.text.nfkc().collect();
            let words = index_words(&text);
            question.is_joined |= words.len() > 1;
            for word in &words {
                let is_known = question.words.iter().any(|known| known.text == *word);
                if !is_known && question.words.len() < MAX_WORDS {
                    let completions = completions.filter(|completed| completed.word == *word);
                    question.add(word, vocabulary, completions)?;
                }
            }
            corrected.push(match words.as_slice() {
                [word] => question.replacement(word).unwrap_or_else(|| term.clone()),
                _ => term.clone(),
            });
        }
        if question.notes.iter().any(|note| matches!(note, QueryNote::Corrected { .. })) {
            let wanted = corrected.into_iter().map(Expression::Term).collect();
            question.corrected = Some(Expression::All { wanted, unwanted: Vec::new() });
        }
        Ok(question)
    }

    fn add(
        &mut self,
        word: &str,
        vocabulary: &Vocabulary<'_>,
        completions: Option<&WordCompletions>,
    ) -> rusqlite::Result<()> {
        let completions = completions.map_or(&[][..], |completed| &completed.words);
        let mut forms = forms_of(word, vocabulary)?;
        let mut text = word.to_owned();
        if forms.is_empty() && completions.is_empty() {
            match vocabulary.nearest(word)? {
                Some(nearest) => {
                    forms = forms_of(&nearest, vocabulary)?;
                    self.notes.push(QueryNote::Corrected { word: word.to_owned(), used: nearest.clone() });
                    text = nearest;
                }
                None => self.notes.push(QueryNote::Unknown { word: word.to_owned() }),
            }
        }
        let chunks = forms.iter().chain(completions).map(|(_, chunks)| chunks).sum();
        let forms: Vec<String> = forms.into_iter().map(|(form, _)| form).collect();
        let completions = completions.iter().map(|(word, _)| word).filter(|word| !forms.contains(word));
        let completions = completions.cloned().collect();
        self.words.push(QuestionWord { text, forms, completions, chunks });
        Ok(())
    }

    /// The term for a word that was corrected.
    fn replacement(&self, word: &str) -> Option<QueryTerm> {
        self.notes.iter().find_map(|note| match note {
            QueryNote::Corrected { word: wrong, used } if wrong == word => {
                Some(QueryTerm { text: used.clone(), ..QueryTerm::default() })
            }
            _ => None,
        })
    }

    /// The search for candidates: any form of any of the words, the most frequent words left out where the others match
    /// enough. `None` if no word occurs.
    pub fn any_word(&self) -> Option<Expression> {
        let occurs = |word: &&QuestionWord| !(word.forms.is_empty() && word.completions.is_empty());
        let mut words: Vec<&QuestionWord> = self.words.iter().filter(occurs).collect();
        words.sort_by_key(|word| word.chunks);
        let mut matched = 0_u64;
        let searched = words.iter().take_while(|word| {
            let is_searched = matched == 0 || matched + word.chunks <= MAX_MATCHES;
            matched += word.chunks;
            is_searched
        });
        let forms = searched.flat_map(|word| word.forms.iter().chain(&word.completions));
        let terms: Vec<Expression> = forms
            .map(|form| Expression::Term(QueryTerm { text: form.clone(), ..QueryTerm::default() }))
            .collect();
        (!terms.is_empty()).then_some(Expression::Any(terms))
    }
}

/// The forms of a word with their chunks. Two letters of a script without spaces have no other form, and their number of
/// chunks is not in the vocabulary: that of the rarer letter stands for it.
fn forms_of(word: &str, vocabulary: &Vocabulary<'_>) -> rusqlite::Result<Vec<(String, u64)>> {
    if !word.contains(is_unspaced) {
        return vocabulary.forms(word);
    }
    let mut chunks = u64::MAX;
    let mut buffer = [0; 4];
    for letter in word.chars() {
        chunks = chunks.min(vocabulary.chunks_with(letter.encode_utf8(&mut buffer))?);
    }
    Ok(if chunks > 0 { vec![(word.to_owned(), chunks)] } else { Vec::new() })
}

/// The folded words of a text; of letters without spaces each two neighbours make a word, a single letter makes one by
/// itself.
pub(super) fn index_words(text: &str) -> Vec<String> {
    let words = text_words(text);
    let is_letter = |word: &TextWord| word.folded.starts_with(is_unspaced);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !is_letter(word) {
            found.push(word.folded.clone());
            continue;
        }
        let follows =
            |other: Option<&TextWord>, touches: bool| other.is_some_and(|other| touches && is_letter(other));
        let next = words.get(at + 1);
        let previous = at.checked_sub(1).and_then(|at| words.get(at));
        if let Some(next) = next.filter(|next| follows(Some(next), next.start == word.end)) {
            found.push(format!("{}{}", word.folded, next.folded));
        } else if !follows(previous, previous.is_some_and(|previous| previous.end == word.start)) {
            found.push(word.folded.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_without_spaces_make_words_of_two() {
        let check = |text: &str, expected: &[&str]| assert_eq!(index_words(text), expected, "{text}");
        check("What is the Größe?", &["what", "is", "the", "große"]);
        check("内存限制", &["内存", "存限", "限制"]);
        check("库 x86", &["库", "x86"]);
        check("使用SQLite库", &["使用", "sqlite", "库"]);
    }
}
