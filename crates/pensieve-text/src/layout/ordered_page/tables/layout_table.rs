//! Tables as rows of cells. A row is written as one line of Markdown: cells are trimmed, line ends in them are spaces,
//! bars are escaped.

use crate::layout::input::bounds::Bounds;
use crate::layout::input::table_frame::have_same_columns;

/// Points by which the edges of a table may differ on its next page.
const MAX_EDGE_SHIFT: f64 = 15.0;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct LayoutTable {
    /// Its rows, the header first.
    pub(crate) rows: Vec<TableRow>,
    /// The drawn edges of its columns from left to right; none of a table without.
    pub(crate) edges: Vec<f32>,
    /// The font size of most of its lines.
    pub(crate) size: f32,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableRow {
    /// One text per column.
    pub(crate) cells: Vec<String>,
    /// The rectangle around its text.
    pub(crate) bounds: Bounds,
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

    /// Moves the cells with text of each row next to each other: the fields of a form are in no columns.
    pub(super) fn close_up(&mut self) {
        self.rows.iter_mut().for_each(|row| row.cells.retain(|cell| !cell.is_empty()));
        self.rows.retain(|row| !row.cells.is_empty());
        let width = self.rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
        self.rows.iter_mut().for_each(|row| row.cells.resize(width, String::new()));
    }

    /// Its rows as Markdown; the delimiter line belongs to the header.
    pub(crate) fn markdown(&self) -> Vec<String> {
        let mut lines = self.rows_of_continued();
        if let Some((header, row)) = lines.first_mut().zip(self.rows.first()) {
            header.push_str("\n|");
            row.cells.iter().for_each(|_| header.push_str(" --- |"));
        }
        lines
    }

    /// Its rows as Markdown, if they continue those of another table.
    pub(crate) fn rows_of_continued(&self) -> Vec<String> {
        let line = |row: &TableRow| {
            let mut line = String::from("|");
            for cell in &row.cells {
                line.push(' ');
                // GFM, tables: a bar in a cell is escaped.
                line.push_str(&cell.replace('|', "\\|"));
                line.push_str(if cell.is_empty() { "|" } else { " |" });
            }
            line
        };
        self.rows.iter().map(line).collect()
    }

    /// True for the rest of this table on the next page: it has the same columns, and no header of its own.
    pub(crate) fn goes_on_with(&self, next: &LayoutTable) -> bool {
        let (here, there) = (self.bounds(), next.bounds());
        let is_near = |a: f64, b: f64| (a - b).abs() <= MAX_EDGE_SHIFT;
        // Drawn columns say more than the texts in them, which may be short.
        let has_same_edges = || have_same_columns(&self.edges, &next.edges);
        self.rows.first().zip(next.rows.first()).is_some_and(|(header, first)| {
            header.cells.len() == first.cells.len() && header.cells != first.cells
        }) && (has_same_edges() || is_near(here.x0, there.x0) && is_near(here.x1, there.x1))
    }

    pub(crate) fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::EMPTY;
        self.rows.iter().for_each(|row| bounds.add(row.bounds));
        bounds
    }

    /// About how many bytes it takes in memory.
    pub(crate) fn weight(&self) -> usize {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.map(|cell| cell.len() + size_of::<String>()).sum::<usize>()
            + self.rows.len() * size_of::<TableRow>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]], [x0, x1]: [f64; 2]) -> LayoutTable {
        let bounds = Bounds { x0, y0: 0.0, x1, y1: 10.0 };
        let row = |cells: &&[&str]| TableRow {
            cells: cells.iter().map(|cell| (*cell).to_owned()).collect(),
            bounds,
        };
        LayoutTable { rows: rows.iter().map(row).collect(), size: 10.0, ..LayoutTable::default() }
    }

    #[test]
    fn a_table_is_markdown_with_escaped_bars() {
        let found = table(&[&["a", ""], &["b|c", "d"]], [0.0, 9.0]);
        assert_eq!(found.markdown(), ["| a | |\n| --- | --- |", "| b\\|c | d |"]);
        assert_eq!(found.rows_of_continued(), ["| a | |", "| b\\|c | d |"]);
        assert!(LayoutTable::default().markdown().is_empty());
    }

    #[test]
    fn columns_without_text_are_dropped() {
        let mut found = table(&[&["a", "", "", ""], &["", "", "b", ""]], [0.0, 9.0]);
        found.drop_empty_columns();
        assert_eq!(found, table(&[&["a", ""], &["", "b"]], [0.0, 9.0]));
    }

    #[test]
    fn the_fields_of_a_form_are_next_to_each_other() {
        let mut found = table(&[&["a", "", "", ""], &["", "", "", ""], &["", "b", "", "c"]], [0.0, 9.0]);
        found.close_up();
        assert_eq!(found, table(&[&["a", ""], &["b", "c"]], [0.0, 9.0]));
    }

    #[test]
    fn a_table_goes_on_between_the_same_edges_without_its_header() {
        let first = table(&[&["a", "b"], &["1", "2"]], [100.0, 300.0]);
        let check = |rows: &[&[&str]], edges: [f64; 2], expected| {
            assert_eq!(first.goes_on_with(&table(rows, edges)), expected, "{rows:?} {edges:?}");
        };
        check(&[&["3", "4"]], [100.0, 300.0], true);
        check(&[&["3", "4"]], [115.0, 285.0], true);
        check(&[&["3", "4"]], [115.5, 300.0], false);
        check(&[&["3", "4"]], [84.5, 300.0], false);
        check(&[&["3", "4"]], [100.0, 315.5], false);
        check(&[&["3", "4", "5"]], [100.0, 300.0], false);
        check(&[&["a", "b"]], [100.0, 300.0], false);
        check(&[], [100.0, 300.0], false);
        let drawn = |edges: &[f32], [x0, x1]: [f64; 2]| {
            let edges = edges.to_vec();
            LayoutTable { edges, ..table(&[&["3", "4"]], [x0, x1]) }
        };
        let grid = LayoutTable { edges: vec![95.0, 200.0, 305.0], ..first.clone() };
        assert!(grid.goes_on_with(&drawn(&[95.0, 201.0, 305.0], [100.0, 220.0])));
        assert!(!grid.goes_on_with(&drawn(&[95.0, 150.0, 305.0], [100.0, 220.0])));
        assert!(!grid.goes_on_with(&drawn(&[], [100.0, 220.0])));
    }

    #[test]
    fn the_weight_of_a_table_is_that_of_its_cells_and_rows() {
        let found = table(&[&["abc", "d"], &["", "efghi"]], [0.0, 9.0]);
        assert_eq!(found.weight(), 9 + 4 * size_of::<String>() + 2 * size_of::<TableRow>());
    }
}
