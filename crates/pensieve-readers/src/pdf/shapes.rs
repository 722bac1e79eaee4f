//! Collects the shapes around text: rules, frames, filled areas, pictures, each as a box. Of curves only the end
//! points count. Drawings of many points and white areas are left out: only what can frame or separate text matters.
//! Source: ISO 32000-2, 8.5 (paths).

use super::geometry::{Bounds, Matrix};
use crate::limits::pdf::{MAX_SHAPES, MAX_SUBPATHS};
use pensieve_text::layout::{PageShape, ShapeKind};

/// The most points of a subpath; one with more is a drawing.
const MAX_POINTS: usize = 24;

/// Areas up to this many points wide are rules.
pub(super) const THIN: f64 = 3.0;

/// A part of a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubPath {
    pub(super) bounds: Bounds,
    points: usize,
    is_straight: bool,
    /// True for a rectangle that is not along the edges of the page.
    is_turned: bool,
}

impl SubPath {
    /// True for a rectangle along the edges of the page.
    pub(super) fn is_box(&self) -> bool {
        !self.is_turned && self.is_straight && (4..=5).contains(&self.points)
    }
}

/// Whether a path is painted in a visible colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathPaint {
    pub(super) fills: bool,
    pub(super) strokes: bool,
}

/// The shapes of a page.
#[derive(Debug, Default)]
pub(super) struct ShapeCollector {
    done: Vec<PageShape>,
    subpaths: Vec<SubPath>,
    last: (f64, f64),
}

impl ShapeCollector {
    /// Takes the shapes of the page.
    pub(super) fn take(&mut self) -> Vec<PageShape> {
        self.subpaths.clear();
        std::mem::take(&mut self.done)
    }

    /// The path that is being drawn.
    pub(super) fn path(&self) -> &[SubPath] {
        &self.subpaths
    }

    /// False if a part of the path that is being drawn was left out.
    pub(super) fn knows_path(&self) -> bool {
        !self.is_full() && self.subpaths.len() < MAX_SUBPATHS
    }

    /// True when no more shapes of the page are collected.
    pub(super) fn is_full(&self) -> bool {
        self.done.len() >= MAX_SHAPES
    }

    /// Starts a subpath.
    pub(super) fn move_to(&mut self, matrix: &Matrix, x: f64, y: f64) {
        let (x, y) = matrix.apply(x, y);
        self.last = (x, y);
        if self.subpaths.len() < MAX_SUBPATHS {
            self.subpaths.push(SubPath {
                bounds: around(x, y),
                points: 1,
                is_straight: true,
                is_turned: false,
            });
        }
    }

    /// Continues the subpath to a point, along a line or a curve.
    pub(super) fn line_to(&mut self, matrix: &Matrix, x: f64, y: f64, is_curve: bool) {
        let (x, y) = matrix.apply(x, y);
        let Some(subpath) = self.subpaths.last_mut() else { return };
        let is_along = (x - self.last.0).abs() < 0.5 || (y - self.last.1).abs() < 0.5;
        subpath.is_straight &= is_curve || is_along;
        subpath.bounds.add(around(x, y));
        subpath.points += 1;
        self.last = (x, y);
    }

    /// Adds a rectangle to the path.
    pub(super) fn rectangle(&mut self, matrix: &Matrix, [x, y, width, height]: [f64; 4]) {
        let bounds = matrix.apply_box(Bounds {
            x0: x.min(x + width),
            y0: y.min(y + height),
            x1: x.max(x + width),
            y1: y.max(y + height),
        });
        if self.subpaths.len() < MAX_SUBPATHS {
            let is_turned = !matrix.is_upright();
            self.subpaths.push(SubPath { bounds, points: 4, is_straight: true, is_turned });
        }
    }

    /// Paints the path and starts the next one.
    pub(super) fn paint(&mut self, paint: PathPaint) {
        for subpath in std::mem::take(&mut self.subpaths) {
            let (width, height) = (subpath.bounds.width(), subpath.bounds.height());
            let is_thin = width <= THIN || height <= THIN;
            let kind = match (is_thin, paint.fills, paint.strokes) {
                _ if !subpath.is_straight || subpath.points > MAX_POINTS => continue,
                (true, true, _) | (true, _, true) if width.max(height) > 2.0 * THIN => ShapeKind::Rule,
                (false, _, true) if subpath.points >= 4 => ShapeKind::Frame,
                (false, true, _) => ShapeKind::Fill,
                _ => continue,
            };
            self.push(kind, subpath.bounds);
        }
    }

    /// Draws a picture into the unit square.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(shapes: &mut ShapeCollector) -> Vec<ShapeKind> {
        shapes.take().iter().map(|shape| shape.kind).collect()
    }

    #[test]
    fn boxes_rules_and_frames_are_told_apart() {
        let mut shapes = ShapeCollector::default();
        let (fill, stroke) =
            (PathPaint { fills: true, strokes: false }, PathPaint { fills: false, strokes: true });
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
        let mut shapes = ShapeCollector::default();
        shapes.move_to(&Matrix::IDENTITY, 0.0, 0.0);
        shapes.line_to(&Matrix::IDENTITY, 50.0, 80.0, false);
        shapes.paint(PathPaint { fills: true, strokes: true });
        shapes.rectangle(&Matrix::IDENTITY, [0.0, 0.0, 40.0, 40.0]);
        shapes.paint(PathPaint { fills: false, strokes: false });
        assert!(kinds(&mut shapes).is_empty());
    }
}
