//! The words of headings: numbered labels, names of sections and of lists, ends of books.
//!
//! A label is a word with its number before or after it, in the languages of the project's texts. What is separated
//! from it on the same line is a title. Whether the position fits a heading is decided elsewhere.

use crate::blocks::Block;
use crate::numbers::{number, roman};

/// Words that are numbered, each with its canonical form and its rank.
const COUNTED: &[(&str, &str, u8)] = &[
    ("volume", "volume", 0),
    ("vol", "volume", 0),
    ("tome", "volume", 0),
    ("band", "volume", 0),
    ("part", "part", 1),
    ("partie", "part", 1),
    ("teil", "part", 1),
    ("theil", "part", 1),
    ("parte", "part", 1),
    ("deel", "part", 1),
    ("book", "book", 2),
    ("livre", "book", 2),
    ("buch", "book", 2),
    ("libro", "book", 2),
    ("act", "act", 2),
    ("acte", "act", 2),
    ("akt", "act", 2),
    ("aufzug", "act", 2),
    ("chapter", "chapter", 3),
    ("chap", "chapter", 3),
    ("chapitre", "chapter", 3),
    ("kapitel", "chapter", 3),
    ("capitel", "chapter", 3),
    ("capitulo", "chapter", 3),
    ("capítulo", "chapter", 3),
    ("capitolo", "chapter", 3),
    ("hoofdstuk", "chapter", 3),
    ("scene", "scene", 3),
    ("scène", "scene", 3),
    ("szene", "scene", 3),
    ("auftritt", "scene", 3),
    ("letter", "letter", 3),
    ("lettre", "letter", 3),
    ("brief", "letter", 3),
    ("canto", "canto", 3),
    ("chant", "canto", 3),
    ("gesang", "canto", 3),
    ("stave", "stave", 3),
    ("section", "section", 3),
    ("lecture", "lecture", 3),
    ("essay", "essay", 3),
    ("adventure", "adventure", 3),
    ("fable", "fable", 3),
    ("fit", "fit", 3),
    ("sonnet", "sonnet", 3),
    ("psalm", "psalm", 3),
    ("appendix", "appendix", 3),
];

/// Names of sections without a number, in lower case.
const NAMES: &[&str] = &[
    "preface",
    "introduction",
    "introductory",
    "introductory note",
    "prologue",
    "epilogue",
    "conclusion",
    "foreword",
    "afterword",
    "notice",
    "explanatory",
    "explanation",
    "dedication",
    "postscript",
    "to the reader",
    "authors note",
    "note",
    "appendix",
    "prelude",
    "interlude",
    "finale",
    "argument",
    "proem",
    "envoi",
    "preamble",
    "induction",
    "dramatis personae",
    "the argument",
    "préface",
    "avant propos",
    "prologue du traducteur",
    "épilogue",
    "avertissement",
    "dédicace",
    "au lecteur",
    "vorwort",
    "vorrede",
    "einleitung",
    "nachwort",
    "widmung",
    "vorspiel",
    "schluß",
    "schluss",
    "anhang",
    "prolog",
    "epilog",
    "voorwoord",
    "inleiding",
    "prefazione",
    "introduzione",
    "prólogo",
    "epílogo",
];

/// Names of lists.
const LISTS: &[&str] = &[
    "contents",
    "table of contents",
    "the contents",
    "illustrations",
    "list of illustrations",
    "index",
    "footnotes",
    "notes",
    "bibliography",
    "list of plates",
    "plates",
    "maps",
    "errata",
    "erratum",
    "corrigenda",
    "transcribers note",
    "transcribers notes",
    "transcriber notes",
    "advertisements",
    "table des matières",
    "table",
    "table des chapitres",
    "inhalt",
    "inhaltsverzeichnis",
    "inhoud",
    "inhalts verzeichnis",
    "indice",
    "índice",
    "frontispiece",
    "list of maps",
    "colophon",
    "navigation",
    "notes du transcripteur",
    "anmerkungen zur transkription",
    "liste des illustrations",
    "abbildungen",
];

/// Phrases that end books: neither headings nor text.
const ENDINGS: &[&str] = &["the end", "finis", "fin", "ende", "einde", "fine", "end", "the end of the book"];

/// A short text in lower case, reduced to its words.
pub(super) fn wording(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            plain.extend(c.to_lowercase());
        } else if !matches!(c, '\'' | '’') && !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    plain.trim_end().to_owned()
}

/// True for the name of a section without a number.
pub(super) fn is_name(wording: &str) -> bool {
    NAMES.contains(&wording)
}

/// True for the name of a list.
pub(super) fn is_list(wording: &str) -> bool {
    LISTS.contains(&wording)
}

/// True for `THE END` and similar phrases.
pub fn is_ending(text: &str) -> bool {
    ENDINGS.contains(&wording(text).as_str())
}

/// A label with its number and what follows on the line.
pub(super) struct Label {
    /// The canonical form of the word that is numbered.
    pub word: &'static str,
    /// Its number.
    pub number: u32,
    /// Volumes 0, parts 1, books and acts 2, chapters 3.
    pub rank: u8,
    /// Number of bytes of the line that it takes.
    pub len: usize,
}

/// The words of a line, each with its end; a dash ends a word: `SECOND.--THE RAIN`.
pub(super) fn ends(line: &str) -> Vec<(&str, usize)> {
    line.split_whitespace()
        .map(|word| {
            &word[..word.find("--").or_else(|| word.find('—')).filter(|at| *at > 0).unwrap_or(word.len())]
        })
        .map(|word| (word, word.as_ptr() as usize - line.as_ptr() as usize + word.len()))
        .collect()
}

fn counted(word: &str) -> Option<(&'static str, u8)> {
    if !word.starts_with(char::is_uppercase) {
        return None;
    }
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    COUNTED.iter().find(|(name, ..)| *name == word).map(|(_, stands, rank)| (*stands, *rank))
}

/// The label that a line begins with.
pub(super) fn label(line: &str) -> Option<Label> {
    let words = ends(line);
    let (first, _) = *words.first()?;
    let at = |n: usize| words.get(n).copied();
    if let Some((word, rank)) = counted(first) {
        let article = |word: &str| ["THE", "the", "The", "LE", "le", "No."].contains(&word);
        let (second, end) = at(1)?;
        let (counts, end) = if article(second) { at(2)? } else { (second, end) };
        let letter = word == "appendix" && counts.trim_end_matches(['.', ':']).chars().count() == 1;
        let small = || {
            roman(&counts.trim_end_matches(['.', ':', ',']).to_uppercase())
                .filter(|_| counts.chars().all(|c| !c.is_uppercase()))
        };
        let value = number(counts)
            .or_else(small)
            .or_else(|| letter.then(|| counts.chars().next().map_or(0, u32::from)))?;
        return Some(Label { word, number: value, rank, len: end });
    }
    let (second, end) = at(1)?;
    let (word, rank) = counted(second)?;
    let value =
        number(first).filter(|_| first.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))?;
    Some(Label { word, number: value, rank, len: end })
}

/// The text after a label: nothing, or a title that is separated from it.
pub(super) fn title_after(line: &str, len: usize) -> Option<Option<&str>> {
    let (label, rest) = line.split_at(len);
    let is_set_off = label.ends_with(['.', ':', ',', '—', '-', ')'])
        || rest.trim_start().starts_with(['-', '—', '–', ':', '.', '(']);
    let rest = rest.trim().trim_start_matches(['-', '—', '–', ':', '.', ' ']);
    let is_loud = rest.chars().all(|c| !c.is_lowercase());
    match rest {
        "" => Some(None),
        rest if is_set_off || is_loud => Some(Some(rest)),
        _ => None,
    }
}

/// A heading without surrounding marks of italics, stars and similar signs.
pub(super) fn bare(text: &str) -> &str {
    text.trim().trim_matches(['_', '*', '=', '~', '[', ']', '|', '#']).trim()
}

/// The numbers that begin the lines of a list of contents, with the word that is numbered.
pub fn listed(book: &str, block: &Block) -> Vec<(&'static str, u32)> {
    let lines = block.lines.iter().map(|line| bare(&book[line.range()]));
    lines.filter_map(label).map(|label| (label.word, label.number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_a_word_with_its_number() {
        let check = |line: &str, expected: Option<(&str, u32, u8, usize)>| {
            let found = label(line).map(|label| (label.word, label.number, label.rank, label.len));
            assert_eq!(found, expected, "{line}");
        };
        check("CHAPTER IV", Some(("chapter", 4, 3, 10)));
        check("Chapter iv. The Rain", Some(("chapter", 4, 3, 11)));
        check("Chapter iV", None);
        check("VOL. 2: The Rain", Some(("volume", 2, 0, 7)));
        check("PART THE SECOND.--THE RAIN", Some(("part", 2, 1, 16)));
        check("BOOK SECOND—THE RAIN", Some(("book", 2, 2, 11)));
        check("Letter No. 7", Some(("letter", 7, 3, 12)));
        check("Letter of 7", None);
        check("Appendix B. Rain", Some(("appendix", 66, 3, 11)));
        check("Appendix BC", None);
        check("Letter B", None);
        check("Erstes Kapitel: Regen", Some(("chapter", 1, 3, 15)));
        check("erstes Kapitel", None);
        check("3. Buch", Some(("book", 3, 2, 7)));
        check("Grey Buch", None);
        check("chapter IV", None);
        check("CHAPTER", None);
        check("CHAPTER THE", None);
        check("CHAPTER reeds", None);
        check("", None);
    }

    #[test]
    fn a_title_on_the_line_of_a_label_is_set_off_or_in_capitals() {
        let check = |line: &str, expected: Option<Option<&str>>| {
            assert_eq!(title_after(line, 10), expected, "{line}");
        };
        check("CHAPTER IV", Some(None));
        check("CHAPTER IV.", Some(None));
        check("CHAPTER IV The Rain", None);
        check("CHAPTER IV THE RAIN", Some(Some("THE RAIN")));
        check("CHAPTER I. The Rain", Some(Some("The Rain")));
        check("CHAPTER I) The Rain", Some(Some("The Rain")));
        check("CHAPTER IV: The Rain", Some(Some("The Rain")));
        check("CHAPTER IV -- The Rain", Some(Some("The Rain")));
        check("CHAPTER IV – The Rain", Some(Some("The Rain")));
        check("CHAPTER IV (The Rain)", Some(Some("(The Rain)")));
    }

    #[test]
    fn a_dash_ends_a_word() {
        assert_eq!(ends(" I--THE RAIN"), [("I", 2), ("RAIN", 12)]);
        assert_eq!(ends("II—So --x"), [("II", 2), ("--x", 11)]);
        assert!(ends(" ").is_empty());
    }

    #[test]
    fn the_wording_has_neither_case_nor_marks() {
        let check = |text: &str, expected: &str| assert_eq!(wording(text), expected, "{text}");
        check("_Author’s  Note:_", "authors note");
        check("  THE--END. ", "the end");
        check("Avant-propos", "avant propos");
        check("'Tis", "tis");
        check("***", "");
        assert!(is_name("preface") && !is_name("Preface") && !is_name("contents"));
        assert!(is_list("contents") && !is_list("preface"));
        assert!(is_ending("_THE END._") && !is_ending("The end of it"));
    }

    #[test]
    fn the_labels_of_contents_are_listed_with_their_words() {
        let book = "_CHAPTER I._ Rain\n  Part 2\nReeds\n[Chapter three]";
        let block = &crate::blocks::blocks(book)[0];
        assert_eq!(listed(book, block), [("chapter", 1), ("part", 2), ("chapter", 3)]);
        assert_eq!(bare(" *_= x ~|#]"), "x");
    }
}
