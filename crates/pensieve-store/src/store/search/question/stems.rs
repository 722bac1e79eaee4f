//! The forms of words: stemmers of the languages of a corpus, and the spellings of one word.
//!
//! Sources: M. F. Porter, "Snowball: A language for stemming algorithms" (2001), as built from its sources by `frostem`.

use crate::store::query::characters::with_signs;
use frostem::{Algorithm, Stemmer};
use pensieve_text::text::function_words::Language;
use std::collections::BTreeSet;

/// A language is in the corpus if this share of its chunks has each of three of its four most frequent words.
const MIN_LANGUAGE_SHARE: f64 = 0.002;

/// The stemmers for the words of one question.
pub(crate) struct Stemmers {
    stemmers: Vec<(Script, Stemmer)>,
    /// The languages that the question may be in.
    pub languages: Vec<Language>,
}

/// The letters that a stemmer knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Devanagari,
}

impl Stemmers {
    /// Those of the language that the function words of a question show; if it has none, of the languages of the corpus, which
    /// has so many chunks, and `chunks_with` one word.
    ///
    /// Cost: without function words some sixty look-ups in the vocabulary.
    pub fn new<'w>(
        words: impl Iterator<Item = &'w str>,
        chunks: f64,
        chunks_with: impl Fn(&str) -> rusqlite::Result<u64>,
    ) -> rusqlite::Result<Stemmers> {
        let mut languages = Language::of(words);
        if languages.is_empty() {
            let least = (chunks * MIN_LANGUAGE_SHARE).max(1.0) as u64;
            for (language, words) in Language::signatures() {
                let mut known = 0;
                for word in words {
                    known += usize::from(chunks_with(word)? >= least);
                }
                // Three of four: one of them may be a word of another language.
                if known >= 3 {
                    languages.push(language);
                }
            }
        }
        if languages.is_empty() {
            languages.push(Language::English);
        }
        // Names and loan words of other scripts have the most widely used language of these.
        let mut known: Vec<Language> = languages.clone();
        known.extend([Language::Greek, Language::Russian, Language::Arabic, Language::Hindi]);
        if !known.iter().any(|language| stemmer(*language).is_some_and(|(script, _)| script == Script::Latin))
        {
            known.push(Language::English);
        }
        let mut seen = BTreeSet::new();
        known.retain(|language| seen.insert(*language));
        Ok(Stemmers { stemmers: known.into_iter().filter_map(stemmer).collect(), languages })
    }

    /// The stems of a folded word, one for each language that has its letters; none for a word with digits.
    pub fn stems(&self, word: &str) -> Vec<String> {
        let word = plain_letters(&with_signs(word));
        let Some(script) = script_of(&word) else { return Vec::new() };
        let stemmers = self.stemmers.iter().filter(|(known, _)| *known == script);
        let stems: BTreeSet<String> = stemmers.map(|(_, stemmer)| stemmer.stem(&word).into_owned()).collect();
        stems.into_iter().collect()
    }

    /// True for a word without matter in the language of the question.
    pub fn is_function_word(&self, word: &str) -> bool {
        let word = with_signs(word);
        self.languages.iter().any(|language| language.has_function_word(&word))
    }
}

/// The stemmer of a language; none for a language whose words have no forms, or that no stemmer knows.
fn stemmer(language: Language) -> Option<(Script, Stemmer)> {
    let (script, algorithm) = match language {
        Language::English => (Script::Latin, Algorithm::English),
        Language::German => (Script::Latin, Algorithm::German),
        Language::French => (Script::Latin, Algorithm::French),
        Language::Spanish => (Script::Latin, Algorithm::Spanish),
        Language::Portuguese => (Script::Latin, Algorithm::Portuguese),
        Language::Italian => (Script::Latin, Algorithm::Italian),
        Language::Romanian => (Script::Latin, Algorithm::Romanian),
        Language::Dutch => (Script::Latin, Algorithm::Dutch),
        Language::Swedish => (Script::Latin, Algorithm::Swedish),
        Language::Danish => (Script::Latin, Algorithm::Danish),
        Language::Norwegian => (Script::Latin, Algorithm::Norwegian),
        Language::Finnish => (Script::Latin, Algorithm::Finnish),
        Language::Hungarian => (Script::Latin, Algorithm::Hungarian),
        Language::Turkish => (Script::Latin, Algorithm::Turkish),
        Language::Indonesian => (Script::Latin, Algorithm::Indonesian),
        Language::Russian => (Script::Cyrillic, Algorithm::Russian),
        Language::Greek => (Script::Greek, Algorithm::Greek),
        Language::Arabic => (Script::Arabic, Algorithm::Arabic),
        Language::Hindi => (Script::Devanagari, Algorithm::Hindi),
        Language::Polish | Language::Czech | Language::Vietnamese | Language::Ukrainian => return None,
    };
    Some((script, Stemmer::new(algorithm)))
}

/// The script of a word of letters and signs alone.
fn script_of(word: &str) -> Option<Script> {
    let script = match word.chars().next()? {
        'a'..='z' | '\u{c0}'..='\u{24f}' => Script::Latin,
        '\u{370}'..='\u{3ff}' => Script::Greek,
        '\u{400}'..='\u{4ff}' => Script::Cyrillic,
        '\u{600}'..='\u{6ff}' => Script::Arabic,
        '\u{900}'..='\u{97f}' => Script::Devanagari,
        _ => return None,
    };
    let is_whole = word.chars().all(|c| c.is_alphabetic() || script == Script::Devanagari && !c.is_numeric());
    is_whole.then_some(script)
}

/// What stands before a word in Arabic without being part of it: articles, conjunctions and prepositions, the longest first.
const ARABIC_PREFIXES: &[&str] = &["وال", "فال", "بال", "كال", "لل", "ال", "و", "ف", "ب", "ك", "ل"];

/// The beginnings at which the forms of a word are looked for: the word's own, and in Arabic those with what may stand before.
pub(crate) fn beginnings(word: &str) -> Vec<String> {
    let accents: &[(char, char)] = match script_of(word) {
        Some(Script::Arabic) => return arabic_beginnings(word),
        Some(Script::Greek) => GREEK_ACCENTS,
        Some(Script::Cyrillic) => CYRILLIC_DOTS,
        _ => &[],
    };
    let mut all = vec![word.to_owned()];
    if accents.is_empty() {
        return all;
    }
    // A word has one accent, which may be left out.
    let plain = plain_letters(word);
    for (at, c) in plain.char_indices() {
        let marked = accents.iter().filter(|(letter, _)| *letter == c).map(|(_, marked)| marked);
        all.extend(marked.map(|marked| format!("{}{marked}{}", &plain[..at], &plain[at + c.len_utf8()..])));
    }
    all.push(plain);
    all.sort();
    all.dedup();
    all
}

/// Letters that are often written without their mark, with and without it.
const GREEK_ACCENTS: &[(char, char)] =
    &[('α', 'ά'), ('ε', 'έ'), ('η', 'ή'), ('ι', 'ί'), ('ο', 'ό'), ('υ', 'ύ'), ('ω', 'ώ')];
const CYRILLIC_DOTS: &[(char, char)] = &[('е', 'ё')];
const ARABIC_ALEFS: &[(char, char)] = &[('ا', 'أ'), ('ا', 'إ'), ('ا', 'آ')];

/// A word without the marks that people leave out; a sigma is one letter.
fn plain_letters(word: &str) -> String {
    let marks = [GREEK_ACCENTS, CYRILLIC_DOTS, ARABIC_ALEFS];
    let plain = |c: char| match c {
        'ς' => 'σ',
        _ => {
            marks.iter().copied().flatten().find(|(_, marked)| *marked == c).map_or(c, |(letter, _)| *letter)
        }
    };
    word.chars().map(plain).collect()
}

fn arabic_beginnings(word: &str) -> Vec<String> {
    let letters = |text: &str| text.chars().count();
    let bare =
        // Most Arabic roots have three letters: with fewer left, the prefix is part of the word.
        ARABIC_PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix).filter(|rest| letters(rest) >= 3));
    let mut all = vec![word.to_owned()];
    // The first letter of a word may look like a prefix.
    for bare in bare.into_iter().chain([word]) {
        let plain = plain_letters(bare);
        let alefs = ARABIC_ALEFS
            .iter()
            .filter_map(|(alef, marked)| plain.strip_prefix(*alef).map(|rest| format!("{marked}{rest}")));
        for spelled in alefs.chain([bare.to_owned(), plain.clone()]) {
            all.extend(ARABIC_PREFIXES.iter().map(|prefix| format!("{prefix}{spelled}")));
            all.push(spelled);
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Spellings of which people type one for the other, as pairs; each is tried in both directions.
const SPELLINGS: &[(&str, &str)] = &[("ss", "ß"), ("oe", "œ"), ("ae", "æ"), ("th", "þ")];

/// Letters that the index keeps, and those that people type for them.
const LETTERS: &[(char, char)] = &[('l', 'ł'), ('o', 'ø'), ('d', 'đ'), ('d', 'ð'), ('i', 'ı')];

/// A word that does not occur with other letters: one for another, wherever it stands, would be too many words for each word.
pub(super) fn letter_spellings(word: &str) -> Vec<String> {
    let pairs = LETTERS.iter().flat_map(|&(plain, other)| [(plain, other), (other, plain)]);
    let pairs = pairs.filter(|(from, _)| word.contains(*from));
    pairs.map(|(from, to)| word.replace(from, &to.to_string())).collect()
}

/// Other spellings of a folded word: `strasse` for `straße`, `oeuvre` for `œuvre`; with `ae`, `oe`, `ue` for a letter with two
/// dots, which the index has without them. `typed` is the word before it was folded.
pub(super) fn spellings(word: &str, typed: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (a, b) in SPELLINGS {
        for (from, to) in [(a, b), (b, a)] {
            if word.contains(from) {
                found.insert(word.replace(from, to));
            }
        }
    }
    for (two, one) in [("ae", "a"), ("oe", "o"), ("ue", "u")] {
        if word.contains(two) {
            found.insert(word.replace(two, one));
        }
    }
    let dotted = typed.to_lowercase();
    if dotted.contains(['ä', 'ö', 'ü']) {
        let spelled = dotted.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue");
        found.insert(spelled.replace('ß', "ss"));
        found.insert(spelled);
    }
    found.remove(word);
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_script_of_all_its_letters() {
        let check = |word: &str, expected: Option<Script>| assert_eq!(script_of(word), expected, "{word}");
        check("limits", Some(Script::Latin));
        check("книгами", Some(Script::Cyrillic));
        check("αγοράς", Some(Script::Greek));
        check("كتاب", Some(Script::Arabic));
        check("हिन्दी", Some(Script::Devanagari));
        check("x86", None);
        check("数", None);
    }

    #[test]
    fn words_have_other_spellings() {
        let check = |typed: &str, folded: &str, expected: &[&str]| {
            assert_eq!(spellings(folded, typed), expected, "{typed}");
        };
        check("Strasse", "strasse", &["straße"]);
        check("Straße", "straße", &["strasse"]);
        check("Kuendigung", "kuendigung", &["kundigung"]);
        check("Kündigung", "kundigung", &["kuendigung"]);
        check("Größe", "große", &["groesse", "groeße", "grosse"]);
        check("lamp", "lamp", &[]);
        check("œuvre", "œuvre", &["oeuvre"]);
        assert_eq!(letter_spellings("lodz"), ["łodz", "lødz", "lođz", "loðz"]);
    }

    #[test]
    fn arabic_words_begin_with_what_may_stand_before() {
        let found = beginnings("الكتاب");
        assert!(found.contains(&"كتاب".to_owned()) && found.contains(&"وكتاب".to_owned()), "{found:?}");
        assert!(beginnings("احمد").contains(&"أحمد".to_owned()));
        assert_eq!(beginnings("lamp"), ["lamp"]);
        assert_eq!(beginnings("елка"), ["елка", "ёлка"]);
        assert_eq!(beginnings("ёлка"), ["елка", "ёлка"]);
        assert_eq!(beginnings("φως"), ["φως", "φωσ", "φώσ"]);
    }
}
