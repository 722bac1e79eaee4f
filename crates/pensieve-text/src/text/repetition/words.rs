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
        let mut at = 0;
        while at < bytes.len() {
            let (start, mut sum) = (at, 0);
            let mut eight = Eight::at(bytes, at);
            while eight.words == HIGH {
                sum = mix(sum ^ eight.number(8));
                at += 8;
                eight = Eight::at(bytes, at);
            }
            let length = eight.length();
            let end = at + length;
            if eight.others >> (8 * length) & 0x80 != 0 {
                at = words.read(text, start);
                continue;
            }
            if end > start {
                words.hashes.push(mix(if length > 0 { sum ^ eight.number(length) } else { sum }));
                words.spans.push((start as u32, end as u32));
            }
            at = end + eight.separators(length);
        }
        words
    }

    /// Reads the word that begins at `start` and is not all ASCII, if one does; returns where the next may begin.
    fn read(&mut self, text: &str, start: usize) -> usize {
        let bytes = text.as_bytes();
        let (mut hash, mut at) = (WordHash::default(), start);
        while let Some(&byte) = bytes.get(at) {
            match byte {
                0x80.. => {
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
                b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                    hash.push(byte);
                    at += 1;
                }
                _ => break,
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

    /// The number of words up to this byte.
    pub fn until(&self, byte: usize) -> usize {
        self.spans.partition_point(|(_, end)| *end as usize <= byte)
    }

    /// The memory that it takes, in bytes.
    pub fn memory(&self) -> usize {
        16 * self.hashes.capacity()
    }
}

/// The bit that makes a letter of ASCII small, and that digits have. `_` becomes a byte of its own by it.
const SMALL: u8 = 0x20;

/// Eight bytes of a text at once: most words of ASCII have fewer, and it takes no branch for each of them to find where they end.
struct Eight {
    /// The first byte in the lowest place. After the end of a text are zeros, which are separators.
    bytes: u64,
    /// The highest bit of each byte that is in a word of ASCII.
    words: u64,
    /// The highest bit of each byte beyond ASCII.
    others: u64,
}

/// One in each byte.
const ONES: u64 = u64::from_le_bytes([1; 8]);

/// The highest bit of each byte.
const HIGH: u64 = ONES << 7;

impl Eight {
    fn at(text: &[u8], at: usize) -> Eight {
        let bytes = match text.get(at..at + 8) {
            Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
            None => text[at..].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        };
        let ascii = bytes & !HIGH;
        // Bytes have seven bits here, so that no sum reaches into the next one.
        let is_from = |bytes: u64, least: u8| bytes + ONES * u64::from(0x80 - least);
        let small = ascii | (ONES * u64::from(SMALL));
        let letters = is_from(small, b'a') & !is_from(small, b'z' + 1);
        let digits = is_from(ascii, b'0') & !is_from(ascii, b'9' + 1);
        let low_lines = !is_from(ascii ^ (ONES * u64::from(b'_')), 1);
        Eight { bytes, words: (letters | digits | low_lines) & HIGH & !bytes, others: bytes & HIGH }
    }

    /// How many bytes from the first on are in a word.
    fn length(&self) -> usize {
        (!self.words & HIGH).trailing_zeros() as usize / 8
    }

    /// How many separators follow so many bytes, fewer than eight.
    fn separators(&self, length: usize) -> usize {
        let next = (self.words | self.others) >> (8 * length);
        (next.trailing_zeros() as usize / 8).min(8 - length)
    }

    /// What [`WordHash`] makes of the first bytes, one to eight.
    fn number(&self, length: usize) -> u64 {
        (self.bytes.swap_bytes() | (ONES * u64::from(SMALL))) >> (64 - 8 * length)
    }
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
