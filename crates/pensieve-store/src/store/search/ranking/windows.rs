//! The passage of a chunk that has most of a question.
//!
//! A chunk of several hundred words has many things to say, and the words of a question may lie in different ones. The
//! best window of a few sentences says whether they belong together (Callan, "Passage-Level Evidence in Document
//! Retrieval", 1994).

/// Words of a window: about two sentences.
const WINDOW_WORDS: usize = 45;

/// A word of the question in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordOccurrence {
    /// Words of the text before it.
    pub position: usize,
    /// The number of the question's word.
    pub number: usize,
    /// How much it counts.
    pub share: f64,
}

/// The highest score of the words in a window, of `occurrences` in the order of the text.
///
/// `score` gives that of the word with a number by its count; `counts` are those that every window begins with.
///
/// Cost: linear in the number of occurrences.
pub(super) fn best_window(
    occurrences: &[WordOccurrence],
    mut counts: Vec<f64>,
    score: impl Fn(usize, f64) -> f64,
) -> f64 {
    let of_all =
        |counts: &[f64]| -> f64 { counts.iter().enumerate().map(|(at, &count)| score(at, count)).sum() };
    let mut best = of_all(&counts);
    let mut first = 0;
    for last in occurrences {
        // Windows end with a word of the question: others have no more in them.
        while occurrences[first].position + WINDOW_WORDS <= last.position {
            counts[occurrences[first].number] -= occurrences[first].share;
            first += 1;
        }
        counts[last.number] += last.share;
        best = best.max(of_all(&counts));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_window_has_most_different_words() {
        let check = |positions: &[(usize, usize)], begin: [f64; 2], expected: f64| {
            let occurrences: Vec<WordOccurrence> = positions
                .iter()
                .map(|&(position, number)| WordOccurrence { position, number, share: 1.0 })
                .collect();
            let found = best_window(&occurrences, begin.to_vec(), |number, count| {
                [1.0, 10.0][number] * f64::from(u8::from(count > 0.5))
            });
            assert_eq!(found, expected, "{positions:?}");
        };
        check(&[], [0.0, 0.0], 0.0);
        check(&[], [1.0, 0.0], 1.0);
        check(&[(0, 0), (44, 1)], [0.0, 0.0], 11.0);
        check(&[(0, 0), (45, 1)], [0.0, 0.0], 10.0);
        check(&[(0, 0), (50, 1), (60, 0), (300, 0)], [0.0, 0.0], 11.0);
        check(&[(0, 0), (300, 0)], [0.0, 1.0], 11.0);
    }
}
