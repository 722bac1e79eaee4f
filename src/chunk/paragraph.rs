//! The classic way: each paragraph is a chunk, where a paragraph ends at a blank line.

use super::boundary::Edges;
use super::lines::lines;
use crate::model::Span;

/// The paragraphs of a text, each with the white space behind it.
pub(super) fn paragraphs(edges: Edges<'_>) -> Vec<Span> {
    let text = edges.text();
    let lines = lines(text, Span::new(0, text.len()));
    let is_first = |at: usize| {
        !lines[at].is_blank() && (at == 0 || lines[at - 1].is_blank()) && edges.allows(lines[at].start)
    };
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| is_first(at)).map(|at| lines[at].start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| Span::new(start, end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SpanMap;

    #[test]
    fn blank_lines_part_paragraphs() {
        let text = "\n\na\nb\n \n\nc";
        let map = SpanMap::default();
        let found: Vec<&str> = paragraphs(Edges::new(text, &map))
            .into_iter()
            .map(|span| text[span.range()].trim_end())
            .collect();
        assert_eq!(found, ["a\nb", "c"]);
    }
}
