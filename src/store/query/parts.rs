//! The parts of words by which people look for them: `shipping method` for `getShippingMethodId`, `Ausschuss` for
//! `Untersuchungsausschuss`.
//!
//! A name in camel case says where its parts begin. A compound does not, and a dictionary would be another for each
//! language: it is kept spelled backwards, so that a word that it ends with is a beginning of its entry, and the search
//! takes it apart where both parts occur as words.

use super::words::text_words;
use pensieve_text::text::function_words::Language;

/// What an entry for a word spelled backwards begins with: a private-use character, so that no word of a text is like it.
pub(crate) const BACKWARDS: char = '\u{f400}';

/// Letters of a word that is kept backwards, at least: two words of four and five.
const MIN_COMPOUND_CHARS: usize = 9;

/// Words at the beginning of a chunk that tell its language.
const LANGUAGE_WORDS: usize = 32;

/// The parts of the words of a text, as the search table has them; `None` if there are none.
///
/// Cost: one pass over the text; a second one for texts in languages with compounds.
pub(crate) fn word_parts(text: &str) -> Option<String> {
    let mut out = String::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| has_inner_capital(word)) {
        for part in camel_parts(word) {
            out.extend(part.chars().flat_map(char::to_lowercase));
            out.push(' ');
        }
    }
    if has_compounds(text) {
        let compounds = text_words(text).into_iter().map(|word| word.folded);
        for word in compounds.filter(|word| word.chars().count() >= MIN_COMPOUND_CHARS) {
            if word.chars().all(char::is_alphabetic) {
                out.push(BACKWARDS);
                out.extend(word.chars().rev());
                out.push(' ');
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

/// True for a word that may be a name in camel case; most words are not, and are asked nothing more.
fn has_inner_capital(word: &str) -> bool {
    word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
}

/// True for text in a language that writes compounds as one word.
fn has_compounds(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(LANGUAGE_WORDS).map(str::to_lowercase).collect();
    let languages = Language::of(words.iter().map(String::as_str));
    !languages.is_empty() && languages.into_iter().all(Language::compounds)
}

/// The parts of a name in camel case, of two characters and more; none of a word that has none.
pub(crate) fn camel_parts(word: &str) -> impl Iterator<Item = &str> {
    let mut starts = vec![0];
    let mut previous: Option<char> = None;
    for (at, c) in word.char_indices() {
        let next = || word[at + c.len_utf8()..].chars().next();
        let begins = c.is_uppercase()
            && previous.is_some_and(|previous| {
                // `getId` before I, `HTTPServer` before S.
                !previous.is_uppercase() || next().is_some_and(char::is_lowercase)
            });
        if begins {
            starts.push(at);
        }
        previous = Some(c);
    }
    let is_name = starts.len() > 1;
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([word.len()]).collect();
    let parts = starts.into_iter().zip(ends).map(move |(start, end)| &word[start..end]);
    parts.filter(move |part| is_name && part.chars().nth(1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_parts() {
        let check = |word: &str, expected: &[&str]| {
            assert_eq!(camel_parts(word).collect::<Vec<_>>(), expected, "{word}");
        };
        check("getShippingMethodId", &["get", "Shipping", "Method", "Id"]);
        check("HTTPServerErrorHandler", &["HTTP", "Server", "Error", "Handler"]);
        check("parseURL", &["parse", "URL"]);
        check("Größe2Ändern", &["Größe2", "Ändern"]);
        check("Lamp", &[]);
        check("LAMP", &[]);
        check("lamp", &[]);
        check("", &[]);
    }

    #[test]
    fn long_words_are_kept_backwards_in_languages_that_compound() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(word_parts(text).as_deref(), expected, "{text}");
        };
        check("Das ist der Untersuchungsausschuss", Some("\u{f400}ssuhcssuasgnuhcusretnu "));
        check("Das Gesetz", None);
        check("an internationalization of words", None);
        check("see parseUrl", Some("parse url "));
    }
}
