//! Words that were hyphenated at the end of a line. The document itself is the dictionary: if it contains the joined
//! word, the hyphen goes; if it contains the word with a hyphen, the hyphen stays. If it contains neither, the hyphen
//! goes, unless the first part commonly has one. In a document that breaks words with U+2010, the common hyphen at
//! the end of a line belongs to the word.

use super::text_line::TextLine;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// First parts that keep their hyphen, in lower case, sorted; no syllables of longer words (`ex-ample`).
const FIRST_PARTS: &[&str] = &["half", "quasi", "self", "single", "well"];

/// Lines ending in U+2010 after which it counts as the hyphen that breaks words.
// A single line may end in a U+2010 that belongs to its word.
const MIN_BROKEN_LINES: usize = 5;

/// Maximum words that are remembered.
const MAX_WORDS: usize = 400_000;

/// What to do with a hyphen at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HyphenAction {
    /// Remove it, because it broke a word.
    Drop,
    /// Keep it, because it belongs to the word; no space follows.
    Keep,
}

/// The words of a document, by their hashes.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    words: FxHashSet<u64>,
    /// Lines that end in U+2010.
    broken_lines: usize,
}

impl Vocabulary {
    /// The words of some lines; the last word of a line may be broken.
    pub(crate) fn of<'l>(lines: impl Iterator<Item = &'l TextLine>) -> Vocabulary {
        let (mut words, mut broken_lines) = (FxHashSet::default(), 0);
        for line in lines {
            broken_lines += usize::from(line.text.ends_with('\u{2010}'));
            let mut all = line.text.split_whitespace().peekable();
            while let Some(word) = all.next() {
                if words.len() >= MAX_WORDS {
                    return Vocabulary { words, broken_lines };
                }
                let is_part = all.peek().is_none() && word.ends_with(['-', '\u{2010}', '\u{ad}']);
                // It may be half a word.
                if !is_part {
                    words.insert(hash(word));
                }
            }
        }
        Vocabulary { words, broken_lines }
    }

    /// What to do with the hyphen at the end of a text, if it is inside a word.
    pub(crate) fn hyphen(&self, text: &str, next: &str) -> Option<HyphenAction> {
        let mark = text.chars().next_back().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}'))?;
        let before = &text[..text.len() - mark.len_utf8()];
        let first = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        // With the marks behind it, which the hash leaves out.
        let second = next.split(char::is_whitespace).next().unwrap_or_default();
        if !first.ends_with(char::is_alphanumeric) || !second.starts_with(char::is_alphanumeric) {
            return None;
        }
        // A soft hyphen does nothing but break words.
        if mark == '\u{ad}' {
            return Some(HyphenAction::Drop);
        }
        if mark == '-' && self.broken_lines >= MIN_BROKEN_LINES {
            return Some(HyphenAction::Keep);
        }
        // `Anglo-` `Saxon`, `COVID-` `19`, `30-` `day`.
        if !second.starts_with(char::is_lowercase) || !first.ends_with(char::is_alphabetic) {
            return Some(HyphenAction::Keep);
        }
        let knows = |word: String| self.words.contains(&hash(&word));
        let is_whole = knows(format!("{first}{second}"));
        let has_hyphen = knows(format!("{first}-{second}")) || knows(format!("{first}\u{2010}{second}"));
        let is_first_part = || {
            let part = first.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            mark == '-' && FIRST_PARTS.binary_search(&part.as_str()).is_ok()
        };
        Some(match (is_whole, has_hyphen) {
            (true, _) => HyphenAction::Drop,
            (false, true) => HyphenAction::Keep,
            (false, false) if is_first_part() => HyphenAction::Keep,
            // Most lines that end in a hyphen break a word.
            (false, false) => HyphenAction::Drop,
        })
    }
}

/// The letters of a word and the hyphens between them, in lower case.
fn hash(word: &str) -> u64 {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let mut hasher = FxHasher::default();
    // The same hyphen to the reader.
    for c in word.chars().flat_map(char::to_lowercase).map(|c| if c == '\u{2010}' { '-' } else { c }) {
        c.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, next: &str, expected: Option<HyphenAction>) {
        let line = |text: &str| TextLine { text: text.to_owned(), ..TextLine::default() };
        let lines = [line("Well-being and the metaphysics of twenty-one, probably. in-")];
        assert_eq!(Vocabulary::of(lines.iter()).hyphen(text, next), expected, "{text} {next}");
    }

    #[test]
    fn words_of_the_document_decide() {
        check("of meta-", "physics it", Some(HyphenAction::Drop));
        check("his well-", "being.", Some(HyphenAction::Keep));
        check("the twenty-", "one of", Some(HyphenAction::Keep));
        check("an unknow-", "able thing", Some(HyphenAction::Drop));
        check("his self-", "regard", Some(HyphenAction::Keep));
        check("for ex-", "ample", Some(HyphenAction::Drop));
        check("soft\u{ad}", "ened", Some(HyphenAction::Drop));
    }

    #[test]
    fn a_document_that_breaks_words_with_u2010_keeps_the_common_hyphen() {
        let line = TextLine { text: "parted wo\u{2010}".to_owned(), ..TextLine::default() };
        let vocabulary = Vocabulary::of(std::iter::repeat_n(&line, 6));
        assert_eq!(vocabulary.hyphen("Caraka-", "samhita"), Some(HyphenAction::Keep));
        assert_eq!(vocabulary.hyphen("parted wo\u{2010}", "rds"), Some(HyphenAction::Drop));
    }

    #[test]
    fn names_numbers_and_dashes_keep_theirs() {
        check("Anglo-", "Saxon", Some(HyphenAction::Keep));
        check("1914-", "1918", Some(HyphenAction::Keep));
        check("a dash -", "and more", None);
        check("no hyphen", "here", None);
    }

    #[test]
    fn first_parts_are_sorted() {
        assert!(FIRST_PARTS.is_sorted());
    }
}
