//! Watermarks: words across the lines of a page, such as `DRAFT` or the name of a licensee. They are no part of what the
//! page says, whatever line they happen to stand on: they are read after all else, and left out as furniture where pages
//! repeat them.

use crate::layout::input::page::{LayoutPage, TextSpan};
use crate::layout::input::positioned_span::{MIDDLE, PositionedSpan};
use crate::layout::lines::text_line::{self, TextLine};

/// Words that are this much larger than those they cross, or in another direction, are not of their line. Not varied: in 507
/// files of papers, textbooks and other programs' tests only watermarks are found.
const MIN_SIZE: f32 = 1.5;

/// Rows of text that words must cross. A large figure may have a label inside.
const MIN_CROSSED: usize = 2;

/// Minimum letters: signs of sums and brackets have small text inside.
const MIN_LETTERS: usize = 3;

/// How far letters reach above their baseline, in font sizes.
const HEIGHT: f32 = 0.7;

/// A page with more words that may be watermarks is a drawing.
// Each is compared with all text of the page.
const MAX_CANDIDATES: usize = 400;

/// A page without its watermarks, and their lines; `None` for most pages. Cost: each text that is larger than most, or in
/// another direction, is compared with all.
pub(crate) fn take(page: &LayoutPage) -> Option<(LayoutPage, Vec<TextLine>)> {
    // By letters, not by texts: labels of drawings are many and short.
    let usual = usual_type(page)?;
    let is_candidate = |span: &TextSpan| {
        let letters = span.text.chars().filter(|c| c.is_alphabetic());
        (span.size > MIN_SIZE * usual.size || angle(span) != usual.angle)
            // Scripts written from above cross nothing by being upright.
            && !span.is_vertical
            && letters.take(MIN_LETTERS).count() == MIN_LETTERS
    };
    let candidates: Vec<usize> = (0..page.spans.len()).filter(|&at| is_candidate(&page.spans[at])).collect();
    if candidates.is_empty() || candidates.len() > MAX_CANDIDATES {
        return None;
    }
    let rows: Vec<RowSpan> = page.spans.iter().filter(|span| !span.is_vertical).map(RowSpan::of).collect();
    let found: Vec<usize> =
        candidates.into_iter().filter(|&at| crossed(&page.spans[at], &rows) >= MIN_CROSSED).collect();
    if found.is_empty() {
        return None;
    }
    let (mut kept, mut taken) = (Vec::new(), Vec::new());
    for (at, span) in page.spans.iter().enumerate() {
        if found.binary_search(&at).is_ok() { taken.push(span) } else { kept.push(span.clone()) }
    }
    let lines = taken.into_iter().flat_map(|span| text_line::of_area(&[span]));
    let lines = lines.map(|line| TextLine { is_turned: true, is_across: true, ..line }).collect();
    Some((LayoutPage { spans: kept, ..page.clone() }, lines))
}

/// Size and direction of most text.
struct UsualType {
    size: f32,
    angle: i32,
}

fn angle(span: &TextSpan) -> i32 {
    span.rotation.round() as i32 % 360
}

fn usual_type(page: &LayoutPage) -> Option<UsualType> {
    let longest = |count: &dyn Fn(&TextSpan) -> i32| {
        let mut lengths: Vec<(i32, usize)> =
            page.spans.iter().map(|span| (count(span), span.text.len())).collect();
        lengths.sort_unstable();
        let sums = lengths.chunk_by(|a, b| a.0 == b.0).map(|group| {
            let length: usize = group.iter().map(|entry| entry.1).sum();
            (length, group[0].0)
        });
        sums.max().map(|sum| sum.1)
    };
    // Half a point: sizes of one type differ by rounding.
    let size = longest(&|span| (span.size * 2.0).round() as i32)? as f32 / 2.0;
    Some(UsualType { size, angle: longest(&angle)? })
}

/// The middle of a text, from its start to its end, on the page.
struct RowSpan {
    from: [f32; 2],
    to: [f32; 2],
    size: f32,
    angle: i32,
    base: f32,
}

impl RowSpan {
    fn of(span: &TextSpan) -> RowSpan {
        let (sin, cos) = span.rotation.to_radians().sin_cos();
        let middle = MIDDLE * span.size;
        let from = [span.origin[0] + middle * sin, span.origin[1] - middle * cos];
        RowSpan {
            from,
            to: [from[0] + span.length * cos, from[1] + span.length * sin],
            size: span.size,
            angle: angle(span),
            base: PositionedSpan::of(span).base,
        }
    }
}

/// How many rows of smaller text, or of text in another direction, a text lies on.
fn crossed(span: &TextSpan, rows: &[RowSpan]) -> usize {
    let (sin, cos) = span.rotation.to_radians().sin_cos();
    let [x, y] = span.origin;
    let inside = |[px, py]: [f32; 2]| {
        let (x, y) = (px - x, py - y);
        [x * cos + y * sin, y * cos - x * sin]
    };
    let is_other = |row: &&RowSpan| row.angle != angle(span) || row.size * MIN_SIZE < span.size;
    let is_crossed = |row: &&RowSpan| {
        let length = length_inside(inside(row.from), inside(row.to), [span.length, HEIGHT * span.size]);
        // Half a letter may touch.
        length > row.size / 2.0
    };
    let crossed = rows.iter().filter(is_other).filter(is_crossed);
    let mut bases: Vec<(i32, i32)> =
        // Words of one row are one row.
        crossed.map(|row| (row.angle, (row.base * 2.0).round() as i32)).collect();
    bases.sort_unstable();
    bases.dedup();
    bases.len()
}

/// How much of the way between two points is in a rectangle that stands on the origin (Liang and Barsky 1984).
fn length_inside(from: [f32; 2], to: [f32; 2], [width, height]: [f32; 2]) -> f32 {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let (mut enters, mut leaves) = (0.0f32, 1.0f32);
    for (step, room) in [(-dx, from[0]), (dx, width - from[0]), (-dy, from[1] + height), (dy, -from[1])] {
        match step {
            0.0 if room < 0.0 => return 0.0,
            0.0 => {}
            step if step < 0.0 => enters = enters.max(room / step),
            step => leaves = leaves.min(room / step),
        }
    }
    (leaves - enters).max(0.0) * dx.hypot(dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of ten lines of prose with one more text.
    fn check(text: &str, [x, y]: [f32; 2], rotation: f32, size: f32, is_found: bool) {
        let mut spans: Vec<TextSpan> = (0..10)
            .map(|row| {
                TextSpan::drawn(&"lamp oil ".repeat(10), [50.0, 100.0 + 13.0 * row as f32], 400.0, 10.0)
            })
            .collect();
        let length = 0.6 * size * text.len() as f32;
        spans.push(TextSpan { rotation, ..TextSpan::drawn(text, [x, y], length, size) });
        let page = LayoutPage { number: 1, width: 500.0, height: 700.0, spans, ..LayoutPage::default() };
        let found = take(&page);
        assert_eq!(found.is_some(), is_found, "{text} at {x} {y}");
        if let Some((page, lines)) = found {
            assert_eq!((page.spans.len(), lines.len(), lines[0].text.as_str()), (10, 1, text));
        }
    }

    #[test]
    fn words_across_several_lines_are_watermarks() {
        check("DRAFT", [150.0, 200.0], 0.0, 60.0, true);
        check("DRAFT", [100.0, 240.0], 315.0, 60.0, true);
        check("licensed to jane", [60.0, 200.0], 330.0, 10.0, true);
    }

    #[test]
    fn words_beside_or_above_other_text_are_none() {
        check("Lamps", [50.0, 80.0], 0.0, 60.0, false);
        check("Side title", [470.0, 200.0], 270.0, 10.0, false);
        check("LAMP", [150.0, 120.0], 0.0, 12.0, false);
        check("{", [150.0, 200.0], 0.0, 60.0, false);
        check("Big", [150.0, 109.0], 0.0, 18.0, false);
    }
}
