//! What a parent and its child process exchange, and what the child uses.

use std::fs::File;
use std::time::Duration;

/// The standard input of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildInput {
    /// Empty.
    Nothing,
    /// Requests, each of which may come with an open document.
    Requests,
}

/// What is still to be sent to a program: bytes, and an open document that goes with the first of them.
#[derive(Default)]
pub(crate) struct PendingInput<'s> {
    /// The rest of the bytes.
    pub bytes: &'s [u8],
    /// The document, until it is sent.
    pub document: Option<&'s File>,
}

/// Whether a turn moved bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PipeTurn {
    /// Bytes were sent or received.
    Moved,
    /// No bytes were moved.
    Quiet,
}

/// What a process tree uses at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ResourceUsage {
    /// Resident memory in bytes.
    pub memory: u64,
    /// Processor time so far, including that of children that ended.
    pub cpu: Duration,
    /// Processes and threads.
    pub tasks: u64,
    /// Bytes of files that were deleted and are still open.
    pub deleted: u64,
}
