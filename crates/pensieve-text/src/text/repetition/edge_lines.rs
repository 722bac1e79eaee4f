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
const MIN_BLOCK_WORDS: usize = 8;

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
    words: Range<usize>,
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
        let hash = |line: &Range<usize>| {
            let fold = |sum: u64, word: &u64| mix(sum.rotate_left(1) ^ word);
            (line.len() >= MIN_LINE_WORDS).then(|| words.hashes()[line.clone()].iter().fold(0, fold))
        };
        EdgeLines(lines.map(|words| EdgeLine { hash: hash(&words), words }).collect())
    }

    /// The keys of the lines in documents of a kind, in ascending order, each once.
    pub fn keys(&self, kind: u64) -> Vec<LineKey> {
        let mut keys: Vec<LineKey> = self.0.iter().filter_map(|line| line.key(kind)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The blocks of lines in a row that recur: their words, and a hash of these.
    pub fn blocks(&self, kind: u64, recurs: &dyn Fn(LineKey) -> bool) -> Vec<(Range<usize>, u64)> {
        let mut blocks: Vec<(Range<usize>, u64)> = Vec::new();
        // The word after the last line, where the block may go on there.
        let mut open = None;
        for line in &self.0 {
            let goes_on = open == Some(line.words.start);
            match (line.hash, line.key(kind).is_some_and(recurs)) {
                (Some(hash), true) => match blocks.last_mut().filter(|_| goes_on) {
                    Some((words, sum)) => {
                        (words.end, *sum) = (line.words.end, mix(sum.rotate_left(1) ^ hash))
                    }
                    None => blocks.push((line.words.clone(), mix(hash))),
                },
                (None, _) if goes_on => {}
                _ => {
                    open = None;
                    continue;
                }
            }
            open = Some(line.words.end);
        }
        blocks.retain(|(words, _)| words.len() >= MIN_BLOCK_WORDS);
        blocks
    }
}

impl EdgeLine {
    fn key(&self, kind: u64) -> Option<LineKey> {
        self.hash.map(|hash| LineKey(mix(hash ^ kind) >> 24))
    }
}
