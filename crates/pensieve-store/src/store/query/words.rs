//! The words of a text, divided and folded as SQLite's `unicode61 remove_diacritics 2` does it with the text as it is
//! spelled for the search tables: the letters of scripts without spaces one by one, vowel signs in their words.

use super::characters::{is_letter, is_optional_mark, is_unspaced, sign_letter};
use std::borrow::Cow;
use unicode_normalization::char::decompose_canonical;

/// A word of a text: folded, with its place in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextWord<'t> {
    pub folded: Cow<'t, str>,
    pub start: usize,
    pub end: usize,
}

/// The words of a text, in order.
pub(crate) fn text_words(text: &str) -> Vec<TextWord<'_>> {
    let mut found: Vec<TextWord<'_>> = Vec::new();
    let mut is_open = false;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        // Most words are runs of ASCII.
        let run = text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if run > 0 && !is_open {
            let end = start + run;
            let mut folded = Cow::Borrowed(&text[start..end]);
            if folded.bytes().any(|byte| byte.is_ascii_uppercase()) {
                folded.to_mut().make_ascii_lowercase();
            }
            found.push(TextWord { folded, start, end });
            (at, is_open) = (end, true);
            continue;
        }
        let end = start + c.len_utf8();
        at = end;
        if is_optional_mark(c) {
            continue;
        }
        let last = found.last_mut().filter(|word| word.end == start);
        if let (Some(sign), Some(word)) = (sign_letter(c), last) {
            word.folded.to_mut().push(sign);
            word.end = end;
            continue;
        }
        let continues = is_letter(c) || (is_open && is_diacritic(c));
        if !continues {
            is_open = false;
            continue;
        }
        let alone = is_unspaced(c);
        if !is_open || alone {
            found.push(TextWord { folded: Cow::default(), start, end });
        }
        if let Some(word) = found.last_mut() {
            word.end = end;
            if !is_diacritic(c) {
                fold(c, word.folded.to_mut());
            }
        }
        is_open = !alone;
    }
    found
}

fn is_diacritic(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{331}')
}

/// Lower case; Latin letters without their diacritics.
fn fold(c: char, out: &mut String) {
    if c.is_ascii() {
        return out.push(c.to_ascii_lowercase());
    }
    for lower in c.to_lowercase() {
        let mut base = lower;
        let mut first = true;
        decompose_canonical(lower, |part| {
            if first {
                base = part;
                first = false;
            }
        });
        match base.is_ascii() {
            true => out.push(base),
            false if is_diacritic(lower) => {}
            false => out.push(lower),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_divided_and_folded_as_the_tokenizer_does_it() {
        let check = |text: &str, expected: &[(&str, usize, usize)]| {
            let words = text_words(text);
            let words: Vec<_> = words.iter().map(|word| (&*word.folded, word.start, word.end)).collect();
            assert_eq!(words, expected, "{text:?}");
        };
        check("", &[]);
        check(" - ", &[]);
        check("Ab c1", &[("ab", 0, 2), ("c1", 3, 5)]);
        check("é", &[("e", 0, 2)]);
        check("e\u{301}x", &[("ex", 0, 4)]);
        check("\u{301}a", &[("a", 2, 3)]);
        check("a \u{301}b", &[("a", 0, 1), ("b", 4, 5)]);
        check("a\u{300}b", &[("ab", 0, 4)]);
        check("a\u{331}b", &[("ab", 0, 4)]);
        check("a\u{332}b", &[("a", 0, 1), ("b", 3, 4)]);
        check("a\u{2ff}b", &[("a", 0, 1), ("b", 3, 4)]);
        check("数x", &[("数", 0, 3), ("x", 3, 4)]);
        check("x数据", &[("x", 0, 1), ("数", 1, 4), ("据", 4, 7)]);
        check("数\u{301}", &[("数", 0, 3)]);
        check("İ", &[("i", 0, 2)]);
        check("ЖЙ", &[("жй", 0, 4)]);
        check("ß", &[("ß", 0, 2)]);
        check("ที่x", &[("ท\u{e535}\u{e548}", 0, 9), ("x", 9, 10)]);
        check("हिन्दी", &[("ह\u{e03f}न\u{e04d}द\u{e040}", 0, 18)]);
        check("كِتاب", &[("كتاب", 0, 10)]);
    }
}
