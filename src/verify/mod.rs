//! Proves the laws of a corpus: every chunk is a part of its file's text, counted exactly, and cites its source.
//!
//! It reads the stored text, and the sources that have not changed. It repairs nothing.

mod digests;
mod file;
mod proof;
mod report;
mod sources;
mod token_counters;

pub use proof::run;
pub use report::VerifyReport;
