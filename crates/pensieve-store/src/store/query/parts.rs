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
pub(crate) const MIN_COMPOUND_CHARS: usize = 9;

/// The beginning of a chunk that tells its language: some thirty words.
const LANGUAGE_BYTES: usize = 200;

/// The parts of the words of a text, as the search table has them; `None` if there are none.
///
/// Cost: one pass over the text; a second one for texts in languages with compounds.
pub(crate) fn word_parts(text: &str) -> Option<String> {
    let mut out = String::new();
    for part in inner_capitals(text).flat_map(camel_parts) {
        let start = out.len();
        match part.is_ascii() {
            true => out.push_str(part),
            false => out.extend(part.chars().flat_map(char::to_lowercase)),
        }
        out[start..].make_ascii_lowercase();
        out.push(' ');
    }
    if has_compounds(text) {
        let compounds = text_words(text).into_iter().map(|word| word.folded.into_owned());
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

/// The words of a text with a capital, or a letter that is not ASCII, behind a letter: those that may be names in camel
/// case. Most words are not, and are passed over byte by byte.
fn inner_capitals(text: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let pairs = text.as_bytes()[from..].windows(2);
        let is_inner = |pair: &[u8]| {
            (pair[0].is_ascii_alphanumeric() || !pair[0].is_ascii())
                && (pair[1].is_ascii_uppercase() || !pair[1].is_ascii())
        };
        let at = from + pairs.into_iter().position(is_inner)?;
        let (before, behind) =
            (&text[from..text.floor_char_boundary(at)], &text[text.floor_char_boundary(at)..]);
        let start = before.rfind(|c: char| !c.is_alphanumeric());
        let start = start.map_or(from, |at| text.ceil_char_boundary(from + at + 1));
        let end = behind
            .find(|c: char| !c.is_alphanumeric())
            .map_or(text.len(), |by| text.len() - behind.len() + by);
        // A sign that is no letter: the next one is looked at.
        from = text.ceil_char_boundary(end.max(at + 1));
        Some(&text[start.min(end)..end])
    })
}

/// True for text in a language that writes compounds as one word.
fn has_compounds(text: &str) -> bool {
    let beginning = text[..text.floor_char_boundary(LANGUAGE_BYTES)].to_lowercase();
    let languages =
        Language::of(beginning.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()));
    !languages.is_empty() && languages.into_iter().all(Language::compounds)
}

/// The parts of a name in camel case, of two characters and more; none of a word that has none.
pub(crate) fn camel_parts(word: &str) -> impl Iterator<Item = &str> {
    // Most words have no capital inside.
    let may_have_parts = word.bytes().skip(1).any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
    let mut rest = if may_have_parts { word } else { "" };
    let parts = std::iter::from_fn(move || {
        let (part, next) = rest.split_at(part_len(rest));
        rest = next;
        (!part.is_empty()).then_some(part)
    });
    parts.filter(move |part| part.len() < word.len() && part.chars().nth(1).is_some())
}

/// The length of the first part: up to the `I` of `getId`, the `S` of `HTTPServer`.
fn part_len(word: &str) -> usize {
    let mut letters = word.char_indices().peekable();
    let mut previous: Option<char> = None;
    while let Some((at, c)) = letters.next() {
        let mut is_next_small = || letters.peek().is_some_and(|(_, next)| next.is_lowercase());
        if c.is_uppercase() && previous.is_some_and(|previous| !previous.is_uppercase() || is_next_small()) {
            return at;
        }
        previous = Some(c);
    }
    word.len()
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
