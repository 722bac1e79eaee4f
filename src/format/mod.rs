//! Formats: one table, and the judgement by which a file finds its row.
//!
//! A row says everything the program knows about a format before it opens a file of it; `check-dependencies`, listings
//! and documentation read the same rows. Nothing here opens files: content comes in as the first bytes.

mod magic;
mod sniff;
mod table;

pub use sniff::{SniffOptions, Sniffed, Verdict, sniff};
pub use table::{Format, Reader, TABLE, by_extension, by_filename, by_name};
