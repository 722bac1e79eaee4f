//! Readers of spreadsheets: Excel of every age, OpenDocument.
//!
//! Each sheet becomes a heading and tables of its rows, values as the sheet shows them; every row knows its cells. What
//! the readers share lies here: number formats ([`number`]), the way from cells to tables ([`grid`]), streamed XML
//! ([`stream`]), shared strings, the package of the newer Excel. Rows are handed over as they are read, since a sheet
//! may be larger than a reader's memory.

mod grid;
mod number;
mod package;
mod row;
mod stream;
mod strings;
#[cfg(test)]
mod testing;

pub mod ods;
pub mod xls;
pub mod xlsb;
pub mod xlsx;
pub mod xml2003;
