//! The rules `lists`, `hyphens` and `soft_wraps`: paragraphs of prose that were wrapped to a width become one line.
//!
//! A block is the text between two blank lines. It is judged as a whole ([`line_breaks`]), by its own lines and by the
//! words and the wrapping width of the beginning of the document. That beginning is therefore held back before the
//! first decision, and at most one block after it.

mod divided_token;
mod hyphenation;
mod line_breaks;
mod line_traits;
mod separate_lines;

use super::options::CleanOptions;
use super::rules::CleanRule;
use super::shapes;
use crate::model::{Segment, TextKind};
use crate::text::edits::Edits;
use hyphenation::WordCounts;
use line_breaks::{LineBreak, ReflowContext};
use memchr::memmem;

/// Bytes of a document that are examined before the first decision.
const SURVEY_BYTES: usize = 1 << 20;

/// A longer block is not a paragraph and stays unchanged.
const MAX_BLOCK_BYTES: usize = 256 << 10;

/// Minimum paragraphs that must agree on a width.
const MIN_WITNESSES: usize = 3;

/// Maximum paragraphs that are examined for the width.
const MAX_WITNESSES: usize = 25;

/// Joins the lines of one text.
#[derive(Debug)]
pub(super) struct ReflowStep {
    context: ReflowContext,
    keeps_shapes: bool,
    is_known: bool,
    held: Segment,
    /// Bytes of `held` that were searched for a blank line.
    searched: usize,
    /// True if the current block is too long and its beginning was already returned.
    is_long: bool,
}

impl ReflowStep {
    pub(super) fn new(options: &CleanOptions, kind: TextKind) -> ReflowStep {
        let context = ReflowContext {
            joins_lines: options.has_rule(CleanRule::SoftWraps, kind),
            joins_words: options.has_rule(CleanRule::Hyphens, kind),
            keeps_lists: options.has_rule(CleanRule::Lists, kind),
            ..ReflowContext::default()
        };
        ReflowStep {
            context,
            keeps_shapes: options.has_rule(CleanRule::Shapes, kind),
            is_known: false,
            held: Segment::default(),
            searched: 0,
            is_long: false,
        }
    }

    /// Returns the text that is final.
    pub(super) fn push(&mut self, segment: Segment) -> Segment {
        self.held.append(segment);
        if !self.is_known && self.held.text.len() < SURVEY_BYTES {
            return Segment::default();
        }
        self.learn();
        self.settle()
    }

    /// Returns the rest of the text.
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
            let text = &self.held.text[..self.held.text.floor_char_boundary(SURVEY_BYTES)];
            // Only divided words need the counts.
            if self.context.joins_words && memmem::find(text.as_bytes(), b"-\n").is_some() {
                self.context.words = WordCounts::of(text);
            }
            self.context.width = self.context.joins_lines.then(|| width(text, &self.context)).flatten();
        }
    }

    /// Joins the lines of the complete blocks.
    fn settle(&mut self) -> Segment {
        let from = self.searched.saturating_sub(1);
        let last = memmem::rfind(&self.held.text.as_bytes()[from..], b"\n\n").map(|at| from + at + 2);
        self.searched = self.held.text.len();
        let end = match last {
            Some(end) => end,
            // The last byte may be half of a blank line.
            None if self.is_long || self.held.text.len() > MAX_BLOCK_BYTES + 1 => {
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

    /// Joins the lines of the blocks of `text` from `start` on.
    fn blocks_from(&self, text: &str, start: usize, edits: &mut Edits) {
        each_block(&text[start..], |at, block| {
            if self.keeps_shapes && shapes::is_shaped(block) {
                return;
            }
            let lines: Vec<&str> = block.split('\n').collect();
            let breaks = line_breaks::breaks(&lines, &self.context);
            let mut end = start + at;
            for (line, found) in lines.iter().zip(breaks) {
                end += line.len();
                match found {
                    LineBreak::Keep => {}
                    LineBreak::Blank => edits.swap(end, " "),
                    LineBreak::Nothing => edits.blank(end, end + 1),
                    LineBreak::Hyphen => leave_hyphen(line, end, edits),
                    LineBreak::Paragraph => edits.put_blank(end, "\n"),
                }
                end += 1;
            }
        });
    }
}

/// Removes the hyphen that ends a line, and the line end. U+2010 counts as a loss, because a comparison of texts
/// ignores only the plain and the soft hyphen.
fn leave_hyphen(line: &str, end: usize, edits: &mut Edits) {
    let hyphen = line.chars().next_back().map_or(0, char::len_utf8);
    if line.ends_with('\u{2010}') {
        edits.loss(end - hyphen, end + 1);
    } else {
        edits.blank(end - hyphen, end + 1);
    }
}

/// Calls `each` with the position and text of each block of more than one line that is not too long.
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
    if lines > 1 && end - start <= MAX_BLOCK_BYTES {
        each(start, &text[start..end]);
    }
}

/// The width on which most of the certainly wrapped paragraphs agree.
fn width(text: &str, context: &ReflowContext) -> Option<usize> {
    let mut widths = Vec::new();
    each_block(text, |_, block| {
        // Four lines, as `is_wrapped` wants.
        if widths.len() < MAX_WITNESSES && memchr::memchr_iter(b'\n', block.as_bytes()).nth(2).is_some() {
            let lines: Vec<&str> = block.split('\n').collect();
            widths.extend(line_breaks::width_of(&lines, context));
        }
    });
    widths.sort_unstable();
    let middle = widths.get(widths.len() / 2).copied()?;
    // The longest line of a ragged paragraph is often a few letters short of the width.
    let agree = widths.iter().filter(|&&width| width.abs_diff(middle) <= 3).count();
    (agree >= MIN_WITNESSES && agree * 2 > widths.len()).then_some(middle)
}
