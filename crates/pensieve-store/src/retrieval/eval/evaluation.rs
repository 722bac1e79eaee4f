//! Asks questions and judges the hits.

use super::answer::{AnswerError, AnswerFinder, AnswerSpan};
use super::question::{EvalQuestion, QuestionError};
use super::score::QuestionScore;
use crate::embedding::QuestionEmbedder;
use crate::retrieval::search::search as retrieval_search;
use crate::store::{SearchOptions, SearchResults, Store, StoreError};

/// How questions are asked.
#[derive(Debug, Clone)]
pub struct EvalOptions {
    /// For how many of the first hits there are figures, in ascending order.
    pub limits: Vec<usize>,
    /// Filters and the match of words; the query and the number of hits are those of each question.
    pub search: SearchOptions,
}

/// Asks one question after the other, and passes each with its score, or with the reason why it cannot be judged, to
/// `each`, in order; `each` returns false to stop.
///
/// # Errors
/// The database cannot be searched. A question that is no valid query has no hits, as for the person who asks it.
pub fn evaluate(
    store: &Store,
    questions: &[EvalQuestion],
    options: &EvalOptions,
    embedder: &QuestionEmbedder,
    each: &mut dyn FnMut(&EvalQuestion, Result<QuestionScore, QuestionError>) -> bool,
) -> Result<(), StoreError> {
    let mut finder = AnswerFinder::new(store);
    for question in questions {
        let score = match answers(&mut finder, question) {
            Ok(answers) => Ok(ask(store, question, &answers, options, embedder)?),
            Err(AnswerError::Question(error)) => Err(error),
            Err(AnswerError::Store(error)) => return Err(error),
        };
        if !each(question, score) {
            break;
        }
    }
    Ok(())
}

fn answers(
    finder: &mut AnswerFinder<'_>,
    question: &EvalQuestion,
) -> Result<Vec<Vec<AnswerSpan>>, AnswerError> {
    let spans = question.answers.iter();
    spans.map(|answer| answer.iter().map(|span| finder.find(span)).collect()).collect()
}

fn ask(
    store: &Store,
    question: &EvalQuestion,
    answers: &[Vec<AnswerSpan>],
    options: &EvalOptions,
    embedder: &QuestionEmbedder,
) -> Result<QuestionScore, StoreError> {
    let search = SearchOptions {
        query: question.question.clone(),
        limit: options.limits.iter().copied().max().unwrap_or_default(),
        ..options.search.clone()
    };
    match retrieval_search(store, &search, embedder) {
        Ok(found) => Ok(QuestionScore::of(question, answers, &found, &options.limits)),
        Err(StoreError::Query(error)) => {
            let nothing = SearchResults::default();
            let score = QuestionScore::of(question, answers, &nothing, &options.limits);
            Ok(QuestionScore { notes: vec![error.to_string()], ..score })
        }
        Err(error) => Err(error),
    }
}
