//! The lines drawn in and around a table.

/// A horizontal or vertical line: its place across its direction, its start and its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FrameLine {
    pub(super) at: f32,
    pub(super) from: f32,
    pub(super) to: f32,
}

impl FrameLine {
    /// True if it passes a position in its direction.
    pub(super) fn passes(&self, position: f32) -> bool {
        self.from - 1.0 <= position && position <= self.to + 1.0
    }
}

/// The lines of a table; a table without lines has an empty frame.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TableFrame {
    /// Horizontal lines from top to bottom.
    pub(super) across: Vec<FrameLine>,
    /// Vertical lines from left to right.
    pub(super) down: Vec<FrameLine>,
    /// The places of the vertical edges of its columns, with those that only the ends of other lines show.
    pub(super) edges: Vec<f32>,
}

impl TableFrame {
    /// True if vertical lines divide it into columns.
    pub(super) fn has_columns(&self) -> bool {
        self.edges.len() >= 3
    }

    /// True if a horizontal line separates two heights.
    pub(super) fn separates(&self, above: f32, below: f32) -> bool {
        self.across.iter().any(|line| above < line.at && line.at < below)
    }

    /// The horizontal line that is the nearest below a text at `x`, before `limit`, and ends with some columns only.
    pub(super) fn underline(&self, x: f32, from: f32, limit: f32) -> Option<&FrameLine> {
        let below = self.across.iter().filter(|line| from < line.at && line.at < limit && line.passes(x));
        below.min_by(|a, b| a.at.total_cmp(&b.at))
    }
}
