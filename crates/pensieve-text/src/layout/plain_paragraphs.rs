//! Paragraphs of a page in reading order, without the layout: separated by blank space, another font size or an indent.
//! Text of boxes and tables is read with the rest; headers and footers stay.

use super::input::bounds::Bounds;
use super::input::page::{LayoutPage, TextSpan};
use super::lines::text_line::{TextLine, leading};
use super::ordered_page::reading;

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
    // As `block::starts_block` has it.
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

#[cfg(test)]
mod tests {
    use super::*;

    use crate::layout::FontFace;
    use std::sync::Arc;

    /// Lines as `x y size text`; `*` begins a bold one.
    fn check(drawn: &[(f32, f32, f32, &str)], expected: &[&str]) {
        let face = |weight| Arc::new(FontFace { name: "Serif".to_owned(), weight, ..FontFace::default() });
        let span = |&(x, y, size, text): &(f32, f32, f32, &str)| {
            let (text, weight) = text.strip_prefix('*').map_or((text, 400), |bold| (bold, 700));
            let length = text.len() as f32 * size * 0.5;
            TextSpan {
                text: text.to_owned(),
                font: face(weight),
                size,
                rotation: 0.0,
                origin: [x, y],
                length,
                bbox: [x, y - 0.8 * size, x + length, y + 0.2 * size],
                line_height: size,
                is_invisible: false,
                is_vertical: false,
                gaps: Vec::new(),
                tag: None,
            }
        };
        let spans = drawn.iter().map(span).collect();
        let page = LayoutPage { number: 1, width: 600.0, height: 800.0, spans, ..LayoutPage::default() };
        let found: Vec<String> = paragraphs(&page).into_iter().map(|paragraph| paragraph.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn paragraphs_begin_after_a_gap_an_indent_or_another_font() {
        let line = "the keepers light their lamps before the sun goes down and";
        check(
            &[(50.0, 100.0, 10.0, line), (50.0, 112.0, 10.0, line), (50.0, 124.0, 10.0, line)],
            &[&[line; 3].join("\n")],
        );
        let two = [line; 2].join("\n");
        check(
            &[
                (50.0, 100.0, 10.0, line),
                (50.0, 112.0, 10.0, line),
                (50.0, 136.0, 10.0, line),
                (50.0, 148.0, 10.0, line),
            ],
            &[&two, &two],
        );
        check(
            &[
                (50.0, 100.0, 10.0, line),
                (50.0, 112.0, 10.0, line),
                (65.0, 124.0, 10.0, line),
                (50.0, 136.0, 10.0, line),
            ],
            &[&two, &two],
        );
        check(
            &[(50.0, 100.0, 10.0, "*A heading"), (50.0, 112.0, 10.0, line), (50.0, 124.0, 10.0, line)],
            &["A heading", &two],
        );
        check(
            &[(50.0, 100.0, 12.0, "A heading"), (50.0, 112.0, 10.0, line), (50.0, 124.0, 10.0, line)],
            &["A heading", &two],
        );
    }

    #[test]
    fn each_limit_of_a_paragraph_is_exact() {
        let line = |base: f32, x0: f32, size: f32| TextLine { base, x0, size, ..TextLine::default() };
        let before = line(0.0, 0.0, 16.0);
        let starts = |line: &TextLine, after: Option<&TextLine>| starts_paragraph(&before, line, after, 1.0);
        let limit = (1.3 + 0.05) * 16.0;
        assert!(!starts(&line(limit, 0.0, 16.0), None) && starts(&line(limit + 0.01, 0.0, 16.0), None));
        assert!(!starts(&line(20.0, 0.0, 0.87 * 16.0), None) && starts(&line(20.0, 0.0, 13.9), None));
        assert!(!starts(&line(20.0, 0.0, 18.0), None) && starts(&line(20.0, 0.0, 18.5), None));
        assert!(!starts(&line(24.0, 0.0, 18.0), None));
        assert!(starts(&TextLine { is_bold: true, ..line(20.0, 0.0, 16.0) }, None));
        for (indent, next, expected) in [
            (0.7 * 16.0, Some(0.0), true),
            (11.1, Some(0.0), false),
            (95.9, Some(0.0), true),
            (96.0, Some(0.0), false),
            (20.0, None, false),
            (20.0, Some(6.3), true),
            (20.0, Some(-6.3), true),
            (20.0, Some(0.4 * 16.0), false),
            (20.0, Some(-0.4 * 16.0), false),
            (-20.0, Some(0.0), false),
        ] {
            let after = next.map(|x0| line(40.0, x0, 16.0));
            assert_eq!(starts(&line(20.0, indent, 16.0), after.as_ref()), expected, "{indent} {next:?}");
        }
        let moved = line(20.0, 50.0, 16.0);
        assert!(starts_paragraph(&moved, &line(40.0, 70.0, 16.0), Some(&line(60.0, 50.0, 16.0)), 1.0));
        assert!(!starts_paragraph(&moved, &line(40.0, 50.0, 16.0), Some(&line(60.0, 50.0, 16.0)), 1.0));
    }

    #[test]
    fn a_paragraph_has_the_box_around_all_its_lines() {
        let line = |text: &str, base: f32, x0: f64| TextLine {
            text: text.to_owned(),
            base,
            size: 10.0,
            bounds: Bounds { x0, y0: f64::from(base) - 8.0, x1: x0 + 50.0, y1: f64::from(base) },
            ..TextLine::default()
        };
        let found = of_lines(&[line("one", 10.0, 5.0), line("two", 22.0, 9.0), line("three", 60.0, 7.0)]);
        let found: Vec<(&str, [f32; 4])> =
            found.iter().map(|paragraph| (paragraph.text.as_str(), paragraph.bounds.to_array())).collect();
        assert_eq!(found, [("one\ntwo", [5.0, 2.0, 59.0, 22.0]), ("three", [7.0, 52.0, 57.0, 60.0])]);
    }
}
