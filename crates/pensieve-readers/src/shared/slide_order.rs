//! The order in which the shapes of a slide are seen: rows from top to bottom, in each from left to right.
//!
//! Files keep the order in which shapes were drawn. It holds where the layout names the places of a slide, and where not
//! every shape says where it is.

/// Left, top, width and height, in any unit.
pub(crate) type Frame = [i64; 4];

/// The indexes of shapes in the order in which they are seen; `None` if the order of the file holds.
pub(crate) fn seen_order(frames: &[Option<Frame>]) -> Option<Vec<usize>> {
    let frames: Vec<Frame> = frames.iter().copied().collect::<Option<_>>()?;
    let mut waiting: Vec<usize> = (0..frames.len()).collect();
    waiting.sort_by_key(|&at| (frames[at][1], frames[at][0]));
    let mut order = Vec::with_capacity(waiting.len());
    let mut rest = waiting.as_slice();
    while let Some(&first) = rest.first() {
        let bottom = frames[first][1].saturating_add(frames[first][3]);
        // A shape is in the row of another if its middle is beside it.
        let is_beside = |at: &usize| frames[*at][1].saturating_add(frames[*at][3] / 2) < bottom;
        let len = 1 + rest[1..].iter().take_while(|at| is_beside(at)).count();
        let mut row = rest[..len].to_vec();
        row.sort_by_key(|&at| (frames[at][0], frames[at][1]));
        order.extend(row);
        rest = &rest[len..];
    }
    (!order.is_sorted()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_seen_in_rows() {
        let check = |frames: &[Option<Frame>], expected: Option<&[usize]>| {
            assert_eq!(seen_order(frames).as_deref(), expected, "of {frames:?}");
        };
        let (left, right, below) = (Some([0, 10, 40, 20]), Some([50, 12, 40, 20]), Some([0, 40, 90, 20]));
        check(&[below, right, left], Some(&[2, 1, 0]));
        check(&[left, right, below], None);
        check(&[below, None, left], None);
        check(&[], None);
        // Beside a tall shape are all those in its height.
        check(&[Some([50, 60, 40, 10]), Some([0, 0, 40, 90]), Some([50, 5, 40, 10])], Some(&[1, 2, 0]));
    }
}
