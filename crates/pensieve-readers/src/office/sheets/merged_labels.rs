//! Labels merged over rows: each of these rows has the label, so that it can be understood alone, as in the tables of
//! documents ([`table_layout`](crate::markdown::table_layout)).

use super::row::RowCells;
use crate::limits::markdown::MAX_REPEATED_BYTES;
use crate::limits::sheets::MAX_MERGED_LABELS;
use crate::markdown::table_layout::{MAX_REPEATED_CELL_BYTES, RepeatBudget};
use std::collections::BTreeMap;

/// A label that extends into later rows.
#[derive(Debug)]
struct OpenLabel {
    column: u32,
    last: u32,
    text: String,
}

/// The merged labels of a sheet.
#[derive(Debug)]
pub(super) struct MergedLabels {
    /// The last row of each, by its first row and its column.
    waiting: BTreeMap<(u32, u32), u32>,
    open: Vec<OpenLabel>,
    budget: RepeatBudget,
}

impl Default for MergedLabels {
    fn default() -> MergedLabels {
        MergedLabels {
            waiting: BTreeMap::new(),
            open: Vec::new(),
            budget: RepeatBudget::new(MAX_REPEATED_BYTES),
        }
    }
}

impl MergedLabels {
    /// Forgets the labels of a sheet; what they may still add counts for the whole document.
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.open.clear();
    }

    /// Adds a label that begins at this place, and the last row that it holds for.
    pub fn add(&mut self, row: u32, column: u32, last: u32) {
        if last > row && self.waiting.len() < MAX_MERGED_LABELS {
            self.waiting.insert((row, column), last);
        }
    }

    /// Puts the labels that hold for a row into its empty cells. A row of nothing but labels stays blank.
    pub fn fill(&mut self, row: &mut RowCells) {
        let number = row.number();
        self.open.retain(|label| label.last >= number);
        if (self.open.is_empty() && self.waiting.is_empty()) || row.is_blank() {
            return;
        }
        let own: Vec<u32> = row.cells.iter().map(|cell| cell.0).collect();
        for label in &self.open {
            if own.binary_search(&label.column).is_err() && self.budget.allows(label.text.len()) {
                row.cell(label.column).push_str(&label.text);
            }
        }
        row.sort();
        while let Some(first) = self.waiting.first_entry().filter(|first| first.key().0 <= number) {
            let ((begins, column), last) = first.remove_entry();
            let text = row.iter().find(|cell| cell.0 == column).map(|cell| cell.1.trim());
            let text = text.filter(|text| begins == number && text.len() <= MAX_REPEATED_CELL_BYTES);
            self.open.extend(text.map(|text| OpenLabel { column, last, text: text.to_owned() }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_holds_for_the_rows_that_it_covers() {
        let mut labels = MergedLabels::default();
        labels.add(2, 1, 4);
        let mut filled = |number: u32, cells: &[(u32, &str)]| {
            let mut row = RowCells::default();
            row.begin(number);
            cells.iter().for_each(|(column, text)| row.cell(*column).push_str(text));
            row.sort();
            labels.fill(&mut row);
            row.iter().map(|(column, text)| format!("{column}{text}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(filled(1, &[(1, "Quarter"), (2, "Team")]), "1Quarter 2Team");
        assert_eq!(filled(2, &[(1, "Q1"), (2, "Reds")]), "1Q1 2Reds");
        assert_eq!(filled(3, &[(2, "Blues")]), "1Q1 2Blues");
        assert_eq!(filled(4, &[]), "");
        assert_eq!(filled(4, &[(1, "own"), (2, "b")]), "1own 2b");
        assert_eq!(filled(5, &[(2, "c")]), "2c");
    }
}
