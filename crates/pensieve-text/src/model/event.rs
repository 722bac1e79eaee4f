//! The events of a run, and the observer that receives them. Front ends decide how to show them.

use super::closed_list::names;
use super::problem::Problem;
use super::status::ProcessingStatus;

names! {
    /// The phases of a run, in order.
    RunPhase {
        /// Walking the tree, hashing new files.
        Scan = "scan",
        /// Finding duplicates and changes.
        Compare = "compare",
        /// Reading, cleaning, chunking, storing.
        Content = "read",
        /// Building indexes and the search table, checkpoint.
        Finish = "finish",
        /// Sending chunks to the service that makes vectors: a run of its own.
        Embed = "embed",
        /// Proving the laws of a corpus: a run of its own.
        Verify = "verify",
    }
}

/// One event of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum ProgressEvent<'a> {
    /// A phase begins; the totals are known if an earlier phase counted them.
    PhaseStarted {
        /// The phase.
        phase: RunPhase,
        /// Files to come, 0 when unknown.
        files: u64,
        /// Bytes to come, 0 when unknown.
        bytes: u64,
    },
    /// An entry was seen by the scan.
    Scanned {
        /// Relative path in its stored form.
        path: &'a str,
        /// Bytes read to hash it.
        hashed: u64,
    },
    /// The scan's result in numbers.
    TreeKnown {
        /// Number of regular files.
        files: u64,
        /// Number of different contents among them.
        unique: u64,
        /// Files with the same bytes as another file.
        duplicates: u64,
        /// Files that are not documents.
        skipped: u64,
    },
    /// A file is being read now.
    Reading {
        /// Relative path in its stored form.
        path: &'a str,
    },
    /// A document inside the current file was stored: a mail of a mailbox, an attachment.
    MemberStored {
        /// The path of the member in its stored form.
        path: &'a str,
        /// Finished bytes of the file: the sizes of its outermost members so far, at most the file's size.
        behind: u64,
        /// Chunks of the member's text.
        chunks: u64,
        /// Chunks that no file had before.
        new_chunks: u64,
    },
    /// A file was stored.
    Stored {
        /// Relative path in its stored form.
        path: &'a str,
        /// Its processing status.
        status: ProcessingStatus,
        /// Its size.
        bytes: u64,
        /// Chunks of its text.
        chunks: u64,
        /// Chunks that no file had before.
        new_chunks: u64,
    },
    /// How much of the current phase is done, where neither files nor bytes are counted.
    Advanced {
        /// The share, in thousandths.
        permille: u16,
    },
    /// Chunks have got their vectors, or a reason why they have none.
    Embedded {
        /// How many.
        chunks: u64,
    },
    /// A problem with a file.
    Trouble {
        /// Relative path in its stored form.
        path: &'a str,
        /// The problem.
        problem: &'a Problem,
    },
    /// A remark for the log.
    Note {
        /// Its level, named as in `--log-level`.
        level: NoteLevel,
        /// The sentence.
        text: &'a str,
    },
}

impl ProgressEvent<'static> {
    /// This share of the current phase is done; 1 is all of it.
    pub fn advanced(share: f64) -> ProgressEvent<'static> {
        ProgressEvent::Advanced { permille: (share * 1000.0) as u16 }
    }
}

/// The level of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteLevel {
    /// Something needs a look.
    Warn,
    /// Worth knowing.
    Info,
    /// Details for debugging.
    Debug,
    /// What outside programs said.
    Trace,
}

/// Receives the events of a run, from several threads.
pub trait Observer: Sync {
    /// Handles one event; must not block for long.
    fn on_event(&self, event: &ProgressEvent<'_>);

    /// True when the user has asked to stop.
    fn interrupted(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_one_word() {
        let phases =
            [RunPhase::Scan, RunPhase::Compare, RunPhase::Content, RunPhase::Finish, RunPhase::Embed];
        assert_eq!(phases.map(RunPhase::as_str), ["scan", "compare", "read", "finish", "embed"]);
    }
}
