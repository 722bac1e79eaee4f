//! Proves the laws of a corpus: every chunk is a part of its file's text, counted exactly, and cites its source.
//!
//! It reads the stored text, and the sources that have not changed. It repairs nothing.

mod token_counters;
mod file;
mod parallel;
mod report;
mod sources;
mod tasks;
mod proof;

pub use proof::{ProofScope, run};
pub use report::VerifyReport;
