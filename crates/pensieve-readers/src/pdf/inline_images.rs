//! Inline images of content streams that do not end. `hayro-syntax` looks for the end of each in all of the rest of the
//! stream, so many of them cost the square of its length.

use super::expansion::is_white_space;
use crate::limits::pdf::MAX_ENDLESS_IMAGES;
use memchr::memmem;

/// Where a content stream must be cut so that at most as many inline images as allowed follow the last `EI`.
pub(super) fn endless_images_from(content: &[u8]) -> Option<usize> {
    let is_end = |at: &usize| content.get(at + 2).is_none_or(|byte| is_white_space(*byte));
    let last_end = memmem::rfind_iter(content, b"EI").find(is_end).map_or(0, |end| end + 2);
    let mut from = last_end;
    for _ in 0..MAX_ENDLESS_IMAGES {
        (_, from) = next_image(content, from)?;
    }
    next_image(content, from).map(|(start, _)| start)
}

/// Where the next operators `BI` and `ID` from there on start and end.
fn next_image(content: &[u8], from: usize) -> Option<(usize, usize)> {
    let starts = memmem::find_iter(content.get(from..)?, b"BI").map(|at| from + at);
    let start = starts.into_iter().find(|start| is_image(content, *start))?;
    let is_data = |at: &usize| content.get(at + 2).is_some_and(|byte| is_white_space(*byte));
    let mut data = memmem::find_iter(content.get(start..)?, b"ID").map(|at| start + at);
    data.find(is_data).map(|at| (start, at + 2))
}

/// Whether the letters `BI` at this place are an operator with entries of an image after it, or nothing but its `ID`.
fn is_image(content: &[u8], at: usize) -> bool {
    let (Some(before), Some(after)) = (content.get(..at), content.get(at + 2..)) else { return false };
    let ends_name = before.last().is_some_and(|byte| byte.is_ascii_alphabetic() || b"/*_\"'".contains(byte));
    let blanks = after.iter().take_while(|byte| is_white_space(**byte)).count();
    !ends_name
        && match after.get(blanks..) {
            Some([b'/' | b'%', ..]) => true,
            Some([b'I', b'D', ..]) => blanks > 0,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IMAGE: &str = "BI /W 1 /H 1 ID x\n";

    fn check(content: &str, cut: Option<usize>) {
        assert_eq!(endless_images_from(content.as_bytes()), cut);
    }

    #[test]
    fn a_stream_is_cut_before_the_first_endless_image_too_many() {
        let allowed = IMAGE.repeat(MAX_ENDLESS_IMAGES);
        check("", None);
        check(&allowed, None);
        check(&allowed.repeat(3), Some(allowed.len()));
        check(&format!("{allowed} BI%\nID "), Some(allowed.len() + 1));
        check(&format!("{allowed} BI ID "), Some(allowed.len() + 1));
        check(&format!("q EI Q {allowed}EIx {IMAGE}"), Some(7 + allowed.len() + 4));
    }

    #[test]
    fn images_that_end_and_other_words_are_not_counted() {
        check(&format!("{IMAGE}EI\n").repeat(1000), None);
        check(&format!("{}EI", IMAGE.repeat(1000)), None);
        check(&"(BI tools, ID 7) Tj /ABI /x gs BI\n".repeat(1000), None);
        check(&"(BI / report) Tj\n".repeat(1000), None);
    }

    /// White space after the operator is looked at once for each; a search that finds no `ID` is the last.
    #[test]
    fn the_cost_is_that_of_the_stream() {
        check(&format!("BI{}", " ".repeat(1 << 20)).repeat(8), None);
        check(&"BI /W 1 ".repeat(1 << 17), None);
        check(&"BI ".repeat(1 << 20), None);
    }
}
