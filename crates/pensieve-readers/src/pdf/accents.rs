//! Letters whose accent is a glyph of its own, since their font has no letters with accents: TeX draws `¨`, goes back, and
//! draws `o` under it (`\accent`: Knuth, The TeXbook, chapter 9); others draw the letter first.

use pensieve_text::layout::bidi;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, is_combining_mark};

/// The letter that a letter and an accent drawn over it are; none if the glyph is no accent, or no such letter exists.
pub(super) fn composed(letter: char, accent: char) -> Option<char> {
    // The bar of the Polish letter is no accent to Unicode.
    match (letter, accent) {
        ('l', '\u{335}'..='\u{338}') => return Some('ł'),
        ('L', '\u{335}'..='\u{338}') => return Some('Ł'),
        _ => {}
    }
    let letter = dotted(letter);
    let is_wanted = letter.is_alphabetic() && !bidi::is_right_to_left(letter);
    compose(letter, combining(accent)?).filter(|_| is_wanted)
}

/// True if a letter has this accent.
pub(super) fn has_accent(letter: char, accent: char) -> bool {
    combining(accent).is_some_and(|mark| parts(letter).skip(1).any(|part| part == mark))
}

/// True if a letter with accents is made of this letter.
pub(super) fn is_base(base: char, letter: char) -> bool {
    base != letter && parts(letter).next() == Some(dotted(base))
}

/// A letter and its accents.
fn parts(letter: char) -> impl Iterator<Item = char> {
    [letter].into_iter().nfd()
}

/// Letters without their dot are drawn below accents.
fn dotted(letter: char) -> char {
    match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        _ => letter,
    }
}

/// The combining mark of an accent.
fn combining(accent: char) -> Option<char> {
    Some(match accent {
        '`' => '\u{300}',
        '´' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '°' | '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        mark if mark >= '\u{300}' && is_combining_mark(mark) => mark,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accent_and_a_letter_are_one_letter() {
        let letters: String = [
            ('o', '¨'),
            ('e', '´'),
            ('a', '`'),
            ('e', 'ˆ'),
            ('n', '˜'),
            ('s', 'ˇ'),
            ('o', '˝'),
            ('c', '¸'),
            ('u', '˚'),
            ('ı', '¨'),
            ('E', '´'),
            ('a', '¯'),
            ('g', '˘'),
            ('z', '˙'),
            ('a', '˛'),
            ('o', '\u{308}'),
            ('a', '^'),
            ('n', '~'),
            ('ȷ', 'ˇ'),
        ]
        .map(|(letter, accent)| composed(letter, accent).unwrap_or(' '))
        .into_iter()
        .collect();
        assert_eq!(letters, "öéàêñšőçůïÉāğżąöâñǰ");
        assert_eq!((composed('L', '\u{337}'), composed('l', '\u{338}')), (Some('Ł'), Some('ł')));
        for (letter, accent) in [('q', '¨'), ('o', '.'), ('1', '´'), ('¨', 'o'), (' ', '´')] {
            assert_eq!(composed(letter, accent), None, "{letter}{accent}");
        }
    }

    #[test]
    fn a_letter_has_its_parts() {
        assert!(is_base('o', 'ö') && is_base('ı', 'ï') && is_base('e', 'ế'));
        assert!(!is_base('o', 'o') && !is_base('a', 'ö') && !is_base('ö', 'o'));
        assert!(
            has_accent('ö', '¨')
                && has_accent('ế', '´')
                && has_accent('ế', 'ˆ')
                && has_accent('ö', '\u{308}')
        );
        assert!(!has_accent('ö', '´') && !has_accent('o', '¨') && !has_accent('ö', 'o'));
    }
}
