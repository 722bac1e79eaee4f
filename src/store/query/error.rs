//! Errors of invalid queries, and warnings about queries that may mean something else.

use crate::store::unfinished_run::UnfinishedRun;
use std::borrow::Cow;
use thiserror::Error;

/// Characters of a word in a message.
const MAX_SHOWN_CHARS: usize = 64;

/// A warning about a part of the query that may mean something else.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryNote {
    /// Punctuation outside of words.
    #[error("`{}` at character {at} has no letter or digit and is left out", shortened(text))]
    LeftOut {
        /// The punctuation.
        text: String,
        /// Their place, from 1.
        at: usize,
    },
    /// A run has not finished, so that words may be missing.
    #[error("{0}")]
    Unfinished(UnfinishedRun),
    /// No letter and no digit in the whole query: nothing is found.
    #[error(
        "`{}` at character {at} has no letter or digit, and words are what is looked for",
        shortened(text)
    )]
    NoWords {
        /// The punctuation.
        text: String,
        /// Their place, from 1.
        at: usize,
    },
    /// A colon after a word that is not a field.
    #[error(
        "`{name}:` at character {at} is no column, so its words are looked for; columns are content, heading, path and format"
    )]
    NoColumn {
        /// The word before the colon.
        name: String,
        /// Its place, from 1.
        at: usize,
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
    /// Too few chunks have all words of a question.
    #[error("{}", any_words(*.words, *.is_joined, *.complete))]
    AnyWord {
        /// The words of the question.
        words: usize,
        /// True if signs join some of them, as in `foo-bar`, which must follow each other.
        is_joined: bool,
        /// The chunks that have them all, which come first.
        complete: usize,
    },
    /// A word that does not occur, and the one that was searched for in its place.
    #[error("`{}` does not occur; searched `{used}`", shortened(word))]
    Corrected {
        /// The word of the question.
        word: String,
        /// The word of the index.
        used: String,
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
    /// A minus sign before a word.
    #[error("`{text}` at character {at} is looked for as a word; `NOT {}` leaves it out", text.trim_start_matches('-'))]
    Minus {
        /// The word with its sign.
        text: String,
        /// Its place, from 1.
        at: usize,
    },
}

fn shortened(word: &str) -> Cow<'_, str> {
    match word.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &word[..end]).into(),
        None => word.into(),
    }
}

fn any_words(words: usize, is_joined: bool, complete: usize) -> String {
    let joined = if is_joined { " as written" } else { "" };
    match complete {
        0 => format!("no chunk has all {words} words{joined}; ranked by any of them"),
        1 => format!(
            "one chunk has all {words} words{joined} and comes first; the others are ranked by any of them"
        ),
        _ => format!(
            "{complete} chunks have all {words} words{joined} and come first; the others are ranked by any of them"
        ),
    }
}

/// Why a query is invalid. Places are characters, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum QueryError {
    /// It is empty.
    #[error("the query is empty")]
    Empty,
    /// It contains no word.
    #[error("`{text}` at character {at} has no letter or digit, and nothing else is asked for")]
    NoWords {
        /// The punctuation.
        text: String,
        /// Their place.
        at: usize,
    },
    /// A phrase without a closing quote.
    #[error("the quotation mark at character {at} is not closed")]
    OpenQuote {
        /// Its place.
        at: usize,
    },
    /// A group without a closing parenthesis.
    #[error("the parenthesis at character {at} is not closed")]
    OpenGroup {
        /// Its place.
        at: usize,
    },
    /// An operator without one of its terms.
    #[error("`{word}` at character {at} has no term {}", if *.is_before { "before it" } else { "after it" })]
    LoneOperator {
        /// AND, OR, NOT or NEAR.
        word: String,
        /// Its place.
        at: usize,
        /// True if the term before it is missing, false if the one after it is.
        is_before: bool,
    },
    /// The query only excludes words.
    #[error("`NOT` at character {at} leaves out, but nothing says what to look for")]
    OnlyNot {
        /// Its place.
        at: usize,
    },
    /// A filter inside parentheses or next to OR.
    #[error("`{name}:` at character {at} is inside parentheses or beside OR")]
    NestedFilter {
        /// The field.
        name: String,
        /// Its place.
        at: usize,
    },
    /// A field without a value.
    #[error("`{name}:` at character {at} has nothing after it")]
    EmptyField {
        /// The field.
        name: String,
        /// Its place.
        at: usize,
    },
    /// Something inside NEAR that is no word or phrase.
    #[error("`{text}` at character {at} cannot be inside NEAR")]
    InNear {
        /// The text.
        text: String,
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
            QueryError::NoWords { .. } => {
                "words are looked for, not signs: add a word that is near them".to_owned()
            }
            QueryError::OpenQuote { .. } => {
                "add the closing `\"`, or leave the mark out: a phrase is \"two words\"".to_owned()
            }
            QueryError::OpenGroup { .. } => "add the closing `)`, or leave the parenthesis out".to_owned(),
            QueryError::LoneOperator { word, .. } => {
                let lower = word.to_lowercase();
                format!("write `term {word} term`, or `{lower}` in small letters to look for the word")
            }
            QueryError::OnlyNot { .. } => {
                "add a word before it, or write `not` in small letters to look for the word".to_owned()
            }
            QueryError::NestedFilter { .. } => {
                "it narrows the whole query: put it at the end, outside parentheses, and group the words: \
                 `(a OR b) path:docs`"
                    .to_owned()
            }
            QueryError::EmptyField { name, .. } => {
                format!("write `{name}:value` without a space, or put quotes around it: `\"{name}:\"`")
            }
            QueryError::InNear { .. } => "write words or phrases: `NEAR(one \"two three\", 10)`".to_owned(),
            QueryError::TooMuch { .. } => "ask for less at a time".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_numbers_and_words() {
        let check = |note: QueryNote, expected: &str| assert_eq!(note.to_string(), expected);
        let any = |is_joined, complete| QueryNote::AnyWord { words: 3, is_joined, complete };
        check(any(false, 0), "no chunk has all 3 words; ranked by any of them");
        check(any(true, 0), "no chunk has all 3 words as written; ranked by any of them");
        check(
            any(false, 1),
            "one chunk has all 3 words and comes first; the others are ranked by any of them",
        );
        check(
            any(true, 2),
            "2 chunks have all 3 words as written and come first; the others are ranked by any of them",
        );
        let unknown = |letters: usize| QueryNote::Unknown { word: "ö".repeat(letters) };
        check(unknown(64), &format!("`{}` does not occur", "ö".repeat(64)));
        check(unknown(65), &format!("`{}…` does not occur", "ö".repeat(64)));
    }
}
