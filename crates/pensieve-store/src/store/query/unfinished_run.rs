//! [`UnfinishedRun`]: what answers leave out because a run has not finished.

use pensieve_text::model::numbers::{count, counted};
use std::fmt;

/// What is missing from a corpus because a run has not finished: it is going on, or was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfinishedRun {
    /// True if no run has finished yet.
    pub is_first: bool,
    /// Files and documents that are known.
    pub files: u64,
    /// Those of them that are not read yet.
    pub pending: u64,
}

impl fmt::Display for UnfinishedRun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnfinishedRun { is_first, files, pending } = *self;
        out.write_str(if is_first { "the first run" } else { "the last run" })?;
        out.write_str(" has not finished: ")?;
        match (is_first, pending) {
            (true, _) if files == 0 => out.write_str("none of its files is stored so far"),
            (_, 0) => out.write_str("what is new or changed may be missing"),
            _ => {
                let read = files - pending.min(files);
                let files = counted(files, "file");
                write!(
                    out,
                    "{} of {files} are read so far, what is in the others may be missing",
                    count(read)
                )
            }
        }
    }
}
