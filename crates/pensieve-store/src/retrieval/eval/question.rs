//! Questions with their answers, one JSON object a line.

use serde::Deserialize;
use serde_json::Value;
use std::ops::Range;
use thiserror::Error;

/// A question and where its answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalQuestion {
    /// The number of its line, from 1.
    pub line: usize,
    /// Its name in results.
    pub id: String,
    /// The question, as a person asks it.
    pub question: String,
    /// A group of questions with means of its own.
    pub kind: Option<String>,
    /// The answers, one of which is enough. Each is a list of spans that make it up together.
    pub answers: Vec<Vec<ExpectedSpan>>,
}

/// A part of an answer, as it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedSpan {
    /// The file: its path below the ingested folder, its absolute path, or the end of either.
    pub path: String,
    /// Bytes of the source file.
    pub bytes: Option<Range<usize>>,
    /// Words of the file.
    pub text: Option<String>,
}

/// Why a question cannot be asked or judged.
#[derive(Debug, Error)]
pub enum QuestionError {
    /// No JSON object with the needed keys.
    #[error("{}", on_one_line(.0))]
    Json(serde_json::Error),
    /// No answer.
    #[error("an answer is missing: give `path` with `start` and `end` or with `text`, or `expected`")]
    NoAnswer,
    /// Answers in more than one way.
    #[error("give one of `path`, `expected` and `alternatives`")]
    SeveralAnswers,
    /// A span without bytes and words.
    #[error("the answer in `{path}` has neither `start` and `end` nor `text`")]
    NoSpan {
        /// The file.
        path: String,
    },
    /// A span without length.
    #[error(
        "the answer in `{path}` is empty: `end` must be above `start`, and `text` needs a letter or digit"
    )]
    Empty {
        /// The file.
        path: String,
    },
    /// A file that the corpus does not have.
    #[error("no file `{path}`; give the path below the ingested folder")]
    UnknownPath {
        /// The file.
        path: String,
    },
    /// A path that several files have.
    #[error("`{path}` may be any of {count} files; give more of the path")]
    AmbiguousPath {
        /// The path.
        path: String,
        /// How many files have it.
        count: usize,
    },
    /// A file without text.
    #[error("`{path}` has no text; `pensieve why` says what happened to it")]
    NoText {
        /// The file.
        path: String,
    },
    /// Bytes after the end of the file.
    #[error("`{path}` has {size} bytes, so {start}-{end} is not in it")]
    BeyondEnd {
        /// The file.
        path: String,
        /// Its size.
        size: u64,
        /// The first byte.
        start: usize,
        /// The byte after the last one.
        end: usize,
    },
    /// A file whose text does not lead to bytes.
    #[error(
        "the text of `{path}` does not lead to bytes of the file; give the words of the answer as `text`"
    )]
    NoSourceBytes {
        /// The file.
        path: String,
    },
    /// Words that the text does not have.
    #[error("`{path}` does not have these words: {words}; `pensieve text` prints what it has")]
    UnknownWords {
        /// The file.
        path: String,
        /// The beginning of the words.
        words: String,
    },
}

/// A line as it is written.
#[derive(Deserialize)]
#[serde(expecting = "an object with `question` and `path`")]
struct QuestionLine {
    id: Option<Value>,
    question: String,
    kind: Option<String>,
    #[serde(flatten)]
    span: SpanKeys,
    expected: Option<Vec<SpanKeys>>,
    alternatives: Option<Vec<Vec<SpanKeys>>>,
}

#[derive(Deserialize)]
struct SpanKeys {
    path: Option<String>,
    start: Option<usize>,
    end: Option<usize>,
    text: Option<String>,
}

impl EvalQuestion {
    /// Reads a line; a question without `id` is named by the number of its line.
    pub fn parse(line: &str, number: usize) -> Result<EvalQuestion, QuestionError> {
        let line: QuestionLine = serde_json::from_str(line).map_err(QuestionError::Json)?;
        let answers = match (line.span.path.is_some(), line.expected, line.alternatives) {
            (true, None, None) => vec![vec![line.span]],
            (false, Some(spans), None) => vec![spans],
            (false, None, Some(answers)) => answers,
            (false, None, None) => return Err(QuestionError::NoAnswer),
            _ => return Err(QuestionError::SeveralAnswers),
        };
        if answers.is_empty() || answers.iter().any(Vec::is_empty) {
            return Err(QuestionError::NoAnswer);
        }
        let answers = answers.into_iter().map(|spans| spans.into_iter().map(SpanKeys::span).collect());
        Ok(EvalQuestion {
            line: number,
            id: match line.id {
                Some(Value::String(id)) => id,
                Some(id) if !id.is_null() => id.to_string(),
                _ => number.to_string(),
            },
            question: line.question,
            kind: line.kind,
            answers: answers.collect::<Result<_, _>>()?,
        })
    }
}

impl SpanKeys {
    fn span(self) -> Result<ExpectedSpan, QuestionError> {
        let path = self.path.ok_or(QuestionError::NoAnswer)?;
        let bytes = match (self.start, self.end) {
            (Some(start), Some(end)) => Some(start..end),
            (None, None) => None,
            _ => return Err(QuestionError::NoSpan { path }),
        };
        let has_words = self.text.as_ref().is_some_and(|text| text.contains(char::is_alphanumeric));
        match (&bytes, &self.text) {
            (None, None) => Err(QuestionError::NoSpan { path }),
            (Some(bytes), _) if bytes.is_empty() => Err(QuestionError::Empty { path }),
            (_, Some(_)) if !has_words => Err(QuestionError::Empty { path }),
            _ => Ok(ExpectedSpan { path, bytes, text: self.text }),
        }
    }
}

/// The message of a JSON error without the number of the line, which is that of the text: always the first.
fn on_one_line(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line 1 column ") {
        Some((message, column)) => format!("{message} (column {column})"),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_question_with_one_answer_or_several() {
        let question = |line: &str| EvalQuestion::parse(line, 7).unwrap();
        let one = question(r#"{"id":"q1","question":"why?","path":"a.md","start":3,"end":9,"more":[]}"#);
        assert_eq!((one.id.as_str(), one.kind, one.answers.len()), ("q1", None, 1));
        assert_eq!(one.answers[0][0].bytes, Some(3..9));
        let two = question(
            r#"{"id":5,"question":"why?","kind":"k","expected":[{"path":"a","text":"x"},{"path":"b","text":"y"}]}"#,
        );
        assert_eq!((two.id.as_str(), two.answers[0].len()), ("5", 2));
        let either = question(
            r#"{"question":"why?","alternatives":[[{"path":"a","text":"x"}],[{"path":"b","text":"y"}]]}"#,
        );
        assert_eq!((either.id.as_str(), either.answers.len()), ("7", 2));
    }

    #[test]
    fn what_is_no_question_is_refused_with_the_cure() {
        let check = |line: &str, expected: &str| {
            let error = EvalQuestion::parse(line, 1).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        };
        check("no", "expected ident (column 2)");
        check("[1]", "invalid");
        check(r#"{"path":"a","text":"x"}"#, "missing field `question`");
        check(r#"{"question":"x"}"#, "an answer is missing");
        check(r#"{"question":"x","expected":[]}"#, "an answer is missing");
        check(r#"{"question":"x","alternatives":[[]]}"#, "an answer is missing");
        check(r#"{"question":"x","expected":[{"text":"x"}]}"#, "an answer is missing");
        check(r#"{"question":"x","path":"a"}"#, "neither `start` and `end` nor `text`");
        check(r#"{"question":"x","path":"a","start":1}"#, "neither `start` and `end` nor `text`");
        check(r#"{"question":"x","path":"a","start":2,"end":2}"#, "is empty");
        check(r#"{"question":"x","path":"a","text":" -"}"#, "is empty");
        check(r#"{"question":"x","path":"a","text":"y","expected":[]}"#, "give one of");
        check(r#"{"question":"x","path":"a","start":-1,"end":2}"#, "invalid value");
    }
}
