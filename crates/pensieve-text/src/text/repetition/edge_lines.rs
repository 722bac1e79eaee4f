//! Lines at the beginning and at the end of a text, which many documents of one kind may have.

use super::mix;
use super::words::WordList;
use std::ops::Range;

/// Lines with words at each end of a text that count: heads of licences, disclaimers, signatures and feet of pages are there. Lines
/// in the middle recur as well, as phrases of a language or of its programs do; to keep a key of each would take a tenth of the text.
pub const EDGE_LINES: usize = 16;

/// Words of a line that has a key. Shorter ones are headings, brackets, names; they belong to a block between others.
const MIN_LINE_WORDS: usize = 3;

/// Words of a block: with fewer it is an import or a heading.
const MIN_BLOCK_WORDS: u32 = 8;

/// The key of a line in documents of one kind, 40 bits: of a million different lines one in a thousand shares its key with another
/// one, and of those the thousand that recur are one in a million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineKey(pub u64);

impl LineKey {
    /// Bytes of a stored key.
    pub const BYTES: usize = 5;
}

/// The lines at both ends of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EdgeLines(Vec<EdgeLine>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct EdgeLine {
    /// From its first word to its last.
    bytes: Range<u32>,
    words: u32,
    /// Nothing is between it and the line before.
    follows: bool,
    /// `None` for a line of few words.
    hash: Option<u64>,
}

impl EdgeLines {
    /// The lines at the ends of a text with these words.
    pub fn of(text: &str, words: &WordList) -> EdgeLines {
        let breaks = |at: usize| {
            let between = words.bytes(at - 1..at).end..words.bytes(at..at + 1).start;
            text.as_bytes()[between].contains(&b'\n')
        };
        let starts = std::iter::once(0).take(words.len()).chain((1..words.len()).filter(|at| breaks(*at)));
        let ends = (1..words.len()).rev().filter(|at| breaks(*at)).chain([0]).take(words.len());
        // One more start tells where the last of the first lines ends.
        let mut edges: Vec<usize> = starts.take(EDGE_LINES + 1).collect();
        let last: Vec<usize> = ends.take(EDGE_LINES).collect();
        let has_gap = edges.len() > EDGE_LINES && last.last() > edges.last();
        let gap = edges.last().copied().filter(|_| has_gap);
        edges.extend(last);
        edges.push(words.len());
        edges.sort_unstable();
        edges.dedup();
        let lines = edges.windows(2).map(|pair| pair[0]..pair[1]).filter(|line| Some(line.start) != gap);
        let mut end = 0;
        let line = |line: Range<usize>| {
            let fold = |sum: u64, word: &u64| mix(sum.rotate_left(1) ^ word);
            let hash =
                (line.len() >= MIN_LINE_WORDS).then(|| words.hashes()[line.clone()].iter().fold(0, fold));
            let follows = std::mem::replace(&mut end, line.end) == line.start;
            let bytes = words.bytes(line.clone());
            EdgeLine { bytes: bytes.start as u32..bytes.end as u32, words: line.len() as u32, follows, hash }
        };
        EdgeLines(lines.map(line).collect())
    }

    /// The keys of the lines in documents of a kind, in ascending order, each once.
    pub fn keys(&self, kind: u64) -> Vec<LineKey> {
        let mut keys: Vec<LineKey> = self.0.iter().filter_map(|line| line.key(kind)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The blocks of lines in a row that recur: their bytes in the text, and a hash of their words.
    pub fn blocks(&self, kind: u64, recurs: &dyn Fn(LineKey) -> bool) -> Vec<(Range<usize>, u64)> {
        // Bytes, words, and hash.
        let mut blocks: Vec<(Range<usize>, u32, u64)> = Vec::new();
        // The words of short lines after the last block, where it may go on after them.
        let mut open: Option<u32> = None;
        for line in &self.0 {
            let between = open.filter(|_| line.follows);
            let bytes = line.bytes.start as usize..line.bytes.end as usize;
            open = match (line.hash, line.key(kind).is_some_and(recurs)) {
                (Some(hash), true) => {
                    match (blocks.last_mut(), between) {
                        (Some((block, words, sum)), Some(between)) => {
                            (block.end, *words) = (bytes.end, *words + between + line.words);
                            *sum = mix(sum.rotate_left(1) ^ hash);
                        }
                        _ => blocks.push((bytes, line.words, mix(hash))),
                    }
                    Some(0)
                }
                (None, _) => between.map(|between| between + line.words),
                (Some(_), false) => None,
            };
        }
        blocks.retain(|(_, words, _)| *words >= MIN_BLOCK_WORDS);
        blocks.into_iter().map(|(bytes, _, hash)| (bytes, hash)).collect()
    }

    /// The memory that they take, in bytes.
    pub fn memory(&self) -> usize {
        self.0.capacity() * size_of::<EdgeLine>()
    }
}

impl EdgeLine {
    fn key(&self, kind: u64) -> Option<LineKey> {
        self.hash.map(|hash| LineKey(mix(hash ^ kind) >> 24))
    }
}
