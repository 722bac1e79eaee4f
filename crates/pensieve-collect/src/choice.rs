//! Which candidates become passages: the best first, no duplicates, and among equals those whose book and keyword
//! have the fewest so far.

use std::collections::{HashMap, HashSet};

/// What the choice needs to know of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct PassageCandidate<'t> {
    /// Its text.
    pub text: &'t str,
    /// Its book.
    pub book: usize,
    /// Its score.
    pub score: f64,
    /// Its keywords, by names that are the same for all books.
    pub keywords: &'t [String],
}

/// The chosen candidates, and how many were left out because they are nearly identical to another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassageChoice {
    /// Indexes into the list of candidates, ascending.
    pub chosen: Vec<usize>,
    /// Left out because they share words with a better one.
    pub near_identical: usize,
    /// Left out because there were enough already.
    pub surplus: usize,
}

/// How many consecutive words must be equal to count as shared.
const RUN_WORDS: usize = 6;

/// Chooses at most `most` candidates; any two share at most `overlap` of the words of the shorter one, in runs of six
/// words or more.
pub fn choose(candidates: &[PassageCandidate<'_>], most: usize, overlap: f64) -> PassageChoice {
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by(|a, b| candidates[*b].score.total_cmp(&candidates[*a].score).then(a.cmp(b)));
    let mut choice = PassageChoice::default();
    let mut taken = TakenWindow::default();
    let mut at = 0;
    while at < order.len() {
        let score = candidates[order[at]].score;
        let equal = order[at..].iter().take_while(|next| candidates[**next].score == score).count();
        let mut group: Vec<usize> = order[at..at + equal].to_vec();
        at += equal;
        while !group.is_empty() {
            let next = taken.least_represented(candidates, &group);
            let index = group.remove(next);
            if choice.chosen.len() >= most {
                choice.surplus += 1;
            } else if taken.shares(candidates, index, overlap) {
                choice.near_identical += 1;
            } else {
                taken.add(candidates, index);
                choice.chosen.push(index);
            }
        }
    }
    choice.chosen.sort_unstable();
    choice
}

/// The candidates taken so far.
#[derive(Default)]
struct TakenWindow {
    books: HashMap<usize, usize>,
    keywords: HashMap<String, usize>,
    rows: HashMap<u64, Vec<usize>>,
    lengths: HashMap<usize, usize>,
}

impl TakenWindow {
    /// The index in `group` of the candidate whose book, then whose rarest keyword, has the fewest passages.
    fn least_represented(&self, candidates: &[PassageCandidate<'_>], group: &[usize]) -> usize {
        let count = |at: usize| {
            let candidate = &candidates[group[at]];
            let book = self.books.get(&candidate.book).copied().unwrap_or(0);
            let keyword =
                candidate.keywords.iter().map(|word| self.keywords.get(word).copied().unwrap_or(0)).min();
            (book, keyword.unwrap_or(0), group[at])
        };
        (0..group.len()).min_by_key(|at| count(*at)).unwrap_or(0)
    }

    fn add(&mut self, candidates: &[PassageCandidate<'_>], index: usize) {
        let candidate = &candidates[index];
        *self.books.entry(candidate.book).or_default() += 1;
        for keyword in candidate.keywords {
            *self.keywords.entry(keyword.clone()).or_default() += 1;
        }
        let words = words(candidate.text);
        self.lengths.insert(index, words.len());
        for row in rows(&words) {
            self.rows.entry(row).or_default().push(index);
        }
    }

    /// True when the candidate shares too many words with one that was taken.
    fn shares(&self, candidates: &[PassageCandidate<'_>], index: usize, overlap: f64) -> bool {
        let words = words(candidates[index].text);
        let mut covered: HashMap<usize, Vec<bool>> = HashMap::new();
        for (at, row) in rows(&words).enumerate() {
            for other in self.rows.get(&row).into_iter().flatten() {
                covered.entry(*other).or_insert_with(|| vec![false; words.len()])[at..at + RUN_WORDS]
                    .fill(true);
            }
        }
        covered.iter().any(|(other, marks)| {
            let shared = marks.iter().filter(|mark| **mark).count();
            let shorter = words.len().min(self.lengths.get(other).copied().unwrap_or(usize::MAX)).max(1);
            shared as f64 > overlap * shorter as f64
        })
    }
}

/// The words of a text in lower case, without punctuation.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A hash of each run of words.
fn rows(words: &[String]) -> impl Iterator<Item = u64> {
    words
        .windows(RUN_WORDS)
        .map(|row| pensieve_text::model::ContentHash::of(row.join(" ").as_bytes()).prefix())
}

/// The largest share of words that any two texts of a list have in common runs, to check the chosen passages.
pub fn largest_share(texts: &[&str]) -> f64 {
    let all: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, words) in all.iter().enumerate() {
        let distinct: HashSet<u64> = rows(words).collect();
        for row in distinct {
            owners.entry(row).or_default().push(index);
        }
    }
    let mut largest = 0.0f64;
    for (index, words) in all.iter().enumerate() {
        let mut covered: HashMap<usize, Vec<bool>> = HashMap::new();
        for (at, row) in rows(words).enumerate() {
            for other in owners.get(&row).into_iter().flatten().filter(|other| **other != index) {
                covered.entry(*other).or_insert_with(|| vec![false; words.len()])[at..at + RUN_WORDS]
                    .fill(true);
            }
        }
        for (other, marks) in covered {
            let shared = marks.iter().filter(|mark| **mark).count() as f64;
            largest = largest.max(shared / words.len().min(all[other].len()).max(1) as f64);
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seed: usize) -> String {
        (0..100).map(|n| format!("w{} ", (n * 7 + seed * 1000) % 9973)).collect()
    }

    #[test]
    fn the_best_come_first_and_none_twice() {
        let texts = [text(1), text(2), text(1) + "and more", text(3)];
        let keywords = vec!["rain".to_owned()];
        let candidate = |at: usize, score: f64| PassageCandidate {
            text: &texts[at],
            book: 0,
            score,
            keywords: &keywords,
        };
        let candidates = [candidate(0, 3.0), candidate(1, 2.0), candidate(2, 4.0), candidate(3, 1.0)];
        assert_eq!(
            choose(&candidates, 9, 0.2),
            PassageChoice { chosen: vec![1, 2, 3], near_identical: 1, surplus: 0 }
        );
        assert_eq!(
            choose(&candidates, 1, 0.2),
            PassageChoice { chosen: vec![2], near_identical: 0, surplus: 3 }
        );
        assert!(
            largest_share(&[&texts[0], &texts[2]]) > 0.9 && largest_share(&[&texts[0], &texts[1]]) < 0.01
        );
    }

    #[test]
    fn ties_go_to_the_book_and_the_keyword_with_the_fewest() {
        let texts: Vec<String> = (0..4).map(text).collect();
        let [rain, snow] = [vec!["rain".to_owned()], vec!["snow".to_owned()]];
        let candidate =
            |at: usize, book, keywords| PassageCandidate { text: &texts[at], book, score: 1.0, keywords };
        let candidates = [
            candidate(0, 0, &rain[..]),
            candidate(1, 0, &rain),
            candidate(2, 0, &snow),
            candidate(3, 1, &rain),
        ];
        assert_eq!(choose(&candidates, 2, 0.2).chosen, [0, 3]);
        assert_eq!(choose(&candidates, 3, 0.2).chosen, [0, 2, 3]);
    }

    /// A text of words that no other text has, with `shared` words of one text before them.
    fn sharing(shared: usize, seed: usize, own: usize) -> String {
        let shared = (0..shared).map(|n| format!("Shared{n}, "));
        shared.chain((0..own).map(|n| format!("own{seed}x{n} "))).collect()
    }

    #[test]
    fn two_passages_may_share_as_many_words_as_the_limit_says() {
        let check = |first: &str, second: &str, near_identical: usize| {
            let candidate = |text| PassageCandidate { text, book: 0, score: 1.0, keywords: &[] };
            let choice = choose(&[candidate(first), candidate(second)], 9, 0.5);
            assert_eq!(choice.near_identical, near_identical, "{first} | {second}");
            assert_eq!(choice.chosen.len() + near_identical, 2);
        };
        check(&sharing(6, 1, 6), &sharing(6, 2, 6), 0);
        check(&sharing(6, 1, 5), &sharing(6, 2, 6), 1);
        check(&sharing(6, 1, 6), &sharing(6, 2, 5), 1);
        check(&sharing(8, 1, 8), &sharing(8, 2, 90), 0);
        check(&sharing(8, 1, 7), &sharing(8, 2, 90), 1);
        // Five words are no run.
        check(&sharing(5, 1, 1), &sharing(5, 2, 1), 0);
        check("", "", 0);
    }

    #[test]
    fn the_largest_share_is_that_of_the_shorter_text() {
        let check = |texts: &[String], expected: f64| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            assert_eq!(largest_share(&texts), expected, "{texts:?}");
        };
        check(&[sharing(6, 1, 6), sharing(6, 2, 18)], 0.5);
        check(&[sharing(6, 1, 18), sharing(6, 2, 6)], 0.5);
        check(&[sharing(6, 1, 18), sharing(9, 2, 9), sharing(7, 3, 21)], 7.0 / 18.0);
        check(&[sharing(5, 1, 1), sharing(5, 2, 1)], 0.0);
        check(&[sharing(9, 1, 0)], 0.0);
        check(&[String::new(), String::new()], 0.0);
    }
}
