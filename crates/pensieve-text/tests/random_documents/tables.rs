//! Tables of every sort.

use super::{RandomDocument, TableStyle};
use std::fmt::Write;

impl RandomDocument {
    /// A table with cells of several lines.
    pub fn wide_table(&mut self) {
        self.y += self.leading;
        let step = self.column_width() / 3.0;
        let heads = ["Place", "What was done", "Keeper"];
        let mut rows = vec![heads.map(str::to_owned).to_vec()];
        for place in ["North quay", "Mole", "Tower"] {
            let words = self.below(9) + 3;
            let keeper = self.one_of(&["Rosa", "Simon and Ann", "nobody"]);
            rows.push(vec![place.to_owned(), self.sentence(words), keeper.to_owned()]);
        }
        self.reserve(self.leading * 18.0);
        let (left, right) = (self.left(), self.left() + step * 3.0);
        for (at, row) in rows.iter().enumerate() {
            let top = self.y - self.size;
            let _ = writeln!(self.out, "rule {left} {top} {right} {top}");
            let cells: Vec<Vec<String>> =
                row.iter().map(|cell| self.wrapped(cell, step - 10.0, self.size - 1.0, 0.0)).collect();
            let most = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..most {
                for (column, cell) in cells.iter().enumerate() {
                    let Some(text) = cell.get(line) else { continue };
                    let font = if at == 0 { "Serif-Bold" } else { "Serif" };
                    let (x, size) = (left + step * column as f32 + 4.0, self.size - 1.0);
                    let _ = writeln!(self.out, "text {x} {} {size} {font} {text}", self.y);
                }
                self.y += self.leading - 1.0;
            }
            self.y += 5.0;
        }
        let top = self.y - self.size;
        let _ = writeln!(self.out, "rule {left} {top} {right} {top}");
        let shown = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        self.drawn.push(format!("table {} / | --- | --- | --- |", shown(&rows[0])));
        self.drawn.extend(rows[1..].iter().map(|row| format!("table {}", shown(row))));
        self.y += self.leading;
    }

    /// Names with their values, without lines.
    pub fn keys(&mut self) {
        self.reserve(self.leading * 7.0);
        self.y += self.leading * 0.6;
        let keys = [
            ("Harbour master:", "E. Brandt"),
            ("First keeper:", "Rosa Quill"),
            ("Telephone:", "Saltmere 14"),
        ];
        for (at, (key, value)) in keys.iter().enumerate() {
            let (x, y, size) = (self.left(), self.y, self.size);
            let _ = writeln!(self.out, "text {x} {y} {size} Serif {key}");
            let _ = writeln!(self.out, "text {} {y} {size} Serif {value}", x + 120.0);
            self.y += self.leading;
            let line = if at == 0 { " / | --- | --- |" } else { "" };
            self.drawn.push(format!("table | {key} | {value} |{line}"));
        }
        self.y += self.leading * 0.6;
    }

    /// Cells of a table: names, then words or numbers.
    fn cells(&mut self) -> Vec<Vec<String>> {
        let most = if self.column_width() < 200.0 { 1 } else { 3 };
        let (columns, rows) = (self.below(most) + 2, self.below(5) + 3);
        let heads = ["Place", "Lit", "Dark", "Oil", "Keeper"];
        let mut cells = vec![heads[..columns].iter().map(|&head| head.to_owned()).collect::<Vec<_>>()];
        for row in 0..rows {
            let place = ["North quay", "Mole", "Bar", "Old quay", "Tower", "Gull Bay", "Inner quay"][row % 7];
            let mut line = vec![place.to_owned()];
            for column in 1..columns {
                line.push(match column {
                    1 => (self.below(900) + 9).to_string(),
                    2 => format!("{}.{}", self.below(90), self.below(10)),
                    3 if self.below(4) == 0 => "–".to_owned(),
                    3 => format!("{} l", self.below(40) + 2),
                    _ if self.below(3) == 0 => "Rosa, then Simon".to_owned(),
                    _ => self.one_of(&["Rosa", "Simon", "Ann"]).to_owned(),
                });
            }
            cells.push(line);
        }
        cells
    }

    pub fn table(&mut self) {
        let cells = self.cells();
        let height = (cells.len() + 4) as f32 * (self.leading + 3.0);
        self.reserve(height);
        self.number += 1;
        self.y += self.leading;
        let words = self.sentence(5);
        let caption = format!("Table {}: {words}", self.number);
        self.line(0.0, "Serif", self.size - 1.0, &caption, None);
        self.drawn.push(format!("table {caption}"));
        self.y += 4.0;
        let count = cells[0].len();
        let row_height = self.leading + self.one_of(&[0.0, 1.0, 3.0, 6.0]);
        let edges = self.edges(&cells);
        let (left, top, right) = (self.left(), self.y - self.size, self.left() + edges[count]);
        let align = self.one_of(&[0.0, 0.5, 1.0]);
        for (at, row) in cells.iter().enumerate() {
            let y = self.y;
            for (column, cell) in row.iter().enumerate() {
                let length = cell.chars().count() as f32 * self.size * 0.5;
                let align = if column == 0 { 0.0 } else { align };
                let room = edges[column + 1] - edges[column] - 8.0 - length;
                let x = left + edges[column] + 4.0 + room * align;
                let font = if at == 0 { "Serif-Bold" } else { "Serif" };
                let _ = writeln!(self.out, "text {x} {y} {} {font} {cell}", self.size);
            }
            self.y += row_height;
        }
        self.rules([left, top, right], row_height, cells.len(), &edges);
        let shown = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let line = vec!["---".to_owned(); count];
        self.drawn.push(format!("table {} / {}", shown(&cells[0]), shown(&line)));
        self.drawn.extend(cells[1..].iter().map(|row| format!("table {}", shown(row))));
        self.y += self.leading;
    }

    /// Where columns begin: their texts and a gap.
    fn edges(&mut self, cells: &[Vec<String>]) -> Vec<f32> {
        let gaps = [40.0, 24.0, 16.0, 12.0];
        let begin = self.below(gaps.len());
        let longest = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let texts: f32 = (0..cells[0].len()).map(|column| longest(column) as f32 * self.size * 0.5).sum();
        let fits = |gap: &&f32| texts + **gap * cells[0].len() as f32 <= self.column_width();
        let gap = *gaps[begin..].iter().find(fits).unwrap_or(&10.0);
        let mut edges = vec![0.0];
        for column in 0..cells[0].len() {
            edges.push(edges[column] + longest(column) as f32 * self.size * 0.5 + gap);
        }
        edges
    }

    /// The lines and areas of a table.
    fn rules(&mut self, [left, top, right]: [f32; 3], height: f32, rows: usize, edges: &[f32]) {
        let line = |row: usize| top - 2.0 + row as f32 * height;
        let rules: Vec<usize> = match self.tables {
            TableStyle::Plain => Vec::new(),
            TableStyle::ThreeRules => vec![0, 1, rows],
            TableStyle::RulesBetween | TableStyle::Grid => (0..=rows).collect(),
            TableStyle::Zebra => {
                for row in (0..rows).step_by(2) {
                    let _ = writeln!(self.out, "fill {left} {} {right} {}", line(row), line(row + 1));
                }
                Vec::new()
            }
        };
        for row in rules {
            let _ = writeln!(self.out, "rule {left} {y} {right} {y}", y = line(row));
        }
        if self.tables == TableStyle::Grid {
            for edge in edges {
                let x = left + edge;
                let _ = writeln!(self.out, "rule {x} {} {x} {}", line(0), line(rows));
            }
        }
    }
}
