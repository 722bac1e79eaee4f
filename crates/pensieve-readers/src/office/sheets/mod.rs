//! Readers of spreadsheets: Excel of every version, OpenDocument.
//!
//! Each sheet becomes a heading and tables of its rows, with values as the sheet shows them; every row has the
//! locator of its cells. The readers share number formats ([`number`]), the way from cells to tables ([`grid`]),
//! streamed XML ([`stream`]), shared strings, and the package of the newer Excel. Rows are handed over as they are
//! read, since a sheet may be larger than a reader's memory. The modules of the formats explain why they do not use
//! the crate `calamine`.

mod annotations;
mod grid;
mod number;
mod package;
mod merged_labels;
mod rich_text;
mod row;
mod stream;
mod strings;
#[cfg(test)]
mod testing;
mod unescape;
mod workbook;

mod xls;
mod xlsb;
mod xlsx;
mod xml2003;

pub(crate) mod excel;
pub(crate) mod ods;
