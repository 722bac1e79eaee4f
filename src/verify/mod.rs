//! Proves the laws of a corpus: that every chunk is what its file says, counted exactly, and leads back to its source.
//!
//! It reads the stored text, and the sources where they are still as they were. It repairs nothing.

mod file;
mod proof;
mod token_counters;

pub use proof::{VerifyReport, run};
