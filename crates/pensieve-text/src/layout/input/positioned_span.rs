//! A span of text in the frame of its direction.

use super::page::TextSpan;

/// How far the middle of letters is above their baseline, in font sizes.
pub(crate) const MIDDLE: f32 = 0.28;

/// A span in the frame of its direction: `x` along the baseline, `y` across it, downwards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PositionedSpan<'p> {
    /// The span of the page.
    pub(crate) source: &'p TextSpan,
    /// Where it starts.
    pub(crate) x0: f32,
    /// Where it ends.
    pub(crate) x1: f32,
    /// Its baseline.
    pub(crate) base: f32,
    /// Its font size.
    pub(crate) size: f32,
    /// The box or table that it represents, whose own text is read separately.
    pub(crate) stands_for: Option<usize>,
    /// A large first letter, which the word after it continues.
    pub(crate) is_initial: bool,
}

impl<'p> PositionedSpan<'p> {
    /// The position of a span.
    pub(crate) fn of(span: &'p TextSpan) -> PositionedSpan<'p> {
        let (sin, cos) = span.rotation.to_radians().sin_cos();
        let [x, y] = span.origin;
        let x0 = x * cos + y * sin;
        let base = y * cos - x * sin;
        // Upright letters of vertical lines stand on both sides of their baseline.
        let base = if span.is_vertical { base + MIDDLE * span.size } else { base };
        PositionedSpan {
            source: span,
            x0,
            x1: x0 + span.length,
            base,
            size: span.size,
            stands_for: None,
            is_initial: false,
        }
    }

    /// Its upper edge.
    pub(crate) fn top(&self) -> f32 {
        // Ascent and descent of most fonts are about .78 and .22 of their size.
        self.base - 0.78 * self.size
    }

    /// Its lower edge.
    pub(crate) fn bottom(&self) -> f32 {
        self.base + 0.22 * self.size
    }

    pub(crate) fn middle(&self) -> f32 {
        self.base - MIDDLE * self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that starts at 3, 5 and is 4 points long: where it starts and ends along its baseline, and its baseline.
    fn check(rotation: f32, is_vertical: bool, expected: [f32; 3]) {
        let drawn = TextSpan::drawn("text", [3.0, 5.0], 4.0, 10.0);
        let span = TextSpan { rotation, is_vertical, ..drawn };
        let placed = PositionedSpan::of(&span);
        for (found, expected) in [placed.x0, placed.x1, placed.base].into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{rotation}: {placed:?}");
        }
    }

    #[test]
    fn a_span_has_its_place_in_the_frame_of_its_direction() {
        check(0.0, false, [3.0, 7.0, 5.0]);
        check(90.0, false, [5.0, 9.0, -3.0]);
        check(180.0, false, [-3.0, 1.0, -5.0]);
        check(270.0, false, [-5.0, -1.0, 3.0]);
        check(30.0, false, [5.098_076, 9.098_076, 2.830_127]);
        check(0.0, true, [3.0, 7.0, 7.8]);
    }

    #[test]
    fn letters_stand_above_and_below_their_baseline() {
        let span = TextSpan::drawn("text", [0.0, 100.0], 4.0, 20.0);
        let placed = PositionedSpan::of(&span);
        for (found, expected) in [(placed.top(), 84.4), (placed.bottom(), 104.4), (placed.middle(), 94.4)] {
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        }
    }
}
