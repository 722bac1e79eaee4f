//! What worker processes, outside programs and what they are given may cost, each number with its reason.

/// Limits of worker processes.
pub(crate) mod worker {
    /// Processor time that a worker may take for one document; a document that needs more is reported as `Timeout`. The
    /// slowest documents of the corpora need 4 s.
    pub(crate) const READER_SECONDS: u64 = 60;
    /// Bytes that a worker may write for one small document: more than any page can grow to.
    pub(crate) const READER_OUTPUT_BYTES: u64 = 64 << 20;
    /// Bytes of a file for which a worker gets another second, because a mailbox of gigabytes is no bomb: the slowest
    /// reader reads as many in a second.
    pub(crate) const BYTES_PER_SECOND: u64 = 1 << 20;
    /// Documents inside one file at which a worker may be lost: each is reported, and the file is read again without it.
    /// With one more, the whole file is reported.
    pub(crate) const MAX_LOST_MEMBERS: usize = 5;
    /// Bytes of answer that a worker may write for each byte of a file, beyond those for a small one: packed sheets
    /// with their maps need some fifty.
    pub(crate) const OUTPUT_BYTES_PER_BYTE: u64 = 64;
    /// Bytes of a document that another program sends to `pensieve worker` and that is held in memory, where the system
    /// can; a larger one is in a file without name below `TMPDIR`.
    pub(crate) const HELD_RECEIVED_BYTES: u64 = 32 << 20;
    /// Bytes of a document that another program may send; of a larger one the bytes are skipped, and it is reported as
    /// `SizeLimit`. Nobody packs more into one file, and a disk for temporary files has them.
    pub(crate) const MAX_RECEIVED_BYTES: u64 = 64 << 30;
    /// Bytes of a line with a request. Paths have a few thousand.
    pub(crate) const MAX_REQUEST_BYTES: u64 = 1 << 20;
}

/// Limits of outside programs.
pub(crate) mod process {
    /// Processes and threads that a converter may have at one time; one with more is ended with all of them and reported
    /// as `ProcessLimit`. LibreOffice and Java have some fifty.
    pub(crate) const MAX_TASKS: u64 = 512;
    /// Bytes that each entry of a converter's private folder counts at least, so that empty files are not free.
    pub(crate) const ENTRY_BYTES: u64 = 4096;
    /// Folders inside each other in the private folder of a converter; deeper ones are reported as `OutputLimit`, since
    /// they cannot be counted with few descriptors.
    pub(crate) const MAX_FOLDER_DEPTH: usize = 64;
}

/// Limits of what programs recognise.
pub(crate) mod ocr {
    /// Pages of a document whose text is recognised; the others are reported. Each takes seconds.
    pub(crate) const MAX_PAGES: usize = 2_000;
    /// Pages with a problem that are reported one by one; the others are counted.
    pub(crate) const MAX_REPORTED_PAGES: usize = 10;
}
