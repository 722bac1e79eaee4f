//! Makes each paragraph a chunk; a paragraph ends at a blank line.

use super::boundary::CutConstraints;
use super::lines::lines;
use crate::model::Span;

/// The paragraphs of a text, each with the white space after it, the first one also with the white space before it. A
/// blank line inside the expansion of one source character separates nothing.
pub(super) fn paragraphs(constraints: CutConstraints<'_>) -> Vec<Span> {
    let text = constraints.text();
    let lines = lines(text, Span::new(0, text.len()));
    let mut cuts = vec![0];
    for pair in lines.windows(2) {
        if pair[0].is_blank() && !pair[1].is_blank() && constraints.allows(pair[1].start) {
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
    fn blank_lines_separate_paragraphs() {
        let text = "\n\na\nb\n \n\nc";
        let map = SpanMap::default();
        let found: Vec<&str> = paragraphs(CutConstraints::new(text, &map))
            .into_iter()
            .map(|span| text[span.range()].trim_end())
            .collect();
        assert_eq!(found, ["", "a\nb", "c"]);
    }
}
