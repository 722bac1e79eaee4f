//! The words of a text, divided and folded as SQLite's `unicode61 remove_diacritics 2` does it, with the letters of
//! scripts without spaces one by one.

use crate::store::query::characters::{is_letter, is_unspaced};
use unicode_normalization::char::decompose_canonical;

/// A word of a text: folded, with its place in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextWord {
    pub folded: String,
    pub start: usize,
    pub end: usize,
}

/// The words of a text, in order.
pub(super) fn text_words(text: &str) -> Vec<TextWord> {
    let mut found: Vec<TextWord> = Vec::new();
    let mut is_open = false;
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        let continues = is_letter(c) || (is_open && is_diacritic(c));
        if !continues {
            is_open = false;
            continue;
        }
        let alone = is_unspaced(c);
        if !is_open || alone {
            found.push(TextWord { folded: String::new(), start, end });
        }
        if let Some(word) = found.last_mut() {
            word.end = end;
            if !is_diacritic(c) {
                fold(c, &mut word.folded);
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
