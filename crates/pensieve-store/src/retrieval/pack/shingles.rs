//! Which text a pack has already, in the same or nearly the same words.
//!
//! Source: A. Z. Broder, "On the resemblance and containment of documents" (1997): texts as sets of words in a row.

use pensieve_text::text::repetition::WordList;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::ops::Range;

/// Words of one shingle: few, so that a text with another spelling here and there is the same.
const SHINGLE_WORDS: usize = 3;

/// The shingles of the texts so far.
#[derive(Debug, Default)]
pub(super) struct KnownShingles(FxHashSet<u64>);

impl KnownShingles {
    /// The share of a text's shingles that are known, 0 for a text without words.
    pub fn share(&self, text: &str) -> f64 {
        let shingles = shingles(text);
        if shingles.is_empty() {
            return 0.0;
        }
        let known = shingles.iter().filter(|shingle| self.0.contains(shingle)).count();
        known as f64 / shingles.len() as f64
    }

    /// The bytes of a text from the first word to the last of each run of so many words, and more, that are known.
    pub fn runs(&self, text: &str, least: usize) -> Vec<Range<usize>> {
        let words = WordList::of(text);
        let is_known = |at: &usize| shingle_at(&words, *at).is_some_and(|shingle| self.0.contains(&shingle));
        let mut runs = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let known = (at..words.len()).take_while(is_known).count();
            let end = at + known + SHINGLE_WORDS - 1;
            if known > 0 && end - at >= least {
                runs.push(words.bytes(at..end));
            }
            at += known + 1;
        }
        runs
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        self.0.extend(shingles(text));
    }
}

/// One hash for each group of words in a row; one for a text with fewer words.
fn shingles(text: &str) -> Vec<u64> {
    let words = WordList::of(text);
    words.hashes().windows(SHINGLE_WORDS.min(words.len()).max(1)).map(hash_of).collect()
}

/// The shingle that begins with a word.
fn shingle_at(words: &WordList, at: usize) -> Option<u64> {
    words.hashes().get(at..at + SHINGLE_WORDS).map(hash_of)
}

fn hash_of(group: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    group.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_are_known_whatever_is_between_them() {
        let mut known = KnownShingles::default();
        known.add("The keeper of the light filled the lamp with oil at dusk.");
        assert_eq!(known.share("the KEEPER, of the light\nfilled the lamp; with oil (at dusk)"), 1.0);
        assert_eq!(known.share("filled the lamp with oil"), 1.0);
        assert_eq!(known.share("A ship went by without a light"), 0.0);
        assert!((0.3..0.8).contains(&known.share("The keeper of the light filled the lamp and went home")));
        assert_eq!((known.share(""), known.share("---")), (0.0, 0.0));
        known.add("灯台守は夜に油を足した");
        assert_eq!(known.share("夜に油を足した"), 1.0);
    }

    #[test]
    fn runs_are_those_of_known_words_in_a_row() {
        let mut known = KnownShingles::default();
        known.add("The keeper of the light filled the lamp with oil at dusk.");
        let check = |text: &str, least: usize, expected: &[&str]| {
            let found: Vec<&str> = known.runs(text, least).into_iter().map(|run| &text[run]).collect();
            assert_eq!(found, expected, "{text}");
        };
        let text = "Later the keeper of the light, tired, filled the LAMP with oil at dusk, again.";
        check(text, 3, &["the keeper of the light", "filled the LAMP with oil at dusk"]);
        check(text, 6, &["filled the LAMP with oil at dusk"]);
        check(text, 8, &[]);
        check("A ship", 1, &[]);
    }

    #[test]
    fn a_share_is_that_of_three_words_in_a_row() {
        let mut known = KnownShingles::default();
        known.add("one two three four");
        known.add("five six");
        let check = |text: &str, expected: f64| assert_eq!(known.share(text), expected, "{text}");
        check("two three four", 1.0);
        check("two three four five", 0.5);
        check("one two three four five six", 0.5);
        check("three four", 0.0);
        check("onetwo three four", 0.0);
        check("five six", 1.0);
        check("six five", 0.0);
        check("five six seven", 0.0);
        check("five", 0.0);
    }
}
