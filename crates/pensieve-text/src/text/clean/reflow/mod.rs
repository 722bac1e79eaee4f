//! The rules `lists`, `hyphens` and `soft_wraps`: paragraphs of prose that were wrapped to a width become one line.
//!
//! A block is what stands between blank lines; it is judged as a whole ([`verdict`]), from its own lines and from what
//! the beginning of the document tells of all of it: its words, and the width to which it is wrapped. So much of a
//! document is therefore held back before the first block is settled, and at most one block after that.

mod line;
mod verdict;
mod words;

use super::{CleanOptions, CleanRule};
use crate::model::{Segment, TextKind};
use crate::text::edits::Edits;
use memchr::memmem;
use verdict::{Break, Known};
use words::Words;

/// How much of a document is looked at before anything is decided.
const SURVEY: usize = 1 << 20;

/// A block that is longer is no paragraph, and stays as it is.
const LONGEST: usize = 256 << 10;

/// Paragraphs that have to agree on a width.
const WITNESSES: usize = 3;

/// No more are asked.
const MOST_WITNESSES: usize = 25;

/// Joins the lines of one text.
#[derive(Debug)]
pub(super) struct Reflow {
    known: Known,
    is_known: bool,
    held: Segment,
    /// So much of what is held has no blank line.
    searched: usize,
    /// The block at hand is too long, and its beginning was passed on.
    is_long: bool,
}

impl Reflow {
    pub(super) fn new(options: &CleanOptions, kind: TextKind) -> Reflow {
        let known = Known {
            joins_lines: options.works(CleanRule::SoftWraps, kind),
            joins_words: options.works(CleanRule::Hyphens, kind),
            keeps_lists: options.works(CleanRule::Lists, kind),
            ..Known::default()
        };
        Reflow { known, is_known: false, held: Segment::default(), searched: 0, is_long: false }
    }

    /// The text that is settled by now.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        self.held.append(segment);
        if !self.is_known && self.held.text.len() < SURVEY {
            return Segment::default();
        }
        self.learn();
        self.settle()
    }

    /// The rest.
    pub(super) fn finish(&mut self) -> Segment {
        self.learn();
        let mut done = self.settle();
        let rest = std::mem::take(&mut self.held);
        let mut edits = Edits::default();
        if !self.is_long {
            self.blocks(&rest.text, &mut edits);
        }
        done.append(edits.apply(rest));
        done
    }

    fn learn(&mut self) {
        if !std::mem::replace(&mut self.is_known, true) {
            let text = &self.held.text[..self.held.text.floor_char_boundary(SURVEY)];
            if self.known.joins_words && memmem::find(text.as_bytes(), b"-\n").is_some() {
                self.known.words = Words::of(text);
            }
            self.known.width = self.known.joins_lines.then(|| width(text, &self.known)).flatten();
        }
    }

    /// Settles the blocks that are complete.
    fn settle(&mut self) -> Segment {
        let from = self.searched.saturating_sub(1);
        let last = memmem::rfind(&self.held.text.as_bytes()[from..], b"\n\n").map(|at| from + at + 2);
        self.searched = self.held.text.len();
        let end = match last {
            Some(end) => end,
            // The last byte may be half of a blank line.
            None if self.is_long || self.held.text.len() > LONGEST + 1 => {
                self.held.text.trim_end_matches('\n').len()
            }
            None => return Segment::default(),
        };
        let mut all = std::mem::take(&mut self.held);
        self.held = all.split_off(end);
        self.searched = self.held.text.len();
        let mut edits = Edits::default();
        let start = match self.is_long {
            true => memmem::find(all.text.as_bytes(), b"\n\n").map_or(end, |at| at + 2),
            false => 0,
        };
        self.is_long = last.is_none();
        if last.is_some() {
            self.blocks_from(&all.text, start, &mut edits);
        }
        edits.apply(all)
    }

    fn blocks(&self, text: &str, edits: &mut Edits) {
        self.blocks_from(text, 0, edits);
    }

    /// Settles the blocks of `text` from `start` on.
    fn blocks_from(&self, text: &str, start: usize, edits: &mut Edits) {
        each_block(&text[start..], |at, block| {
            let lines: Vec<&str> = block.split('\n').collect();
            let breaks = verdict::breaks(&lines, &self.known);
            let mut end = start + at;
            for (line, found) in lines.iter().zip(breaks) {
                end += line.len();
                match found {
                    Break::Keep => {}
                    Break::Blank => edits.swap(end, " "),
                    Break::Nothing => edits.blank(end, end + 1),
                    Break::Hyphen => leave_hyphen(line, end, edits),
                    Break::Paragraph => edits.put_blank(end, "\n"),
                }
                end += 1;
            }
        });
    }
}

/// Leaves out the hyphen that ends a line, and the line end. Only the plain and the soft one count for nothing where
/// texts are compared.
fn leave_hyphen(line: &str, end: usize, edits: &mut Edits) {
    let hyphen = line.chars().next_back().map_or(0, char::len_utf8);
    if line.ends_with('\u{2010}') {
        edits.loss(end - hyphen, end + 1);
    } else {
        edits.blank(end - hyphen, end + 1);
    }
}

/// Hands over each block that has more than one line and is none too long, with its place.
fn each_block(text: &str, mut each: impl FnMut(usize, &str)) {
    let (mut start, mut lines, mut line) = (0, 0, 0);
    let bytes = text.as_bytes();
    let ends = memchr::memchr_iter(b'\n', bytes).chain((!text.ends_with('\n')).then_some(bytes.len()));
    for end in ends {
        if end == line {
            block(text, start, line.saturating_sub(1), lines, &mut each);
            (start, lines) = (end + 1, 0);
        } else {
            lines += 1;
        }
        line = end + 1;
    }
    block(text, start, line.saturating_sub(1).min(text.len()), lines, &mut each);
}

fn block(text: &str, start: usize, end: usize, lines: usize, each: &mut impl FnMut(usize, &str)) {
    if lines > 1 && end - start <= LONGEST {
        each(start, &text[start..end]);
    }
}

/// The width that most of the paragraphs agree on which were wrapped beyond doubt.
fn width(text: &str, known: &Known) -> Option<usize> {
    let mut widths = Vec::new();
    each_block(text, |_, block| {
        if widths.len() < MOST_WITNESSES && memchr::memchr_iter(b'\n', block.as_bytes()).nth(2).is_some() {
            let lines: Vec<&str> = block.split('\n').collect();
            widths.extend(verdict::width_of(&lines, known));
        }
    });
    widths.sort_unstable();
    let middle = widths.get(widths.len() / 2).copied()?;
    let agree = widths.iter().filter(|&&width| width.abs_diff(middle) <= 3).count();
    (agree >= WITNESSES && agree * 2 > widths.len()).then_some(middle)
}
