//! Makes each paragraph a chunk; a paragraph ends at a blank line. A heading is with the paragraph after it.

use super::boundary::CutConstraints;
use super::lines::{LineSpan, lines};
use super::markdown_lines::atx_heading;
use super::recursive::looks_like_heading;
use crate::model::Span;

/// The paragraphs of a text, each with the white space after it, the first one also with the white space before it. A
/// blank line inside the expansion of one source character separates nothing.
pub(super) fn paragraphs(constraints: CutConstraints<'_>) -> Vec<Span> {
    let text = constraints.text();
    let lines = lines(text, Span::new(0, text.len()));
    let mut cuts = vec![0];
    let mut above: Option<&[LineSpan]> = None;
    for paragraph in lines.chunk_by(|a, b| a.is_blank() == b.is_blank()).filter(|some| !some[0].is_blank()) {
        let joins = above.is_some_and(|above| is_title_of(text, above, paragraph));
        if paragraph[0].start > 0 && !joins && constraints.allows(paragraph[0].start) {
            cuts.push(paragraph[0].start);
        }
        above = Some(paragraph);
    }
    cuts.push(text.len());
    cuts.windows(2).map(|cut| Span::new(cut[0], cut[1])).collect()
}

/// True for a heading above a paragraph that is none; a row of short paragraphs is a list.
fn is_title_of(text: &str, above: &[LineSpan], paragraph: &[LineSpan]) -> bool {
    let is_marked = |lines: &[LineSpan]| lines.len() == 1 && atx_heading(&lines[0], text).is_some();
    // A marked heading is one even above another short line.
    looks_like_heading(text, above) && (is_marked(above) || !looks_like_heading(text, paragraph))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SpanMap;

    #[test]
    fn blank_lines_separate_paragraphs() {
        check("\n\na\nb\n \n\nc", &["", "a\nb", "c"]);
    }

    #[test]
    fn a_heading_is_with_the_paragraph_after_it() {
        check("It ended.\n\n# Two\n\nIt began.\n\nOn.", &["It ended.", "# Two\n\nIt began.", "On."]);
        check("The Storm\n\nIt began.", &["The Storm\n\nIt began."]);
        check("apples\n\npears\n\nplums", &["apples", "pears", "plums"]);
        check("# One\n\n# Two\n\nIt began.\n\n# End", &["# One\n\n# Two\n\nIt began.", "# End"]);
    }

    fn check(text: &str, expected: &[&str]) {
        let map = SpanMap::default();
        let spans = paragraphs(CutConstraints::new(text, &map)).into_iter();
        assert_eq!(spans.map(|span| text[span.range()].trim_end()).collect::<Vec<_>>(), expected);
    }
}
