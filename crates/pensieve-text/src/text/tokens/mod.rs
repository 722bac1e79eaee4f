//! Exact token counts of texts and of any span of a text, in every encoding of tiktoken.
//!
//! The pieces into which an encoding's pattern splits a text are independent of each other. So a text is split once,
//! each piece is counted once (counts are cached), and sums over the pieces give the count of almost any span; only
//! the pieces that a cut touches are counted again. Counts equal `encode_ordinary(text).len()` of the reference:
//! special tokens in the text are plain text. This module returns counts, not token ids.

mod cache;
mod classes;
mod index;
mod merge;
mod split;
mod vocabulary;

#[cfg(test)]
mod oracle;

pub(crate) use index::TokenIndex;

use crate::model::Span;
use cache::{PieceCache, PieceKey};
use classes::SPACE;
use merge::Merger;
use split::{Cl100k, Gpt2, O200k, Pattern};
use std::fmt;
use std::sync::LazyLock;
use vocabulary::Vocabulary;

/// One encoding. There is one value of each; its vocabulary is built when the first [`TokenCounter`] needs it.
pub struct Tokenizer {
    name: &'static str,
    pattern: SplitPattern,
    vocabulary: &'static LazyLock<Vocabulary>,
}

#[derive(Clone, Copy)]
enum SplitPattern {
    Cl100k,
    O200k,
    Gpt2,
}

static TOKENIZERS: [Tokenizer; 7] = [
    Tokenizer { name: "cl100k_base", pattern: SplitPattern::Cl100k, vocabulary: &vocabulary::CL100K },
    Tokenizer { name: "o200k_base", pattern: SplitPattern::O200k, vocabulary: &vocabulary::O200K },
    Tokenizer { name: "o200k_harmony", pattern: SplitPattern::O200k, vocabulary: &vocabulary::O200K },
    Tokenizer { name: "p50k_base", pattern: SplitPattern::Gpt2, vocabulary: &vocabulary::P50K },
    Tokenizer { name: "p50k_edit", pattern: SplitPattern::Gpt2, vocabulary: &vocabulary::P50K },
    Tokenizer { name: "r50k_base", pattern: SplitPattern::Gpt2, vocabulary: &vocabulary::R50K },
    Tokenizer { name: "gpt2", pattern: SplitPattern::Gpt2, vocabulary: &vocabulary::R50K },
];

/// The error for an unknown encoding name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown tokenizer `{name}`: did you mean `{nearest}`? (one of {})", Tokenizer::NAMES.join(", "))]
pub struct UnknownTokenEncoding {
    /// The name as given.
    pub name: String,
    /// The most similar valid name.
    pub nearest: &'static str,
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tokenizer({})", self.name)
    }
}

impl Tokenizer {
    /// Every name that [`Tokenizer::named`] knows.
    pub const NAMES: &'static [&'static str] =
        &["cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2"];

    /// The encoding of that name.
    ///
    /// # Errors
    /// The name is not in [`Tokenizer::NAMES`]; the error contains the nearest name.
    pub fn named(name: &str) -> Result<&'static Tokenizer, UnknownTokenEncoding> {
        TOKENIZERS
            .iter()
            .find(|tokenizer| tokenizer.name == name)
            .ok_or_else(|| UnknownTokenEncoding { name: name.to_owned(), nearest: nearest_name(name) })
    }

    /// The name, as tiktoken writes it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A counter for one thread. It has a cache of pieces (1 MiB), so reuse the counter.
    ///
    /// Cost: the first counter of an encoding builds its table of tokens, which takes some milliseconds and megabytes.
    pub fn counter(&'static self) -> TokenCounter {
        TokenCounter {
            tokenizer: self,
            pieces: PieceCounter {
                vocabulary: self.vocabulary,
                cache: PieceCache::new(),
                merger: Merger::default(),
            },
        }
    }
}

/// Counts tokens; belongs to one thread.
pub struct TokenCounter {
    tokenizer: &'static Tokenizer,
    pieces: PieceCounter,
}

impl fmt::Debug for TokenCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenCounter({})", self.tokenizer.name)
    }
}

impl TokenCounter {
    /// The tokenizer whose tokens it counts.
    pub fn tokenizer(&self) -> &'static Tokenizer {
        self.tokenizer
    }

    /// The number of tokens of a text.
    pub fn count(&mut self, text: &str) -> usize {
        self.split(text.as_bytes(), 0, |_, _| false).1
    }

    /// Splits and counts a text once, for any number of counts of its spans.
    pub fn index(&mut self, text: &str) -> TokenIndex {
        debug_assert!(u32::try_from(text.len()).is_ok(), "an index holds less than 4 GiB");
        let mut index = TokenIndex::with_capacity(text.len() / 3);
        self.split(text.as_bytes(), 0, |end, tokens| {
            index.push(end, tokens);
            false
        });
        index
    }

    /// The number of tokens of `text[span]` taken alone, which is not the difference of two sums: a cut can split a
    /// piece, and white space before a cut is joined differently. `index` must be that of `text`, and `span` lie on
    /// character boundaries.
    ///
    /// Cost: a binary search, and counting the pieces that the two cuts touch.
    pub fn count_span(&mut self, text: &str, index: &TokenIndex, span: Span) -> usize {
        let bytes = &text.as_bytes()[..span.end.min(text.len())];
        // From the first piece boundary that the span alone shares with the text, both have the same pieces...
        let mut known = index.pieces_until(span.start);
        let (meeting, before) = if index.boundary(known).0 == span.start {
            (span.start, 0)
        } else {
            self.split(bytes, span.start, |end, _| {
                while index.boundary(known).0 < end && known < index.len() {
                    known += 1;
                }
                index.boundary(known).0 == end
            })
        };
        // ... up to those that could match differently because the text ends here.
        let parting = index.last_boundary_unaware_of_end(bytes, meeting);
        if parting.0 <= meeting {
            return before + self.split(bytes, meeting, |_, _| false).1;
        }
        let between = parting.1 - index.boundary(index.pieces_until(meeting)).1;
        before + between + self.split(bytes, parting.0, |_, _| false).1
    }

    /// Walks the pieces from `at` and calls `visit` with each end and the tokens so far, until it returns true.
    /// Returns the last end and the tokens up to it.
    #[inline(always)]
    fn split(&mut self, bytes: &[u8], at: usize, visit: impl FnMut(usize, usize) -> bool) -> (usize, usize) {
        match self.tokenizer.pattern {
            SplitPattern::Cl100k => self.pieces.split::<Cl100k>(bytes, at, visit),
            SplitPattern::O200k => self.pieces.split::<O200k>(bytes, at, visit),
            SplitPattern::Gpt2 => self.pieces.split::<Gpt2>(bytes, at, visit),
        }
    }
}

/// Counts single pieces.
struct PieceCounter {
    vocabulary: &'static Vocabulary,
    cache: PieceCache,
    merger: Merger,
}

impl PieceCounter {
    #[inline(always)]
    fn split<P: Pattern>(
        &mut self,
        bytes: &[u8],
        mut at: usize,
        mut visit: impl FnMut(usize, usize) -> bool,
    ) -> (usize, usize) {
        let mut tokens = 0;
        while at < bytes.len() {
            let end = P::piece_end(bytes, at);
            tokens += self.count(bytes, at, end);
            at = end;
            if visit(end, tokens) {
                break;
            }
        }
        (at, tokens)
    }

    #[inline(always)]
    fn count(&mut self, bytes: &[u8], at: usize, end: usize) -> usize {
        if end - at > cache::MAX_PIECE_BYTES {
            return self.count_afresh(&bytes[at..end]);
        }
        let key = PieceKey::new(bytes, at, end);
        match self.cache.get(key) {
            Some(count) => count,
            None => {
                let count = self.count_afresh(&bytes[at..end]);
                self.cache.put(key, count);
                count
            }
        }
    }

    #[inline(never)]
    fn count_afresh(&mut self, piece: &[u8]) -> usize {
        if self.vocabulary.contains(piece) { 1 } else { self.merger.count(self.vocabulary, piece) }
    }
}

impl TokenIndex {
    /// The last piece boundary (with the tokens before it) up to which a text that ends where `bytes` ends splits as
    /// the whole text does.
    ///
    /// All patterns take what matches first and longest, so a piece that ends inside still matches; only `\s++$` and
    /// `\s+(?!\S)` match where they did not, and only for a piece that begins in the white space before the end.
    fn last_boundary_unaware_of_end(&self, bytes: &[u8], from: usize) -> (usize, usize) {
        let blank = trailing_space(bytes, from);
        let pieces = self.pieces_until(bytes.len());
        let first_in_blank = self.pieces_until(blank.saturating_sub(1)) + 1;
        self.boundary(if blank > from { first_in_blank.min(pieces) } else { 0 })
    }
}

/// Where the white space at the end of `bytes` begins, not before `from`.
fn trailing_space(bytes: &[u8], from: usize) -> usize {
    let mut blank = bytes.len();
    while blank > from {
        let mut at = blank - 1;
        while at > from && bytes[at] & 0xc0 == 0x80 {
            at -= 1;
        }
        if classes::at(bytes, at).0 & SPACE == 0 {
            break;
        }
        blank = at;
    }
    blank
}

/// The valid name with the fewest changed letters; the default for anything far from all.
fn nearest_name(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    Tokenizer::NAMES.iter().min_by_key(|valid| changes(valid, &name)).copied().unwrap_or("cl100k_base")
}

/// The number of bytes to change, add or remove to turn `from` into `to`.
fn changes(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.bytes().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small pseudorandom numbers, the same on every machine.
    pub struct Dice(pub u64);

    impl Dice {
        pub fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }
    }

    /// Text of characters on which patterns differ: white space of all kinds, cases, marks, contractions, digits.
    pub fn nasty_text(dice: &mut Dice, parts: usize) -> String {
        const PARTS: &str = " ¦ ¦  ¦\n¦\r\n¦\t¦\u{a0}¦\u{3000}¦\u{2028}¦\u{b}¦\u{85}¦        ¦\
            a¦B¦Abc¦HTML¦the¦ of¦e\u{301}¦\u{301}¦\u{301}\u{302}¦\
            \u{200d}¦ǅ¦ß¦İ¦'s¦'LL¦'ſ¦'¦'re¦'x¦'l¦’s¦1¦22¦4444¦½¦Ⅻ¦٣¦中¦文字¦\
            の¦한글¦ʰ¦😀¦👩‍👩‍👧¦_¦-¦---¦/¦//¦://¦...¦\0¦\u{7f}¦\u{feff}¦\
            <|endoftext|>¦internationalization¦==================¦मानक¦\
            עברית¦ไทย¦𝒳¦𐐀¦𐐨";
        let all: Vec<&str> = PARTS.split('¦').collect();
        (0..parts).map(|_| all[dice.below(all.len())]).collect()
    }

    #[test]
    fn names_are_those_of_the_table() {
        let names: Vec<_> = TOKENIZERS.iter().map(Tokenizer::name).collect();
        assert_eq!(names, Tokenizer::NAMES);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let check = |name: &str, nearest| assert_eq!(Tokenizer::named(name).err().unwrap().nearest, nearest);
        check("cl100k", "cl100k_base");
        check("CL100K_BASE", "cl100k_base");
        check("o200k-base", "o200k_base");
        check("gpt-2", "gpt2");
        let error = Tokenizer::named("p50k_bas").err().unwrap().to_string();
        assert!(error.starts_with("unknown tokenizer `p50k_bas`: did you mean `p50k_base`?"), "{error}");
    }

    #[test]
    fn known_counts() {
        let check = |name: &str, text: &str, expected: usize| {
            let mut counter = Tokenizer::named(name).unwrap().counter();
            assert_eq!(counter.count(text), expected, "{name} {text:?}");
            assert_eq!(counter.index(text).total(), expected, "{name} {text:?}");
        };
        check("cl100k_base", "", 0);
        check("cl100k_base", "hello world", 2);
        check("cl100k_base", "hello <|endoftext|>", 7);
        check("o200k_base", "hello <|endoftext|>", 8);
        check("r50k_base", "hello <|endoftext|>", 8);
        check("p50k_base", "0000", 1);
        check("cl100k_base", "0000", 2);
    }

    #[test]
    fn a_range_counts_as_if_it_stood_alone() {
        let mut dice = Dice(3);
        for name in ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"] {
            let mut counter = Tokenizer::named(name).unwrap().counter();
            for round in 0..200 {
                let text = nasty_text(&mut dice, 1 + round % 30);
                let index = counter.index(&text);
                let cuts: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
                for _ in 0..60 {
                    let (a, b) = (cuts[dice.below(cuts.len())], cuts[dice.below(cuts.len())]);
                    let span = Span::new(a.min(b), a.max(b));
                    let expected = counter.count(&text[span.range()]);
                    assert_eq!(
                        counter.count_span(&text, &index, span),
                        expected,
                        "{name} {span:?} of {text:?}"
                    );
                }
            }
        }
    }
}
