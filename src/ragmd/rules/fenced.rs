//! A text split at its fenced code.

use pensieve_text::text::markdown::{FencePosition, FenceTracker};

/// The parts of a text, each with a flag for fenced code.
pub(super) fn fenced_parts(text: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut fences = FenceTracker::default();
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match fences.read(line) {
            FencePosition::Opens if start < at => {
                parts.push((&text[start..at], false));
                start = at;
            }
            FencePosition::Closes => {
                parts.push((&text[start..end], true));
                start = end;
            }
            FencePosition::Opens | FencePosition::Inside | FencePosition::Outside => {}
        }
        at = end;
    }
    if start < text.len() {
        parts.push((&text[start..], fences.is_open()));
    }
    parts
}
