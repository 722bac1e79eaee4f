//! Words of drawings inside a page: each text of a drawing is a line, its parts with a place of their own are words.

use super::page::ParsedPage;
use crate::markdown::{BlockBreak, StreamWriter};
use crate::web::html::parse::tag::HtmlTag;

/// Begins a text of a drawing, or a part of one.
pub(super) fn enter_drawn(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, tag: HtmlTag) {
    // Letters of one word may be moved along their line.
    let is_placed = || ["y", "dy"].iter().any(|name| page.attribute(node, name).is_some());
    match tag {
        // Texts of one drawing are labels, not paragraphs.
        HtmlTag::SvgText if follows_text(page, node) => writer.end_block(BlockBreak::Line),
        HtmlTag::SvgText => writer.end_block(BlockBreak::Paragraph),
        _ if is_placed() => writer.put_space(),
        _ => {}
    }
}

/// Ends a drawing, or a text of one.
pub(super) fn leave_drawn(page: ParsedPage<'_>, writer: &mut StreamWriter<'_>, node: usize, tag: HtmlTag) {
    let has_text = || page.tree().below(node).any(|below| page.tag(below) == Some(HtmlTag::SvgText));
    match tag {
        HtmlTag::SvgText => writer.end_block(BlockBreak::Line),
        // Icons have no words, and stand in sentences.
        HtmlTag::Svg if has_text() => writer.end_block(BlockBreak::Paragraph),
        _ => {}
    }
}

/// True for a text of a drawing that is not its first.
fn follows_text(page: ParsedPage<'_>, node: usize) -> bool {
    let is_drawing = |&above: &usize| page.tag(above) == Some(HtmlTag::Svg);
    let drawing = page.tree().ancestors(node).find(is_drawing);
    drawing.is_some_and(|start| (start..node).rev().any(|at| page.tag(at) == Some(HtmlTag::SvgText)))
}

#[cfg(test)]
mod tests {
    use crate::web::html::chapter::tests::check;

    #[test]
    fn texts_are_lines_and_their_placed_parts_are_words() {
        check(
            "<p>x <svg><title>Plan</title><text><tspan x='1' y='2'>Main</tspan><tspan x='1' dy='1em'>door</tspan></text>\
            <g><text>Ha<tspan>ll</tspan> 2</text></g></svg> y <svg><path/></svg>z",
            "x\n\nPlan\nMain door\nHall 2\n\ny z",
        );
    }

    #[test]
    fn texts_of_one_drawing_are_lines_of_a_paragraph() {
        for (page, expected) in [
            (
                "<svg><text>a<tspan y='1'>b</tspan><tspan x='1'>c</tspan><tspan dy='1'>d</tspan></text><text>e</text></svg><svg><text>f</text></svg>",
                "a bc d\ne\n\nf",
            ),
            ("<p>a<svg><path/></svg>b</p>", "ab"),
            ("<p>a<svg><desc>b</desc></svg>c</p>", "a\n\nb\n\nc"),
        ] {
            crate::web::html::chapter::tests::check(page, expected);
        }
    }
}
