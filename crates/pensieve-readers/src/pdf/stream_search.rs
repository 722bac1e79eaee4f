//! Finds the dictionary before a word `stream` and the data after it, without a cross-reference table. Any bytes may say
//! `stream` any number of times, so what is found for one word is remembered for the next: the words that may end the
//! data are found once per file, and each dictionary is parsed once.

use super::expansion::is_white_space;
use crate::limits::pdf::{MAX_PRESCAN_BYTES, MAX_PRESCAN_DICTIONARIES, MAX_PRESCAN_REREAD_BYTES};
use hayro_font::hayro_syntax::object::{Dict, FromBytes};
use memchr::{memchr_iter, memmem};
use std::collections::VecDeque;

/// The word after the data of a stream.
const END: &[u8] = b"endstream";

/// Finds the dictionaries and the data of streams. Words must be asked for in the order of the file.
pub(super) struct StreamSearch<'a> {
    file: &'a [u8],
    ends: Vec<DataEnd>,
    /// The dictionaries that may begin before the word that was asked for last.
    candidates: VecDeque<Candidate>,
    /// Up to here `candidates` is complete.
    scanned: usize,
    /// Up to here the file was parsed at least once.
    parsed: usize,
    /// Bytes that were parsed more than once.
    pub(super) reread: usize,
}

/// A word `endstream`.
struct DataEnd {
    /// Where the white space before it starts.
    blanks: usize,
    word: usize,
}

/// A place that says `<<`.
struct Candidate {
    start: usize,
    parsed: Option<ParsedDictionary>,
}

/// What parsing a dictionary found.
#[derive(Clone, Copy)]
enum ParsedDictionary {
    /// It does not end.
    Endless,
    /// Where it ends, and where the next word after it starts.
    Ends { end: usize, next: usize },
}

impl<'a> StreamSearch<'a> {
    pub(super) fn new(file: &'a [u8]) -> StreamSearch<'a> {
        StreamSearch {
            file,
            ends: data_ends(file),
            candidates: VecDeque::new(),
            scanned: 0,
            parsed: 0,
            reread: 0,
        }
    }

    /// The dictionaries that end right before a word, the innermost first. `None` if too many bytes of the file were
    /// parsed more than once, so that nothing is known of this word.
    pub(super) fn dictionaries_before(&mut self, word: usize) -> Option<Vec<Dict<'a>>> {
        self.move_to(word);
        let mut found = Vec::new();
        let innermost = (0..self.candidates.len()).rev().take(MAX_PRESCAN_DICTIONARIES);
        for index in innermost {
            if self.reread > MAX_PRESCAN_REREAD_BYTES {
                return None;
            }
            let Some((start, parsed)) = self.parsed_at(index) else { continue };
            let ParsedDictionary::Ends { end, next } = parsed else { continue };
            if next == word {
                found.extend(self.file.get(start..end).and_then(Dict::from_bytes));
            }
        }
        Some(found)
    }

    /// The data that starts at `start`, if it has the stated length or an end at all.
    pub(super) fn data_at(&self, start: usize, length: Option<u32>) -> Option<&'a [u8]> {
        let stated = length.and_then(|length| start.checked_add(length as usize));
        let is_end = |at: &usize| self.next_end(*at).is_some_and(|end| end.blanks <= *at);
        let end = match stated.filter(is_end) {
            Some(end) => end,
            None => self.next_end(start)?.blanks.max(start),
        };
        self.file.get(start..end)
    }

    /// The first word `endstream` from there on.
    fn next_end(&self, from: usize) -> Option<&DataEnd> {
        self.ends.get(self.ends.partition_point(|end| end.word < from))
    }

    /// Collects the candidates for a word, and drops those too far before it.
    fn move_to(&mut self, word: usize) {
        let from = word.saturating_sub(MAX_PRESCAN_BYTES);
        while self.candidates.front().is_some_and(|candidate| candidate.start < from) {
            self.candidates.pop_front();
        }
        let offset = self.scanned.max(from);
        let Some(unread) = self.file.get(offset..word) else { return };
        self.candidates.extend(
            openings(unread).map(|start| Candidate { start: offset.saturating_add(start), parsed: None }),
        );
        self.scanned = word;
    }

    /// The start of a candidate, and what parsing it found.
    fn parsed_at(&mut self, index: usize) -> Option<(usize, ParsedDictionary)> {
        let candidate = self.candidates.get_mut(index)?;
        let start = candidate.start;
        if let Some(parsed) = candidate.parsed {
            return Some((start, parsed));
        }
        let end = start.saturating_add(MAX_PRESCAN_BYTES).min(self.file.len());
        let (parsed, end) = parse(self.file, start, end);
        candidate.parsed = Some(parsed);
        self.reread += self.parsed.min(end).saturating_sub(start);
        self.parsed = self.parsed.max(end);
        Some((start, parsed))
    }
}

/// Where `<<` starts; of a run of the letter every second place, so that the last two are one of them.
fn openings(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let is_run_end = |at: &usize| bytes.get(at + 1) != Some(&b'<');
    memchr_iter(b'<', bytes).filter(is_run_end).flat_map(|last| {
        let run = bytes.iter().take(last + 1).rev().take_while(|byte| **byte == b'<').count();
        (last + 1 - run + run % 2..last).step_by(2)
    })
}

/// The dictionary from `start`, of which no byte from `limit` on is read, and up to where it was read.
fn parse(file: &[u8], start: usize, limit: usize) -> (ParsedDictionary, usize) {
    let Some(bytes) = file.get(start..limit) else { return (ParsedDictionary::Endless, limit) };
    let len = Dict::from_bytes(bytes).map(|dictionary| dictionary.data().len());
    let Some((len, rest)) = len.and_then(|len| Some((len, bytes.get(len..)?))) else {
        return (ParsedDictionary::Endless, limit);
    };
    let end = start + len;
    match first_word(rest) {
        Some(next) => (ParsedDictionary::Ends { end, next: end + next }, end + next),
        None => (ParsedDictionary::Endless, limit),
    }
}

/// Where the first word after white space and comments starts.
fn first_word(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        match rest.first() {
            Some(b'%') => at += rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'))?,
            Some(byte) if is_white_space(*byte) => at += 1,
            _ => return Some(at),
        }
    }
}

fn data_ends(file: &[u8]) -> Vec<DataEnd> {
    let ends = memmem::find_iter(file, END).map(|word| {
        let blanks = file.iter().take(word).rev().take_while(|byte| is_white_space(**byte)).count();
        DataEnd { blanks: word - blanks, word }
    });
    ends.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &str, starts: &[usize]) {
        assert_eq!(openings(bytes.as_bytes()).collect::<Vec<_>>(), starts, "{bytes}");
    }

    #[test]
    fn a_run_of_letters_opens_where_its_end_says() {
        check("", &[]);
        check("<", &[]);
        check("<<", &[0]);
        check("<<<", &[1]);
        check("a<<<<b<<<c<", &[1, 3, 7]);
    }

    #[test]
    fn the_first_word_follows_white_space_and_comments() {
        let check = |bytes: &str, word| assert_eq!(first_word(bytes.as_bytes()), word, "{bytes}");
        check("stream", Some(0));
        check(" % a % b\n\r\0stream", Some(11));
        check(" % stream", None);
        check("", Some(0));
    }
}
