//! [`DimensionVote`]: how many numbers the vectors of a model have, where nobody has said it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of dimensions, by what answers have. The first answer counts until two answers to different chunks agree;
/// what they have counts from then on, so that one wrong answer at the beginning does not make all others wrong.
pub(super) struct DimensionVote(Mutex<Votes>);

#[derive(Default)]
struct Votes {
    current: Option<usize>,
    is_settled: bool,
    /// Dimensions, and the chunk that an answer began with.
    seen: Vec<(usize, String)>,
}

impl DimensionVote {
    /// A vote that is settled if the dimensions are known.
    pub fn new(known: Option<usize>) -> DimensionVote {
        DimensionVote(Mutex::new(Votes { current: known, is_settled: known.is_some(), seen: Vec::new() }))
    }

    /// Counts an answer whose vectors all have so many dimensions, and returns the dimensions that they must have.
    pub fn count(&self, dimensions: usize, first_chunk: &str) -> usize {
        let mut votes = self.votes();
        let current = *votes.current.get_or_insert(dimensions);
        if votes.is_settled {
            return current;
        }
        let agrees = votes.seen.iter().any(|(seen, chunk)| *seen == dimensions && chunk != first_chunk);
        votes.seen.push((dimensions, first_chunk.to_owned()));
        if agrees {
            (votes.current, votes.is_settled) = (Some(dimensions), true);
        }
        if agrees { dimensions } else { current }
    }

    /// The dimensions so far.
    pub fn current(&self) -> Option<usize> {
        self.votes().current
    }

    fn votes(&self) -> MutexGuard<'_, Votes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_answers_to_different_chunks_settle_it() {
        let vote = DimensionVote::new(None);
        let answers = [
            (47, "a", 47),
            (47, "a", 47),
            (48, "b", 47),
            (48, "b", 47),
            (48, "c", 48),
            (47, "d", 48),
            (47, "e", 48),
        ];
        for (dimensions, chunk, wanted) in answers {
            assert_eq!(vote.count(dimensions, chunk), wanted, "{chunk}");
        }
        let known = DimensionVote::new(Some(48));
        assert_eq!((known.count(47, "a"), known.count(47, "b"), known.current()), (48, 48, Some(48)));
    }
}
