//! Paragraphs of a page in reading order, without the layout: separated by blank space, another font size or an indent.
//! Text of boxes and tables is read with the rest; headers and footers stay.

use super::bounds::Bounds;
use super::lines::{TextLine, leading};
use super::page::{LayoutPage, TextSpan};
use super::reading;

/// A paragraph of a page.
#[derive(Debug)]
pub struct PlainParagraph {
    /// Its lines, each except the last with its line end.
    pub text: String,
    /// The box around it on the page.
    pub bounds: Bounds,
}

/// The paragraphs of a page in reading order.
pub fn paragraphs(page: &LayoutPage) -> Vec<PlainParagraph> {
    let spans: Vec<&TextSpan> = page.spans.iter().collect();
    reading::lines_of(&spans).iter().flat_map(|lines| of_lines(lines)).collect()
}

fn of_lines(lines: &[TextLine]) -> Vec<PlainParagraph> {
    // A little below the median, because headings and blank lines only make distances larger.
    let leading = leading(lines, 0.4);
    let mut paragraphs: Vec<PlainParagraph> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let starts = match at.checked_sub(1).map(|before| &lines[before]) {
            None => true,
            Some(before) => starts_paragraph(before, line, lines.get(at + 1), leading),
        };
        match paragraphs.last_mut() {
            Some(paragraph) if !starts => {
                paragraph.text.push('\n');
                paragraph.text.push_str(&line.text);
                paragraph.bounds.add(line.bounds);
            }
            _ => paragraphs.push(PlainParagraph { text: line.text.clone(), bounds: line.bounds }),
        }
    }
    paragraphs
}

fn starts_paragraph(before: &TextLine, line: &TextLine, after: Option<&TextLine>, leading: f32) -> bool {
    let size = before.size.max(line.size);
    let distance = (line.base - before.base) / size;
    if distance > leading * 1.3 + 0.05 {
        return true;
    }
    if before.size.min(line.size) < 0.87 * size || before.is_bold != line.is_bold {
        return true;
    }
    // The first line of a paragraph is indented and the next one is not.
    let indent = (line.x0 - before.x0) / size;
    let is_back = after.is_some_and(|after| (after.x0 - before.x0).abs() < 0.4 * size);
    (0.7..6.0).contains(&indent) && is_back
}
