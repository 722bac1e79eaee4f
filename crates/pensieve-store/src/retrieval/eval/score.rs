//! What the hits of one question cover of its answer.

use super::answer::AnswerSpan;
use super::question::EvalQuestion;
use crate::store::{ChunkPlace, Hit, SearchResults};
use serde::Serialize;

/// What the first hits of a question cover of its answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuestionScore {
    /// The name of the question.
    pub id: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The question.
    pub question: String,
    /// The rank of the first hit that has a part of the answer.
    pub rank: Option<usize>,
    /// The share of the answer that the first hits cover, for each number of hits in the order of the options.
    pub recall: Vec<f64>,
    /// The tokens of these hits.
    pub tokens: Vec<usize>,
    /// The number of all hits.
    pub total: usize,
    /// `all` if every hit has all words, `any` if hits need not.
    #[serde(rename = "match")]
    pub word_match: &'static str,
    /// How the hits were found: `words`, `vectors` or `hybrid`.
    pub mode: &'static str,
    /// What was done to find answers, or why nothing was.
    pub notes: Vec<String>,
    /// The first hits.
    pub hits: Vec<CountedHit>,
}

/// A hit and what it has of the answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CountedHit {
    /// From 1.
    pub rank: usize,
    /// The share of the answer that it covers by itself.
    pub covers: f64,
    /// The document: that with the answer, else that of the first place.
    pub path: String,
    /// First byte in its clean text.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
    /// The tokens of the chunk.
    pub tokens: usize,
    /// An excerpt with the found words in brackets.
    pub snippet: String,
}

impl QuestionScore {
    /// Judges the hits of a question by its answers, one of which is enough.
    pub(super) fn of(
        question: &EvalQuestion,
        answers: &[Vec<AnswerSpan>],
        found: &SearchResults,
        limits: &[usize],
    ) -> QuestionScore {
        let share = |hits: &[Hit]| answers.iter().map(|answer| share(answer, hits)).fold(0.0, f64::max);
        let first = |limit: usize| &found.hits[..limit.min(found.hits.len())];
        let counted = found.hits.iter().enumerate();
        let hits: Vec<CountedHit> = counted
            .map(|(at, hit)| counted_hit(at + 1, hit, share(std::slice::from_ref(hit)), answers))
            .collect();
        QuestionScore {
            id: question.id.clone(),
            kind: question.kind.clone(),
            question: question.question.clone(),
            rank: hits.iter().find(|hit| hit.covers > 0.0).map(|hit| hit.rank),
            recall: limits.iter().map(|&limit| share(first(limit))).collect(),
            tokens: limits.iter().map(|&limit| first(limit).iter().map(|hit| hit.tokens).sum()).collect(),
            total: found.total,
            word_match: found.match_name(),
            mode: found.mode.as_str(),
            notes: found.notes.iter().map(ToString::to_string).collect(),
            hits,
        }
    }

    /// True if one of the first hits has a part of the answer.
    pub fn is_hit(&self, limit: usize) -> bool {
        self.rank.is_some_and(|rank| rank <= limit)
    }
}

/// The share of an answer that hits cover together.
fn share(answer: &[AnswerSpan], hits: &[Hit]) -> f64 {
    let places = || hits.iter().flat_map(|hit| &hit.sources);
    let covered: usize = answer.iter().map(|span| span.covered(places())).sum();
    let total: usize = answer.iter().map(AnswerSpan::len).sum();
    covered as f64 / total.max(1) as f64
}

fn counted_hit(rank: usize, hit: &Hit, covers: f64, answers: &[Vec<AnswerSpan>]) -> CountedHit {
    let is_answer =
        |place: &&ChunkPlace| answers.iter().flatten().any(|span| span.covered(std::iter::once(*place)) > 0);
    let place = hit.sources.iter().find(is_answer).or(hit.sources.first());
    CountedHit {
        rank,
        covers,
        path: place.map_or(String::new(), |place| place.name.clone()),
        start: place.map_or(0, |place| place.at.start),
        end: place.map_or(0, |place| place.at.end),
        tokens: hit.tokens,
        snippet: hit.plain_snippet(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::AnswerFinder;
    use super::super::question::ExpectedSpan;
    use super::*;
    use crate::store::testing::corpus;
    use crate::store::{SearchOptions, Store};

    fn spans(store: &Store, words: &[&str]) -> Vec<AnswerSpan> {
        let mut finder = AnswerFinder::new(store);
        let span = |text: &&str| {
            let expected =
                ExpectedSpan { path: "a.txt".to_owned(), bytes: None, text: Some((*text).to_owned()) };
            finder.find(&expected).ok().unwrap()
        };
        words.iter().map(span).collect()
    }

    #[test]
    fn a_question_is_judged_by_what_its_hits_cover() {
        let store = corpus(&[("a.txt", &["fog one two", "three", "fog four"]), ("b.txt", &["fog fog fog"])]);
        let options = SearchOptions { query: "fog".to_owned(), limit: 9, ..SearchOptions::default() };
        let mut found = store.search(&options).unwrap();
        found.hits.sort_by_key(|hit| !hit.content.starts_with("fog fog"));
        found.hits[1..].sort_by_key(|hit| hit.content.len());
        let contents: Vec<&str> = found.hits.iter().map(|hit| hit.content.as_str()).collect();
        assert_eq!(contents, ["fog fog fog", "fog four", "fog one two"]);
        let question = EvalQuestion {
            line: 1,
            id: "q".to_owned(),
            question: "fog".to_owned(),
            kind: None,
            answers: Vec::new(),
        };
        let answers = [spans(&store, &["one two", "four"]), spans(&store, &["three"])];
        let score = QuestionScore::of(&question, &answers, &found, &[1, 2, 3, 9]);
        assert_eq!((score.rank, score.total), (Some(2), 3));
        assert_eq!(score.recall, [0.0, 4.0 / 11.0, 1.0, 1.0]);
        assert_eq!(score.tokens, [3, 5, 8, 8]);
        let hits: Vec<(usize, f64, &str, usize, usize)> = score
            .hits
            .iter()
            .map(|hit| (hit.rank, hit.covers, hit.path.as_str(), hit.start, hit.end))
            .collect();
        assert_eq!(
            hits,
            [(1, 0.0, "b.txt", 0, 11), (2, 4.0 / 11.0, "a.txt", 18, 26), (3, 7.0 / 11.0, "a.txt", 0, 11)]
        );
    }
}
