//! The means over all questions and over those of each kind.

use super::score::QuestionScore;
use std::collections::BTreeMap;

/// The means over all questions and over those of each kind.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreTable {
    /// For how many of the first hits there are figures.
    pub limits: Vec<usize>,
    /// Over all questions.
    pub all: KindScores,
    /// By kind; empty if no question has one.
    pub kinds: BTreeMap<String, KindScores>,
}

/// The sums over some questions; means are sums divided by the number of questions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KindScores {
    /// The number of questions.
    pub questions: usize,
    without_hits: usize,
    hits: Vec<usize>,
    recall: Vec<f64>,
    tokens: Vec<usize>,
    reciprocal_ranks: f64,
}

impl ScoreTable {
    /// A table without questions.
    pub fn new(limits: &[usize]) -> ScoreTable {
        ScoreTable { limits: limits.to_vec(), all: KindScores::new(limits.len()), kinds: BTreeMap::new() }
    }

    /// Adds a question.
    pub fn add(&mut self, score: &QuestionScore) {
        self.all.add(score, &self.limits);
        if let Some(kind) = &score.kind {
            let empty = || KindScores::new(self.limits.len());
            self.kinds.entry(kind.clone()).or_insert_with(empty).add(score, &self.limits);
        }
    }

    /// All questions first, then each kind, with their names.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &KindScores)> {
        let kinds = self.kinds.iter().map(|(kind, scores)| (kind.as_str(), scores));
        std::iter::once(("all", &self.all)).chain(kinds)
    }
}

impl KindScores {
    fn new(limits: usize) -> KindScores {
        let (hits, recall, tokens) = (vec![0; limits], vec![0.0; limits], vec![0; limits]);
        KindScores { hits, recall, tokens, ..KindScores::default() }
    }

    fn add(&mut self, score: &QuestionScore, limits: &[usize]) {
        self.questions += 1;
        self.without_hits += usize::from(score.total == 0);
        self.reciprocal_ranks += score.rank.map_or(0.0, |rank| 1.0 / rank as f64);
        for (at, limit) in limits.iter().enumerate() {
            self.hits[at] += usize::from(score.is_hit(*limit));
            self.recall[at] += score.recall[at];
            self.tokens[at] += score.tokens[at];
        }
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.questions.max(1) as f64
    }

    /// The share of questions without any hit.
    pub fn zero(&self) -> f64 {
        self.mean(self.without_hits as f64)
    }

    /// The share of questions for which one of the first hits has a part of the answer; `at` is the place in the limits.
    pub fn hit(&self, at: usize) -> f64 {
        self.mean(self.hits[at] as f64)
    }

    /// The share of the answer that the first hits cover.
    pub fn recall(&self, at: usize) -> f64 {
        self.mean(self.recall[at])
    }

    /// The tokens of the first hits.
    pub fn tokens(&self, at: usize) -> f64 {
        self.mean(self.tokens[at] as f64)
    }

    /// The mean of 1 / rank of the first hit that has a part of the answer; 0 where none has.
    pub fn mrr(&self) -> f64 {
        self.mean(self.reciprocal_ranks)
    }
}
