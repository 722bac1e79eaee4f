//! The ends of the pieces of a text, and the number of tokens before each end.

/// A text that was pre-tokenized once: the count of any span then costs a binary search.
///
/// It takes 8 bytes per piece, which is about twice the text. The text must be shorter than 4 GiB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenIndex {
    pieces: Vec<IndexedPiece>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IndexedPiece {
    end: u32,
    /// Tokens from the beginning of the text to `end`.
    tokens: u32,
}

impl TokenIndex {
    pub(super) fn with_capacity(pieces: usize) -> TokenIndex {
        TokenIndex { pieces: Vec::with_capacity(pieces) }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, end: usize, tokens: usize) {
        self.pieces.push(IndexedPiece { end: end as u32, tokens: tokens as u32 });
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Tokens of the whole text.
    pub fn total(&self) -> usize {
        self.pieces.last().map_or(0, |piece| piece.tokens as usize)
    }

    /// Tokens before byte `at`: exact for the end of a piece, in proportion to the bytes inside one.
    pub fn tokens_before(&self, at: usize) -> usize {
        self.tokens_before_within(at, self.pieces_until(at))
    }

    /// The same for increasing positions: `passed` is 0 at first and remembers how many pieces end before the last
    /// place.
    ///
    /// Cost: the logarithm of the pieces between two places.
    pub fn tokens_before_from(&self, at: usize, passed: &mut usize) -> usize {
        let mut low = *passed;
        debug_assert!(self.boundary(low).0 <= at, "positions increase");
        let mut step = 1;
        while self.pieces.get(low + step - 1).is_some_and(|piece| piece.end as usize <= at) {
            low += step;
            step *= 2;
        }
        let high = (low + step - 1).min(self.pieces.len());
        *passed = low + self.pieces[low..high].partition_point(|piece| piece.end as usize <= at);
        self.tokens_before_within(at, *passed)
    }

    /// Tokens before byte `at`, after the end of `after` pieces and before that of the next.
    fn tokens_before_within(&self, at: usize, after: usize) -> usize {
        let (start, before) = self.boundary(after);
        let Some(piece) = self.pieces.get(after) else { return before };
        let (length, tokens) = (piece.end as usize - start, piece.tokens as usize - before);
        before + (at - start) * tokens / length
    }

    /// The smallest end of a piece with at least `tokens` tokens before it; the end of the text if it has fewer.
    pub fn byte_at_token(&self, tokens: usize) -> usize {
        let reached = self.pieces.partition_point(|piece| (piece.tokens as usize) < tokens);
        if tokens == 0 {
            return 0;
        }
        self.boundary((reached + 1).min(self.pieces.len())).0
    }

    /// The number of pieces that end at or before byte `at`.
    pub(super) fn pieces_until(&self, at: usize) -> usize {
        self.pieces.partition_point(|piece| piece.end as usize <= at)
    }

    /// The end of the first `pieces` pieces, and their tokens.
    pub(super) fn boundary(&self, pieces: usize) -> (usize, usize) {
        match pieces.checked_sub(1).and_then(|last| self.pieces.get(last)) {
            Some(piece) => (piece.end as usize, piece.tokens as usize),
            None => (0, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> TokenIndex {
        let mut index = TokenIndex::default();
        for (end, tokens) in [(3, 1), (13, 6), (14, 7)] {
            index.push(end, tokens);
        }
        index
    }

    #[test]
    fn tokens_before_a_byte() {
        let check = |at, expected| assert_eq!(index().tokens_before(at), expected, "at {at}");
        check(0, 0);
        check(2, 0);
        check(3, 1);
        check(8, 3);
        check(13, 6);
        check(14, 7);
        check(99, 7);
        assert_eq!(TokenIndex::default().tokens_before(5), 0);
    }

    #[test]
    fn places_that_rise_are_found_from_the_last_one() {
        let mut index = TokenIndex::default();
        (1..200).for_each(|piece| index.push(piece * (piece + 1) / 2, piece * 3));
        for stride in [1, 2, 7, 100, 5000] {
            let mut passed = 0;
            for at in (0..30_000).step_by(stride) {
                assert_eq!(index.tokens_before_from(at, &mut passed), index.tokens_before(at), "at {at}");
            }
        }
        assert_eq!(TokenIndex::default().tokens_before_from(5, &mut 0), 0);
    }

    #[test]
    fn the_byte_that_a_number_of_tokens_reaches() {
        let check = |tokens, expected| assert_eq!(index().byte_at_token(tokens), expected, "{tokens} tokens");
        check(0, 0);
        check(1, 3);
        check(2, 13);
        check(6, 13);
        check(7, 14);
        check(8, 14);
        assert_eq!(TokenIndex::default().byte_at_token(5), 0);
    }
}
