//! What several readers use: packages, compound files, XML, code pages, symbols, numerals, formulas.

pub mod after;
pub mod archive;
pub mod bytes;
pub mod calendar;
pub mod codepage;
pub mod flow;
pub mod formula;
pub mod numerals;
pub mod ole;
pub mod opc;
pub mod part;
pub mod symbols;
pub mod xml;
