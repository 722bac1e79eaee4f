//! Tables of a clean text as data: where they are, what their columns are called, and the value of each cell.
//!
//! Readers write every table into clean text, as rows between pipes or as records. [`TableFinder`] finds them there, whatever the
//! format, and describes each by a [`TableLayout`]; [`TableReader`] reads the cells of one by this layout, row by row. Both are functions
//! of the text alone, so that cells need not be stored: each has its bytes of the text, and the map of the text leads from there to
//! the page, the lines or the cells of its source. Nothing here holds a whole table.

mod date;
mod value;
mod rows;
mod columns;
mod header;
mod reader;
mod draft;
mod finder;
#[cfg(test)]
mod laws;

pub use columns::{ColumnKind, TableColumn, TableLayout};
pub use draft::FoundTable;
pub use finder::TableFinder;
pub use reader::{TableCell, TableReader, TableRow};
pub use rows::{CellDivision, TableSyntax};
pub use value::{CellValue, Number};

/// Rises whenever the same text gives other tables or cells: databases then look for them again.
pub const TABLES_EDITION: u32 = 6;
