//! The texts that cells of a workbook share.
//!
//! All texts are in one string, with the end of each. It grows in steps instead of doubling, up to a limit. If a
//! workbook has more, the later texts are lost, which is reported.

use crate::limits::sheets::{MAX_CELL_BYTES, MAX_SHARED_STRING_BYTES};
use pensieve_text::model::{Problem, ProblemKind};

/// The least number of bytes by which the string grows.
const GROWTH_BYTES: usize = 4 << 20;

/// Texts by their numbers.
#[derive(Debug, Default)]
pub(super) struct SharedStrings {
    text: String,
    ends: Vec<u32>,
    is_full: bool,
}

impl SharedStrings {
    /// Adds to the next text.
    pub fn push_str(&mut self, text: &str) {
        if self.has_room(text.len()) {
            if self.text.capacity() - self.text.len() < text.len() {
                self.text.reserve_exact(text.len().max(GROWTH_BYTES));
            }
            self.text.push_str(text);
        }
    }

    /// Ends the text that was added.
    pub fn end(&mut self) {
        if !self.has_room(size_of::<u32>()) {
            self.is_full = true;
            return;
        }
        if self.ends.len() == self.ends.capacity() {
            self.ends.reserve_exact(GROWTH_BYTES / size_of::<u32>() / 4);
        }
        self.ends.push(self.text.len() as u32);
    }

    /// The text of a number.
    pub fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        // The part that exceeds the limit of a cell is not copied for each cell.
        let end = if end - start > 2 * MAX_CELL_BYTES {
            self.text.floor_char_boundary(start + 2 * MAX_CELL_BYTES)
        } else {
            end
        };
        Some(&self.text[start..end])
    }

    /// True if a text did not fit; later texts are not accepted either.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// The report on texts that did not fit.
    pub fn problem(&self) -> Option<Problem> {
        let message = format!("shared texts after the first {} have no room in memory", self.ends.len());
        self.is_full.then(|| Problem::new(ProblemKind::SizeLimit, message))
    }

    fn has_room(&mut self, more: usize) -> bool {
        let taken = self.text.len() + self.ends.len() * size_of::<u32>();
        self.is_full |= taken + more > MAX_SHARED_STRING_BYTES;
        !self.is_full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_by_number() {
        let mut strings = SharedStrings::default();
        for text in ["one", "", "three"] {
            strings.push_str(text);
            strings.end();
        }
        assert_eq!(
            [0, 1, 2, 3].map(|number| strings.get(number)),
            [Some("one"), Some(""), Some("three"), None]
        );
        assert_eq!(strings.problem(), None);
    }

    #[test]
    fn texts_that_do_not_fit_are_reported_and_memory_grows_in_steps() {
        let mut strings = SharedStrings::default();
        let text = "x".repeat(1 << 20);
        for _ in 0..200 {
            strings.push_str(&text);
            strings.end();
        }
        assert!(strings.is_full() && strings.problem().is_some());
        assert!(strings.text.capacity() <= MAX_SHARED_STRING_BYTES + GROWTH_BYTES);
        assert!(strings.get(0).is_some_and(|text| text.len() <= 2 * MAX_CELL_BYTES));
    }
}
