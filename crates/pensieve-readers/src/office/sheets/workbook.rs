//! What the sheets of a workbook refer to, in `.xlsx` and `.xlsb` alike.

use super::number::{CellStyles, DateEpoch};
use super::strings::SharedStrings;

/// A workbook: its sheets and what its dates count from.
#[derive(Debug, Default)]
pub(super) struct Workbook {
    /// Its sheets, in the order of their tabs.
    pub sheets: Vec<SheetEntry>,
    /// What dates count from.
    pub epoch: DateEpoch,
}

/// A sheet as the workbook names it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SheetEntry {
    /// The name on its tab.
    pub name: String,
    /// The relationship that leads to its part, or the part itself where there are no relationships.
    pub relation: String,
    /// True when its tab is not shown.
    pub is_hidden: bool,
}

/// The styles and shared texts that cells refer to by number.
pub(super) struct CellContext<'b> {
    pub styles: &'b CellStyles,
    pub strings: &'b SharedStrings,
}

impl CellContext<'_> {
    /// Writes a shared text as a cell of that style shows it.
    pub fn push_shared(&self, number: usize, style: u32, out: &mut String) {
        if let Some(text) = self.strings.get(number) {
            self.styles.push_text(text, style, out);
        }
    }
}
