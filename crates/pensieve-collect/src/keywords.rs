//! Keyword sets and finding their words: whole words, in any case.
//!
//! A word is a run of letters, digits and underscores, as `\w` defines it: `weather` is not found in `leathern`, and
//! not in `_weather_` while italics are kept as underscores. Nothing is inflected: a set lists every form that it
//! wants. A keyword may be several words, which are found with any white space between them.
//!
//! A word can mean something else: `hail` at sea, `hurricane deck`, `jest` for just. Phrases are excepted, and senses are
//! told by the words around a keyword in its paragraph.

use crate::manifest::WordSense;
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
    exceptions: Vec<ExceptedPhrase>,
    senses: HashMap<usize, WordSense>,
}

/// A phrase in which keywords do not count.
#[derive(Debug, Clone)]
struct ExceptedPhrase {
    words: Vec<String>,
    /// The set whose keywords are meant; all if there is none.
    set: Option<usize>,
}

/// How many words on both sides of a keyword are near it.
const NEAR_WORDS: usize = 8;

impl KeywordMatcher {
    /// A lexicon of sets, in their order. A keyword that is in two sets belongs to the first.
    pub fn new<'s>(sets: impl IntoIterator<Item = &'s [String]>) -> KeywordMatcher {
        let mut lexicon = KeywordMatcher::default();
        let mut known: HashMap<Vec<String>, usize> = HashMap::new();
        for (set, keywords) in sets.into_iter().enumerate() {
            for keyword in keywords {
                let words = folded(keyword);
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

    /// Excepts phrases: keywords of the set, or of all sets, do not count in them.
    pub fn except<'p>(&mut self, set: Option<usize>, phrases: impl IntoIterator<Item = &'p String>) {
        let phrase = |phrase: &String| ExceptedPhrase { words: folded(phrase), set };
        let phrases = phrases.into_iter().map(phrase).filter(|phrase| !phrase.words.is_empty());
        self.exceptions.extend(phrases);
    }

    /// Limits a keyword of a set to a sense.
    pub fn limit(&mut self, set: usize, keyword: &str, sense: &WordSense) {
        let words = folded(keyword);
        let found = (0..self.len()).find(|at| self.words[*at] == words && self.sets[*at] == set);
        self.senses.extend(found.map(|keyword| (keyword, sense.clone())));
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
        self.find(text, span, true)
    }

    /// The same, in every sense if that is not asked for.
    fn find(&self, text: &str, span: Span, in_sense: bool) -> Vec<KeywordMatch> {
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
                    && (!in_sense || self.is_meant(part, &found, at, keyword))
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

    /// True unless the keyword at the word `at` is part of an excepted phrase, or has another sense.
    fn is_meant(&self, text: &str, words: &[(usize, &str)], at: usize, keyword: usize) -> bool {
        let len = self.words[keyword].len();
        let is_in = |phrase: &ExceptedPhrase| {
            let most = phrase.words.len().saturating_sub(len);
            let starts = at.saturating_sub(most)..=at;
            let has = |start: usize| {
                let Some(taken) = words.get(start..start + phrase.words.len()) else { return false };
                taken.iter().zip(&phrase.words).all(|((_, word), wanted)| word.to_lowercase() == *wanted)
                    && is_close(text, taken)
            };
            phrase.words.len() >= len && starts.into_iter().any(has)
        };
        let set = self.sets[keyword];
        !self.exceptions.iter().filter(|phrase| phrase.set.is_none_or(|own| own == set)).any(is_in)
            && self.senses.get(&keyword).is_none_or(|sense| Neighbours { text, words, at, len }.fit(sense))
    }

    /// How often each keyword occurs in a text, by name, in whatever sense.
    pub fn counts(&self, text: &str) -> BTreeMap<String, usize> {
        let mut counts: BTreeMap<String, usize> =
            (0..self.len()).map(|keyword| (self.name(keyword), 0)).collect();
        for found in self.find(text, Span::new(0, text.len()), false) {
            *counts.entry(self.name(found.keyword)).or_default() += 1;
        }
        counts
    }
}

/// The words around a keyword, as far as its paragraph goes.
struct Neighbours<'t> {
    text: &'t str,
    words: &'t [(usize, &'t str)],
    at: usize,
    len: usize,
}

impl Neighbours<'_> {
    fn fit(&self, sense: &WordSense) -> bool {
        let within = sense.within.unwrap_or(NEAR_WORDS);
        let is_one = |list: &[String], word: Option<String>| word.is_some_and(|word| list.contains(&word));
        let (before, after) = (self.before().next(), self.after().next());
        let is_near = |list: &[String]| {
            self.before().take(within).chain(self.after().take(within)).any(|word| list.contains(&word))
        };
        (sense.after.is_empty() || is_one(&sense.after, before.clone()))
            && !is_one(&sense.not_after, before)
            && (sense.before.is_empty() || is_one(&sense.before, after.clone()))
            && !is_one(&sense.not_before, after)
            && (sense.near.is_empty() || is_near(&sense.near))
            && !is_near(&sense.not_near)
    }

    /// The words before the keyword, the nearest first.
    fn before(&self) -> impl Iterator<Item = String> {
        (0..self.at).rev().take_while(|at| self.is_connected(*at)).map(|at| self.words[at].1.to_lowercase())
    }

    /// The words after it.
    fn after(&self) -> impl Iterator<Item = String> {
        let rest = self.at + self.len..self.words.len();
        rest.take_while(|at| self.is_connected(at - 1)).map(|at| self.words[at].1.to_lowercase())
    }

    /// True if a word and the next are in one paragraph.
    fn is_connected(&self, at: usize) -> bool {
        let (start, word) = self.words[at];
        self.words.get(at + 1).is_none_or(|next| !self.text[start + word.len()..next.0].contains("\n\n"))
    }
}

/// The words of a keyword or phrase in lower case.
fn folded(text: &str) -> Vec<String> {
    words(text).map(|(_, word)| word.to_lowercase()).collect()
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

    fn check_senses(text: &str, expected: usize) {
        let mut lexicon = lexicon();
        lexicon.except(Some(0), &["weather gauge".to_owned(), "north wind road".to_owned()]);
        lexicon.except(None, &["sun and jest".to_owned()]);
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let jest =
            WordSense { after: list(&["a", "in"]), not_near: list(&["court"]), ..WordSense::default() };
        lexicon.limit(1, "jest", &jest);
        let sun = WordSense {
            near: list(&["sky"]),
            not_before: list(&["bonnet"]),
            within: Some(3),
            ..WordSense::default()
        };
        lexicon.limit(0, "sun", &sun);
        assert_eq!(lexicon.matches(text, Span::new(0, text.len())).len(), expected, "{text}");
    }

    #[test]
    fn phrases_are_excepted_and_neighbours_tell_the_sense() {
        check_senses("the weather, the weather-gauge, the weather\ngauge", 1);
        check_senses("the north wind, North Wind Road", 1);
        check_senses("a jest, in jest, it jest one", 2);
        check_senses("a jest at court", 0);
        check_senses("the sun in the sky, and much later there came the sun", 1);
        check_senses("sky\n\nsun", 0);
        check_senses("sky, sun bonnet", 0);
        check_senses("sky, sun and jest", 0);
    }

    #[test]
    fn a_keyword_belongs_to_the_first_set_that_has_it() {
        let lexicon = lexicon();
        assert_eq!((0..lexicon.len()).map(|keyword| lexicon.set(keyword)).collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert_eq!(lexicon.counts("sun and sun").get("sun"), Some(&2));
    }

    #[test]
    fn neighbours_are_near_within_eight_words_of_the_paragraph() {
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let check = |sense: &WordSense, text: &str, expected: usize| {
            let mut lexicon = lexicon();
            lexicon.limit(0, "north wind", sense);
            assert_eq!(lexicon.matches(text, Span::new(0, text.len())).len(), expected, "{text}");
        };
        let near = WordSense { near: list(&["sky"]), ..WordSense::default() };
        check(&near, "sky 1 2 3 4 5 6 7 north wind", 1);
        check(&near, "sky 1 2 3 4 5 6 7 8 north wind", 0);
        check(&near, "north wind 1 2 3 4 5 6 7 Sky", 1);
        check(&near, "north wind 1 2 3 4 5 6 7 8 sky", 0);
        check(&near, "north wind.\n\nsky", 0);
        check(&near, "north wind 1.\n\nsky", 0);
        check(&near, "sky\nnorth wind", 1);
        let after = WordSense { after: list(&["the"]), not_before: list(&["road"]), ..WordSense::default() };
        check(&after, "The north wind", 1);
        check(&after, "north wind", 0);
        check(&after, "a north wind", 0);
        check(&after, "the north wind road", 0);
        let before = WordSense { before: list(&["blew"]), not_after: list(&["no"]), ..WordSense::default() };
        check(&before, "the north wind blew", 1);
        check(&before, "the north wind", 0);
        check(&before, "the north wind sang", 0);
        check(&before, "no north wind blew", 0);
        // Another set does not have the word.
        let mut lexicon = lexicon();
        lexicon.limit(1, "north wind", &near);
        assert_eq!(lexicon.matches("north wind", Span::new(0, 10)).len(), 1);
    }

    #[test]
    fn a_match_knows_its_bytes_and_ends_inside_the_span() {
        let lexicon = lexicon();
        let text = "sun, the north  wind";
        let found = |start: usize, end: usize| lexicon.matches(text, Span::new(start, end));
        let keyword =
            |start: usize, end: usize, keyword: usize| KeywordMatch { span: Span::new(start, end), keyword };
        assert_eq!(found(0, 20), [keyword(0, 3, 1), keyword(9, 20, 2)]);
        assert_eq!(found(5, 20), [keyword(9, 20, 2)]);
        assert_eq!(found(5, 14), []);
        assert!(!lexicon.is_empty() && KeywordMatcher::default().is_empty());
        let counts = lexicon.counts("a jest, a jest, weather");
        let expected = [("jest", 2), ("north wind", 0), ("sun", 0), ("weather", 1)];
        assert_eq!(counts, expected.map(|(word, count)| (word.to_owned(), count)).into());
    }

    #[test]
    fn an_exception_is_a_phrase_around_the_keyword() {
        let check = |phrase: &str, set: Option<usize>, text: &str, expected: usize| {
            let mut lexicon = lexicon();
            lexicon.except(set, &[phrase.to_owned()]);
            assert_eq!(lexicon.matches(text, Span::new(0, text.len())).len(), expected, "{phrase} {text}");
        };
        check("to the sun", None, "to the sun", 0);
        check("to the sun", None, "the sun", 1);
        check("to the sun", Some(0), "to the sun", 0);
        check("to the sun", Some(1), "to the sun", 1);
        check("the sun set", None, "the sun. set", 1);
        check("sun", None, "north wind", 1);
        check("north", None, "north wind", 1);
        check("the north wind", None, "the north wind north wind", 1);
        check("", None, "sun", 1);
    }
}
