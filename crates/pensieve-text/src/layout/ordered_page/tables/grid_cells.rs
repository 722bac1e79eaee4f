//! The cells of a grid: areas that no drawn line divides. A cell may span rows and columns of the grid; its text is one text, in
//! the first of its rows and columns, as a form or a table with merged cells is read.

use super::pieces::TableColumn;
use super::rows::{PlacedLine, PlacedPiece};
use crate::layout::input::table_frame::TableFrame;
use crate::layout::lines::table_numbers::is_number;

/// Points by which a line may miss the edge of the rows or columns that it belongs to, as lines that meet in [`insets`](crate::layout::ordered_page::insets).
const MAX_LINE_SHIFT: f32 = 3.0;

/// The place of the text of a cell of several rows, as a share of its height, up to which it is the label of all of them: it is
/// in the middle or above, while what is filled into a form stands below the name of its field. Without this fields of
/// five forms among 298 unseen files changed their rows.
const MAX_LABEL_PLACE: f32 = 0.65;

/// The share of lines, in tenths, with text beside them, from which the lines of an open column are labels of rows. All have it in
/// statements; a few are wrapped. The share was not varied.
const LABELS_OF_ROWS: usize = 8;

/// The share of numbers, in tenths, from which a text is no text but a column of them, such as depths beside layers of rock. A chart
/// in a cell has a third of other words: its title, its months, its legend. The share was not varied.
const ALL_NUMBERS: usize = 9;

/// Where texts are in a grid.
pub(super) struct GridCells {
    /// The edges of its rows from top to bottom, and of its columns from left to right.
    rows: Vec<f32>,
    columns: Vec<f32>,
    /// The cell of each field of the grid, row by row.
    fields: Vec<GridCell>,
}

/// A rectangle of fields: the first and the last row and column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct GridCell {
    first_row: usize,
    first_column: usize,
    last_row: usize,
    last_column: usize,
}

/// The text of a cell of several rows, which its first row has.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SpanningText {
    /// The row of the grid.
    pub(crate) row: usize,
    /// The column of the table.
    pub(crate) column: usize,
    /// Its pieces, each with the number of its line.
    pub(crate) pieces: Vec<(usize, PlacedPiece)>,
}

impl GridCells {
    /// Cost: rows times columns, and rows or columns times the lines of each edge.
    pub(crate) fn of(frame: &TableFrame) -> GridCells {
        let mut rows: Vec<f32> = frame.across.iter().map(|line| line.at).collect();
        rows.extend(frame.down.iter().flat_map(|line| [line.from, line.to]));
        rows.sort_by(f32::total_cmp);
        rows.dedup_by(|b, a| *b - *a < MAX_LINE_SHIFT);
        let mut grid = GridCells { rows, columns: frame.edges.clone(), fields: Vec::new() };
        grid.fields = grid.cells(frame);
        grid
    }

    /// The row of a height.
    pub(super) fn row_at(&self, height: f32) -> Option<usize> {
        place(&self.rows, height)
    }

    /// The fields of each row and column that no line divides have one number.
    fn joined_fields(&self, frame: &TableFrame) -> Vec<usize> {
        let (height, width) = (self.rows.len().saturating_sub(1), self.columns.len().saturating_sub(1));
        let mut root: Vec<usize> = (0..height * width).collect();
        let mut join = |a: usize, b: usize| {
            let (a, b) = (root_of(&mut root, a), root_of(&mut root, b));
            root[a.max(b)] = a.min(b);
        };
        for column in 1..width {
            let edge = self.columns[column];
            let lines: Vec<_> =
                frame.down.iter().filter(|line| (line.at - edge).abs() <= MAX_LINE_SHIFT).collect();
            for row in 0..height {
                let middle = (self.rows[row] + self.rows[row + 1]) / 2.0;
                if !lines.iter().any(|line| line.passes(middle)) {
                    join(row * width + column - 1, row * width + column);
                }
            }
        }
        for row in 1..height {
            let edge = self.rows[row];
            let lines: Vec<_> =
                frame.across.iter().filter(|line| (line.at - edge).abs() <= MAX_LINE_SHIFT).collect();
            for column in 0..width {
                let middle = (self.columns[column] + self.columns[column + 1]) / 2.0;
                if !lines.iter().any(|line| line.passes(middle)) {
                    join((row - 1) * width + column, row * width + column);
                }
            }
        }
        (0..height * width).map(|at| root_of(&mut root, at)).collect()
    }

    /// The cell of each field. What is no rectangle lacks lines, and its fields are cells.
    fn cells(&self, frame: &TableFrame) -> Vec<GridCell> {
        let width = self.columns.len().saturating_sub(1);
        let field = |at: usize| {
            let (row, column) = (at / width, at % width);
            GridCell { first_row: row, first_column: column, last_row: row, last_column: column }
        };
        let roots = self.joined_fields(frame);
        // The rectangle around the fields of each number, and how many they are.
        let mut areas: Vec<(GridCell, usize)> = (0..roots.len()).map(|at| (field(at), 0)).collect();
        for (at, root) in roots.iter().enumerate() {
            let (field, (area, count)) = (field(at), &mut areas[*root]);
            area.first_column = area.first_column.min(field.first_column);
            area.last_column = area.last_column.max(field.last_column);
            area.last_row = area.last_row.max(field.last_row);
            *count += 1;
        }
        let is_whole = |at: usize| areas[at].1 == areas[at].0.size();
        let cell_of = |at: usize| if is_whole(roots[at]) { areas[roots[at]].0 } else { field(at) };
        let mut cells: Vec<GridCell> = (0..roots.len()).map(cell_of).collect();
        // Boxes for letters stand in a row of a cell and are a part of it; what is inside of several rows is a table of its own.
        for (at, (area, count)) in
            areas.iter().enumerate().filter(|(at, (_, count))| *count > 1 && !is_whole(*at))
        {
            let inside: Vec<usize> = area.fields(width).collect();
            let inner: Vec<GridCell> = inside
                .iter()
                .filter(|field| roots[**field] != at)
                .map(|field| areas[roots[*field]].0)
                .collect();
            debug_assert_eq!(inner.len() + count, area.size());
            let rows = |cell: &GridCell| (cell.first_row, cell.last_row);
            let is_box = |cell: &GridCell| {
                rows(cell) == rows(&inner[0])
                    && area.first_column <= cell.first_column
                    && cell.last_column <= area.last_column
            };
            if inner.iter().all(is_box) {
                inside.iter().for_each(|field| cells[*field] = *area);
            }
        }
        cells
    }

    fn cell_at(&self, x: f32, y: f32) -> Option<GridCell> {
        let (row, column) = (place(&self.rows, y)?, place(&self.columns, x)?);
        self.fields.get(row * (self.columns.len() - 1) + column).copied()
    }

    fn cell_of(&self, line: &PlacedLine, piece: &PlacedPiece) -> Option<GridCell> {
        self.cell_at((piece.x0 + piece.x1) / 2.0, line.middle())
    }

    /// Makes the texts of each cell one text, and takes those of cells of several rows from their lines.
    pub(super) fn join_texts(&self, lines: &mut [PlacedLine], columns: &[TableColumn]) -> Vec<SpanningText> {
        let mut cells: Vec<(GridCell, usize, usize)> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            for (piece, text) in line.pieces.iter().enumerate() {
                let wide = self.cell_of(line, text).filter(|cell| cell.spans());
                cells.extend(wide.map(|cell| (cell, at, piece)));
            }
        }
        cells.sort_unstable();
        let mut taken: Vec<Vec<usize>> = vec![Vec::new(); lines.len()];
        let mut found = Vec::new();
        for texts in cells.chunk_by(|a, b| a.0 == b.0) {
            let cell = texts[0].0;
            let places: Vec<(usize, usize)> = texts.iter().map(|(_, line, piece)| (*line, *piece)).collect();
            let column = self.column_of(&cell, columns);
            if let Some(column) = column.filter(|_| self.is_one_text(&cell, &places, lines)) {
                for (line, piece) in &places {
                    let piece = &mut lines[*line].pieces[*piece];
                    (piece.first, piece.last) = (column, column);
                }
            }
            let is_text = cell.first_row < cell.last_row && !has_columns(&places, lines);
            if is_text && self.belongs_to_first_row(&cell, &places, lines) {
                let text = |(line, piece): &(usize, usize)| (*line, lines[*line].pieces[*piece].clone());
                let pieces: Vec<(usize, PlacedPiece)> = places.iter().map(text).collect();
                let column = pieces.iter().map(|(_, piece)| piece.first).min().unwrap_or_default();
                found.push(SpanningText { row: cell.first_row, column, pieces });
                places.iter().for_each(|(line, piece)| taken[*line].push(*piece));
            }
        }
        for (line, taken) in lines.iter_mut().zip(taken) {
            let pieces = std::mem::take(&mut line.pieces).into_iter().enumerate();
            let left = pieces.filter(|(at, _)| !taken.contains(at));
            left.for_each(|(_, piece)| line.add(piece));
        }
        found
    }

    /// True for a form: most of its cells with text span columns of the grid, so that these are no columns of a table.
    pub(super) fn is_form(&self, lines: &[PlacedLine]) -> bool {
        let of_line = |line: &'_ PlacedLine| {
            let cells = line.pieces.iter().filter_map(|piece| self.cell_of(line, piece));
            cells.collect::<Vec<GridCell>>()
        };
        let mut cells: Vec<GridCell> = lines.iter().flat_map(of_line).collect();
        cells.sort_unstable();
        cells.dedup();
        let wide = cells.iter().filter(|cell| cell.first_column < cell.last_column);
        2 * wide.count() > cells.len()
    }

    /// The column of a table in which a cell begins.
    fn column_of(&self, cell: &GridCell, columns: &[TableColumn]) -> Option<usize> {
        columns.iter().position(|column| column.right > self.columns[cell.first_column] + MAX_LINE_SHIFT)
    }

    /// True for the text of a cell of several columns that fills it as one, as a paragraph or a head above them: as many of its
    /// lines cross the edges of columns as have texts on both sides of one. Lines below a head may be heads of their own.
    fn is_one_text(&self, cell: &GridCell, texts: &[(usize, usize)], lines: &[PlacedLine]) -> bool {
        if cell.first_column == cell.last_column {
            return false;
        }
        let edges = &self.columns[cell.first_column + 1..=cell.last_column];
        let crosses = |(line, piece): &(usize, usize)| {
            let piece = &lines[*line].pieces[*piece];
            edges.iter().any(|at| piece.x0 + MAX_LINE_SHIFT < *at && *at < piece.x1 - MAX_LINE_SHIFT)
        };
        let lines = texts.chunk_by(|a, b| a.0 == b.0).map(|line| (line.iter().any(crosses), line.len() > 1));
        let telling = lines.filter(|(crosses, has_several)| *crosses || *has_several);
        let is_crossing: Vec<bool> = telling.map(|(crosses, _)| crosses).collect();
        let crossing = is_crossing.iter().filter(|crosses| **crosses).count();
        let is_above_heads =
            is_crossing.contains(&false) && is_crossing[..crossing].iter().all(|crosses| *crosses);
        crossing * 2 >= is_crossing.len() && !(crossing > 0 && is_above_heads)
    }

    /// True for a cell whose text belongs to the first of its rows: the label of all of them, or a text of several lines.
    fn belongs_to_first_row(&self, cell: &GridCell, texts: &[(usize, usize)], lines: &[PlacedLine]) -> bool {
        let height = |(line, _): &(usize, usize)| lines[*line].middle();
        let mut rows: Vec<usize> = texts.iter().filter_map(|text| self.row_at(height(text))).collect();
        rows.dedup();
        if rows.len() == 1 {
            // A head of two rows of heads stays beside the second, which names the columns.
            let middle = texts.iter().map(height).sum::<f32>() / texts.len() as f32;
            let (top, bottom) = (self.rows[cell.first_row], self.rows[cell.last_row + 1]);
            return cell.first_row > 0 && middle <= top + MAX_LABEL_PLACE * (bottom - top);
        }
        let is_number = |(line, piece): &&(usize, usize)| is_number(&lines[*line].pieces[*piece].text);
        if texts.iter().filter(is_number).count() * 10 >= texts.len() * ALL_NUMBERS {
            return false;
        }
        // Labels that no lines divide stand beside the texts of their rows, one in each.
        let has_text_beside = |(line, _): &&(usize, usize)| {
            let mut others = lines[*line].pieces.iter();
            others.any(|piece| self.cell_of(&lines[*line], piece) != Some(*cell))
        };
        let beside = texts.iter().filter(has_text_beside).count();
        rows.len() < texts.len() || beside * 10 < texts.len() * LABELS_OF_ROWS
    }
}

impl GridCell {
    /// The numbers of its fields in a grid of so many columns.
    fn fields(self, width: usize) -> impl Iterator<Item = usize> {
        let rows = self.first_row..=self.last_row;
        rows.flat_map(move |row| {
            (self.first_column..=self.last_column).map(move |column| row * width + column)
        })
    }

    /// How many fields it has.
    fn size(&self) -> usize {
        (self.last_row + 1 - self.first_row) * (self.last_column + 1 - self.first_column)
    }

    /// True if it spans rows or columns.
    fn spans(&self) -> bool {
        self.first_row < self.last_row || self.first_column < self.last_column
    }
}

/// True for texts in several columns of a line: a part of a table without lines between its cells.
fn has_columns(texts: &[(usize, usize)], lines: &[PlacedLine]) -> bool {
    let column = |(line, piece): &(usize, usize)| lines[*line].pieces[*piece].first;
    texts.windows(2).any(|pair| pair[0].0 == pair[1].0 && column(&pair[0]) != column(&pair[1]))
}

/// Between which edges a place is.
fn place(edges: &[f32], at: f32) -> Option<usize> {
    let place = edges.partition_point(|edge| *edge <= at).checked_sub(1)?;
    (place + 1 < edges.len()).then_some(place)
}

fn root_of(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::input::table_frame::FrameLine;

    /// Columns of 100 points, rows of 20, with these lines missing: between two columns of a row, and below a row of a column.
    fn frame(
        rows: usize,
        columns: usize,
        sides: &[(usize, usize)],
        bottoms: &[(usize, usize)],
    ) -> TableFrame {
        let side = |row: usize, column: usize| FrameLine {
            at: 100.0 * column as f32,
            from: 20.0 * row as f32,
            to: 20.0 * (row + 1) as f32,
        };
        let bottom = |row: usize, column: usize| FrameLine {
            at: 20.0 * row as f32,
            from: 100.0 * column as f32,
            to: 100.0 * (column + 1) as f32,
        };
        let of_rows = (0..rows).flat_map(|row| (0..=columns).map(move |column| (row, column)));
        let of_columns = (0..=rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        TableFrame {
            down: of_rows.filter(|at| !sides.contains(at)).map(|(row, column)| side(row, column)).collect(),
            across: of_columns
                .filter(|at| !bottoms.contains(at))
                .map(|(row, column)| bottom(row, column))
                .collect(),
            edges: (0..=columns).map(|column| 100.0 * column as f32).collect(),
        }
    }

    /// A line with texts from and to these places.
    fn line(middle: f32, texts: &[(&str, f32, f32)]) -> PlacedLine {
        let piece = |(text, x0, x1): &(&str, f32, f32)| {
            let column = (*x0 / 100.0) as usize;
            PlacedPiece { text: (*text).to_owned(), x0: *x0, x1: *x1, first: column, last: column }
        };
        PlacedLine {
            base: middle + 2.8,
            size: 10.0,
            is_bold: false,
            pieces: texts.iter().map(piece).collect(),
        }
    }

    /// The texts of cells of several rows with their row and column, and what is left of the lines: column and text.
    type Joined = (Vec<(usize, usize, String)>, Vec<Vec<(usize, String)>>);

    fn joined(frame: &TableFrame, mut lines: Vec<PlacedLine>) -> Joined {
        let columns: Vec<TableColumn> = frame
            .edges
            .windows(2)
            .map(|edges| TableColumn { x0: edges[0], x1: edges[1], left: edges[0], right: edges[1] })
            .collect();
        let spanning = GridCells::of(frame).join_texts(&mut lines, &columns);
        let text = |text: &SpanningText| {
            let texts: Vec<&str> = text.pieces.iter().map(|(_, piece)| piece.text.as_str()).collect();
            (text.row, text.column, texts.join(" "))
        };
        let left =
            |line: &PlacedLine| line.pieces.iter().map(|piece| (piece.first, piece.text.clone())).collect();
        (spanning.iter().map(text).collect(), lines.iter().map(left).collect())
    }

    fn left(texts: &[&[(usize, &str)]]) -> Vec<Vec<(usize, String)>> {
        texts.iter().map(|line| line.iter().map(|(at, text)| (*at, (*text).to_owned())).collect()).collect()
    }

    #[test]
    fn a_label_of_several_rows_is_in_the_first_of_them() {
        let grid = frame(3, 2, &[], &[(2, 0)]);
        let rows = |label: f32| {
            let mut lines = vec![
                line(10.0, &[("Head", 10.0, 40.0), ("b", 110.0, 120.0)]),
                line(30.0, &[("c", 110.0, 120.0)]),
                line(label, &[("Two", 10.0, 40.0)]),
                line(50.0, &[("d", 110.0, 120.0)]),
            ];
            lines.sort_by(|a, b| a.base.total_cmp(&b.base));
            joined(&grid, lines).0
        };
        assert_eq!(rows(40.5), [(1, 0, "Two".to_owned())]);
        // Below the middle it is what was filled into a form.
        assert_eq!(rows(52.0), []);
        // A head of two rows names the columns with its second row.
        let head = frame(3, 2, &[], &[(1, 0)]);
        let lines = vec![line(30.0, &[("Head", 10.0, 40.0), ("b", 110.0, 120.0)])];
        assert_eq!(joined(&head, lines).0, []);
    }

    #[test]
    fn a_text_of_several_lines_is_one_and_labels_of_rows_are_not() {
        let grid = frame(3, 2, &[], &[(2, 0)]);
        let lines = |texts: [&str; 3]| {
            vec![
                line(25.0, &[(texts[0], 10.0, 60.0)]),
                line(30.0, &[("c", 110.0, 120.0)]),
                line(37.0, &[(texts[1], 10.0, 60.0)]),
                line(49.0, &[(texts[2], 10.0, 60.0)]),
            ]
        };
        assert_eq!(joined(&grid, lines(["one", "two", "three"])).0, [(1, 0, "one two three".to_owned())]);
        assert_eq!(joined(&grid, lines(["1.5", "2.5", "3.5"])).0, []);
        let labels = vec![
            line(30.0, &[("Cash", 10.0, 60.0), ("7", 110.0, 120.0)]),
            line(50.0, &[("Debt", 10.0, 60.0), ("9", 110.0, 120.0)]),
        ];
        assert_eq!(joined(&grid, labels).0, []);
    }

    #[test]
    fn a_text_across_the_edges_of_columns_is_one() {
        let grid = frame(2, 3, &[(0, 1), (0, 2)], &[]);
        let first = |lines: Vec<PlacedLine>| joined(&grid, lines).1;
        let label = [("7.", 10.0, 20.0), ("Code", 110.0, 140.0)];
        let lines = vec![line(5.0, &label), line(15.0, &[("43023 Town", 60.0, 130.0)])];
        assert_eq!(first(lines), left(&[&[(0, "7. Code")], &[(0, "43023 Town")]]));
        // Heads below a head keep their columns, and so do texts that cross no edge.
        let heads = [("End", 10.0, 40.0), ("Side", 110.0, 140.0)];
        let lines = vec![line(5.0, &[("Load", 80.0, 120.0)]), line(15.0, &heads)];
        assert_eq!(first(lines), left(&[&[(0, "Load")], &[(0, "End"), (1, "Side")]]));
        assert_eq!(first(vec![line(5.0, &heads)]), left(&[&[(0, "End"), (1, "Side")]]));
    }

    #[test]
    fn boxes_for_letters_are_a_part_of_their_cell() {
        // The first row is one cell with a box in it.
        let sides = [(0, 1), (1, 1), (1, 2), (0, 2), (0, 3), (1, 3)];
        let mut form = frame(3, 4, &sides, &[(1, 0), (1, 3), (1, 1), (1, 2)]);
        assert!(GridCells::of(&form).is_form(&[line(10.0, &[("Name", 10.0, 60.0)])]));
        form.down.extend([100.0, 200.0].map(|at| FrameLine { at, from: 20.0, to: 40.0 }));
        form.across.push(FrameLine { at: 20.0, from: 100.0, to: 200.0 });
        let lines = || vec![line(10.0, &[("Name", 10.0, 60.0)]), line(30.0, &[("A", 110.0, 120.0)])];
        assert!(GridCells::of(&form).is_form(&lines()));
        let (spanning, left_over) = joined(&form, lines());
        assert_eq!(spanning, [(0, 0, "Name A".to_owned())]);
        assert_eq!(left_over, left(&[&[], &[]]));
        assert!(!GridCells::of(&frame(3, 4, &[], &[])).is_form(&lines()));
    }
}
