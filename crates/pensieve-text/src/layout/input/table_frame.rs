//! The lines drawn in and around a table.

/// Points by which the edges of the columns of one table may differ from page to page, as those of lines that meet.
const MAX_COLUMN_SHIFT: f32 = 3.0;

/// True if two grids have their columns at the same places, as the parts of one table on two pages.
pub(crate) fn have_same_columns(before: &[f32], after: &[f32]) -> bool {
    let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= MAX_COLUMN_SHIFT;
    !before.is_empty() && before.len() == after.len() && before.iter().zip(after).all(is_near)
}

/// A horizontal or vertical line: its place across its direction, its start and its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameLine {
    pub(crate) at: f32,
    pub(crate) from: f32,
    pub(crate) to: f32,
}

impl FrameLine {
    /// True if it passes a position in its direction.
    pub(crate) fn passes(&self, position: f32) -> bool {
        // Lines that meet are often drawn a little short or long.
        self.from - 1.0 <= position && position <= self.to + 1.0
    }
}

/// The lines of a table; a table without lines has an empty frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TableFrame {
    /// Horizontal lines from top to bottom.
    pub(crate) across: Vec<FrameLine>,
    /// Vertical lines from left to right.
    pub(crate) down: Vec<FrameLine>,
    /// The places of the vertical edges of its columns, with those that only the ends of other lines show.
    pub(crate) edges: Vec<f32>,
}

impl TableFrame {
    /// True if vertical lines divide it into columns.
    pub(crate) fn has_columns(&self) -> bool {
        // Two are the frame around one column.
        self.edges.len() >= 3
    }

    /// True if a horizontal line separates two heights.
    pub(crate) fn separates(&self, above: f32, below: f32) -> bool {
        self.across.iter().any(|line| above < line.at && line.at < below)
    }

    /// True if a vertical line stands between two places at a height.
    pub(crate) fn divides(&self, left: f32, right: f32, height: f32) -> bool {
        self.down.iter().any(|line| left < line.at && line.at < right && line.passes(height))
    }

    /// The horizontal line that is the nearest below a text at `x`, before `limit`, and ends with some columns only.
    pub(crate) fn underline(&self, x: f32, from: f32, limit: f32) -> Option<&FrameLine> {
        let below = self.across.iter().filter(|line| from < line.at && line.at < limit && line.passes(x));
        below.min_by(|a, b| a.at.total_cmp(&b.at))
    }
}
