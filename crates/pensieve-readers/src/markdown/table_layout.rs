//! Tables: which columns the cells of a row cover, and which cells are repeated.
//!
//! A pipe table has no merged cells. A short cell that covers several rows is repeated in each of them, so that a row
//! can be understood alone; one that covers several columns is repeated if the writer requests it.

/// A table has no more columns than this; a wider one is written as blocks.
pub(crate) const MAX_COLUMNS: usize = 400;

/// A longer cell is a part of a page, not a datum.
pub(crate) const MAX_CELL_BYTES: usize = 3000;

/// A cell with a longer inner table is a part of a page too.
pub(crate) const MAX_INNER_TABLE_BYTES: usize = 600;

/// Longer cells are not repeated if they are merged over columns or rows.
pub(crate) const MAX_REPEATED_CELL_BYTES: usize = 200;

/// Bytes that the marks of a cell take.
const CELL_MARK_BYTES: usize = 4;

/// How many columns and rows a cell covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CellExtent {
    pub columns: usize,
    pub rows: usize,
}

/// The columns of the cells of a table. A column counts if a cell begins in it: programs divide tables much finer, to
/// place borders.
#[derive(Debug)]
pub(crate) struct TableLayout {
    columns: usize,
    /// First column of each cell and the one after it, row after row.
    cells: Vec<(u16, u16)>,
    /// The first cell of each row in `cells`.
    rows: Vec<usize>,
    /// Row and index of each cell beyond the maximum number of columns.
    beyond: Vec<(usize, usize)>,
}

impl TableLayout {
    /// The layout of a table by the cells that begin in each row.
    pub fn of<R: IntoIterator<Item = CellExtent>>(rows: impl IntoIterator<Item = R>) -> TableLayout {
        let mut layout = TableLayout { columns: 0, cells: Vec::new(), rows: Vec::new(), beyond: Vec::new() };
        // For each fine column, the row after the last one of the cell that covers it.
        let mut taken: Vec<usize> = Vec::new();
        let mut begins = [false; MAX_COLUMNS];
        for (at, row) in rows.into_iter().enumerate() {
            layout.rows.push(layout.cells.len());
            let mut column = 0;
            for (number, cell) in row.into_iter().enumerate() {
                while taken.get(column).is_some_and(|&end| end > at) {
                    column += 1;
                }
                if column >= MAX_COLUMNS {
                    layout.beyond.push((at, number));
                    continue;
                }
                begins[column] = true;
                let end = column.saturating_add(cell.columns.max(1)).min(MAX_COLUMNS);
                layout.cells.push((column as u16, end as u16));
                if cell.rows > 1 {
                    taken.resize(taken.len().max(end), 0);
                    taken[column..end].fill(at.saturating_add(cell.rows));
                }
                column = end;
            }
        }
        layout.rows.push(layout.cells.len());
        layout.join_columns(&begins);
        layout
    }

    /// Keeps only the columns in which a cell begins.
    fn join_columns(&mut self, begins: &[bool; MAX_COLUMNS]) {
        // For each fine column, the number of kept columns before it.
        let mut before = [0; MAX_COLUMNS + 1];
        for (at, &begins) in begins.iter().enumerate() {
            before[at + 1] = before[at] + u16::from(begins);
        }
        self.columns = usize::from(before[MAX_COLUMNS]);
        for (start, end) in &mut self.cells {
            *start = before[usize::from(*start)];
            *end = before[usize::from(*end)].max(*start + 1);
        }
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row and index of each cell that has no column.
    pub fn beyond(&self) -> &[(usize, usize)] {
        &self.beyond
    }

    /// First column of each cell of a row and the one after it.
    pub fn cells_of(&self, row: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let cells = &self.cells[self.rows[row]..self.rows[row + 1]];
        cells.iter().map(|&(start, end)| (usize::from(start), usize::from(end)))
    }
}

/// Bytes that repeated and empty cells may still add to a document: a few bytes of a hostile one could ask for gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RepeatBudget(usize);

impl RepeatBudget {
    pub fn new(bytes: usize) -> RepeatBudget {
        RepeatBudget(bytes)
    }

    /// Takes the bytes of a cell from the budget; false if the budget has fewer.
    pub fn allows(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes + CELL_MARK_BYTES);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// A cell in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedCell<C> {
    pub cell: C,
    /// Its first column and the one after it.
    pub columns: (usize, usize),
    pub rows: usize,
    /// Bytes of its words.
    pub bytes: usize,
}

/// The content of a column in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FilledCell<C> {
    pub cell: C,
    pub is_repeat: bool,
}

/// A cell that extends into later rows.
#[derive(Debug, Clone, Copy)]
struct CarriedCell<C> {
    cell: C,
    rows: usize,
    bytes: usize,
}

/// Which rows repeat a merged cell in every column that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnRepeats {
    /// In the row that names the columns.
    Header,
    AllRows,
}

/// Fills the columns of one row after the other.
#[derive(Debug)]
pub(crate) struct RowFiller<C> {
    carried: Vec<Option<CarriedCell<C>>>,
    repeats: ColumnRepeats,
}

impl<C: Copy> RowFiller<C> {
    pub fn new(columns: usize, repeats: ColumnRepeats) -> RowFiller<C> {
        RowFiller { carried: vec![None; columns], repeats }
    }

    /// The content of each column of the next row. A cell over all columns is a title, and is written once.
    pub fn fill(
        &mut self,
        cells: impl IntoIterator<Item = PlacedCell<C>>,
        is_header: bool,
        budget: &mut RepeatBudget,
    ) -> Vec<Option<FilledCell<C>>> {
        let columns = self.carried.len();
        let mut filled: Vec<Option<FilledCell<C>>> = vec![None; columns];
        for (slot, carried) in filled.iter_mut().zip(&mut self.carried) {
            if let Some(above) = carried.take().filter(|above| budget.allows(above.bytes)) {
                *slot = Some(FilledCell { cell: above.cell, is_repeat: true });
                *carried = (above.rows > 1).then_some(CarriedCell { rows: above.rows - 1, ..above });
            }
        }
        for PlacedCell { cell, columns: (start, end), rows, bytes } in cells {
            let is_short = bytes <= MAX_REPEATED_CELL_BYTES;
            let is_title = end - start >= columns;
            let repeats = is_short && !is_title && (is_header || self.repeats == ColumnRepeats::AllRows);
            let carry =
                (rows > 1 && is_short).then_some(CarriedCell { cell, rows: rows.saturating_sub(1), bytes });
            let columns = filled[start..end].iter_mut().zip(&mut self.carried[start..end]);
            for (offset, (slot, carried)) in columns.enumerate() {
                let is_repeat = offset > 0;
                let is_filled = !is_repeat || repeats && budget.allows(bytes);
                *slot = is_filled.then_some(FilledCell { cell, is_repeat });
                if rows > 1 {
                    let goes_on = !is_repeat || is_filled && self.repeats == ColumnRepeats::AllRows;
                    *carried = carry.filter(|_| goes_on);
                }
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, columns, rows and bytes.
    type NamedCell = (char, (usize, usize), usize, usize);

    #[test]
    fn a_repeat_costs_its_bytes_and_the_marks_of_its_cell() {
        let allowed = |budget: usize, cells: &[usize]| {
            let mut budget = RepeatBudget::new(budget);
            cells.iter().map(|&bytes| budget.allows(bytes)).collect::<Vec<_>>()
        };
        assert_eq!(allowed(10, &[6, 0]), [true, false]);
        assert_eq!(allowed(9, &[6, 5, 0]), [false, true, false]);
        assert_eq!(allowed(14, &[6, 0, 0]), [true, true, false]);
    }

    /// What the columns of each row have: the name of a cell, in capitals if it is a repeat.
    fn filled(columns: usize, repeats: ColumnRepeats, budget: usize, rows: &[&[NamedCell]]) -> Vec<String> {
        let (mut filler, mut budget) = (RowFiller::new(columns, repeats), RepeatBudget::new(budget));
        let place = |&(cell, columns, rows, bytes): &NamedCell| PlacedCell { cell, columns, rows, bytes };
        let rows = rows.iter().enumerate();
        rows.map(|(at, row)| {
            let cells = filler.fill(row.iter().map(place), at == 0, &mut budget).into_iter();
            cells
                .map(|cell| match cell {
                    Some(FilledCell { cell, is_repeat: false }) => cell,
                    Some(FilledCell { cell, is_repeat: true }) => cell.to_ascii_uppercase(),
                    None => '.',
                })
                .collect()
        })
        .collect()
    }

    #[test]
    fn short_cells_are_repeated_in_the_rows_that_they_cover() {
        let (all, header) = (ColumnRepeats::AllRows, ColumnRepeats::Header);
        assert_eq!(
            filled(2, all, 999, &[&[('a', (0, 1), 3, 1), ('b', (1, 2), 1, 1)], &[], &[], &[]]),
            ["ab", "A.", "A.", ".."]
        );
        assert_eq!(filled(2, all, 999, &[&[('a', (0, 1), 2, 200)], &[]]), ["a.", "A."]);
        assert_eq!(filled(2, all, 999, &[&[('a', (0, 1), 2, 201)], &[]]), ["a.", ".."]);
        let square: &[NamedCell] = &[('a', (0, 2), 2, 1)];
        assert_eq!(filled(3, all, 999, &[square, &[]]), ["aA.", "AA."]);
        assert_eq!(filled(3, header, 999, &[square, &[]]), ["aA.", "A.."]);
        assert_eq!(filled(3, all, 5, &[square, &[]]), ["aA.", "..."]);
        assert_eq!(filled(3, all, 4, &[square, &[]]), ["a..", "..."]);
    }

    #[test]
    fn cells_over_several_columns_are_repeated_where_columns_are_named_or_everywhere() {
        let (all, header) = (ColumnRepeats::AllRows, ColumnRepeats::Header);
        let wide: &[NamedCell] = &[('a', (0, 2), 1, 200), ('b', (2, 3), 1, 1)];
        let long: &[NamedCell] = &[('a', (0, 2), 1, 201), ('b', (2, 3), 1, 1)];
        let title: &[NamedCell] = &[('a', (0, 3), 1, 1)];
        assert_eq!(filled(3, all, 9999, &[wide, wide]), ["aAb", "aAb"]);
        assert_eq!(filled(3, header, 9999, &[wide, wide]), ["aAb", "a.b"]);
        assert_eq!(filled(3, all, 9999, &[long, long]), ["a.b", "a.b"]);
        assert_eq!(filled(3, all, 9999, &[title, title]), ["a..", "a.."]);
    }
}
