//! Numbers as a spreadsheet shows them: format codes, their built-in ones, dates, fractions, General.
//!
//! Owns the way from a value and a format code to the characters in the cell. Leaves out colours, widths and fill
//! characters, which are not text. Sources: ECMA-376 part 1, 18.8.30 and 18.8.31; [MS-XLS] 2.4.126; what Excel and
//! LibreOffice show where these are silent.

mod binary;
mod builtin;
mod code;
mod date;
mod decimal;
mod format;
mod fraction;
mod names;
mod show;
mod styles;

pub(super) use binary::{compact_number, error_name, truth_name};
pub(super) use date::{DateEpoch, serial_of};
pub(super) use decimal::push_general;
pub(super) use format::NumberFormat;
pub(super) use styles::CellStyles;

#[cfg(test)]
mod tests;
