//! Collects what is drawn around text: rules, frames, filled areas, pictures, each as a box. Curves are taken for their
//! corners, drawings of many points are passed over, and so is what is white: only what can hold text or part it counts.
//! Source: ISO 32000-2, 8.5 (paths).

use super::geometry::{Bounds, Matrix};
use pensieve_text::layout::{PageShape, ShapeKind};

/// Shapes of one page; more of them are a drawing.
const MAX_SHAPES: usize = 6_000;

/// Parts of one path, and points of one part.
const MAX_PARTS: usize = 2_000;
const MAX_POINTS: usize = 24;

/// Areas up to this many points wide are rules.
const THIN: f64 = 3.0;

/// A part of a path.
#[derive(Debug, Clone, Copy)]
struct Part {
    bounds: Bounds,
    points: usize,
    is_straight: bool,
}

/// How a path is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint {
    /// Its inside is filled with a colour.
    pub(super) fills: bool,
    /// Its lines are drawn in a colour.
    pub(super) strokes: bool,
}

/// The shapes of a page.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    done: Vec<PageShape>,
    parts: Vec<Part>,
    last: (f64, f64),
}

impl Shapes {
    /// The shapes of the page so far; it starts anew.
    pub(super) fn take(&mut self) -> Vec<PageShape> {
        self.parts.clear();
        std::mem::take(&mut self.done)
    }

    /// True when the page has more than can matter.
    pub(super) fn are_enough(&self) -> bool {
        self.done.len() >= MAX_SHAPES
    }

    /// A part of a path starts.
    pub(super) fn move_to(&mut self, matrix: &Matrix, x: f64, y: f64) {
        let (x, y) = matrix.apply(x, y);
        self.last = (x, y);
        if self.parts.len() < MAX_PARTS {
            self.parts.push(Part { bounds: around(x, y), points: 1, is_straight: true });
        }
    }

    /// It goes on to a point, along a line or a curve.
    pub(super) fn line_to(&mut self, matrix: &Matrix, x: f64, y: f64, is_curve: bool) {
        let (x, y) = matrix.apply(x, y);
        let Some(part) = self.parts.last_mut() else { return };
        let is_along = (x - self.last.0).abs() < 0.5 || (y - self.last.1).abs() < 0.5;
        part.is_straight &= is_curve || is_along;
        part.bounds.add(around(x, y));
        part.points += 1;
        self.last = (x, y);
    }

    /// A rectangle is added to the path.
    pub(super) fn rectangle(&mut self, matrix: &Matrix, [x, y, width, height]: [f64; 4]) {
        let bounds = matrix.apply_box(Bounds {
            x0: x.min(x + width),
            y0: y.min(y + height),
            x1: x.max(x + width),
            y1: y.max(y + height),
        });
        if self.parts.len() < MAX_PARTS {
            self.parts.push(Part { bounds, points: 4, is_straight: true });
        }
    }

    /// The path is painted, or dropped where nothing of it shows.
    pub(super) fn paint(&mut self, paint: Paint) {
        for part in std::mem::take(&mut self.parts) {
            let (width, height) = (part.bounds.width(), part.bounds.height());
            let is_thin = width <= THIN || height <= THIN;
            let kind = match (is_thin, paint.fills, paint.strokes) {
                _ if !part.is_straight || part.points > MAX_POINTS => continue,
                (true, true, _) | (true, _, true) if width.max(height) > 2.0 * THIN => ShapeKind::Rule,
                (false, _, true) if part.points >= 4 => ShapeKind::Frame,
                (false, true, _) => ShapeKind::Fill,
                _ => continue,
            };
            self.push(kind, part.bounds);
        }
    }

    /// A picture is drawn into the unit square.
    pub(super) fn image(&mut self, matrix: &Matrix) {
        self.push(ShapeKind::Image, matrix.apply_box(Bounds { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 }));
    }

    fn push(&mut self, kind: ShapeKind, bounds: Bounds) {
        let shape = PageShape { kind, bbox: bounds.to_array() };
        let is_finite = shape.bbox.iter().all(|value| value.is_finite());
        if is_finite && self.done.len() < MAX_SHAPES {
            self.done.push(shape);
        }
    }
}

fn around(x: f64, y: f64) -> Bounds {
    Bounds { x0: x, y0: y, x1: x, y1: y }
}

/// True when a colour of so many components is white: in grey and RGB all are one, in CMYK all are zero.
pub(super) fn is_white(components: &[f64]) -> bool {
    match components.len() {
        1 | 3 => components.iter().all(|value| *value >= 0.995),
        4 => components.iter().all(|value| *value <= 0.005),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(shapes: &mut Shapes) -> Vec<ShapeKind> {
        shapes.take().iter().map(|shape| shape.kind).collect()
    }

    #[test]
    fn boxes_rules_and_frames_are_told_apart() {
        let mut shapes = Shapes::default();
        let (fill, stroke) = (Paint { fills: true, strokes: false }, Paint { fills: false, strokes: true });
        shapes.rectangle(&Matrix::IDENTITY, [10.0, 10.0, 100.0, 50.0]);
        shapes.paint(fill);
        shapes.rectangle(&Matrix::IDENTITY, [10.0, 10.0, 100.0, 0.5]);
        shapes.paint(fill);
        shapes.move_to(&Matrix::IDENTITY, 5.0, 5.0);
        shapes.line_to(&Matrix::IDENTITY, 90.0, 5.0, false);
        shapes.paint(stroke);
        shapes.rectangle(&Matrix::IDENTITY, [10.0, 10.0, -100.0, 50.0]);
        shapes.paint(stroke);
        let all = kinds(&mut shapes);
        assert_eq!(all, [ShapeKind::Fill, ShapeKind::Rule, ShapeKind::Rule, ShapeKind::Frame]);
    }

    #[test]
    fn drawings_and_what_is_not_painted_are_passed_over() {
        let mut shapes = Shapes::default();
        shapes.move_to(&Matrix::IDENTITY, 0.0, 0.0);
        shapes.line_to(&Matrix::IDENTITY, 50.0, 80.0, false);
        shapes.paint(Paint { fills: true, strokes: true });
        shapes.rectangle(&Matrix::IDENTITY, [0.0, 0.0, 40.0, 40.0]);
        shapes.paint(Paint { fills: false, strokes: false });
        assert!(kinds(&mut shapes).is_empty());
        assert!(is_white(&[1.0]) && is_white(&[0.0; 4]) && !is_white(&[0.9, 0.9, 1.0]) && !is_white(&[]));
    }
}
