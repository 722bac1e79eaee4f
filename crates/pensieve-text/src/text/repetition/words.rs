//! The words of a text.

use super::mix;
use std::ops::Range;

/// The words of a text in order: a hash of each without its case, and where it is.
///
/// Words are runs of letters, digits and `_`. A character of a script that is written without spaces is a word by itself.
/// 16 bytes for each word.
#[derive(Debug, Clone, Default)]
pub struct WordList {
    hashes: Vec<u64>,
    /// First byte, and the byte after the last.
    spans: Vec<(u32, u32)>,
}

impl WordList {
    /// The words of a text of less than 4 GiB.
    pub fn of(text: &str) -> WordList {
        // In prose and in code a word takes six to eight bytes with what follows it.
        let mut words = WordList {
            hashes: Vec::with_capacity(text.len() / 6),
            spans: Vec::with_capacity(text.len() / 6),
        };
        let bytes = text.as_bytes();
        let class = |at: usize| bytes.get(at).map_or(SEPARATOR, |byte| CLASS[usize::from(*byte)]);
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            while class(at) == WORD {
                at += 1;
            }
            if class(at) == OTHER {
                at = words.read(text, start);
            } else if at > start {
                words.hashes.push(ascii_hash(bytes, start..at));
                words.spans.push((start as u32, at as u32));
            } else {
                at += 1;
            }
        }
        words
    }

    /// Reads the word that begins at `start` and is not all ASCII, if one does; returns where the next may begin.
    fn read(&mut self, text: &str, start: usize) -> usize {
        let bytes = text.as_bytes();
        let (mut hash, mut at) = (WordHash::default(), start);
        while let Some(&byte) = bytes.get(at) {
            match CLASS[usize::from(byte)] {
                SEPARATOR => break,
                OTHER => {
                    let c = text[at..].chars().next().expect("a character begins here");
                    let after = at + c.len_utf8();
                    if !c.is_alphanumeric() {
                        self.add(&hash, start, at);
                        return after;
                    }
                    if is_spaceless(c) {
                        self.add(&hash, start, at);
                        let mut own = WordHash::default();
                        own.push_char(c);
                        self.add(&own, at, after);
                        return after;
                    }
                    c.to_lowercase().for_each(|c| hash.push_char(c));
                    at = after;
                }
                _ => {
                    hash.push(byte);
                    at += 1;
                }
            }
        }
        self.add(&hash, start, at);
        at
    }

    fn add(&mut self, hash: &WordHash, start: usize, end: usize) {
        if hash.length > 0 {
            self.hashes.push(hash.finish());
            self.spans.push((start as u32, end as u32));
        }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// True for a text without words.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The hashes.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The bytes from the first of these words to the last; there is at least one.
    pub fn bytes(&self, words: Range<usize>) -> Range<usize> {
        self.spans[words.start].0 as usize..self.spans[words.end - 1].1 as usize
    }

    /// The memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        16 * self.hashes.capacity()
    }
}

const SEPARATOR: u8 = 0;
/// The first bytes of characters beyond ASCII.
const OTHER: u8 = 1;

/// Letters, digits and `_`.
const WORD: u8 = 2;

/// What each byte is.
static CLASS: [u8; 256] = {
    let mut table = [SEPARATOR; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() || byte == b'_' {
            table[at] = WORD;
        } else if !byte.is_ascii() {
            table[at] = OTHER;
        }
        at += 1;
    }
    table
};

/// The bit that makes a letter of ASCII small, and that digits have. `_` becomes a byte of its own by it.
const SMALL: u8 = 0x20;

/// What [`WordHash`] gives for a word of ASCII, which most words are: eight bytes are one number.
fn ascii_hash(bytes: &[u8], word: Range<usize>) -> u64 {
    let number = |at: usize, length: usize| {
        let number = match bytes.get(at..at + 8) {
            Some(bytes) => u64::from_be_bytes(bytes.try_into().expect("eight bytes")) >> (64 - 8 * length),
            None => bytes[at..at + length].iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        number | u64::from_be_bytes([SMALL; 8]) >> (64 - 8 * length)
    };
    let (mut sum, mut at) = (0, word.start);
    while word.end - at >= 8 {
        sum = mix(sum ^ number(at, 8));
        at += 8;
    }
    mix(if at < word.end { sum ^ number(at, word.end - at) } else { sum })
}

/// Thai and Lao, Burmese, Khmer, and everything from the radicals of Chinese on.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..)
}

/// The hash of a word, eight bytes at a time.
#[derive(Default)]
struct WordHash {
    sum: u64,
    open: u64,
    length: usize,
}

impl WordHash {
    fn push(&mut self, byte: u8) {
        let small = if byte.is_ascii() { byte | SMALL } else { byte };
        self.open = self.open << 8 | u64::from(small);
        self.length += 1;
        if self.length.is_multiple_of(8) {
            self.sum = mix(self.sum ^ self.open);
            self.open = 0;
        }
    }

    fn push_char(&mut self, c: char) {
        c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| self.push(byte));
    }

    fn finish(&self) -> u64 {
        mix(self.sum ^ self.open)
    }
}
