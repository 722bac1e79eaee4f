//! How much of a text cleaning removed, and what is left.

use super::rules::CLEAN_RULES;

/// Counts of one cleaned text, by which the need for review is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CleaningReport {
    /// Bytes of raw text.
    pub raw_bytes: usize,
    /// Bytes of clean text.
    pub clean_bytes: usize,
    /// U+FFFD in the raw text, each in place of undecodable bytes.
    pub replacement_characters: usize,
    /// The raw text is more than white space.
    pub raw_has_text: bool,
    /// The clean text is more than white space.
    pub clean_has_text: bool,
    pub(super) removed: [usize; CLEAN_RULES.len()],
}

impl CleaningReport {
    /// Bytes of wording that the rules removed, without white space, hyphens and replaced characters.
    pub fn removed_bytes(&self) -> usize {
        self.removed.iter().sum()
    }

    /// True if there was text, but none is left.
    pub fn is_emptied(&self) -> bool {
        self.raw_has_text && !self.clean_has_text
    }

    /// Counts a segment of raw text.
    pub(super) fn count_raw(&mut self, text: &str) {
        self.raw_bytes += text.len();
        self.raw_has_text |= has_text(text);
        self.replacement_characters += memchr::memmem::find_iter(text.as_bytes(), "\u{fffd}").count();
    }

    /// Counts a segment of clean text.
    pub(super) fn count_clean(&mut self, text: &str) {
        self.clean_bytes += text.len();
        self.clean_has_text |= has_text(text);
    }
}

/// Cost: nearly always a look at the first character only.
fn has_text(text: &str) -> bool {
    !text.trim_start().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_removed_is_counted_by_rule() {
        let mut report = CleaningReport::default();
        report.removed[0] = 3;
        report.removed[CLEAN_RULES.len() - 1] = 4;
        assert_eq!(report.removed_bytes(), 7);
        report.count_raw("caf\u{fffd} \u{fffd}");
        report.count_clean(" \n");
        assert_eq!((report.raw_bytes, report.clean_bytes, report.replacement_characters), (10, 2, 2));
        assert!(report.is_emptied());
        report.count_clean("a");
        assert!(!report.is_emptied() && report.clean_bytes == 3);
    }
}
