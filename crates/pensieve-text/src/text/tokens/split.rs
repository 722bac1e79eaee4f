//! The pre-tokenizers, which split a text into the pieces that are tokenized one by one.
//!
//! Three patterns serve all encodings. They are written by hand, because a regular-expression engine costs more than
//! everything else together (6 MB/s with look-ahead, 48 MB/s without, against some hundreds here). Each function is
//! one pattern, `piece_end(bytes, at)`: the end of the piece that begins at `at`. A pattern keeps no state across a
//! piece boundary and has no look-behind; `bytes` ends where the text ends, which matters for trailing white space.

use super::classes::{self, BYTES, LETTER, LOWER, NEWLINE, NUMBER, OTHER, SPACE, UPPER, WIDE};

/// One way to split text.
pub(super) trait Pattern {
    /// The end of the piece that begins at `at`; `at` must lie inside and on a character boundary.
    fn piece_end(bytes: &[u8], at: usize) -> usize;
}

/// `'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`
pub(super) struct Cl100k;

/// Words that split where lower case turns upper, with their contraction; numbers by three; then as `Cl100k`, but
/// with `/` among what may follow punctuation, and no special rule for white space that ends the text:
///
/// ```text
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
/// \p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
/// ```
pub(super) struct O200k;

/// `'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s`
pub(super) struct Gpt2;

impl Pattern for Cl100k {
    #[inline(always)]
    fn piece_end(bytes: &[u8], at: usize) -> usize {
        let (class, length) = classes::at(bytes, at);
        let next = at + length;
        if class & LETTER != 0 {
            return skip_letters(bytes, next);
        }
        if class & NUMBER != 0 {
            return up_to_three_numbers(bytes, next);
        }
        if bytes[at] == b'\'' {
            let end = contraction_end(bytes, at, true);
            if end > at {
                return end;
            }
        }
        let following = class_after(bytes, next);
        if following & LETTER != 0 && class & NEWLINE == 0 {
            return skip_letters(bytes, next);
        }
        if class & OTHER != 0 || (bytes[at] == b' ' && following & OTHER != 0) {
            return skip(bytes, skip(bytes, next, OTHER), NEWLINE);
        }
        let blank = Blank::at(bytes, at);
        if blank.end == bytes.len() {
            return blank.end;
        }
        if blank.after_newline > at { blank.after_newline } else { blank.without_last(at) }
    }
}

impl Pattern for O200k {
    #[inline(always)]
    fn piece_end(bytes: &[u8], at: usize) -> usize {
        let (class, length) = classes::at(bytes, at);
        let next = at + length;
        if class & NUMBER != 0 {
            return up_to_three_numbers(bytes, next);
        }
        if class & (LETTER | NEWLINE) == 0 && class_after(bytes, next) & (UPPER | LOWER) != 0 {
            let word = CasedWord::at(bytes, next);
            // A mark is a possible prefix and a possible letter: as a prefix it comes first, if a word that ends in
            // lower case follows; as the beginning of the word it comes before a word that does not.
            if word.ends_lower || class & LOWER == 0 {
                return with_contraction(bytes, word.end);
            }
        }
        if class & (UPPER | LOWER) != 0 {
            return with_contraction(bytes, CasedWord::at(bytes, at).end);
        }
        if class & OTHER != 0 || (bytes[at] == b' ' && class_after(bytes, next) & OTHER != 0) {
            return skip_newlines_and_slashes(bytes, skip(bytes, next, OTHER));
        }
        let blank = Blank::at(bytes, at);
        if blank.after_newline > at {
            return blank.after_newline;
        }
        if blank.end == bytes.len() { blank.end } else { blank.without_last(at) }
    }
}

impl Pattern for Gpt2 {
    #[inline(always)]
    fn piece_end(bytes: &[u8], at: usize) -> usize {
        if bytes[at] == b'\'' {
            let end = contraction_end(bytes, at, false);
            if end > at {
                return end;
            }
        }
        let start = if bytes[at] == b' ' && at + 1 < bytes.len() { at + 1 } else { at };
        let (class, length) = classes::at(bytes, start);
        if class & LETTER != 0 {
            return skip_letters(bytes, start + length);
        }
        if class & SPACE == 0 {
            return skip(bytes, start + length, class & (NUMBER | OTHER));
        }
        let blank = Blank::at(bytes, at);
        if blank.end == bytes.len() { blank.end } else { blank.without_last(at) }
    }
}

/// A word as `[upper]*[lower]+`, or, where that fails, `[upper]+`; characters without case are both.
struct CasedWord {
    end: usize,
    ends_lower: bool,
}

impl CasedWord {
    /// The word at `at`, which must be the position of a character of one of the two classes.
    #[inline(always)]
    fn at(bytes: &[u8], at: usize) -> CasedWord {
        let (upper_end, after_caseless) = skip_upper(bytes, at);
        let end = skip_lower(bytes, upper_end);
        if end > upper_end {
            return CasedWord { end, ends_lower: true };
        }
        // The upper run backtracks until its last character can end the word.
        if after_caseless > at {
            return CasedWord { end: after_caseless, ends_lower: true };
        }
        CasedWord { end: upper_end, ends_lower: false }
    }
}

/// The end of the run of `UPPER` at `at`, and the end of its last character that is `LOWER` too (`at` if none is).
#[inline(always)]
fn skip_upper(bytes: &[u8], mut at: usize) -> (usize, usize) {
    let mut after_caseless = at;
    while at < bytes.len() {
        let (class, length) = classes::at(bytes, at);
        if class & UPPER == 0 {
            break;
        }
        at += length;
        if class & LOWER != 0 {
            after_caseless = at;
        }
    }
    (at, after_caseless)
}

/// A run of white space.
struct Blank {
    end: usize,
    last: usize,
    after_newline: usize,
}

impl Blank {
    /// The whole run that begins at `at`. `after_newline` is `at` where the run has no newline.
    fn at(bytes: &[u8], at: usize) -> Blank {
        let mut blank = Blank { end: at, last: at, after_newline: at };
        while blank.end < bytes.len() {
            let (class, length) = classes::at(bytes, blank.end);
            if class & SPACE == 0 {
                break;
            }
            blank.last = blank.end;
            blank.end += length;
            if class & NEWLINE != 0 {
                blank.after_newline = blank.end;
            }
        }
        blank
    }

    /// `\s+(?!\S)|\s` where text follows the run: all but the last character, which goes with what follows.
    fn without_last(&self, at: usize) -> usize {
        if self.last > at { self.last } else { self.end }
    }
}

/// The class of the character at `at`; nothing at the end.
#[inline(always)]
fn class_after(bytes: &[u8], at: usize) -> u8 {
    if at < bytes.len() { classes::at(bytes, at).0 } else { 0 }
}

/// The end of the run of letters at `at`: [`skip`], eight bytes at a time.
#[inline(always)]
fn skip_letters(bytes: &[u8], at: usize) -> usize {
    skip(bytes, skip_ascii_letters::<0x20>(bytes, at), LETTER)
}

/// The end of the run of letters without upper case at `at`, likewise.
#[inline(always)]
fn skip_lower(bytes: &[u8], at: usize) -> usize {
    skip(bytes, skip_ascii_letters::<0>(bytes, at), LOWER)
}

/// Skips ASCII letters a to z, after `FOLD` is set in each byte; may stop early.
#[inline(always)]
fn skip_ascii_letters<const FOLD: u64>(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let run = leading_letters(u64::from_le_bytes(*chunk), FOLD);
        at += run;
        if run < 8 {
            break;
        }
    }
    at
}

/// How many letters a to z eight bytes begin with (the lowest is the first), after `fold` is set in each.
#[inline(always)]
fn leading_letters(word: u64, fold: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let folded = (word | (fold * EACH)) & !HIGH;
    let from_a = folded + (0x80 - b'a' as u64) * EACH;
    let behind_z = folded + (0x7f - b'z' as u64) * EACH;
    let others = !(from_a & !behind_z & !word) & HIGH;
    others.trailing_zeros() as usize / 8
}

/// The end of the run of characters that have one of the classes of `mask`.
#[inline(always)]
fn skip(bytes: &[u8], mut at: usize, mask: u8) -> usize {
    while let Some(&byte) = bytes.get(at) {
        let class = BYTES[byte as usize];
        if class & mask != 0 {
            at += 1;
        } else if class & WIDE == 0 {
            break;
        } else {
            let (class, length) = classes::at(bytes, at);
            if class & mask == 0 {
                break;
            }
            at += length;
        }
    }
    at
}

fn skip_newlines_and_slashes(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b'\r' | b'\n' | b'/')) {
        at += 1;
    }
    at
}

/// The end of `\p{N}{1,3}` whose first character ends at `at`.
#[inline(always)]
fn up_to_three_numbers(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..2 {
        if at == bytes.len() {
            break;
        }
        let (class, length) = classes::at(bytes, at);
        if class & NUMBER == 0 {
            break;
        }
        at += length;
    }
    at
}

#[inline(always)]
fn with_contraction(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) == Some(&b'\'') { contraction_end(bytes, at, true) } else { at }
}

/// The end of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at the apostrophe at `at`; `at` for anything else. Case is
/// ignored, and `ſ` (U+017F) is an s.
fn contraction_end(bytes: &[u8], at: usize, any_case: bool) -> usize {
    let letter = |i: usize| {
        let byte = bytes.get(at + i).copied().unwrap_or(0);
        if any_case { byte.to_ascii_lowercase() } else { byte }
    };
    match letter(1) {
        b's' | b't' | b'm' | b'd' => at + 2,
        b'r' | b'v' if letter(2) == b'e' => at + 3,
        b'l' if letter(2) == b'l' => at + 3,
        0xc5 if any_case && letter(2) == 0xbf => at + 3,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<P: Pattern>(text: &str) -> Vec<&str> {
        let mut at = 0;
        let mut pieces = Vec::new();
        while at < text.len() {
            let end = P::piece_end(text.as_bytes(), at);
            assert!(end > at, "no progress at {at} of {text:?}");
            pieces.push(&text[at..end]);
            at = end;
        }
        pieces
    }

    #[test]
    fn cl100k_splits() {
        let check = |text: &str, expected: &[&str]| assert_eq!(pieces::<Cl100k>(text), expected, "{text:?}");
        check("", &[]);
        check("I'll say it'S 12345 times", &["I", "'ll", " say", " it", "'S", " ", "123", "45", " times"]);
        check("a  b\n\n  c", &["a", " ", " b", "\n\n", " ", " c"]);
        check("a \n ", &["a", " \n "]);
        check("(foo) ...\r\n\r\nx", &["(foo", ")", " ...\r\n\r\n", "x"]);
        check("\u{3000}\u{3000}x'ſ", &["\u{3000}", "\u{3000}x", "'ſ"]);
        check("e\u{301}te", &["e", "\u{301}te"]);
    }

    #[test]
    fn o200k_splits() {
        let check = |text: &str, expected: &[&str]| assert_eq!(pieces::<O200k>(text), expected, "{text:?}");
        check("HTMLParser isn't fooBar", &["HTMLParser", " isn't", " foo", "Bar"]);
        check("一二ABC", &["一二", "ABC"]);
        check("\u{301}A \u{301}\u{301}b", &["\u{301}", "A", " \u{301}\u{301}b"]);
        check("a \n ", &["a", " \n", " "]);
        check(" //\n/x", &[" //\n/", "x"]);
    }

    #[test]
    fn eight_bytes_at_a_time_are_letters_one_by_one() {
        for byte in 0..=255u8 {
            for before in 0..8 {
                let mut word = [b'q'; 8];
                word[before] = byte;
                let check = |fold, is_letter: bool| {
                    let expected = if is_letter { 8 } else { before };
                    assert_eq!(
                        leading_letters(u64::from_le_bytes(word), fold),
                        expected,
                        "{byte:#x} at {before}"
                    );
                };
                check(0x20, byte.is_ascii_alphabetic());
                check(0, byte.is_ascii_lowercase());
            }
        }
    }

    #[test]
    fn gpt2_splits() {
        let check = |text: &str, expected: &[&str]| assert_eq!(pieces::<Gpt2>(text), expected, "{text:?}");
        check("I'll it'S 12345", &["I", "'ll", " it", "'", "S", " 12345"]);
        check("a  b\n\nc \n", &["a", " ", " b", "\n", "\n", "c", " \n"]);
    }
}
