//! A span of text in the frame of its direction.

use super::page::TextSpan;

/// How far the middle of letters is above their baseline, in font sizes.
pub(super) const MIDDLE: f32 = 0.28;

/// A span in the frame of its direction: `x` along the baseline, `y` across it, downwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct PositionedSpan<'p> {
    /// The span of the page.
    pub(super) source: &'p TextSpan,
    /// Where it starts.
    pub(super) x0: f32,
    /// Where it ends.
    pub(super) x1: f32,
    /// Its baseline.
    pub(super) base: f32,
    /// Its font size.
    pub(super) size: f32,
    /// The box or table that it represents, whose own text is read separately.
    pub(super) stands_for: Option<usize>,
}

impl<'p> PositionedSpan<'p> {
    /// The position of a span.
    pub(super) fn of(span: &'p TextSpan) -> PositionedSpan<'p> {
        let (sin, cos) = span.rotation.to_radians().sin_cos();
        let [x, y] = span.origin;
        let x0 = x * cos + y * sin;
        let base = y * cos - x * sin;
        // Upright letters of vertical lines stand on both sides of their baseline.
        let base = if span.is_vertical { base + MIDDLE * span.size } else { base };
        PositionedSpan { source: span, x0, x1: x0 + span.length, base, size: span.size, stands_for: None }
    }

    /// Its upper edge.
    pub(super) fn top(&self) -> f32 {
        self.base - 0.78 * self.size
    }

    /// Its lower edge.
    pub(super) fn bottom(&self) -> f32 {
        self.base + 0.22 * self.size
    }

    pub(super) fn middle(&self) -> f32 {
        self.base - MIDDLE * self.size
    }
}
