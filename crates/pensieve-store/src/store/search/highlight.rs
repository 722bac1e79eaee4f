//! The places of a query's words in a chunk, and the snippet that shows most of them.
//!
//! FTS5 has a function for this, but only for tables that store their text, and it reads the postings once more for
//! each hit.

use crate::store::query::QueryTerm;
use crate::store::query::characters::{is_letter, is_unspaced};
use crate::store::query::words::{TextWord, text_words};
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// Marks before and after a found word in snippets: two characters that hardly any text has.
pub const HIGHLIGHT_MARKS: (char, char) = ('⟦', '⟧');

/// Characters of a chunk in a snippet.
const SNIPPET_CHARS: usize = 240;

/// Maximum characters by which a snippet is shortened so that it begins and ends between words.
const TRIM_CHARS: usize = 24;

/// A phrase to find: folded words; the last one may be only the beginning of a word.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SearchPhrase {
    words: Vec<String>,
    is_prefix: bool,
    is_first: bool,
    /// How much it says about what is looked for; 1 for the terms of a query.
    weight: f64,
}

/// A phrase in a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FoundPhrase {
    pub start: usize,
    pub end: usize,
    weight: f64,
}

impl SearchPhrase {
    /// The phrase of a term.
    pub fn of(term: &QueryTerm) -> SearchPhrase {
        let text: String = term.text.nfkc().collect();
        let words: Vec<String> = text_words(&text).into_iter().map(|word| word.folded.into_owned()).collect();
        // A letter of a script without spaces may have signs that were not typed.
        let is_letter = words.last().is_some_and(|last| last.starts_with(is_unspaced));
        SearchPhrase { words, is_prefix: term.is_prefix || is_letter, is_first: term.is_first, weight: 1.0 }
    }

    /// A word of a question, folded.
    pub fn of_word(word: &str, weight: f64) -> SearchPhrase {
        let words = text_words(word).into_iter().map(|word| word.folded.into_owned()).collect();
        SearchPhrase { words, is_prefix: false, is_first: false, weight }
    }

    fn begins(&self, words: &[TextWord<'_>]) -> bool {
        let Some((last, before)) = self.words.split_last() else { return false };
        let is_last = |word: &TextWord<'_>| match self.is_prefix {
            true => word.folded.starts_with(last.as_str()),
            false => word.folded == *last,
        };
        words.len() > before.len()
            && before.iter().zip(words).all(|(wanted, word)| *wanted == word.folded)
            && is_last(&words[before.len()])
    }

    /// True if a text contains it.
    pub fn is_in(&self, text: &str) -> bool {
        let words = text_words(text);
        let places = if self.is_first { words.len().min(1) } else { words.len() };
        (0..places).any(|at| self.begins(&words[at..]))
    }
}

/// The phrases in `text`, in order; those that touch or overlap are one.
pub(super) fn highlights(text: &str, phrases: &[SearchPhrase]) -> Vec<FoundPhrase> {
    let words = text_words(text);
    let mut found: Vec<FoundPhrase> = Vec::new();
    for at in 0..words.len() {
        let is_here = |phrase: &&SearchPhrase| (at == 0 || !phrase.is_first) && phrase.begins(&words[at..]);
        // `fog lamp` is one mark, although `fog` is asked for, too.
        let Some(longest) = phrases.iter().filter(is_here).max_by_key(|phrase| phrase.words.len()) else {
            continue;
        };
        let (start, end) = (words[at].start, words[at + longest.words.len() - 1].end);
        match found.last_mut() {
            Some(last) if start <= last.end => {
                last.end = last.end.max(end);
                last.weight = last.weight.max(longest.weight);
            }
            _ => found.push(FoundPhrase { start, end, weight: longest.weight }),
        }
    }
    found
}

/// The range of a text, in bytes, that shows the most of what was found; of equals the first one.
pub(super) fn window(text: &str, found: &[FoundPhrase]) -> (usize, usize) {
    let start = match best(text, found) {
        // A third of the snippet precedes the first found word, so that its sentence is visible.
        Some(first) => back(text, first, SNIPPET_CHARS / 3),
        None => 0,
    };
    let end = forth(text, start, SNIPPET_CHARS);
    // Near the end of a text the snippet begins earlier.
    let start = if end == text.len() { back(text, end, SNIPPET_CHARS).min(start) } else { start };
    let start = if start == 0 { 0 } else { after_space(text, start) };
    let end = if end == text.len() { end } else { before_space(text, end) };
    (start, end.max(start))
}

/// The first byte of the found word at which a window has the most weight of different words, then of all words.
fn best(text: &str, found: &[FoundPhrase]) -> Option<usize> {
    let folded: Vec<String> = found.iter().map(|found| text[found.start..found.end].to_lowercase()).collect();
    let mut best: Option<((f64, f64), usize)> = None;
    for (at, first) in found.iter().enumerate() {
        // The other third is before the first word.
        let limit = forth(text, first.start, SNIPPET_CHARS * 2 / 3);
        let mut seen = BTreeSet::new();
        let mut score = (0.0, 0.0);
        for (found, word) in found.iter().zip(&folded).skip(at).take_while(|(found, _)| found.end <= limit) {
            // Equal words count only between windows with the same different ones.
            score.1 += found.weight;
            if seen.insert(word) {
                score.0 += found.weight;
            }
        }
        if best.is_none_or(|(before, _)| score > before) {
            best = Some((score, first.start));
        }
    }
    best.map(|(_, start)| start)
}

fn back(text: &str, from: usize, count: usize) -> usize {
    text[..from].char_indices().rev().take(count).last().map_or(from, |(at, _)| at)
}

fn forth(text: &str, from: usize, count: usize) -> usize {
    text[from..].char_indices().nth(count).map_or(text.len(), |(at, _)| from + at)
}

/// The first place after white space, if one is near.
fn after_space(text: &str, start: usize) -> usize {
    let limit = forth(text, start, TRIM_CHARS);
    let inside = |at: usize| is_letter_before(text, at) && text[at..].starts_with(is_letter);
    if !inside(start) {
        return start;
    }
    text[start..limit].find(char::is_whitespace).map_or(start, |at| start + at + 1)
}

/// The last place before white space, if one is near.
fn before_space(text: &str, end: usize) -> usize {
    let limit = back(text, end, TRIM_CHARS);
    // An end between words needs no trimming.
    if !(is_letter_before(text, end) && text[end..].starts_with(is_letter)) {
        return end;
    }
    text[limit..end].rfind(char::is_whitespace).map_or(end, |at| limit + at)
}

fn is_letter_before(text: &str, at: usize) -> bool {
    text[..at].ends_with(is_letter)
}

/// A range of a text with marks around the found words, and an ellipsis where text is left out.
pub(super) fn marked(text: &str, found: &[FoundPhrase], (start, end): (usize, usize)) -> String {
    let mut out = String::with_capacity(end - start + 64);
    if start > 0 {
        out.push_str("… ");
    }
    let mut at = start;
    for found in found.iter().filter(|found| found.end > start && found.start < end) {
        let (from, to) = (found.start.max(start), found.end.min(end));
        out.push_str(&text[at..from]);
        out.push(HIGHLIGHT_MARKS.0);
        out.push_str(&text[from..to]);
        out.push(HIGHLIGHT_MARKS.1);
        at = to;
    }
    out.push_str(&text[at..end]);
    if end < text.len() {
        out.push_str(" …");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::query::parse;

    fn found(query: &str, text: &str) -> String {
        let tree = parse(query).unwrap().expression.unwrap();
        let phrases: Vec<SearchPhrase> = tree.wanted_terms().into_iter().map(SearchPhrase::of).collect();
        marked(text, &highlights(text, &phrases), (0, text.len()))
    }

    fn check(query: &str, text: &str, expected: &str) {
        assert_eq!(found(query, text), expected, "{query}");
    }

    #[test]
    fn words_are_found_as_the_table_finds_them() {
        check("lamp", "A Lamp, a lampshade.", "A ⟦Lamp⟧, a lampshade.");
        check("lamp*", "A Lamp, a lampshade.", "A ⟦Lamp⟧, a ⟦lampshade⟧.");
        check("foo-bar", "foo bar, foo_bar; foo", "⟦foo bar⟧, ⟦foo_bar⟧; foo");
        check("groesse größe", "Die GRÖSSE, die Größe, grosse", "Die GRÖSSE, die ⟦Größe⟧, grosse");
        check("cafe", "Café, cafe\u{301} CAFÉ", "⟦Café⟧, ⟦cafe\u{301}⟧ ⟦CAFÉ⟧");
        check("数据", "大数据库。数 据", "大⟦数据⟧库。⟦数 据⟧");
        check("^a", "a b a", "⟦a⟧ b a");
        check("a b NOT c", "a b c", "⟦a⟧ ⟦b⟧ c");
        check("\"a b\" a", "x a b a", "x ⟦a b⟧ ⟦a⟧");
    }

    #[test]
    fn a_snippet_shows_where_most_words_stand() {
        let filler = "Nothing to see here, go on. ".repeat(20);
        let text = format!("lamp {filler}the lamp in the fog {filler}");
        let words = ["lamp", "fog"]
            .map(|word| SearchPhrase::of(&QueryTerm { text: word.into(), ..QueryTerm::default() }));
        let found = highlights(&text, &words);
        let (start, end) = window(&text, &found);
        let shown = marked(&text, &found, (start, end));
        assert!(shown.contains("the ⟦lamp⟧ in the ⟦fog⟧ Nothing"), "{shown}");
        assert!(shown.starts_with("… ") && shown.ends_with(" …"), "{shown}");
        assert!(text[start..end].chars().count() <= SNIPPET_CHARS);
        // A rare word says more than several frequent ones.
        let text = format!("{filler}a fog {filler}the end of the night {filler}");
        let words = [("fog", 3.0), ("the", 0.1), ("end", 0.7), ("of", 0.2), ("night", 1.9)];
        let found = highlights(&text, &words.map(|(word, weight)| SearchPhrase::of_word(word, weight)));
        let (start, end) = window(&text, &found);
        assert!(text[start..end].contains("a fog"), "{}", &text[start..end]);
        assert_eq!(window("short", &[]), (0, 5));
        assert_eq!(window(&text, &[]).0, 0);
        let run = "日本語".repeat(200);
        let (start, end) = window(&run, &[FoundPhrase { start: 900, end: 909, weight: 1.0 }]);
        assert!(start < 900 && end > 909 && run.is_char_boundary(start) && run.is_char_boundary(end));
    }

    /// A text of full stops with words at these places.
    fn text_with(length: usize, words: &[(usize, &str, f64)]) -> (String, Vec<FoundPhrase>) {
        let mut text = ".".repeat(length);
        for (at, word, _) in words {
            text.replace_range(*at..at + word.len(), word);
        }
        let found =
            words.iter().map(|&(start, word, weight)| FoundPhrase { start, end: start + word.len(), weight });
        (text, found.collect())
    }

    #[test]
    fn steps_count_characters() {
        let text = "abcdé";
        for (from, count, expected) in [(6, 0, 6), (6, 1, 4), (6, 2, 3), (3, 2, 1), (3, 9, 0), (0, 1, 0)] {
            assert_eq!(back(text, from, count), expected, "{from} {count}");
        }
        for (from, count, expected) in [(0, 0, 0), (0, 4, 4), (0, 5, 6), (1, 2, 3), (4, 1, 6), (2, 9, 6)] {
            assert_eq!(forth(text, from, count), expected, "{from} {count}");
        }
    }

    #[test]
    fn snippets_begin_and_end_between_words_if_a_space_is_near() {
        let long = format!("{} b", "a".repeat(30));
        let words = "one two three";
        for (text, start, expected) in [
            (words, 0, 0),
            (words, 1, 4),
            (words, 3, 3),
            (words, 4, 4),
            (words, 9, 9),
            (&long, 7, 31),
            (&long, 6, 6),
        ] {
            assert_eq!(after_space(text, start), expected, "{text} {start}");
        }
        let long = format!("a {}", "b".repeat(30));
        for (text, end, expected) in
            [(words, 6, 3), (words, 3, 3), (words, 4, 4), (words, 13, 13), (&long, 25, 1), (&long, 26, 26)]
        {
            assert_eq!(before_space(text, end), expected, "{text} {end}");
        }
    }

    #[test]
    fn a_window_has_a_third_of_its_characters_before_the_word() {
        for (at, expected) in [
            (10, (0, 240)),
            (80, (0, 240)),
            (81, (1, 241)),
            (500, (420, 660)),
            (839, (759, 999)),
            (840, (760, 1000)),
            (900, (760, 1000)),
        ] {
            let (text, found) = text_with(1000, &[(at, "fog", 1.0)]);
            assert_eq!(window(&text, &found), expected, "{at}");
        }
        let text = "abcd ".repeat(200);
        let at = |start| [FoundPhrase { start, end: start + 4, weight: 1.0 }];
        assert_eq!(window(&text, &at(500)), (420, 660));
        assert_eq!(window(&text, &at(501)), (425, 659));
    }

    #[test]
    fn the_best_place_has_most_weight_of_different_words() {
        let check = |words: &[(usize, &str, f64)], expected: Option<usize>| {
            let (text, found) = text_with(1000, words);
            assert_eq!(best(&text, &found), expected, "{words:?}");
        };
        check(&[], None);
        check(&[(7, "fog", 1.0)], Some(7));
        check(&[(0, "fog", 1.0), (400, "sun", 1.0)], Some(0));
        check(&[(0, "fog", 1.0), (400, "sun", 1.5)], Some(400));
        // The last character of a word that still counts is the 160th.
        check(&[(0, "fog", 1.0), (157, "sun", 1.5)], Some(0));
        check(&[(0, "fog", 1.0), (158, "sun", 1.5)], Some(158));
        check(&[(0, "fog", 1.0), (300, "fog", 1.0), (310, "FOG", 1.0)], Some(300));
        check(
            &[(0, "fog", 1.0), (10, "fog", 1.0), (20, "fog", 1.0), (300, "fog", 1.0), (310, "sun", 1.0)],
            Some(300),
        );
    }

    #[test]
    fn marks_stand_around_what_is_found_in_the_range() {
        let (text, found) = ("fog lamp horn", [FoundPhrase { start: 4, end: 8, weight: 1.0 }]);
        for (range, expected) in [
            ((0, 13), "fog ⟦lamp⟧ horn"),
            ((4, 8), "… ⟦lamp⟧ …"),
            ((5, 7), "… ⟦am⟧ …"),
            ((8, 13), "…  horn"),
            ((0, 4), "fog  …"),
            ((2, 9), "… g ⟦lamp⟧  …"),
        ] {
            assert_eq!(marked(text, &found, range), expected, "{range:?}");
        }
    }

    #[test]
    fn phrases_that_touch_are_one_with_the_larger_weight() {
        let check = |text: &str, words: &[(&str, f64)], expected: &[(usize, usize, f64)]| {
            let phrases: Vec<SearchPhrase> =
                words.iter().map(|&(word, weight)| SearchPhrase::of_word(word, weight)).collect();
            let found = highlights(text, &phrases);
            let found: Vec<_> = found.iter().map(|found| (found.start, found.end, found.weight)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("数据", &[("数", 1.0), ("据", 2.0)], &[(0, 6, 2.0)]);
        check("数据", &[("数", 3.0), ("据", 2.0)], &[(0, 6, 3.0)]);
        check("a b", &[("a", 1.0), ("b", 2.0)], &[(0, 1, 1.0), (2, 3, 2.0)]);
        check("a b c d", &[("a b c", 1.0), ("b", 5.0), ("d", 2.0)], &[(0, 5, 5.0), (6, 7, 2.0)]);
        check("a b", &[("a", 1.0), ("a b", 2.0)], &[(0, 3, 2.0)]);
        check("a b", &[("b c", 1.0), ("", 2.0)], &[]);
    }

    #[test]
    fn a_text_contains_a_phrase_word_by_word() {
        let check = |query: &str, text: &str, expected: bool| {
            let tree = parse(query).unwrap().expression.unwrap();
            let phrase = SearchPhrase::of(tree.wanted_terms()[0]);
            assert_eq!(phrase.is_in(text), expected, "{query} in {text}");
        };
        check("fog", "a fog", true);
        check("fog", "a foggy", false);
        check("fog*", "a foggy", true);
        check("\"fog lamp\"", "a fog lamp", true);
        check("\"fog lamp\"", "a lamp fog", false);
        check("\"fog lamp\"", "a fog", false);
        check("^fog", "fog a", true);
        check("^fog", "a fog", false);
        check("^fog", "", false);
    }
}
