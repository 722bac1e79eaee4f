//! Tables as rows of cells. A row is written as one line of Markdown: cells are trimmed, line ends in them are spaces,
//! bars are escaped.

use super::bounds::Bounds;

/// Points by which the edges of a table may differ on its next page.
const MAX_EDGE_SHIFT: f64 = 15.0;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LayoutTable {
    /// Its rows, the header first.
    pub(super) rows: Vec<TableRow>,
    /// The font size of most of its lines.
    pub(super) size: f32,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TableRow {
    /// One text per column.
    pub(super) cells: Vec<String>,
    /// The rectangle around its text.
    pub(super) bounds: Bounds,
}

impl LayoutTable {
    /// Removes columns without text.
    pub(super) fn drop_empty_columns(&mut self) {
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        let is_used = |column: usize| {
            self.rows.iter().any(|row| row.cells.get(column).is_some_and(|cell| !cell.is_empty()))
        };
        let used: Vec<usize> = (0..width).filter(|column| is_used(*column)).collect();
        for row in &mut self.rows {
            let mut cells = std::mem::take(&mut row.cells);
            row.cells = used.iter().filter_map(|at| cells.get_mut(*at).map(std::mem::take)).collect();
        }
    }

    /// Its rows as Markdown; the delimiter line belongs to the header.
    pub(super) fn markdown(&self) -> Vec<String> {
        let mut lines = self.rows_of_continued();
        if let Some((header, row)) = lines.first_mut().zip(self.rows.first()) {
            header.push_str("\n|");
            row.cells.iter().for_each(|_| header.push_str(" --- |"));
        }
        lines
    }

    /// Its rows as Markdown, if they continue those of another table.
    pub(super) fn rows_of_continued(&self) -> Vec<String> {
        let line = |row: &TableRow| {
            let mut line = String::from("|");
            for cell in &row.cells {
                line.push(' ');
                line.push_str(&cell.replace('|', "\\|"));
                line.push_str(if cell.is_empty() { "|" } else { " |" });
            }
            line
        };
        self.rows.iter().map(line).collect()
    }

    /// True for the rest of this table on the next page: it has the same columns, and no header of its own.
    pub(super) fn goes_on_with(&self, next: &LayoutTable) -> bool {
        let (here, there) = (self.bounds(), next.bounds());
        let is_near = |a: f64, b: f64| (a - b).abs() <= MAX_EDGE_SHIFT;
        self.rows.first().zip(next.rows.first()).is_some_and(|(header, first)| {
            header.cells.len() == first.cells.len() && header.cells != first.cells
        }) && is_near(here.x0, there.x0)
            && is_near(here.x1, there.x1)
    }

    pub(super) fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        self.rows.iter().for_each(|row| bounds.add(row.bounds));
        bounds
    }

    /// About how many bytes it takes in memory.
    pub(super) fn weight(&self) -> usize {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.map(|cell| cell.len() + size_of::<String>()).sum::<usize>()
            + self.rows.len() * size_of::<TableRow>()
    }
}
