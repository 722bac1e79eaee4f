//! The compression HUFF/CDIC: a Huffman code whose symbols are phrases, which may be packed with the same code again.
//!
//! After the MobileRead wiki ("HUFF/CDIC") and published notes on the format: the record `HUFF` has a table for the
//! first eight bits of a code (its length, whether the code is complete, the largest code of that length), and one of
//! the smallest and largest code for each length; the records `CDIC` contain the phrases. Every phrase is unpacked
//! once and kept, within bounds, so that phrases of phrases cost no more than their bytes.

use crate::limits::mobi::{
    MAX_PHRASE_BYTES, MAX_PHRASE_CODES, MAX_PHRASE_DEPTH, MAX_PHRASES, MAX_RECORD_BYTES,
};
use crate::shared::bytes::{u16_be, u32_be};
use std::rc::Rc;

/// The information in the first eight bits of a code.
#[derive(Debug, Clone, Copy, Default)]
struct CodePrefix {
    length: u32,
    is_whole: bool,
    largest: u32,
}

/// A phrase.
#[derive(Debug, Clone)]
enum DictionaryPhrase {
    /// As it is stored, packed: the record, the offset in it, the length.
    Packed(Rc<Vec<u8>>, usize, usize),
    /// Being unpacked, or missing: a phrase that contains itself has no content at that point.
    Unpacking,
    /// Unpacked.
    Plain(Rc<[u8]>),
}

/// A dictionary with its code.
#[derive(Debug)]
pub(super) struct PhraseDictionary {
    short: Vec<CodePrefix>,
    smallest: [u32; 33],
    largest: [u32; 33],
    phrases: Vec<DictionaryPhrase>,
    kept: usize,
    steps: usize,
}

impl PhraseDictionary {
    /// Reads the code and the phrases; `None` if the code is invalid.
    pub(super) fn read(code: &[u8], phrases: impl Iterator<Item = Vec<u8>>) -> Option<PhraseDictionary> {
        if code.get(..4) != Some(b"HUFF") {
            return None;
        }
        let (first, second) = (u32_be(code, 8)? as usize, u32_be(code, 12)? as usize);
        let mut dictionary = PhraseDictionary {
            short: Vec::with_capacity(256),
            smallest: [0; 33],
            largest: [0; 33],
            phrases: Vec::new(),
            kept: 0,
            steps: 0,
        };
        for at in 0..256 {
            let entry = u32_be(code, first.checked_add(at * 4)?)?;
            let length = entry & 0x1f;
            let largest = top(entry >> 8, length);
            dictionary.short.push(CodePrefix { length, is_whole: entry & 0x80 != 0, largest });
        }
        for length in 1..=32 {
            let at = second.checked_add((length - 1) * 8)?;
            let (smallest, largest) = (u32_be(code, at)?, u32_be(code, at + 4)?);
            dictionary.smallest[length] = shifted(u64::from(smallest), length as u32);
            dictionary.largest[length] = top(largest, length as u32);
        }
        phrases.for_each(|record| dictionary.add(record));
        Some(dictionary)
    }

    /// Adds the phrases of a record.
    fn add(&mut self, record: Vec<u8>) {
        if record.get(..4) != Some(b"CDIC") {
            return;
        }
        let (Some(count), Some(bits)) = (u32_be(&record, 8), u32_be(&record, 12)) else { return };
        let here = 1usize.checked_shl(bits.min(24)).unwrap_or(0);
        let count = (count as usize).saturating_sub(self.phrases.len()).min(here).min(record.len() / 2);
        let record = Rc::new(record);
        for number in 0..count.min(MAX_PHRASES.saturating_sub(self.phrases.len())) {
            let phrase = u16_be(&record, 16 + number * 2).and_then(|place| {
                let at = 16 + usize::from(place);
                let size = u16_be(&record, at)?;
                let length = usize::from(size & 0x7fff).min(record.len().saturating_sub(at + 2));
                Some(match size & 0x8000 {
                    0 => DictionaryPhrase::Packed(record.clone(), at + 2, length),
                    _ => DictionaryPhrase::Plain(record.get(at + 2..at + 2 + length)?.into()),
                })
            });
            if let Some(DictionaryPhrase::Plain(plain)) = &phrase {
                self.kept += plain.len();
            }
            // A missing phrase keeps its number.
            let is_there = self.kept <= MAX_PHRASE_BYTES;
            self.phrases.push(phrase.filter(|_| is_there).unwrap_or(DictionaryPhrase::Unpacking));
        }
    }

    /// Appends the content of a record; false if a code has no phrase.
    pub(super) fn unpack(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let mut plain = Vec::new();
        let is_whole = self.unpack_at(bytes, &mut plain, 0);
        out.extend_from_slice(&plain);
        is_whole
    }

    fn unpack_at(&mut self, bytes: &[u8], out: &mut Vec<u8>, depth: usize) -> bool {
        let total = bytes.len() * 8;
        let mut at = 0;
        let mut is_whole = true;
        while at < total {
            let Some((length, number)) = self.symbol(window(bytes, at)) else { return false };
            at += length;
            self.steps += usize::from(depth > 0);
            if at > total || self.steps > MAX_PHRASE_CODES {
                break;
            }
            match self.phrase(number, depth) {
                Some(phrase) => out.extend_from_slice(&phrase),
                None => is_whole = false,
            }
            if out.len() > MAX_RECORD_BYTES {
                out.truncate(MAX_RECORD_BYTES);
                return false;
            }
        }
        is_whole
    }

    /// The bits of the code that these bits begin with, and the number of its phrase.
    fn symbol(&self, bits: u32) -> Option<(usize, usize)> {
        let short = self.short[(bits >> 24) as usize];
        let (mut length, mut largest) = (short.length, short.largest);
        if length == 0 {
            return None;
        }
        if !short.is_whole {
            while bits < self.smallest[length as usize] {
                length += 1;
                if length > 32 {
                    return None;
                }
            }
            largest = self.largest[length as usize];
        }
        let number = largest.wrapping_sub(bits) >> (32 - length);
        Some((length as usize, number as usize))
    }

    /// A phrase, unpacked.
    fn phrase(&mut self, number: usize, depth: usize) -> Option<Rc<[u8]>> {
        let (record, at, length) = match self.phrases.get(number)? {
            DictionaryPhrase::Plain(plain) => return Some(plain.clone()),
            DictionaryPhrase::Unpacking => return None,
            DictionaryPhrase::Packed(record, at, length) => (record.clone(), *at, *length),
        };
        self.phrases[number] = DictionaryPhrase::Unpacking;
        if depth >= MAX_PHRASE_DEPTH || self.kept > MAX_PHRASE_BYTES {
            return None;
        }
        let mut plain = Vec::new();
        self.unpack_at(record.get(at..at + length)?, &mut plain, depth + 1);
        self.kept += plain.len();
        let plain: Rc<[u8]> = plain.into();
        self.phrases[number] = DictionaryPhrase::Plain(plain.clone());
        Some(plain)
    }
}

/// The largest number that begins with a code of this length.
fn top(code: u32, length: u32) -> u32 {
    shifted(u64::from(code) + 1, length).wrapping_sub(1)
}

fn shifted(code: u64, length: u32) -> u32 {
    (code << (32 - length.min(32))) as u32
}

/// The 32 bits that begin at a bit; zeros after the end.
fn window(bytes: &[u8], at: usize) -> u32 {
    let mut five = [0; 8];
    let rest = bytes.get(at / 8..).unwrap_or_default();
    let count = rest.len().min(5);
    five[..count].copy_from_slice(&rest[..count]);
    (u64::from_be_bytes(five) << (at % 8) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code of eight bits for each of 256 phrases; the largest code is the first phrase.
    fn code() -> Vec<u8> {
        let mut bytes = b"HUFF\0\0\0\x18".to_vec();
        bytes.extend_from_slice(&24u32.to_be_bytes());
        bytes.extend_from_slice(&(24u32 + 1024).to_be_bytes());
        bytes.resize(24, 0);
        (0..256).for_each(|_| bytes.extend_from_slice(&(255u32 << 8 | 0x80 | 8).to_be_bytes()));
        bytes.resize(24 + 1024 + 256, 0);
        bytes
    }

    fn phrases(list: &[(&[u8], bool)]) -> Vec<u8> {
        let mut bytes = b"CDIC\0\0\0\x10".to_vec();
        bytes.extend_from_slice(&(list.len() as u32).to_be_bytes());
        bytes.extend_from_slice(&8u32.to_be_bytes());
        let mut at = list.len() * 2;
        for (phrase, _) in list {
            bytes.extend_from_slice(&(at as u16).to_be_bytes());
            at += phrase.len() + 2;
        }
        for (phrase, is_plain) in list {
            let flag = if *is_plain { 0x8000 } else { 0 };
            bytes.extend_from_slice(&(phrase.len() as u16 | flag).to_be_bytes());
            bytes.extend_from_slice(phrase);
        }
        bytes
    }

    fn check(list: &[(&[u8], bool)], bytes: &[u8], expected: &[u8], is_whole: bool) {
        let mut dictionary = PhraseDictionary::read(&code(), [phrases(list)].into_iter()).unwrap();
        let mut out = Vec::new();
        assert_eq!(dictionary.unpack(bytes, &mut out), is_whole);
        assert_eq!(out, expected);
    }

    #[test]
    fn phrases_are_unpacked() {
        let list: [(&[u8], bool); 3] = [(b"one ", true), (b"two ", true), (&[255, 254], false)];
        check(&list, &[254, 253, 255], b"two one two one ", true);
        check(&list, &[255, 9, 254], b"one two ", false);
    }

    #[test]
    fn phrases_that_contain_themselves_end() {
        check(&[(&[255, 254], false), (b"x", true)], &[255], b"x", true);
        let mut list: Vec<(Vec<u8>, bool)> = vec![(vec![b'a'; 1000], true)];
        (0..100u8).for_each(|number| list.push((vec![255 - number; 200], false)));
        let list: Vec<(&[u8], bool)> =
            list.iter().map(|(bytes, is_plain)| (bytes.as_slice(), *is_plain)).collect();
        let mut dictionary = PhraseDictionary::read(&code(), [phrases(&list)].into_iter()).unwrap();
        let mut out = Vec::new();
        dictionary.unpack(&[155], &mut out);
        assert!(out.len() <= MAX_RECORD_BYTES);
    }

    #[test]
    fn bits_are_taken_from_anywhere() {
        assert_eq!(window(&[0x12, 0x34, 0x56, 0x78, 0x9a], 4), 0x2345_6789);
        assert_eq!(window(&[0x12], 0), 0x1200_0000);
        assert_eq!(window(&[], 8), 0);
    }

    /// Codes of one, two, nine and ten bits. `1` is phrase 0, `01` is phrase 1, `0_0111_1111` of nine bits phrase 2.
    fn codes_of_many_lengths() -> Vec<u8> {
        let mut bytes = b"HUFF\0\0\0\x18".to_vec();
        bytes.extend_from_slice(&24u32.to_be_bytes());
        bytes.extend_from_slice(&(24u32 + 1024).to_be_bytes());
        bytes.resize(24, 0);
        for first in 0..256u32 {
            let entry: u32 = match first {
                0x80.. => 1 << 8 | 0x80 | 1,
                0x40..0x80 => 2 << 8 | 0x80 | 2,
                0x01..0x40 => 9,
                0 => 0,
            };
            bytes.extend_from_slice(&entry.to_be_bytes());
        }
        for length in 1..=32u32 {
            let (smallest, largest): (u32, u32) = match length {
                9 => (64, 127 + 2),
                10 => (8, 127 + 66),
                _ => (u32::MAX >> (32 - length), 0),
            };
            bytes.extend_from_slice(&smallest.to_be_bytes());
            bytes.extend_from_slice(&largest.to_be_bytes());
        }
        bytes
    }

    fn bytes_of(bits: &str) -> Vec<u8> {
        let bits: Vec<u8> = bits.bytes().filter(|bit| *bit != b' ').map(|bit| bit - b'0').collect();
        bits.chunks(8).map(|eight| eight.iter().zip((0..8).rev()).map(|(bit, at)| bit << at).sum()).collect()
    }

    #[test]
    fn codes_have_the_lengths_of_their_tables() {
        let names: Vec<String> = (0..256).map(|number| format!("{number} ")).collect();
        let list: Vec<(&[u8], bool)> = names.iter().map(|name| (name.as_bytes(), true)).collect();
        let read = |bits: &str| {
            let mut dictionary =
                PhraseDictionary::read(&codes_of_many_lengths(), [phrases(&list)].into_iter()).unwrap();
            let mut out = Vec::new();
            let is_whole = dictionary.unpack(&bytes_of(bits), &mut out);
            (String::from_utf8_lossy(&out).into_owned(), is_whole)
        };
        let is = |text: &str, is_whole: bool| (text.to_owned(), is_whole);
        assert_eq!(read("1 01 001111111 001000000 0001111111 1"), is("0 1 2 65 66 0 ", true));
        assert_eq!(
            read("0000001000 0000001001 01 01 01 1 1 1 1 1 1"),
            is("185 184 1 1 1 0 0 0 0 0 0 ", true)
        );
        // A code that the tables have not, and one that ends after the bits.
        assert_eq!(read("1 1 00000000"), is("0 0 ", false));
        assert_eq!(read("1111 0011"), is("0 0 0 0 ", true));
        assert_eq!(read("11111111 11111111"), is(&"0 ".repeat(16), true));
    }

    #[test]
    fn records_of_phrases_go_on_with_their_numbers() {
        let record = |count: u32, bits: u32, list: &[&[u8]]| {
            let plain: Vec<(&[u8], bool)> = list.iter().map(|phrase| (*phrase, true)).collect();
            let mut bytes = phrases(&plain);
            bytes[8..12].copy_from_slice(&count.to_be_bytes());
            bytes[12..16].copy_from_slice(&bits.to_be_bytes());
            bytes
        };
        let read = |records: Vec<Vec<u8>>| {
            let dictionary = PhraseDictionary::read(&code(), records.into_iter()).unwrap();
            let text = |phrase: &DictionaryPhrase| match phrase {
                DictionaryPhrase::Plain(plain) => String::from_utf8_lossy(plain).into_owned(),
                _ => "-".to_owned(),
            };
            dictionary.phrases.iter().map(text).collect::<Vec<_>>().join(" ")
        };
        // Two phrases of a record of one bit, and three of all.
        let two = || record(3, 1, &[b"a", b"bc"]);
        assert_eq!(read(vec![two(), record(3, 1, &[b"d", b"e"])]), "a bc d");
        assert_eq!(read(vec![two(), b"CDIX".to_vec(), record(4, 1, &[b"d", b"e"])]), "a bc d e");
        assert_eq!(read(vec![record(2, 0, &[b"a", b"b"])]), "a");
        // A phrase that is cut, and one whose length is missing.
        let mut cut = two();
        cut.truncate(cut.len() - 1);
        assert_eq!(read(vec![cut.clone()]), "a b");
        cut.truncate(cut.len() - 2);
        assert_eq!(read(vec![cut]), "a -");
    }

    #[test]
    fn codes_fill_thirty_two_bits() {
        assert_eq!([shifted(1, 1), shifted(5, 3), shifted(1, 32)], [1 << 31, 5 << 29, 1]);
        assert_eq!([top(0, 1), top(1, 1), top(4, 3), top(7, 32)], [0x7fff_ffff, u32::MAX, 0x9fff_ffff, 7]);
        assert_eq!(window(&[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc], 15), 0x2b3c_4d5e);
        assert_eq!(window(&[0x12, 0x34], 8), 0x3400_0000);
    }
}
