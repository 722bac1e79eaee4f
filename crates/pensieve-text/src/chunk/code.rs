//! Source code and structured data, by lines: blank lines and indentation show where blocks end.
//!
//! This needs no grammar: a line at the lowest indentation after a blank line starts an item in any language. A closing
//! bracket belongs to the lines before it, a comment or attribute to the lines after it, and an empty line of a comment
//! separates paragraphs.

use super::boundary::BoundaryRank;
use super::lines::{LineSpan, lines};
use super::outline::{BoundaryCollector, ProtectedSpan, SegmentOutline};
use crate::model::Span;

/// How comment and attribute lines start. `#` is a heading in none of these languages.
const COMMENT_STARTS: [&str; 13] =
    ["//", "/*", "*", "#", "@", "--", ";;", "%", "\"\"\"", "'''", "<!--", "///", "[<"];

/// The outline of code.
pub(super) fn outline(mut collector: BoundaryCollector<'_>) -> SegmentOutline {
    let text = collector.text();
    let all = lines(text, Span::new(0, text.len()));
    let mut above: Option<&LineSpan> = None;
    let mut after_blank = false;
    for line in &all {
        if line.is_blank() {
            after_blank = true;
            continue;
        }
        let rank = above.and_then(|above| rank(text, above, line, after_blank));
        if let Some(rank) = rank {
            collector.mark(line.start, rank, rank >= BoundaryRank::Section2);
        }
        (above, after_blank) = (Some(line), false);
    }
    let whole = ProtectedSpan { span: Span::new(0, text.len()), context: None };
    SegmentOutline { boundaries: collector.finish(), protected: vec![whole], paths: Vec::new() }
}

/// What a cut between two lines interrupts; `None` if there should be no cut.
fn rank(text: &str, above: &LineSpan, line: &LineSpan, after_blank: bool) -> Option<BoundaryRank> {
    let depth = depth(line.indent);
    if closes_block(line.words(text)) {
        return None;
    }
    if is_comment(above.words(text)) && above.indent == line.indent && !after_blank {
        let rank = if above.end - above.words <= 3 { BoundaryRank::SentenceLine } else { BoundaryRank::Line };
        return is_comment(line.words(text)).then_some(rank);
    }
    if opens_block(above.words(text)) && above.indent < line.indent {
        return Some(BoundaryRank::Line);
    }
    let block_ended = above.indent > line.indent || closes_block(above.words(text));
    Some(match (after_blank, block_ended, depth) {
        (true, _, 0) => BoundaryRank::Section1,
        (false, true, 0) => BoundaryRank::Section2,
        (true, _, 1) => BoundaryRank::Block,
        (false, true, 1) | (false, false, 0) => BoundaryRank::Item,
        (true, _, _) => BoundaryRank::SentenceLine,
        (false, false, 1) | (false, true, 2) => BoundaryRank::Sentence,
        _ => BoundaryRank::Line,
    })
}

/// The depth of indentation, for steps of any width.
fn depth(indent: usize) -> usize {
    match indent {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        _ => 3,
    }
}

fn closes_block(words: &str) -> bool {
    words.starts_with(['}', ')', ']'])
        || words.starts_with("</")
        || words == "end"
        || words == "fi"
        || words == "done"
}

/// True for the first line of a block, which must not be separated from the block.
fn opens_block(words: &str) -> bool {
    words.ends_with(['{', '(', '[', ':'])
}

/// True for a comment or an attribute.
fn is_comment(words: &str) -> bool {
    COMMENT_STARTS.iter().any(|lead| words.starts_with(lead))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_above_blocks_and_blocks_above_lines() {
        let text = "fn a() {\n    b();\n\n    c();\n}\n\n/// D.\nfn d() {\n}\nfn e() {}\n";
        let all: Vec<LineSpan> =
            lines(text, Span::new(0, text.len())).into_iter().filter(|l| !l.is_blank()).collect();
        let after_blank = [false, true, false, true, false, false, false];
        let found: Vec<Option<BoundaryRank>> = all
            .windows(2)
            .zip(after_blank)
            .map(|(pair, blank)| rank(text, &pair[0], &pair[1], blank))
            .collect();
        let expected = [
            Some(BoundaryRank::Line),
            Some(BoundaryRank::Block),
            None,
            Some(BoundaryRank::Section1),
            None,
            None,
            Some(BoundaryRank::Section2),
        ];
        assert_eq!(found, expected);
    }

    /// The rank of the place between two lines.
    fn check(text: &str, after_blank: bool, expected: Option<BoundaryRank>) {
        let all = lines(text, Span::new(0, text.len()));
        assert_eq!(rank(text, &all[0], &all[1], after_blank), expected, "{text:?}");
    }

    #[test]
    fn an_empty_line_of_a_comment_ends_its_paragraph() {
        check("// a\n// b\n", false, Some(BoundaryRank::Line));
        check("//\n// b\n", false, Some(BoundaryRank::SentenceLine));
        check(" *\n * b\n", false, Some(BoundaryRank::SentenceLine));
        check("///\n/// b\n", false, Some(BoundaryRank::SentenceLine));
        check("//!!\n// b\n", false, Some(BoundaryRank::Line));
        check("// a\nfn b() {}\n", false, None);
        check("// a\nfn b() {}\n", true, Some(BoundaryRank::Section1));
    }

    #[test]
    fn depth_and_ends_of_blocks_decide() {
        check("a();\nb();\n", false, Some(BoundaryRank::Item));
        check("a();\nb();\n", true, Some(BoundaryRank::Section1));
        check("    a();\nb();\n", false, Some(BoundaryRank::Section2));
        check("    a();\n    b();\n", false, Some(BoundaryRank::Sentence));
        check("    a();\n    b();\n", true, Some(BoundaryRank::Block));
        check("        a();\n    b();\n", false, Some(BoundaryRank::Item));
        check("        a();\n        b();\n", false, Some(BoundaryRank::Line));
        check("        a();\n        b();\n", true, Some(BoundaryRank::SentenceLine));
        check("            a();\n        b();\n", false, Some(BoundaryRank::Sentence));
        check("            a();\n            b();\n", false, Some(BoundaryRank::Line));
        for opening in ["a {", "a (", "a [", "a:"] {
            check(&format!("{opening}\n    b\n"), true, Some(BoundaryRank::Line));
        }
        check("a:\nb\n", false, Some(BoundaryRank::Item));
        for closing in ["}", ")", "]", "</a>", "end", "fi", "done"] {
            check(&format!("    a\n{closing}\n"), false, None);
            check(&format!("{closing}\nb\n"), false, Some(BoundaryRank::Section2));
        }
        check("    a\nending\n", false, Some(BoundaryRank::Section2));
    }
}
