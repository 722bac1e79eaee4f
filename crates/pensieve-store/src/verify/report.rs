//! The figures of a proof.

use serde::Serialize;

/// What was checked, and the number of violations.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct VerifyReport {
    /// Files with text.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Places of chunks in files.
    pub sources: u64,
    /// Places that cite source bytes.
    pub cited: u64,
    /// Places that cite source bytes exactly.
    pub exact: u64,
    /// Files whose source is unchanged, so that citations could be compared with it.
    pub sources_read: u64,
    /// With `--sources`: sources that were hashed.
    pub sources_hashed: u64,
    /// Of those, the ones that have changed since they were read.
    pub sources_changed: u64,
    /// With `--sources`: sources that are gone or cannot be read.
    pub sources_missing: u64,
    /// Violations.
    pub violations: u64,
}

impl VerifyReport {
    /// Adds the figures of a part, except violations, which are counted one by one.
    pub(super) fn add(&mut self, part: &VerifyReport) {
        self.files += part.files;
        self.chunks += part.chunks;
        self.sources += part.sources;
        self.cited += part.cited;
        self.exact += part.exact;
        self.sources_read += part.sources_read;
    }
}
