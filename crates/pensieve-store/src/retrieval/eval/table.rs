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

#[cfg(test)]
mod tests {
    use super::*;

    fn score(
        kind: Option<&str>,
        rank: Option<usize>,
        recall: [f64; 2],
        tokens: [usize; 2],
        total: usize,
    ) -> QuestionScore {
        QuestionScore {
            id: "q".to_owned(),
            kind: kind.map(str::to_owned),
            question: String::new(),
            rank,
            recall: recall.to_vec(),
            tokens: tokens.to_vec(),
            total,
            word_match: "all",
            mode: "words",
            notes: Vec::new(),
            hits: Vec::new(),
        }
    }

    #[test]
    fn sums_are_kept_for_all_and_for_each_kind() {
        let mut table = ScoreTable::new(&[1, 5]);
        table.add(&score(Some("a"), Some(1), [0.5, 1.0], [10, 40], 9));
        table.add(&score(Some("b"), Some(5), [0.0, 0.25], [20, 60], 9));
        table.add(&score(Some("a"), Some(6), [0.0, 0.0], [0, 0], 0));
        table.add(&score(None, None, [0.0, 0.0], [2, 4], 9));
        let rows: Vec<(&str, &KindScores)> = table.rows().collect();
        assert_eq!(rows.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["all", "a", "b"]);
        let all = KindScores {
            questions: 4,
            without_hits: 1,
            hits: vec![1, 2],
            recall: vec![0.5, 1.25],
            tokens: vec![32, 104],
            reciprocal_ranks: 1.0 + 1.0 / 5.0 + 1.0 / 6.0,
        };
        assert_eq!(rows[0].1, &all);
        assert_eq!(
            (rows[1].1.questions, &rows[1].1.hits, &rows[1].1.tokens),
            (2, &vec![1, 1], &vec![10, 40])
        );
        assert_eq!((rows[2].1.questions, &rows[2].1.hits, rows[2].1.without_hits), (1, &vec![0, 1], 0));
        assert!(
            score(None, Some(5), [0.0; 2], [0; 2], 0).is_hit(5)
                && !score(None, Some(5), [0.0; 2], [0; 2], 0).is_hit(4)
        );
    }
}
