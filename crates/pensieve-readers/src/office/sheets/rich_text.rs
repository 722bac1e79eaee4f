//! Texts of cells whose runs have formats of their own: a power has a mark, so that it does not prolong its number.

use crate::limits::sheets::MAX_CELL_BYTES;
use crate::markdown::BaselineShift;

/// The runs of a text as they are read.
#[derive(Debug, Default)]
pub(super) struct RichText {
    /// The shift of the run that is open, for its words to come.
    next: BaselineShift,
    /// The shift of the words that wait for their end.
    shift: BaselineShift,
    waiting: String,
    /// The last word before them.
    before: String,
}

impl RichText {
    /// Begins a run.
    pub fn begin_run(&mut self) {
        self.next = BaselineShift::None;
    }

    /// The run that is open stands above or below the line.
    pub fn shift(&mut self, shift: BaselineShift) {
        self.next = shift;
    }

    /// Adds words of the run and passes to `write` what is complete.
    pub fn push(&mut self, words: &str, mut write: impl FnMut(&str)) {
        if self.next != self.shift {
            self.flush(&mut write);
            self.shift = self.next;
        }
        if self.shift == BaselineShift::None {
            self.keep(words);
            write(words);
        } else if self.waiting.len() <= MAX_CELL_BYTES {
            self.waiting.push_str(words);
        }
    }

    /// Ends the text.
    pub fn end(&mut self, mut write: impl FnMut(&str)) {
        self.flush(&mut write);
        (self.next, self.shift) = (BaselineShift::None, BaselineShift::None);
        self.before.clear();
    }

    fn flush(&mut self, write: &mut impl FnMut(&str)) {
        if self.waiting.is_empty() {
            return;
        }
        let mark = match self.waiting.starts_with(char::is_whitespace) {
            true => "",
            false => self.shift.mark(&self.before, &self.waiting),
        };
        if !mark.is_empty() {
            write(mark);
        }
        write(&self.waiting);
        let waiting = std::mem::take(&mut self.waiting);
        self.keep(&waiting);
    }

    fn keep(&mut self, words: &str) {
        if !words.is_empty() {
            self.before.clear();
            self.before.push_str(words.rsplit(char::is_whitespace).next().unwrap_or_default());
        }
    }
}
