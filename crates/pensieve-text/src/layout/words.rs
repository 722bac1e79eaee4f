//! Words that were parted at the end of a line. The document itself is the dictionary: a word that stands in it whole was
//! parted, one that stands in it with its hyphen has one. Where it says neither, the hyphen goes, unless the first part
//! is one that is commonly written so. A document that parts words with the hyphen of its own (U+2010) means the common
//! one where it stands at the end of a line.

use super::lines::TextLine;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// First parts that keep their hyphen, in lower case, sorted; what is a syllable of longer words (`ex-ample`) is none.
const FIRST_PARTS: &[&str] = &["half", "quasi", "self", "single", "well"];

/// So many lines that end in a hyphen of its own make it the one that parts words.
const PARTED: usize = 5;

/// Words that are remembered.
const MAX_WORDS: usize = 400_000;

/// What becomes of a hyphen at the end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hyphen {
    /// It parted a word.
    Drop,
    /// It belongs to the word; no blank follows.
    Keep,
}

/// The words of a document, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: FxHashSet<u64>,
    /// Lines that end in U+2010.
    parted: usize,
}

impl Vocabulary {
    /// The words inside of lines; the last of each may be a part.
    pub(super) fn of<'l>(lines: impl Iterator<Item = &'l TextLine>) -> Vocabulary {
        let (mut words, mut parted) = (FxHashSet::default(), 0);
        for line in lines {
            parted += usize::from(line.text.ends_with('\u{2010}'));
            let mut all = line.text.split_whitespace().peekable();
            while let Some(word) = all.next() {
                if words.len() >= MAX_WORDS {
                    return Vocabulary { words, parted };
                }
                let is_part = all.peek().is_none() && word.ends_with(['-', '\u{2010}', '\u{ad}']);
                if !is_part {
                    words.insert(hash(word));
                }
            }
        }
        Vocabulary { words, parted }
    }

    /// What becomes of the hyphen at the end of a text, where there is one inside of a word.
    pub(super) fn hyphen(&self, text: &str, next: &str) -> Option<Hyphen> {
        let mark = text.chars().next_back().filter(|c| matches!(c, '-' | '\u{2010}' | '\u{ad}'))?;
        let before = &text[..text.len() - mark.len_utf8()];
        let first = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let second = next.split(char::is_whitespace).next().unwrap_or_default();
        if !first.ends_with(char::is_alphanumeric) || !second.starts_with(char::is_alphanumeric) {
            return None;
        }
        if mark == '\u{ad}' {
            return Some(Hyphen::Drop);
        }
        if mark == '-' && self.parted >= PARTED {
            return Some(Hyphen::Keep);
        }
        if !second.starts_with(char::is_lowercase) || !first.ends_with(char::is_alphabetic) {
            return Some(Hyphen::Keep);
        }
        let knows = |word: String| self.words.contains(&hash(&word));
        let is_whole = knows(format!("{first}{second}"));
        let has_hyphen = knows(format!("{first}-{second}")) || knows(format!("{first}\u{2010}{second}"));
        let is_first_part = || {
            let part = first.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            mark == '-' && FIRST_PARTS.binary_search(&part.as_str()).is_ok()
        };
        Some(match (is_whole, has_hyphen) {
            (true, _) => Hyphen::Drop,
            (false, true) => Hyphen::Keep,
            (false, false) if is_first_part() => Hyphen::Keep,
            (false, false) => Hyphen::Drop,
        })
    }
}

/// The letters of a word and the hyphens between them, in lower case.
fn hash(word: &str) -> u64 {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let mut hasher = FxHasher::default();
    for c in word.chars().flat_map(char::to_lowercase).map(|c| if c == '\u{2010}' { '-' } else { c }) {
        c.hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, next: &str, expected: Option<Hyphen>) {
        let line = |text: &str| TextLine { text: text.to_owned(), ..TextLine::default() };
        let lines = [line("Well-being and the metaphysics of twenty-one, probably. in-")];
        assert_eq!(Vocabulary::of(lines.iter()).hyphen(text, next), expected, "{text} {next}");
    }

    #[test]
    fn the_document_says_what_is_a_word() {
        check("of meta-", "physics it", Some(Hyphen::Drop));
        check("his well-", "being.", Some(Hyphen::Keep));
        check("the twenty-", "one of", Some(Hyphen::Keep));
        check("an unknow-", "able thing", Some(Hyphen::Drop));
        check("his self-", "regard", Some(Hyphen::Keep));
        check("for ex-", "ample", Some(Hyphen::Drop));
        check("soft\u{ad}", "ened", Some(Hyphen::Drop));
    }

    #[test]
    fn a_document_with_a_hyphen_of_its_own_means_the_common_one() {
        let line = TextLine { text: "parted wo\u{2010}".to_owned(), ..TextLine::default() };
        let vocabulary = Vocabulary::of(std::iter::repeat_n(&line, 6));
        assert_eq!(vocabulary.hyphen("Caraka-", "samhita"), Some(Hyphen::Keep));
        assert_eq!(vocabulary.hyphen("parted wo\u{2010}", "rds"), Some(Hyphen::Drop));
    }

    #[test]
    fn names_numbers_and_dashes_keep_theirs() {
        check("Anglo-", "Saxon", Some(Hyphen::Keep));
        check("1914-", "1918", Some(Hyphen::Keep));
        check("a dash -", "and more", None);
        check("no hyphen", "here", None);
    }

    #[test]
    fn first_parts_are_sorted() {
        assert!(FIRST_PARTS.is_sorted());
    }
}
