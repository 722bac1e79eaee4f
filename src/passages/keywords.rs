//! Keyword sets and finding their words: whole words, in any case.
//!
//! A word is a run of letters, digits and underscores, as `\w` defines it: `weather` is not found in `leathern`, and
//! not in `_weather_` while italics are kept as underscores. Nothing is inflected: a set lists every form that it
//! wants. A keyword may be several words, which are found with any white space between them.

use pensieve_text::model::Span;
use std::collections::{BTreeMap, HashMap};

/// One occurrence of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordMatch {
    /// Its bytes.
    pub span: Span,
    /// The keyword, as an index into the lexicon.
    pub keyword: usize,
}

/// The keywords of one work: those of every set, with those that its author adds.
#[derive(Debug, Clone, Default)]
pub struct KeywordMatcher {
    words: Vec<Vec<String>>,
    sets: Vec<usize>,
    by_first: HashMap<String, Vec<usize>>,
}

impl KeywordMatcher {
    /// A lexicon of sets, in their order. A keyword that is in two sets belongs to the first.
    pub fn new<'s>(sets: impl IntoIterator<Item = &'s [String]>) -> KeywordMatcher {
        let mut lexicon = KeywordMatcher::default();
        let mut known: HashMap<Vec<String>, usize> = HashMap::new();
        for (set, keywords) in sets.into_iter().enumerate() {
            for keyword in keywords {
                let words: Vec<String> = words(keyword).map(|(_, word)| word.to_lowercase()).collect();
                if words.is_empty() || known.contains_key(&words) {
                    continue;
                }
                known.insert(words.clone(), set);
                lexicon.by_first.entry(words[0].clone()).or_default().push(lexicon.words.len());
                lexicon.words.push(words);
                lexicon.sets.push(set);
            }
        }
        lexicon
    }

    /// The number of keywords.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if there are no keywords.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The keyword as results show it: in lower case, with single spaces.
    pub fn name(&self, keyword: usize) -> String {
        self.words[keyword].join(" ")
    }

    /// The set that a keyword belongs to.
    pub fn set(&self, keyword: usize) -> usize {
        self.sets[keyword]
    }

    /// Every match inside a span, in order.
    ///
    /// Cost: one pass over the words, one look-up each.
    pub fn matches(&self, text: &str, span: Span) -> Vec<KeywordMatch> {
        let part = &text[span.range()];
        let found: Vec<(usize, &str)> = words(part).collect();
        let mut matches = Vec::new();
        let mut lower = String::new();
        for (at, (start, word)) in found.iter().enumerate() {
            fold(word, &mut lower);
            let Some(candidates) = self.by_first.get(&lower) else { continue };
            for &keyword in candidates {
                let wanted = &self.words[keyword];
                let Some(taken) = found.get(at..at + wanted.len()) else { continue };
                if taken.iter().zip(wanted).all(|((_, word), wanted)| word.to_lowercase() == *wanted)
                    && is_close(part, taken)
                {
                    let end = taken.last().map_or(*start, |(start, word)| start + word.len());
                    matches.push(KeywordMatch {
                        span: Span::new(span.start + start, span.start + end),
                        keyword,
                    });
                }
            }
        }
        matches
    }

    /// How often each keyword occurs in a text, by name.
    pub fn counts(&self, text: &str) -> BTreeMap<String, usize> {
        let mut counts: BTreeMap<String, usize> =
            (0..self.len()).map(|keyword| (self.name(keyword), 0)).collect();
        for found in self.matches(text, Span::new(0, text.len())) {
            *counts.entry(self.name(found.keyword)).or_default() += 1;
        }
        counts
    }
}

fn fold(word: &str, lower: &mut String) {
    lower.clear();
    lower.extend(word.chars().flat_map(char::to_lowercase));
}

/// True when only white space, hyphens and apostrophes are between the words.
fn is_close(text: &str, words: &[(usize, &str)]) -> bool {
    words.windows(2).all(|pair| {
        let between = &text[pair[0].0 + pair[0].1.len()..pair[1].0];
        between.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '\'' | '’'))
    })
}

/// The words of a text with their positions.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(move |c: char| !is_word(c))
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> KeywordMatcher {
        let sets = [vec!["weather", "Sun", "north wind"], vec!["jest", "sun"]];
        let sets: Vec<Vec<String>> = sets.map(|set| set.into_iter().map(str::to_owned).collect()).to_vec();
        KeywordMatcher::new(sets.iter().map(Vec::as_slice))
    }

    fn check(text: &str, expected: &[&str]) {
        let lexicon = lexicon();
        let found = lexicon.matches(text, Span::new(0, text.len()));
        let names: Vec<String> = found.iter().map(|found| lexicon.name(found.keyword)).collect();
        assert_eq!(names, expected, "{text}");
        for found in &found {
            let words = text[found.span.range()].to_lowercase();
            assert_eq!(words.split_whitespace().collect::<Vec<_>>().join(" "), lexicon.name(found.keyword));
        }
    }

    #[test]
    fn whole_words_are_found_whatever_their_case() {
        check("WEATHER in leathern Sun-light, sun’s; suns; _sun_", &["weather", "sun", "sun"]);
        check("the north\nwind, north. wind", &["north wind"]);
        check("a jest", &["jest"]);
        check("", &[]);
    }

    #[test]
    fn a_keyword_belongs_to_the_first_set_that_has_it() {
        let lexicon = lexicon();
        assert_eq!((0..lexicon.len()).map(|keyword| lexicon.set(keyword)).collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert_eq!(lexicon.counts("sun and sun").get("sun"), Some(&2));
    }
}
