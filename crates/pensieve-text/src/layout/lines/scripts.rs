//! Superscripts and subscripts of a line: smaller type off the baseline of the word that they belong to.
//!
//! Which of them need a mark, so that `10⁶` does not become `106`, [`BaselineShift`] says for all formats.

use crate::layout::input::positioned_span::PositionedSpan;
use crate::text::markdown::BaselineShift;

/// The largest script, in sizes of its word: word processors set them at .58 to .67, TeX at .67 to .75, browsers at .83.
const MAX_SIZE: f32 = 0.88;

/// The least distance of a script above and below its baseline, in sizes of the word: superscripts stand .25 (in small
/// brackets) to .45 above it, subscripts .08 to .25 below.
const MIN_RISE: f32 = 0.2;
const MIN_DROP: f32 = 0.08;

/// A wider gap, in sizes of the script, is not inside a word.
const MAX_GAP: f32 = 0.13;

/// How the spans of a line, from left to right, stand beside the last word on its baseline.
pub(crate) fn shifts(spans: &[PositionedSpan<'_>]) -> Vec<BaselineShift> {
    let mut word: Option<&PositionedSpan<'_>> = None;
    let shift = |span| {
        let shift = word.map_or(BaselineShift::None, |word| shift(span, word));
        if shift == BaselineShift::None {
            word = Some(span);
        }
        shift
    };
    spans.iter().map(shift).collect()
}

fn shift(span: &PositionedSpan<'_>, word: &PositionedSpan<'_>) -> BaselineShift {
    let rise = (word.base - span.base) / word.size;
    match rise {
        _ if span.size > MAX_SIZE * word.size || word.is_initial => BaselineShift::None,
        _ if rise > MIN_RISE => BaselineShift::Raised,
        _ if rise < -MIN_DROP => BaselineShift::Lowered,
        _ => BaselineShift::None,
    }
}

/// The mark before a span that follows the words `before` without a gap; empty for most. A script may be several spans.
pub(crate) fn mark(
    before: &str,
    spans: &[PositionedSpan<'_>],
    shifts: &[BaselineShift],
    at: usize,
) -> &'static str {
    let shift = shifts[at];
    if shift == BaselineShift::None || at.checked_sub(1).is_some_and(|before| shifts[before] == shift) {
        return "";
    }
    let goes_on = |pair: &[PositionedSpan<'_>]| pair[1].x0 - pair[0].x1 <= MAX_GAP * pair[1].size;
    let joined = spans[at..].windows(2).take_while(|pair| goes_on(pair)).count();
    let alike = shifts[at..].iter().take_while(|other| **other == shift).count();
    let script = spans[at..].iter().take(alike.min(joined + 1));
    let words: String = script.map(|span| span.source.text.as_str()).collect();
    shift.mark(before, &words)
}

#[cfg(test)]
mod tests {
    use super::super::text_line::of_area;
    use crate::layout::input::page::TextSpan;

    /// Texts one after the other, each with its size and its height above the baseline of the first.
    fn check(texts: &[(&str, f32, f32)], expected: &str) {
        let mut x = 0.0;
        let spans: Vec<TextSpan> = texts
            .iter()
            .map(|(text, size, rise)| {
                let length = 0.5 * size * text.len() as f32;
                x += length;
                TextSpan::drawn(text, [x - length, 100.0 - rise], length, *size)
            })
            .collect();
        let lines = of_area(&spans.iter().collect::<Vec<_>>());
        assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn powers_and_notes_have_a_mark() {
        check(&[("3 × 10", 10.0, 0.0), ("6", 7.0, 3.6), ("kg", 10.0, 0.0)], "3 × 10^6kg");
        check(&[("10", 10.0, 0.0), ("−", 6.0, 3.3), ("12", 6.0, 3.3)], "10^−12");
        check(&[("although", 10.0, 0.0), ("a", 7.0, 3.6)], "although^a");
        check(&[("end.", 10.0, 0.0), ("1", 7.0, 3.6), (",", 7.0, 3.6), ("2", 7.0, 3.6)], "end.^1,2");
    }

    #[test]
    fn ordinals_and_formulas_of_chemistry_have_none() {
        check(&[("1", 10.0, 0.0), ("st", 7.0, 3.6)], "1st");
        check(&[("H", 10.0, 0.0), ("2", 7.0, -1.5), ("O", 10.0, 0.0)], "H2O");
        check(&[("101", 10.0, 0.0), ("2", 7.0, -1.5)], "101_2");
        check(&[("14", 7.0, 3.6), ("C", 10.0, 0.0)], "14C");
    }

    #[test]
    fn other_sizes_on_one_baseline_are_no_scripts() {
        check(&[("A", 10.0, 0.0), ("2", 7.0, 0.0)], "A2");
        check(&[("A", 10.0, 0.0), ("2", 9.0, 3.0)], "A2");
        check(&[("A", 10.0, 0.0), ("2", 7.0, 1.9)], "A2");
    }
}
