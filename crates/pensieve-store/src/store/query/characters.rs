//! Which characters make words, as SQLite's `unicode61` sees them, and scripts that put no space between words.
//!
//! `unicode61` takes letters, digits and private-use characters for parts of words and everything else for space
//! between them. A run of Chinese, Japanese or Thai is then one word, which nobody would type, and the vowel signs of
//! Hindi and Thai, which are marks, divide words and are lost. For the search table of such chunks
//! (`chunks_fts_unspaced`) the text is spelled otherwise: each two neighbours of a script without spaces are a word, so that
//! a phrase of such words finds any part of a run; vowel signs are private-use characters, which stay in the word; the
//! marks that Arabic and Hebrew may leave out are left out. The tokenizer stays the built-in one; only the text that it
//! sees differs.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use unicode_normalization::char::is_combining_mark;

/// Letters of scripts that put no space between words, or between a word and its endings: first and last character.
const UNSPACED: &[(char, char)] = &[
    ('\u{0e00}', '\u{0eff}'),   // Thai, Lao
    ('\u{1000}', '\u{109f}'),   // Burmese
    ('\u{1100}', '\u{11ff}'),   // Korean letters
    ('\u{1780}', '\u{17ff}'),   // Khmer
    ('\u{1950}', '\u{19df}'),   // Tai Le, New Tai Lue
    ('\u{1a20}', '\u{1aad}'),   // Tai Tham
    ('\u{3005}', '\u{3007}'),   // marks that stand for an ideograph
    ('\u{3031}', '\u{3035}'),   // marks that repeat kana
    ('\u{3041}', '\u{30ff}'),   // Hiragana, Katakana
    ('\u{3105}', '\u{318e}'),   // Bopomofo, Korean letters
    ('\u{31a0}', '\u{31bf}'),   // Bopomofo
    ('\u{31f0}', '\u{31ff}'),   // Katakana
    ('\u{3400}', '\u{4dbf}'),   // ideographs
    ('\u{4e00}', '\u{9fff}'),   // ideographs
    ('\u{a000}', '\u{a48c}'),   // Yi
    ('\u{a960}', '\u{a97c}'),   // Korean letters
    ('\u{a9e0}', '\u{a9fe}'),   // Burmese
    ('\u{aa60}', '\u{aadf}'),   // Burmese, Tai Viet
    ('\u{ac00}', '\u{d7fb}'),   // Korean syllables and letters
    ('\u{f900}', '\u{faff}'),   // ideographs
    ('\u{ff66}', '\u{ffdc}'),   // half-width kana and Korean letters
    ('\u{1aff0}', '\u{1b16f}'), // Kana
    ('\u{20000}', '\u{3ffff}'), // ideographs
];

/// True for characters that may be part of a word.
pub(crate) fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '\u{e000}'..='\u{f8ff}')
}

/// True for characters that begin or continue a word for the tokenizer; marks, even those that are vowels, divide
/// words.
pub(crate) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || (!c.is_ascii() && is_word_character(c) && !is_combining_mark(c))
}

/// True if a text has something to search for.
pub(crate) fn has_word(text: &str) -> bool {
    text.chars().any(is_letter)
}

/// True for invisible characters that join nothing and are often pasted with copied text.
pub(crate) fn is_format_character(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// True for letters of scripts without spaces.
pub(crate) fn is_unspaced(c: char) -> bool {
    if c < '\u{0e00}' {
        return false;
    }
    let at = UNSPACED.partition_point(|(_, last)| *last < c);
    UNSPACED.get(at).is_some_and(|(first, _)| *first <= c) && is_letter(c)
}

/// The first and the last block whose combining marks are vowels and other parts of words: Devanagari to the Vedic signs.
const SIGNS: RangeInclusive<char> = '\u{0900}'..='\u{1cff}';

/// The letters that stand for signs: the blocks have 5,120 characters, private use has 6,400.
const SIGN_LETTERS: RangeInclusive<char> = '\u{e000}'..='\u{f3ff}';

/// The letter that stands for a vowel sign or another mark that belongs to a word, also where that letter stands for it
/// already; `None` for other characters.
pub(crate) fn sign_letter(c: char) -> Option<char> {
    if SIGN_LETTERS.contains(&c) {
        return Some(c);
    }
    let is_sign = SIGNS.contains(&c) && is_combining_mark(c);
    is_sign.then(|| char::from_u32(u32::from(c) - u32::from(*SIGNS.start()) + 0xe000)).flatten()
}

/// A word of the index as people write it, with its signs.
pub(crate) fn with_signs(word: &str) -> Cow<'_, str> {
    if !word.contains(|c| SIGN_LETTERS.contains(&c)) {
        return Cow::Borrowed(word);
    }
    let sign = |c: char| match SIGN_LETTERS.contains(&c) {
        true => char::from_u32(u32::from(c) - 0xe000 + u32::from(*SIGNS.start())).unwrap_or(c),
        false => c,
    };
    Cow::Owned(word.chars().map(sign).collect())
}

/// True for marks that writers of Arabic and Hebrew mostly leave out, and for the stroke that widens Arabic words.
pub(crate) fn is_optional_mark(c: char) -> bool {
    matches!(c, '\u{0591}'..='\u{05bd}' | '\u{05bf}'..='\u{05c7}' | '\u{0610}'..='\u{061a}' | '\u{0640}'
        | '\u{064b}'..='\u{065f}' | '\u{0670}' | '\u{06d6}'..='\u{06dc}' | '\u{06df}'..='\u{06e8}')
}

/// True if a text is spelled otherwise for the search table of scripts that `unicode61` divides wrongly.
///
/// Cost: one fast pass over text in ASCII.
pub(crate) fn is_respelled(text: &str) -> bool {
    let is_other = |c: char| is_unspaced(c) || is_optional_mark(c) || sign_letter(c).is_some();
    // A character below U+0580 has a smaller lead byte.
    text.bytes().any(|byte| byte >= 0xd6) && text.chars().any(is_other)
}

/// The text as that table has it: of a run of letters without spaces each two neighbours, and the last one, as words;
/// letters for vowel signs; no optional marks.
pub(crate) fn respelled(text: &str) -> Cow<'_, str> {
    if !is_respelled(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    let mut run: Vec<String> = Vec::new();
    for c in text.chars().filter(|c| !is_optional_mark(*c)) {
        match (sign_letter(c), run.last_mut()) {
            (Some(sign), Some(letter)) => letter.push(sign),
            (Some(sign), None) => out.push(sign),
            (None, _) if is_unspaced(c) => run.push(c.to_string()),
            (None, _) => {
                end_run(&mut out, &mut run);
                out.push(c);
            }
        }
    }
    end_run(&mut out, &mut run);
    Cow::Owned(out)
}

/// Writes the words of a run of letters.
fn end_run(out: &mut String, run: &mut Vec<String>) {
    for (at, letter) in run.iter().enumerate() {
        let next = run.get(at + 1).map(String::as_str);
        out.extend([" ", letter, next.unwrap_or(" ")]);
    }
    run.clear();
}

/// A phrase as it is looked up in that table, and whether its last word is a beginning: what follows a run in a text, a letter
/// or a sign, is not known.
pub(crate) fn respelled_phrase(text: &str) -> (Cow<'_, str>, bool) {
    let phrase = respelled(text);
    let letters = text.chars().rev().filter(|c| !is_optional_mark(*c) && sign_letter(*c).is_none());
    match letters.take_while(|c| is_unspaced(*c)).take(2).count() {
        0 => (phrase, false),
        1 => (phrase, true),
        _ => {
            let whole = phrase.trim_end().rfind(' ').map_or(0, |at| at + 1);
            (phrase[..whole].to_owned().into(), true)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_stand_in_order_and_do_not_overlap() {
        assert!(UNSPACED.iter().all(|(first, last)| first < last));
        assert!(UNSPACED.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn the_first_and_the_last_letter_of_a_script_belong_to_it() {
        for (first, last) in UNSPACED {
            let letters: Vec<char> = (*first..=*last).filter(|c| is_letter(*c)).collect();
            assert!(letters.iter().all(|c| is_unspaced(*c)), "{first}-{last}");
            let next = char::from_u32(u32::from(*last) + 1).unwrap();
            let is_of_next = UNSPACED.iter().any(|(first, _)| *first == next);
            assert!(!is_unspaced(next) || is_of_next, "{next}");
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(respelled(text), expected);
    }

    #[test]
    fn letters_without_spaces_are_set_apart() {
        check("plain text, Größe, Привет", "plain text, Größe, Привет");
        check("使用SQLite库", " 使用 用 SQLite 库 ");
        check("東京、タワー", " 東京 京 、 タワ ワー ー ");
        check("한국어 x", " 한국 국어 어  x");
        check("ไทย", " ไท ทย ย ");
        check("ที่นี่", " ท\u{e535}\u{e548}น\u{e535}\u{e548} น\u{e535}\u{e548} ");
        check("हिन्दी", "ह\u{e03f}न\u{e04d}द\u{e040}");
        check("كِتـَاب", "كتاب");
        check("𠮷野", " 𠮷野 野 ");
    }

    #[test]
    fn a_phrase_may_end_inside_a_run() {
        let check = |text: &str, phrase: &str, is_prefix: bool| {
            assert_eq!(respelled_phrase(text), (phrase.into(), is_prefix), "{text}");
        };
        check("数据库", " 数据 据库 ", true);
        check("库", " 库 ", true);
        check("使用SQLite库", " 使用 用 SQLite 库 ", true);
        check("使用SQLite", " 使用 用 SQLite", false);
        check("lamp", "lamp", false);
    }

    #[test]
    fn words_have_letters_or_digits() {
        let check = |text: &str, expected: bool| assert_eq!(has_word(text), expected, "{text}");
        check("C++", true);
        check("42", true);
        check("++ -- :: 🎉", false);
        check("\u{301}", false);
        check("ก", true);
    }

    #[test]
    fn letters_are_what_the_tokenizer_takes_for_parts_of_words() {
        let check = |c: char, word: bool, letter: bool| {
            assert_eq!((is_word_character(c), is_letter(c)), (word, letter), "{c:?}");
        };
        check('a', true, true);
        check('7', true, true);
        check('_', false, false);
        check('é', true, true);
        check('\u{301}', true, false);
        check('\u{e000}', true, true);
        check('\u{f8ff}', true, true);
        check('\u{3001}', false, false);
    }

    #[test]
    fn text_is_respelled_for_its_letters_and_marks() {
        let check = |text: &str, expected: bool| assert_eq!(is_respelled(text), expected, "{text:?}");
        check("\u{dff}", false);
        check("ࠀ", false);
        check("كتاب", false);
        check("كِتاب", true);
        check("हिन्दी", true);
        check("\u{e01}", true);
        check("ascii and ß", false);
    }
}
