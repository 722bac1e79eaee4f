//! Tables: cells by the grid of lines around them, or by the edges on which they are aligned. A row is written as one
//! line of Markdown: cells are trimmed, line ends in them become spaces, bars are escaped.

use super::bounds::Bounds;
use super::insets::cell_of;
use super::lines::TextLine;
use super::page::TextSpan;
use super::reading::lines_of;
use super::vocabulary::{HyphenAction, Vocabulary};

/// Characters of a cell up to which an unruled column belongs to a table and not to columns of text.
const MAX_CELL_CHARACTERS: usize = 40;

/// Font sizes by which the edges of a column may differ.
const MAX_EDGE_SHIFT: f32 = 0.8;

/// Maximum rows of an unruled table.
const MAX_ROWS: usize = 200;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LayoutTable {
    /// Its rows, the header first.
    pub(super) rows: Vec<TableRow>,
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
    /// The table of a grid; text in no cell of it goes into the nearest row.
    pub(super) fn ruled(columns: &[f64], rows: &[f64], spans: &[&TextSpan]) -> LayoutTable {
        let (width, height) = (columns.len() - 1, rows.len() - 1);
        let mut cells: Vec<Vec<&TextSpan>> = vec![Vec::new(); width * height];
        for span in spans {
            let (row, column) = cell_of(columns, rows, span).unwrap_or_else(|| {
                let y = f64::from(span.bbox[1] + span.bbox[3]) / 2.0;
                (rows.partition_point(|edge| *edge <= y).clamp(1, height) - 1, 0)
            });
            cells[row * width + column].push(span);
        }
        let mut table = LayoutTable::default();
        for row in cells.chunks(width) {
            let mut bounds = Bounds::EMPTY;
            row.iter().flatten().for_each(|span| bounds.add(Bounds::of_array(span.bbox)));
            if !bounds.is_empty() {
                let cells = row.iter().map(|spans| text_of(spans)).collect();
                table.rows.push(TableRow { cells, bounds });
            }
        }
        table.drop_empty_columns();
        table
    }

    /// The unruled table at the start of these lines, if there is one, and the number of its lines.
    pub(super) fn aligned(lines: &[&TextLine], min_rows: usize) -> Option<(usize, LayoutTable)> {
        let several = |line: &&&TextLine| line.cells.len() >= 2 && !line.is_turned;
        if !lines.first().is_some_and(|line| several(&line)) {
            return None;
        }
        let size = lines[0].size;
        // Rows are close to each other; a line with one cell continues one of the columns.
        let mut count = 1;
        while let Some(line) = lines.get(count).filter(|_| count < MAX_ROWS) {
            let is_near = line.base - lines[count - 1].base < 3.0 * size;
            let is_row = line.cells.len() >= 2 || continues(lines[count - 1], line, lines.get(count + 1));
            if !is_near || !is_row {
                break;
            }
            count += 1;
        }
        while count > 0 && lines[count - 1].cells.len() < 2 {
            count -= 1;
        }
        let rows = &lines[..count];
        let columns = columns_of(rows)?;
        let full = rows.iter().filter(several).count();
        (full >= min_rows && full * 10 >= rows.len() * 6)
            .then(|| (count, LayoutTable::from_lines(rows, &columns)))
    }

    fn from_lines(lines: &[&TextLine], columns: &[(f32, f32)]) -> LayoutTable {
        let mut table = LayoutTable::default();
        for line in lines {
            let mut cells = vec![String::new(); columns.len()];
            let mut starts: Vec<(usize, f32, f32)> = line.cells.clone();
            if starts.is_empty() {
                starts.push((0, line.x0, line.x1));
            }
            for (at, (from, x0, x1)) in starts.iter().enumerate() {
                let to = starts.get(at + 1).map_or(line.text.len(), |next| next.0);
                let cell = &mut cells[column_at(columns, *x0, *x1)];
                if !cell.is_empty() {
                    cell.push(' ');
                }
                cell.push_str(line.text[*from..to].trim());
            }
            table.rows.push(TableRow { cells, bounds: line.bounds });
        }
        table.drop_empty_columns();
        table
    }

    fn drop_empty_columns(&mut self) {
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
        let line = |row: &TableRow| {
            let mut line = String::from("|");
            for cell in &row.cells {
                line.push(' ');
                line.push_str(&cell.replace('|', "\\|"));
                line.push_str(if cell.is_empty() { "|" } else { " |" });
            }
            line
        };
        let mut lines: Vec<String> = self.rows.iter().map(line).collect();
        if let Some((header, row)) = lines.first_mut().zip(self.rows.first()) {
            header.push_str("\n|");
            row.cells.iter().for_each(|_| header.push_str(" --- |"));
        }
        lines
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

fn text_of(spans: &[&TextSpan]) -> String {
    let mut text = String::new();
    let vocabulary = Vocabulary::default();
    for line in lines_of(spans).iter().flatten() {
        match vocabulary.hyphen(&text, &line.text) {
            Some(HyphenAction::Drop) => drop(text.pop()),
            Some(HyphenAction::Keep) => {}
            None if !text.is_empty() => text.push(' '),
            None => {}
        }
        text.push_str(&line.text);
    }
    text
}

/// True for a line of one cell that continues a column: it starts on an edge of the row above, and a row follows.
fn continues(above: &TextLine, line: &TextLine, below: Option<&&TextLine>) -> bool {
    let near = MAX_EDGE_SHIFT * line.size;
    let is_on_edge = above.cells.iter().skip(1).any(|(_, x0, _)| (x0 - line.x0).abs() < near);
    is_on_edge && below.is_some_and(|below| below.cells.len() >= 2)
}

/// Left and right edges of the columns in which most rows have cells.
fn columns_of(rows: &[&TextLine]) -> Option<Vec<(f32, f32)>> {
    let size = rows.first()?.size;
    let mut cells: Vec<(f32, f32)> =
        rows.iter().flat_map(|line| line.cells.iter().map(|(_, x0, x1)| (*x0, *x1))).collect();
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Cells that overlap horizontally belong to one column.
    let mut columns: Vec<(f32, f32, usize)> = Vec::new();
    for (x0, x1) in cells {
        match columns.last_mut() {
            Some(column) if x0 < column.1 - 0.2 * size => {
                column.1 = column.1.max(x1);
                column.2 += 1;
            }
            _ => columns.push((x0, x1, 1)),
        }
    }
    let full = rows.iter().filter(|line| line.cells.len() >= 2).count();
    let strong = columns.iter().filter(|(_, _, count)| *count * 10 >= full * 6).count();
    let mut lengths: Vec<usize> = Vec::new();
    for line in rows.iter().filter(|line| line.cells.len() >= 2) {
        for (at, (from, ..)) in line.cells.iter().enumerate() {
            let to = line.cells.get(at + 1).map_or(line.text.len(), |next| next.0);
            lengths.push(line.text[*from..to].chars().count());
        }
    }
    lengths.sort_unstable();
    let is_short = lengths.get(lengths.len() * 3 / 4).is_some_and(|length| *length <= MAX_CELL_CHARACTERS);
    (strong >= 2 && is_short).then(|| columns.into_iter().map(|(x0, x1, _)| (x0, x1)).collect())
}

/// The column that overlaps a cell most, or is nearest to it.
fn column_at(columns: &[(f32, f32)], x0: f32, x1: f32) -> usize {
    let shared = |column: &(f32, f32)| column.1.min(x1) - column.0.max(x0);
    let best = columns.iter().enumerate().max_by(|a, b| shared(a.1).total_cmp(&shared(b.1)));
    best.map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(base: f32, cells: &[(&str, f32)]) -> TextLine {
        let mut line = TextLine { base, size: 10.0, ..TextLine::default() };
        for (text, x0) in cells {
            if !line.text.is_empty() {
                line.text.push(' ');
            }
            line.cells.push((line.text.len(), *x0, x0 + 5.0 * text.len() as f32));
            line.text.push_str(text);
        }
        line.x0 = cells[0].1;
        line
    }

    #[test]
    fn aligned_rows_are_a_table() {
        let lines = [
            line(10.0, &[("Item", 50.0), ("Price", 200.0)]),
            line(22.0, &[("Apples | red", 50.0), ("3.50", 205.0)]),
            line(34.0, &[("Pears", 50.0), ("12.00", 200.0)]),
            line(90.0, &[("Far away", 50.0), ("x", 200.0)]),
        ];
        let all: Vec<&TextLine> = lines.iter().collect();
        let (count, table) = LayoutTable::aligned(&all, 3).expect("a table");
        assert_eq!(count, 3);
        let expected = ["| Item | Price |\n| --- | --- |", "| Apples \\| red | 3.50 |", "| Pears | 12.00 |"];
        assert_eq!(table.markdown(), expected);
    }

    #[test]
    fn columns_of_text_are_no_table() {
        let text = "words that go on and on until the line of the column is full";
        let lines: Vec<TextLine> =
            (0..6).map(|at| line(at as f32 * 12.0, &[(text, 0.0), (text, 400.0)])).collect();
        assert_eq!(LayoutTable::aligned(&lines.iter().collect::<Vec<_>>(), 3), None);
    }
}
