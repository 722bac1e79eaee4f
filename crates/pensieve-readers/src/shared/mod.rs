//! What several readers use: packages, compound files, XML, code pages, symbols, numerals, formulas.

pub(crate) mod back_matter;
pub mod archive;
pub mod bytes;
pub(crate) mod calendar;
pub(crate) mod codepage;
pub(crate) mod field_codes;
pub mod formula;
pub(crate) mod hidden_text;
pub(crate) mod numerals;
pub(crate) mod unpack;
pub mod ole;
pub(crate) mod open_table;
pub mod opc;
pub(crate) mod part;
pub(crate) mod slide_order;
pub(crate) mod symbols;
pub(crate) mod text_file;
pub mod xml;
