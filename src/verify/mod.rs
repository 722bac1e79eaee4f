//! Proves the laws of a corpus: every chunk is a part of its file's text, counted exactly, and cites its source.
//!
//! It reads the stored text, and the sources that have not changed. It repairs nothing.

mod file;
mod proof;
mod token_counters;

pub use proof::{VerifyReport, run};
