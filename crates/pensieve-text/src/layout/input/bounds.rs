//! Rectangles on a page, in points from its top left.

/// A rectangle with `x0 <= x1` and `y0 <= y1`, or the empty one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Left.
    pub x0: f64,
    /// The smaller y.
    pub y0: f64,
    /// Right.
    pub x1: f64,
    /// The larger y.
    pub y1: f64,
}

impl Bounds {
    /// The empty rectangle.
    pub const EMPTY: Bounds =
        Bounds { x0: f64::INFINITY, y0: f64::INFINITY, x1: f64::NEG_INFINITY, y1: f64::NEG_INFINITY };

    /// Grows to contain the other rectangle as well.
    pub fn add(&mut self, other: Bounds) {
        self.x0 = self.x0.min(other.x0);
        self.y0 = self.y0.min(other.y0);
        self.x1 = self.x1.max(other.x1);
        self.y1 = self.y1.max(other.y1);
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.x1 - self.x0
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        self.y1 - self.y0
    }

    /// Left, top, right and bottom, as locators store them.
    pub fn to_array(self) -> [f32; 4] {
        [self.x0 as f32, self.y0 as f32, self.x1 as f32, self.y1 as f32]
    }

    /// The rectangle with this left, top, right and bottom.
    pub fn of_array([x0, y0, x1, y1]: [f32; 4]) -> Bounds {
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(f64::from);
        Bounds { x0, y0, x1, y1 }
    }

    /// True for the empty rectangle.
    pub fn is_empty(&self) -> bool {
        self.x0 > self.x1 || self.y0 > self.y1
    }

    /// Its area.
    pub fn area(&self) -> f64 {
        self.width().max(0.0) * self.height().max(0.0)
    }

    /// True if the middle of the other rectangle lies inside.
    pub fn contains_middle_of(&self, other: &Bounds) -> bool {
        let (x, y) = ((other.x0 + other.x1) / 2.0, (other.y0 + other.y1) / 2.0);
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }

    /// True if the other rectangle lies inside, with `slack` points of tolerance.
    pub fn contains(&self, other: &Bounds, slack: f64) -> bool {
        self.x0 - slack <= other.x0
            && self.y0 - slack <= other.y0
            && self.x1 + slack >= other.x1
            && self.y1 + slack >= other.y1
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nothing_was_added_to_is_empty() {
        let at = |x0, y0, x1, y1| Bounds { x0, y0, x1, y1 };
        assert!(Bounds::EMPTY.is_empty() && Bounds::default().is_empty());
        assert!(!at(1.0, 1.0, 1.0, 1.0).is_empty() && !at(0.0, 0.0, 2.0, 3.0).is_empty());
        assert!(at(2.0, 0.0, 1.0, 3.0).is_empty() && at(0.0, 4.0, 1.0, 3.0).is_empty());
        let mut both = at(0.0, 5.0, 2.0, 6.0);
        both.add(at(1.0, 1.0, 4.0, 2.0));
        assert_eq!(both, at(0.0, 1.0, 4.0, 6.0));
        assert_eq!((both.width(), both.height(), both.area()), (4.0, 5.0, 20.0));
        assert_eq!(Bounds::EMPTY.area(), 0.0);
        assert_eq!(Bounds::of_array(both.to_array()), both);
    }

    #[test]
    fn a_middle_or_a_whole_lies_inside() {
        let at = |x0, y0, x1, y1| Bounds { x0, y0, x1, y1 };
        let outer = at(10.0, 10.0, 20.0, 20.0);
        assert!(outer.contains_middle_of(&at(0.0, 0.0, 20.0, 20.0)));
        assert!(!outer.contains_middle_of(&at(0.0, 12.0, 19.0, 14.0)));
        assert!(!outer.contains_middle_of(&at(12.0, 0.0, 14.0, 19.0)));
        assert!(!outer.contains_middle_of(&at(18.0, 12.0, 24.0, 14.0)));
        assert!(!outer.contains_middle_of(&at(12.0, 18.0, 14.0, 24.0)));
        assert!(outer.contains(&at(10.0, 10.0, 20.0, 20.0), 0.0));
        for beyond in [
            at(9.0, 10.0, 20.0, 20.0),
            at(10.0, 9.0, 20.0, 20.0),
            at(10.0, 10.0, 21.0, 20.0),
            at(10.0, 10.0, 20.0, 21.0),
        ] {
            assert!(!outer.contains(&beyond, 0.5) && outer.contains(&beyond, 1.0), "{beyond:?}");
        }
    }
}
