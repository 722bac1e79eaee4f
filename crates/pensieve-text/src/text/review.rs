//! Decides whether a person should review a text before relying on it: by the amounts of text before and after
//! cleaning, never by its words.
//!
//! The decision depends only on the document and the settings, so that it is the same on every machine and after any
//! history of runs. It blocks nothing.

use crate::model::numbers::counted;
use crate::model::{Locator, RecipeLine, ReviewReason, ReviewReasonKind, Segment};
use serde::{Deserialize, Serialize};

/// The thresholds beyond which a text needs a review.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ReviewOptions {
    /// Minimum characters per page on average.
    pub min_chars_per_page: usize,
    /// Maximum bytes of a file per character of its text.
    pub max_bytes_per_char: usize,
    /// Maximum percent of replacement characters.
    pub max_replaced_percent: usize,
    /// Maximum percent that cleaning may remove.
    pub max_removed_percent: usize,
}

impl ReviewOptions {
    /// What the reasons for a review depend on.
    pub fn recipe_lines(&self) -> Vec<RecipeLine> {
        let ReviewOptions {
            min_chars_per_page,
            max_bytes_per_char,
            max_replaced_percent,
            max_removed_percent,
        } = self;
        vec![
            ("review.min_chars_per_page", min_chars_per_page.to_string()),
            ("review.max_bytes_per_char", max_bytes_per_char.to_string()),
            ("review.max_replaced_percent", max_replaced_percent.to_string()),
            ("review.max_removed_percent", max_removed_percent.to_string()),
        ]
    }
}

/// Smaller files are never too large for their text: an empty office document has a few kilobytes.
const SMALL_FILE_BYTES: u64 = 256 << 10;

/// The counts of one text, raw and clean, from which review reasons follow. They are stored with the text, so that other
/// thresholds need no text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewEvidence {
    /// Bytes of the file.
    pub file_bytes: u64,
    /// The last page with text; 0 without pages.
    pub pages: u64,
    /// Visible characters of raw text.
    pub raw: usize,
    /// Visible characters of clean text.
    pub clean: usize,
    /// U+FFFD in the raw text, each in place of undecodable bytes.
    pub replaced: usize,
    /// Bytes of raw text.
    pub raw_bytes: usize,
    /// Bytes of wording that cleaning removed.
    pub removed_bytes: usize,
}

impl ReviewEvidence {
    /// Counts a segment of raw text.
    pub fn note_raw(&mut self, segment: &Segment) {
        self.raw += visible(&segment.text);
        self.replaced += memchr::memmem::find_iter(segment.text.as_bytes(), "\u{fffd}").count();
        for (_, locator) in &segment.places.0 {
            let last = match locator {
                Locator::Pages { last, .. } => Some(*last),
                Locator::Layout(layout) => layout.spots.iter().map(|&(page, _)| page).max(),
                _ => None,
            };
            self.pages = self.pages.max(last.unwrap_or_default());
        }
    }

    /// Counts a segment of clean text.
    pub fn note_clean(&mut self, text: &str) {
        self.clean += visible(text);
    }

    /// Why a person should review the clean text.
    pub fn review_reasons(&self, options: &ReviewOptions) -> Vec<ReviewReason> {
        let mut review_reasons = Vec::new();
        let (raw, clean) = (self.raw, self.clean);
        if raw > 0 && clean == 0 {
            review_reasons.push(ReviewReason::new(
                ReviewReasonKind::EmptyClean,
                format!("{raw} characters of raw text, none of clean"),
            ));
        }
        if raw == 0 && clean == 0 && self.raw_bytes >= MIN_BLANK_BYTES {
            let detail = format!("{} bytes of raw text, all of them blank", self.raw_bytes);
            review_reasons.push(ReviewReason::new(ReviewReasonKind::EmptyClean, detail));
        }
        if let Some(detail) = self.too_short(options) {
            review_reasons.push(ReviewReason::new(ReviewReasonKind::ShortText, detail));
        }
        if self.replaced * 100 > raw * options.max_replaced_percent {
            let detail = format!("{} of {raw} characters", self.replaced);
            review_reasons.push(ReviewReason::new(ReviewReasonKind::ReplacedCharacters, detail));
        }
        let (removed, whole) = (self.removed_bytes, self.raw_bytes);
        if clean > 0 && removed * 100 > whole * options.max_removed_percent {
            review_reasons.push(ReviewReason::new(
                ReviewReasonKind::MuchRemoved,
                format!("{removed} of {whole} bytes"),
            ));
        }
        review_reasons
    }

    fn too_short(&self, options: &ReviewOptions) -> Option<String> {
        let ReviewEvidence { file_bytes, pages, clean, .. } = self;
        if (*clean as u64) < pages.saturating_mul(options.min_chars_per_page as u64) {
            return Some(format!("{} on {}", counted(*clean as u64, "character"), counted(*pages, "page")));
        }
        let expected = file_bytes / (options.max_bytes_per_char.max(1) as u64);
        let is_short = *file_bytes >= SMALL_FILE_BYTES && (*clean as u64) < expected;
        is_short.then(|| format!("{} in a file of {file_bytes} bytes", counted(*clean as u64, "character")))
    }
}

/// The reasons of a stored text by other thresholds: those that follow from its counts are found anew, the others stay.
pub fn review_again(
    stored: &[ReviewReason],
    counts: &ReviewEvidence,
    options: &ReviewOptions,
) -> Vec<ReviewReason> {
    let stays = |reason: &&ReviewReason| match reason.kind {
        ReviewReasonKind::ShortText | ReviewReasonKind::MuchRemoved => false,
        // Without any in the counts, its reader said so.
        ReviewReasonKind::ReplacedCharacters => counts.replaced == 0,
        _ => true,
    };
    let kept: Vec<ReviewReason> = stored.iter().filter(stays).cloned().collect();
    merge_review_reasons(&kept, &counts.review_reasons(options))
}

/// Blank text of fewer bytes is a line end or two, as in modules that are empty on purpose.
const MIN_BLANK_BYTES: usize = 64;

/// Characters except ASCII white space and controls: counts the first bytes of characters above U+0020.
///
/// Cost: a count over bytes, which compilers turn into vector instructions.
fn visible(text: &str) -> usize {
    text.bytes().filter(|byte| *byte > 0x20 && !(0x80..0xC0).contains(byte)).count()
}

/// The reasons of both lists, each kind once; the first list takes precedence.
pub fn merge_review_reasons(first: &[ReviewReason], others: &[ReviewReason]) -> Vec<ReviewReason> {
    let is_new = |reason: &&ReviewReason| !first.iter().any(|known| known.kind == reason.kind);
    first.iter().chain(others.iter().filter(is_new)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: ReviewOptions = ReviewOptions {
        min_chars_per_page: 8,
        max_bytes_per_char: 20_000,
        max_replaced_percent: 1,
        max_removed_percent: 30,
    };

    fn check(evidence: ReviewEvidence, expected: &[&str]) {
        let told: Vec<String> = evidence
            .review_reasons(&OPTIONS)
            .iter()
            .map(|reason| format!("{}: {}", reason.kind.as_str(), reason.detail))
            .collect();
        assert_eq!(told, expected, "{evidence:?}");
    }

    fn text(raw: usize, clean: usize) -> ReviewEvidence {
        ReviewEvidence { file_bytes: 1000, raw, clean, ..ReviewEvidence::default() }
    }

    #[test]
    fn each_reason_has_its_bound() {
        check(text(0, 0), &[]);
        check(text(100, 100), &[]);
        check(text(100, 0), &["empty_clean: 100 characters of raw text, none of clean"]);
        let blank = |bytes| ReviewEvidence { raw_bytes: bytes, ..text(0, 0) };
        check(blank(63), &[]);
        check(blank(64), &["empty_clean: 64 bytes of raw text, all of them blank"]);
        let removed = |bytes| ReviewEvidence { raw_bytes: 100, removed_bytes: bytes, ..text(100, 50) };
        check(removed(30), &[]);
        check(removed(31), &["much_removed: 31 of 100 bytes"]);
        check(ReviewEvidence { pages: 10, ..text(80, 80) }, &[]);
        check(ReviewEvidence { pages: 10, ..text(79, 79) }, &["short_text: 79 characters on 10 pages"]);
        check(ReviewEvidence { file_bytes: 200_000, ..text(0, 0) }, &[]);
        check(ReviewEvidence { file_bytes: 5_000_000, ..text(250, 250) }, &[]);
        check(
            ReviewEvidence { file_bytes: 5_000_000, ..text(249, 249) },
            &["short_text: 249 characters in a file of 5000000 bytes"],
        );
        check(ReviewEvidence { replaced: 1, ..text(100, 100) }, &[]);
        check(
            ReviewEvidence { replaced: 2, ..text(100, 100) },
            &["replaced_characters: 2 of 100 characters"],
        );
    }

    #[test]
    fn other_thresholds_need_only_the_counts() {
        let reason = |kind, detail: &str| ReviewReason::new(kind, detail);
        let short = reason(ReviewReasonKind::ShortText, "12 characters on 2 pages");
        let audit = reason(ReviewReasonKind::LayoutAudit, "an overlap");
        let of_reader = reason(ReviewReasonKind::ReplacedCharacters, "by the reader");
        let counts = ReviewEvidence { pages: 2, ..text(12, 12) };
        let again = |stored: &[ReviewReason], min_chars_per_page| {
            review_again(stored, &counts, &ReviewOptions { min_chars_per_page, ..OPTIONS })
        };
        let stored = [of_reader.clone(), short.clone(), audit.clone()];
        assert_eq!(again(&stored, 6), [of_reader.clone(), audit.clone()]);
        assert_eq!(again(&[of_reader.clone(), audit.clone()], 7), [of_reader, audit, short]);
    }

    #[test]
    fn what_one_sees_is_counted_in_characters() {
        assert_eq!(visible(" a\tä\n日🦀\u{0}"), 4);
        let mut evidence = ReviewEvidence::default();
        evidence.note_raw(&Segment { text: "a\u{fffd}b".to_owned(), ..Segment::default() });
        assert_eq!((evidence.raw, evidence.replaced, evidence.pages), (3, 1, 0));
        evidence.note_clean("a b");
        evidence.note_clean("c");
        assert_eq!(evidence.clean, 3);
    }

    #[test]
    fn each_kind_is_reported_once() {
        let reason = |kind, detail: &str| ReviewReason::new(kind, detail);
        let reader = [reason(ReviewReasonKind::ReplacedCharacters, "by the reader")];
        let ours =
            [reason(ReviewReasonKind::ReplacedCharacters, "ours"), reason(ReviewReasonKind::ShortText, "x")];
        assert_eq!(merge_review_reasons(&reader, &ours), [reader[0].clone(), ours[1].clone()]);
    }
}
