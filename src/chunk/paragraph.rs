//! The classic way: each paragraph is a chunk, where a paragraph ends at a blank line.

use super::lines::lines;
use crate::model::Span;

/// The paragraphs of a text.
pub(super) fn paragraphs(text: &str) -> Vec<Span> {
    lines(text, Span::new(0, text.len()))
        .chunk_by(|a, b| a.is_blank() == b.is_blank())
        .filter(|part| !part[0].is_blank())
        .map(|part| Span::new(part[0].start, part[part.len() - 1].end))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_part_paragraphs() {
        let text = "\n\na\nb\n \n\nc";
        let found: Vec<&str> = paragraphs(text).into_iter().map(|span| &text[span.range()]).collect();
        assert_eq!(found, ["a\nb", "c"]);
    }
}
