//! Matrices and boxes of pages: only arithmetic. The meaning of the numbers (text space, page, display) is up to the
//! caller. Source: ISO 32000-2, 8.3 (coordinate systems).

pub(super) use pensieve_text::layout::Bounds;

/// An affine map as PDF writes it: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    /// Maps every point to itself.
    pub(super) const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// A translation.
    pub(super) fn translation(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First `self`, then `next`.
    pub(super) fn then(&self, next: &Matrix) -> Matrix {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, next.0);
        Matrix([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// Maps a point.
    pub(super) fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Maps a box to the box around its corners.
    pub(super) fn apply_box(&self, bounds: Bounds) -> Bounds {
        let mut around = Bounds::EMPTY;
        for (x, y) in
            [(bounds.x0, bounds.y0), (bounds.x1, bounds.y0), (bounds.x0, bounds.y1), (bounds.x1, bounds.y1)]
        {
            let (x, y) = self.apply(x, y);
            around.add(Bounds { x0: x, y0: y, x1: x, y1: y });
        }
        around
    }

    /// True if it keeps rectangles along the edges of the page.
    pub(super) fn is_upright(&self) -> bool {
        let [a, b, c, d, ..] = self.0;
        (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0)
    }

    /// True if none of its numbers is infinite or NaN.
    pub(super) fn is_finite(&self) -> bool {
        self.0.iter().all(|number| number.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_compose_from_left_to_right() {
        let turn = Matrix([0.0, 1.0, -1.0, 0.0, 0.0, 0.0]);
        let both = Matrix::translation(10.0, 0.0).then(&turn);
        assert_eq!(both.apply(1.0, 2.0), (-2.0, 11.0));
        let bounds = both.apply_box(Bounds { x0: 0.0, y0: 0.0, x1: 2.0, y1: 1.0 });
        assert_eq!(bounds, Bounds { x0: -1.0, y0: 10.0, x1: 0.0, y1: 12.0 });
    }
}
