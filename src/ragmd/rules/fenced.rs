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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_a_part_of_its_own() {
        let check =
            |text: &str, expected: &[(&str, bool)]| assert_eq!(fenced_parts(text), expected, "{text:?}");
        check("", &[]);
        check("a\nb", &[("a\nb", false)]);
        check("a\n```\nb\n```\nc\n", &[("a\n", false), ("```\nb\n```\n", true), ("c\n", false)]);
        check("```\nb\n```\n~~~\nc\n~~~", &[("```\nb\n```\n", true), ("~~~\nc\n~~~", true)]);
        check("a\n```\nb\n", &[("a\n", false), ("```\nb\n", true)]);
        check("```", &[("```", true)]);
    }
}
