//! Tables of a page: from pieces and rows in a band or between rules to cells.

pub(crate) mod bands;
pub(super) mod draft;
pub(super) mod grid_cells;
pub(crate) mod layout_table;
pub(super) mod pieces;
pub(super) mod rows;
pub(super) mod rule_tables;
