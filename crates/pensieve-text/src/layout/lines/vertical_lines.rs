//! Vertical lines of scripts without spaces that a page draws letter by letter: each letter is a text of its own, below the
//! one before. They become lines of vertical writing, as if the font had one.

use crate::layout::input::cjk::is_cjk;
use crate::layout::input::page::{LayoutPage, TextSpan};

/// Letters of a vertical line, and percent of the single letters of a page that are in such lines.
const MIN_LETTERS: usize = 3;
// A table has columns of single letters as well, beside single letters that are in none.
const MIN_PERCENT: usize = 60;

/// The least and the largest distance of letters below each other, in font sizes.
const MIN_PITCH: f32 = 0.7;
const MAX_PITCH: f32 = 1.7;

/// By how much the middles of letters differ, in font sizes: commas and small letters are at the side.
const SAME_MIDDLE: f32 = 0.4;

/// The page with its vertical lines as one text each; none if it has none.
pub(crate) fn joined(page: &LayoutPage) -> Option<LayoutPage> {
    let single = page.spans.iter().filter(|span| is_letter(span)).count();
    if single < MIN_LETTERS {
        return None;
    }
    let mut spans: Vec<TextSpan> = Vec::with_capacity(page.spans.len());
    let (mut first, mut in_lines) = (0, 0);
    while first < page.spans.len() {
        let pairs = page.spans[first..].windows(2);
        let count = 1 + pairs.take_while(|pair| is_below(&pair[0], &pair[1])).count();
        let run = &page.spans[first..first + count];
        if count >= MIN_LETTERS {
            in_lines += count;
            spans.push(line(run));
        } else {
            spans.extend_from_slice(run);
        }
        first += count;
    }
    // All lines or none: the page is written in one direction.
    (in_lines * 100 >= single * MIN_PERCENT).then(|| page.with_spans(spans))
}

fn is_letter(span: &TextSpan) -> bool {
    let mut chars = span.text.chars();
    // Latin letters below each other are an initialism or the label of an axis.
    let is_one = chars.next().is_some_and(is_cjk) && chars.next().is_none();
    is_one && span.rotation == 0.0 && !span.is_vertical
}

fn middle(span: &TextSpan) -> f32 {
    span.origin[0] + span.length / 2.0
}

/// True for a letter below another one.
fn is_below(above: &TextSpan, span: &TextSpan) -> bool {
    let size = above.size.max(span.size);
    let pitch = (span.origin[1] - above.origin[1]) / size;
    is_letter(above)
        && is_letter(span)
        && (MIN_PITCH..=MAX_PITCH).contains(&pitch)
        && (middle(span) - middle(above)).abs() <= SAME_MIDDLE * size
}

/// One text for the letters of a line; none are given where there is none.
fn line(letters: &[TextSpan]) -> TextSpan {
    let (first, last) = (&letters[0], &letters[letters.len() - 1]);
    let mut bbox = first.bbox;
    for letter in letters {
        bbox = [
            bbox[0].min(letter.bbox[0]),
            bbox[1].min(letter.bbox[1]),
            bbox[2].max(letter.bbox[2]),
            bbox[3].max(letter.bbox[3]),
        ];
    }
    // Letters of vertical writing stand in the middle of their line, which begins at their upper edge.
    let origin = [middle(first), first.bbox[1]];
    TextSpan {
        text: letters.iter().map(|letter| letter.text.as_str()).collect(),
        rotation: 90.0,
        origin,
        length: last.bbox[3] - origin[1],
        bbox,
        is_vertical: true,
        // Those of one letter; between letters of a line there are none.
        gaps: Vec::new(),
        ..first.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of size 10 at these places: the texts after joining, and whether there are vertical lines.
    fn check(drawn: &[(&str, f32, f32)], expected: Option<&[&str]>) {
        let spans = drawn.iter().map(|(text, x, y)| TextSpan::drawn(text, [*x, *y], 10.0, 10.0)).collect();
        let page = LayoutPage { number: 1, width: 100.0, height: 100.0, spans, ..LayoutPage::default() };
        let found = joined(&page);
        let texts =
            found.as_ref().map(|page| page.spans.iter().map(|span| span.text.as_str()).collect::<Vec<_>>());
        assert_eq!(texts.as_deref(), expected, "{drawn:?}");
    }

    #[test]
    fn letters_below_each_other_are_a_line() {
        check(&[("港", 50.0, 10.0), ("の", 50.0, 22.0), ("船", 50.0, 34.0)], Some(&["港の船"]));
        check(
            &[
                ("港", 50.0, 10.0),
                ("の", 50.0, 22.0),
                ("船", 50.0, 34.0),
                ("本", 30.0, 10.0),
                ("部", 30.0, 22.0),
                ("屋", 30.0, 34.0),
            ],
            Some(&["港の船", "本部屋"]),
        );
        check(&[("港", 50.0, 10.0), ("の", 62.0, 10.0), ("船", 74.0, 10.0)], None);
        check(&[("港", 50.0, 10.0), ("の", 50.0, 30.0), ("船", 50.0, 50.0)], None);
        check(&[("a", 50.0, 10.0), ("b", 50.0, 22.0), ("c", 50.0, 34.0)], None);
        check(&[("港", 50.0, 10.0), ("の", 50.0, 22.0)], None);
    }

    #[test]
    fn a_line_stands_where_its_letters_are() {
        let spans = [10.0, 22.0, 34.0].map(|y| TextSpan::drawn("港", [50.0, y], 10.0, 10.0)).to_vec();
        let page = LayoutPage { spans, ..LayoutPage::default() };
        let line = &joined(&page).expect("a line").spans[0];
        assert_eq!((line.rotation, line.is_vertical), (90.0, true));
        assert!((line.origin[0] - 55.0).abs() < 0.01 && (line.origin[1] - 2.2).abs() < 0.01, "{line:?}");
        assert!((line.length - 34.0).abs() < 0.01, "{line:?}");
    }
}
