//! The data that the sheets of a workbook refer to, in both `.xlsx` and `.xlsb`.

use super::number::{CellStyles, DateEpoch};
use super::strings::SharedStrings;

/// A workbook: its sheets and the epoch of its dates.
#[derive(Debug, Default)]
pub(super) struct Workbook {
    /// Its sheets, in the order of their tabs.
    pub sheets: Vec<SheetEntry>,
    /// The epoch of dates.
    pub epoch: DateEpoch,
}

/// A sheet in the list of the workbook.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SheetEntry {
    /// The name on its tab.
    pub name: String,
    /// The relationship to its part, or the part itself if there are no relationships.
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
    /// Writes a shared text as a cell of this style shows it.
    pub fn push_shared(&self, number: usize, style: u32, out: &mut String) {
        if let Some(text) = self.strings.get(number) {
            self.styles.push_text(text, style, out);
        }
    }
}
