//! Errors of invalid queries, and warnings about queries that may mean something else.

use super::unfinished_run::UnfinishedRun;
use std::borrow::Cow;
use thiserror::Error;

/// Characters of a word in a message.
const MAX_SHOWN_CHARS: usize = 64;

/// What is told about a query besides its hits: what was taken for an operator, and what was done to find an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryNote {
    /// What was taken for an operator, and what it does.
    #[error("{text}")]
    Operator {
        /// In words.
        text: String,
    },
    /// A query with operators that found nothing, and was asked again as a question.
    #[error("nothing matches with these operators; searched the words alone")]
    WordsAlone,
    /// A run has not finished, so that words may be missing.
    #[error("{0}")]
    Unfinished(UnfinishedRun),
    /// No letter and no digit in the whole query: nothing is found.
    #[error("`{}` has no letter or digit, and words are what is looked for", shortened(text))]
    NoWords {
        /// The punctuation.
        text: String,
    },
    /// A format or extension that no file has.
    #[error("no file with text has the format or extension `{name}`; the formats here are {known}")]
    NoFormat {
        /// The requested format.
        name: String,
        /// The formats that files have.
        known: String,
    },
    /// Patterns that no path matches.
    #[error("no file with text lies where the paths that are asked for say")]
    NoPath,
    /// A value that no document has.
    #[error("no document has the {field} `{}`{}", shortened(value), known_values(known))]
    NoValue {
        /// The field.
        field: &'static str,
        /// The value.
        value: String,
        /// The values that documents have; empty where they are many.
        known: String,
    },
    /// None of the best chunks has all words of a question.
    #[error("no hit has all {words} words; ranked by any of them")]
    AnyWord {
        /// The words of the question that say something.
        words: usize,
    },
    /// A word that does not occur, and the one that was searched for besides.
    #[error("`{}` does not occur; searched `{used}`", shortened(word))]
    Corrected {
        /// The word of the question.
        word: String,
        /// The word of the index.
        used: String,
    },
    /// The only word of a question, which does not occur, and the nearest one that does.
    #[error("`{}` does not occur; did you mean `{nearest}`?", shortened(word))]
    DidYouMean {
        /// The word of the question.
        word: String,
        /// The word of the index.
        nearest: String,
    },
    /// A word that does not occur, with no word near it.
    #[error("`{}` does not occur", shortened(word))]
    Unknown {
        /// The word of the question.
        word: String,
    },
    /// A question that was to be compared by its meaning, and was not.
    #[error("searched by words: {reason}")]
    ByWords {
        /// Why.
        reason: String,
    },
    /// Chunks that have no vector, so that their meaning cannot be compared.
    #[error("{missing} of {chunks} chunks have no vector yet; `pensieve embed` makes them")]
    WithoutVectors {
        /// How many.
        missing: usize,
        /// Of how many.
        chunks: usize,
    },
}

fn known_values(known: &str) -> String {
    if known.is_empty() { String::new() } else { format!("; the values here are {known}") }
}

fn shortened(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &word[..end]).into(),
        None => word.into(),
    }
}

/// Why a query is invalid. Places are characters, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryError {
    /// It is empty.
    #[error("the query is empty")]
    Empty,
    /// In a text in capital letters, AND or OR connects nothing: it may be a word or a slip.
    #[error("`{word}` at character {at} connects nothing")]
    LoneOperator {
        /// AND or OR.
        word: String,
        /// Its place.
        at: usize,
    },
    /// The query only excludes words.
    #[error("`NOT` at character {at} only leaves words out; nothing says what to look for")]
    OnlyNot {
        /// Its place.
        at: usize,
    },
    /// More than SQLite can process.
    #[error("the query has more than {limit} {what}")]
    TooMuch {
        /// Terms, or nested parentheses.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
}

impl QueryError {
    /// What to type instead.
    pub fn cure(&self) -> String {
        match self {
            QueryError::Empty => "give at least one word".to_owned(),
            QueryError::LoneOperator { word, .. } => {
                let lower = word.to_lowercase();
                format!("write `term {word} term`, or `{lower}` in small letters to look for the word")
            }
            QueryError::OnlyNot { .. } => {
                "add a word before it, or write `not` in small letters to look for the word".to_owned()
            }
            QueryError::TooMuch { .. } => "ask for less at a time".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shortened() {
        let unknown = |letters: usize| QueryNote::Unknown { word: "ö".repeat(letters) }.to_string();
        assert_eq!(unknown(64), format!("`{}` does not occur", "ö".repeat(64)));
        assert_eq!(unknown(65), format!("`{}…` does not occur", "ö".repeat(64)));
    }
}
