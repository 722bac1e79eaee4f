//! The limits of an outside program.

use crate::limits::worker::{BYTES_PER_SECOND, OUTPUT_BYTES_PER_BYTE};
use std::time::Duration;

/// What one launch may use. A program that exceeds a limit is ended with its whole process tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Wall time.
    pub wall: Duration,
    /// Processor time of the whole tree.
    pub cpu: Option<Duration>,
    /// Bytes of memory: of data for each process, of resident pages for the tree.
    pub memory: u64,
    /// Bytes that may be written: to standard output, and to any one file.
    pub output: u64,
}

impl ProcessLimits {
    /// These limits with time and output for a document of so many bytes more.
    pub(crate) fn for_bytes(self, bytes: u64) -> ProcessLimits {
        let more = Duration::from_secs(bytes / BYTES_PER_SECOND);
        ProcessLimits {
            cpu: self.cpu.map(|cpu| cpu + more),
            wall: self.wall + 3 * more,
            output: self.output.saturating_add(bytes.saturating_mul(OUTPUT_BYTES_PER_BYTE)),
            memory: self.memory,
        }
    }
}
