//! The classic way: each paragraph is a chunk, where a paragraph ends at a blank line.

use super::boundary::Edges;
use super::lines::lines;
use crate::model::Span;

/// The paragraphs of a text, each with the white space behind it, the first one with that before it. A blank line
/// inside the expansion of one source character parts nothing.
pub(super) fn paragraphs(edges: Edges<'_>) -> Vec<Span> {
    let text = edges.text();
    let lines = lines(text, Span::new(0, text.len()));
    let mut cuts = vec![0];
    for pair in lines.windows(2) {
        if pair[0].is_blank() && !pair[1].is_blank() && edges.allows(pair[1].start) {
            cuts.push(pair[1].start);
        }
    }
    cuts.push(text.len());
    cuts.windows(2).map(|cut| Span::new(cut[0], cut[1])).collect()
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
        assert_eq!(found, ["", "a\nb", "c"]);
    }
}
